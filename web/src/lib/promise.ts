/** The promise about a game: what this device adds to its deck, and the check that it was kept. */

import type { Reveal } from './messages';
import { sha256 } from './sha256';
import { recall, remember } from './storage';

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** What a device adds to the server's secret, so that neither can choose the deck. */
export const nonce = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));

async function hash(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const subtle: SubtleCrypto | undefined = crypto.subtle; // not there on http:// addresses
  return hex(subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256(bytes));
}

/** What this device had a share in: the hash that it was shown, and the nonces that it added afterwards. */
export interface Share {
  secret: string;
  nonces: string[];
}

interface Shares {
  /** By the code of a table: for its next game. */
  next: Record<string, Share>;
  /** By the id of a game, the oldest first. */
  games: Record<string, Share>;
}

const KEY = 'flip7.shares';
const MOST = 40;

const newest = <T>(entries: Record<string, T>): Record<string, T> => Object.fromEntries(Object.entries(entries).slice(-MOST));

function shares(): Shares {
  const known = recall<Partial<Shares>>(KEY);
  return { next: known?.next ?? {}, games: known?.games ?? {} };
}

/** Note that this device adds a nonce to a table's next game, whose secret has this hash. One that is refused does no harm. */
export function noteNonce(code: string, secret: string, added: string): void {
  if (!secret) return;
  const { next, games } = shares();
  const known = next[code]?.secret === secret ? next[code].nonces : [];
  delete next[code];
  remember(KEY, { next: newest({ ...next, [code]: { secret, nonces: [...known, added] } }), games });
}

/** Note that a game has begun at a table: what was added before belongs to it. */
export function noteStart(code: string, game: string): void {
  const { next, games } = shares();
  const share = next[code];
  if (!share || games[game]) return;
  delete next[code];
  remember(KEY, { next, games: newest({ ...games, [game]: share }) });
}

/** What this device had a share in of a game, if it is known. */
export const shareOf = (game: string): Share | null => shares().games[game] ?? null;

/** What stands after a word at the beginning of a line. */
const after = (lines: string[], word: string): string[] => lines.find((line) => line.startsWith(`${word} `))?.split(' ').slice(1) ?? [];

/** Whether a promise is about the secret that this device was shown, with a nonce of its own, and the dealer follows from both. */
async function shared(lines: string[], seed: string, share: Share): Promise<boolean> {
  const nonces = after(lines, 'nonces');
  if (after(lines, 'secret')[0] !== share.secret || !share.nonces.some((one) => nonces.includes(one))) return false;
  const players = lines.find((line) => line.startsWith('players '))?.match(/"(?:[^"\\]|\\.)*"/g) ?? [''];
  const number = BigInt(`0x${await hash(['flip7 dealer', seed, ...nonces].join(' '))}`);
  return after(lines, 'rules').includes(`dealer=${number % BigInt(players.length)}`);
}

/** Whether what was revealed is what had been promised before the first card, to this device if it had a share in the game. */
export async function kept(commitment: string, promised: string, { seed, salt }: Reveal, share: Share | null = null): Promise<boolean> {
  if (!promised) return !share && (await hash(`flip7 deck ${seed} ${salt}`)) === commitment;
  const lines = promised.split('\n');
  const secret = await hash(`flip7 secret ${seed} ${salt}`);
  if ((await hash(promised)) !== commitment || after(lines, 'secret')[0] !== secret) return false;
  return !share || shared(lines, seed, share);
}
