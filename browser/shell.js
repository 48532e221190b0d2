// Starts the worker with the application, and shows its pages in a frame.
const note = document.getElementById("note"), bar = document.getElementById("bar"), frame = document.getElementById("pages");
const STEPS = { python: 50, packages: 65, ready: 90 };
window.marks = {};

function progress(what) {
  window.marks[what] = Math.round(performance.now());
  bar.value = Math.max(bar.value, STEPS[what]);
}

function fail(text) {
  note.textContent = text;
  bar.hidden = true;
}

// One window at a time: two would overwrite each other's files.
async function alone() {
  const steal = location.search === "?here";
  if (steal) history.replaceState(null, "", location.pathname + location.hash);
  return new Promise((fine) => {
    const options = steal ? { steal: true } : { ifAvailable: true };
    const away = () => location.replace(`elsewhere.html${location.hash}`);
    navigator.locks.request("ccgrid", options, (lock) => {
      if (!lock) { away(); return undefined; }
      fine();
      return new Promise(() => {});
    }).catch(away);
  });
}

// Links of pages that the browser itself would not open: one to send, and files, which no service worker passes on.
async function follow(event) {
  const link = event.target.closest("a[data-share], a[download]");
  if (!link) return;
  event.preventDefault();
  if (link.matches("[download]")) {
    const saved = document.createElement("a");
    const reply = await fetch(link.href);
    if (!reply.ok) return frame.contentWindow.location.assign(link.href);  // the page that says why
    saved.href = URL.createObjectURL(await reply.blob());
    saved.download = /filename="(.*)"/.exec(reply.headers.get("content-disposition"))?.[1] ?? "";
    saved.click();
    setTimeout(() => URL.revokeObjectURL(saved.href), 60_000);
  } else if (navigator.share) {
    await navigator.share({ text: link.textContent, url: link.href }).catch(() => {});
  } else {
    await navigator.clipboard.writeText(link.href);
    link.textContent = "Link copied.";
  }
}

async function start() {
  if (!navigator.serviceWorker || !navigator.locks) return fail("This browser cannot run ccgrid, which needs service workers and https.");
  await alone();
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => worker.postMessage(data, ports));
  navigator.serviceWorker.startMessages();
  const ready = new Promise((fine, bad) => {
    worker.onerror = (event) => bad(new Error(event.message || "The worker did not start."));
    worker.onmessage = ({ data }) => {
      if (data.kind === "failed") bad(new Error(data.error));
      progress(data.what ?? data.kind);
      if (data.kind === "ready") fine();
    };
  });
  await navigator.serviceWorker.register(new URL("service.js", import.meta.url));
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) await new Promise((fine) => navigator.serviceWorker.addEventListener("controllerchange", fine, { once: true }));
  await ready;
  navigator.storage?.persist?.();  // else a browser may delete what a user seldom opens
  const open = () => frame.contentWindow.location.replace(new URL(`app${location.hash.slice(1) || "/"}`, document.baseURI));
  const shown = () => {
    const at = frame.contentWindow.location;
    const root = new URL("app", document.baseURI).pathname;
    if (!at.pathname.startsWith(root)) return;
    if (!window.marks.page) { document.body.classList.add("shown"); window.marks.page = Math.round(performance.now()); }
    frame.contentDocument.addEventListener("click", follow);
    document.title = frame.contentDocument.title;
    history.replaceState(null, "", `#${at.pathname.slice(root.length)}${at.search}`);
  };
  frame.addEventListener("load", shown);
  window.addEventListener("hashchange", open);
  open();
}

start().catch((error) => fail(`ccgrid did not start: ${error.message}`));
