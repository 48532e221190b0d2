"use strict";
// The replay of a game: pictures that the program drew, one for each position, and no rules.
(() => {
  const data = JSON.parse(byId("data").textContent);
  const last = data.positions.length - 1;
  const DASHES = ["", "7 4", "2 4", "9 3 2 3"];
  let place = 0;

  // --- pictures

  const draw = {
    line: (text, value, style) => element("p", { class: `${style}-line${value ? " with-value" : ""}` }, ...(value ? [element("span", {}, text), element("b", {}, value)] : [text || "\u00a0"])),
    listing: (heading, entries) => element("p", {}, element("span", { class: "quiet" }, heading), ` ${entries.join(", ")}`),
    standings: (entries) => element("ul", { class: "players" }, ...entries.map((text) => element("li", {}, text))),
    tiles: (columns, tiles) => {
      const labels = tiles.map((tile) => data.nodes[tile][1]);
      const isBoard = labels.every((label) => label.length === 2);
      const drawn = tiles.map(picture);
      const grid = element("div", { class: isBoard ? "grid edged" : "grid" }, ...(isBoard ? boardOf(labels, columns, drawn) : drawn));
      grid.style.setProperty("--columns", columns);
      return grid;
    },
    tile: (label, owner, name, zones, captions, marked, hue, seat) => {
      const said = [label, owner, name || "empty", name ? spokenNumbers(zones) : "", ...captions].filter(Boolean).join(", ");
      const classes = `card hue-${hue}${seat === null ? "" : ` seat-${seat}`}${name ? "" : " empty"}${marked ? " last" : ""}`;
      return element("div", { class: classes, role: "img", "aria-label": said }, ...cardFace({ label, owner, name, zones, captions }));
    },
    board: (holdsNames, around, lines) => {
      const table = element("table", { class: `text-grid${holdsNames ? "" : " numbers"}` }, element("tbody", {}, ...lines.map(picture)));
      if (!Object.keys(around).length) return table;
      const sides = Object.entries(around).map(([side, text]) => element("div", { class: side }, text));
      return element("div", { class: "around" }, element("div", { class: "board" }, table), ...sides);
    },
    row: (label, cells) => element("tr", {}, element("th", { scope: "row" }, label), ...cells.map(picture)),
    cell: (value, name, marked) => element("td", { class: marked ? "last" : null }, element("div", { class: `tile cell${name || value ? "" : " empty"}` }, element("span", { class: `name fit-${Math.ceil(widthOfWidestWord(name))}` }, hyphenated(name)), element("b", {}, value))),
    divider: (labels, faces, columns) => {
      if (faces) return element("tr", { class: "faces", "aria-hidden": "true" }, element("th", {}), ...Array.from({ length: columns }, () => element("td", {})));
      return element("tr", { class: "line" }, element("th", {}), ...labels.map((text) => element("th", { scope: "col" }, text)));
    },
    table: (headings, numbers, rows) => {
      const cells = (tag, texts) => texts.map((text, column) => element(tag, { class: numbers[column] ? "of-numbers" : null }, String(text)));
      return element("table", { class: "listed" }, element("thead", {}, element("tr", {}, ...cells("th", headings))), element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells("td", row)))));
    },
    stack: (parts) => element("div", { class: "picture" }, ...parts.map(picture)),
    beside: (left, right) => element("div", { class: "beside" }, picture(left), picture(right)),
  };

  function picture(number) {
    const [kind, ...parts] = data.nodes[number];
    return draw[kind](...parts);
  }

  // --- the game

  function show(to, { scroll = true } = {}) {
    place = Math.max(0, Math.min(last, to));
    byId("board").replaceChildren(picture(data.positions[place]));
    byId("status").textContent = place === 0 ? "The beginning." : `${place}. ${data.moves[place - 1].player} plays ${data.moves[place - 1].move}${effect(data.moves[place - 1])}${judged(data.moves[place - 1])}${place === last && data.ending ? ` ${data.ending}` : ""}`;
    byId("score").replaceChildren(scores());
    byId("place").value = place;
    byId("place").setAttribute("aria-valuetext", byId("status").textContent);
    for (const [id, off] of [["start", place === 0], ["back", place === 0], ["forth", place === last], ["end", place === last]]) byId(id).disabled = off;
    [...byId("list").children].forEach((item, number) => {
      const button = item.firstChild;
      if (number === place) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      if (number === place && scroll) byId("list").scrollTop = item.offsetTop - byId("list").clientHeight / 2;
    });
    byId("chart").querySelector(".now")?.setAttribute("transform", `translate(${across(place)} 0)`);
    const address = place ? `#${place}` : location.pathname + location.search;
    if (place ? location.hash !== address : location.hash) history.replaceState(null, "", address);
  }

  const effect = ({ effect: text }) => (text ? `: ${text}.` : ".");
  const judged = ({ best, lead }) => `${best ? ` Best was ${best}.` : ""}${lead === undefined ? "" : ` ${data.players[0]}: ${signed(lead)} points.`}`;
  const signed = (points) => `${points < 0 ? "−" : "+"}${Math.abs(points)}`;

  function scores() {
    const best = Math.max(...data.scores[place]);
    const isOver = place === last && data.ending;
    return element("ul", { class: "players", "aria-label": "Scores" }, ...data.players.map((player, seat) => element("li", { class: isOver && data.scores[place][seat] === best ? "best" : null }, element("span", { class: "player" }, player), element("strong", { class: "points" }, String(data.scores[place][seat])))));
  }

  function moveItem(move, number) {
    const mark = move.mark ? element("span", { class: "mark" }, ` ${move.mark}`) : null;
    const value = move.lead !== undefined ? element("span", { class: "value" }, ` (${signed(move.lead)})`) : null;
    const said = number ? [`${number}. `, element("b", {}, move.player), ` ${move.move}`, mark, value] : ["The beginning"];
    return element("li", {}, element("button", { type: "button", onclick: () => show(number, { scroll: false }) }, ...said.filter((part) => part !== null)));
  }

  // --- the chart of the scores

  const WIDTH = 560;
  const HEIGHT = 200;
  const ROOM = { left: 34, right: 8, top: 8, bottom: 22 };
  const across = (number) => ROOM.left + ((WIDTH - ROOM.left - ROOM.right) * number) / Math.max(last, 1);

  function chart() {
    const svg = byId("chart");
    const drawn = (tag, attributes, text) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      if (text !== undefined) made.textContent = text;
      svg.append(made);
    };
    const all = data.scores.flat();
    const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
    const up = (score) => HEIGHT - ROOM.bottom - ((HEIGHT - ROOM.top - ROOM.bottom) * (score - low)) / (high - low);
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("aria-label", `Scores by move: ${data.players.map((player, seat) => `${player} ${data.scores.at(-1)[seat]} at the end`).join(", ")}`);
    for (const score of [low, Math.round((low + high) / 2), high]) {
      drawn("line", { class: "axis", x1: ROOM.left, x2: WIDTH - ROOM.right, y1: up(score), y2: up(score) });
      drawn("text", { x: ROOM.left - 5, y: up(score) + 4, "text-anchor": "end" }, score);
    }
    for (const number of [...new Set([0, Math.round(last / 2), last])]) drawn("text", { x: across(number), y: HEIGHT - 6, "text-anchor": number === last && last ? "end" : "middle" }, number);
    data.players.forEach((_, seat) => {
      const points = data.scores.map((scores, number) => `${across(number).toFixed(1)},${up(scores[seat]).toFixed(1)}`).join(" ");
      drawn("polyline", { points, fill: "none", style: `stroke: var(--seat-${seat})`, "stroke-width": 2.5, "stroke-dasharray": DASHES[seat] });
    });
    drawn("line", { class: "now", y1: ROOM.top, y2: HEIGHT - ROOM.bottom });
    byId("legend").replaceChildren(
      ...data.players.map((player, seat) => {
        const sample = element("i", {});
        sample.style.borderTopColor = `var(--seat-${seat})`;
        sample.style.borderTopStyle = ["solid", "dashed", "dotted", "dashed"][seat];
        return element("li", {}, sample, player);
      }),
    );
  }

  let noted;
  function note(text) {
    byId("note").textContent = text;
    byId("note").hidden = false;
    clearTimeout(noted);
    noted = setTimeout(() => (byId("note").hidden = true), 4000);
  }

  const steps = { ArrowLeft: () => place - 1, ArrowRight: () => place + 1, Home: () => 0, End: () => last };
  document.addEventListener("keydown", (event) => {
    if (!steps[event.key] || event.ctrlKey || event.metaKey || event.altKey || ["TEXTAREA", "INPUT"].includes(event.target.tagName)) return;
    event.preventDefault();
    show(steps[event.key]());
  });
  for (const [id, key] of [["start", "Home"], ["back", "ArrowLeft"], ["forth", "ArrowRight"], ["end", "End"]]) byId(id).addEventListener("click", () => show(steps[key]()));
  byId("place").addEventListener("input", () => show(Number(byId("place").value)));
  byId("copy-code").addEventListener("click", () => copyText(data.code, note));
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));

  byId("title").textContent = data.title;
  byId("about").textContent = data.about;
  byId("code").value = data.code;
  byId("sent").hidden = !data.code;
  byId("place").max = last;
  byId("list").replaceChildren(moveItem({}, 0), ...data.moves.map((move, number) => moveItem(move, number + 1)));
  chart();
  show(Number(location.hash.slice(1)) || 0);
})();
