/** Statistics over the matches of this device, as src/flip7/scorekeeper/statistics.py counts them. */

import type { Match } from './match';

export interface PlayerStatistics {
  name: string;
  matches: number;
  finished: number;
  wins: number;
  rounds: number;
  points: number;
  busts: number;
  best: number;
  top: number;
}

export interface Pair {
  a: string;
  b: string;
  matches: number;
  aheadA: number;
  aheadB: number;
}

/** Players of the same name are taken for the same person. */
export function statistics(matches: Match[]): { players: PlayerStatistics[]; pairs: Pair[] } {
  const players = new Map<string, PlayerStatistics>();
  const pairs = new Map<string, Pair>();
  for (const { sheet } of matches) {
    for (const { id, name } of sheet.players) {
      const one = players.get(name) ?? { name, matches: 0, finished: 0, wins: 0, rounds: 0, points: 0, busts: 0, best: 0, top: 0 };
      players.set(name, one);
      const scores = sheet.rounds.flatMap((round) => round.scores[id] ?? []);
      one.matches += 1;
      one.rounds += scores.length;
      one.points += scores.reduce((a, b) => a + b, 0);
      one.busts += sheet.rounds.filter((round) => round.entries[id] === 'bust').length;
      one.best = Math.max(one.best, ...scores);
      one.top = Math.max(one.top, sheet.totals[id] ?? 0);
      if (sheet.winner !== null) {
        one.finished += 1;
        one.wins += sheet.winner === id ? 1 : 0;
      }
    }
    if (sheet.winner === null) continue;
    const seated = [...sheet.players].sort((x, y) => (x.name < y.name ? -1 : x.name > y.name ? 1 : 0));
    seated.forEach((a, i) => {
      for (const b of seated.slice(i + 1)) {
        if (a.name === b.name) continue;
        const key = JSON.stringify([a.name, b.name]);
        const pair = pairs.get(key) ?? { a: a.name, b: b.name, matches: 0, aheadA: 0, aheadB: 0 };
        pairs.set(key, pair);
        const ahead = (x: string, y: string) =>
          sheet.winner === x || (sheet.winner !== y && (sheet.totals[x] ?? 0) > (sheet.totals[y] ?? 0)) ? 1 : 0;
        pair.matches += 1;
        pair.aheadA += ahead(a.id, b.id);
        pair.aheadB += ahead(b.id, a.id);
      }
    });
  }
  const byWins = (x: PlayerStatistics, y: PlayerStatistics) => y.wins - x.wins || y.points / (y.rounds || 1) - x.points / (x.rounds || 1);
  return { players: [...players.values()].sort(byWins), pairs: [...pairs.values()] };
}
