/** The daily challenge as this device plays it: the number by which the server knows it, and the line to share. */

import { nonce } from './promise';
import { recall, remember } from './storage';

/** Alone, the target in fewer rounds than this meets the challenge (SOLO-1). */
export const CHALLENGE = 5;

/** What stands for a round in the line that is shared, and how it is drawn. */
export const TILES: Record<string, { name: 'bust' | 'few' | 'some' | 'many' | 'seven'; mark: string }> = {
  '💥': { name: 'bust', mark: '✕' },
  '⬛': { name: 'few', mark: '' },
  '🟨': { name: 'some', mark: '–' },
  '🟩': { name: 'many', mark: '+' },
  '🌟': { name: 'seven', mark: '7' },
};

const KEY = 'flip7.device';
/** For a browser that keeps nothing: the same at least until the page is closed. */
let unkept = '';

/** The number that this device has made up for itself; nobody else knows it. */
export function deviceId(): string {
  const known = recall<string>(KEY);
  if (typeof known === 'string' && /^[0-9a-f]{32}$/.test(known)) return known;
  unkept ||= nonce();
  remember(KEY, unkept);
  return unkept;
}

/** A result as a line of signs. `rounds` is in words. */
export function line(title: string, signs: string, rounds: string): string {
  return `${title} ${signs} ${rounds}`;
}

/** Hours and minutes that seconds make. */
export function hoursAndMinutes(seconds: number): { h: number; m: number } {
  const minutes = Math.max(0, Math.ceil(seconds / 60));
  return { h: Math.floor(minutes / 60), m: minutes % 60 };
}
