/** The score sheet that follows from a match's operations, as src/flip7/scorekeeper/sheet.py counts it. */

import { pass_deal } from '../rules/moves';
import { keep_round } from '../rules/keeping';
import { leader } from '../rules/scoring';
import { decks_for, GAME_OVER, SEATS, Table } from '../rules/table';
import { alone, Refused, RoundCheck } from './hands';
import { idOf, register, type Entry, type Operation, type Operations } from './operations';

export interface Player {
  id: string;
  name: string;
  score: number;
  joined: number;
  away: [number, number | null][];
}

export interface Round {
  number: number;
  dealer: string;
  entries: Record<string, Entry>;
  scores: Record<string, number>;
  totals: Record<string, number>;
  playoff: boolean;
}

/** Two devices disagree, or what they entered together cannot be. */
export interface Conflict {
  kind: 'entry' | 'name' | 'away' | 'target' | 'dealer' | 'removed' | 'impossible' | 'incomplete' | 'crowd';
  round: number | null;
  seat: number | null;
  choices: unknown[];
  operations: string[];
  refused: Refused | null;
}

/** Whether a player is at the table in a round. */
export function plays(player: Player, round: number): boolean {
  const gone = player.away.some(([first, back]) => first <= round && (back === null || round < back));
  return player.joined <= round && !gone;
}

function contents(operation: Operation, player: string): unknown {
  switch (operation.kind) {
    case 'enter':
      return operation.entries[player];
    case 'rename':
      return operation.name;
    case 'target':
      return operation.target;
    case 'away':
      return operation.rounds;
    case 'dealer':
      return operation.player;
    default:
      return true;
  }
}

/** What a set of operations adds up to. It is made anew after every change, from scratch. */
export class Sheet {
  readonly players: Player[];
  readonly ids: string[];
  readonly target: number;
  readonly decks: number | null;
  readonly rounds: Round[] = [];
  readonly conflicts: Conflict[] = [];
  readonly totals: Record<string, number> = {};
  open: Record<string, Entry> = {};
  number = 0;
  dealer: string;
  leader: string | null;
  winner: string | null = null;
  playoff = false;

  constructor(private readonly operations: Operations) {
    const { start } = operations;
    this.players = this.seatPlayers();
    this.ids = this.players.map((player) => player.id);
    this.decks = start.decks;
    const target = this.value('target', '', -1);
    this.target = target?.kind === 'target' ? target.target : start.target;
    for (const player of this.players) this.totals[player.id] = player.score;
    this.dealer = String(start.dealer);
    this.count();
    const present = this.present(this.number);
    const ahead = leader(this.table(present));
    this.leader = present[ahead] ?? null;
  }

  /** Who plays that round, in order of their seats. */
  present(number: number): string[] {
    return this.players.filter((player) => plays(player, number)).map((player) => player.id);
  }

  /** How many decks so many players use. */
  decksFor(players: number): number {
    return this.decks ?? decks_for(players);
  }

  /** The points of some or all hands of a round. Throws `Refused`, naming the player (KEEP-4). */
  check(entries: Record<string, Entry>, number: number): Record<string, number> {
    const present = this.present(number);
    const check = new RoundCheck(present.length, this.decksFor(present.length));
    const scores: Record<string, number> = {};
    present.forEach((player, seat) => {
      const entry = entries[player];
      if (entry === undefined) return;
      try {
        scores[player] = check.take(seat, entry);
      } catch (error) {
        if (error instanceof Refused) throw new Refused(error.reason, { ...error.about, player });
        throw error;
      }
    });
    return scores;
  }

  name(player: string): string {
    return this.players.find((one) => one.id === player)?.name ?? '';
  }

  private seatPlayers(): Player[] {
    const players: Player[] = this.operations.start.players.map((name, seat) => ({ id: String(seat), name, score: 0, joined: 0, away: [] }));
    for (const operation of this.operations.live) {
      if (operation.kind !== 'add') continue;
      if (players.length === SEATS) {
        this.conflict('crowd', null, null, { choices: [operation.name] });
        continue;
      }
      const after = players.findIndex((player) => player.id === operation.after);
      const at = after < 0 ? players.length : after + 1;
      players.splice(at, 0, { id: idOf(operation), name: operation.name, score: operation.score, joined: operation.round, away: [] });
    }
    players.forEach((player, seat) => {
      const renamed = this.value('name', player.id, -1, seat);
      if (renamed?.kind === 'rename') player.name = renamed.name;
      const away = this.value('away', player.id, -1, seat);
      if (away?.kind === 'away') player.away = away.rounds;
    });
    return players;
  }

