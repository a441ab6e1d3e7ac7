/** Captions of the first game: each comes once, and stays until it has been read. */

import { fresh } from './page';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Lessons } from '../src/lib/lessons.svelte';
import { play, sceneOf, settle } from '../src/lib/scene';
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

it('shows nothing to those who want no tips', () => {
  settings.tips = false;
  expect(watch(new Lessons(), () => false).every((lesson) => lesson === undefined)).toBe(true);
});
