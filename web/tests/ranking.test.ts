/** Places at the end of a game. */

import { expect, it } from 'vitest';
import { ranked } from '../src/lib/ranking';

const seats = [30, 212, 55, 30, 80].map((total, seat) => ({ seat, total }));

it('gives those with as many points the same place', () => {
  expect(ranked(seats, 1).map(({ seat, place }) => [seat, place])).toEqual([[1, 1], [4, 2], [2, 3], [0, 4], [3, 4]]);
});

it('puts the winner first, whatever the others have', () => {
  expect(ranked([{ seat: 0, total: 200 }, { seat: 1, total: 200 }], 1).map(({ seat, place }) => [seat, place])).toEqual([[1, 1], [0, 2]]);
});
