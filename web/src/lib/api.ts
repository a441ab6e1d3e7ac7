/** The REST interface of the server. */

import { deviceId } from './daily';
import { nonce, noteNonce } from './promise';
import { recall, remember } from './storage';
import type { Bot, Bots, CreateTable, DailyBody, DailyStart, EngineStatus, JoinTable, OpenTables, Problem, PromisedSecret, QuickGame, Replay, ReviewAnswer, RulesBody, Seated, TableInfo } from './messages';

/** A request that was refused, with the server's code and words, or `network` when it never arrived. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    text: string,
    readonly status: number,
    /** How long to wait, where waiting helps. */
    readonly seconds: number | null = null,
  ) {
    super(text);
  }
}

/** Ask the server; what it answers is JSON or a picture. `headers` go along. */
export async function call<T>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Refusal('network', '', 0);
  }
  const isPicture = answer.headers.get('content-type')?.startsWith('image/');
  if (answer.ok) return (await (isPicture ? answer.blob() : answer.json())) as T;
  const problem = (await answer.json().catch(() => null)) as Partial<Problem> | null;
  throw new Refusal(problem?.code ?? 'unknown', problem?.text ?? `${answer.status}`, answer.status, problem?.seconds ?? null);
}

const QUICK = '/api/quick';
/** How often a secret is asked for. */
const SECRETS = 3;

const table = (code: string): string => `/api/tables/${encodeURIComponent(code)}`;

/** Opens a table; the server has to promise its secret before it learns what this device adds to it. */
async function open(path: string, body: CreateTable | QuickGame, tries = SECRETS): Promise<Seated> {
  const { secret } = await call<PromisedSecret>('/api/secrets', {});
  const added = nonce();
  try {
    const seated = await call<Seated>(path, { ...body, secret, nonce: added });
    noteNonce(seated.code, secret, added, path === QUICK);
    return seated;
  } catch (error) {
    // The server that has promised it may have been started again.
    if (error instanceof Refusal && error.code === 'unknown_secret' && tries > 1) return open(path, body, tries - 1);
    throw error;
  }
}

/** Sits down at a table; what this device adds goes to the secret that the table shows. */
async function join(code: string, body: JoinTable): Promise<Seated> {
  const { secret } = await tableInfo(code);
  const added = nonce();
  const seated = await call<Seated>(`${table(code)}/join`, { ...body, nonce: added });
  noteNonce(seated.code, secret, added);
  return seated;
}

export const createTable = (body: CreateTable): Promise<Seated> => open('/api/tables', body);
/** A new quick game may replace an old one of this device that nobody plays. */
export const quickGame = (body: QuickGame): Promise<Seated> => open(QUICK, { ...body, device: deviceId() });
export const joinTable = join;
export const openTables = (): Promise<OpenTables> => call('/api/tables');
export const tableInfo = (code: string): Promise<TableInfo> => call(table(code));
export const replay = (id: string): Promise<Replay> => call(`/api/games/${encodeURIComponent(id)}`);
export const review = (id: string): Promise<ReviewAnswer> => call(`/api/games/${encodeURIComponent(id)}/review`);
export const engine = (): Promise<EngineStatus> => call('/api/engine');
export const daily = (device: string): Promise<DailyBody> => call('/api/daily', { device });
export const playDaily = (body: DailyStart): Promise<Seated> => call('/api/daily/play', body);
export const recordUrl = (id: string): string => `/api/games/${encodeURIComponent(id)}/record`;
export const qrUrl = (code: string): string => `${table(code)}/qr.svg`;

let knownBots: Promise<Bots> | null = null;
const RULES = 'flip7.rules';
const knownRules: Record<string, Promise<RulesBody>> = {};

/** All bots and how strong they are; asked for once. */
export function ladder(): Promise<Bots> {
  knownBots ??= call<Bots>('/api/bots');
  knownBots.catch(() => (knownBots = null));
  return knownBots;
}

/** All bots, those first whom one meets who asks for nobody in particular. */
export const bots = (): Promise<Bot[]> => ladder().then((body) => body.bots);

/** All rulings in a language; asked for once, and kept for when there is no network. */
export function rules(language: string): Promise<RulesBody> {
  const asked = (knownRules[language] ??= call<RulesBody>(`/api/rules?language=${language}`).then(
    (body) => {
      remember(RULES, body);
      return body;
    },
    (error: unknown) => recall<RulesBody>(RULES) ?? Promise.reject(error),
  ));
  asked.catch(() => delete knownRules[language]);
  return asked;
}
