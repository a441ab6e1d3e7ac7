/** How long each thing is shown, in milliseconds, and how much faster when the client has fallen behind. */

import type { AnyEvent } from './messages';
import type { Speed } from './settings.svelte';

export const DEAL = { travel: 240, turn: 190, rest: 220, settle: 160 };
export const BUST = { shake: 400, hold: 550 };
export const FROST = 400;
export const FLIP7 = 1800;
export const SUMMARY = 3600;
/** Further behind than this, everything is compressed. */
export const LAG = 2500;

const PACE: Record<Speed, number> = { calm: 1.45, normal: 1, fast: 0.6 };

/** The factor of a speed setting. */
export function pace(speed: Speed): number {
  return PACE[speed];
}

/** How long an event is on show at normal speed, at a table of so many seats. */
export function length(event: AnyEvent, seats: number, reduced: boolean): number {
  switch (event.kind) {
    case 'card_flipped': {
      const whole = (reduced ? 0 : DEAL.travel + DEAL.turn) + DEAL.rest;
      return event.ruling === 'DEAL-1' ? whole * Math.min(0.8, 5 / seats) : whole;
    }
    case 'card_placed':
      return reduced ? 60 : DEAL.settle;
    case 'player_busted':
      return DEAL.settle + (reduced ? 0 : BUST.shake) + BUST.hold;
    case 'player_saved':
      return 750;
    case 'player_stayed':
      return 380;
    case 'card_set_aside':
      return 420;
    case 'card_handed_out':
    case 'second_chance_passed':
      return 620;
    case 'player_frozen':
      return FROST + 250;
    case 'flip_three_started':
      return 500;
    case 'flip7_made':
      return FLIP7;
    case 'deck_reshuffled':
      return 700;
    case 'round_started':
      return 350;
    case 'round_ended':
      return 300;
    case 'round_scored':
      return SUMMARY + Math.min(12, seats) * 130;
    case 'playoff_called':
      return 1500;
    case 'game_over':
      return 900;
    case 'player_left':
    case 'card_misdealt':
    case 'card_added':
    case 'card_lost':
      return 380;
    case 'card_discarded':
      return 120;
    case 'player_hit':
      return 0;
  }
}

/**
 * The factor for what is shown next.
 *
 * `waited` is how long the oldest unshown step has waited since it arrived, `backlog` how long everything unshown would
 * take. Steps that were `missed` are retold as quickly as a lag.
 */
export function haste(waited: number, backlog: number, missed: boolean): number {
  if (missed) return Math.min(1, Math.max(0.02, LAG / Math.max(1, backlog)));
  if (waited <= LAG) return 1;
  return Math.max(0.12, Math.min(1, LAG / Math.max(1, backlog)) * 0.6);
}
