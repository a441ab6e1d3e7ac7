/** Hands that are tapped only in part: they outlive a change of player, another phone's entry, and a reload. */

import { SvelteMap } from 'svelte/reactivity';
import type { Card } from '../lib/messages';

export interface Draft {
  how: 'cards' | 'points';
  hand: Card[];
  points: string;
}

const KEY = 'flip7.score.drafts.';

/** Whether anything has been tapped. */
export const begun = (draft: Draft | undefined): draft is Draft => draft !== undefined && (draft.hand.length > 0 || draft.points !== '');

export class Drafts {
  private readonly drafts = new SvelteMap<string, Draft>();

  constructor(private readonly match: string) {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY + match) ?? '[]') as [string, Draft][];
      for (const [name, draft] of kept) this.drafts.set(name, draft);
    } catch {
      return; // a browser that keeps nothing keeps no drafts over a reload either
    }
  }

  /** What was tapped for a player in a round, if anything. */
  get(round: number, player: string): Draft | undefined {
    return this.drafts.get(`${round} ${player}`);
  }

  /** Keep what is tapped so far; nothing tapped is nothing kept. */
  set(round: number, player: string, draft: Draft): void {
    if (begun(draft)) this.drafts.set(`${round} ${player}`, draft);
    else this.drafts.delete(`${round} ${player}`);
    this.write();
  }

  /** Forget it: it was entered, or is not wanted. */
  drop(round: number, player: string): void {
    this.drafts.delete(`${round} ${player}`);
    this.write();
  }

  /** All of them, with their round and player. */
  get all(): { round: number; player: string; draft: Draft }[] {
    return [...this.drafts].map(([name, draft]) => {
      const [round = '', player = ''] = name.split(' ');
      return { round: Number(round), player, draft };
    });
  }

  private write(): void {
    try {
      sessionStorage.setItem(KEY + this.match, JSON.stringify([...this.drafts]));
    } catch {
      return;
    }
  }
}
