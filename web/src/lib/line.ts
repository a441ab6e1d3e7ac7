/** A socket that comes back: tries again after every loss, and takes what stays silent for lost. */

export interface Caller {
  /** What to say first on each new connection; nothing where the server speaks first. */
  hello(): string | null;
  /** What the server answers at once. */
  ping(): string;
  heard(message: unknown): void;
  /** A connection is being made: the first, or one after a loss. */
  trying(again: boolean): void;
}

const FIRST_RETRY = 400;
const LAST_RETRY = 15_000;
const PING_EVERY = 15_000;
const PONG_WITHIN = 8_000;
/** From the attempt to connect to the first message. */
const WELCOME_WITHIN = 10_000;
/** An attempt that has taken so long is not waited for by anyone in a hurry. */
const STUCK = 2_000;

/** How long to wait before the attempt number `attempt`: twice as long each time, with some chance in it. */
export function delay(attempt: number, chance: number): number {
  return Math.min(LAST_RETRY, FIRST_RETRY * 2 ** attempt) * (0.7 + 0.6 * chance);
}

/** The address of a socket of this server. */
export function socketAddress(path: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`;
}

export class Line {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private begun = 0;
  private welcome = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private ping: ReturnType<typeof setInterval> | undefined;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(
    private readonly path: string,
    private readonly caller: Caller,
  ) {
    addEventListener('online', this.hurry);
    addEventListener('offline', this.cut);
    document.addEventListener('visibilitychange', this.hurry);
    this.open();
  }

  /** Whether the server has welcomed this connection and can be spoken to. */
  get isOpen(): boolean {
    return this.welcome && this.socket?.readyState === WebSocket.OPEN;
  }

  /** Send a text. Returns false, and sends nothing, while there is no connection. */
  send(text: string): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(text);
    return true;
  }

  /** The server has said that this is a good connection. */
  welcomed(): void {
    this.attempt = 0;
    this.welcome = true;
    clearInterval(this.ping);
    this.ping = setInterval(() => this.probe(), PING_EVERY);
  }

  /** Something has to be heard within this time, or the connection is lost. */
  expect(ms: number): void {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => this.lost(), ms);
  }

  /** Connect again after a pause that was made elsewhere. */
  again(): void {
    this.ended = false;
    this.open();
  }

  /** Do not come back by itself. */
  pause(): void {
    this.ended = true;
    this.drop();
  }

  /** Close for good. */
  close(): void {
    this.pause();
    removeEventListener('online', this.hurry);
    removeEventListener('offline', this.cut);
    document.removeEventListener('visibilitychange', this.hurry);
  }

  /** The network or the user is back: do not wait for the next attempt, and see whether an old connection lives. */
  readonly hurry = (): void => {
    if (this.ended || document.hidden) return;
    if (this.isOpen) this.probe();
    else if (!this.socket || Date.now() - this.begun >= STUCK) this.open();
  };

  private readonly cut = (): void => {
    if (!this.ended) this.lost();
  };

  private open(): void {
    this.drop();
    this.caller.trying(this.attempt > 0);
    const socket = new WebSocket(socketAddress(this.path));
    this.socket = socket;
    this.begun = Date.now();
    this.expect(WELCOME_WITHIN);
    socket.onopen = () => {
      const hello = this.caller.hello();
      if (hello !== null) socket.send(hello);
    };
    socket.onmessage = (event) => {
      clearTimeout(this.deadline);
      this.caller.heard(JSON.parse(String(event.data)));
    };
    socket.onclose = () => this.lost();
  }

  private probe(): void {
    if (this.send(this.caller.ping())) this.expect(PONG_WITHIN);
  }

  private lost(): void {
    this.drop();
    if (this.ended) return;
    this.attempt += 1;
    this.caller.trying(true);
    this.retry = setTimeout(() => this.open(), delay(this.attempt - 1, Math.random()));
  }

  private drop(): void {
    clearTimeout(this.retry);
    clearTimeout(this.deadline);
    clearInterval(this.ping);
    this.welcome = false;
    const { socket } = this;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
