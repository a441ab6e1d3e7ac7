/** The connection to a table: says hello, comes back after every loss, and knows when not to. */

import { PROTOCOL, type FromClient, type FromServer, type Hello } from './messages';

export type Link = 'connecting' | 'open' | 'retrying' | 'displaced' | 'ended';

export interface Listener {
  /** What to say first, each time anew. */
  hello(): Hello;
  message(message: FromServer): void;
  link(state: Link, code: string | null): void;
}

const FIRST_RETRY = 400;
const LAST_RETRY = 15_000;
const PING_EVERY = 15_000;
const PONG_WITHIN = 8_000;

/** How long to wait before the attempt number `attempt`: twice as long each time, with some chance in it. */
export function delay(attempt: number, chance: number): number {
  return Math.min(LAST_RETRY, FIRST_RETRY * 2 ** attempt) * (0.7 + 0.6 * chance);
}

export class Connection {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private ping: ReturnType<typeof setInterval> | undefined;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(
    private readonly code: string,
    private readonly listener: Listener,
  ) {
    addEventListener('online', this.hurry);
    document.addEventListener('visibilitychange', this.hurry);
    this.open();
  }

  /** Send a message. Returns false, and sends nothing, while there is no connection. */
  send(message: FromClient): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Connect again after having been displaced. */
  takeOver(): void {
    this.ended = false;
    this.open();
  }

  /** Close for good. */
  close(): void {
    this.ended = true;
    removeEventListener('online', this.hurry);
    document.removeEventListener('visibilitychange', this.hurry);
    this.drop();
  }

  /** The network or the user is back: do not wait for the next attempt, and see whether an old connection lives. */
  private readonly hurry = (): void => {
    if (this.ended || document.hidden) return;
    if (!this.socket) this.open();
    else if (this.socket.readyState === WebSocket.OPEN) this.probe();
  };

  private open(): void {
    this.drop();
    this.listener.link(this.attempt ? 'retrying' : 'connecting', null);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(this.code)}`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.listener.hello()));
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as FromServer);
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  private receive(message: FromServer): void {
    clearTimeout(this.deadline);
    if (message.type === 'welcome') {
      if (message.protocol !== PROTOCOL) return location.reload();
      this.attempt = 0;
      clearInterval(this.ping);
      this.ping = setInterval(() => this.probe(), PING_EVERY);
      this.listener.link('open', null);
    }
    if (message.type === 'closed' && !message.resume) {
      this.ended = true;
      this.drop();
      this.listener.link(message.code === 'displaced' ? 'displaced' : 'ended', message.code);
      return;
    }
    this.listener.message(message);
  }

  private probe(): void {
    if (!this.send({ type: 'ping', at: Date.now() })) return;
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => {
      this.drop();
      this.lost();
    }, PONG_WITHIN);
  }

  private lost(): void {
    this.drop();
    if (this.ended) return;
    this.attempt += 1;
    this.listener.link('retrying', null);
    this.retry = setTimeout(() => this.open(), delay(this.attempt - 1, Math.random()));
  }

  private drop(): void {
    clearTimeout(this.retry);
    clearTimeout(this.deadline);
    clearInterval(this.ping);
    const socket = this.socket;
    this.socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }
}
