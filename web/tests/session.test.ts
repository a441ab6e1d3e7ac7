/** A table as a page sees it: what can be skipped, what was missed, what the coach says, what the profile counts. */

import { fresh, Socket } from './page';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PROTOCOL, type RoomView, type Step } from '../src/lib/messages';
import { held, hold } from '../src/lib/seats';
import { Session } from '../src/lib/session.svelte';
import { games } from './games';
import { room, seat } from './tables';

const game = games[0];
if (!game) throw new Error('no game');
const { steps } = game;
const FRIEND = steps.findIndex((step) => step.ask?.seat === 2);
const MINE = steps.findIndex((step) => step.ask?.seat === 0);

let session: Session;
let table: RoomView;

/** Connect, as the holder of the first seat, to a game of which so many steps have been played. */
function join(missed: Step[] = []): void {
  Socket.last.answer();
  Socket.last.say({ type: 'welcome', protocol: PROTOCOL, room: table, seats: [1], game: game?.game, missed });
}

function open(options: Partial<RoomView['options']> = {}): void {
  table = room({ options: { ...room().options, ...options } });
  hold({ code: 'AB', token: 'secret' } as Parameters<typeof hold>[0]);
  session = new Session('AB');
}

async function tell(from: number, to: number): Promise<void> {
  for (const step of steps.slice(from, to)) Socket.last.say({ ...step, type: 'step' });
  await vi.advanceTimersByTimeAsync(60_000);
  Socket.last.say({ type: 'pong' });
}

const sentOf = (type: string): unknown[] => Socket.last.sent.filter((message) => (message as { type: string }).type === type);

beforeEach(fresh);
afterEach(() => {
  session.close();
  vi.useRealTimers();
});

describe('skipping', () => {
  it('passes over what is on show', () => {
    open();
    join();
    Socket.last.say({ ...steps[0], type: 'step' });
    expect(session.skippable).toBe(true);
    session.skip();
    expect(sentOf('skip')).toHaveLength(1);
  });

  it('is said once, however often it is wanted, until there is news', () => {
    open();
    join();
    Socket.last.say({ ...steps[0], type: 'step' });
    for (let i = 0; i < 30; i++) {
      session.skip();
      Socket.last.say({ type: 'pong', at: i });
    }
    expect(sentOf('skip')).toHaveLength(1);
    Socket.last.say({ ...steps[1], type: 'step' });
    session.skip();
    expect(sentOf('skip')).toHaveLength(2);
  });

  it('is said on the new connection where the old one is lost', () => {
    open();
    join();
    Socket.last.say({ ...steps[0], type: 'step' });
    session.skip();
    const lost = Socket.last;
    lost.onclose?.();
    vi.advanceTimersByTime(5000);
    expect(Socket.last).not.toBe(lost);
    join();
    Socket.last.say({ ...steps[0], type: 'step' });
    session.skip();
    expect(sentOf('skip')).toHaveLength(1);
  });

  it('does nothing while another player thinks: what they do is seen in its whole time', async () => {
    open();
    join();
    await tell(0, FRIEND + 1);
    expect(session.stage.scene?.ask?.seat).toBe(2);
    expect(session.skippable).toBe(false);
    session.skip();
    expect(sentOf('skip')).toEqual([]);
    Socket.last.say({ ...steps[FRIEND + 1], type: 'step' });
    await vi.advanceTimersByTimeAsync(50);
    expect(session.stage.scene?.number).toBe(FRIEND);
  });

  it('goes on past the thinking of a bot and of somebody who is played for', async () => {
    for (const other of [seat(3, { bot: 'carl' }), seat(3, { presence: 'away' })]) {
      open();
      table = { ...table, seats: [seat(1), seat(2), other] };
      join();
      await tell(0, FRIEND + 1);
      expect(session.skippable).toBe(true);
      session.close();
    }
  });

  it('has nothing to pass over at the own choice', async () => {
    open();
    join();
    await tell(0, MINE + 1);
    expect(session.ask?.seat).toBe(0);
    expect(session.skippable).toBe(false);
  });
});

describe('what was said too fast', () => {
  const tooFast = { type: 'refused', code: 'too_many', text: 'often', about: null };

  async function untilAsked(): Promise<void> {
    open({ speed: 'instant' });
    join();
    for (const step of steps.slice(0, MINE + 1)) Socket.last.say({ ...step, type: 'step' });
    await vi.advanceTimersByTimeAsync(5000);
  }

  it('is said again after a pause, if it is the choice', async () => {
    await untilAsked();
    session.choose(session.ask?.options[0] ?? 'hit');
    expect(sentOf('choose')).toHaveLength(1);
    Socket.last.say(tooFast);
    expect(session.chosen).not.toBeNull();
    expect(session.refused).toBeNull();
    await vi.advanceTimersByTimeAsync(2000);
    expect(sentOf('choose')).toHaveLength(2);
    expect(sentOf('choose')[1]).toEqual(sentOf('choose')[0]);
    Socket.last.say({ ...steps[MINE + 1], type: 'step' });
    Socket.last.say(tooFast);
    expect(session.refused).not.toBeNull();
    await vi.advanceTimersByTimeAsync(2000);
    expect(sentOf('choose')).toHaveLength(2);
  });

  it('is said again after a pause, if the coach was asked', async () => {
    await untilAsked();
    const { game, number } = session.stage.scene ?? { game: '', number: 0 };
    session.askCoach(game, number);
    Socket.last.say(tooFast);
    await vi.advanceTimersByTimeAsync(2000);
    expect(sentOf('advise')).toHaveLength(2);
  });
});

