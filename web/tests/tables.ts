/** Tables for tests: seats of people, with what a test needs to be different. */

import type { RoomView, SeatInfo } from '../src/lib/messages';

export const seat = (id: number, more: Partial<SeatInfo> = {}): SeatInfo => ({
  ...{ id, name: `Player ${id - 1}`, colour: id, bot: null, presence: 'here', ready: true, host: id === 1, device: id, stand_in: null, waiting: false },
  ...more,
});

export const room = (more: Partial<RoomView> = {}): RoomView => ({
  ...{ code: 'AB', phase: 'playing', seats: [seat(1), seat(2), seat(3)], spectators: 0, game: null, secret: '', notice: null, daily: null, rematch: null },
  options: { target: 200, timer: 0, patience: 120, odds: true, public: false, speed: 'normal', coach: true },
  ...more,
});
