/** The record of a game that was followed card by card, as docs/record.md describes it and `flip7 check` reads it. */

import type { Hand } from '../lib/messages';
import { challenge_met } from '../rules/scoring';
import type { LiveGame, Told } from './live';

/** The whole record. */
export function recordOf(game: LiveGame, names: string[], date: string | null, target: number, dealer: number): string {
  const lines: string[][] = [['flip7', 'record', '1'], ['players', ...names.map((name) => JSON.stringify(name))]];
  if (date) lines.push(['date', date]);
  lines.push(['rules', `target=${target}`, `dealer=${dealer}`, 'first=left', 'reshuffle=empty'], ['live']);
  const writer = new Writer(lines);
  for (const told of game.told) writer.write(told);
  lines.push(footer(game, names.length));
  return `${lines.map((words) => words.join(' ')).join('\n')}\n`;
}

function footer(game: LiveGame, seats: number): string[] {
  if (!game.over) return ['unfinished'];
  const { winner, playoffs } = game.table;
  const line = ['winner', String(winner), 'rounds', String(game.rounds.length), 'playoffs', String(playoffs)];
  if (seats <= 2) line.push('challenge', challenge_met(game.rounds.length, playoffs) ? 'met' : 'missed');
  return line;
}

class Writer {
  private asked = false;
  private shuffled = false;

  constructor(private readonly lines: string[][]) {}

  private line(...words: string[]): void {
    this.lines.push(words);
  }

  private add(...words: string[]): void {
    this.lines.at(-1)?.push(...words);
  }

  write({ event }: Told): void {
    const seat = String(event.seat);
    switch (event.kind) {
      case 'round_started':
        return this.line('round', String(event.round), 'dealer', seat);
      case 'player_hit':
        this.asked = true;
        return this.line(seat, 'hit');
      case 'player_stayed':
        return this.line(seat, 'stay');
      case 'deck_reshuffled':
        this.shuffled = true;
        return;
      case 'card_flipped':
        if (!this.asked && event.ruling !== 'F3-1') this.line(seat, 'deal');
        if (this.shuffled) this.add('shuffle');
        this.asked = this.shuffled = false;
        return this.add(String(event.card));
      case 'flip_three_started':
        return this.add(`${seat}:`);
      case 'card_handed_out':
      case 'second_chance_passed':
        return this.add(`>${event.to}`);
      case 'player_saved':
        return this.add('saved');
      case 'player_busted':
        return this.add('bust');
      case 'flip7_made':
        return this.add('flip7');
      case 'card_discarded':
        if (event.ruling !== 'SC-2') this.add(`-${event.card}`);
        return;
      case 'round_ended':
        if (event.ruling?.startsWith('DECK')) this.line('end', event.ruling);
        return;
      case 'round_scored':
        this.shuffled = this.asked = false;
        return this.scored(event.hands ?? []);
      case 'playoff_called':
        return this.line('playoff', String(event.playoff));
    }
  }

  private scored(hands: readonly Hand[]): void {
    this.line('score', ...hands.map((hand) => String(hand.points)), 'total', ...hands.map((hand) => String(hand.total)));
  }
}
