/** Without a network, or with one that does not answer, the kept page opens. */

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const source = readFileSync(new URL('../src/sw.js', import.meta.url), 'utf8').replace('__VERSION__', '"1"').replace('__FILES__', '[]');

type Handler = (event: { request: { method: string; url: string; mode: string }; respondWith: (answer: Promise<unknown>) => void }) => void;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Open a page through the worker, with what the network does and what is kept. */
function visit(network: () => Promise<unknown>, kept: string | undefined): Promise<unknown> {
  const handlers = new Map<string, Handler>();
  const self = { addEventListener: (kind: string, handler: Handler) => void handlers.set(kind, handler) };
  const run = new Function('self', 'caches', 'fetch', 'location', source);
  run(self, { match: async () => kept }, network, { origin: 'http://here' });
  let answer: Promise<unknown> = Promise.resolve('nothing');
  const request = { method: 'GET', url: 'http://here/t/AB', mode: 'navigate' };
  handlers.get('fetch')?.({ request, respondWith: (given) => (answer = given) });
  return answer;
}

const after = (ms: number, what: string): Promise<string> => new Promise((resolve) => setTimeout(() => resolve(what), ms));

it('comes from the network', async () => {
  const page = visit(() => after(1000, 'fresh'), 'kept');
  await vi.advanceTimersByTimeAsync(1000);
  expect(await page).toBe('fresh');
});

it('is the kept one without a network', async () => {
  expect(await visit(() => Promise.reject(new Error('offline')), 'kept')).toBe('kept');
});

it('is the kept one when the network has not answered for three seconds', async () => {
  const page = visit(() => after(60_000, 'fresh'), 'kept');
  await vi.advanceTimersByTimeAsync(3000);
  expect(await page).toBe('kept');
});

it('is waited for where nothing is kept', async () => {
  const page = visit(() => after(20_000, 'fresh'), undefined);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await page).toBe('fresh');
});
