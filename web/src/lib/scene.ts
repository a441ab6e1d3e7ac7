/**
 * What is on show at a table, moved on event by event.
 *
 * Everything here is bookkeeping of what the server told: which card lies where, which points it counted. A message
 * tells the points only for its end; `due` finds the moment at which the cards on show are those it counted.
 */

import { STATE, type AnyEvent, type Card, type GameState, type GameView, type Hand, type Step } from './messages';

export interface SeatScene extends Hand {
  /** The number that came twice, while the seat is busted. */
  twin: Card | null;
  /** Cards still to flip, while a Flip Three is on. */
  flips: number | null;
}

export interface Shown {
  /** Counts up, so that two equal cards in a row are two. */
  key: number;
  card: Card;
  seat: number;
}

export interface Line {
  key: number;
  event: AnyEvent;
  /** What the seat had when it happened, for the words. */
  points: number;
  away: boolean;
}

/** What was told of a state, moved on by every event, and what only the screen knows. */
export interface Scene extends GameState {
  game: string;
  names: string[];
  target: number;
  commitment: string;
  promised: string;
  cards: number;
  seats: SeatScene[];
  shown: Shown | null;
  log: Line[];
  scored: Hand[] | null;
  rounds: number[][];
  playoffs: number;
}

const LOG_LENGTH = 400;

/** What a message says of the state that it shows or leads to, by itself: scenes may change it. */
export function stateOf(told: GameState): GameState {
  const state = Object.fromEntries(STATE.map((name) => [name, told[name]])) as unknown as GameState;
  return { ...state, pending: [...told.pending] };
}

/** A scene that shows a game as the server describes it at one moment. */
export function sceneOf(view: GameView): Scene {
  const scene: Scene = {
    ...stateOf(view),
    game: view.id,
    names: [...view.names],
    target: view.target,
    commitment: view.commitment,
    promised: view.promised,
    cards: view.cards,
    seats: view.hands.map((hand) => ({ ...hand, twin: twinOf(hand), flips: null })),
    shown: null,
    log: [],
    scored: null,
    rounds: view.rounds.map((scores) => [...scores]),
    playoffs: view.playoffs,
  };
  for (const event of view.recent) note(scene, event, false);
  return scene;
}

/** The duplicate that busted a hand: it is the last of the numbers, and there twice. */
function twinOf(hand: Hand): Card | null {
  if (hand.status !== 'busted') return null;
  return hand.cards.find((card, i) => /^\d/.test(card) && hand.cards.indexOf(card) !== i) ?? null;
}

function note(scene: Scene, event: AnyEvent, away: boolean): void {
  const last = scene.log.at(-1)?.key ?? 0;
  const seat = event.seat ?? -1;
  scene.log.push({ key: last + 1, event, points: scene.seats[seat]?.points ?? 0, away });
  if (scene.log.length > LOG_LENGTH) scene.log.splice(0, scene.log.length - LOG_LENGTH);
}

/** The hands that a step tells next after its event number `index`: those of a scored round, or of its end. */
export function due(step: Step, index: number): Hand[] {
  for (const event of step.events.slice(index)) {
    if (event.kind === 'round_scored') return event.hands ?? [];
  }
  return step.hands;
}

/** Move the scene on by one event of a step. */
export function play(scene: Scene, step: Step, index: number): void {
  const event = step.events[index];
  if (!event) return;
  scene.ask = null;
  change(scene, event);
  note(scene, event, step.by === 'away');
  if (event.kind === 'round_scored') return;
  for (const hand of due(step, index)) {
    const seat = scene.seats[hand.seat];
    if (seat && hand.status === seat.status && sameCards(hand.cards, seat.cards)) count(seat, hand);
  }
}

/** Take over the points of a hand, but not its total: that changes when the round is scored. */
function count(seat: SeatScene, hand: Hand): void {
  seat.cards = [...hand.cards];
  seat.numbers = hand.numbers;
  seat.doubled = hand.doubled;
  seat.bonus = hand.bonus;
  seat.flip7 = hand.flip7;
  seat.points = hand.points;
}

function sameCards(a: readonly Card[], b: readonly Card[]): boolean {
  return a.length === b.length && [...a].sort().join() === [...b].sort().join();
}

