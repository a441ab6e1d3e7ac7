/** How cards are drawn: what kind of face each has, and its own colour. What a card does, only the server knows. */

import type { Card } from './messages';

export type Face = 'number' | 'modifier' | 'freeze' | 'flip3' | 'second';

/** What is drawn on a card. */
export function face(card: Card): Face {
  if (card === 'freeze' || card === 'flip3' || card === 'second') return card;
  return /^\d/.test(card) ? 'number' : 'modifier';
}

/** The mark of a number or a modifier as it is set on the card. */
export function mark(card: Card): string {
  return card.replace('x', '×');
}

/** The CSS colour of a card: thirteen for the numbers, one for each kind of special. */
export function colour(card: Card): string {
  const kind = face(card);
  return kind === 'number' ? `var(--n${card})` : `var(--${kind})`;
}

/** Where the pips of a number lie, as x and y of a 100 × 140 card: one for each copy in the deck. */
export function pips(count: number): { x: number; y: number }[] {
  const rows = count > 6 ? [Math.ceil(count / 2), Math.floor(count / 2)] : [count];
  const gap = 11;
  return rows.flatMap((length, row) =>
    Array.from({ length }, (_, i) => ({
      x: 50 + (i - (length - 1) / 2) * gap,
      y: rows.length === 1 ? 119 : 114 + row * 11,
    })),
  );
}
