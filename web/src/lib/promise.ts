/** The promise about a game: what this device adds to its deck, and the check that it was kept. */

import type { GameView, Reveal, SeatInfo } from './messages';
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

/** What this device has added to a table's next game: the hash of the secret that it was shown, and its nonce. */
interface Added {
  secret: string;
  nonce: string;
  /** Whether the game begins at once, so that no other device can add anything. */
  alone?: boolean;
}

/** What this device had a share in, and who else could have had one. */
export interface Share {
  secret: string;
  nonce: string;
  /** How many devices people played on when the game began. */
  devices: number;
  /** How many of them had sat down before this one; `null` where that is not known. */
  before: number | null;
}

interface Shares {
  /** By the code of a table: for its next game. */
  next: Record<string, Added>;
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

/** Note what this device has added to a table's next game, whose secret has this hash; `alone` where that begins at once. */
export function noteNonce(code: string, secret: string, added: string, alone = false): void {
  if (!secret) return;
  const { next, games } = shares();
  delete next[code];
  remember(KEY, { next: newest({ ...next, [code]: { secret, nonce: added, alone } }), games });
}

/** What this device adds to a table's next game: always the same, so that the server cannot choose among several. */
export function nonceFor(code: string, secret: string): string {
  const known = shares().next[code];
  if (known?.nonce && known.secret === secret) return known.nonce;
  const added = nonce();
  noteNonce(code, secret, added);
  return added;
}

/** Note that a game has begun at a table, where these are the ids of the own seats: what was added before belongs to it. */
export function noteStart(code: string, game: Pick<GameView, 'id' | 'number'>, seats: SeatInfo[], ids: number[]): void {
  const { next, games } = shares();
  const share = next[code];
  const playing = seats.filter((seat) => !seat.waiting);
  const own = playing.find((seat) => ids.includes(seat.id));
  if (!share || !own || games[game.id]) return;
  delete next[code];
  const devices = [...new Set(playing.filter((seat) => !seat.bot).map((seat) => seat.device))];
  const sitting = { devices: devices.length, before: devices.filter((device) => device < own.device).length };
  // Later, some who were there at first may have left their seats to bots.
  const others = share.alone ? { devices: 1, before: 0 } : game.number <= 0 ? sitting : { devices: playing.length, before: null };
  const { secret, nonce } = share;
  remember(KEY, { next, games: newest({ ...games, [game.id]: { secret, nonce, ...others } }) });
}

/** What this device had a share in of a game, if it is known. */
export const shareOf = (game: string): Share | null => shares().games[game] ?? null;

/** What stands after a word at the beginning of a line. */
const after = (lines: string[], word: string): string[] => lines.find((line) => line.startsWith(`${word} `))?.split(' ').slice(1) ?? [];

/** Whether these nonces are what the devices can have added, in the order in which they sat down, and the own one is in its place. */
function fitting(nonces: string[], { nonce, devices, before }: Share): boolean {
  const at = nonces.indexOf(nonce);
  if (at < 0 || nonces.length > devices) return false;
  return before === null || (at <= before && nonces.length - 1 - at <= devices - 1 - before);
}

/** Whether a promise is about the secret that this device was shown, with nobody's nonces but the players', and the dealer follows from both. */
async function shared(lines: string[], seed: string, share: Share): Promise<boolean> {
  const nonces = after(lines, 'nonces');
  if (after(lines, 'secret')[0] !== share.secret || !fitting(nonces, share)) return false;
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
