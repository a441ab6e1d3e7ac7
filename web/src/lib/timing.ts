/** How long each thing is shown at a table's speed, and how much faster when the client has fallen behind. */

import type { AnyEvent, Speed, Step } from './messages';
import { DEALT, EVENTS, FACTORS, HASTE, LAG, OPENING, PARTS, QUICK, SCORED } from './times';

/** How long an event is on show, at a table of so many seats: what the server waits for. Reduced motion takes less. */
export function length(event: AnyEvent, seats: number, speed: Speed, reduced: boolean): number {
  const factor = FACTORS[speed];
  const whole: number = EVENTS[event.kind];
  switch (event.kind) {
    case 'card_flipped': {
      const seen = reduced ? PARTS.rest : whole;
      return factor * (event.ruling === 'DEAL-1' ? seen * Math.min(DEALT.most, DEALT.seats / seats) : seen);
    }
    case 'card_placed':
      return factor * (reduced ? Math.min(60, whole) : whole);
    case 'player_busted':
      return factor * (reduced ? whole - PARTS.shake : whole);
    case 'round_scored':
      return Math.max(SCORED.least, factor * (whole + Math.min(SCORED.seats, seats) * SCORED.seat));
    default:
      return factor * whole;
  }
}

/** How many events of a quick step are told quickly: before the first choice of a game all, later those up to the scores. */
export function toldQuickly(step: Step, opening: boolean): number {
  const scored = opening ? -1 : step.events.findIndex((event) => event.kind === 'round_scored');
  return scored < 0 ? step.events.length : scored;
}

/** How long quick steps in a row take at most. */
export function limit(speed: Speed, opening: boolean): number {
  return (opening ? OPENING : QUICK) * Math.min(1, FACTORS[speed]);
}

/**
 * The factor for what is shown next.
 *
 * `waited` is how long the oldest unshown step has waited since it arrived, `backlog` how long everything unshown would
 * take. Steps that were `missed` are told within a lag.
 */
export function haste(waited: number, backlog: number, missed: boolean): number {
  const share = Math.min(1, LAG / Math.max(1, backlog));
  if (missed) return share;
  return waited <= LAG ? 1 : Math.max(HASTE.least, HASTE.share * share);
}
