/** Events, cards and refusals in words, in the language of the user. */

import { between, decimal, percent, t, x } from '../i18n/i18n.svelte';
import { Refusal } from './api';
import { face, mark } from './cards';
import { CARDS, CODES, type Advice, type Card, type Hand, type TargetLabel } from './messages';
import type { Line, Scene } from './scene';

/** What a card is called. */
export function cardName(card: Card): string {
  const kind = face(card);
  return kind === 'number' || kind === 'modifier' ? mark(card) : t(`card.${kind}`);
}

/** The same for a card that is told as text. */
export function cardWord(text: string): string {
  const card = CARDS.find((one) => one === text);
  return card ? cardName(card) : text;
}

/** How the points of a hand add up, such as `22 ×2 +4 +15`; empty while there is nothing to add, and for a bust. */
export function sum(hand: Pick<Hand, 'numbers' | 'doubled' | 'bonus' | 'flip7'> & Partial<Pick<Hand, 'status'>>): string {
  if (hand.status === 'busted') return '';
  const parts = [String(hand.numbers)];
  if (hand.doubled) parts.push('×2');
  if (hand.bonus) parts.push(`+${hand.bonus}`);
  if (hand.flip7) parts.push(`+${hand.flip7}`);
  return parts.length > 1 ? parts.join(' ') : '';
}

/** A line of the log, or `null` for an event that another line tells already. */
export function describe(line: Line, names: readonly string[]): string | null {
  const { event } = line;
  const name = names[event.seat ?? -1] ?? '';
  const card = event.card ? cardName(event.card) : '';
  switch (event.kind) {
    case 'round_started':
      return t('log.round_started', { n: event.round ?? 0, name });
    case 'player_left':
      return t('log.player_left', { name });
    case 'card_misdealt':
      return t('log.card_misdealt', { card, name, due: names[event.due ?? 0] ?? '' });
    case 'card_added':
      return t('log.card_added', { card });
    case 'card_lost':
      return t('log.card_lost', { card });
    case 'deck_reshuffled':
      if (event.ruling?.startsWith('KEEP')) return t('log.reshuffled_early', { n: event.cards ?? 0 });
      return t('log.deck_reshuffled', { n: event.cards ?? 0 });
    case 'card_flipped': {
      const how = event.ruling === 'DEAL-1' ? 'log.dealt' : event.ruling === 'F3-1' ? 'log.flips' : 'log.hits';
      return t(how, { name, card });
    }
    case 'player_saved':
      return t('log.player_saved', { name, card });
    case 'player_busted':
      return t('log.player_busted', { name, card });
    case 'player_stayed':
      return t('log.player_stayed', { name, n: line.points });
    case 'card_set_aside':
      return t('log.card_set_aside', { card });
    case 'card_handed_out': {
      const to = event.to ?? 0;
      if (to === event.seat) return t('log.card_kept', { name, card });
      return t('log.card_handed_out', { name, card, to: names[to] ?? '' });
    }
    case 'second_chance_passed':
      return t('log.second_chance_passed', { name, to: names[event.to ?? 0] ?? '' });
    case 'card_discarded':
      return event.ruling === 'SC-2' ? null : t('log.card_discarded', { card });
    case 'player_frozen':
      return t('log.player_frozen', { name, n: event.points ?? 0 });
    case 'flip_three_started':
      return t('log.flip_three_started', { name });
    case 'flip7_made':
      return t('log.flip7_made', { name });
    case 'round_ended':
      return event.ruling?.startsWith('DECK') ? t('log.round_ended.deck') : t('log.round_ended');
    case 'round_scored':
      return t('log.round_scored', { list: scores(event.hands ?? [], names) });
    case 'playoff_called':
      return t('log.playoff_called');
    case 'game_over':
      return t('log.game_over', { name });
    case 'player_hit':
    case 'card_placed':
      return null;
  }
}

function scores(hands: readonly Hand[], names: readonly string[]): string {
  return hands.map((hand) => `${names[hand.seat] ?? ''} +${hand.points} (${hand.total})`).join(', ');
}

/** What a card would do to a possible target. */
export function targetWords(label: TargetLabel): string {
  if (label.points !== null) return t('table.label.bank', { n: label.points });
  if (label.bust !== null) return t('table.label.bust', { n: percent(label.bust) });
  return t('table.label.give');
}

/** A chance to win as the coach tells it at a target: the words, its range in numbers and in words. */
export interface TargetChance {
  win: string;
  range: string;
  rangeWords: string;
  /** Whether nothing else is better, for sure. */
  best: boolean;
}

/** What the coach thinks of giving a card to this seat. */
export function chanceOf(advice: Advice | null, seat: number): TargetChance | null {
  const found = advice?.choices.find(({ choice }) => choice === seat);
  if (!advice || !found) return null;
  return {
    win: x('coach.chance', { n: percent(found.win) }),
    range: between(found.low, found.high),
    rangeWords: rangeWords(found),
    best: advice.sure && advice.best === seat,
  };
}

/** The range in which a chance lies, in words. */
export function rangeWords({ low, high }: { low: number; high: number }): string {
  return x('coach.between', { low: percent(low), high: percent(high) });
}

/** A chance of busting in plain words. */
export function bustWords(bust: number): string {
  if (bust <= 0) return t('table.bust.none');
  const inverse = 1 / bust;
  return inverse >= 1.8 ? t('table.bust.one', { n: Math.round(inverse) }) : t('table.bust.many', { n: percent(bust) });
}

/** How a chance to win has changed; nothing where it reads the same. */
export function changeWords(name: string, before: number, after: number): string {
  const [a, b] = [percent(before), percent(after)];
  return a === b ? '' : x('said.change', { name, a, b });
}

/** The difference of two chances: points of a percentage, which is no share of either. */
export function differenceWords(margin: number): string {
  return x('said.points', { n: decimal(100 * Math.abs(margin)) });
}

/** How a finished game ended: who won; who plays alone has nobody to win against, there the rounds count. */
export function endWords({ names, rounds, winner }: Pick<Scene, 'names' | 'rounds' | 'winner'>): string {
  return names.length > 1 ? t('results.title', { name: names[winner ?? 0] ?? '' }) : t('results.alone', { n: rounds.length });
}

/** Whether the end of a game is one to celebrate: alone only the challenge is. */
export function isGlad({ names, challenge }: Pick<Scene, 'names' | 'challenge'>): boolean {
  return names.length > 1 || !!challenge;
}

/** Why a finished game cannot be shown. */
export function gameProblem(error: unknown): string {
  if (!(error instanceof Refusal)) return t('error.network');
  return error.status === 404 ? t('replay.unknown') : refusal(error.code, error.message, error.seconds);
}

/** Why something was refused, in the language that is spoken; an unknown reason in the server's words. */
export function refusal(code: string, text: string, seconds: number | null = null): string {
  const known = CODES.find((one) => one === code);
  if (known === 'too_many' && seconds !== null) return t('error.too_many.wait', { n: seconds });
  if (known) return t(`error.${known}`);
  return code === 'network' ? t('error.network') : t('error.other', { text });
}
