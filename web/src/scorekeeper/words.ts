/** What the scorekeeper says about entries, refusals, conflicts and what was entered. */

import { cardName } from '../lib/words';
import { nameOf, type Conflict, type Entry, type Sheet } from './match';
import type { AnyOperation, Step } from './model/operations';
import type { Refusal, RefusalCode } from './model/refusals';
import { s } from '../i18n/i18n.svelte';

/** An entry in words: its cards, its points, or that they busted. */
export function entryText(entry: Entry): string {
  if (entry === 'bust') return s('value.bust');
  if (typeof entry === 'number') return String(entry);
  return entry.map((card) => cardName(card)).join(' ') || s('value.none');
}

/** Refusals that say nothing to a person: the data is at fault, not what was tapped. */
const TECHNICAL: readonly RefusalCode[] = [
  'bad_dealer', 'bad_decks', 'bad_date', 'bad_device', 'bad_clock', 'bad_round', 'bad_players', 'no_round', 'no_player', 'no_conflict', 'no_choice', 'no_step', 'no_start', 'second_start', 'start_kept', 'different', 'nothing',
];
type Told = Exclude<RefusalCode, 'bad_dealer' | 'bad_decks' | 'bad_date' | 'bad_device' | 'bad_clock' | 'bad_round' | 'bad_players' | 'no_round' | 'no_player' | 'no_conflict' | 'no_choice' | 'no_step' | 'no_start' | 'second_start' | 'start_kept' | 'different' | 'nothing'>;

/** Why something was refused. */
export function refusedText(refusal: Refusal, sheet?: Sheet): string {
  if (TECHNICAL.includes(refusal.code)) return s('refused.data');
  const { n, low, high } = refusal;
  const card = refusal.card ? cardName(refusal.card) : '';
  const name = sheet ? nameOf(sheet, refusal.player) : '';
  const code = refusal.code as Told;
  switch (code) {
    case 'twin':
    case 'gone':
    case 'not_there':
    case 'together':
      return s(`refused.${code}`, { card });
    case 'none_left':
      return s('refused.none_left', { card, n });
    case 'impossible':
      return s('refused.impossible', { n, low, high });
    case 'too_many':
      return s('refused.too_many', { high });
    case 'seven_points':
      return s('refused.seven_points', { n });
    case 'bad_target':
    case 'bad_score':
      return s(`refused.${code}`, { low, high });
    case 'over':
    case 'last_player':
    case 'at_table':
    case 'not_at_table':
    case 'not_playing':
    case 'name_taken':
      return s(`refused.${code}`, { name });
    case 'full':
      return s('refused.full', { n });
    default:
      return s(`refused.${code}`);
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
    case 'live':
    case 'step':
    case 'mend':
      return s(`conflict.${conflict.kind}`, { n });
    case 'impossible': {
      const why = conflict.refusal ? `${nameOf(sheet, conflict.refusal.player)}: ${refusedText(conflict.refusal, sheet)}` : '';
      return s('conflict.impossible', { n, why });
    }
    case 'crowd':
      return s('conflict.crowd', { name: String(conflict.choices[0]) });
    default:
      return s(`conflict.${conflict.kind}`);
  }
}

/** A value that can be chosen in a conflict. */
export function choiceText(conflict: Conflict, choice: number, sheet: Sheet): string {
  const value = conflict.choices[choice];
  const entry = conflict.entries[choice];
  if (entry !== undefined) return entryText(entry);
  if (conflict.kind === 'dealer') return nameOf(sheet, String(value));
  if (conflict.kind === 'away') return (value as [number, number | null][]).some(([, back]) => back === null) ? s('left') : s('conflict.here');
  if (conflict.kind === 'stop') return value ? s('stopped') : s('conflict.goes');
  const steps = Array.isArray(value) ? value : [value];
  if (steps.every(isStep)) return steps.map((step) => stepText(step, sheet)).join(', ') || s('value.none');
  return String(value);
}

function isStep(value: unknown): value is Step {
  return typeof value === 'object' && value !== null && 'do' in value;
}

/** A live step: who, and what. */
export function stepText(step: Step, sheet: Sheet): string {
  const name = nameOf(sheet, step.player);
  const card = step.card ? cardName(step.card) : '';
  switch (step.do) {
    case 'card':
      return s('step.card', { name, card });
    case 'give':
      return s('step.give', { name, to: nameOf(sheet, step.to) });
    case 'stay':
    case 'leave':
      return s(`step.${step.do}`, { name });
    case 'lost':
      return s('step.lost', { card });
    case 'shuffle':
      return s('step.shuffle');
    case 'pick':
      return s('step.pick');
  }
}

/** Something that was entered, as one would tell it: for undo and for going through a match again. */
export function operationText(operation: AnyOperation, sheet: Sheet): string {
  switch (operation.kind) {
    case 'start':
      return s('did.start');
    case 'enter':
      return [...operation.entries].map(([player, entry]) => s('did.enter', { name: nameOf(sheet, player), value: typeof entry === 'number' ? s('value.points', { n: entry }) : entryText(entry) })).join(', ');
    case 'live':
      return stepText(operation.step, sheet);
    case 'mend':
      return s('did.mend', { value: operation.steps.map((step) => stepText(step, sheet)).join(', ') || s('value.none') });
    case 'rename':
    case 'add':
      return s(`did.${operation.kind}`, { name: operation.name });
    case 'away':
      return s(operation.rounds.some(([, back]) => back === null) ? 'did.left' : 'did.back', { name: nameOf(sheet, operation.player) });
    case 'dealer':
      return s('did.dealer', { name: nameOf(sheet, operation.player) });
    case 'target':
      return s('did.target', { n: operation.target });
    case 'stop':
      return operation.stopped ? s('did.stop') : s('did.resume');
    case 'remove':
      return s('did.remove');
    case 'undo':
    case 'redo':
      return s(`did.${operation.kind}`);
  }
}

/** Today, as it is written into matches and names of files. */
export function today(): string {
  const now = new Date();
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
}
