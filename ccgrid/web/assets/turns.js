// Makes a turn noticeable: a sound and a vibration, which can be switched off, the title, and cards that visibly move.
"use strict";
(() => {
  const table = document.getElementById("table");
  const button = document.getElementById("signals");
  const KEY = "ccgrid signals";
  const MOVE = { duration: 450, easing: "cubic-bezier(.2, .7, .2, 1)" };
  const APPEAR = { duration: 300, easing: "ease-out" };
  const title = document.title;
  const isTurn = () => Boolean(table.querySelector("#status.turn"));
  let hadTurn = isTurn();
  let places = new Map();
  let audio = null;

  // --- sound and vibration

  const isOn = () => localStorage.getItem(KEY) !== "off";

  function showSignals() {
    button.setAttribute("aria-pressed", isOn());
    const state = isOn() ? "on" : "off";
    button.setAttribute("aria-label", `Sound ${state}`);
    button.lastChild.textContent = state;
  }

  // Browsers allow sound only after the page was touched.
  function unlock() {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  }

  function chime() {
    if (audio?.state !== "running") return;
    for (const [pitch, delay] of [[660, 0], [880, 0.14]]) {
      const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
      const volume = new GainNode(audio, { gain: 0 });
      const start = audio.currentTime + delay;
      volume.gain.linearRampToValueAtTime(0.25, start + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.45);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + 0.5);
    }
  }

  function signal() {
    if (!isOn()) return;
    chime();
    navigator.vibrate?.([90, 60, 90]);
  }

  // --- cards

  // Where each card lies; copies of one card have several places.
  function cards() {
    const found = new Map();
    for (const card of table.querySelectorAll("[data-card]")) {
      found.set(card.dataset.card, [...(found.get(card.dataset.card) || []), card]);
    }
    return found;
  }

  function notePlaces() {
    places = new Map([...cards()].map(([name, those]) => [name, those.map((card) => card.getBoundingClientRect())]));
  }

  function animate() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [name, those] of cards()) {
      const before = places.get(name) || [];
      const moved = those.filter((card) => !take(before, card.getBoundingClientRect()));
      for (const card of moved) {
        const from = before.shift();
        if (!from) {
          card.animate([{ opacity: 0, scale: 0.8 }, { opacity: 1, scale: 1 }], APPEAR);
          continue;
        }
        const to = card.getBoundingClientRect();
        // A name in a pile is no card: it would be stretched.
        const scale = card.matches(".card, .tile") ? `scale(${from.width / to.width}, ${from.height / to.height})` : "";
        const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) ${scale}`;
        card.animate([{ transform: start, transformOrigin: "0 0", zIndex: 3 }, { transform: "none", transformOrigin: "0 0", zIndex: 3 }], MOVE);
      }
    }
  }

  // Removes the place where a card still lies; copies that stay do not move.
  function take(before, place) {
    const at = before.findIndex((one) => Math.abs(one.x - place.x) < 2 && Math.abs(one.y - place.y) < 2);
    if (at >= 0) before.splice(at, 1);
    return at >= 0;
  }

  // --- the page

  function showTurn() {
    document.title = isTurn() ? `\u25b6 Your turn \u00b7 ${title}` : title;
    if (isTurn() && !hadTurn) signal();
    hadTurn = isTurn();
  }

  button.addEventListener("click", () => {
    localStorage.setItem(KEY, isOn() ? "off" : "on");
    showSignals();
    signal();
  });
  document.addEventListener("pointerdown", unlock);
  document.addEventListener("keydown", unlock);
  table.addEventListener("leave", notePlaces);
  table.addEventListener("shown", () => { animate(); showTurn(); });
  showSignals();
  showTurn();
})();
