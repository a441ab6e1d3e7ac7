/** Keeps a shared match in step with the server: follows its socket, and sends what it does not have. */

import { call, Refusal } from '../lib/api';
import { delay, Line } from '../lib/line';
import type { Accepted, AddOperations, Closed, MatchBody, MatchNews, PlainOperation, QrWish, SharedMatch, ShareMatch } from '../lib/messages';
import type { Share } from './store';
import { plainId } from './wire';

const CHUNK = 20_000;

const address = (code: string): string => `/api/matches/${encodeURIComponent(code)}`;

/** Share a match; the rest of its operations follow by `Sync`. */
export async function shareMatch(id: string, operations: PlainOperation[]): Promise<Share> {
  const body: ShareMatch = { id, operations: chunks(operations)[0] ?? [] };
  return call<SharedMatch>('/api/matches', body);
}

/** A shared match, by its link. */
export const findMatch = (code: string, key: string | null): Promise<MatchBody> =>
  call(address(code), undefined, key ? { 'X-Match-Key': key } : {});

/** The link as a picture. */
export const qrCode = (code: string, key: string | null): Promise<Blob> => call(`${address(code)}/qr`, { key: key ?? '' } satisfies QrWish);

function chunks(operations: PlainOperation[]): PlainOperation[][] {
  const parts: PlainOperation[][] = [];
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
  operations(): PlainOperation[];
  received(operations: PlainOperation[]): void;
  online(online: boolean): void;
  gone(): void;
  /** The server takes none of what this device has entered. */
  refused(code: string): void;
}

/** What the server says to those who follow a match. */
type Told = MatchNews | Closed | { type: 'pong' };

export class Sync {
  private readonly line: Line;
  private readonly there = new Set<string>();
  private sending = false;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly share: Share,
    private readonly listener: SyncListener,
  ) {
    this.line = new Line(`/ws/matches/${encodeURIComponent(share.code)}`, {
      hello: () => null,
      ping: () => 'ping',
      heard: (message) => this.receive(message as Told),
      trying: () => listener.online(false),
    });
  }

  close(): void {
    clearTimeout(this.retry);
    this.line.close();
  }

  /** Send what the server does not have. What fails is tried again when the connection is back. */
  async send(): Promise<void> {
    if (!this.share.key || this.sending || !this.line.isOpen || !this.there.size) return;
    this.sending = true;
    clearTimeout(this.retry);
    try {
      for (;;) {
        const missing = this.listener.operations().filter((operation) => !this.there.has(plainId(operation)));
        const part = chunks(missing)[0];
        if (!part?.length) return;
        const body: AddOperations = { key: this.share.key, operations: part };
        await call<Accepted>(`${address(this.share.code)}/operations`, body);
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

  private receive(message: Told): void {
    if (message.type === 'closed' && !message.resume) {
      this.close();
      this.listener.gone();
      return;
    }
    if (message.type !== 'operations') return;
    this.line.welcomed();
    for (const operation of message.operations) this.there.add(plainId(operation));
    this.listener.online(true);
    this.listener.received(message.operations);
    void this.send();
  }
}
