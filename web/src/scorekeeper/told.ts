/** What the model tells of a live round, as the events that the log has words for. */

import type { AnyEvent, Hand } from '../lib/messages';
import { CARDS } from '../rules/cards';
import { NAMES } from '../rules/log';
import { IDS } from '../rules/rulings';
import type { Round, Sheet } from './match';

/** What the fourth number of an event is, by its kind. */
const EXTRA: Record<string, string> = {
  round_started: 'round',
  deck_reshuffled: 'cards',
  card_flipped: 'flips_left',
  card_handed_out: 'to',
  second_chance_passed: 'to',
  player_frozen: 'points',
  playoff_called: 'playoff',
  card_misdealt: 'due',
};

export interface Told {
  event: AnyEvent;
  points: number;
}

/** The events of a round; a finished one knows its scores. */
export function events(rows: readonly number[][], sheet: Sheet, round: Round | null): Told[] {
  return rows.map(([kind = 0, seat = -1, card = -1, other = 0, ruling = 0, points = 0]) => {
    const name = NAMES[kind] ?? '';
    const event: Record<string, unknown> = { kind: name, ruling: IDS[ruling] };
    if (seat >= 0) event['seat'] = seat;
    if (card >= 0) event['card'] = CARDS[card];
    const extra = EXTRA[name];
    if (extra) event[extra] = other;
    if (name === 'round_scored' && round) {
      event['hands'] = sheet.ids.flatMap((id, at): Partial<Hand>[] => (round.scores.has(id) ? [{ seat: at, points: round.scores.get(id) ?? 0, total: round.totals.get(id) ?? 0 }] : []));
    }
    return { event: event as unknown as AnyEvent, points };
  });
}