  private conflict(kind: Conflict['kind'], round: number | null, seat: number | null, more: Partial<Conflict> = {}): void {
    this.conflicts.push({ kind, round, seat, choices: [], operations: [], refused: null, ...more });
  }

  private value(thing: 'target' | 'name' | 'away' | 'dealer' | 'removed', player: string, round: number, seat: number | null = null): Operation | null {
    const heads = this.operations.heads(register(thing, player, round));
    const different = new Map(heads.map((head) => [JSON.stringify(contents(head, player)), head]));
    if (different.size > 1) this.disagree(thing, [...different.values()], player, seat, null);
    return heads.at(-1) ?? null;
  }

  private disagree(kind: Conflict['kind'], heads: Operation[], player: string, seat: number | null, round: number | null): void {
    this.conflict(kind, round, seat, { choices: heads.map((head) => contents(head, player)), operations: heads.map(idOf) });
  }

  /** Go through the rounds in order, as far as they are complete (KEEP-1). */
  private count(): void {
    let number = 0;
    let due = false;
    let last: string[] = [];
    let entries: Record<string, Entry>;
    for (;;) {
      if (this.value('removed', '', number)) {
        number += 1;
        continue;
      }
      this.deal(number);
      entries = this.entries(number);
      const present = this.present(number);
      if (!present.length || present.some((player) => entries[player] === undefined)) break;
      const scores = this.scores(entries, number);
      const table = this.table(present);
      keep_round(table, present.map((player) => scores[player] ?? 0));
      present.forEach((player, seat) => (this.totals[player] = table.totals[seat] ?? 0));
      this.rounds.push({ number, dealer: this.dealer, entries, scores, totals: { ...this.totals }, playoff: due });
      due = table.playoffs > 0;
      last = present;
      number += 1;
    }
    this.number = number;
    this.open = entries;
    if (this.operations.enteredRounds().some((later) => later > number)) this.conflict('incomplete', this.rounds.length, null);
    const present = this.present(number);
    this.decide(last.filter((player) => present.includes(player)));
  }

  /** Who deals that round: the next player at the table, unless somebody said otherwise (END-3). */
  private deal(number: number): void {
    const chosen = this.value('dealer', '', number);
    const before = this.rounds.at(-1);
    if (chosen?.kind === 'dealer' && this.ids.includes(chosen.player)) {
      this.dealer = chosen.player;
    } else if (before) {
      this.dealer = before.dealer;
      this.passDeal();
    }
    const present = this.present(number);
    while (present.length && !present.includes(this.dealer)) this.passDeal();
  }

  private passDeal(): void {
    const table = new Table(this.ids.length);
    table.dealer = this.ids.indexOf(this.dealer);
    pass_deal(table);
    this.dealer = this.ids[table.dealer] ?? '';
  }

  private entries(number: number): Record<string, Entry> {
    const entries: Record<string, Entry> = {};
    this.players.forEach((player, seat) => {
      const heads = this.operations.heads(register('entry', player.id, number));
      const last = heads.at(-1);
      if (last?.kind !== 'enter' || !plays(player, number)) return;
      if (heads.length > 1) {
        const different = new Map(heads.map((head) => [alone(contents(head, player.id) as Entry), head]));
        if (different.size > 1) this.disagree('entry', [...different.values()], player.id, seat, this.rounds.length);
      }
      const entry = last.entries[player.id];
      if (entry !== undefined) entries[player.id] = entry;
    });
    return entries;
  }

  /** The points of a complete round; if its hands cannot be together, each counts alone and that is shown. */
  private scores(entries: Record<string, Entry>, number: number): Record<string, number> {
    try {
      return this.check(entries, number);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.conflict('impossible', this.rounds.length, null, { refused: error });
      return Object.fromEntries(Object.entries(entries).map(([player, entry]) => [player, alone(entry)]));
    }
  }

  private table(players: string[]): Table {
    const table = new Table(Math.max(players.length, 1));
    table.target = this.target;
    players.forEach((player, seat) => (table.totals[seat] = this.totals[player] ?? 0));
    return table;
  }

  /** Who has won, or whether a playoff is due, after the last round and with the present target (KEEP-3). */
  private decide(players: string[]): void {
    if (!players.length) return;
    const table = this.table(players);
    keep_round(table, players.map(() => 0));
    this.playoff = table.playoffs > 0;
    if (table.waiting === GAME_OVER) {
      this.winner = players[table.winner] ?? null;
      this.dealer = this.rounds.at(-1)?.dealer ?? this.dealer;
    }
  }
}
