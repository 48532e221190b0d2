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

// A card with its numbers where they are printed.
function cardFace(card) {
  const numbers = Object.entries(card.zones).map(([zone, number]) =>
    element("span", { class: `number ${zone}`, "aria-hidden": "true" }, String(number)),
  );
  const rim = card.owner || (card.name ? "" : card.label);
  const label = rim ? element("span", { class: "label" }, rim) : null;
  if (!card.name) return [...(label ? [label] : []), ...numbers];
  const captions = (card.captions || []).map((text) => element("span", { class: "caption" }, text));
  const name = element("span", { class: `name fit-${Math.ceil(widthOfWidestWord(card.name))}` }, hyphenated(card.name));
  return [...(label ? [label] : []), ...numbers, element("span", { class: "middle" }, name, ...captions)];
}

// The cards of a board with the names of its columns and rows at its edges, which may be turned.
function boardOf(labels, columns, cards) {
  const rows = Array.from({ length: labels.length / columns }, (_, row) => labels.slice(row * columns, (row + 1) * columns));
  const shared = (line) => [...line[0]].find((letter) => line.every((label) => label.includes(letter)));
  const edge = (text) => element("span", { class: "edge", "aria-hidden": "true" }, text || "");
  const inner = rows.flatMap((line, row) => [edge(shared(line)), ...cards.slice(row * columns, (row + 1) * columns)]);
  return [...inner, edge(""), ...rows[0].map((_, column) => edge(shared(rows.map((line) => line[column]))))];
}

// Soft hyphens between the syllables of long words, and spaces without width after punctuation between two words, where a
// narrow card may break a name; as in card_looks.py.
const LONG_WORD = /\p{L}{7,}/gu;
const SYLLABLE = /(\p{L}[aeiouy][b-df-hj-np-tv-z]??)(?=(?:[cgpst]h|[bcdfgkpt][lr]|[b-df-hj-np-tv-z])[aeiouy]\p{L})/giu;
const JOINT = /(\p{L}{3}[.,:;/])(?=\p{L}{3})/gu;
const hyphenated = (name) => name.replace(JOINT, "$1\u200b").replace(LONG_WORD, (word) => word.replace(SYLLABLE, "$1\u00ad"));

// How wide the widest word of a name is, in the size of its letters: it is set so small that no word is broken.
const measure = document.createElement("canvas").getContext("2d");
const widths = new Map();
function widthOfWidestWord(name) {
  if (!widths.has(name)) widths.set(name, measured(name));
  return widths.get(name);
}

function measured(name) {
  if (!widths.size) measure.font = `600 100px ${getComputedStyle(document.body).fontFamily}`;
  const words = name.replace(JOINT, "$1 ").split(/[\s-]+/).filter((word) => !/[\u3040-\u9fff\uac00-\ud7af]/.test(word));
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
