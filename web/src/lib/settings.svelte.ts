/** What this device remembers about its player: how the table looks, moves and sounds. */

import { LANGUAGES, type Language } from '../i18n/languages';
import { FACTORS } from './times';
import type { Speed } from './messages';
import { recall, remember } from './storage';

export type Theme = 'light' | 'dark' | 'system';
export type Motion = 'full' | 'reduced' | 'system';

interface Settings {
  sound: boolean;
  volume: number;
  vibration: boolean;
  /** How fast tables play that this device opens, and replays; `null` until it has been chosen. */
  speed: Speed | null;
  theme: Theme;
  motion: Motion;
  odds: boolean;
  /** Whether the first game teaches. */
  tips: boolean;
  coach: boolean;
  language: Language;
  name: string;
  colour: number | null;
}

const KEY = 'flip7.settings';

/** The first of the browser's languages that we speak, otherwise English. */
function ownLanguage(): Language {
  for (const wish of navigator.languages) {
    const found = LANGUAGES.find((language) => wish.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  return 'en';
}

const initial: Settings = {
  sound: true,
  volume: 0.4,
  vibration: true,
  speed: null,
  theme: 'system',
  motion: 'system',
  odds: true,
  tips: true,
  coach: false,
  language: ownLanguage(),
  name: '',
  colour: null,
};

function stored(): Settings {
  const kept = recall<Partial<Settings>>(KEY);
  const all = { ...initial, ...(kept && typeof kept === 'object' ? kept : {}) };
  if (!LANGUAGES.includes(all.language)) all.language = initial.language;
  if (all.speed !== null && !(all.speed in FACTORS)) all.speed = initial.speed;
  return all;
}

export const settings = $state<Settings>(stored());

/** How fast tables play that this device opens: nobody wants to wait for bots, and with others everything is to be seen. */
export function speedOf(company: 'bots' | 'others'): Speed {
  return settings.speed ?? (company === 'bots' ? 'fast' : 'normal');
}

const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const stillQuery = matchMedia('(prefers-reduced-motion: reduce)');
const system = $state({ dark: darkQuery.matches, still: stillQuery.matches });
darkQuery.addEventListener('change', (event) => (system.dark = event.matches));
stillQuery.addEventListener('change', (event) => (system.still = event.matches));

/** Whether nothing may travel or shake. */
export function reducedMotion(): boolean {
  return settings.motion === 'reduced' || (settings.motion === 'system' && system.still);
}

$effect.root(() => {
  $effect(() => void remember(KEY, $state.snapshot(settings)));
  $effect(() => {
    const dark = settings.theme === 'dark' || (settings.theme === 'system' && system.dark);
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
  });
  $effect(() => {
    document.documentElement.dataset['motion'] = reducedMotion() ? 'reduced' : 'full';
  });
});
