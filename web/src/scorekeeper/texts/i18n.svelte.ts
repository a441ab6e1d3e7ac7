/** The texts of the scorekeeper, in the language of the settings. They are kept with the shell, for offline. */

import { fill, type CatalogueOf, type ValuesOf } from '../../i18n/format';
import type { Language } from '../../i18n/languages';
import { settings } from '../../lib/settings.svelte';
import { words as english } from './words-en';

export type Words = CatalogueOf<typeof english>;
export type Word = keyof typeof english;

const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<{ words: Words }>> = {
  de: () => import('./words-de'),
  fr: () => import('./words-fr'),
  es: () => import('./words-es'),
};

let spoken = $state.raw<{ words: Words; rules: Intl.PluralRules }>({ words: english, rules: new Intl.PluralRules('en') });

async function load(language: Language): Promise<void> {
  const words: Words = language === 'en' ? english : (await LOADERS[language]()).words;
  spoken = { words, rules: new Intl.PluralRules(language) };
}

$effect.root(() => {
  $effect(() => void load(settings.language).catch(() => undefined));
});

/** The text for a key, with its holes filled. */
export function s<K extends Word>(key: K, ...values: ValuesOf<(typeof english)[K]>): string {
  return fill(spoken.words[key], (values[0] ?? {}) as Record<string, string | number>, spoken.rules);
}
