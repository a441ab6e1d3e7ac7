/** The scene follows the server's events card by card, and ends every step as the server says. */

import { describe, expect, it } from 'vitest';
import type { Hand } from '../src/lib/messages';
import { viewAt } from '../src/lib/rewind';
import { due, play, sceneOf, settle, thisRound, type Scene } from '../src/lib/scene';
import { games, scenes } from './games';

const sorted = (hand: Pick<Hand, 'cards'>) => [...hand.cards].sort();

function plain(scene: Scene): unknown {
  const { log: _log, shown: _shown, scored: _scored, ...rest } = scene;
  return { ...rest, seats: rest.seats.map((seat) => ({ ...seat, cards: sorted(seat), flips: null })) };
}

/** A scene as the tests in Python write it down. */
function onShow({ game: _game, commitment: _commitment, promised: _promised, log, shown, seats, ...rest }: Scene): unknown {
  const last = log.at(-1);
  return JSON.parse(
    JSON.stringify({
      ...rest,
      seats: seats.map(({ seat: _seat, ...hand }) => hand),
      shown: shown && [shown.card, shown.seat],
      last: last ? { event: last.event, points: last.points, away: last.away } : null,
      lines: log.length,
    }),
  );
}

describe.each(games.map((game) => [game.id, game] as const))('%s', (_id, game) => {
  it('has the cards, status and points of every hand before the step that tells them is over', () => {
    const scene = sceneOf(game.game);
    for (const step of game.steps) {
      step.events.forEach((_event, index) => play(scene, step, index));
      for (const hand of step.hands) {
        const seat = scene.seats[hand.seat];
        expect([seat?.status, seat && sorted(seat), seat?.points, seat?.total]).toEqual([
          hand.status,
          sorted(hand),
          hand.points,
          hand.total,
        ]);
      }
      expect([scene.deck, scene.discard, scene.round, scene.dealer]).toEqual([step.deck, step.discard, step.round, step.dealer]);
      settle(scene, step);
    }
    expect(scene.winner).toBe(game.steps.at(-1)?.winner);
    expect(scene.reveal).not.toBeNull();
  });

  it('shows after every event what the terminal application shows', () => {
    const other = scenes[game.id];
    if (!other) return;
    const scene = sceneOf(game.game);
    const own = [onShow(scene)];
    for (const step of game.steps) {
      step.events.forEach((_event, index) => {
        play(scene, step, index);
        own.push(onShow(scene));
      });
      settle(scene, step);
      own.push(onShow(scene));
    }
    own.forEach((shown, at) => expect(shown).toEqual(other[at]));
    expect(other.length).toBe(own.length);
  });

  it('asks nothing while events are shown, and asks again when the step is over', () => {
    const scene = sceneOf(game.game);
    for (const step of game.steps) {
      step.events.forEach((_event, index) => {
        play(scene, step, index);
        expect(scene.ask).toBeNull();
      });
      settle(scene, step);
      expect(scene.ask).toEqual(step.ask);
    }
  });

  it('shows the same after any number of steps, whether it went through them or was put together', () => {
    const scene = sceneOf(game.game);
    game.steps.forEach((step, i) => {
      step.events.forEach((_event, index) => play(scene, step, index));
      settle(scene, step);
      expect(plain(scene)).toEqual(plain(sceneOf(viewAt(game, i + 1))));
    });
  });

  it('turns every card up on the stage before it lies in front of anybody', () => {
    const scene = sceneOf(game.game);
    for (const step of game.steps) {
      step.events.forEach((event, index) => {
        const before = scene.shown;
        play(scene, step, index);
        if (event.kind === 'card_flipped') expect(scene.shown?.card).toBe(event.card);
        if (event.kind === 'player_busted') expect(before?.card).toBe(event.card);
      });
      settle(scene, step);
    }
  });
});

it('keeps the log of earlier rounds, and tells where the present one began', () => {
  const scene = sceneOf(games[0]!.game);
  for (const step of games[0]!.steps.slice(0, 40)) step.events.forEach((_event, index) => play(scene, step, index));
  const starts = scene.log.filter((line) => line.event.kind === 'round_started');
  expect(starts.length).toBeGreaterThan(1);
  expect(thisRound(scene.log)).toEqual(scene.log.slice(scene.log.indexOf(starts.at(-1)!)));
  expect(thisRound(scene.log).length).toBeLessThan(scene.log.length);
  expect(thisRound([])).toEqual([]);
});

it('tells the hands of a scored round before those of the next deal', () => {
  const step = games[0]?.steps.find((candidate) => candidate.events.some((event) => event.kind === 'round_scored'));
  if (!step) throw new Error('no round ended');
  const scored = step.events.findIndex((event) => event.kind === 'round_scored');
  const event = step.events[scored];
  expect(due(step, scored)).toBe(event?.kind === 'round_scored' ? event.hands : null);
  expect(due(step, scored + 1)).toBe(step.hands);
});
