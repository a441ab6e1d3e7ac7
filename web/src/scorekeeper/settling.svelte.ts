/** The moment after a change of player in which a second tap of the same finger would hit the next one. */

export const SETTLE = 400;

export class Settling {
  ready = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Not ready from now on, for a moment. */
  constructor() {
    this.again();
    $effect(() => () => clearTimeout(this.timer));
  }

  /** Another player has come up. */
  again(): void {
    this.ready = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.ready = true), SETTLE);
  }
}
