/** A match: what may be entered and corrected, and the file it is kept in (docs/scorekeeper.md). */

import { challenge_met } from '../rules/scoring';
import { SEATS } from '../rules/table';
import { inOrder, Refused } from './hands';
import { idOf, Operations, writes, type Entry, type Operation, type Start, type Wish } from './operations';
import { plays, Sheet, type Conflict, type Player, type Round } from './sheet';

export const FORMAT = 'flip7 match';
export const VERSION = 2;
export const HIGHEST = 1_000_000;

/** The text is no match, or one of a newer version. */
export class BadFile extends Error {
  constructor(readonly reason: 'damaged' | 'newer') {
    super(reason);
  }
}

/** A text that tells one thing from all others. */
export function newId(bytes = 8): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class Match {
  readonly operations: Operations;
  sheet: Sheet;

  constructor(
    readonly id: string,
    private readonly device: string,
    operations: Operation[],
  ) {
    this.operations = new Operations(operations);
    this.sheet = new Sheet(this.operations);
  }

  /** A new match. */
  static begin(device: string, setup: Pick<Start, 'players' | 'target' | 'dealer' | 'date'>): Match {
    const start: Start = { kind: 'start', ...setup, decks: null, clock: 0, device, over: [] };
    return new Match(newId(), device, [start]);
  }

  get playoffs(): number[] {
    return this.sheet.rounds.flatMap((round, i) => (round.playoff ? [i] : []));
  }

  /** For one or two players at the end: whether the challenge of SOLO-1 was met. */
  get challenge(): boolean | null {
    if (this.sheet.winner === null || this.sheet.players.length > 2) return null;
    return challenge_met(this.sheet.rounds.length, this.playoffs.length);
  }

  get canUndo(): boolean {
    return this.operations.undoNext !== null;
  }

  get canRedo(): boolean {
    return this.operations.redoNext !== null;
  }

  /** Enter hands of the next round; it counts when all are there. Throws `Refused`. */
  enter(entries: Record<string, Entry>): void {
    this.write(this.sheet.number, this.sheet.open, entries);
  }

  /** Correct hands of a finished round. Throws `Refused`. */
  edit(round: Round, entries: Record<string, Entry>): void {
    this.write(round.number, round.entries, entries);
  }

  private write(round: number, others: Record<string, Entry>, entries: Record<string, Entry>): void {
    this.sheet.check({ ...others, ...entries }, round);
    const stored = Object.fromEntries(Object.entries(entries).map(([player, entry]) => [player, inOrder(entry)]));
    this.make({ kind: 'enter', round, entries: stored });
  }

  remove(round: Round): void {
    this.make({ kind: 'remove', round: round.number });
  }

  rename(player: Player, name: string): void {
    this.make({ kind: 'rename', player: player.id, name });
  }

  /** Let somebody in late, left of the last seat. */
  addPlayer(name: string, score: number): void {
    if (this.sheet.players.length >= SEATS) return;
    this.make({ kind: 'add', name, score, round: this.sheet.number, after: this.sheet.ids.at(-1) ?? '' });
  }

  retire(player: Player): void {
    this.make({ kind: 'away', player: player.id, rounds: [...player.away, [this.sheet.number, null]] });
  }

  rejoin(player: Player): void {
    const number = this.sheet.number;
    const rounds = player.away
      .filter(([first, back]) => back !== null || first < number)
      .map(([first, back]): [number, number | null] => [first, back ?? number]);
    this.make({ kind: 'away', player: player.id, rounds });
  }

  changeTarget(target: number): void {
    this.make({ kind: 'target', target });
  }

  changeDealer(player: Player): void {
    this.make({ kind: 'dealer', player: player.id, round: this.sheet.number });
  }

  undo(): void {
    if (this.operations.undoNext) this.make({ kind: 'undo', what: this.operations.undoNext });
  }

  redo(): void {
    if (this.operations.redoNext) this.make({ kind: 'redo', what: this.operations.redoNext });
  }

  /** Decide a conflict: the chosen value holds from now on. */
  resolve(conflict: Conflict, choice: number): void {
    const chosen = this.operations.get(conflict.operations[choice] ?? '');
    if (!chosen) return;
    switch (chosen.kind) {
      case 'enter': {
        const player = this.sheet.ids[conflict.seat ?? -1] ?? '';
        const entry = chosen.entries[player];
        if (entry !== undefined) this.make({ kind: 'enter', round: chosen.round, entries: { [player]: entry } });
        break;
      }
      case 'rename':
        this.make({ kind: 'rename', player: chosen.player, name: chosen.name });
        break;
      case 'target':
        this.make({ kind: 'target', target: chosen.target });
        break;
      case 'away':
        this.make({ kind: 'away', player: chosen.player, rounds: chosen.rounds });
        break;
      case 'dealer':
        this.make({ kind: 'dealer', player: chosen.player, round: chosen.round });
    }
  }

  /** Take over what another device has entered; whether anything was new. */
  merge(operations: Operation[]): boolean {
    const fresh = this.operations.add(operations);
    if (fresh) this.sheet = new Sheet(this.operations);
    return fresh;
  }

  private make(wish: Wish): void {
    const operation = { ...wish, clock: this.operations.clock + 1, device: this.device, over: [] as string[] } as Operation;
    operation.over = this.operations.known(writes(operation));
    this.operations.add([operation]);
    this.sheet = new Sheet(this.operations);
  }

  /** What the match record keeps (KEEP-2). */
  record(): Record<string, unknown> {
    const { sheet } = this;
    const seat = (player: string | null) => (player === null ? null : sheet.ids.indexOf(player));
    return {
      date: this.operations.start.date,
      players: sheet.players.map((player) => player.name),
      target: sheet.target,
      rounds: sheet.rounds.map((round) => sheet.ids.map((player) => round.scores[player] ?? null)),
      dealers: sheet.rounds.map((round) => seat(round.dealer)),
      totals: sheet.ids.map((player) => sheet.totals[player] ?? 0),
      winner: seat(sheet.winner),
      playoffs: this.playoffs,
      conflicts: sheet.conflicts.length,
      stopped: false,
    };
  }

  toJson(): string {
    const line = (value: unknown) => JSON.stringify(value);
    const operations = this.operations.ordered.map((operation) => `    ${line(operation)}`).join(',\n');
    const head = { format: FORMAT, version: VERSION, id: this.id, record: this.record() };
    const lines = Object.entries(head).map(([name, value]) => `  ${line(name)}: ${line(value)},`);
    return ['{', ...lines, '  "operations": [', operations, '  ]', '}', ''].join('\n');
  }

  /** Read a file. Throws `BadFile`. */
  static fromJson(text: string, device: string): Match {
    let file: { format?: unknown; version?: unknown; id?: unknown; operations?: unknown };
    try {
      file = JSON.parse(text) as typeof file;
    } catch {
      throw new BadFile('damaged');
    }
    if (typeof file !== 'object' || file === null || file.format !== FORMAT) throw new BadFile('damaged');
    if (typeof file.version !== 'number' || file.version > VERSION) throw new BadFile('newer');
    if (typeof file.id !== 'string' || !/^[\w-]{1,40}$/.test(file.id) || !Array.isArray(file.operations)) throw new BadFile('damaged');
    try {
      const operations = file.operations as Operation[];
      for (const operation of operations) sound(operation);
      return new Match(file.id, device, operations);
    } catch {
      throw new BadFile('damaged');
    }
  }
}

