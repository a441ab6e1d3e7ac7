/** Links to other people name an address that they reach. */

import './page';
import { expect, it, vi } from 'vitest';
import { reachable } from '../src/lib/reach.svelte';

it('asks the server where it is found, again after a failure and then no more', async () => {
  let calls = 0;
  const answer = { ok: true, headers: new Headers(), json: async () => ({ tables: [], base: 'http://192.168.0.9' }) };
  vi.stubGlobal('fetch', async () => {
    calls += 1;
    if (calls === 1) throw new TypeError('no network');
    return answer;
  });
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  expect(reachable()).toBe('http://localhost');
  await settled();
  expect(reachable()).toBe('http://localhost');
  await settled();
  expect(reachable()).toBe('http://192.168.0.9');
  expect(reachable()).toBe('http://192.168.0.9');
  expect(calls).toBe(2);
  vi.unstubAllGlobals();
});
