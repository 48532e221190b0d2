// Passes requests for pages to the page that runs the application, and keeps all other files for use without a network.
const VERSION = "{version}";
const FILES = {files};
const ROOT = new URL("./", self.location);
const PAGES = new URL("app/", ROOT).pathname;

self.addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(VERSION);
  const kept = new Set((await cache.keys()).map((one) => one.url));
  const missing = FILES.filter((name) => !kept.has(new URL(name, ROOT).href));
  await cache.addAll(missing.map((name) => new Request(new URL(name, ROOT), { cache: "no-cache" })));
  await self.skipWaiting();
})()));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
  await self.clients.claim();
})()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== ROOT.origin || !url.pathname.startsWith(ROOT.pathname)) return;
  event.respondWith(url.pathname.startsWith(PAGES) ? answered(event.request, url) : kept(event.request));
});

async function kept(request) {
  const found = await caches.match(request, { ignoreSearch: true });
  return found ?? fetch(request);
}

async function answered(request, url) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shell = windows.find((one) => [ROOT.pathname, `${ROOT.pathname}index.html`].includes(new URL(one.url).pathname));
  // The address of a page in the window itself, or after the application was closed.
  if (!shell) return Response.redirect(`${ROOT.href}#/${url.pathname.slice(PAGES.length)}${url.search}`, 302);
  const { port1, port2 } = new MessageChannel();
  const message = { method: request.method, address: url.pathname + url.search, headers: [...request.headers] };
  if (request.method === "POST") message.body = await request.blob();
  shell.postMessage(message, [port2]);
  return new Promise((fine) => {
    let pieces;
    const stream = new ReadableStream({ start(one) { pieces = one; }, cancel() { port1.postMessage("left"); } });
    port1.onmessage = ({ data }) => {
      if (data.kind === "start") {
        const headers = new Headers(data.headers);
        const policy = headers.get("content-security-policy");
        // The page is shown in a frame of the page that runs the application.
        if (policy) headers.set("content-security-policy", policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
        const isEmpty = [204, 205, 304].includes(data.status);
        if (data.status >= 300 && data.status < 400) fine(Response.redirect(new URL(headers.get("location"), url), data.status));
        else fine(new Response(isEmpty ? null : stream, { status: data.status, headers }));
      } else if (data.kind === "piece") pieces.enqueue(data.bytes);
      else { pieces.close(); port1.close(); }
    };
  });
}
