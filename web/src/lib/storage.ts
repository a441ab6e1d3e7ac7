/** Local storage that never throws: private windows and full disks only forget. */

/** What was remembered under the key, or `null`. */
export function recall<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

/** Keep a value under the key as long as the browser lets us; tells whether it did. */
export function remember(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Forget the key. */
export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    return;
  }
}
