/** Words that depend on what is the case: days, leaving, and games that cannot be shown. */

import './page';
import { beforeAll, describe, expect, it } from 'vitest';
import { day, loadLanguage, withChapter } from '../src/i18n/i18n.svelte';
import { Refusal } from '../src/lib/api';
import { leavingWords } from '../src/lib/leaving';
import { chanceOf, changeWords, differenceWords, gameProblem, sum } from '../src/lib/words';
import { seat } from './tables';

beforeAll(() => loadLanguage('en'));

describe('a day', () => {
  it('is the same one in every part of the world, written as the language does', async () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'America/Los_Angeles';
    expect(day('2026-11-18')).toBe('11/18/2026');
    await loadLanguage('de');
    expect(day('2026-11-18')).toBe('18.11.2026');
    await loadLanguage('en');
    process.env['TZ'] = zone;
  });

  it('is left as it is where it is none', () => {
    expect(day('some day')).toBe('some day');
  });
});

describe('how the points of a hand add up', () => {
  const hand = { status: 'active', numbers: 22, doubled: true, bonus: 4, flip7: 15 } as const;

  it('is spelled out as soon as there is something to add', () => {
    expect(sum(hand)).toBe('22 ×2 +4 +15');
    expect(sum({ ...hand, doubled: false, bonus: 0, flip7: 0 })).toBe('');
  });

  it('is not told of a bust, which is worth nothing', () => {
    expect(sum({ ...hand, status: 'busted' })).toBe('');
  });
});

describe('the review', () => {
  beforeAll(() => withChapter('extra', Promise.resolve()));

  it('tells a difference of two chances in points, not as a share', () => {
    expect(differenceWords(-0.273)).toBe('27.3 percentage points');
  });

  it('tells of no change that cannot be seen', () => {
    expect(changeWords('Ana', 0.61, 0.83)).toBe('Ana: from 61% to 83%.');
    expect(changeWords('Ana', 0.831, 0.834)).toBe('');
  });
});

describe('the coach', () => {
  it('tells the chance of a target with its range', () => {
    const choices = [{ choice: 1, win: 0.31, low: 0.28, high: 0.34 }];
    const advice = { type: 'advice' as const, game: 'g', number: 3, seat: 0, choices, best: 1, sure: true, seats: [0.3, 0.7] };
    expect(chanceOf(advice, 1)).toEqual({ win: 'win 31%', range: '28–34%', rangeWords: 'between 28% and 34%', best: true });
    expect(chanceOf(advice, 0)).toBeNull();
  });
});

describe('leaving', () => {
  const bot = seat(3, { bot: 'carl', device: 0 });

  it('lets a bot play on only where somebody stays', () => {
    expect(leavingWords([seat(1), seat(2), bot], false)).toContain('A bot plays on for you');
    expect(leavingWords([seat(1), bot], false)).toContain('The game ends');
    expect(leavingWords([seat(1), seat(2, { device: 1 }), bot], false)).toContain('The game ends');
  });

  it('is the end of the one try at the deck of the day', () => {
    expect(leavingWords([seat(1)], true)).toContain('one try');
  });
});

describe('a game that cannot be shown', () => {
  it('is unknown, of today, or to be asked for later', () => {
    expect(gameProblem(new Refusal('unknown_game', '', 404))).toContain('no finished game');
    expect(gameProblem(new Refusal('not_yet', '', 409))).toContain('from tomorrow on');
    expect(gameProblem(new Refusal('too_many', '', 429, 7))).toContain('in 7 seconds');
    expect(gameProblem(new TypeError('x'))).toContain('cannot be reached');
  });
});
