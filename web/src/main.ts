/** Opens the application: settings, language, then the page. */

import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { loadLanguage } from './i18n/i18n.svelte';
import { settings } from './lib/settings.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');

await loadLanguage(settings.language);
mount(App, { target });

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
}
