/** The order at the end of a game: the winner, then by points; who has as many shares a place. */

export interface Ranked {
  seat: number;
  total: number;
  place: number;
}

/** Seats in their order, each with its place. */
export function ranked(seats: readonly { seat: number; total: number }[], winner: number | null): Ranked[] {
  const before = (a: { seat: number; total: number }, b: { seat: number; total: number }): boolean =>
    b.seat !== winner && (a.seat === winner || a.total > b.total);
  return [...seats]
    .map((one) => ({ seat: one.seat, total: one.total, place: 1 + seats.filter((other) => before(other, one)).length }))
    .sort((a, b) => a.place - b.place || a.seat - b.seat);
}
