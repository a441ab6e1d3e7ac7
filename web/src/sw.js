/* Keeps the shell of the application, so that it opens without a network. Games themselves need the server. */

const VERSION = __VERSION__;
const FILES = __FILES__;
const CACHE = `flip7-${VERSION}`;
const PATIENCE = 3000;
const SERVER_ONLY = /^\/(api|ws|healthz|metrics|schema)(\/|$)/;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const old = (name) => name.startsWith('flip7-') && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

/* Pages come from the network while there is one, so that a new version shows at once; a network that does not answer
   is none. */
async function page(request) {
  const fetched = fetch(request);
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const kept = patience.then(() => caches.match('/')).then((found) => found ?? fetched);
  return Promise.race([fetched, kept]).catch(() => caches.match('/'));
}

/* Files with a hash never change. */
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin || SERVER_ONLY.test(url.pathname)) return;
  if (event.request.mode === 'navigate') {
    event.respondWith(page(event.request));
    return;
  }
  event.respondWith(
    caches.match(event.request).then(
      (kept) =>
        kept ??
        fetch(event.request).then((answer) => {
          if (answer.ok && url.pathname.startsWith('/assets/')) {
            const copy = answer.clone();
            void caches.open(CACHE).then((cache) => cache.put(event.request, copy));
          }
          return answer;
        }),
    ),
  );
});
