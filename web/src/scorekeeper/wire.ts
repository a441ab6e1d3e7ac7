/** Operations as JSON, and back: nothing that has another shape than the model's gets in. */

import { CARDS } from '../rules/cards';
import {
  Add_shape, Away_shape, Dealer_shape, Enter_shape, Live_shape, Mend_shape, Redo_shape, Remove_shape, Rename_shape, Start_shape, Stop_shape, Target_shape, Undo_shape,
  type AnyOperation,
} from './model/operations';

/** An operation as it is stored and sent. */
export type Plain = Record<string, unknown>;

/** The text or value is no operation. */
export class Unreadable extends Error {}

type Shape = 'int' | 'str' | 'bool' | 'none' | 'card' | { list: Shape } | { any: Shape[] } | { map: Shape } | { row: Shape[] } | { is: unknown } | { record: string };
interface Fields {
  fields: Record<string, Shape>;
  defaults: Record<string, unknown>;
}

const SHAPES = [
  Start_shape, Enter_shape, Remove_shape, Rename_shape, Add_shape, Away_shape, Target_shape, Dealer_shape, Stop_shape, Live_shape, Mend_shape, Undo_shape, Redo_shape,
] as unknown as (Fields & { tag: [string, string] })[];
const BY_KIND = new Map(SHAPES.map((shape) => [shape.tag[1], shape]));
const STEP: Fields = {
  fields: { do: { any: ['card', 'stay', 'give', 'shuffle', 'lost', 'leave', 'pick'].map((deed) => ({ is: deed })) }, player: 'str', card: { any: ['card', 'none'] }, to: 'str', anyway: 'bool' },
  defaults: { player: '', card: null, to: '', anyway: false },
};

const isObject = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

function read(value: unknown, shape: Shape): unknown {
  if (shape === 'int' ? Number.isSafeInteger(value) : shape === 'str' ? typeof value === 'string' : shape === 'bool' ? typeof value === 'boolean' : shape === 'none' ? value === null : shape === 'card' ? (CARDS as readonly unknown[]).includes(value) : false) return value;
  if (typeof shape === 'object') {
    if ('is' in shape && value === shape.is) return value;
    if ('list' in shape && Array.isArray(value)) return value.map((one) => read(one, shape.list));
    if ('row' in shape && Array.isArray(value) && value.length === shape.row.length) return value.map((one, i) => read(one, shape.row[i] ?? 'none'));
    if ('map' in shape && isObject(value)) return new Map(Object.entries(value).map(([key, one]) => [key, read(one, shape.map)]));
    if ('record' in shape && isObject(value)) return fields(value, STEP);
    if ('any' in shape) {
      for (const one of shape.any) {
        try {
          return read(value, one);
        } catch {
          continue;
        }
      }
    }
  }
  throw new Unreadable();
}

function fields(value: Plain, shape: Fields): Plain {
  for (const name of Object.keys(value)) if (!Object.hasOwn(shape.fields, name)) throw new Unreadable();
  return Object.fromEntries(
    Object.entries(shape.fields).map(([name, one]) => {
      if (Object.hasOwn(value, name)) return [name, read(value[name], one)];
      if (!Object.hasOwn(shape.defaults, name)) throw new Unreadable();
      const left = shape.defaults[name];
      return [name, Array.isArray(left) ? [...(left as unknown[])] : left];
    }),
  );
}

/** An operation from JSON. Throws `Unreadable`. */
export function readOperation(value: unknown): AnyOperation {
  if (!isObject(value)) throw new Unreadable();
  const { kind, ...rest } = value;
  const shape = BY_KIND.get(String(kind));
  if (!shape) throw new Unreadable();
  return { kind, ...fields(rest, shape) } as unknown as AnyOperation;
}

/** Operations from JSON. Throws `Unreadable`. */
export function readOperations(values: unknown): AnyOperation[] {
  if (!Array.isArray(values)) throw new Unreadable();
  return values.map(readOperation);
}

/** The operation as JSON keeps it. */
export function plain(operation: AnyOperation): Plain {
  return operation.kind === 'enter' ? { ...operation, entries: Object.fromEntries(operation.entries) } : { ...operation };
}

/** What operations call a plain one. */
export const plainId = (operation: Plain): string => `${String(operation['clock'])}.${String(operation['device'])}`;
