/** Keeps a shared match in step with the server: follows its socket, and sends what it does not have. */

import { Refusal } from '../lib/api';
import { delay } from '../lib/socket';
import type { Share } from './store';
import { plainId, type Plain } from './wire';

const CHUNK = 20_000;
const PING_EVERY = 20_000;
const PONG_WITHIN = 8_000;

async function call<T>(path: string, body?: unknown, key?: string | null): Promise<T> {
  let answer: Response;
  try {
    const headers: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    if (key) headers['X-Match-Key'] = key;
    answer = await fetch(path, { method: body === undefined ? 'GET' : 'POST', headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new Refusal('network', '', 0);
  }
  if (!answer.ok) {
    const problem = (await answer.json().catch(() => null)) as { code?: string; text?: string } | null;
    throw new Refusal(problem?.code ?? 'unknown', problem?.text ?? '', answer.status);
  }
  const svg = answer.headers.get('content-type')?.includes('svg');
  return (svg ? await answer.blob() : await answer.json()) as T;
}

const address = (code: string): string => `/api/matches/${encodeURIComponent(code)}`;

/** Share a match; the rest of its operations follow by `Sync`. */
export async function shareMatch(id: string, operations: Plain[]): Promise<Share> {
  return call<{ code: string; key: string }>('/api/matches', { id, operations: chunks(operations)[0] ?? [] });
}

export interface Found {
  id: string;
  operations: Plain[];
  enter: boolean;
}

/** A shared match, by its link. */
export const findMatch = (code: string, key: string | null): Promise<Found> => call(address(code), undefined, key);

/** The link as a picture. */
export const qrCode = (code: string, key: string | null): Promise<Blob> => call(`${address(code)}/qr`, { key: key ?? '' });

function chunks(operations: Plain[]): Plain[][] {
  const parts: Plain[][] = [];
  let size = CHUNK;
  for (const operation of operations) {
    const length = JSON.stringify(operation).length;
    if (size + length > CHUNK || (parts.at(-1)?.length ?? 0) >= 400) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(operation);
    size += length;
  }
  return parts;
}

export interface SyncListener {
  operations(): Plain[];
  received(operations: Plain[]): void;
  online(online: boolean): void;
  gone(): void;
  /** The server takes none of what this device has entered. */
  refused(code: string): void;
}

export class Sync {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private readonly there = new Set<string>();
  private sending = false;
  private ended = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private ping: ReturnType<typeof setInterval> | undefined;
  private deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly share: Share,
    private readonly listener: SyncListener,
  ) {
    addEventListener('online', this.hurry);
    addEventListener('offline', this.cut);
    document.addEventListener('visibilitychange', this.hurry);
    this.open();
  }

  close(): void {
    this.ended = true;
    removeEventListener('online', this.hurry);
    removeEventListener('offline', this.cut);
    document.removeEventListener('visibilitychange', this.hurry);
    this.drop();
  }

  /** Send what the server does not have. What fails is tried again when the connection is back. */
  async send(): Promise<void> {
    if (!this.share.key || this.sending || this.socket?.readyState !== WebSocket.OPEN || !this.there.size) return;
    this.sending = true;
    try {
      for (;;) {
        const missing = this.listener.operations().filter((operation) => !this.there.has(plainId(operation)));
        const part = chunks(missing)[0];
        if (!part?.length) return;
        await call(`${address(this.share.code)}/operations`, { key: this.share.key, operations: part });
        for (const operation of part) this.there.add(plainId(operation));
      }
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) this.listener.gone();
      else if (error instanceof Refusal && error.status !== 0 && error.status !== 429 && error.status < 500) this.listener.refused(error.code);
      else this.retry = setTimeout(() => void this.send(), delay(3, Math.random()));
    } finally {
      this.sending = false;
    }
  }

  private readonly hurry = (): void => {
    if (!this.ended && !document.hidden && !this.socket) this.open();
  };

  private readonly cut = (): void => {
    if (!this.ended) this.lost();
  };

  private open(): void {
    this.drop();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws/matches/${encodeURIComponent(this.share.code)}`);
    this.socket = socket;
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as { type: string; operations?: Plain[]; resume?: boolean });
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
    this.ping = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send('ping');
      this.deadline = setTimeout(() => this.lost(), PONG_WITHIN);
    }, PING_EVERY);
  }

  private receive(message: { type: string; operations?: Plain[]; resume?: boolean }): void {
    clearTimeout(this.deadline);
    if (message.type === 'closed' && !message.resume) {
      this.close();
      this.listener.gone();
      return;
    }
    if (message.type !== 'operations' || !message.operations) return;
    this.attempt = 0;
    for (const operation of message.operations) this.there.add(plainId(operation));
    this.listener.online(true);
    this.listener.received(message.operations);
    void this.send();
  }

  private lost(): void {
    this.drop();
    if (this.ended) return;
    this.listener.online(false);
    this.attempt += 1;
    this.retry = setTimeout(() => this.open(), delay(this.attempt - 1, Math.random()));
  }

  private drop(): void {
    clearTimeout(this.retry);
    clearTimeout(this.deadline);
    clearInterval(this.ping);
    const socket = this.socket;
    this.socket = null;
    if (socket) {
      socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }
}
