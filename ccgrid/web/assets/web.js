// Sends the user's touches and shows the answers. It knows no rules: the server decides which touches are a move.
"use strict";
const table = document.getElementById("table");
const note = document.getElementById("note");
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const GAME = "ccgrid-card-game";  // where the browser keeps the card game of the last photographs
let touched = [];
let fading;

const SILENCE = 2500;  // milliseconds; the server sends the version every second
const PATIENCE = 1500;  // milliseconds for a new connection
const PAUSE = 10_000;  // milliseconds between looks of a hidden page: browsers keep six connections to a server open
const LONGEST = 30_000;  // milliseconds for the answer to an action
const UNANSWERED = "The server does not answer. Is the computer on, and on the same network?";
const REFUSED = "This device has no access any more. Scan the QR code of the server again.";
const connection = document.getElementById("connection");
const LOST = connection.textContent;
let requests = new AbortController();
function endRequests() {
  requests.abort();
  requests = new AbortController();
}

// Calls `refresh` while the server's version differs from `shown()`, and `place` with what the server sends unasked;
// says when the connection is lost, and reconnects.
function follow(address, shown, refresh, place) {
  let events = null;
  let clock;
  let newest;
  let isRefreshing = false;
  const wait = (milliseconds) => { clearTimeout(clock); clock = setTimeout(lose, milliseconds); };
  const lose = () => {
    connection.hidden = false;
    endRequests();  // after a cut, an old request may hang for minutes
    connect();
  };
  const update = async () => {
    if (isRefreshing) return;
    isRefreshing = true;
    try {
      for (let tried; newest !== shown() && newest !== tried;) { tried = newest; await refresh(); }
    } catch { /* the next event tries again */ } finally { isRefreshing = false; }
  };
  const connect = () => {
    events?.close();
    events = new EventSource(address);
    const hear = () => {
      connection.hidden = true;
      wait(SILENCE);
      if (document.visibilityState === "visible") return;
      events.close();
      clearTimeout(clock);
      clock = setTimeout(connect, PAUSE);
    };
    events.onmessage = (event) => {
      hear();
      newest = event.data;
      update();
    };
    events.addEventListener("part", (event) => {
      hear();
      place(JSON.parse(event.data));
    });
    events.onerror = () => {
      events.close();  // the browser's own retries wait longer and longer
      connection.hidden = false;
      wait(PATIENCE / 2);
      fetch(location.href, { method: "HEAD" }).then((reply) => reply.status === 403, () => false).then((isRefused) => {
        connection.textContent = isRefused ? REFUSED : LOST;
      });
    };
    wait(PATIENCE);
  };
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") connect(); });
  window.addEventListener("online", connect);
  window.addEventListener("offline", lose);
  window.addEventListener("pagehide", () => { clearTimeout(clock); events.close(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
  connect();
}

function say(text, milliseconds = 8000) {
  note.textContent = text;
  note.className = "";
  note.hidden = !text;
  clearTimeout(fading);
  fading = setTimeout(() => { note.hidden = true; }, milliseconds);
}

const play = () => table.querySelector(".play");
const ways = () => JSON.parse(play().dataset.ways || "[]");
const begins = (way, path) => path.every((touch, at) => way[at] === touch);

function light() {
  const next = new Set();
  const fitting = new Set();
  for (const [move, those] of ways()) {
    for (const way of those) {
      if (!begins(way, touched)) continue;
      fitting.add(move);
      if (way.length > touched.length) next.add(way[touched.length]);
    }
  }
  for (const button of table.querySelectorAll(".touch")) {
    const what = button.dataset.touch;
    button.classList.toggle("can", !touched.length && next.has(what));
    button.classList.toggle("lit", touched.length > 0 && next.has(what));
    button.classList.toggle("selected", touched.includes(what));
    button.setAttribute("aria-pressed", touched.includes(what));
    if (what.startsWith("words:")) button.hidden = !next.has(what);
  }
  for (const button of table.querySelectorAll(".choices button")) button.parentElement.hidden = !fitting.has(button.value);
  const count = table.querySelector(".moves .count");
  if (count) count.textContent = fitting.size;
}

// Returns the nearest thing to touch in a direction.
function neighbour(from, x, y) {
  const middle = (one) => { const place = one.getBoundingClientRect(); return [place.x + place.width / 2, place.y + place.height / 2]; };
  const start = middle(from);
  const steps = [...table.querySelectorAll(".touch:not([hidden])")].map((one) => {
    const [across, down] = middle(one).map((place, at) => place - start[at]);
    return { one, ahead: across * x + down * y, aside: Math.abs(across * y + down * x) };
  }).filter((step) => step.ahead > 2 && step.one.offsetParent);
  return steps.sort((one, other) => one.ahead + 2 * one.aside - other.ahead - 2 * other.aside)[0]?.one;
}

async function touch(what) {
  const path = [...touched, what];
  const all = ways();
  const made = all.find(([, those]) => those.some((way) => way.length === path.length && begins(way, path)));
  if (made) {
    touched = [];
    const form = table.querySelector(".choices").closest("form");
    await send(form, form.action, ["move", made[0]]);
  } else if (all.some(([, those]) => those.some((way) => begins(way, path)))) {
    touched = path;
  } else if (touched.includes(what)) {
    touched = [];
  } else {
    const asked = all.some(([, those]) => those.some((way) => way[0] === what)) && touched.length === 1;
    const why = new URLSearchParams(path.map((one) => ["touch", one]));
    try {
      const reply = await fetch(`${play().dataset.why}?${why}`, { signal: requests.signal });
      say(reply.ok ? await reply.text() : UNANSWERED);
    } catch {
      say(UNANSWERED);
    }
    touched = asked ? [what] : [];
  }
  light();
}

async function send(form, address, [name, value]) {
  const fields = new URLSearchParams(new FormData(form));
  if (name) fields.set(name, value);
  if (form.method === "get") { location.assign(`${address}?${fields}`); return; }
  fields.set("csrf", table.dataset.form);  // the part is the same for all players, so it has no token
  table.classList.add("busy");
  const late = setTimeout(endRequests, LONGEST);
  try {
    const headers = { Accept: "application/json" };
    const reply = await fetch(address, { method: "POST", body: fields, headers, signal: requests.signal });
    if (reply.status === 403) { say(REFUSED); return; }
    const { said, done, part } = await reply.json();
    say(said);  // or nothing: an earlier message is about an earlier action
    if (done) form.reset();
    if (part) place(part);
    else await refresh();
  } catch {
    say(UNANSWERED);
  } finally {
    clearTimeout(late);
    table.classList.remove("busy");
  }
}

let asking = null;
async function refresh() {
  while (asking) await asking;  // one at a time; a later call gets the newer state
  asking = show();
  try { await asking; } finally { asking = null; }
}

async function show() {
  const reply = await fetch(table.dataset.source, { headers: { Accept: "application/json" }, signal: requests.signal });
  if (!reply.ok) {
    say((await reply.json()).said);
    throw new Error("no part");
  }
  place(await reply.text());
}

// Returns a function that, after the content of an element was replaced, gives the focus to the same control again, or
// to the given element: a browser would go to the start of the page.
function keepFocus(part) {
  const focused = document.activeElement;
  const label = (one) => one.id || one.dataset.touch
    || [one.tagName, one.form?.action, one.formAction, one.href, one.value, one.ariaLabel, one.matches("summary") ? one.parentElement.className : one.textContent].join();
  if (!part.contains(focused) || focused === part) return () => {};
  const wanted = label(focused);
  return (otherwise) => {
    const again = [...part.querySelectorAll("a, button, summary, input, select")].find((one) => one.offsetParent && label(one) === wanted);
    if (!again) otherwise.tabIndex = -1;
    (again ?? otherwise).focus({ preventScroll: !again });
  };
}

function place(text) {
  const refocus = keepFocus(table);
  const open = [...table.querySelectorAll("details[open]")].map((one) => one.className);
  const before = play().dataset.ways;
  const typed = [...table.querySelectorAll("input[id]")].map((one) => [one.id, one.value]);
  table.dispatchEvent(new Event("leave"));  // turns.js notes where the cards lie
  table.innerHTML = text;
  for (const [id, value] of typed) {  // another player may act while this one types
    const found = document.getElementById(id);
    if (found) found.value = value;
  }
  for (const one of open) for (const found of table.getElementsByClassName(one)) found.open = true;
  if (play().dataset.ways !== before) touched = [];
  light();
  refocus(table.querySelector("#status"));
  const live = [...table.querySelectorAll(".news li")].map((one) => one.textContent);
  table.dispatchEvent(new Event("shown"));
  document.getElementById("live").textContent = [...live, table.querySelector("#status .said").textContent].join(" ");
}

if (table) {
  table.addEventListener("click", (event) => {
    const button = event.target.closest(".touch");
    if (button) touch(button.dataset.touch);
  });
  table.addEventListener("submit", (event) => {
    event.preventDefault();
    const { name, value, formAction } = event.submitter;
    send(event.target, event.submitter.hasAttribute("formaction") ? formAction : event.target.action, [name, value]);
  });
  table.addEventListener("keydown", (event) => {
    if (!STEPS[event.key] || !event.target.matches(".touch")) return;
    event.preventDefault();  // the page would scroll
    neighbour(event.target, ...STEPS[event.key])?.focus();
  });
  light();
  if (table.dataset.events) follow(table.dataset.events, () => play().dataset.version, refresh, place);
}
note.addEventListener("click", () => say(""));

document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.ask;
  if (!question || confirm(question)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

// A second tap sends nothing until the answer is there, or the page is shown again.
const sent = new Set();
document.addEventListener("submit", (event) => {
  if (sent.has(event.target)) event.preventDefault();
  if (event.defaultPrevented) return;
  sent.add(event.target);
  const { patience } = event.target.dataset;
  if (patience) setTimeout(() => say(patience, 120_000), 1500);
});
window.addEventListener("pageshow", () => sent.clear());

function keepFresh(list) {
  follow(list.dataset.events, () => list.firstElementChild.dataset.version, async () => {
    const reply = await fetch(`${list.dataset.source}&${location.search.slice(1)}`, { signal: requests.signal });
    if (!reply.ok) return;
    const text = await reply.text();
    const refocus = keepFocus(list);
    list.innerHTML = text;
    refocus(list);
  });
}

const tables = document.getElementById("tables");
if (tables) keepFresh(tables);
const photographs = document.getElementById("photographs");
if (photographs) {
  keepFresh(photographs);
  const sheet = document.getElementById("send");
  const unsent = [];
  let sending = false;
  const progress = (text) => { document.getElementById("sending").textContent = text; };
  const sendAll = async () => {
    if (sending) return;
    sending = true;
    while (unsent.length) {
      const [file, game] = unsent[0];
      progress(`Sending ${file.name}; ${unsent.length} left. Keep this page open.`);
      let reply;
      try {
        const query = new URLSearchParams({ name: file.name, game });
        const headers = { "X-Form": sheet.dataset.form, Accept: "application/json", "Content-Type": "application/octet-stream" };
        reply = await fetch(`${sheet.action}?${query}`, { method: "POST", body: file, headers });
        if (reply.status === 403) throw new Error(REFUSED);
      } catch {
        progress(`${unsent.length} not sent yet: the server does not answer. Sending continues when it does.`);
        setTimeout(() => { sending = false; sendAll(); }, 3000);
        return;
      }
      unsent.shift();
      if (!reply.ok) say(`${file.name}: ${(await reply.json()).said}`);
    }
    progress("");
    sending = false;
  };
  const game = sheet?.elements.game;
  if (game && !game.value) {
    game.value = localStorage.getItem(GAME) ?? "";
    if (game.selectedIndex < 0) game.value = "";  // the server does not know it any more
  }
  game?.addEventListener("change", () => localStorage.setItem(GAME, game.value));
  sheet?.addEventListener("change", (event) => {
    if (event.target.type !== "file") return;
    for (const file of event.target.files) {
      if (file.size > Number(sheet.dataset.largest)) say(`${file.name} has ${Math.ceil(file.size / 2 ** 20)} megabytes; a picture may have at most ${sheet.dataset.largest / 2 ** 20}.`);
      else unsent.push([file, game.value]);
    }
    event.target.value = "";
    sendAll();
  });
  sheet?.addEventListener("submit", (event) => event.preventDefault());
  // Only this page has them, so the browser asks before it leaves the page.
  window.addEventListener("beforeunload", (event) => {
    if (!unsent.length) return;
    event.preventDefault();
    sent.clear();  // the user may stay, and tap again later
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") sendAll();
  });
}
for (const list of document.querySelectorAll(".ticks")) {
  const ticked = new Set(JSON.parse(sessionStorage.getItem(list.dataset.list) || "[]"));
  for (const box of list.querySelectorAll("input")) box.checked = ticked.has(box.value);
  list.addEventListener("change", (event) => {
    ticked[event.target.checked ? "add" : "delete"](event.target.value);
    sessionStorage.setItem(list.dataset.list, JSON.stringify([...ticked]));
  });
}
for (const zone of document.querySelectorAll(".cut a")) {
  zone.addEventListener("click", (event) => {
    event.preventDefault();
    document.querySelector(zone.getAttribute("href")).select();
  });
}

const find = document.querySelector("form.find");
if (find) {
  const words = find.querySelector("[name=q]");
  let waiting;
  let asked = 0;
  const look = async () => {
    const mine = ++asked;
    const query = new URLSearchParams({ q: words.value, part: "1" });
    let text = `<p class="strong-line">${UNANSWERED}</p>`;
    try {
      const reply = await fetch(`${find.action}?${query}`);
      if (reply.ok) text = await reply.text();
    } catch { /* the old cards are no answer */ }
    if (mine !== asked) return;  // a later question was answered first
    document.getElementById("found").innerHTML = text;
    history.replaceState(null, "", `${find.action}?${new URLSearchParams({ q: words.value })}`);
  };
  const later = () => { clearTimeout(waiting); waiting = setTimeout(look, 120); };
  words.addEventListener("input", later);
  find.addEventListener("submit", (event) => { event.preventDefault(); later(); });
  for (const filter of find.querySelectorAll(".filter")) {
    filter.addEventListener("click", () => {
      const own = filter.dataset.words;
      const typed = words.value.split(" ").filter(Boolean);
      words.value = (typed.includes(own) ? typed.filter((word) => word !== own) : [...typed, own]).join(" ");
      later();
    });
  }
}

document.addEventListener("keydown", (event) => {
  const ways = { ArrowLeft: "prev", ArrowRight: "next" };
  if (event.target.matches("input, select") || !ways[event.key]) return;
  document.querySelector(`a[rel=${ways[event.key]}]`)?.click();
});
