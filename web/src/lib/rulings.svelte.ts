/** Which ruling or rules page lies open above the present page. */

const open = $state<{ what: string | null }>({ what: null });

/** The id of the ruling that is open, `'all'` for all rules, or `null`. */
export function openRuling(): string | null {
  return open.what;
}

/** Open a ruling by its id, `'all'` for all rules, or close with `null`. */
export function showRuling(what: string | null): void {
  open.what = what;
}
