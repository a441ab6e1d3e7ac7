/** All matches of a device in one file, and back. */

import { BadFile, Match } from './match';

const FORMAT = 'flip7 matches';
const VERSION = 1;

/** The file: what each match's own file holds, one after the other. */
export function toBackup(matches: Match[]): string {
  return JSON.stringify({ format: FORMAT, version: VERSION, matches: matches.map((match) => JSON.parse(match.toJson()) as unknown) });
}

/** The matches in a file, be it a back-up or one match. Throws `BadFile`. */
export function fromFile(text: string, device: string): Match[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new BadFile('damaged');
  }
  const { format, version, matches } = (file ?? {}) as { format?: unknown; version?: unknown; matches?: unknown };
  if (format !== FORMAT) return [Match.fromJson(text, device)];
  if (typeof version !== 'number' || !Array.isArray(matches)) throw new BadFile('damaged');
  if (version > VERSION) throw new BadFile('newer');
  return matches.map((match) => Match.fromJson(JSON.stringify(match), device));
}
