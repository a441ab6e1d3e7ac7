/** The scorekeeper of the browser counts like that of Python, and reads what Python made. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BadFile, Match, Refused } from '../src/scorekeeper/match';
import { plain, readOperation, Unreadable } from '../src/scorekeeper/wire';

const setup = { players: ['Ana', 'Ben', 'Cho'], target: 200, dealer: 0, date: null };
const given = process.env['FLIP7_MATCHES'];

/** What Python made and what it thinks of it, from the file that FLIP7_MATCHES names (tests/browser/operations.py). */
interface Made {
  taken: [unknown, unknown][];
  refused: unknown[];
  files: string[];
}

describe.skipIf(!given)('what Python made', () => {
  const { taken, refused, files } = given ? (JSON.parse(readFileSync(given, 'utf8')) as Made) : { taken: [], refused: [], files: [] };

  it('is read, whatever kind of operation it is, and written as it came', () => {
    expect(taken.length).toBeGreaterThan(50);
    for (const [told, whole] of taken) expect(plain(readOperation(told))).toEqual(whole);
  });

  it('is refused where Python refuses it', () => {
    expect(refused.length).toBeGreaterThan(50);
    for (const wrong of refused) expect(() => readOperation(wrong), JSON.stringify(wrong)).toThrow(Unreadable);
  });

  it('has the same record, and the same file', () => {
    expect(files.length).toBeGreaterThan(1);
    for (const text of files) {
      const match = Match.fromJson(text, 'here');
      const file = JSON.parse(text) as { record: unknown };
      expect(match.record()).toEqual(file.record);
      expect(JSON.parse(match.toJson())).toEqual(file);
    }
  });
});

describe('a match', () => {
  it('counts cards, points and busts', () => {
    const match = Match.begin('one', setup);
    match.enter({ '0': ['3', '11', '5', '7', '10', 'x2'], '1': 24, '2': 'bust' });
    expect(match.record()).toMatchObject({ rounds: [[72, 24, 0]], totals: [72, 24, 0] });
    expect(match.sheet.dealer).toBe('1');
  });

  it('refuses what cannot be and names the player', () => {
    const match = Match.begin('one', setup);
    const cases: [Record<string, never[] | number>, string][] = [
      [{ '1': ['7', '7'] as never[] }, 'twin'],
      [{ '0': ['x2'] as never[], '2': ['x2'] as never[] }, 'none_left'],
      [{ '0': 172 }, 'too_many'],
      [{ '0': 146 }, 'impossible'],
      [{ '0': -1 }, 'negative'],
      [{ '0': 171, '1': 145 }, 'seven_points'],
    ];
    for (const [entries, reason] of cases) {
      expect(() => match.enter(entries)).toThrowError(Refused);
      expect(() => match.enter(entries)).toThrowError(reason);
    }
    expect(match.operations).toHaveLength(1);
  });

  it('keeps both of two different entries until one is chosen', () => {
    const one = Match.begin('one', setup);
    const two = Match.fromJson(one.toJson(), 'two');
    one.enter({ '0': 10, '1': 20, '2': 30 });
    two.enter({ '0': 10, '1': 21, '2': 30 });
    one.merge(two.operations);
    two.merge(one.operations);
    expect(one.toJson()).toBe(two.toJson());
    const [conflict] = one.sheet.conflicts;
    expect(conflict).toMatchObject({ kind: 'entry', seat: 1, choices: [20, 21] });
    if (conflict) one.resolve(conflict, 0);
    expect(one.record()).toMatchObject({ totals: [10, 20, 30], conflicts: 0 });
  });

  it('says what is wrong with a file', () => {
    const text = Match.begin('one', setup).toJson();
    expect(() => Match.fromJson(text.slice(0, -9), 'x')).toThrowError(BadFile);
    expect(() => Match.fromJson(text.replace('"version": 2', '"version": 3'), 'x')).toThrowError('newer');
    expect(() => Match.fromJson(text.replace('"kind":"start"', '"kind":"sart"'), 'x')).toThrowError('damaged');
    expect(() => Match.fromJson('[]', 'x')).toThrowError('damaged');
  });
});
