/** One table as this page sees it: the connection, the room, the scene and the choices of its own seats. */

import type { Advice, Choose, Emotion, FromClient, FromServer, Hello, RoomView, Step, Welcome, Word } from './messages';
import { counted, type Tally } from './profile';
import { nonceFor, noteStart } from './promise';
import { navigate } from './router.svelte';
import { held, release, seen } from './seats';
import type { Scene } from './scene';
import { FACTORS } from './times';
import { Connection, type Link } from './socket';
import { sound } from './sound';
import { Stagehand } from './stagehand.svelte';

export interface Feeling {
  key: number;
  seat: number;
  emotion: Emotion;
}

/** Seconds within which a choice that reveals nothing can be taken back. */
const UNDO = 0.9;
const FEELING_FOR = 2600;
const REFUSED_FOR = 5000;
/** A choice that has not arrived after this time is said to be on its way. */
const SLOW = 900;
/** Whoever said too much at once is heard again after this time. */
const BREATH = 1000;

export class Session {
  room = $state.raw<RoomView | null>(null);
  link = $state<Link>('connecting');
  /** Why the connection has ended, by the server's code. */
  ended = $state<string | null>(null);
  /** The ids of this device's seats. */
  ids = $state.raw<number[]>([]);
  feelings = $state<Feeling[]>([]);
  refused = $state<{ code: string; text: string } | null>(null);
  /** The choice that has been made and is on its way, or can still be taken back. */
  chosen = $state<{ choice: Word | number; undo: boolean } | null>(null);
  /** Whether the choice takes long to arrive. */
  sending = $state(false);
  /** When the time for the open choice is up, by the clock of this page. */
  deadline = $state<number | null>(null);
  /** Whether that is the turn timer, which is always shown; otherwise it is the patience of the others. */
  timed = $state(false);
  /** Whether it became this device's turn while nobody was looking. */
  called = $state(false);
  /** Whether what was missed is being told. */
  retelling = $state(false);
  /** What the coach has said last. */
  advice = $state.raw<Advice | null>(null);
  /** Why the coach does not answer the open question. */
  unadvised = $state.raw<{ code: string; text: string } | null>(null);
  /** What the profile needs of the game that is on. */
  tally: Tally | null;
  readonly stage: Stagehand;
  private readonly connection: Connection;
  private hold: ReturnType<typeof setTimeout> | undefined;
  private slow: ReturnType<typeof setTimeout> | undefined;
  private fading: ReturnType<typeof setTimeout> | undefined;
  private breath: ReturnType<typeof setTimeout> | undefined;
  /** The choice that has been sent and not answered yet. */
  private pending: Choose | null = null;
  private feelingCount = 0;
  /** Whether the player did not want to see something for its whole time. */
  private early = false;
  /** The question that the coach was asked last. */
  private coached = '';
  /** Whether the server has been told to skip since anything was heard of the table: saying it again changes nothing. */
  private skipped = false;
  /** The last state that was missed. */
  private told: number | null = null;
  private readonly asked = new WeakMap<Step, number>();

  constructor(
    readonly code: string,
    private readonly watching = false,
  ) {
    this.tally = watching ? null : (held(code)?.tally ?? null);
    this.stage = new Stagehand((scene, step) => this.shown(scene, step), {
      speed: () => this.room?.options.speed ?? 'normal',
      decides: (seat) => this.isPlayer(seat),
    });
    this.connection = new Connection(code, {
      hello: () => this.hello(),
      message: (message) => this.receive(message),
      link: (state, why) => {
        this.link = state;
        if (why) this.ended = why;
        if (why === 'unknown_token' || why === 'removed' || why === 'left') release(code);
        if (why === 'left') navigate('/');
      },
    });
  }

  /** The seat numbers of this device, in the game that is on. */
  get own(): number[] {
    return this.room?.seats.flatMap((seat, i) => (this.ids.includes(seat.id) && !seat.waiting ? [i] : [])) ?? [];
  }

  get isHost(): boolean {
    return this.room?.seats.some((seat) => seat.host && this.ids.includes(seat.id)) ?? false;
  }

  /** The question, if it is for this device and its cause has been shown. */
  get ask(): Scene['ask'] {
    const ask = this.stage.scene?.ask ?? null;
    return ask && !this.watching && this.room?.phase === 'playing' && this.own.includes(ask.seat) ? ask : null;
  }

  /** What the coach says of the open question, once it has answered. */
  get advised(): Advice | null {
    const { advice, chosen } = this;
    const scene = this.stage.scene;
    return advice && !chosen && this.ask && advice.game === scene?.game && advice.number === scene.number ? advice : null;
  }

