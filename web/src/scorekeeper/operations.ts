/** The operations of a match, as src/flip7/scorekeeper/operations.py keeps them: a set that only grows. */

import type { Card } from '../lib/messages';

export type Entry = Card[] | number | 'bust';

interface Stamp {
  clock: number;
  device: string;
  over: string[];
}
export interface Start extends Stamp {
  kind: 'start';
  players: string[];
  target: number;
  dealer: number;
  decks: number | null;
  date: string | null;
}
export interface Enter extends Stamp {
  kind: 'enter';
  round: number;
  entries: Record<string, Entry>;
}
export interface Remove extends Stamp {
  kind: 'remove';
  round: number;
}
export interface Rename extends Stamp {
  kind: 'rename';
  player: string;
  name: string;
}
export interface Add extends Stamp {
  kind: 'add';
  name: string;
  score: number;
  round: number;
  after: string;
}
export interface Away extends Stamp {
  kind: 'away';
  player: string;
  rounds: [number, number | null][];
}
export interface Target extends Stamp {
  kind: 'target';
  target: number;
}
export interface Dealer extends Stamp {
  kind: 'dealer';
  player: string;
  round: number;
}
export interface Undo extends Stamp {
  kind: 'undo';
  what: string;
}
export interface Redo extends Stamp {
  kind: 'redo';
  what: string;
}
export type Operation = Start | Enter | Remove | Rename | Add | Away | Target | Dealer | Undo | Redo;

type Unstamped<T> = T extends Operation ? Omit<T, keyof Stamp> : never;
/** An operation before it is made: without clock, device, and what it replaces. */
export type Wish = Unstamped<Exclude<Operation, Start>>;

/** What other operations call an operation. */
export function idOf(operation: Operation): string {
  return `${operation.clock}.${operation.device}`;
}

/** The registers whose value an operation sets: a thing, a player or nothing, a round or -1. */
export function writes(operation: Operation): string[] {
  switch (operation.kind) {
    case 'enter':
      return Object.keys(operation.entries).map((player) => register('entry', player, operation.round));
    case 'remove':
      return [register('removed', '', operation.round)];
    case 'rename':
      return [register('name', operation.player, -1)];
    case 'away':
      return [register('away', operation.player, -1)];
    case 'target':
      return [register('target', '', -1)];
    case 'dealer':
      return [register('dealer', '', operation.round)];
    default:
      return [];
  }
}

export function register(thing: string, player: string, round: number): string {
  return JSON.stringify([thing, player, round]);
}

function before(a: Operation, b: Operation): number {
  return a.clock - b.clock || (a.device < b.device ? -1 : a.device > b.device ? 1 : 0);
}

/** A set of operations in their order, with those that count and what they write. */
export class Operations {
  private readonly all = new Map<string, Operation>();
  ordered: Operation[] = [];
  live: Operation[] = [];
  undoNext: string | null = null;
  redoNext: string | null = null;
  private written = new Map<string, Operation[]>();

  constructor(operations: Operation[]) {
    this.add(operations);
  }

  /** Unite with others; whether any was new. Throws if one is there twice with different contents. */
  add(operations: Operation[]): boolean {
    const fresh = new Map<string, Operation>();
    for (const operation of operations) {
      const id = idOf(operation);
      const known = this.all.get(id) ?? fresh.get(id);
      if (!known) fresh.set(id, operation);
      else if (!same(known, operation)) throw new Error(`operation ${id} is there twice, with different contents`);
    }
    for (const [id, operation] of fresh) this.all.set(id, operation);
    if (fresh.size) this.order();
    return fresh.size > 0;
  }

  private order(): void {
    this.ordered = [...this.all.values()].sort(before);
    const done = new Set<string>();
    const undone = new Set<string>();
    for (const operation of this.ordered) {
      if (operation.kind === 'undo') {
        if (done.delete(operation.what)) undone.add(operation.what);
      } else if (operation.kind === 'redo') {
        if (undone.delete(operation.what)) done.add(operation.what);
      } else if (operation.kind !== 'start') {
        done.add(idOf(operation));
        undone.clear();
      }
    }
    this.undoNext = [...done].at(-1) ?? null;
    this.redoNext = [...undone].at(-1) ?? null;
    this.live = this.ordered.filter((operation) => done.has(idOf(operation)));
    this.written = new Map();
    for (const operation of this.live) {
      for (const name of writes(operation)) {
        const list = this.written.get(name);
        if (list) list.push(operation);
        else this.written.set(name, [operation]);
      }
    }
  }

  get(id: string): Operation | undefined {
    return this.all.get(id);
  }

  has(id: string): boolean {
    return this.all.has(id);
  }

  get clock(): number {
    return this.ordered.at(-1)?.clock ?? 0;
  }

  get start(): Start {
    const first = this.ordered[0];
    if (first?.kind !== 'start') throw new Error('the first operation sets the match up');
    return first;
  }

  /** The rounds for which anything was entered. */
  enteredRounds(): number[] {
    return this.live.flatMap((operation) => (operation.kind === 'enter' ? [operation.round] : []));
  }

  /** The operations whose value the register has: the last, and others that it did not know of. */
  heads(name: string): Operation[] {
    const list = this.written.get(name) ?? [];
    const replaced = new Set(list.flatMap((operation) => operation.over));
    return list.filter((operation) => !replaced.has(idOf(operation)));
  }

  /** What an operation on these registers replaces now. */
  known(names: string[]): string[] {
    return [...new Set(names.flatMap((name) => (this.written.get(name) ?? []).map(idOf)))];
  }
}

/** Whether two values are the same, whatever the order of their keys. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}
