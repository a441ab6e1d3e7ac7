/** Keeps the screen awake while a match is on it, where the browser can: it needs a secure address. */

/** Keep the screen awake until the returned function is called. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let ended = false;

  const ask = async (): Promise<void> => {
    if (ended || lock || document.hidden || !('wakeLock' in navigator)) return;
    try {
      const got = await navigator.wakeLock.request('screen');
      if (ended) return void got.release();
      lock = got;
      got.addEventListener('release', () => (lock = null)); // the browser lets go when the page is hidden
    } catch {
      return; // a low battery, say: the page works without
    }
  };
  const look = (): void => void ask();
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    ended = true;
    document.removeEventListener('visibilitychange', look);
    void lock?.release();
  };
}
