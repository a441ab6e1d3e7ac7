/** Names beside the ends of the lines of a graph: as large as there is room for, shortened only where they must be, and never above each other. */

/** The size of letters in a graph n pixels wide. */
export const fontOf = (width: number): number => Math.round(Math.max(13, Math.min(28, width / 55)));

/** About how many pixels a text takes. */
export const widthOf = (text: string, font: number): number => text.length * font * 0.6;

/** The room at the right for the longest text, but no more than this share of the graph. */
export function roomFor(texts: string[], font: number, most: number): number {
  return Math.min(most, Math.max(0, ...texts.map((text) => widthOf(text, font))));
}

/** A name that fits into n pixels: its beginning and its end. */
export function shortened(name: string, room: number, font: number): string {
  if (widthOf(name, font) <= room) return name;
  const letters = Math.max(2, Math.floor(room / (font * 0.6)) - 1);
  const end = Math.floor(letters * 0.3);
  return `${name.slice(0, letters - end)}…${end ? name.slice(-end) : ''}`;
}

/** The heights of labels, from the highest on: each stays as near to its own as the one above and the floor allow. */
export function apart<T extends { y: number }>(labels: T[], gap: number, floor: number): T[] {
  const sorted = labels.map((label) => ({ ...label })).sort((a, b) => a.y - b.y);
  sorted.forEach((label, i) => {
    const above = sorted[i - 1];
    if (above) label.y = Math.max(label.y, above.y + gap);
  });
  for (let i = sorted.length - 1, lowest = floor; i >= 0; i -= 1, lowest -= gap) {
    const label = sorted[i];
    if (label) label.y = Math.min(label.y, lowest);
  }
  return sorted;
}

const DASHES = ['', '8 4', '2 4', '12 4 2 4'];
const COLOURS = 12;

/** A stroke that tells a line apart without colour: from its neighbours, and from those of the same colour where there are many. */
export function dashOf(seat: number, seats: number): string | undefined {
  return DASHES[(seats > COLOURS ? Math.floor(seat / COLOURS) : seat) % DASHES.length];
}
