/** What a hand at the end of a round may be and is worth, asked of the rules. */

import type { Card } from '../lib/messages';
import { CARDS, STANDARD } from '../rules/cards';
import * as keeping from '../rules/keeping';
import { FLIP7, points } from '../rules/scoring';
import { new_table, type Table } from '../rules/table';
import type { Entry } from './operations';

/** Why an entry cannot be. The texts `refused.*` say it in words. */
export type Reason = 'twin' | 'eighth' | 'noneLeft' | 'secondSecond' | 'secondFreeze' | 'frozenFlip7' | 'otherFlip7' | 'negative' | 'impossible' | 'tooMany' | 'sevenPoints' | 'unreadable';

export class Refused extends Error {
  constructor(
    readonly reason: Reason,
    readonly about: { card?: Card; n?: number; below?: number; above?: number; player?: string } = {},
  ) {
    super(reason);
  }
}

const REASONS: Record<number, Reason> = {
  [keeping.TWIN]: 'twin',
  [keeping.EIGHTH]: 'eighth',
  [keeping.NONE_LEFT]: 'noneLeft',
  [keeping.SECOND_SECOND]: 'secondSecond',
  [keeping.SECOND_FREEZE]: 'secondFreeze',
  [keeping.FROZEN_FLIP7]: 'frozenFlip7',
  [keeping.OTHER_FLIP7]: 'otherFlip7',
};

export const faceOf = (card: Card): number => CARDS.indexOf(card);

/** The whole deck by face. */
export function wholeDeck(decks: number): number[] {
  return STANDARD.map((copies) => copies * decks);
}

const known = new Map<number, number[]>();

/** How each number of points can be made with so many decks. */
export function ways(decks: number): number[] {
  let found = known.get(decks);
  if (!found) {
    found = keeping.ways(wholeDeck(decks));
    while (found.at(-1) === keeping.IMPOSSIBLE) found.pop();
    known.set(decks, found);
  }
  return found;
}

/** The hands of one round, entered one after the other; each is refused if the round cannot have it (KEEP-4). */
export class RoundCheck {
  private readonly table: Table;
  private seven = false;

  constructor(
    seats: number,
    private readonly decks: number,
  ) {
    this.table = new_table(Math.max(1, seats), 1, 0, 1, 0, wholeDeck(decks));
  }

  /** The points of the next hand. Throws `Refused`. */
  take(seat: number, entry: Entry): number {
    if (entry === 'bust') return 0;
    if (typeof entry === 'number') return this.takePoints(entry);
    for (const card of entry) {
      const problem = this.problem(seat, card);
      if (problem) throw new Refused(problem, { card, n: (STANDARD[faceOf(card)] ?? 0) * this.decks });
      keeping.lay(this.table, seat, faceOf(card));
    }
    this.seven ||= this.table.different[seat] === FLIP7;
    return points(this.table, seat);
  }

  /** Why a card cannot join a hand, or `null`. */
  problem(seat: number, card: Card): Reason | null {
    const face = faceOf(card);
    if (face < 0) return 'unreadable';
    return REASONS[keeping.fits(this.table, seat, face, this.seven)] ?? null;
  }

  /** Lay a card that fits, one tap after the other. */
  lay(seat: number, card: Card): void {
    keeping.lay(this.table, seat, faceOf(card));
  }

  /** What the hand so far adds up to. */
  sum(seat: number): { numbers: number; doubled: boolean; bonus: number; flip7: boolean; points: number; different: number } {
    const { table } = this;
    return {
      numbers: table.sums[seat] ?? 0,
      doubled: (table.hands[seat]?.[faceOf('x2')] ?? 0) > 0,
      bonus: table.bonuses[seat] ?? 0,
      flip7: table.different[seat] === FLIP7,
      points: points(table, seat),
      different: table.different[seat] ?? 0,
    };
  }

  private takePoints(value: number): number {
    const possible = ways(this.decks);
    if (!Number.isInteger(value)) throw new Refused('unreadable');
    if (value < 0) throw new Refused('negative', { n: value });
    if (value >= possible.length) throw new Refused('tooMany', { n: possible.length - 1 });
    if (possible[value] === keeping.IMPOSSIBLE) {
      let below = value;
      let above = value;
      while (possible[below] === keeping.IMPOSSIBLE) below -= 1;
      while (possible[above] === keeping.IMPOSSIBLE) above += 1;
      throw new Refused('impossible', { n: value, below, above });
    }
    if (possible[value] === keeping.ONLY_FLIP7) {
      if (this.seven) throw new Refused('sevenPoints', { n: value });
      this.seven = true;
    }
    return value;
  }
}

/** The points of one hand alone, with as many decks as there can be. */
export function alone(entry: Entry): number {
  return typeof entry === 'number' ? entry : entry === 'bust' ? 0 : new RoundCheck(1, 9).take(0, entry);
}

/** The cards as they lie in the box, so that equal hands look equal. */
export function inOrder(entry: Entry): Entry {
  return Array.isArray(entry) ? [...entry].sort((a, b) => faceOf(a) - faceOf(b)) : entry;
}
