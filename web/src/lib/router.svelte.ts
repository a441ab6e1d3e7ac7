/** Where the user is. Links inside the application change the page without loading it again. */

const place = $state({ path: location.pathname, query: location.search });

/** The present path, such as `/t/ABCD`. */
export function path(): string {
  return place.path;
}

/** A value of the query string, or `null`. */
export function query(name: string): string | null {
  return new URLSearchParams(place.query).get(name);
}

/** Go to a path of this application. `replace` leaves no way back to the present one. */
export function navigate(to: string, replace = false): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  update();
  scrollTo(0, 0);
}

function update(): void {
  place.path = location.pathname;
  place.query = location.search;
}

addEventListener('popstate', update);

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (/^\/(api|licences)\//.test(link.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});
