/** What the scorekeeper says about entries, refusals and conflicts. */

import type { Card } from '../lib/messages';
import { cardName } from '../lib/words';
import type { Refused } from './hands';
import type { Entry } from './operations';
import type { Conflict, Sheet } from './sheet';
import { s } from './texts/i18n.svelte';

/** An entry in words: its cards, its points, or that they busted. */
export function entryText(entry: Entry): string {
  if (entry === 'bust') return s('value.bust');
  if (typeof entry === 'number') return String(entry);
  return entry.map((card) => cardName(card)).join(' ') || s('value.none');
}

/** Why an entry was refused. */
export function refusedText(refused: Refused): string {
  const { card, n = 0, below = 0, above = 0 } = refused.about;
  const name = card ? cardName(card as Card) : '';
  switch (refused.reason) {
    case 'twin':
      return s('refused.twin', { card: name });
    case 'noneLeft':
      return s('refused.noneLeft', { card: name, n });
    case 'impossible':
      return s('refused.impossible', { n, below, above });
    case 'tooMany':
      return s('refused.tooMany', { n });
    case 'sevenPoints':
      return s('refused.sevenPoints', { n });
    default:
      return s(`refused.${refused.reason}`);
  }
}

/** What a conflict is about. */
export function conflictText(conflict: Conflict, sheet: Sheet): string {
  const name = sheet.players[conflict.seat ?? -1]?.name ?? '';
  const n = (conflict.round ?? 0) + 1;
  switch (conflict.kind) {
    case 'entry':
      return s('conflict.entry', { name, n });
    case 'name':
    case 'away':
      return s(`conflict.${conflict.kind}`, { name });
    case 'incomplete':
      return s('conflict.incomplete', { n });
    case 'impossible': {
      const why = conflict.refused ? `${sheet.name(conflict.refused.about.player ?? '')}: ${refusedText(conflict.refused)}` : '';
      return s('conflict.impossible', { n, why });
    }
    case 'crowd':
      return s('conflict.crowd', { name: String(conflict.choices[0]) });
    default:
      return s(`conflict.${conflict.kind}`);
  }
}

/** A value that can be chosen in a conflict. */
export function choiceText(conflict: Conflict, value: unknown, sheet: Sheet): string {
  if (conflict.kind === 'entry') return entryText(value as Entry);
  if (conflict.kind === 'dealer') return sheet.name(String(value));
  if (conflict.kind === 'away') return (value as [number, number | null][]).some(([, back]) => back === null) ? s('left') : '✓';
  return String(value);
}

/** Today, as it is written into matches and names of files. */
export function today(): string {
  const now = new Date();
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
}
