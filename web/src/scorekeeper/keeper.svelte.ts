/** One match on this device: shown, changed, kept at once, and in step with others if it is shared. */

import { atTable, Match } from './match';
import type { Operation } from './operations';
import { LiveGame, type Choice } from './live';
import type { Sheet } from './sheet';
import { device, load, save, type Kept, type LiveNotes, type Share } from './store';
import { shareMatch, Sync } from './sync';

export class Keeper {
  sheet = $state.raw<Sheet>() as Sheet;
  canUndo = $state(false);
  canRedo = $state(false);
  share = $state.raw<Share | null>(null);
  online = $state(false);
  gone = $state(false);
  unkept = $state(false);
  live = $state.raw<{ game: LiveGame; notes: LiveNotes } | null>(null);
  private sync: Sync | null = null;

  constructor(
    readonly match: Match,
    share: Share | null = null,
    live: LiveNotes | null = null,
  ) {
    this.show();
    this.share = share;
    if (live) this.follow(live);
    this.connect();
  }

  /** The match of this device with that id, or `null`. */
  static async open(id: string): Promise<Keeper | null> {
    const kept = await load(id);
    return kept ? new Keeper(new Match(kept.id, device(), kept.operations), kept.share, kept.live) : null;
  }

  /** Whether this device may only look on. */
  get readOnly(): boolean {
    return this.share !== null && this.share.key === null;
  }

  private show(): void {
    this.sheet = this.match.sheet;
    this.canUndo = this.match.canUndo;
    this.canRedo = this.match.canRedo;
  }

  /** Change the match; it is shown, kept and sent at once. What the match refuses is thrown on. */
  change(what: (match: Match) => void): void {
    if (this.readOnly) return;
    what(this.match);
    this.show();
    void this.keep();
    void this.sync?.send();
  }

  /** Write everything down on this device. */
  async keep(): Promise<void> {
    const kept: Kept = {
      id: this.match.id,
      operations: this.match.operations.ordered,
      share: this.share,
      live: this.live ? { from: this.live.notes.from, choices: [...this.live.game.choices] } : null,
      at: Date.now(),
    };
    this.unkept = !(await save(kept));
  }

  /** Let others follow; again, at a new address, if the server has lost the match. */
  async startSharing(): Promise<void> {
    this.share = await shareMatch(this.match.id, this.match.operations.ordered);
    this.gone = false;
    await this.keep();
    this.connect();
  }

  private connect(): void {
    this.sync?.close();
    this.sync = null;
    if (!this.share) return;
    this.sync = new Sync(this.share, {
      operations: () => this.match.operations.ordered,
      received: (operations) => this.receive(operations),
      online: (online) => (this.online = online),
      gone: () => (this.gone = true),
    });
  }

  private receive(operations: Operation[]): void {
    if (!this.match.merge(operations)) return;
    this.show();
    void this.keep();
  }

  close(): void {
    this.sync?.close();
  }

  /** Whether the game that is followed is still the one on the sheet, and from its first card. */
  get wholeGame(): boolean {
    return this.live !== null && this.live.notes.from === 0;
  }

  /** Follow the next round card by card, or go on where it was left. */
  startLive(): void {
    this.follow({ from: this.sheet.rounds.length, choices: [] });
    void this.keep();
  }

  stopLive(): void {
    this.live = null;
    void this.keep();
  }

  /** Follow the game of these notes, or a fresh one if the sheet has been changed under it. */
  private follow(notes: LiveNotes): void {
    const game = this.replay(notes, notes.choices);
    if (game && this.fits(game, notes)) {
      this.live = { game, notes };
      return;
    }
    const fresh: LiveNotes = { from: this.match.sheet.rounds.length, choices: [] };
    const anew = this.replay(fresh, []);
    this.live = anew && { game: anew, notes: fresh };
  }

  /** The game that these choices make, from the round in which it began; `null` if they make none. */
  private replay(notes: LiveNotes, choices: Choice[]): LiveGame | null {
    const { sheet } = this.match;
    const seated = atTable(sheet);
    const before = sheet.rounds[notes.from - 1];
    const first = sheet.rounds[notes.from]?.dealer ?? sheet.dealer;
    const setup = {
      seats: seated.length,
      target: sheet.target,
      dealer: Math.max(0, seated.findIndex((player) => player.id === first)),
      decks: sheet.decksFor(seated.length),
      totals: seated.map((player) => before?.totals[player.id] ?? player.score),
      before: notes.from,
    };
    try {
      return new LiveGame(setup, [...choices]);
    } catch {
      return null;
    }
  }

  /** Whether the totals of the followed game are those of the sheet: corrections may have changed them. */
  private fits(game: LiveGame, notes: LiveNotes): boolean {
    const { sheet } = this.match;
    const seated = atTable(sheet);
    return (
      game.table.seats === seated.length &&
      game.table.target === sheet.target &&
      game.rounds.length === sheet.rounds.length - notes.from &&
      seated.every((player, seat) => game.table.totals[seat] === sheet.totals[player.id])
    );
  }

  /** One card or choice of the followed game. A round that ends is entered. */
  playLive(choice: Choice): void {
    if (!this.live) return;
    const { game, notes } = this.live;
    const before = game.rounds.length;
    game.play(choice);
    const ended = game.rounds[before];
    this.live = { game, notes };
    if (ended) {
      const seated = atTable(this.match.sheet);
      this.change((match) => match.enter(Object.fromEntries(seated.map((player, seat) => [player.id, ended[seat] ?? 'bust']))));
    } else {
      void this.keep();
    }
  }

  /** Take back the last card or choice; a round that had been entered by it is taken back too. */
  undoLive(): void {
    if (!this.live) return;
    const { game, notes } = this.live;
    const choices = game.choices.slice(0, -1);
    const entered = game.rounds.length;
    if (!game.choices.length) return;
    const shorter = this.replay(notes, choices);
    if (!shorter) return;
    if (shorter.rounds.length < entered) this.change((match) => match.undo());
    this.live = { game: shorter, notes };
    void this.keep();
  }

  /** Before a round of the followed game begins: take the sheet's word for players, target and totals. */
  nextLive(): void {
    if (!this.live) return;
    if (this.fits(this.live.game, this.live.notes) && !this.live.game.over) this.playLive('next');
    else this.startLive();
  }
}