function change(scene: Scene, event: AnyEvent): void {
  const seat = scene.seats[event.seat ?? -1];
  switch (event.kind) {
    case 'round_started':
      begin(scene, event.seat ?? 0, event.round ?? 0);
      break;
    case 'deck_reshuffled':
      scene.deck = event.cards ?? 0;
      scene.discard = 0;
      break;
    case 'card_flipped':
      scene.deck = Math.max(0, scene.deck - 1);
      if (event.card) scene.shown = { key: (scene.shown?.key ?? scene.log.at(-1)?.key ?? 0) + 1, card: event.card, seat: event.seat ?? 0 };
      if (seat) seat.flips = event.ruling === 'F3-1' && event.flips_left ? event.flips_left : null;
      break;
    case 'card_placed':
      lift(scene, event.card);
      if (seat && event.card) seat.cards.push(event.card);
      break;
    case 'player_busted':
      lift(scene, event.card);
      if (seat && event.card) {
        seat.cards.push(event.card);
        seat.twin = event.card;
        seat.status = 'busted';
        seat.points = 0;
        seat.flips = null;
      }
      break;
    case 'card_set_aside':
      scene.shown = null;
      if (event.card) scene.pending.push(event.card);
      break;
    case 'card_discarded':
      scene.discard += 1;
      if (scene.shown?.card === event.card) scene.shown = null;
      else if (seat && event.card) drop(seat.cards, event.card) || drop(scene.pending, event.card);
      else if (event.card) drop(scene.pending, event.card);
      break;
    case 'second_chance_passed':
      lift(scene, event.card);
      if (event.card) scene.seats[event.to ?? 0]?.cards.push(event.card);
      break;
    case 'card_handed_out':
      scene.shown = event.card ? { key: (scene.log.at(-1)?.key ?? 0) + 1, card: event.card, seat: event.to ?? 0 } : null;
      if (event.card) drop(scene.pending, event.card);
      break;
    case 'player_stayed':
      if (seat) seat.status = 'stayed';
      break;
    case 'player_frozen':
      if (seat) seat.status = 'frozen';
      break;
    case 'player_left':
      if (seat) seat.status = 'left';
      break;
    case 'flip_three_started':
      if (seat) seat.flips = 3;
      break;
    case 'round_scored':
      score(scene, event.hands ?? []);
      break;
    case 'playoff_called':
      scene.playoffs = event.playoff ?? scene.playoffs + 1;
      break;
    case 'game_over':
      scene.winner = event.seat ?? null;
      break;
    case 'player_hit':
    case 'player_saved':
    case 'flip7_made':
    case 'round_ended':
      break;
  }
}

function begin(scene: Scene, dealer: number, round: number): void {
  scene.dealer = dealer;
  scene.round = round;
  scene.scored = null;
  scene.shown = null;
  scene.pending = [];
  for (const seat of scene.seats) {
    scene.discard += seat.cards.length;
    Object.assign(seat, { cards: [], status: 'active', points: 0, numbers: 0, doubled: false, bonus: 0, flip7: 0 });
    Object.assign(seat, { twin: null, flips: null });
  }
}

function score(scene: Scene, hands: Hand[]): void {
  scene.scored = hands;
  scene.shown = null;
  scene.pending = [];
  scene.rounds.push(hands.map((hand) => hand.points));
  for (const hand of hands) {
    const seat = scene.seats[hand.seat];
    if (seat) Object.assign(seat, hand, { twin: twinOf(hand), flips: null });
  }
}

/** A card leaves the stage, or those set aside, for its place. */
function lift(scene: Scene, card: Card | null | undefined): void {
  if (scene.shown?.card === card) scene.shown = null;
  else if (card) drop(scene.pending, card);
}

function drop(cards: Card[], card: Card): boolean {
  const at = cards.lastIndexOf(card);
  if (at < 0) return false;
  cards.splice(at, 1);
  return true;
}

/** The end of a step: from here on the scene is exactly what the server says, and the question is open. */
export function settle(scene: Scene, step: Step): void {
  for (const hand of step.hands) {
    const seat = scene.seats[hand.seat];
    if (seat) Object.assign(seat, hand, { cards: [...hand.cards], twin: twinOf(hand), flips: null });
  }
  Object.assign(scene, stateOf(step));
  if (step.ask?.kind !== 'target') scene.shown = null;
}

/** The lines of the log since the round began. */
export function thisRound(log: readonly Line[]): Line[] {
  return log.slice(Math.max(0, log.map((line) => line.event.kind).lastIndexOf('round_started')));
}
