/** What this device remembers of its player: every finished game in a few numbers, to be taken elsewhere as a file. */

import { CHALLENGE } from './daily';
import type { AnyEvent, DailyResult, ReviewBody, RoomView, SeatInfo } from './messages';
import type { Scene } from './scene';
import { recall, remember } from './storage';

/** One finished game, from the side of the player who held the device. */
export interface Played {
  id: string;
  date: string;
  /** The name at the table, by which a review knows the seat. */
  name: string;
  seat: number;
  won: boolean;
  /** The bots that sat there too. */
  bots: string[];
  people: number;
  flip7s: number;
  biggest: number;
  luck?: number;
  skill?: number;
  /** The day of the daily challenge that it was, and the rounds that it took. */
  daily?: string;
  rounds?: number;
}

interface Kept {
  format: 'flip7-profile';
  version: 1;
  games: Played[];
}

export interface Versus {
  bot: string;
  games: number;
  wins: number;
}

/** What is counted while a game is on, because its end does not tell it. */
export interface Tally {
  game: string;
  /** By seat. */
  flip7s: number[];
  /** The bot of each seat when the game began, `null` for a person: one who leaves later is not a bot for that. */
  bots: (string | null)[];
}

const KEY = 'flip7.profile';
const MOST = 5000;

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 64;
const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 1e6;
const isShare = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= 50;

/** A game of a file, or `null` for anything else. */
function read(one: unknown): Played | null {
  if (!one || typeof one !== 'object') return null;
  const game = one as Partial<Played>;
  if (!isText(game.id) || !isText(game.date) || !isText(game.name) || typeof game.won !== 'boolean') return null;
  if (!isCount(game.seat) || !isCount(game.people) || !isCount(game.flip7s) || !isCount(game.biggest)) return null;
  if (!Array.isArray(game.bots) || game.bots.length > 36 || !game.bots.every(isText)) return null;
  const { id, date, name, seat, won, bots, people, flip7s, biggest, luck, skill, daily, rounds } = game;
  return {
    ...{ id, date, name, seat, won, bots, people, flip7s, biggest },
    ...(isShare(luck) && isShare(skill) ? { luck, skill } : {}),
    ...(isText(daily) && isCount(rounds) ? { daily, rounds } : {}),
  };
}

function keep(games: Played[]): boolean {
  return remember(KEY, { format: 'flip7-profile', version: 1, games: games.slice(-MOST) } satisfies Kept);
}

/** Every game that is known here, the oldest first. */
export function played(): Played[] {
  const kept = recall<Partial<Kept>>(KEY);
  return Array.isArray(kept?.games) ? kept.games.flatMap((one) => read(one) ?? []) : [];
}

/** Count these events of a game on; another game begins again. */
export function counted(before: Tally | null, game: string, seats: readonly SeatInfo[], events: readonly AnyEvent[]): Tally {
  const known = before?.game === game ? before : null;
  const bots = known?.bots ?? seats.flatMap((info) => (info.waiting ? [] : [info.bot]));
  const flip7s = [...(known?.flip7s ?? bots.map(() => 0))];
  for (const { kind, seat } of events) {
    if (kind === 'flip7_made' && seat != null) flip7s[seat] = (flip7s[seat] ?? 0) + 1;
  }
  return { game, flip7s, bots };
}

/** Note a finished game, once. With several own seats nobody can say whose it was: then not. */
export function noteGame(scene: Scene, room: RoomView, own: number[], tally: Tally | null): void {
  const seat = own[0];
  const known = played();
  if (seat === undefined || own.length !== 1 || scene.winner === null || known.some((one) => one.id === scene.game)) return;
  const { bots, flip7s } = counted(tally, scene.game, room.seats, []);
  const hands = scene.rounds.map((scores) => scores[seat] ?? 0);
  keep([
    ...known,
    {
      id: scene.game,
      date: new Date().toISOString().slice(0, 10),
      name: scene.names[seat] ?? '',
      seat,
      won: scene.names.length === 1 ? !!scene.challenge : scene.winner === seat,
      bots: bots.filter((bot) => bot !== null),
      people: bots.filter((bot) => bot === null).length,
      flip7s: flip7s[seat] ?? 0,
      biggest: Math.max(0, ...hands),
      ...(room.daily ? { daily: room.daily, rounds: scene.rounds.length } : {}),
    },
  ]);
}