  /** Whether a player makes the choices of this seat. */
  private isPlayer(seat: number): boolean {
    const info = this.room?.seats[seat];
    return !!info && !info.bot && info.presence !== 'away';
  }

  /** Whether there is something to skip: cards are on show, or a bot thinks. For another player one waits. */
  get skippable(): boolean {
    const asked = this.stage.scene?.ask;
    const waits = !!asked && this.isPlayer(asked.seat);
    return this.own.length > 0 && this.room?.phase === 'playing' && !waits && !this.chosen;
  }

  /** Go on to the next choice, here and on the server. */
  skip(): void {
    if (!this.skippable) return;
    this.stage.director.skip();
    if (!this.skipped) this.skipped = this.send({ type: 'skip' });
  }

  /** The scores have been seen; the server need not wait for the rest of their time. */
  goOn(): void {
    this.early = true;
    this.stage.director.next();
  }

  /** What this device adds to the deck of the table's next game. */
  get nonce(): string | null {
    return this.room?.secret ? nonceFor(this.code, this.room.secret) : null;
  }

  send(message: FromClient): boolean {
    this.refused = null;
    return this.connection.want(message);
  }

  /** After a loss of the connection: what the player wanted is said again, if saying it twice does no harm and it still fits. */
  private repeat(room: RoomView): void {
    for (const message of this.connection.lost()) {
      const { type } = message;
      const waits = type === 'start' ? room.phase === 'lobby' : type === 'rematch' ? room.phase === 'over' && room.rematch === null : type === 'ready' && room.phase !== 'playing';
      const seated = (type === 'remove_seat' || type === 'stand_in') && room.seats.some((seat) => seat.id === message.seat);
      if (waits || seated || type === 'set_options' || type === 'leave' || type === 'back') this.send(message);
    }
  }

  /** Answer the open question. What reveals nothing can be taken back for a moment. */
  choose(choice: Word | number): void {
    const { ask } = this;
    if (!ask || this.chosen || !ask.options.includes(choice)) return;
    sound.tap();
    const harmless = choice === 'stay' || ask.card === 'freeze' || ask.card === 'second';
    const undo = harmless && FACTORS[this.room?.options.speed ?? 'normal'] >= 1 && !this.hurried();
    this.chosen = { choice, undo };
    if (undo) this.hold = setTimeout(() => this.commit(), UNDO * 1000);
    else this.commit();
  }

  /** Ask the coach about the open question, once. */
  askCoach(game: string, number: number): void {
    const about = `${game} ${number}`;
    if (this.coached === about) return;
    this.unadvised = null;
    this.coached = this.connection.send({ type: 'advise', game, number }) ? about : '';
  }

  /** Take the choice back while it has not been sent. */
  undo(): void {
    if (!this.chosen?.undo) return;
    clearTimeout(this.hold);
    this.chosen = null;
  }

  private hurried(): boolean {
    return this.deadline !== null && this.deadline - performance.now() < 2500;
  }

  private commit(): void {
    const { chosen } = this;
    const scene = this.stage.scene;
    if (!chosen || !scene) return;
    chosen.undo = false;
    this.pending = { type: 'choose', game: scene.game, number: scene.number, choice: chosen.choice };
    this.refused = null;
    this.connection.ask(this.pending);
    this.slow = setTimeout(() => (this.sending = true), SLOW);
  }

  /** The choice has arrived, or does not count any more. */
  private answered(): void {
    clearTimeout(this.hold);
    clearTimeout(this.slow);
    this.chosen = this.pending = null;
    this.sending = false;
  }

  /** After a loss of the connection: a choice that has not arrived is sent again, one that has is not. */
  private again(message: Welcome): void {
    const { pending, chosen } = this;
    const now = message.missed.at(-1)?.number ?? message.game?.number;
    const open = pending && chosen && message.game?.id === pending.game && now === pending.number;
    if (!open) return this.answered();
    this.connection.ask(pending);
  }

  /** Something was too much at once, and the server does not say what: what is still waited for is said again. */
  private repeatLater(): void {
    clearTimeout(this.breath);
    this.breath = setTimeout(() => {
      const scene = this.stage.scene;
      if (this.pending) {
        this.connection.ask(this.pending);
      } else if (scene && this.ask && !this.advised && this.coached === `${scene.game} ${scene.number}`) {
        this.coached = '';
        this.askCoach(scene.game, scene.number);
      }
    }, BREATH);
  }

  /** Back after having been displaced by a newer tab. */
  takeOver(): void {
    this.ended = null;
    this.connection.takeOver();
  }

