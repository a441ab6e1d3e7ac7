/** Games as the server told them: one that is kept here, and those of the file that FLIP7_GAMES names. */

import { readFileSync } from 'node:fs';
import type { Replay, Speed } from '../src/lib/messages';

const paths = [new URL('./games.json', import.meta.url).pathname, process.env['FLIP7_GAMES']];

export const games: Replay[] = paths.flatMap((path) => (path ? (JSON.parse(readFileSync(path, 'utf8')) as Replay[]) : []));

/** What the terminal application shows of those games after every event and every step, from the file that FLIP7_SCENES names. */
const shown = process.env['FLIP7_SCENES'];
export const scenes = shown ? (JSON.parse(readFileSync(shown, 'utf8')) as Record<string, unknown[]>) : {};

/** How long the server waits for events, from the file that FLIP7_WAITS names. */
export interface Wait {
  kind: string;
  ruling: string;
  seats: number;
  speed: Speed;
  ms: number;
}
export interface Times {
  events: Wait[];
  /** How long quick steps in a row take at most. */
  limits: { speed: Speed; opening: boolean; ms: number }[];
  /** How many events of a step are told quickly. */
  counts: { kinds: string[]; opening: boolean; n: number }[];
  /** How the terminal application paces steps that arrive at once. */
  paced: { game: string; speed: Speed; quick: boolean[]; missed: boolean; pauses: number[] }[];
}
const told = process.env['FLIP7_WAITS'];
export const waits: Times = told ? (JSON.parse(readFileSync(told, 'utf8')) as Times) : { events: [], limits: [], counts: [], paced: [] };
