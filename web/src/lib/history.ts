/** The finished games that this device remembers, for their replays. */

import { recall, remember } from './storage';

export interface Past {
  id: string;
  date: string;
  winner: string;
  names: string[];
  /** The day of the daily challenge that it was: others still play its deck until that day is over. */
  daily?: string | null;
}

const KEY = 'flip7.history';
const KEPT = 20;

/** The games played here, the latest first. */
export function history(): Past[] {
  const kept = recall<Past[]>(KEY);
  return Array.isArray(kept) ? kept : [];
}

/** Remember a finished game; once, however often its result is shown. */
export function keep(game: Past): void {
  const known = history();
  if (known.some((past) => past.id === game.id)) return;
  remember(KEY, [game, ...known].slice(0, KEPT));
}
