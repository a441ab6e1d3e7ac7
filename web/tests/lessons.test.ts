/** Captions of the first game: each comes once, and stays until it has been read. */

import { fresh } from './page';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LESSONS, Lessons, type Lesson } from '../src/lib/lessons.svelte';
import type { Card } from '../src/lib/messages';
import { play, sceneOf, settle, type Scene } from '../src/lib/scene';
import { settings } from '../src/lib/settings.svelte';
import { games } from './games';

const game = games[0];
if (!game) throw new Error('no game');

beforeEach(() => {
  fresh();
  settings.tips = true;
});
afterEach(() => void vi.useRealTimers());

/** Look at every moment of the game; `read` is asked at each. What was shown at each moment. */
function watch(lessons: Lessons, read: () => boolean): (string | undefined)[] {
  const scene = sceneOf(game?.game as Parameters<typeof sceneOf>[0]);
  const seen: (string | undefined)[] = [];
  const look = (): void => {
    lessons.look(scene, 0);
    seen.push(lessons.shown?.lesson);
    if (read()) lessons.learn();
  };
  for (const step of game?.steps ?? []) {
    step.events.forEach((_event, index) => {
      play(scene, step, index);
      look();
    });
    settle(scene, step);
    look();
  }
  return seen;
}

it('stays through everything that happens until it has been read', () => {
  const seen = watch(new Lessons(), () => false);
  const first = seen.findIndex((lesson) => lesson !== undefined);
  expect(first).toBeGreaterThan(0);
  expect(new Set(seen.slice(first)).size).toBe(1);
});

it('comes once on a device', () => {
  const seen = watch(new Lessons(), () => true).filter((lesson) => lesson !== undefined);
  expect(seen.length).toBe(new Set(seen).size);
  expect(seen.length).toBeGreaterThan(3);
  expect(watch(new Lessons(), () => true).filter((lesson) => lesson !== undefined)).toEqual([]);
});

/** A scene that asks the own seat whether to hit, with a chance to bust and after these cards were turned. */
function asking(bust: number, ...turned: Card[]): Scene {
  const scene = sceneOf(game?.game as Parameters<typeof sceneOf>[0]);
  scene.ask = { seat: 0, kind: 'turn', options: ['hit', 'stay'], card: null, targets: [], seconds: null } as unknown as Scene['ask'];
  scene.odds = { bust: [bust] } as unknown as Scene['odds'];
  const mine = scene.seats[0];
  if (mine) mine.cards = ['9', '12'];
  scene.log = turned.map((card, key) => ({ key, event: { kind: 'card_flipped', seat: 1, card, ruling: null }, points: 0, away: false })) as unknown as Scene['log'];
  return scene;
}

const moments: Record<Lesson, [scene: () => Scene, cards: Card[]]> = {
  risk: [() => asking(0.2), ['12', '12']],
  modifier: [() => asking(0, '+6'), ['x2', '+4']],
  freeze: [() => asking(0, 'freeze'), ['freeze']],
  flip3: [() => asking(0, 'flip3'), ['flip3']],
  second: [() => asking(0, 'second'), ['second']],
};

it.each(LESSONS)('explains %s when it comes, with its cards, and only then', (lesson) => {
  const [moment, cards] = moments[lesson];
  const lessons = new Lessons();
  lessons.look(asking(0, '5'), 0);
  expect(lessons.shown).toBeNull();
  const unasked = moment();
  unasked.ask = null;
  lessons.look(unasked, 0);
  expect(lessons.shown).toBeNull();
  lessons.look(moment(), 0);
  expect(lessons.shown).toEqual({ lesson, cards });
  lessons.learn();
  lessons.look(moment(), 0);
  expect(lessons.shown).toBeNull();
});

it('takes x2 for a modifier, and another seat’s risk for none of its own', () => {
  const lessons = new Lessons();
  lessons.look(asking(0.2), 1);
  expect(lessons.shown).toBeNull();
  lessons.look(asking(0, 'x2'), 0);
  expect(lessons.shown?.lesson).toBe('modifier');
});

it('shows nothing to those who want no tips', () => {
  settings.tips = false;
  expect(watch(new Lessons(), () => false).every((lesson) => lesson === undefined)).toBe(true);
});
