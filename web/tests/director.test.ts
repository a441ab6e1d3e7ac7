/** The queue shows every event once and in order, catches up when behind, and holds still while nobody looks. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Director, type Manner } from '../src/lib/director';
import type { AnyEvent, Speed, Step } from '../src/lib/messages';
import { LAG, OPENING, QUICK } from '../src/lib/times';
import { haste, length, limit, toldQuickly } from '../src/lib/timing';
import { games, waits } from './games';

const game = games[0];
if (!game) throw new Error('no recorded game');
/** Steps that are told at leisure, as those are in which people have a say. */
const steps: readonly Step[] = game.steps.map((step) => ({ ...step, quick: false }));
const seats = game.game.hands.length;

let shown: string[];
let times: number[];
let hidden: boolean;
let director: Director;
let speed: Speed;
const manner: Manner = { speed: () => speed, reduced: () => false, hidden: () => hidden, decides: (seat) => seat === 0 };
const whole = (some: readonly Step[], at: Speed = 'normal') =>
  some.flatMap((step) => step.events).reduce((sum, event) => sum + length(event, seats, at, false), 0);

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  times = [];
  hidden = false;
  speed = 'normal';
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
    expect(times).toEqual((steps[0] as Step).events.map((event) => length(event, seats, 'normal', false)));
    expect(director.idle).toBe(true);
  });

  it('does not open the question before the last card has been shown', async () => {
    director.reset(game.game, []);
    director.add(steps[0] as Step);
    await vi.advanceTimersByTimeAsync(whole(steps.slice(0, 1)) - 10);
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

  it('tells what was missed within the time of a lag', async () => {
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
    expect(shown).toEqual(['reset', ...told(steps)]);
    expect(Date.now() - start).toBeLessThan(whole(steps) / 2);
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

  it('wakes up for a user who comes back, also when the connection was lost and found while nobody looked', async () => {
    hidden = true;
    director.reset(game.game, []);
    director.add(steps[0] as Step);
    await vi.advanceTimersByTimeAsync(30_000);
    director.reset(game.game, steps.slice(0, 2));
    await vi.advanceTimersByTimeAsync(45_000); // the pause from before the reset is over, the one after it is not
    hidden = false;
    director.resume();
    await vi.advanceTimersByTimeAsync(LAG * 1.6);
    expect(shown).toContain('1 settled');
  });

  it('tells a round in which nobody here has a say within its time, and the scores at leisure', async () => {
    const from = steps.findIndex((step, at) => at > 6 && step.events.some((event) => event.kind === 'round_scored'));
    const quick = steps.slice(1, from + 1).map((step) => ({ ...step, quick: true }));
    const last = quick.at(-1) as Step;
    const scored = last.events.findIndex((event) => event.kind === 'round_scored');
    director.reset({ ...game.game, number: 0 }, []);
    director.add({ ...(steps[1] as Step) });
    for (const step of quick.slice(1)) director.add(step);
    const first = whole(steps.slice(1, 2));
    await vi.advanceTimersByTimeAsync(first + QUICK + 5);
    expect(whole(quick.slice(1, -1))).toBeGreaterThan(QUICK);
    expect(shown).toContain(`${last.number}.${scored}`);
    expect(times.at(-1)).toBe(length(last.events[scored] as (typeof last.events)[number], seats, 'normal', false));
  });

  it('tells everything before the first choice of a game quickly, the scores of a round too', async () => {
    director.reset(game.game, []);
    for (const step of steps.slice(0, 20)) director.add({ ...step, quick: true });
    await vi.advanceTimersByTimeAsync(OPENING + 5);
    expect(shown).toContain('19 settled');
    expect(whole(steps.slice(0, 20))).toBeGreaterThan(3 * OPENING);
  });

  it('follows the speed of the table', async () => {
    speed = 'instant';
    director.reset(game.game, []);
    director.add(steps[0] as Step);
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toContain('0 settled');
  });

  it('skips to the next choice of a player, also over steps that arrive later', async () => {
    const own = steps.findIndex((step, at) => at > 0 && step.ask?.seat === 0);
    director.reset(game.game, []);
    director.add(steps[0] as Step);
    director.skip();
    for (const step of steps.slice(1, own + 1)) {
      director.add(step);
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(shown).toContain(`${own} settled`);
    director.add(steps[own + 1] as Step);
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).not.toContain(`${own + 1} settled`);
  });

  it('paces steps as the terminal application does, whether they were missed, are quick, or have waited long', async () => {
    for (const { game: id, quick, missed, pauses, ...told } of waits.paced) {
      const { game: view, steps: plain } = games.find((one) => one.id === id)!;
      const all = plain.map((step, at) => ({ ...step, quick: quick[at] ?? false }));
      const own: number[] = [];
      let [now, here] = [0, missed];
      const wait = async (ms: number) => void (now += here ? ms : 0);
      const show = { reset: () => undefined, play: (_step: Step, _index: number, ms: number) => own.push(ms), settle: () => undefined };
      const one = new Director(show, { ...manner, speed: () => told.speed, hidden: () => !here }, { now: () => now, wait });
      one.reset(view, missed ? all : []);
      if (!missed) for (const step of all) one.add(step);
      here = true;
      while (!one.idle) await vi.advanceTimersByTimeAsync(0);
      const seen = own.filter((ms) => ms > 0);
      expect(seen.length, JSON.stringify([told, quick, missed])).toBe(pauses.length);
      seen.forEach((ms, at) => expect(ms).toBeCloseTo(pauses[at]!, 3));
    }
  });

  it('goes on at once when it is told to', async () => {
    director.reset(game.game, []);
    director.add(steps[0] as Step);
    for (let i = 0; i < 40; i += 1) {
      director.next();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(shown).toContain('0 settled');
  });
});

describe('timing', () => {
  it('gives every card its travel, turn and rest, and no travel with reduced motion', () => {
    const event = { kind: 'card_flipped', seat: 0, card: '7', ruling: 'TURN-3' } as const;
    expect(length(event, seats, 'normal', false)).toBe(240 + 190 + 220);
    expect(length(event, seats, 'normal', true)).toBe(220);
  });

  it('holds a bust as long with reduced motion, without the shake', () => {
    const event = { kind: 'player_busted', seat: 0, card: '7' } as const;
    expect(length(event, seats, 'normal', false) - length(event, seats, 'normal', true)).toBe(400);
  });

  it('is the time that the server waits', () => {
    for (const { kind, seats: of, speed: at, ruling, ms } of waits.events) {
      expect(length({ kind, ruling } as AnyEvent, of, at, false)).toBeCloseTo(ms, 6);
    }
    for (const { speed: at, opening, ms } of waits.limits) expect(limit(at, opening)).toBeCloseTo(ms, 6);
    for (const { kinds, opening, n } of waits.counts) {
      expect(toldQuickly({ events: kinds.map((kind) => ({ kind })) } as Step, opening)).toBe(n);
    }
  });

  it('leaves the pace alone up to the lag', () => {
    expect(haste(LAG, 60_000, false)).toBe(1);
    expect(haste(LAG + 1, 60_000, false)).toBeLessThan(0.2);
    expect(haste(0, 500, true)).toBe(1);
  });
});
