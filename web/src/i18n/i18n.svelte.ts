/** Loads the chosen language, and that one only. `t` gives its texts and follows when it changes. */

import { fill, type Catalogue, type Key, type Values } from './format';
import type { Language } from './languages';

const LOADERS: Record<Language, () => Promise<Catalogue>> = {
  en: () => import('./en').then((module) => module.en),
  de: () => import('./de').then((module) => module.de),
  fr: () => import('./fr').then((module) => module.fr),
  es: () => import('./es').then((module) => module.es),
};

interface Spoken {
  texts: Catalogue | null;
  language: Language;
  rules: Intl.PluralRules;
}

let spoken = $state.raw<Spoken>({ texts: null, language: 'en', rules: new Intl.PluralRules('en') });

/** Switch to a language once its texts have arrived. Without a network the present one stays. */
export async function loadLanguage(language: Language): Promise<void> {
  const texts = await LOADERS[language]();
  spoken = { texts, language, rules: new Intl.PluralRules(language) };
  document.documentElement.lang = language;
}

/** The text for a key, with its holes filled. */
export function t<K extends Key>(key: K, ...values: Values<K>): string {
  if (!spoken.texts) return '';
  return fill(spoken.texts[key], values[0] ?? {}, spoken.rules);
}

/** A number between 0 and 1 as a whole percentage, the way the language writes it. */
export function percent(share: number): string {
  return new Intl.NumberFormat(spoken.language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}
