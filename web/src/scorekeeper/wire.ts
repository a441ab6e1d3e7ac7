/** Operations as JSON, and back: nothing that has another shape than the model's gets in. */

import type { PlainOperation } from '../lib/messages';
import { CARDS } from '../rules/cards';
import * as model from './model/operations';
import type { AnyOperation } from './model/operations';

/** The text or value is no operation. */
export class Unreadable extends Error {}

type Shape = 'int' | 'str' | 'bool' | 'none' | 'card' | { list: Shape } | { any: Shape[] } | { map: Shape } | { row: Shape[] } | { is: unknown } | { record: string };
interface Fields {
  tag?: [string, string];
  fields: Record<string, Shape>;
  defaults: Record<string, unknown>;
}

/** Every shape that the model has, by its name: operations and what they are made of. */
const SHAPES = Object.entries(model).flatMap(([name, shape]) =>
  name.endsWith('_shape') ? [[name.replace('_shape', ''), shape as unknown as Fields] as const] : [],
);
const BY_NAME = new Map(SHAPES);
const BY_KIND = new Map(SHAPES.map(([, shape]) => [shape.tag?.[1], shape]));

const isObject = (value: unknown): value is PlainOperation => typeof value === 'object' && value !== null && !Array.isArray(value);

function read(value: unknown, shape: Shape): unknown {
  if (shape === 'int' ? Number.isSafeInteger(value) : shape === 'str' ? typeof value === 'string' : shape === 'bool' ? typeof value === 'boolean' : shape === 'none' ? value === null : shape === 'card' ? (CARDS as readonly unknown[]).includes(value) : false) return value;
  if (typeof shape === 'object') {
    if ('is' in shape && value === shape.is) return value;
    if ('list' in shape && Array.isArray(value)) return value.map((one) => read(one, shape.list));
    if ('row' in shape && Array.isArray(value) && value.length === shape.row.length) return value.map((one, i) => read(one, shape.row[i] ?? 'none'));
    if ('map' in shape && isObject(value)) return new Map(Object.entries(value).map(([key, one]) => [key, read(one, shape.map)]));
    if ('record' in shape && isObject(value)) return fields(value, BY_NAME.get(shape.record));
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

function fields(value: PlainOperation, shape: Fields | undefined): PlainOperation {
  if (!shape) throw new Unreadable();
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
  return { kind, ...fields(rest, BY_KIND.get(String(kind))) } as unknown as AnyOperation;
}

/** Operations from JSON. Throws `Unreadable`. */
export function readOperations(values: unknown): AnyOperation[] {
  if (!Array.isArray(values)) throw new Unreadable();
  return values.map(readOperation);
}

/** The operation as JSON keeps it. */
export function plain(operation: AnyOperation): PlainOperation {
  return operation.kind === 'enter' ? { ...operation, entries: Object.fromEntries(operation.entries) } : { ...operation };
}

/** What operations call a plain one. */
export const plainId = (operation: PlainOperation): string => `${String(operation['clock'])}.${String(operation['device'])}`;
