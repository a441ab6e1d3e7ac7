/** The shape of a catalogue, and how a text gets its numbers and names. */

import type { Catalogue } from './keys';

/** A text that depends on a number `n`, by the plural rules of its language. */
export interface Plural {
  one: string;
  many?: string;
  other: string;
}

export type Entry = string | Plural;
export type Chapter = keyof Catalogue;

/** What a text needs: nothing, or an object with a value for each of its holes. */
export type Values<Holes> = [Holes] extends [never] ? [] : [Record<Holes & string, string | number>];

/** The text of an entry with its holes filled. */
export function fill(entry: Entry, values: Record<string, string | number>, rules: Intl.PluralRules): string {
  let text: string;
  if (typeof entry === 'string') {
    text = entry;
  } else {
    const form = rules.select(Number(values['n']));
    text = form === 'one' ? entry.one : form === 'many' ? (entry.many ?? entry.other) : entry.other;
  }
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}
