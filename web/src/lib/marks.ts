/** What is worth a mark on the scrubber of a replay. */

import type { Step } from './messages';

export interface Mark {
  kind: 'round' | 'bust' | 'flip7';
  /** How many steps have been taken when it has happened. */
  at: number;
  /** The round that began, or the seat. */
  n: number;
}

/** Where rounds begin, players bust and Flip 7s are made. */
export function marksOf(steps: readonly Step[]): Mark[] {
  return steps.flatMap((step, i) =>
    step.events.flatMap((event): Mark[] => {
      if (event.kind === 'round_started') return [{ kind: 'round', at: i + 1, n: event.round ?? 0 }];
      if (event.kind === 'player_busted') return [{ kind: 'bust', at: i + 1, n: event.seat ?? 0 }];
      if (event.kind === 'flip7_made') return [{ kind: 'flip7', at: i + 1, n: event.seat ?? 0 }];
      return [];
    }),
  );
}
