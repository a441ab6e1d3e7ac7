/** One table as this page sees it: the connection, the room, the scene and the choices of its own seats. */

import type { Emotion, FromClient, FromServer, Hello, RoomView, Step, Word } from './messages';
import { navigate } from './router.svelte';
import { held, release, seen } from './seats';
import type { Scene } from './scene';
import { settings } from './settings.svelte';
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
  /** When the time for the open choice is up, by the clock of this page. */
  deadline = $state<number | null>(null);
  /** Whether it became this device's turn while nobody was looking. */
  called = $state(false);
  /** Whether what was missed is being told. */
  retelling = $state(false);
  readonly stage: Stagehand;
  private readonly connection: Connection;
  private hold: ReturnType<typeof setTimeout> | undefined;
  private feelingCount = 0;
  /** The last state that was missed. */
  private told: number | null = null;
  private readonly asked = new WeakMap<Step, number>();

  constructor(
    readonly code: string,
    private readonly watching = false,
  ) {
    this.stage = new Stagehand((scene, step) => this.shown(scene, step));
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
    return this.room?.seats.flatMap((seat, i) => (this.ids.includes(seat.id) ? [i] : [])) ?? [];
  }

  get isHost(): boolean {
    return this.room?.seats.some((seat) => seat.host && this.ids.includes(seat.id)) ?? false;
  }

  /** The question, if it is for this device and its cause has been shown. */
  get ask(): Scene['ask'] {
    const ask = this.stage.scene?.ask ?? null;
    return ask && !this.watching && this.room?.phase === 'playing' && this.own.includes(ask.seat) ? ask : null;
  }

  send(message: FromClient): boolean {
    this.refused = null;
    return this.connection.send(message);
  }

  /** Answer the open question. What reveals nothing can be taken back for a moment. */
  choose(choice: Word | number): void {
    const { ask } = this;
    if (!ask || this.chosen || !ask.options.includes(choice)) return;
    sound.tap();
    const harmless = choice === 'stay' || ask.card === 'freeze' || ask.card === 'second';
    const undo = harmless && settings.speed !== 'fast' && !this.hurried();
    this.chosen = { choice, undo };
    if (undo) this.hold = setTimeout(() => this.commit(), UNDO * 1000);
    else this.commit();
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
    const sent = this.send({ type: 'choose', game: scene.game, number: scene.number, choice: chosen.choice });
    if (!sent) this.chosen = null;
  }

  /** Back after having been displaced by a newer tab. */
  takeOver(): void {
    this.ended = null;
    this.connection.takeOver();
  }

  close(): void {
    clearTimeout(this.hold);
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
    switch (message.type) {
      case 'welcome':
        this.room = message.room;
        this.ids = message.seats;
        this.ended = null;
        this.chosen = null;
        clearTimeout(this.hold);
        if (message.game) {
          this.stage.director.reset(message.game, message.missed);
          this.told = message.missed.at(-1)?.number ?? null;
          this.retelling = this.told !== null;
          if (!message.missed.length) this.open(message.game.ask?.seconds ?? null, performance.now());
        } else {
          this.stage.scene = null;
        }
        break;
      case 'room':
        this.room = message.room;
        break;
      case 'started':
        this.chosen = null;
        this.stage.director.reset(message.game, []);
        break;
      case 'step':
        this.asked.set(message, performance.now());
        this.chosen = null;
        clearTimeout(this.hold);
        this.stage.director.add(message);
        if (document.hidden && message.ask && this.own.includes(message.ask.seat)) this.call();
        break;
      case 'emoted':
        this.feel(message.seat, message.emotion);
        break;
      case 'refused':
        this.chosen = null;
        if (message.code !== 'stale') this.refused = { code: message.code, text: message.text };
        break;
      case 'closed':
      case 'pong':
        break;
    }
  }

  /** What happened is told when somebody looks again; that it is their turn, at once. */
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
    if (!this.watching) seen(this.code, scene.game, scene.number);
    this.called = false;
    this.open(step.ask?.seconds ?? null, this.asked.get(step) ?? performance.now());
    if (this.told !== null && step.number >= this.told) this.retelling = false;
    if (this.ask) sound.turn();
  }

  private open(seconds: number | null, at: number): void {
    this.deadline = seconds === null ? null : at + seconds * 1000;
  }
}
