/** The promise about a game: what this device adds to its deck, and the check that it was kept. */

import type { Reveal } from './messages';

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** What a device adds to the server's secret, so that neither can choose the deck. */
export const nonce = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));

async function sha256(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

/** Whether what was revealed is what had been promised before the first card. */
export async function kept(commitment: string, promised: string, { seed, salt }: Reveal): Promise<boolean> {
  if (!promised) return (await sha256(`flip7 deck ${seed} ${salt}`)) === commitment;
  const secret = await sha256(`flip7 secret ${seed} ${salt}`);
  return (await sha256(promised)) === commitment && promised.split('\n').includes(`secret ${secret}`);
}
