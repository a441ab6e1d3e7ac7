/** The REST interface of the server. */

import { nonce } from './promise';
import { recall, remember } from './storage';
import type { Bot, Bots, CreateTable, JoinTable, OpenTables, Problem, PromisedSecret, QuickGame, Replay, RulesBody, Seated, TableInfo } from './messages';

/** A request that was refused, with the server's code and words, or `network` when it never arrived. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    text: string,
    readonly status: number,
  ) {
    super(text);
  }
}

async function call<T>(path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Refusal('network', '', 0);
  }
  if (answer.ok) return (await answer.json()) as T;
  const problem = (await answer.json().catch(() => null)) as Partial<Problem> | null;
  throw new Refusal(problem?.code ?? 'unknown', problem?.text ?? `${answer.status}`, answer.status);
}

const table = (code: string): string => `/api/tables/${encodeURIComponent(code)}`;

/** Opens a table; the server has to promise its secret before it learns what this device adds to it. */
async function open(path: string, body: CreateTable | QuickGame): Promise<Seated> {
  const { secret } = await call<PromisedSecret>('/api/secrets', {});
  return call(path, { ...body, secret, nonce: nonce() });
}

export const createTable = (body: CreateTable): Promise<Seated> => open('/api/tables', body);
export const quickGame = (body: QuickGame): Promise<Seated> => open('/api/quick', body);
export const joinTable = (code: string, body: JoinTable): Promise<Seated> => call(`${table(code)}/join`, { ...body, nonce: nonce() });
export const openTables = (): Promise<OpenTables> => call('/api/tables');
export const tableInfo = (code: string): Promise<TableInfo> => call(table(code));
export const replay = (id: string): Promise<Replay> => call(`/api/games/${encodeURIComponent(id)}`);
export const recordUrl = (id: string): string => `/api/games/${encodeURIComponent(id)}/record`;
export const qrUrl = (code: string): string => `${table(code)}/qr.svg`;

let knownBots: Promise<Bot[]> | null = null;
const RULES = 'flip7.rules';
let knownRules: Promise<RulesBody> | null = null;

/** All bots; asked for once. */
export function bots(): Promise<Bot[]> {
  knownBots ??= call<Bots>('/api/bots').then((body) => body.bots);
  knownBots.catch(() => (knownBots = null));
  return knownBots;
}

/** All rulings; asked for once, and kept for when there is no network. */
export function rules(): Promise<RulesBody> {
  knownRules ??= call<RulesBody>('/api/rules').then(
    (body) => {
      remember(RULES, body);
      return body;
    },
    (error: unknown) => recall<RulesBody>(RULES) ?? Promise.reject(error),
  );
  knownRules.catch(() => (knownRules = null));
  return knownRules;
}
