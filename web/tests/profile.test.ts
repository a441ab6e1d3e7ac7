/** The profile of a device: what it counts, and files that it takes or refuses. */

import { storage } from './page';
import { beforeEach, describe, expect, it } from 'vitest';
import { counted, dailyStreak, exported, fortune, imported, noteGame, played, streaks, versus, type Played } from '../src/lib/profile';
import { sceneOf, type Scene } from '../src/lib/scene';
import { games } from './games';
import { room, seat } from './tables';

beforeEach(() => storage('empty'));

const game = (id: string, won: boolean, more: Partial<Played> = {}): Played => ({
  ...{ id, won, date: '2026-11-18', name: 'Ana', seat: 0, bots: ['carl'], people: 1, flip7s: 0, biggest: 20 },
  ...more,
});
const file = (...games: unknown[]): string => JSON.stringify({ format: 'flip7-profile', version: 1, games });

describe('the profile', () => {
  it('counts wins in a row, but not of games alone', () => {
    const alone = game('c', false, { bots: [] });
    expect(streaks([game('a', true), game('b', true), alone, game('d', true), game('e', false), game('f', true)])).toEqual({ now: 1, best: 3 });
    expect(streaks([])).toEqual({ now: 0, best: 0 });
  });

  it('counts a bot once a game', () => {
    const games = [game('a', true, { bots: ['carl', 'carl', 'bea'] }), game('b', false)];
    expect(versus(games)).toEqual([
      { bot: 'carl', games: 2, wins: 1 },
      { bot: 'bea', games: 1, wins: 1 },
    ]);
  });

  it('counts days in a row up to today or yesterday', () => {
    const day = (date: string) => game(date, true, { daily: date, rounds: 5 });
    const days = [day('2026-02-27'), day('2026-02-28'), day('2026-03-01')];
    expect(dailyStreak(days, '2026-03-01')).toBe(3);
    expect(dailyStreak(days, '2026-03-02')).toBe(3);
    expect(dailyStreak(days, '2026-03-03')).toBe(0);
    expect(dailyStreak([day('2026-02-27'), day('2026-03-01')], '2026-03-01')).toBe(1);
  });

  it('averages luck and skill over what was reviewed', () => {
    const games = [game('a', true, { luck: 0.5, skill: -0.1 }), game('b', false), game('c', false, { luck: -0.1, skill: -0.3 })];
    expect(fortune(games)).toEqual({ games: 2, luck: 0.2, skill: -0.2 });
  });

  it('adds the games of a file once, and gives them out again', () => {
    expect(imported(file(game('a', true), game('b', false, { date: '2026-11-17' })))).toBe(2);
    expect(imported(exported())).toBe(0);
    expect(played().map((one) => one.id)).toEqual(['b', 'a']);
  });

  it('takes a game once that is twice in a file', () => {
    expect(imported(file(game('a', true), game('a', true)))).toBe(1);
    expect(played()).toHaveLength(1);
  });

  it('takes over what a review found of a game that is known', () => {
    imported(file(game('a', true)));
    expect(imported(file(game('a', false, { luck: 0.2, skill: -0.1 })))).toBe(0);
    expect(played()).toEqual([game('a', true, { luck: 0.2, skill: -0.1 })]);
  });

  it('says so when the file is newer, or the device keeps nothing more', () => {
    expect(imported(JSON.stringify({ format: 'flip7-profile', version: 2, games: [game('a', true)] }))).toBe('newer');
    storage('full');
    expect(imported(file(game('a', true)))).toBe('full');
    expect(played()).toEqual([]);
  });

  const none = ['', '{', '[]', 'null', '{"format":"flip7-profile"}', '{"format":"other","version":1,"games":[]}', '{"format":"flip7-profile","games":[]}'];
  it.each(none)('refuses %s', (text) => {
    expect(imported(text)).toBe('damaged');
    expect(played()).toEqual([]);
  });

  it('leaves out what is no game', () => {
    const odd = [null, 7, {}, game('a', true, { biggest: -1 }), { ...game('b', true), bots: 'carl' }, { ...game('c', true), extra: 1, luck: 'x' }];
    expect(imported(file(...odd))).toBe(1);
    expect(played()).toEqual([game('c', true)]);
  });
});

describe('a finished game', () => {
  const over = (more: Partial<Scene> = {}): Scene => {
    const [told] = games;
    if (!told) throw new Error('no game');
    return { ...sceneOf(told.game), game: 'g', winner: 0, rounds: [[12, 30, 0], [25, 0, 7]], ...more };
  };
  const table = room({ seats: [seat(1), seat(2), seat(3, { bot: 'carl' }), seat(4, { waiting: true })] });
  const flip7 = (at: number) => ({ kind: 'flip7_made', seat: at }) as Parameters<typeof counted>[3][number];

  it('is noted once, with the Flip 7s of all its rounds', () => {
    let tally = counted(null, 'other', table.seats, [flip7(0)]);
    for (const events of [[flip7(0)], [flip7(1)], [], [flip7(0)]]) tally = counted(tally, 'g', table.seats, events);
    noteGame(over(), table, [0], tally);
    noteGame(over(), table, [0], tally);
    expect(played()).toMatchObject([{ id: 'g', seat: 0, won: true, flip7s: 2, biggest: 25, bots: ['carl'], people: 2 }]);
  });

  it('does not take who left, and is played for, for a bot', () => {
    const tally = counted(null, 'g', table.seats, []);
    const left = room({ seats: [seat(1), seat(2, { bot: 'ada' }), seat(3, { bot: 'carl' })] });
    noteGame(over(), left, [0], tally);
    expect(played()[0]).toMatchObject({ bots: ['carl'], people: 2 });
  });

  it('is not noted before its end, and not for several players on one device', () => {
    noteGame(over({ winner: null }), table, [0], null);
    noteGame(over(), table, [0, 1], null);
    expect(played()).toEqual([]);
  });

  it('alone is won by meeting the challenge', () => {
    const [name] = over().names;
    for (const challenge of [true, false]) noteGame(over({ game: String(challenge), names: [name ?? ''], challenge }), room({ seats: [seat(1)] }), [0], null);
    expect(played().map((one) => one.won)).toEqual([true, false]);
  });
});