describe('what is on show', () => {
  it('is over when a question opens: no big word stays above it', async () => {
    open();
    join();
    for (const step of steps.slice(0, MINE + 1)) Socket.last.say({ ...step, type: 'step' });
    await vi.advanceTimersByTimeAsync(50);
    expect(session.stage.beat).not.toBeNull();
    await tell(MINE + 1, MINE + 1);
    expect(session.ask?.seat).toBe(0);
    expect(session.stage.beat).toBeNull();
  });
});

describe('what was missed', () => {
  it.each(['normal', 'instant'] as const)('is announced while it is told, and not afterwards, at a table that is %s', async (speed) => {
    open({ speed });
    join(steps.slice(0, 4));
    expect(session.retelling).toBe(speed === 'normal');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.stage.scene?.number).toBe(steps[3]?.number);
    expect(session.retelling).toBe(false);
  });
});

describe('the coach', () => {
  it('is asked once about a question, and again on another connection', async () => {
    open();
    join();
    session.askCoach('g', 3);
    session.askCoach('g', 3);
    expect(sentOf('advise')).toHaveLength(1);
    Socket.last.onclose?.();
    await vi.advanceTimersByTimeAsync(1000);
    join();
    session.askCoach('g', 3);
    expect(sentOf('advise')).toHaveLength(1);
  });

  it('says why it does not answer, until it is asked something else', () => {
    open();
    join();
    session.askCoach('g', 3);
    Socket.last.say({ type: 'refused', code: 'too_many', text: 'often', about: 'advise' });
    expect(session.unadvised?.code).toBe('too_many');
    expect(session.refused).toBeNull();
    session.askCoach('g', 4);
    expect(session.unadvised).toBeNull();
    Socket.last.say({ type: 'refused', code: 'stale', text: 'late', about: 'advise' });
    expect(session.unadvised).toBeNull();
  });
});

describe('a tap into a dead connection', () => {
  const back = async (): Promise<void> => {
    const dead = Socket.last;
    await vi.advanceTimersByTimeAsync(5000);
    expect(Socket.last).not.toBe(dead);
    join();
  };

  it('is noticed after four seconds, and what may be said twice is said again', async () => {
    open();
    table = { ...table, phase: 'lobby' };
    join();
    session.send({ type: 'ready', ready: true, nonce: '1' });
    session.send({ type: 'ready', ready: false, nonce: '2' });
    session.send({ type: 'set_options', options: table.options });
    session.send({ type: 'emote', emotion: 'wow' });
    await back();
    expect(sentOf('ready')).toEqual([{ type: 'ready', ready: false, nonce: '2' }]);
    expect(sentOf('set_options')).toHaveLength(1);
    expect(sentOf('emote')).toEqual([]);
  });

  it('is not repeated once it has been heard', async () => {
    open();
    table = { ...table, phase: 'lobby' };
    join();
    session.send({ type: 'ready', ready: true });
    const [ping] = sentOf('ping') as { at: number }[];
    Socket.last.say({ type: 'pong', at: ping?.at });
    session.send({ type: 'start', nonce: '3' });
    await back();
    expect(sentOf('ready')).toEqual([]);
    expect(sentOf('start')).toEqual([{ type: 'start', nonce: '3' }]);
  });

  it('is not repeated where it no longer fits: the game has begun', async () => {
    open();
    table = { ...table, phase: 'lobby' };
    join();
    session.send({ type: 'start' });
    table = { ...table, phase: 'playing' };
    await back();
    expect(sentOf('start')).toEqual([]);
  });
});

describe('the count for the profile', () => {
  const made = [0, 1, 2].map((of) => steps.flatMap((step) => step.events).filter((event) => event.kind === 'flip7_made' && event.seat === of).length);

  it('goes over all rounds, and over a page that is opened anew', async () => {
    open({ speed: 'instant' });
    join();
    const half = Math.floor(steps.length / 2);
    await tell(0, half);
    session.close();
    session = new Session('AB');
    join(steps.slice(half));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(made.some((count) => count > 0)).toBe(true);
    expect(session.tally?.flip7s).toEqual(made);
    expect(held('AB')?.tally).toEqual(session.tally);
  });
});
