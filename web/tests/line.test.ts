/** A connection comes back after every loss, and silence is a loss too. */

import { fresh, happen, Socket } from './page';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Line } from '../src/lib/line';

let line: Line;
let heard: unknown[];
let trying: boolean[];

beforeEach(() => {
  fresh();
  [heard, trying] = [[], []];
  line = new Line('/ws/AB', {
    hello: () => 'hello',
    ping: () => 'ping',
    heard: (message) => {
      heard.push(message);
      line.welcomed();
    },
    trying: (again) => trying.push(again),
  });
});
afterEach(() => {
  line.close();
  vi.useRealTimers();
});

function welcome(): void {
  Socket.last.answer();
  Socket.last.say({ type: 'welcome' });
}

describe('a line', () => {
  it('says hello, and is open once it is welcomed', () => {
    expect(Socket.last.url).toBe('ws://here/ws/AB');
    Socket.last.answer();
    expect(Socket.last.sent).toEqual(['hello']);
    expect(line.isOpen).toBe(false);
    Socket.last.say({ type: 'welcome' });
    expect([line.isOpen, heard, trying]).toEqual([true, [{ type: 'welcome' }], [false]]);
  });

  it('gives up an attempt that nobody answers, and makes another', async () => {
    await vi.advanceTimersByTimeAsync(11_000);
    expect(Socket.all).toHaveLength(2);
    expect(trying.at(-1)).toBe(true);
  });

  it('gives up a connection on which no welcome comes', async () => {
    Socket.last.answer();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(Socket.all).toHaveLength(2);
  });

  it('does not wait for a stuck attempt when the network or the user is back', async () => {
    await vi.advanceTimersByTimeAsync(1000);
    happen('online');
    expect(Socket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1500);
    happen('visibilitychange', true);
    expect(Socket.all).toHaveLength(1);
    happen('visibilitychange');
    expect(Socket.all).toHaveLength(2);
  });

  it('is lost when the server stays silent after a ping, and not when it answers', async () => {
    welcome();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(Socket.last.sent.at(-1)).toBe('ping');
    Socket.last.say({ type: 'pong' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(Socket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(Socket.all).toHaveLength(2);
  });

  it('waits longer after each failure, and not for ever', async () => {
    for (let i = 0; i < 12; i += 1) {
      Socket.last.onclose?.();
      await vi.advanceTimersByTimeAsync(20_000);
    }
    expect(Socket.all.length).toBeGreaterThan(12);
    welcome();
    Socket.last.onclose?.();
    const before = Socket.all.length;
    await vi.advanceTimersByTimeAsync(600);
    expect(Socket.all).toHaveLength(before + 1);
  });

  it('stays closed', async () => {
    line.close();
    happen('online');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(Socket.all).toHaveLength(1);
  });
});
