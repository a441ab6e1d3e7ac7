/** One match on this device: shown, changed, kept at once, and in step with other tabs and devices. */

import type { PlainOperation } from '../lib/messages';
import { Match, Refused, type Sheet } from './match';
import type { AnyOperation } from './model/operations';
import { device, load, save, type Kept, type Share } from './store';
import { shareMatch, Sync } from './sync';
import { plainId, Unreadable } from './wire';

export class Keeper {
  sheet = $state.raw<Sheet>() as Sheet;
  canUndo = $state(false);
  canRedo = $state(false);
  /** What was taken or brought back last, to be told until something else is entered. */
  took = $state.raw<{ what: AnyOperation; back: boolean; before: Sheet } | null>(null);
  share = $state.raw<Share | null>(null);
  online = $state(false);
  gone = $state(false);
  refused = $state('');
  unkept = $state(false);
  private sync: Sync | null = null;
  private readonly tabs: BroadcastChannel | null;
  private readonly told = new Set<string>();

  constructor(
    readonly match: Match,
    share: Share | null = null,
  ) {
    this.show();
    this.share = share;
    for (const operation of match.operations) this.told.add(plainId(operation));
    this.tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`flip7-match-${match.id}`);
    if (this.tabs) this.tabs.onmessage = (event: MessageEvent<PlainOperation[]>) => this.receive(event.data);
    this.connect();
  }

  /** The match of this device with that id, or `null`. */
  static async open(id: string): Promise<Keeper | null> {
    const kept = await load(id);
    return kept ? new Keeper(new Match(kept.id, device(), kept.operations), kept.share) : null;
  }

  /** Whether this device may only look on. */
  get readOnly(): boolean {
    return this.share !== null && this.share.key === null;
  }

  private show(): void {
    this.sheet = this.match.sheet;
    this.canUndo = this.match.undoNext !== null;
    this.canRedo = this.match.redoNext !== null;
  }

  /** Change the match; it is shown, kept and sent at once. What the match refuses is thrown on, as `Refused`. */
  change(what: (match: Match) => void): void {
    if (this.readOnly) return;
    what(this.match);
    this.took = null;
    this.spread();
  }

  /** Take back this device's last step, and say what it was. */
  undo(): void {
    this.turn(() => this.match.undo(), true);
  }

  redo(): void {
    this.turn(() => this.match.redo(), false);
  }

  private turn(step: () => AnyOperation | null, back: boolean): void {
    if (this.readOnly) return;
    const before = this.sheet;
    const what = step();
    this.took = what && { what, back, before };
    this.spread();
  }

  private spread(): void {
    this.show();
    const fresh = this.match.operations.filter((operation) => !this.told.has(plainId(operation)));
    for (const operation of fresh) this.told.add(plainId(operation));
    this.tabs?.postMessage(fresh);
    void this.keep();
    void this.sync?.send();
  }

  /** Write everything down on this device. */
  async keep(): Promise<void> {
    const kept: Kept = { id: this.match.id, operations: this.match.operations, share: this.share, at: Date.now() };
    this.unkept = !(await save(kept));
  }

  /** Let others follow; again, at a new address, if the server has lost the match. */
  async startSharing(): Promise<void> {
    this.share = await shareMatch(this.match.id, this.match.operations);
    this.gone = false;
    await this.keep();
    this.connect();
  }

  private connect(): void {
    this.sync?.close();
    this.sync = null;
    if (!this.share) return;
    this.sync = new Sync(this.share, {
      operations: () => this.match.operations,
      received: (operations) => this.receive(operations),
      online: (online) => (this.online = online),
      gone: () => (this.gone = true),
      refused: (code) => (this.refused = code),
    });
  }

  /** What another tab or device has entered. */
  private receive(operations: PlainOperation[]): void {
    try {
      if (!this.match.merge(operations)) return;
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreadable)) throw error;
      this.refused = 'bad_match';
      return;
    }
    for (const operation of operations) this.told.add(plainId(operation));
    this.show();
    void this.keep();
    void this.sync?.send();
  }

  close(): void {
    this.tabs?.close();
    this.sync?.close();
  }
}
