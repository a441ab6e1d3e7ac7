/** The table by keyboard: H and S, and numbers for targets, which may have two digits at a big table. */

import type { Ask, Word } from '../lib/messages';

const TYPING = 'input, textarea, select, [contenteditable]';
const WAIT = 700;

export class Keyboard {
  private digits = '';
  private at = 0;

  /** The choice that a key makes, or `null`. */
  press(event: KeyboardEvent, ask: Ask | null): Word | number | null {
    if (!ask || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null;
    if ((event.target as Element | null)?.matches?.(TYPING)) return null;
    if (ask.kind === 'turn') {
      const key = event.key.toLowerCase();
      return key === 'h' ? 'hit' : key === 's' ? 'stay' : null;
    }
    return /^\d$/.test(event.key) ? this.digit(event.key, ask, event.timeStamp) : null;
  }

  /** At a table with ten targets or more every number has two digits, as it is shown: 01, 02 … */
  private digit(digit: string, ask: Ask, now: number): number | null {
    this.digits = now - this.at < WAIT ? this.digits + digit : digit;
    this.at = now;
    if (this.digits.length < badge(ask, 1).length) return null;
    const option = ask.options[Number(this.digits) - 1];
    this.digits = '';
    return typeof option === 'number' ? option : null;
  }
}

/** The number of a target as it is shown and typed. */
export function badge(ask: Ask, number: number): string {
  return String(number).padStart(String(ask.options.length).length, '0');
}
