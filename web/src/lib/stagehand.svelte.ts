/** A scene on show: joins the director to what Svelte renders, with sound and vibration. Used at tables and in replays. */

import { Director, type Manner } from './director';
import type { AnyEvent, GameView, Step } from './messages';
import { play, sceneOf, settle, type Scene } from './scene';
import { reducedMotion, speedOf } from './settings.svelte';
import { sound } from './sound';

/** What is being shown right now, for the components that move things. */
export interface Beat {
  key: number;
  event: AnyEvent;
  ms: number;
}

const clock = {
  now: () => performance.now(),
  wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
};

export class Stagehand {
  scene = $state<Scene | null>(null);
  beat = $state.raw<Beat | null>(null);
  readonly director: Director;
  private beats = 0;

  constructor(
    private readonly after: (scene: Scene, step: Step) => void = () => undefined,
    { speed = () => speedOf('others'), decides = () => true }: Partial<Pick<Manner, 'speed' | 'decides'>> = {},
  ) {
    const manner: Manner = { speed, decides, reduced: reducedMotion, hidden: () => document.hidden };
    this.director = new Director(
      {
        reset: (view) => this.reset(view),
        play: (step, index, ms) => this.play(step, index, ms),
        settle: (step) => this.settle(step),
      },
      manner,
      clock,
    );
    document.addEventListener('visibilitychange', this.seen);
  }

  /** Stop listening to the page. */
  close(): void {
    document.removeEventListener('visibilitychange', this.seen);
  }

  private readonly seen = (): void => {
    if (!document.hidden) this.director.resume();
  };

  private reset(view: GameView): void {
    this.scene = sceneOf(view);
    this.beat = null;
  }

  private play(step: Step, index: number, ms: number): void {
    const { scene } = this;
    const event = step.events[index];
    if (!scene || !event) return;
    play(scene, step, index);
    this.beats += 1;
    this.beat = { key: this.beats, event, ms };
    if (ms > 40) sound.event(event, scene);
  }

  private settle(step: Step): void {
    if (!this.scene) return;
    settle(this.scene, step);
    this.beat = null;
    this.after(this.scene, step);
  }
}
