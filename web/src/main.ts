/** Opens the application: settings, language, then the page. */

import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { loadLanguage } from './i18n/i18n.svelte';
import { settings } from './lib/settings.svelte';

/** Said where no language at all can be loaded. */
const UNREACHABLE = {
  en: 'This page did not arrive whole. Is there a network? Then load it again.',
  de: 'Diese Seite ist nicht ganz angekommen. Gibt es ein Netz? Dann lade sie neu.',
  fr: 'Cette page n’est pas arrivée entière. Y a-t-il du réseau ? Alors rechargez-la.',
  es: 'Esta página no ha llegado entera. ¿Hay red? Entonces vuelve a cargarla.',
};

async function begin(target: HTMLElement): Promise<void> {
  try {
    await loadLanguage(settings.language).catch(() => loadLanguage('en'));
  } catch {
    target.textContent = UNREACHABLE[settings.language];
    return;
  }
  mount(App, { target });
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  }
}

// Without it, public/floor.js has told that the browser is too old.
const target = document.getElementById('app');
if (target) await begin(target);
