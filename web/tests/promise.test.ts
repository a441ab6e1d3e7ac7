/** The promise about a deck, as this device checks it: what it was shown, what it added, and what it was told at the end. */

import { storage } from './page';
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SeatInfo } from '../src/lib/messages';
import { kept, nonceFor, noteNonce, noteStart, shareOf } from '../src/lib/promise';

beforeEach(() => storage('empty'));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const reveal = { seed: '7', salt: '00112233' };
const secret = sha256('flip7 secret 7 00112233');

/** What a server promises that has these nonces; `dealer` follows from them unless it is told. */
function promised(nonces: string[], dealer?: number): { text: string; commitment: string } {
  const due = Number(BigInt(`0x${sha256(['flip7 dealer', '7', ...nonces].join(' '))}`) % 3n);
  const lines = ['flip7 record 2', 'players "Ana" "Ben \\" x" "Cho"', `rules target=200 dealer=${dealer ?? due} first=left reshuffle=empty`, `secret ${secret}`];
  const text = `${[...lines, ...(nonces.length ? [`nonces ${nonces.join(' ')}`] : [])].join('\n')}\n`;
  return { text, commitment: sha256(text) };
}

/** Seats of people on these devices, 0 for a bot; their ids count from 1. */
const seats = (...devices: number[]): SeatInfo[] => devices.map((device, i) => ({ id: i + 1, name: `${i}`, colour: 0, bot: device ? null : 'carl', presence: 'here', ready: true, host: !i, device, stand_in: null, waiting: false }));

/** What the second of three devices remembers of a game that has begun while it looked on. */
const second = { secret, nonce: 'bbbbbbbb', devices: 3, before: 1 };

describe('the promise', () => {
  it('is kept where hash, secret, own nonce and dealer fit', async () => {
    const { text, commitment } = promised(['aaaaaaaa', 'bbbbbbbb']);
    expect(await kept(commitment, text, reveal)).toBe(true);
    expect(await kept(commitment, text, reveal, second)).toBe(true);
  });

  it('is broken by another text, seed, secret, nonce or dealer', async () => {
    const { text, commitment } = promised(['aaaaaaaa', 'bbbbbbbb']);
    const share = second;
    expect(await kept(commitment, text.replace('Ana', 'Ane'), reveal, share)).toBe(false);
    expect(await kept(commitment, text, { ...reveal, seed: '8' }, share)).toBe(false);
    expect(await kept(commitment, text, reveal, { ...share, secret: sha256('another one') })).toBe(false);
    expect(await kept(commitment, text, reveal, { ...share, nonce: 'cccccccc' })).toBe(false);
    const none = promised([]);
    expect(await kept(none.commitment, none.text, reveal, share)).toBe(false);
    const due = Number(/dealer=(\d)/.exec(text)?.[1]);
    const moved = promised(['aaaaaaaa', 'bbbbbbbb'], (due + 1) % 3);
    expect(await kept(moved.commitment, moved.text, reveal, share)).toBe(false);
    expect(await kept(sha256('flip7 deck 7 00112233'), '', reveal)).toBe(true);
    expect(await kept(sha256('flip7 deck 7 00112233'), '', reveal, share)).toBe(false);
  });

  it.each([
    ['the nonce of a device that is not there', ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd']],
    ['another order', ['bbbbbbbb', 'aaaaaaaa', 'cccccccc']],
    ['two before the own one', ['aaaaaaaa', 'cccccccc', 'bbbbbbbb']],
    ['an older one of the own', ['aaaaaaaa', 'b0b0b0b0', 'cccccccc']],
  ])('is broken by nonces with %s', async (_, nonces) => {
    const { text, commitment } = promised(nonces);
    expect(await kept(commitment, text, reveal, second)).toBe(false);
  });

  it.each([[['bbbbbbbb']], [['aaaaaaaa', 'bbbbbbbb']], [['bbbbbbbb', 'cccccccc']], [['aaaaaaaa', 'bbbbbbbb', 'cccccccc']]])('is kept where others have added nothing: %s', async (nonces) => {
    const { text, commitment } = promised(nonces);
    expect(await kept(commitment, text, reveal, second)).toBe(true);
  });

  it('has nonces of as many devices as there are seats, in any order, where the beginning was not seen', async () => {
    const share = { ...second, devices: 2, before: null };
    for (const nonces of [['bbbbbbbb', 'aaaaaaaa'], ['aaaaaaaa', 'bbbbbbbb']]) {
      const { text, commitment } = promised(nonces);
      expect(await kept(commitment, text, reveal, share)).toBe(true);
    }
    const { text, commitment } = promised(['aaaaaaaa', 'bbbbbbbb', 'cccccccc']);
    expect(await kept(commitment, text, reveal, share)).toBe(false);
  });

  it('gets the same nonce however often it is asked for, until there is another secret', () => {
    const first = nonceFor('ABCDE', 'first');
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(nonceFor('ABCDE', 'first')).toBe(first);
    expect(nonceFor('OTHER', 'first')).not.toBe(first);
    expect(nonceFor('ABCDE', 'second')).not.toBe(first);
    noteNonce('ABCDE', 'third', 'cccccccc');
    expect(nonceFor('ABCDE', 'third')).toBe('cccccccc');
  });

  it('is remembered with the game that it belongs to, and who else was there when that began', () => {
    noteNonce('ABCDE', 'first', 'bbbbbbbb');
    noteNonce('OTHER', 'other', 'cccccccc');
    noteStart('ABCDE', { id: 'game1', number: 0 }, seats(4, 2, 0, 2, 9), [1]);
    noteNonce('ABCDE', 'second', 'dddddddd');
    noteStart('ABCDE', { id: 'game1', number: 0 }, seats(4), [1]); // told again after a reconnection: what was added since is for the next game
    noteStart('ABCDE', { id: 'game2', number: 5 }, seats(4, 2, 0), [1]);
    expect(shareOf('game1')).toEqual({ secret: 'first', nonce: 'bbbbbbbb', devices: 3, before: 1 });
    expect(shareOf('game2')).toEqual({ secret: 'second', nonce: 'dddddddd', devices: 3, before: null });
    expect(shareOf('game3')).toBeNull();
    noteNonce('QUICK', 'third', 'eeeeeeee', true);
    noteStart('QUICK', { id: 'game3', number: 7 }, seats(1, 0, 0), [1]);
    expect(shareOf('game3')).toEqual({ secret: 'third', nonce: 'eeeeeeee', devices: 1, before: 0 });
  });

  it('is for the next game where this device looks on, or has sat down for the next one', () => {
    noteNonce('ABCDE', 'first', 'bbbbbbbb');
    noteStart('ABCDE', { id: 'game1', number: 0 }, seats(1, 2), []);
    noteStart('ABCDE', { id: 'game1', number: 0 }, seats(1, 2).map((seat) => ({ ...seat, waiting: seat.id === 2 })), [2]);
    expect(shareOf('game1')).toBeNull();
    noteStart('ABCDE', { id: 'game2', number: 0 }, seats(1, 2), [2]);
    expect(shareOf('game2')).toEqual({ secret: 'first', nonce: 'bbbbbbbb', devices: 2, before: 1 });
  });
});
