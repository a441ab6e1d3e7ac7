/** What a device remembers: nothing is taken for a wish that nobody has had. */

import './page';
import { expect, it } from 'vitest';
import { settings, speedOf } from '../src/lib/settings.svelte';

it('plays fast against bots alone and at leisure with others, until somebody wants it otherwise', () => {
  expect(settings.speed).toBeNull();
  expect(speedOf('bots')).toBe('fast');
  expect(speedOf('others')).toBe('normal');
  settings.speed = 'calm';
  expect(speedOf('bots')).toBe('calm');
  expect(speedOf('others')).toBe('calm');
  settings.speed = null;
});
