/** Loads the chosen language, and of it only the chapters that are open. `t` and `s` give its texts and follow when it changes. */

import { fill, type Chapter, type Entry, type Values } from './format';
import type { Catalogue } from './keys';
import type { Language } from './languages';

type Texts = Readonly<Record<string, Entry>>;

const FILES = import.meta.glob<Texts>('../../../src/flip7/catalogue/*-{play,score,extra}.json', { import: 'default' });

interface Spoken {
  chapters: Partial<Record<Chapter, Texts>>;
  language: Language;
  rules: Intl.PluralRules;
}

let spoken = $state.raw<Spoken>({ chapters: {}, language: 'en', rules: new Intl.PluralRules('en') });

async function load(language: Language, chapter: Chapter): Promise<Texts> {
  const file = FILES[`../../../src/flip7/catalogue/${language}-${chapter}.json`];
  if (!file) throw new Error(`no catalogue ${language}-${chapter}`);
  return file();
}

/** Switch to a language once its texts have arrived. Without a network the present one stays. */
export async function loadLanguage(language: Language): Promise<void> {
  const open = new Set<Chapter>(['play', ...(Object.keys(spoken.chapters) as Chapter[])]);
  const loaded = await Promise.all([...open].map(async (chapter) => [chapter, await load(language, chapter)] as const));
  spoken = { chapters: Object.fromEntries(loaded), language, rules: new Intl.PluralRules(language) };
  document.documentElement.lang = language;
}

/** Load a page together with a chapter that it speaks from. */
export async function withChapter<T>(chapter: Chapter, page: Promise<T>): Promise<T> {
  if (!spoken.chapters[chapter]) {
    const { language } = spoken;
    const texts = await load(language, chapter);
    if (spoken.language !== language) return withChapter(chapter, page);
    spoken = { ...spoken, chapters: { ...spoken.chapters, [chapter]: texts } };
  }
  return page;
}

function say(chapter: Chapter, key: string, values: Record<string, string | number> | undefined): string {
  const entry = spoken.chapters[chapter]?.[key];
  return entry === undefined ? '' : fill(entry, values ?? {}, spoken.rules);
}

/** The text for a key, with its holes filled. */
export function t<K extends keyof Catalogue['play']>(key: K, ...values: Values<Catalogue['play'][K]>): string {
  return say('play', key, values[0]);
}

/** The same of the scorekeeper. */
export function s<K extends keyof Catalogue['score']>(key: K, ...values: Values<Catalogue['score'][K]>): string {
  return say('score', key, values[0]);
}

/** The same of coach, review, daily challenge and profile. */
export function x<K extends keyof Catalogue['extra']>(key: K, ...values: Values<Catalogue['extra'][K]>): string {
  return say('extra', key, values[0]);
}

/** How a bot plays, in one sentence; of one that this page does not know, in the server's words. */
export function character(bot: { id: string; character: string }): string {
  return say('play', `bot.${bot.id}`, undefined) || bot.character;
}

/** The language that is spoken now. */
export function language(): Language {
  return spoken.language;
}

/** A number between 0 and 1 as a percentage, the way the language writes it; whole unless digits are asked for. */
export function percent(share: number, digits = 0): string {
  return new Intl.NumberFormat(spoken.language, { style: 'percent', maximumFractionDigits: digits }).format(share);
}

/** Two such percentages as a range: 15–17 %. */
export function between(low: number, high: number): string {
  const [from, to] = [percent(low), percent(high)];
  const sign = /[\s\u00a0\u202f]*%$/;
  return sign.test(from) ? `${from.replace(sign, '')}–${to}` : `${from}–${to}`;
}

/** The same for a change, which has a sign; nothing is a plain 0. */
export function signed(share: number): string {
  return new Intl.NumberFormat(spoken.language, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(share);
}

/** A day such as 2026-11-18, the way the language writes it: the same day everywhere on earth. */
export function day(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : new Intl.DateTimeFormat(spoken.language, { timeZone: 'UTC' }).format(date);
}

/** A number with one decimal, the way the language writes it. */
export function decimal(value: number): string {
  return new Intl.NumberFormat(spoken.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);
}
