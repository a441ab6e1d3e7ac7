/** Keys, places, the proof of the deck, and the waits between two attempts to connect. */

import { describe, expect, it } from 'vitest';
import { colour, face, pips } from '../src/lib/cards';
import { kept } from '../src/lib/promise';
import { CARDS, type Ask } from '../src/lib/messages';
import { delay } from '../src/lib/line';
import { badge, Keyboard } from '../src/table/keyboard';
import { around, turnOrder } from '../src/table/places';
import { games } from './games';

const key = (name: string, timeStamp = 0) => ({ key: name, timeStamp, target: null }) as unknown as KeyboardEvent;
const turn: Ask = { kind: 'turn', seat: 0, options: ['hit', 'stay'], card: null, targets: [], seconds: null };
const target = (seats: number): Ask => ({
  ...turn,
  kind: 'target',
  card: 'freeze',
  options: Array.from({ length: seats }, (_, i) => i + 3),
});

describe('the keyboard', () => {
  it('hits with H and stays with S', () => {
    const keyboard = new Keyboard();
    expect([keyboard.press(key('h'), turn), keyboard.press(key('S'), turn), keyboard.press(key('1'), turn)]).toEqual(['hit', 'stay', null]);
  });

  it('does nothing while nothing is asked, or with a modifier', () => {
    const held = { ...key('h'), ctrlKey: true } as unknown as KeyboardEvent;
    expect([new Keyboard().press(key('h'), null), new Keyboard().press(held, turn)]).toEqual([null, null]);
  });

  it('chooses a target by its number', () => {
    expect(new Keyboard().press(key('2'), target(4))).toBe(4);
    expect(new Keyboard().press(key('5'), target(4))).toBeNull();
  });

  it('takes two digits at a big table, as they are shown', () => {
    const keyboard = new Keyboard();
    expect(badge(target(18), 2)).toBe('02');
    expect([keyboard.press(key('0', 1000), target(18)), keyboard.press(key('2', 1100), target(18))]).toEqual([null, 4]);
    expect([keyboard.press(key('1', 3000), target(18)), keyboard.press(key('8', 3100), target(18))]).toEqual([null, 20]);
  });

  it('forgets a digit that was left alone', () => {
    const keyboard = new Keyboard();
    keyboard.press(key('1', 1000), target(18));
    expect([keyboard.press(key('0', 3000), target(18)), keyboard.press(key('3', 3050), target(18))]).toEqual([null, 5]);
  });
});

describe('places', () => {
  it('go round the table from the left of the first', () => {
    expect(turnOrder(4, 1)).toEqual([2, 3, 0, 1]);
  });

  it.each([1, 2, 3, 5, 8, 9])('lie inside the table and apart for %i seats', (count) => {
    for (const whole of [true, false]) {
      const places = around(count, whole);
      expect(places).toHaveLength(count);
      for (const { x, y } of places) expect(Math.min(x, y, 100 - x, 100 - y)).toBeGreaterThan(8);
      places.forEach((a, i) => places.slice(i + 1).forEach((b) => expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(12)));
    }
  });
});

describe('cards', () => {
  it('have a pip for each copy of a number', () => {
    for (let n = 0; n <= 12; n += 1) expect(pips(n)).toHaveLength(n);
  });

  it('are thirteen numbers in thirteen colours, six modifiers and three actions', () => {
    const numbers = CARDS.filter((card) => face(card) === 'number');
    expect(new Set(numbers.map(colour)).size).toBe(13);
    expect(CARDS.filter((card) => face(card) === 'modifier')).toHaveLength(6);
  });
});

it.each(games.map((game) => [game.id, game] as const))('the deck of %s is the one that was promised', async (_id, game) => {
  const reveal = game.steps.at(-1)?.reveal;
  if (!reveal) throw new Error('not revealed');
  const { commitment, promised } = game.game;
  expect(await kept(commitment, promised, reveal)).toBe(true);
  expect(await kept(commitment, promised, { ...reveal, seed: `${reveal.seed}1` })).toBe(false);
  if (promised) expect(await kept(commitment, promised.replace('target=', 'target=1'), reveal)).toBe(false);
});

it('waits longer after each failed attempt, but never long', () => {
  const waits = Array.from({ length: 12 }, (_, attempt) => delay(attempt, 0.5));
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits[0]).toBeLessThan(500);
  expect(Math.max(...waits)).toBe(15_000);
});
