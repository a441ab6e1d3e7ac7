/** Where others find this server. Another device has a localhost of its own: then the server knows better. */

import { openTables } from './api';

const OWN = ['localhost', '127.0.0.1', '[::1]'];
let base = $state(location.origin);
let asked = false;

/** What links begin with that go to other people. */
export function reachable(): string {
  if (!asked && OWN.includes(location.hostname)) {
    asked = true;
    openTables().then(
      (tables) => (base = tables.base || base),
      () => (asked = false),
    );
  }
  return base;
}