/** Note the result of a day, once, also where the end of the game was not seen here. */
export function noteDaily(day: string, { game, name, rounds, signs }: DailyResult): void {
  const known = played();
  if (known.some((one) => one.id === game)) return;
  const flip7s = [...signs].filter((sign) => sign === '🌟').length;
  keep([...known, { id: game, date: day, name, seat: 0, won: rounds < CHALLENGE, bots: [], people: 1, flip7s, biggest: 0, daily: day, rounds }]);
}

/** Note luck and skill of a game that was reviewed. */
export function noteReview(id: string, review: ReviewBody): void {
  const known = played();
  const game = known.find((one) => one.id === id);
  const seat = game && review.seats[game.seat];
  if (!game || !seat || seat.name !== game.name) return;
  game.luck = seat.luck;
  game.skill = seat.skill;
  keep(known);
}

/** The profile as a file. */
export function exported(): string {
  return JSON.stringify({ format: 'flip7-profile', version: 1, games: played() } satisfies Kept, null, 1);
}

/** Add the games of a file, each once, and to known ones what a review found: how many were new, or why nothing changed. */
export function imported(text: string): number | 'damaged' | 'newer' | 'full' {
  let file: Partial<Omit<Kept, 'version'> & { version: unknown }> | null;
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    return 'damaged';
  }
  if (file?.format !== 'flip7-profile' || !Array.isArray(file.games)) return 'damaged';
  if (file.version !== 1) return typeof file.version === 'number' && file.version > 1 ? 'newer' : 'damaged';
  const games = new Map(played().map((game) => [game.id, game]));
  const before = games.size;
  for (const one of file.games.flatMap((game) => read(game) ?? [])) {
    const known = games.get(one.id);
    if (!known) games.set(one.id, one);
    else if (known.luck === undefined && one.luck !== undefined && one.skill !== undefined) Object.assign(known, { luck: one.luck, skill: one.skill });
  }
  const all = [...games.values()].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  return keep(all) ? games.size - before : 'full';
}

/** Wins in a row: now, and at best. Games alone do not count. */
export function streaks(games: readonly Played[]): { now: number; best: number } {
  let [now, best] = [0, 0];
  for (const game of games) {
    if (game.bots.length + game.people < 2) continue;
    now = game.won ? now + 1 : 0;
    best = Math.max(best, now);
  }
  return { now, best };
}

/** Days in a row on which the daily challenge was finished, up to the given one or the one before it. */
export function dailyStreak(games: readonly Played[], today: string): number {
  const days = new Set(games.flatMap((game) => (game.daily === undefined ? [] : [game.daily])));
  const before = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  let day = days.has(today) ? today : before(today);
  let streak = 0;
  for (; days.has(day); day = before(day)) streak += 1;
  return streak;
}

/** Games and wins against each bot, the most played first. */
export function versus(games: readonly Played[]): Versus[] {
  const rows = new Map<string, Versus>();
  for (const game of games) {
    for (const bot of new Set(game.bots)) {
      const row = rows.get(bot) ?? { bot, games: 0, wins: 0 };
      rows.set(bot, { bot, games: row.games + 1, wins: row.wins + (game.won ? 1 : 0) });
    }
  }
  return [...rows.values()].sort((a, b) => b.games - a.games || (a.bot < b.bot ? -1 : 1));
}

/** The average of luck and skill over the games that were reviewed. */
export function fortune(games: readonly Played[]): { games: number; luck: number; skill: number } {
  const reviewed = games.filter((game) => game.luck !== undefined);
  const mean = (pick: (game: Played) => number) => reviewed.reduce((sum, game) => sum + pick(game), 0) / Math.max(1, reviewed.length);
  return { games: reviewed.length, luck: mean((game) => game.luck ?? 0), skill: mean((game) => game.skill ?? 0) };
}
