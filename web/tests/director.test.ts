/** The queue shows every event once and in order, catches up when behind, and holds still while nobody looks. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Director, type Manner } from '../src/lib/director';
import type { Step } from '../src/lib/messages';
import { haste, LAG, length } from '../src/lib/timing';
import { games } from './games';

const game = games[0];
if (!game) throw new Error('no recorded game');
const steps: readonly Step[] = game.steps;

let shown: string[];
let times: number[];
let hidden: boolean;
let director: Director;
const manner: Manner = { pace: () => 1, reduced: () => false, hidden: () => hidden };

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  times = [];
  hidden = false;
  director = new Director(
    {
      reset: () => shown.push('reset'),
      play: (step, index, ms) => {
        shown.push(`${step.number}.${index}`);
        times.push(ms);
      },
      settle: (step) => shown.push(`${step.number} settled`),
    },
    manner,
    { now: () => Date.now(), wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
  );
});

const told = (some: readonly Step[]) =>
  some.flatMap((step) => [...step.events.map((_event, index) => `${step.number}.${index}`), `${step.number} settled`]);

describe('the director', () => {
  it('shows every event in order, each for its time, and settles the step last', async () => {
    director.reset(game.game, []);
    director.add(steps[0] as Step);
    await vi.runAllTimersAsync();
    expect(shown).toEqual(['reset', ...told(steps.slice(0, 1))]);
    expect(times).toEqual((steps[0] as Step).events.map((event) => length(event, 3, false)));
    expect(director.idle).toBe(true);
  });

  it('does not open the question before the last card has been shown', async () => {
    director.reset(game.game, []);
    director.add(steps[0] as Step);
    const whole = (steps[0] as Step).events.reduce((sum, event) => sum + length(event, 3, false), 0);
    await vi.advanceTimersByTimeAsync(whole - 10);
    expect(shown).not.toContain('0 settled');
    await vi.advanceTimersByTimeAsync(20);
    expect(shown).toContain('0 settled');
  });

  it('shows a step once, however often it arrives', async () => {
    director.reset(game.game, []);
    for (const step of [0, 1, 1, 0, 2].map((i) => steps[i] as Step)) director.add(step);
    await vi.runAllTimersAsync();
    expect(shown).toEqual(['reset', ...told(steps.slice(0, 3))]);
  });

  it('retells what was missed within the time of a lag', async () => {
    const start = Date.now();
    director.reset(game.game, steps);
    await vi.runAllTimersAsync();
    expect(shown).toEqual(['reset', ...told(steps)]);
    expect(Date.now() - start).toBeLessThan(LAG * 1.6);
  });

  it('catches up when it has fallen behind', async () => {
    const start = Date.now();
    director.reset(game.game, []);
    for (const step of steps) director.add(step);
    await vi.runAllTimersAsync();
    const whole = steps.flatMap((step) => step.events).reduce((sum, event) => sum + length(event, 3, false), 0);
    expect(shown).toEqual(['reset', ...told(steps)]);
    expect(Date.now() - start).toBeLessThan(whole / 2);
  });

  it('waits while the page is hidden, then tells it quickly', async () => {
    director.reset(game.game, []);
    hidden = true;
    for (const step of steps.slice(0, 4)) director.add(step);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(shown).toEqual(['reset']);
    hidden = false;
    director.resume();
    await vi.advanceTimersByTimeAsync(LAG * 1.6);
    expect(shown).toEqual(['reset', ...told(steps.slice(0, 4))]);
  });

  it('starts anew when it is reset in the middle of a step', async () => {
    director.reset(game.game, []);
    director.add(steps[0] as Step);
    await vi.advanceTimersByTimeAsync(700);
    const before = shown.length;
    director.reset(game.game, [steps[0] as Step]);
    await vi.runAllTimersAsync();
    expect(shown.slice(before)).toEqual(['reset', ...told(steps.slice(0, 1))]);
  });

  it('goes on at once when it is told to skip', async () => {
    director.reset(game.game, []);
    director.add(steps[0] as Step);
    for (let i = 0; i < 40; i += 1) {
      director.skip();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(shown).toContain('0 settled');
  });
});

describe('timing', () => {
  it('gives every card its travel, turn and rest, and no travel with reduced motion', () => {
    const event = { kind: 'card_flipped', seat: 0, card: '7', ruling: 'TURN-3' } as const;
    expect(length(event, 3, false)).toBe(240 + 190 + 220);
    expect(length(event, 3, true)).toBe(220);
  });

  it('holds a bust as long with reduced motion, without the shake', () => {
    const event = { kind: 'player_busted', seat: 0, card: '7' } as const;
    expect(length(event, 3, false) - length(event, 3, true)).toBe(400);
  });

  it('leaves the pace alone up to the lag', () => {
    expect(haste(LAG, 60_000, false)).toBe(1);
    expect(haste(LAG + 1, 60_000, false)).toBeLessThan(0.2);
    expect(haste(0, 500, true)).toBe(1);
  });
});
