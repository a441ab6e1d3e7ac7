/** Any state of a finished game, put together from its first state and its steps. */

import type { GameView, Hand, Replay } from './messages';
import { stateOf } from './scene';

/** The state after n steps. */
export function viewAt(game: Replay, steps: number): GameView {
  const view: GameView = { ...game.game, hands: [...game.game.hands], rounds: [...game.game.rounds], recent: [] };
  for (const step of game.steps.slice(0, steps)) {
    for (const hand of step.hands) view.hands[hand.seat] = hand;
    for (const event of step.events) {
      if (event.kind === 'round_started') view.recent = [];
      if (event.kind === 'round_scored') view.rounds.push(points(event.hands ?? []));
      if (event.kind === 'playoff_called') view.playoffs = event.playoff ?? 0;
      view.recent.push(event);
    }
    Object.assign(view, stateOf(step));
  }
  return view;
}

function points(hands: readonly Hand[]): number[] {
  return hands.map((hand) => hand.points);
}
