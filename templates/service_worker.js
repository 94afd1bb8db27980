// Shows the offline page while the server cannot be reached. Caches that page and its files, and no
// conversation content.
const CACHE = "offline-{{ version }}";
const OFFLINE = "{{ offline|escapejs }}";
const KEPT = [OFFLINE{% for file in files %}, "{{ file|escapejs }}"{% endfor %}];

self.addEventListener("install", (event) => {
  // Without cookies: the cached page is the same for everybody and must not belong to any account.
  const requests = KEPT.map((address) => new Request(address, { credentials: "omit", cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const tidied = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(Promise.all([tidied, self.registration.navigationPreload?.enable()]).then(() => self.clients.claim()));
});

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (KEPT.includes(pathname)) event.respondWith(fetch(request).catch(async () => (await caches.match(pathname)) ?? Response.error()));
});
