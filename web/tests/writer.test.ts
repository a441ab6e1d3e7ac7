/** Everybody at a shared match sees who wrote what, and must not learn by that which device plays the daily challenge. */

import './page';
import { expect, it } from 'vitest';
import { deviceId } from '../src/lib/daily';
import { device } from '../src/scorekeeper/store';

it('does not sign with the number that only the server knows', () => {
  expect(device()).not.toContain(deviceId());
  expect(device()).toMatch(/^[\w-]+~[\w-]+$/);
});
