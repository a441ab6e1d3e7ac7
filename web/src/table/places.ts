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

/** Windows that are wider than high, and no higher than this, in pixels, are those of phones in landscape; styles ask for it too. */
export const LOW = 540;

/** Of those, the ones that have no room for three seats beside each other are narrower than this. */
export const NARROW = 640;

/** Up to this many seats lie in rows. */
export const ROWS = 6;

/**
 * The places of up to six seats in rows of a grid of twelve columns, clockwise from the lower left, as CSS grid areas.
 *
 * Above one's own hand: up to three in the first row, the others at the sides of the middle. In a whole circle: half of
 * them above the middle, half below, four in the corners.
 */
export function inRows(count: number, whole: boolean): string[] {
  const across = (row: number, seats: number): string[] => {
    const first = 1 + (12 - seats * 4) / 2;
    return Array.from({ length: seats }, (_, i) => `${row} / ${first + i * 4} / ${row + 1} / ${first + i * 4 + 4}`);
  };
  if (!whole && count > 3) return ['2 / 1 / 4 / 5', ...across(1, count - 2), '2 / 9 / 4 / 13'];
  if (!whole || count <= 3) return across(1, count);
  if (count === 4) return ['1 / 1 / 2 / 5', '1 / 9 / 2 / 13', '3 / 9 / 4 / 13', '3 / 1 / 4 / 5'];
  const above = Math.ceil(count / 2);
  return [...across(1, above), ...across(3, count - above).reverse()];
}

/** The place of the middle between them. */
export function middleOf(count: number, whole: boolean): string {
  if (whole && count === 4) return '1 / 5 / 4 / 9';
  if (!whole && count > 3) return '2 / 5 / 4 / 9';
  return whole && count > 3 ? '2 / 1 / 3 / 13' : '2 / 1 / 4 / 13';
}