  close(): void {
    for (const timer of [this.hold, this.slow, this.fading, this.breath]) clearTimeout(timer);
    this.connection.close();
    this.stage.close();
  }

  private hello(): Hello {
    if (this.watching) return { type: 'hello' };
    const kept = held(this.code);
    const scene = this.stage.scene;
    if (!kept) return { type: 'hello', game: scene?.game ?? null, number: Math.max(0, scene?.number ?? 0) };
    return { type: 'hello', token: kept.token, game: scene?.game ?? kept.game, number: Math.max(0, scene?.number ?? kept.number) };
  }

  private receive(message: FromServer): void {
    if (message.type !== 'pong') this.skipped = false;
    switch (message.type) {
      case 'welcome':
        this.room = message.room;
        this.ids = message.seats;
        this.ended = null;
        this.coached = '';
        if (!this.pending) this.answered();
        if (message.game) {
          if (message.room.phase === 'playing') noteStart(this.code, message.game, message.room.seats, message.seats);
          this.told = message.missed.at(-1)?.number ?? null;
          this.retelling = this.told !== null;
          this.stage.director.reset(message.game, message.missed);
          if (!message.missed.length) this.open(message.game.ask?.seconds ?? null, performance.now());
        } else {
          this.stage.scene = null;
        }
        if (this.pending) this.again(message);
        this.repeat(message.room);
        break;
      case 'room':
        this.room = message.room;
        break;
      case 'started':
        this.answered();
        noteStart(this.code, message.game, this.room?.seats ?? [], this.ids);
        this.stage.director.reset(message.game, []);
        break;
      case 'step':
        this.asked.set(message, performance.now());
        this.answered();
        this.stage.director.add(message);
        if (document.hidden && message.ask && this.own.includes(message.ask.seat)) this.call();
        break;
      case 'emoted':
        this.feel(message.seat, message.emotion);
        break;
      case 'advice':
        this.advice = message;
        break;
      case 'refused':
        if (message.about === 'advise') {
          if (message.code !== 'stale') this.unadvised = message;
          break;
        }
        if (message.code === 'too_many' && message.about === null) {
          this.repeatLater();
          if (this.pending) break;
        }
        if (message.about === 'choose') this.answered();
        if (message.code !== 'stale') this.refuse(message.code, message.text);
        break;
      case 'closed':
      case 'pong':
        break;
    }
  }

  /** Say why something was refused, for as long as it takes to read it. */
  private refuse(code: string, text: string): void {
    this.refused = { code, text };
    clearTimeout(this.fading);
    this.fading = setTimeout(() => (this.refused = null), REFUSED_FOR);
  }

  /** What happened is told when the player looks again; that it is their turn, at once. */
  private call(): void {
    this.called = true;
    sound.turn();
  }

  private feel(id: number, emotion: Emotion): void {
    const seat = this.room?.seats.findIndex((info) => info.id === id) ?? -1;
    if (seat < 0) return;
    this.feelingCount += 1;
    const key = this.feelingCount;
    this.feelings = [...this.feelings.filter((feeling) => feeling.seat !== seat), { key, seat, emotion }];
    sound.emote();
    setTimeout(() => (this.feelings = this.feelings.filter((feeling) => feeling.key !== key)), FEELING_FOR);
  }

  private shown(scene: Scene, step: Step): void {
    if (!this.watching) {
      this.tally = counted(this.tally, scene.game, this.room?.seats ?? [], step.events);
      seen(this.code, { game: scene.game, number: scene.number, tally: this.tally, daily: this.room?.daily ?? null });
    }
    this.called = false;
    this.open(step.ask?.seconds ?? null, this.asked.get(step) ?? performance.now());
    if (this.told !== null && step.number >= this.told) this.retelling = false;
    if (this.early && this.own.length && step.ask && !this.isPlayer(step.ask.seat)) this.send({ type: 'skip', to: 'now' });
    this.early = false;
    if (this.ask) sound.turn();
  }

  private open(seconds: number | null, at: number): void {
    this.timed = seconds !== null;
    const left = seconds ?? this.patience;
    this.deadline = left === null ? null : (this.timed ? at : performance.now()) + left * 1000;
  }

  /** How long the others wait for this device's choice where there is no timer; `null` if nobody does. */
  private get patience(): number | null {
    const { room, ask } = this;
    if (!ask || !room?.options.patience) return null;
    const waited = room.spectators > 0 || room.seats.some((seat) => !seat.bot && seat.presence !== 'lost' && !this.ids.includes(seat.id));
    return waited ? room.options.patience : null;
  }
}
