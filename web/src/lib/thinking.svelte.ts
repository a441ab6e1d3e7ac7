/** Whether this server has what coach and review think with. Where it has not, neither is offered. */

import { engine } from './api';
import type { EngineStatus } from './messages';

const AGAIN = 2000;
let status = $state.raw<EngineStatus | null>(null);

/** How far the server is with it, as far as is known. */
export function thinking(): EngineStatus | null {
  return status;
}

/** Whether there is something to think with, or will be. */
export function canThink(): boolean {
  return status !== null && status.state !== 'absent' && status.state !== 'failed';
}

/** Ask the server, again and again until it is clear; in an effect, which ends it. */
export function watchThinking(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  async function look(): Promise<void> {
    const found = await engine().catch(() => null);
    if (ended) return;
    status = found ?? status;
    if (!found || found.state === 'installing' || found.state === 'compiling') timer = setTimeout(() => void look(), AGAIN);
  }
  void look();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
