/** The first game teaches: five moments that are explained when they come for the first time, each once on a device. */

import type { Card } from './messages';
import { thisRound, type Scene } from './scene';
import { settings } from './settings.svelte';
import { recall, remember } from './storage';

export const LESSONS = ['risk', 'modifier', 'freeze', 'flip3', 'second'] as const;
export type Lesson = (typeof LESSONS)[number];

const KEY = 'flip7.lessons';
const MODIFIER = /^(\+|x)/;

function stored(): Lesson[] {
  const kept = recall<Lesson[]>(KEY);
  return Array.isArray(kept) ? LESSONS.filter((lesson) => kept.includes(lesson)) : [];
}

/** What is explained, with the cards that belong to it. */
interface Caption {
  lesson: Lesson;
  cards: Card[];
}

/** The captions of this device, one after the other: each stays until it has been read. */
export class Lessons {
  private learned = $state.raw<Lesson[]>(stored());
  private caption = $state.raw<Caption | null>(null);

  /** What is explained now; `null` if nothing. */
  get shown(): Caption | null {
    return settings.tips ? this.caption : null;
  }

  /** See whether this moment of a game shows something for the first time, to whoever holds this seat. */
  look(scene: Scene, own: number): void {
    if (this.caption || !settings.tips || !scene.ask) return;
    const turned = thisRound(scene.log).flatMap(({ event }) => event.card ?? []);
    const shows: Record<Lesson, boolean> = {
      risk: scene.ask.seat === own && scene.ask.kind === 'turn' && (scene.odds?.bust[own] ?? 0) > 0,
      modifier: turned.some((card) => MODIFIER.test(card)),
      freeze: turned.includes('freeze'),
      flip3: turned.includes('flip3'),
      second: turned.includes('second'),
    };
    const lesson = LESSONS.find((one) => shows[one] && !this.learned.includes(one));
    if (lesson) this.caption = { lesson, cards: cardsOf(lesson, scene.seats[own]?.cards ?? []) };
  }

  /** The caption has been read: it does not come again. */
  learn(): void {
    if (!this.caption) return;
    this.learned = [...this.learned, this.caption.lesson];
    remember(KEY, this.learned);
    this.caption = null;
  }
}

function cardsOf(lesson: Lesson, hand: readonly Card[]): Card[] {
  if (lesson === 'modifier') return ['x2', '+4'];
  if (lesson !== 'risk') return [lesson];
  const last = hand.filter((card) => /^\d/.test(card)).at(-1);
  return last ? [last, last] : [];
}
