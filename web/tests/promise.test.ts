/** The promise about a deck, as this device checks it: what it was shown, what it added, and what it was told at the end. */

import { storage } from './page';
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { kept, noteNonce, noteStart, shareOf } from '../src/lib/promise';

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

describe('the promise', () => {
  it('is kept where hash, secret, own nonce and dealer fit', async () => {
    const { text, commitment } = promised(['aaaaaaaa', 'bbbbbbbb']);
    expect(await kept(commitment, text, reveal)).toBe(true);
    expect(await kept(commitment, text, reveal, { secret, nonces: ['cccccccc', 'bbbbbbbb'] })).toBe(true);
  });

  it('is broken by another text, seed, secret, nonce or dealer', async () => {
    const { text, commitment } = promised(['aaaaaaaa', 'bbbbbbbb']);
    const share = { secret, nonces: ['bbbbbbbb'] };
    expect(await kept(commitment, text.replace('Ana', 'Ane'), reveal, share)).toBe(false);
    expect(await kept(commitment, text, { ...reveal, seed: '8' }, share)).toBe(false);
    expect(await kept(commitment, text, reveal, { ...share, secret: sha256('another one') })).toBe(false);
    expect(await kept(commitment, text, reveal, { secret, nonces: ['cccccccc'] })).toBe(false);
    const none = promised([]);
    expect(await kept(none.commitment, none.text, reveal, share)).toBe(false);
    const due = Number(/dealer=(\d)/.exec(text)?.[1]);
    const moved = promised(['aaaaaaaa', 'bbbbbbbb'], (due + 1) % 3);
    expect(await kept(moved.commitment, moved.text, reveal, share)).toBe(false);
    expect(await kept(sha256('flip7 deck 7 00112233'), '', reveal)).toBe(true);
    expect(await kept(sha256('flip7 deck 7 00112233'), '', reveal, share)).toBe(false);
  });

  it('is remembered with the game that it belongs to', () => {
    noteNonce('ABCDE', 'first', 'aaaaaaaa');
    noteNonce('ABCDE', 'first', 'bbbbbbbb');
    noteNonce('OTHER', 'other', 'cccccccc');
    noteStart('ABCDE', 'game1');
    noteNonce('ABCDE', 'second', 'dddddddd');
    noteStart('ABCDE', 'game1'); // told again after a reconnection: what was added since is for the next game
    noteStart('ABCDE', 'game2');
    expect(shareOf('game1')).toEqual({ secret: 'first', nonces: ['aaaaaaaa', 'bbbbbbbb'] });
    expect(shareOf('game2')).toEqual({ secret: 'second', nonces: ['dddddddd'] });
    expect(shareOf('game3')).toBeNull();
  });
});
