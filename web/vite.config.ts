import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { licences, serviceWorker } from './build/plugins.ts';

const SERVER = process.env['FLIP7_SERVER'] ?? 'http://127.0.0.1:7007';

export default defineConfig({
  plugins: [svelte(), licences(), serviceWorker()],
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: true },
  server: { proxy: { '/api': SERVER, '/ws': { target: SERVER, ws: true } } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
