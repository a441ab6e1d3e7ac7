/** Where seats lie on the screen. */

/** Seats in turn order: the one after `first`, and so on round the table to `first` itself. */
export function turnOrder(seats: number, first: number): number[] {
  return Array.from({ length: seats }, (_, i) => (first + 1 + i) % seats);
}

/** Points on an oval, in percent, clockwise from the lower left; the `whole` oval or the part above one's own hand. */
export function around(count: number, whole: boolean): { x: number; y: number }[] {
  const half = { x: whole ? 38 : 39, y: whole ? 38 : 36 };
  return Array.from({ length: count }, (_, i) => {
    const angle = whole ? -Math.PI / 2 + (2 * Math.PI * i) / count : arc(i, count);
    return { x: 50 + half.x * bulge(Math.cos(angle), whole), y: 50 + half.y * bulge(Math.sin(angle), whole) };
  });
}

/** Draws a whole oval out towards its corners, to keep the middle free for the piles. */
function bulge(at: number, whole: boolean): number {
  return whole ? Math.sign(at) * Math.abs(at) ** 0.7 : at;
}

/** Angles from the left over the top to the right, as the screen counts them: a few stay near the top. */
function arc(i: number, count: number): number {
  const spread = Math.min(1.22, 0.42 + count * 0.12) * Math.PI;
  return count === 1 ? -Math.PI / 2 : -Math.PI / 2 - spread / 2 + (spread * i) / (count - 1);
}
