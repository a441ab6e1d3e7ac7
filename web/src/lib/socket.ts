/** The connection to a table: says hello, comes back after every loss, and knows when not to. */

import { Line } from './line';
import { PROTOCOL, type FromClient, type FromServer, type Hello } from './messages';

export type Link = 'connecting' | 'open' | 'retrying' | 'displaced' | 'ended';

export interface Listener {
  /** What to say first, each time again. */
  hello(): Hello;
  message(message: FromServer): void;
  link(state: Link, code: string | null): void;
}

const ANSWER_WITHIN = 4_000;

/** Where the socket of a table is. */
export const tablePath = (code: string): string => `/ws/${encodeURIComponent(code)}`;

export class Connection {
  private readonly line: Line;
  private taps = 0;
  /** What was wanted and has not been heard by the server yet, for all that is known. */
  private unheard: { tap: number; message: FromClient }[] = [];

  constructor(
    code: string,
    private readonly listener: Listener,
  ) {
    this.line = new Line(tablePath(code), {
      hello: () => JSON.stringify(listener.hello()),
      ping: () => JSON.stringify({ type: 'ping', at: Date.now() } satisfies FromClient),
      heard: (message) => this.receive(message as FromServer),
      trying: (again) => listener.link(again ? 'retrying' : 'connecting', null),
    });
  }

  /** Send a message. Returns false, and sends nothing, while there is no connection. */
  send(message: FromClient): boolean {
    return this.line.isOpen && this.line.send(JSON.stringify(message));
  }

  /** Send a message that the server answers at once; if nothing at all is heard, the connection is dead. */
  ask(message: FromClient): void {
    if (this.send(message)) this.line.expect(ANSWER_WITHIN);
    else this.line.hurry();
  }

  /** Send what the player wants. Whether it arrives is found out at once: the answer to a ping tells that everything before it has been heard. */
  want(message: FromClient): boolean {
    this.taps += 1;
    this.unheard = [...this.unheard.filter((one) => one.message.type !== message.type), { tap: this.taps, message }];
    const sent = this.send(message);
    if (sent) this.ask({ type: 'ping', at: this.taps });
    else this.line.hurry();
    return sent;
  }

  /** What may have been lost with the last connection; it is told once. */
  lost(): FromClient[] {
    const messages = this.unheard.map((one) => one.message);
    this.unheard = [];
    return messages;
  }

  /** Connect again after having been displaced. */
  takeOver(): void {
    this.line.again();
  }

  /** Close for good. */
  close(): void {
    this.line.close();
  }

  private receive(message: FromServer): void {
    if (message.type === 'welcome') {
      if (message.protocol !== PROTOCOL) return location.reload();
      this.line.welcomed();
      this.listener.link('open', null);
    }
    if (message.type === 'pong') this.unheard = this.unheard.filter((one) => one.tap > message.at);
    if (message.type === 'closed' && !message.resume) {
      this.unheard = [];
      this.line.pause();
      this.listener.link(message.code === 'displaced' ? 'displaced' : 'ended', message.code);
      return;
    }
    this.listener.message(message);
  }
}
