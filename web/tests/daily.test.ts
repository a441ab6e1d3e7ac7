/** The daily challenge on this device: who it is, and what it remembers. */

import { storage } from './page';
import { beforeEach, describe, expect, it } from 'vitest';
import { deviceId } from '../src/lib/daily';
import { dailyStreak, noteDaily, played } from '../src/lib/profile';

beforeEach(() => storage('empty'));

describe('the daily challenge', () => {
  it('knows the device by one number, also where nothing can be kept', () => {
    storage('full');
    const id = deviceId();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(deviceId()).toBe(id);
    storage('empty');
    expect(deviceId()).toBe(id);
  });

  it('counts a result once, whoever saw the end of the game', () => {
    const result = { name: 'Ana', rounds: 4, total: 210, signs: '🌟🟩🌟🟨', game: 'one' };
    noteDaily('2026-11-18', result);
    noteDaily('2026-11-18', result);
    noteDaily('2026-11-19', { ...result, rounds: 6, game: 'two' });
    expect(played().map(({ id, won, flip7s, daily }) => ({ id, won, flip7s, daily }))).toEqual([
      { id: 'one', won: true, flip7s: 2, daily: '2026-11-18' },
      { id: 'two', won: false, flip7s: 2, daily: '2026-11-19' },
    ]);
    expect(dailyStreak(played(), '2026-11-19')).toBe(2);
  });
});
