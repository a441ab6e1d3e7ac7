/** Movements between the places of the table. Transform and opacity only; with reduced motion nothing travels. */

import type { AnyEvent } from '../lib/messages';
import { PARTS } from '../lib/times';

function cardAt(root: HTMLElement, seat: number, card: string): HTMLElement | null {
  const all = root.querySelectorAll<HTMLElement>(`[data-seat="${seat}"] [data-card="${card}"]`);
  return all[all.length - 1] ?? null;
}

function shift(from: DOMRect, to: DOMRect): string {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const scale = to.width ? from.width / to.width : 1;
  return `translate(${x}px, ${y}px) scale(${scale})`;
}

/** The card lands in front of its seat, coming from the middle of the table. */
function land(root: HTMLElement, seat: number, card: string, ms: number): void {
  const target = cardAt(root, seat, card);
  const spot = root.querySelector<HTMLElement>('[data-spot]');
  if (!target || !spot) return;
  const start = shift(spot.getBoundingClientRect(), target.getBoundingClientRect());
  target.animate([{ transform: start, zIndex: 5 }, { transform: 'none', zIndex: 5 }], { duration: ms, easing: 'ease-out' });
}

function shake(root: HTMLElement, seat: number, card: string, delay: number, ms: number): void {
  const twins = root.querySelectorAll<HTMLElement>(`[data-seat="${seat}"] [data-card="${card}"]`);
  const step = (x: number) => ({ transform: `translateX(${x}px)` });
  for (const twin of twins) twin.animate([0, -5, 5, -5, 5, -3, 3, 0].map(step), { duration: ms, delay });
}

/** The seven cards rise one after the other. */
function rise(root: HTMLElement, seat: number, ms: number): void {
  root.querySelectorAll<HTMLElement>(`[data-seat="${seat}"] .card.number`).forEach((card, i) => {
    card.animate([{ transform: 'none' }, { transform: 'translateY(-22%) scale(1.08)' }, { transform: 'none' }], {
      duration: ms * 0.35,
      delay: i * ms * 0.08,
      easing: 'ease-out',
    });
  });
}

/** The second chance breaks, and it goes to the discard pile with the card that it was for. */
function fall(root: HTMLElement, seat: number, card: string, ms: number): void {
  const pile = root.querySelector<HTMLElement>('[data-discard]');
  const spot = root.querySelector<HTMLElement>('[data-spot]');
  if (!pile || !spot) return;
  const end = shift(pile.getBoundingClientRect(), spot.getBoundingClientRect());
  spot.querySelector('.flyer')?.animate(
    [{ transform: 'none' }, { transform: 'none', offset: 0.55 }, { transform: end, opacity: 0.4 }],
    { duration: ms, fill: 'forwards', easing: 'ease-in' },
  );
  const heart = cardAt(root, seat, 'second');
  if (!heart) return;
  const away = shift(pile.getBoundingClientRect(), heart.getBoundingClientRect());
  heart.animate(
    [
      { transform: 'none', opacity: 1 },
      { transform: 'scale(1.35) rotate(-8deg)', opacity: 1, offset: 0.35 },
      { transform: 'scale(1.2) rotate(14deg)', opacity: 1, offset: 0.55 },
      { transform: away, opacity: 0.4 },
    ],
    { duration: ms, fill: 'forwards', easing: 'ease-in' },
  );
  cardAt(root, seat, card)?.animate([{ transform: 'none' }, { transform: 'scale(1.12)' }, { transform: 'none' }], { duration: ms * 0.6 });
}

/** Move what an event moves, within `ms`. */
export function move(root: HTMLElement, event: AnyEvent, ms: number): void {
  const seat = event.seat ?? -1;
  const card = event.card ?? '';
  switch (event.kind) {
    case 'card_placed':
      land(root, seat, card, ms);
      break;
    case 'second_chance_passed':
      land(root, event.to ?? 0, card, ms);
      break;
    case 'player_busted': {
      const part = ms / (PARTS.settle + PARTS.shake + PARTS.hold);
      land(root, seat, card, PARTS.settle * part);
      shake(root, seat, card, PARTS.settle * part, PARTS.shake * part);
      break;
    }
    case 'player_saved':
      fall(root, seat, card, ms);
      break;
    case 'flip7_made':
      rise(root, seat, ms);
      break;
    default:
      break;
  }
}
