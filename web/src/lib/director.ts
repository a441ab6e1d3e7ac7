/** The queue between server and screen: shows one event after the other, and catches up when it has fallen behind. */

import type { GameView, Step } from './messages';
import { haste, length } from './timing';

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
  /** The factor of the speed setting. */
  pace(): number;
  reduced(): boolean;
  /** Whether nobody can see the page at the moment. */
  hidden(): boolean;
}

interface Queued {
  step: Step;
  at: number;
  /** The factor of a retelling, for steps that were missed. */
  retold: number | null;
}

/** Hidden pages keep at most so many steps for the retelling; older ones are shown without a pause. */
const KEPT = 12;

export class Director {
  private queue: Queued[] = [];
  private running = false;
  private generation = 0;
  private wake: (() => void) | null = null;
  private seats = 3;
  private expected: number | null = null;

  constructor(
    private readonly show: Show,
    private readonly manner: Manner,
    private readonly clock: Clock,
  ) {}

  /** Start from a state, and retell quickly what was missed since. */
  reset(view: GameView, missed: readonly Step[]): void {
    this.generation += 1;
    this.queue = [];
    this.running = false;
    this.seats = view.hands.length;
    this.expected = view.number + 1;
    this.show.reset(view);
    for (const step of missed) this.take(step);
    this.retell();
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
    this.queue.push({ step, at: this.clock.now(), retold: null });
  }

  private retell(): void {
    const factor = haste(0, this.backlog(), true);
    for (const queued of this.queue) queued.retold = factor;
  }

  /** Whether everything that has arrived is on show. */
  get idle(): boolean {
    return !this.running;
  }

  /** Do not wait for what is on show now. */
  skip(): void {
    this.wake?.();
  }

  /** Go on after the page has become visible, telling quickly what happened meanwhile. */
  resume(): void {
    this.retell();
    this.wake?.();
  }

  private backlog(): number {
    const { manner, seats } = this;
    const all = this.queue.flatMap((queued) => queued.step.events);
    return all.reduce((sum, event) => sum + length(event, seats, manner.reduced()), 0) * manner.pace();
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
      const factor = (next.retold ?? haste(this.clock.now() - next.at, this.backlog(), false)) * this.manner.pace();
      for (let index = 0; index < next.step.events.length; index += 1) {
        const event = next.step.events[index];
        if (!event) continue;
        const ms = unseen ? 0 : length(event, this.seats, this.manner.reduced()) * factor;
        this.show.play(next.step, index, ms);
        if (ms > 0) await this.pause(ms);
        if (generation !== this.generation) return;
      }
      this.queue.shift();
      this.show.settle(next.step);
    }
    if (generation === this.generation) this.running = false;
  }

  private async pause(ms: number): Promise<void> {
    await Promise.race([this.clock.wait(ms), new Promise<void>((resolve) => (this.wake = resolve))]);
    this.wake = null;
  }
}
