/** The matches of this device, in its own database. Writing unites with what another tab has written. */

import type { PlainOperation } from '../lib/messages';
import { recall, remember } from '../lib/storage';
import { newId } from './match';
import { plainId } from './wire';

/** Where a match is shared, and whether this device may enter scores there. */
export interface Share {
  code: string;
  key: string | null;
}

export interface Kept {
  id: string;
  operations: PlainOperation[];
  share: Share | null;
  at: number;
}

const NAME = 'flip7-matches';
const STORE = 'matches';

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no database'));
  });
  opened.catch(() => (opened = null));
  return opened;
}

/** Matches of this visit, in a browser that has no database for us: they go with the page. */
const memory = new Map<string, Kept>();

async function ask<T>(mode: IDBTransactionMode, what: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const store = (await database()).transaction(STORE, mode).objectStore(STORE);
  return new Promise((resolve, reject) => {
    const request = what(store);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database refuses'));
  });
}

/** Whether this browser has a database at all; a private window may have none. */
export const keeps = (): Promise<boolean> =>
  database().then(
    () => true,
    () => false,
  );

/** One match, if this device has it. */
export async function load(id: string): Promise<Kept | undefined> {
  return memory.get(id) ?? ((await keeps()) ? ask('readonly', (store) => store.get(id) as IDBRequest<Kept | undefined>) : undefined);
}

/** All matches, the latest first. */
export async function loadAll(): Promise<Kept[]> {
  const all = (await keeps()) ? await ask('readonly', (store) => store.getAll() as IDBRequest<Kept[]>) : [];
  return [...all.filter(({ id }) => !memory.has(id)), ...memory.values()].sort((a, b) => b.at - a.at);
}

/** Forget a match. */
export async function drop(id: string): Promise<void> {
  memory.delete(id);
  if (await keeps()) await ask('readwrite', (store) => store.delete(id));
}

/** Keep a match; whatever another tab has added stays. Returns whether it is on disk: else it lives as long as the page. */
export async function save(kept: Kept): Promise<boolean> {
  try {
    await write(kept);
    memory.delete(kept.id);
  } catch {
    memory.set(kept.id, kept);
    return false;
  }
  void stay();
  return true;
}

let asked: Promise<boolean> | null = null;

/** Ask the browser not to clear away what is kept. Returns whether it promises that; http:// addresses are promised nothing. */
export function stay(): Promise<boolean> {
  const storage = isSecureContext ? navigator.storage : undefined;
  asked ??= (storage?.persisted?.() ?? Promise.resolve(false)).then((sure) => sure || (storage?.persist?.() ?? false)).catch(() => false);
  return asked;
}

async function write(kept: Kept): Promise<void> {
  const transaction = (await database()).transaction(STORE, 'readwrite');
  const store = transaction.objectStore(STORE);
  const known = store.get(kept.id) as IDBRequest<Kept | undefined>;
  known.onsuccess = () => {
    const operations = new Map((known.result?.operations ?? []).map((operation) => [plainId(operation), operation]));
    for (const operation of kept.operations) operations.set(plainId(operation), operation);
    store.put({ ...kept, operations: [...operations.values()] });
  };
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error ?? new Error('the database refuses'));
  });
}

/** Everybody at a match sees who wrote what: this is not the number that the daily challenge knows. */
const WRITER = 'flip7.writer';
let own = recall<string>(WRITER);
const tab = newId(3);

/** Who writes here, among all who keep a match: this browser, and in it this tab. */
export function device(): string {
  if (!own || !/^[\w-]{1,40}$/.test(own)) {
    own = newId(6);
    remember(WRITER, own);
  }
  return `${own}~${tab}`;
}
