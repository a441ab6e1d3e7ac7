/** The matches of this device, in its own database. Writing unites with what another tab has written. */

import { recall, remember } from '../lib/storage';
import { newId } from './match';
import { idOf, type Operation } from './operations';

/** Where a match is shared, and whether this device may enter scores there. */
export interface Share {
  code: string;
  key: string | null;
}

/** Choices of a game that is followed card by card, and the rounds it began with. */
export interface LiveNotes {
  from: number;
  choices: (string | number)[];
}

export interface Kept {
  id: string;
  operations: Operation[];
  share: Share | null;
  live: LiveNotes | null;
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

async function ask<T>(mode: IDBTransactionMode, what: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const store = (await database()).transaction(STORE, mode).objectStore(STORE);
  return new Promise((resolve, reject) => {
    const request = what(store);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database refuses'));
  });
}

/** One match, if this device has it. */
export const load = (id: string): Promise<Kept | undefined> => ask('readonly', (store) => store.get(id) as IDBRequest<Kept | undefined>);

/** All matches, the latest first. */
export async function loadAll(): Promise<Kept[]> {
  const all = await ask('readonly', (store) => store.getAll() as IDBRequest<Kept[]>);
  return all.sort((a, b) => b.at - a.at);
}

/** Forget a match. */
export const drop = (id: string): Promise<undefined> => ask('readwrite', (store) => store.delete(id));

/** Keep a match; whatever another tab has added stays. Resolves when it is on disk. */
export async function save(kept: Kept): Promise<void> {
  const transaction = (await database()).transaction(STORE, 'readwrite');
  const store = transaction.objectStore(STORE);
  const known = store.get(kept.id) as IDBRequest<Kept | undefined>;
  known.onsuccess = () => {
    const operations = new Map((known.result?.operations ?? []).map((operation) => [idOf(operation), operation]));
    for (const operation of kept.operations) operations.set(idOf(operation), operation);
    store.put({ ...kept, operations: [...operations.values()] });
  };
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error ?? new Error('the database refuses'));
  });
}

let own = recall<string>('flip7.device');

/** The name of this device among those that keep a match. */
export function device(): string {
  if (!own || !/^[\w-]{1,40}$/.test(own)) {
    own = newId(6);
    remember('flip7.device', own);
  }
  return own;
}
