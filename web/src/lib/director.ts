/** The queue between server and screen: shows one event after the other, and catches up when it has fallen behind. */

import type { GameView, Speed, Step } from './messages';
import { haste, length, limit, toldQuickly } from './timing';

/** What shows things. Each call returns once the state has changed; the director waits for the rest. */
export interface Show {
  /** Show a whole state at once. */
  reset(view: GameView): void;
  /** Show an event of a step, to be seen for `ms` milliseconds. */
  play(step: Step, index: number, ms: number): void;
  /** The step is over: open the next question. */
  settle(step: Step): void;
}

export interface Clock {
  now(): number;
  wait(ms: number): Promise<void>;
}

export interface Manner {
  /** How fast the table plays. */
  speed(): Speed;
  reduced(): boolean;
  /** Whether nobody can see the page at the moment. */
  hidden(): boolean;
  /** Whether a player who is here makes the choices of this seat: skipping ends there. */
  decides(seat: number): boolean;
}

interface Queued {
  step: Step;
  at: number;
  /** The share of its time that a step gets which was missed. */
  share: number | null;
}

/** Hidden pages keep at most so many steps to catch up on; older ones are shown without a pause. */
const KEPT = 12;

export class Director {
  private queue: Queued[] = [];
  private running = false;
  private generation = 0;
  private wake: (() => void) | null = null;
  private seats = 3;
  private expected: number | null = null;
  /** Whether no player has made a choice in this game yet. */
  private opening = false;
  /** How long the quick steps in a row have been on show. */
  private spent = 0;
  private skipping = false;

  constructor(
    private readonly show: Show,
    private readonly manner: Manner,
    private readonly clock: Clock,
  ) {}

  /** Start from a state, and catch up on what was missed since. */
  reset(view: GameView, missed: readonly Step[]): void {
    this.generation += 1;
    this.wake?.();
    this.queue = [];
    this.running = false;
    this.seats = view.hands.length;
    this.expected = view.number + 1;
    this.opening = view.number <= 0 && !missed.length;
    this.spent = 0;
    this.skipping = false;
    this.show.reset(view);
    for (const step of missed) this.take(step);
    this.catchUp();
    if (this.queue.length) void this.run();
  }

  /** A step has arrived. One that has been shown already is left out: nothing is told twice. */
  add(step: Step): void {
    this.take(step);
    if (!this.running && this.queue.length) void this.run();
    else if (this.manner.hidden()) this.wake?.();
  }

  private take(step: Step): void {
    if (this.expected !== null && step.number < this.expected) return;
    this.expected = step.number + 1;
    this.queue.push({ step, at: this.clock.now(), share: null });
  }

  private catchUp(): void {
    const share = haste(0, this.backlog(), true);
    for (const queued of this.queue) queued.share = share;
  }

  /** Whether everything that has arrived is on show. */
  get idle(): boolean {
    return !this.running;
  }

  /** Do not wait for what is on show now. */
  next(): void {
    this.wake?.();
  }

  /** Show nothing more before the next choice of a player who is here. */
  skip(): void {
    this.skipping = true;
    this.wake?.();
  }

  /** Go on after the page has become visible, telling quickly what happened meanwhile. */
  resume(): void {
    this.catchUp();
    this.wake?.();
  }

  private backlog(): number {
    const { manner, seats } = this;
    const speed = manner.speed();
    const all = this.queue.flatMap((queued) => queued.step.events);
    return all.reduce((sum, event) => sum + length(event, seats, speed, manner.reduced()), 0);
  }

  /** How long the quick events from here on would take, up to the first that is told at leisure. */
  private quickly(from: number): number {
    const { manner, seats } = this;
    let sum = 0;
    for (const [at, { step }] of this.queue.entries()) {
      if (!step.quick) break;
      const count = toldQuickly(step, this.opening);
      for (const event of step.events.slice(at ? 0 : from, count)) sum += length(event, seats, manner.speed(), manner.reduced());
      if (count < step.events.length) break;
    }
    return sum;
  }

  private async run(): Promise<void> {
    this.running = true;
    const generation = this.generation;
    while (generation === this.generation) {
      const next = this.queue[0];
      if (!next) break;
      const unseen = this.manner.hidden();
      if (unseen && this.queue.length <= KEPT) {
        await this.pause(60_000);
        continue;
      }
      if (!next.step.quick) {
        this.opening = false;
        this.spent = 0;
      }
      const factor = next.share ?? (next.step.quick ? 1 : haste(this.clock.now() - next.at, this.backlog(), false));
      for (let index = 0; index < next.step.events.length; index += 1) {
        const ms = unseen || this.skipping ? 0 : this.lengthOf(next, index, factor);
        this.show.play(next.step, index, ms);
        if (ms > 0) await this.pause(ms);
        if (generation !== this.generation) return;
      }
      this.queue.shift();
      const { ask } = next.step;
      if (!ask || this.manner.decides(ask.seat)) this.skipping = false;
      this.show.settle(next.step);
    }
    if (generation === this.generation) this.running = false;
  }

  private lengthOf({ step, share }: Queued, index: number, factor: number): number {
    const event = step.events[index];
    if (!event) return 0;
    const { manner } = this;
    const ms = length(event, this.seats, manner.speed(), manner.reduced()) * factor;
    if (!step.quick || share !== null || index >= toldQuickly(step, this.opening)) return ms;
    const left = Math.max(0, limit(manner.speed(), this.opening) - this.spent);
    const quick = ms * Math.min(1, left / Math.max(1, this.quickly(index)));
    this.spent += quick;
    return quick;
  }

  private async pause(ms: number): Promise<void> {
    let mine = (): void => undefined;
    const woken = new Promise<void>((resolve) => (mine = resolve));
    this.wake = mine;
    await Promise.race([this.clock.wait(ms), woken]);
    if (this.wake === mine) this.wake = null; // a reset may have begun another pause
  }
}
