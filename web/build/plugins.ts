/** What the build adds to the bundle: a service worker that knows every file of it, and the licences of the fonts. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const FONTS = ['@fontsource-variable/figtree', '@fontsource/dela-gothic-one'];

/** Languages other than the chosen one, and letters that most names do not need, are kept when first used. */
const LATER = /latin-ext|\/(en|de|fr|es)-(play|extra)/;

/** Write `sw.js` with the list of files to keep, last of all, so that a new build is a new service worker. */
export function serviceWorker(): Plugin {
  return {
    name: 'flip7-service-worker',
    apply: 'build',
    enforce: 'post', // after the chunks that turned out to be only styles are gone
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const own = Object.keys(bundle).filter((name) => !name.endsWith('.map') && !name.endsWith('.txt'));
        const files = [...new Set(['/', ...own.map((name) => `/${name}`), ...published()])]
          .filter((name) => name !== '/index.html' && !LATER.test(name))
          .sort();
        const version = createHash('sha256');
        for (const [name, item] of Object.entries(bundle).sort()) {
          version.update(name).update(item.type === 'chunk' ? item.code : item.source);
        }
        const source = readFileSync('src/sw.js', 'utf8')
          .replace('__VERSION__', JSON.stringify(version.digest('hex').slice(0, 12)))
          .replace('__FILES__', JSON.stringify(files));
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}

/** The files of `public/` that the shell uses. */
function published(): string[] {
  return readdirSync('public').map((name) => `/${name}`);
}

/** The open licences of the fonts travel with them. */
export function licences(): Plugin {
  return {
    name: 'flip7-licences',
    apply: 'build',
    generateBundle() {
      for (const font of FONTS) {
        const source = readFileSync(`node_modules/${font}/LICENSE`, 'utf8');
        this.emitFile({ type: 'asset', fileName: `licences/${font.split('/')[1]}.txt`, source });
      }
    },
  };
}
