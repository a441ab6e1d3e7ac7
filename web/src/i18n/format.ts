/** The shape of a catalogue, and how a text gets its numbers and names. */

import type { en } from './en';

/** A text that depends on a number `n`, by the plural rules of its language. */
export interface Plural {
  one: string;
  many?: string;
  other: string;
}

type Entry = string | Plural;
export type Key = keyof typeof en;

/** Every other language has the same keys: a text for a text, a plural for a plural. */
export type CatalogueOf<E> = { readonly [K in keyof E]: E[K] extends string ? string : Plural };
export type Catalogue = CatalogueOf<typeof en>;

type Holes<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never;
type HolesOf<T> = T extends string ? Holes<T> : T extends { other: infer O extends string } ? Holes<O> | 'n' : never;

/** What a text needs: nothing, or an object with a value for each of its holes. */
export type ValuesOf<T> = [HolesOf<T>] extends [never] ? [] : [Record<HolesOf<T>, string | number>];
export type Values<K extends Key> = ValuesOf<(typeof en)[K]>;

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
