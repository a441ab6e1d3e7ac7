/** Checks in the browser that the deck which was played is the one that was promised before the first card. */

import type { Reveal } from './messages';

/** The hash of a seed and a salt, as the server publishes it. */
export async function commitment({ seed, salt }: Reveal): Promise<string> {
  const bytes = new TextEncoder().encode(`flip7 deck ${seed} ${salt}`);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
