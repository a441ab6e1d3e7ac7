/** Just as much of a browser as the client's bookkeeping needs, and a server's end of its sockets. Import it first. */

import { vi } from 'vitest';

const kept = new Map<string, string>();
let full = false;
const listeners = new Map<string, Set<() => void>>();
const listen = {
  addEventListener: (kind: string, what: () => void) => void (listeners.get(kind) ?? listeners.set(kind, new Set()).get(kind))?.add(what),
  removeEventListener: (kind: string, what: () => void) => void listeners.get(kind)?.delete(what),
};
const page = { hidden: false, documentElement: { dataset: {}, lang: '' }, ...listen };

/** A socket whose other end is the test. */
export class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  static get last(): Socket {
    return Socket.all.at(-1) as Socket;
  }

  send(text: string): void {
    this.sent.push(text.startsWith('{') ? JSON.parse(text) : text);
  }

  close(): void {
    this.readyState = 3;
  }

  /** The server answers the call. */
  answer(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }

  /** The server says something. */
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

Object.assign(globalThis, {
  localStorage: {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (full) throw new Error('full');
      kept.set(key, value);
    },
    removeItem: (key: string) => void kept.delete(key),
  },
  document: page,
  location: { protocol: 'http:', host: 'here', hostname: 'localhost', origin: 'http://localhost', pathname: '/', search: '' },
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  WebSocket: Socket,
  ...listen,
});

vi.stubGlobal('navigator', { languages: ['en'] });

/** Something happens to the page. */
export function happen(kind: 'online' | 'offline' | 'visibilitychange', hidden = false): void {
  page.hidden = hidden;
  for (const what of [...(listeners.get(kind) ?? [])]) what();
}

/** What the device has kept is gone, or it keeps nothing more. */
export function storage(state: 'empty' | 'full'): void {
  full = state === 'full';
  if (!full) kept.clear();
}

/** A new page: nothing kept, nobody called, and a clock that the test turns. */
export function fresh(): void {
  vi.useFakeTimers();
  storage('empty');
  Socket.all = [];
  listeners.clear();
  page.hidden = false;
}
