/** Gives seats up from afar: says hello to a table for a moment, and leaves it. */

import { t } from '../i18n/i18n.svelte';
import { socketAddress } from './line';
import type { FromServer, SeatInfo } from './messages';
import { held } from './seats';
import { tablePath } from './socket';

const PATIENCE = 5000;

/** What becomes of a game that one leaves: nobody else holds a seat, and it ends; otherwise a bot plays on. */
export function leavingWords(seats: readonly SeatInfo[], daily: boolean): string {
  if (daily) return t('table.leave.daily');
  const devices = new Set(seats.filter((seat) => !seat.bot).map((seat) => seat.device));
  return t(devices.size > 1 ? 'table.leave.sure' : 'table.leave.alone');
}

/** Leave a table for good. Resolves to whether the server knows it; seats that are no longer held are left already. */
export function leave(code: string): Promise<boolean> {
  const kept = held(code);
  if (!kept) return Promise.resolve(true);
  return new Promise((resolve) => {
    const socket = new WebSocket(socketAddress(tablePath(code)));
    const end = (done: boolean): void => {
      clearTimeout(timer);
      socket.onclose = null;
      socket.close();
      resolve(done);
    };
    const timer = setTimeout(() => end(false), PATIENCE);
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', token: kept.token }));
    socket.onmessage = (event) => {
      const message = JSON.parse(String(event.data)) as FromServer;
      if (message.type === 'welcome') socket.send(JSON.stringify({ type: 'leave' }));
      else if (message.type === 'closed') end(!message.resume);
    };
    socket.onclose = () => end(false);
  });
}
