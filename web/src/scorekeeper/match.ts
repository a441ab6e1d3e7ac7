/** A match on a device: a thin shell round the model, which decides everything (src/flip7/scorekeeper/model). */

import type { PlainOperation } from '../lib/messages';
import type { Card } from '../rules/cards';
import { challenge_met } from '../rules/scoring';
import * as entering from './model/entering';
import * as following from './model/following';
import * as opening from './model/state';
import type { Book } from './model/hands';
import { gone } from './model/live';
import { id_of, type AnyOperation, type Start, type Step, type Stored } from './model/operations';
import { good_id, plays, type Player } from './model/people';
import { can_record, record_text } from './model/record';
import type { Refusal } from './model/refusals';
import { at_table, name_of, playoff_count, start_of, type Conflict, type Sheet } from './model/sheet';
import { plain, readOperations } from './wire';

export { at_table as atTable, name_of as nameOf, playoff_count as playoffCount } from './model/sheet';
export { HIGHEST } from './model/checking';
export type { Conflict, Round, Sheet } from './model/sheet';
export type { Player } from './model/people';
export type { Stored as Entry } from './model/operations';

export const FORMAT = 'flip7 match';
export const VERSION = 2;

/** The text is no match, or one of a newer version. */
export class BadFile extends Error {
  constructor(readonly reason: 'damaged' | 'newer') {
    super(reason);
  }
}

/** What was wrong and what would be right; the match is as it was. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }
}

/** What has been found out about decks, for all matches. */
export const BOOK: Book = { ways: new Map() };