/** Throws if an operation lacks what every one of its kind has. */
function sound(operation: Operation): void {
  const texts = { rename: ['player', 'name'], add: ['name', 'after'], away: ['player'], dealer: ['player'], undo: ['what'], redo: ['what'] };
  const numbers = { enter: ['round'], remove: ['round'], add: ['score', 'round'], target: ['target'], dealer: ['round'], start: ['target', 'dealer'] };
  const fields = operation as unknown as Record<string, unknown>;
  const whole = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
  const good =
    whole(operation.clock) &&
    typeof operation.device === 'string' &&
    Array.isArray(operation.over) &&
    (texts[operation.kind as keyof typeof texts] ?? []).every((name) => typeof fields[name] === 'string') &&
    (numbers[operation.kind as keyof typeof numbers] ?? []).every((name) => whole(fields[name])) &&
    ['start', 'enter', 'remove', 'rename', 'add', 'away', 'target', 'dealer', 'undo', 'redo'].includes(operation.kind) &&
    (operation.kind !== 'start' || (Array.isArray(operation.players) && operation.players.length > 0)) &&
    (operation.kind !== 'away' || Array.isArray(operation.rounds)) &&
    (operation.kind !== 'enter' || Object.values(operation.entries).every((entry) => Array.isArray(entry) || whole(entry) || entry === 'bust'));
  if (!good) throw new Refused('unreadable');
}

/** Everyone at the table in the next round. */
export function atTable(sheet: Sheet): Player[] {
  return sheet.players.filter((player) => plays(player, sheet.number));
}

export { idOf };
