/** A real game followed card by card with the translated rules: what is due, what happened, and the odds. */

import type { AnyEvent, Card, Hand } from '../lib/messages';
import { may_get } from '../rules/agenda';
import { CARDS, FACES, TWELVE, X2 } from '../rules/cards';
import { busting_cards, pile_size, seventh_cards } from '../rules/chance';
import { begin_round, give, hit, reveal, stay } from '../rules/inputs';
import { NAMES } from '../rules/log';
import { IDS } from '../rules/rulings';
import { BONUS, FLIP7, points } from '../rules/scoring';
import { AWAIT_CARD, BUSTED, CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, new_table, ROUND_OVER, type Table } from '../rules/table';
import { faceOf, wholeDeck } from './hands';
import type { Entry } from './operations';

export type Choice = string | number;

const STATUSES = ['active', 'stayed', 'frozen', 'busted'] as const;
const EXTRA: Record<string, string> = {
  round_started: 'round',
  deck_reshuffled: 'cards',
  card_flipped: 'flips_left',
  card_handed_out: 'to',
  second_chance_passed: 'to',
  player_frozen: 'points',
  playoff_called: 'playoff',
};

export interface Told {
  event: AnyEvent;
  points: number;
}

export interface Setup {
  seats: number;
  target: number;
  dealer: number;
  decks: number;
  totals: number[];
  /** Rounds that were played before this game was followed. */
  before: number;
}

export class LiveGame {
  readonly table: Table;
  told: Told[] = [];
  /** The hands of every round that has ended. */
  readonly rounds: Entry[][] = [];

  constructor(
    private readonly setup: Setup,
    readonly choices: Choice[] = [],
  ) {
    this.table = new_table(setup.seats, setup.target, setup.dealer, 1, 0, wholeDeck(setup.decks));
    this.table.totals = [...setup.totals];
    begin_round(this.table);
    this.goOn();
    const given = choices.splice(0);
    for (const choice of given) this.play(choice);
  }

  /** What is waited for, or `null` when the round is over. */
  get due(): 'card' | 'turn' | 'target' | null {
    return ({ [AWAIT_CARD]: 'card', [HIT_OR_STAY]: 'turn', [CHOOSE_TARGET]: 'target' } as const)[this.table.waiting as 0 | 1 | 2] ?? null;
  }

  get over(): boolean {
    return this.table.waiting === GAME_OVER;
  }

  /** The seats that may get the card on offer. */
  get targets(): number[] {
    return Array.from({ length: this.table.seats }, (_, seat) => seat).filter((seat) => may_get(this.table, this.table.card, seat));
  }

  /** How many of a card can still come up. */
  left(card: Card): number {
    return this.table.draw[faceOf(card)] ?? 0;
  }

  /** Answer what is due: "hit", "stay", a seat, or the card that came up; "next" starts the next round. */
  play(choice: Choice): void {
    const { table } = this;
    if (choice === 'next') begin_round(table);
    else if (choice === 'hit') hit(table);
    else if (choice === 'stay') stay(table);
    else if (typeof choice === 'number') give(table, choice);
    else reveal(table, faceOf(choice as Card));
    this.choices.push(choice);
    this.goOn();
  }

  /** Take events from the table, and turn up a card that is the only one possible (CHOICE-1). */
  private goOn(): void {
    const { table } = this;
    this.take();
    while (table.waiting === AWAIT_CARD) {
      const possible = table.draw.flatMap((copies, face) => (copies ? [face] : []));
      if (possible.length !== 1) break;
      reveal(table, possible[0] ?? 0);
      this.take();
    }
    if (table.waiting === ROUND_OVER || table.waiting === GAME_OVER) this.rounds.push(this.entries());
  }

  private take(): void {
    const { table } = this;
    for (const [kind, seat, card, other, ruling] of table.log.splice(0)) {
      const name = NAMES[kind] ?? '';
      const event: Record<string, unknown> = { kind: name, ruling: IDS[ruling] };
      if (seat >= 0) event['seat'] = seat;
      if (card >= 0) event['card'] = CARDS[card];
      const extra = EXTRA[name];
      if (extra) event[extra] = name === 'round_started' ? other + this.setup.before : other;
      if (name === 'round_scored') event['hands'] = this.hands();
      this.told.push({ event: event as unknown as AnyEvent, points: seat >= 0 ? points(table, seat) : 0 });
    }
  }

  /** What everyone has, and how it adds up. */
  hands(): Hand[] {
    const { table } = this;
    return Array.from({ length: table.seats }, (_, seat) => ({
      seat,
      status: STATUSES[table.status[seat] ?? 0] ?? 'active',
      cards: this.cards(seat),
      numbers: table.sums[seat] ?? 0,
      doubled: (table.hands[seat]?.[X2] ?? 0) > 0,
      bonus: table.bonuses[seat] ?? 0,
      flip7: (table.different[seat] ?? 0) >= FLIP7 ? BONUS : 0,
      points: points(table, seat),
      total: table.totals[seat] ?? 0,
    }));
  }

  cards(seat: number): Card[] {
    const { table } = this;
    const counts = table.hands[seat] ?? [];
    const others: Card[] = [];
    for (let face = TWELVE + 1; face < FACES; face += 1) {
      for (let i = 0; i < (counts[face] ?? 0); i += 1) others.push(CARDS[face] as Card);
    }
    const line = (table.lines[seat] ?? []).slice(0, (table.held[seat] ?? 0) - others.length);
    return [...line.map((face) => CARDS[face] as Card), ...others];
  }

  private entries(): Entry[] {
    return Array.from({ length: this.table.seats }, (_, seat) => (this.table.status[seat] === BUSTED ? 'bust' : this.cards(seat)));
  }

  /** What the next card may do to the seat that is asked or flips. */
  odds(): { bust: number; flip7: number } {
    const { table } = this;
    const pile = Math.max(1, pile_size(table));
    return { bust: busting_cards(table, table.seat) / pile, flip7: seventh_cards(table, table.seat) / pile };
  }
}