/** A text that tells one thing from all others. */
export function newId(bytes = 8): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class Match {
  private readonly state: opening.State;

  /** Throws `Refused` or `Unreadable` if the operations are no match. With `anyone` everybody's steps can be taken back. */
  constructor(
    readonly id: string,
    device: string,
    operations: readonly unknown[],
    anyone = false,
  ) {
    const { state, refusal } = opening.open_match(readOperations(operations), device, anyone, BOOK);
    if (!state) throw new Refused(refusal as Refusal);
    this.state = state;
  }

  /** A new match. Throws `Refused`. */
  static begin(device: string, setup: Pick<Start, 'players' | 'target' | 'dealer' | 'date'>): Match {
    return new Match(newId(), device, [{ kind: 'start', ...setup, decks: null, clock: 0, device, over: [] }]);
  }

  get sheet(): Sheet {
    return this.state.sheet;
  }

  get start(): Start {
    return start_of(this.state.history) as Start;
  }

  /** Everything that was ever entered, as it is stored and sent. */
  get operations(): PlainOperation[] {
    return this.state.history.ordered.map(plain);
  }

  /** The same for the model, in order. */
  get ordered(): readonly AnyOperation[] {
    return this.state.history.ordered;
  }

  /** For one or two players at the end: whether the challenge of SOLO-1 was met. */
  get challenge(): boolean | null {
    const { sheet } = this;
    return sheet.winner === null || sheet.players.length > 2 ? null : challenge_met(sheet.rounds.length, playoff_count(sheet));
  }

  get undoNext(): AnyOperation | null {
    return entering.next_undo(this.state);
  }

  get redoNext(): AnyOperation | null {
    return entering.next_redo(this.state);
  }

  private done(refusal: Refusal | null): void {
    if (refusal) throw new Refused(refusal);
  }

  /** Enter hands of the open round; it counts when all are there. */
  enter(entries: Record<string, Stored>): void {
    this.done(entering.enter(this.state, new Map(Object.entries(entries))));
  }

  /** Correct hands of a finished round. */
  edit(index: number, entries: Record<string, Stored>): void {
    this.done(entering.edit(this.state, index, new Map(Object.entries(entries))));
  }

  remove(index: number): void {
    this.done(entering.remove(this.state, index));
  }

  rename(player: string, name: string): void {
    this.done(entering.rename(this.state, player, name));
  }

  /** Let a player in late, left of another player. */
  addPlayer(name: string, score: number, after: string): void {
    this.done(entering.add(this.state, name, score, after));
  }

  retire(player: string): void {
    this.done(entering.retire(this.state, player));
  }

  rejoin(player: string): void {
    this.done(entering.rejoin(this.state, player));
  }

  changeTarget(target: number): void {
    this.done(entering.change_target(this.state, target));
  }

  changeDealer(player: string): void {
    this.done(entering.change_dealer(this.state, player));
  }

  /** Stop before anybody has won (KEEP-6). */
  stop(): void {
    this.done(entering.stop(this.state));
  }

  goOn(): void {
    this.done(entering.resume(this.state));
  }

  /** Take back this device's last step; returns it, to be told. */
  undo(): AnyOperation | null {
    const what = this.undoNext;
    this.done(entering.undo(this.state));
    return what;
  }

  redo(): AnyOperation | null {
    const what = this.redoNext;
    this.done(entering.redo(this.state));
    return what;
  }

  /** Decide a conflict: the chosen value holds from now on. */
  resolve(conflict: Conflict, choice: number): void {
    this.done(entering.resolve(this.state, this.sheet.conflicts.indexOf(conflict), choice));
  }

  /** Take over what another device has entered; returns whether anything was new. */
  merge(operations: readonly unknown[]): boolean {
    const before = this.state.history.ordered.length;
    this.done(opening.merge(this.state, readOperations(operations)));
    return this.state.history.ordered.length > before;
  }

  /** A card came up: for whoever it is proposed, or for another player. It is the hit, too. */
  liveCard(card: Card, player = '', anyway = false): void {
    this.done(following.live_card(this.state, card, player, anyway));
  }

  liveStay(player = ''): void {
    this.done(following.live_stay(this.state, player));
  }

  liveGive(player: string): void {
    this.done(following.live_give(this.state, player));
  }

  liveShuffle(): void {
    this.done(following.live_shuffle(this.state));
  }

  liveLost(card: Card): void {
    this.done(following.live_lost(this.state, card));
  }

  /** What really happened instead of a step: nothing, another, or several. */
  mend(step: string, steps: Step[]): void {
    this.done(following.mend(this.state, step, steps));
  }

  /** Whether a card should no longer come up in the open round. */
  gone(card: Card): boolean {
    return this.sheet.live !== null && gone(this.sheet.live, card);
  }

  /** The record of a game that was followed from its first card, or `null` if it was not. */
  get gameRecord(): string | null {
    return can_record(this.sheet) ? record_text(this.sheet, this.start.dealer, this.start.date) : null;
  }

  /** What the match record keeps (KEEP-2). */
  record(): Record<string, unknown> {
    const { sheet } = this;
    const seat = (player: string | null) => (player === null ? null : sheet.ids.indexOf(player));
    return {
      date: this.start.date,
      players: sheet.players.map((player) => player.name),
      target: sheet.target,
      rounds: sheet.rounds.map((round) => sheet.ids.map((player) => round.scores.get(player) ?? null)),
      dealers: sheet.rounds.map((round) => seat(round.dealer)),
      totals: sheet.ids.map((player) => sheet.totals.get(player) ?? 0),
      winner: seat(sheet.winner),
      playoffs: sheet.rounds.flatMap((round, i) => (round.playoff ? [i] : [])),
      conflicts: sheet.conflicts.length,
      stopped: sheet.stopped,
    };
  }

  toJson(): string {
    const line = (value: unknown) => JSON.stringify(value);
    const operations = this.operations.map((operation) => `    ${line(operation)}`).join(',\n');
    const head = { format: FORMAT, version: VERSION, id: this.id, record: this.record() };
    const lines = Object.entries(head).map(([name, value]) => `  ${line(name)}: ${line(value)},`);
    return ['{', ...lines, '  "operations": [', operations, '  ]', '}', ''].join('\n');
  }

  /** Read a file. Throws `BadFile`, also if its record does not follow from its operations. */
  static fromJson(text: string, device: string): Match {
    let file: { format?: unknown; version?: unknown; id?: unknown; operations?: unknown; record?: unknown };
    try {
      file = JSON.parse(text) as typeof file;
    } catch {
      throw new BadFile('damaged');
    }
    if (typeof file !== 'object' || file === null || file.format !== FORMAT) throw new BadFile('damaged');
    if (typeof file.version !== 'number' || file.version < 1) throw new BadFile('damaged');
    if (file.version > VERSION) throw new BadFile('newer');
    if (typeof file.id !== 'string' || !good_id(file.id) || !Array.isArray(file.operations)) throw new BadFile('damaged');
    let match: Match;
    try {
      match = new Match(file.id, device, file.operations, true);
    } catch {
      throw new BadFile('damaged');
    }
    const told = { stopped: false, conflicts: 0, ...(file.record as Record<string, unknown>) };
    if (!Object.entries(match.record()).every(([name, value]) => JSON.stringify(value) === JSON.stringify(told[name as keyof typeof told]))) throw new BadFile('damaged');
    return match;
  }
}

/** Whether a player is at the table in the open round. */
export const isAtTable = (sheet: Sheet, player: Player): boolean => plays(player, sheet.number);

export { id_of as idOf };
