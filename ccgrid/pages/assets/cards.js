"use strict";
// Elements, cards and pictures.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function byId(id) {
  return document.getElementById(id);
}

const WIDEST_BETWEEN = 5.5;

// A card with its numbers where they are printed.
function cardFace(card) {
  const numbers = Object.entries(card.zones).map(([zone, number]) =>
    element("span", { class: `number ${zone}`, "aria-hidden": "true" }, String(number)),
  );
  const captions = (card.captions || []).map((text) => element("span", { class: "caption" }, text));
  const widest = widthOfWidestWord(card.name || "");
  const name = element("span", { class: "name" }, card.name || "");
  name.style.setProperty("--widest", widest.toFixed(2));
  // Between two numbers there is no room for a long word; below them there is, where nothing else stands.
  const isBelow = widest > WIDEST_BETWEEN && "left" in card.zones && "right" in card.zones && !captions.length;
  const middle = element("span", { class: isBelow ? "middle below" : "middle" }, name, ...captions);
  const rim = card.label || card.owner ? [element("span", { class: "label" }, [card.label, card.owner].filter(Boolean).join(" "))] : [];
  return [...rim, ...numbers, middle];
}

// How wide the widest word of a name is, in the size of its letters: it is set so small that no word is broken.
const measure = document.createElement("canvas").getContext("2d");
const widths = new Map();
function widthOfWidestWord(name) {
  if (!widths.has(name)) widths.set(name, measured(name));
  return widths.get(name);
}

function measured(name) {
  if (!widths.size) measure.font = `600 100px ${getComputedStyle(document.body).fontFamily}`;
  const words = name.split(/[\s-]+/).filter((word) => !/[\u3040-\u9fff\uac00-\ud7af]/.test(word));
  return Math.max(1, ...words.map((word) => measure.measureText(`${word}-`).width / 100));
}

// The numbers of a card as a screen reader says them.
function spokenNumbers(zones) {
  const said = Object.entries(zones).map(([zone, number]) => `${zone.replace("-", " ")} ${number}`);
  return said.length ? said.join(", ") : "no numbers";
}

async function copyText(text, report) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages that were opened as files may not reach the clipboard.
    const area = element("textarea", { readonly: true, class: "aside" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  report("Copied.");
}

function saveText(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
