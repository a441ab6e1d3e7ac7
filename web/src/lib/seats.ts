/** The seats that this device holds, by table: the secret token, and how far the game was seen. */

import type { Seated } from './messages';
import type { Tally } from './profile';
import { forget, recall, remember } from './storage';

export interface Held {
  code: string;
  token: string;
  /** When the table was last used, for the order of the list. */
  at: number;
  game: string | null;
  number: number;
  tally?: Tally;
  /** The day of the daily challenge that is played there. */
  daily?: string | null;
}

const PREFIX = 'flip7.table.';

/** What this device knows about its seats at a table. */
export function held(code: string): Held | null {
  const kept = recall<Held>(PREFIX + code);
  return kept && typeof kept.token === 'string' ? kept : null;
}

/** Keep the token of seats that were just taken. */
export function hold(seated: Seated): void {
  remember(PREFIX + seated.code, { code: seated.code, token: seated.token, at: Date.now(), game: null, number: 0 });
}

/** Remember how far the game has been seen, for the way back. */
export function seen(code: string, what: Pick<Held, 'game' | 'number' | 'tally' | 'daily'>): void {
  const kept = held(code);
  if (kept) remember(PREFIX + code, { ...kept, ...what, at: Date.now() });
}

/** Give the seats up. */
export function release(code: string): void {
  forget(PREFIX + code);
}

/** Every table at which this device has seats, the latest first. */
export function allHeld(): Held[] {
  const codes: string[] = [];
  try {
    for (let i = 0; i < localStorage.length; i += 1) {
      const key = localStorage.key(i);
      if (key?.startsWith(PREFIX)) codes.push(key.slice(PREFIX.length));
    }
  } catch {
    return [];
  }
  return codes.flatMap((code) => held(code) ?? []).sort((a, b) => b.at - a.at);
}
