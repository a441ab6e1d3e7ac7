import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { licences, serviceWorker } from './build/plugins.ts';

const SERVER = process.env['FLIP7_SERVER'] ?? 'http://127.0.0.1:7007';

/** The oldest browsers that the client is built for; public/floor.js and docs/play.md name them too. */
const FLOOR = ['chrome108', 'edge108', 'firefox121', 'safari16.4', 'ios16.4'];

/** Safari before 16.4 does not read ranges in media queries, which a newer target would write: the layout holds there too. */
const STYLES = ['chrome108', 'edge108', 'firefox121', 'safari15.4', 'ios15.4'];

export default defineConfig({
  plugins: [svelte(), licences(), serviceWorker()],
  build: { target: FLOOR, cssTarget: STYLES, modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: true },
  json: { stringify: true },
  server: { fs: { allow: ['..'] }, proxy: { '/api': SERVER, '/ws': { target: SERVER, ws: true } } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
