"use strict";
// The table for one deck. Who takes whom is data; of rules there is the order of turns and where cards are turned up.
(() => {
  const data = JSON.parse(byId("data").textContent);
  const GRID = data.cells.length;
  const DECK = data.cards.length;
  const KEY = `ccgrid table ${data.decks[0]}${data.more && `-${data.more}`}`;
  const MOST_PLAYERS = 4;
  // Players' names, who starts, the cards as they were turned up, the moves; `dealt` is the whole order where it is known.
  const nobody = () => ({ players: ["", ""], first: 0, order: [], moves: [], dealt: null, begun: false });
  let game = nobody();
  let selected = null;

  // --- the game: everything follows from the cards in their order and the moves

  function position(of = game) {
    const grid = of.order.slice(0, GRID);
    const piles = of.players.map(() => []);
    let turned = GRID;
    let hole = null;
    let isCovering = false;
    const turnUpOnto = (cell) => {
      if (turned < of.order.length) grid[cell] = of.order[turned++];
      else if (turned < DECK) hole = cell;
    };
    // With empty-pile, cards are laid over those on the grid, from a1 on, until one takes another.
    const cover = () => {
      const isStuck = () => hole === null && turned < DECK && !legalMoves(grid).length;
      for (let cell = 0; data.emptyPile && isStuck(); cell = (cell + 1) % GRID) {
        turnUpOnto(cell);
        isCovering = hole !== null;
      }
    };
    if (of.order.length >= GRID) cover();
    of.moves.forEach((move, number) => {
      const [source, target] = data.moves[move];
      piles[seatOf(number, of)].push(grid[target]);
      grid[target] = grid[source];
      grid[source] = null;
      turnUpOnto(source);
      cover();
    });
    const scores = piles.map((pile, seat) => pile.reduce((sum, card) => sum + data.cards[card].score, seat === of.first ? 0 : data.komi));
    const legal = of.order.length >= GRID && hole === null ? legalMoves(grid) : [];
    const isOver = of.order.length >= GRID && hole === null && !legal.length;
    return { grid, piles, scores, hole, isCovering, legal, isOver, toMove: seatOf(of.moves.length, of), turned, left: DECK - turned };
  }

  function seatOf(number, of = game) {
    const turn = data.inPairs ? Math.floor((number + 1) / 2) : number;
    return (of.first + turn) % of.players.length;
  }

  function legalMoves(grid) {
    const can = ([source, target, zone]) =>
      grid[source] !== null && grid[target] !== null && (data.takes[grid[source] * DECK + grid[target]] >> zone) & 1;
    return data.moves.map((move, number) => (can(move) ? number : -1)).filter((number) => number >= 0);
  }

  // How many cards were turned up after so many moves, all that they call for.
  const turnedUp = (moves, of = game) => position({ ...of, moves: of.moves.slice(0, moves) }).turned;
  const isLaid = (of = game) => of.order.length >= GRID && (of.moves.length > 0 || position(of).hole === null);
  // The cell for which a card is to be chosen, if there is one.
  const asking = () => (game.order.length < GRID ? game.order.length : position().hole);
  const unseen = () => data.cards.map((_, card) => card).filter((card) => !game.order.includes(card));
  const hueOf = (card) => `hue-${Codes.crc32(data.cards[card].game || "") % 12}`;
  const cellName = (cell) => data.cells[cell];
  const moveName = (move) => `${cellName(data.moves[move][0])}x${cellName(data.moves[move][1])}`;

  function play(move) {
    game.moves.push(move);
    showDealt();
    selected = null;
    changed();
    askForCard();
  }

  // Of a whole order that is known, the cards that were turned up.
  function showDealt() {
    if (game.dealt) game.order = game.dealt.slice(0, turnedUp(game.moves.length, { ...game, order: game.dealt }));
  }

  function turnUp(card) {
    game.order.push(card);
    changed();
    if (asking() !== null) askForCard();
  }

  // What was done last: a move, or the card that was turned up after it.
  function undo() {
    const before = game.moves.length ? turnedUp(game.moves.length - 1) : 0;
    if (game.moves.length && (game.dealt || game.order.length <= before)) {
      game.moves.pop();
      showDealt();
    } else if (game.order.length && !game.dealt) game.order.pop();
    else game = { ...nobody(), players: game.players, first: game.first };
    selected = null;
    changed();
    note("Taken back.");
  }

  // --- keeping and sending

  // The game as far as it can be written down: a capture whose card was not turned up yet is left out.
  function whole(of = game) {
    const moves = position(of).hole === null ? of.moves : of.moves.slice(0, -1);
    return { ...of, order: of.dealt || of.order.slice(0, turnedUp(moves.length, of)), moves };
  }

  function numbersOf(of, deck) {
    const writer = new Codes.Writer();
    writer.put(of.players.length);
    of.players.forEach((player) => writer.putText(player));
    writer.put(of.first + 1);
    writer.put(position(of).isOver ? 1 : 0);
    writer.put(data.more ? 1 : 0);
    writer.put(deck);
    writer.put(of.order.length);
    const left = data.cards.map((_, card) => card);
    for (const card of of.order) {
      const place = left.indexOf(card);
      writer.put(place);
      left.splice(place, 1);
    }
    writer.put(of.moves.length);
    of.moves.forEach((move, number) => {
      const { legal } = position({ ...of, moves: of.moves.slice(0, number) });
      writer.put(legal.indexOf(move));
    });
    return writer;
  }

  function code(of = game) {
    let text = "";
    for (const [number, deck] of data.decks) {
      text = Codes.line(deck, numbersOf(whole(of), number), data.more);
      if (text.length <= 900) break;
    }
    return text;
  }

  function fromCode(text) {
    const { game: letters, more } = Codes.parts(text);
    if (!letters) throw new Error("This is the code of the deck alone: there is no game in it.");
    const reader = new Codes.Reader(Codes.fromLetters(letters));
    const players = Array.from({ length: reader.take(8) }, () => reader.takeText());
    const found = { ...nobody(), players, first: reader.take(8) - 1, begun: true };
    reader.take(2);
    const isVaried = reader.take(2) === 1;
    const deck = reader.take();
    if (!data.decks.some(([number]) => number === deck)) throw new Error("This code is of another deck. Make its page with: ccgrid page CODE");
    if (isVaried && !data.more) throw new Error("This game is played by a variant. Make the page with it: ccgrid page DECK --option …");
    if (isVaried !== Boolean(data.more) || (isVaried && more !== data.more)) throw new Error("This page cannot tell whether the game is played by its variant. Go on with it by: ccgrid play --load CODE");
    const left = data.cards.map((_, card) => card);
    const order = Array.from({ length: reader.take() }, () => left.splice(reader.take(left.length), 1)[0]);
    found.order = order;
    for (let count = reader.take(); count > 0; count--) {
      const { legal } = position(found);
      if (!legal.length) throw new Error("The code is whole, but it holds no game that can be played.");
      found.moves.push(legal[reader.take(legal.length)]);
    }
    const { turned } = position(found);
    return { ...found, dealt: order.length === DECK && turned < DECK ? order : null, order: order.slice(0, turned) };
  }

  let line = "";
  function keep() {
    line = isLaid() ? code() : "";
    try {
      localStorage.setItem(KEY, JSON.stringify(game));
    } catch {
      // Where nothing may be kept, the address holds the game.
    }
    const address = isLaid() ? `#${line}` : location.pathname + location.search;
    if (isLaid() ? location.hash !== address : location.hash) history.replaceState(null, "", address);
  }

  function kept() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY));
      return found && Array.isArray(found.order) ? found : null;
    } catch {
      return null;
    }
  }

  // The game in the address; or the one that was kept here, which may know a card more of the same game.
  function takeUp() {
    const stored = kept();
    game = stored || nobody();
    if (location.hash.length < 2) return;
    try {
      const sent = fromCode(decodeURIComponent(location.hash.slice(1)));
      if (!stored || stored.order.length < GRID || code(stored) !== code(sent)) game = sent;
    } catch (error) {
      note(error.message);
    }
  }

  const quoted = (text) => JSON.stringify(text).replace(/\x7f/g, "\\u007f");

  function recordText() {
    const { players, first, order, moves } = whole();
    const { scores, isOver } = position();
    const inline = (card) => {
      const { id, name, set, zones, score } = data.cards[card];
      const texts = Object.entries({ id, name, set }).filter(([, text]) => text).map(([key, text]) => `${key} = ${quoted(text)}`);
      const numbers = Object.entries(zones).map(([zone, number]) => `${zone} = ${number}`).join(", ");
      return `  { ${[...texts, `zones = { ${numbers} }`, `score = ${score}`].join(", ")} },`;
    };
    const rest = game.dealt ? [] : unseen();
    const points = players.map((player, seat) => `${quoted(player)} = ${scores[seat]}`).join(", ");
    const lines = [
      'game = "grid"',
      "format = 1",
      `players = [${players.map(quoted).join(", ")}]`,
      `first = ${quoted(players[first])}`,
      `moves = [${moves.map((move) => quoted(moveName(move))).join(", ")}]`,
      "",
      "[setup]",
      ...data.setup,
      "cards = [",
      ...order.map(inline),
      "]",
      ...(rest.length ? ["pile = [", ...rest.map(inline), "]"] : []),
      ...(isOver ? ["", "[result]", `scores = { ${points} }`] : []),
    ];
    return `${lines.join("\n")}\n`;
  }

  // --- what is shown

  function changed() {
    keep();
    show();
  }

  function show() {
    byId("title").textContent = data.name;
    byId("variant").textContent = data.variant;
    byId("variant").hidden = !data.variant;
    byId("begin").hidden = game.begun;
    byId("game").hidden = !game.begun;
    byId("undo").hidden = !game.begun;
    if (!game.begun) return showBeginning();
    const now = position();
    const { legal } = now;
    showGrid(now, legal);
    showPlayers(now);
    byId("moves").replaceChildren(...game.moves.map((move, number) => moveLine(move, number)));
    byId("left").textContent = isLaid() ? `${now.left} ${now.left === 1 ? "card" : "cards"} in the draw pile` : "";
    byId("status").textContent = statusOf(now, legal);
    byId("code").value = line;
    byId("record").value = isLaid() ? recordText() : "";
    byId("written").hidden = !isLaid();
  }

  function statusOf(now, legal) {
    if (asking() !== null) return `${question(now)} Tap it.`;
    if (!legal.length) {
      const best = Math.max(...now.scores);
      const winners = game.players.filter((_, seat) => now.scores[seat] === best);
      const won = winners.length === 1 ? `${winners[0]} wins` : "A draw";
      return `${won}: no card on the grid can take a neighbour${now.left ? `, with ${now.left} left in the draw pile` : ""}.`;
    }
    const player = game.players[now.toMove];
    if (selected === null) return `${player}: tap a card that takes (${legal.length} ${legal.length === 1 ? "move" : "moves"}).`;
    const targets = targetsOf(legal, selected);
    if (!targets.length) return `${cellName(selected)} can take nothing.`;
    return `${player}: ${cellName(selected)} takes ${targets.map(cellName).join(" or ")}. Tap one.`;
  }

  function question(now) {
    const cell = cellName(asking());
    if (now.isCovering) return `No card takes another. Which is laid on ${cell}?`;
    return isLaid() ? `Which card was turned up onto ${cell}?` : `Which card lies on ${cell}?`;
  }

  const targetsOf = (legal, source) => legal.map((move) => data.moves[move]).filter(([from]) => from === source).map(([, to]) => to);

  function showGrid(now, legal) {
    const focus = document.activeElement?.dataset?.cell;
    const last = game.moves.length ? data.moves[game.moves.at(-1)].slice(0, 2) : [];
    const lit = selected === null ? [] : targetsOf(legal, selected);
    const buttons = data.cells.map((name, cell) => {
      const card = now.grid[cell] ?? null;
      const takes = targetsOf(legal, cell);
      const isAsked = asking() === cell;
      const classes = ["card", card !== null && hueOf(card), card === null && "empty", takes.length && "can", cell === selected && "selected", lit.includes(cell) && "lit", isAsked && "asked", last.includes(cell) && "last"];
      const shown = card === null ? { zones: {}, label: name, name: isAsked ? "?" : "" } : { ...data.cards[card], label: name, captions: [`score ${data.cards[card].score}`] };
      return element("button", { type: "button", class: classes.filter(Boolean).join(" "), "data-cell": cell, "data-takes": takes.map(cellName).join(" "), "aria-label": spoken(name, card, takes, lit.includes(cell), isAsked), "aria-pressed": cell === selected ? "true" : "false", onclick: () => tap(cell) }, ...cardFace(shown));
    });
    byId("grid").replaceChildren(...boardOf(data.cells, Math.sqrt(GRID), buttons));
    if (focus !== undefined) buttons[focus].focus();
  }

  function spoken(name, card, takes, isLit, isAsked) {
    if (isAsked) return `${name}: choose the card`;
    if (card === null) return `${name}: empty`;
    const { name: called, zones, score } = data.cards[card];
    const what = isLit ? "; can be taken now" : takes.length ? `; can take ${takes.map(cellName).join(", ")}` : "";
    return `${name}: ${called}, score ${score}, ${spokenNumbers(zones)}${what}`;
  }

  function showPlayers(now) {
    const over = now.isOver;
    const best = Math.max(...now.scores);
    byId("players").replaceChildren(
      ...game.players.map((player, seat) => {
        const pile = now.piles[seat].map((card) => element("li", {}, `${data.cards[card].name} (${data.cards[card].score})`));
        const names = element("details", {}, element("summary", {}, `${pile.length} taken`), element("ol", {}, ...pile));
        const points = element("strong", { class: "points" }, String(now.scores[seat]));
        const turn = !over && isLaid() && seat === now.toMove;
        const state = over && now.scores[seat] === best ? "best" : turn ? "turn" : "";
        return element("li", { class: state, "aria-current": turn ? "true" : null }, element("span", { class: "player" }, player), points, names);
      }),
    );
  }

  function moveLine(move, number) {
    const target = position({ ...game, moves: game.moves.slice(0, number + 1) }).piles[seatOf(number)].at(-1);
    return element("li", {}, element("b", {}, game.players[seatOf(number)]), ` ${moveName(move)} takes ${data.cards[target].name} (+${data.cards[target].score})`);
  }

  function tap(cell) {
    const now = position();
    if (asking() !== null) {
      askForCard();
      return;
    }
    const move = now.legal.find((number) => data.moves[number][0] === selected && data.moves[number][1] === cell);
    if (selected !== null && move !== undefined) {
      play(move);
      return;
    }
    selected = selected === cell || now.grid[cell] === null ? null : cell;
    show();
  }

  // --- choosing a card

  function askForCard() {
    const now = position();
    const cell = asking();
    if (!game.begun || cell === null || !unseen().length) return;
    byId("asked").textContent = isLaid() && !now.isCovering ? `Turned up onto ${cellName(cell)}` : question(now);
    byId("filter").value = "";
    listUnseen();
    const dialog = byId("chooser");
    if (!dialog.open) dialog.showModal();
    if (matchMedia("(pointer: fine)").matches) byId("filter").focus();
  }

  function matching() {
    const wanted = byId("filter").value.trim().toLowerCase();
    const cards = unseen().sort((one, other) => data.cards[one].number - data.cards[other].number);
    const exact = cards.filter((card) => String(data.cards[card].number) === wanted);
    return exact.length ? exact : cards.filter((card) => data.cards[card].name.toLowerCase().includes(wanted));
  }

  function listUnseen() {
    const items = matching().map((card) => {
      const { name, zones, score, number } = data.cards[card];
      const label = `${number}, ${name}, score ${score}, ${spokenNumbers(zones)}`;
      const mini = element("span", { class: `mini card ${hueOf(card)}`, "aria-hidden": "true" }, ...cardFace({ zones, name: "" }));
      return element("li", {}, element("button", { type: "button", "data-card": card, "aria-label": label, onclick: () => choose(card) }, mini, element("span", { class: "name" }, name), element("span", { class: "quiet" }, `no. ${number}, score ${score}`)));
    });
    byId("unseen").replaceChildren(...(items.length ? items : [element("li", { class: "quiet" }, "No card that is left is called so.")]));
  }

  function choose(card) {
    byId("chooser").close();
    turnUp(card);
  }

  // --- the beginning

  function showBeginning() {
    const inputs = game.players.map((player, seat) => {
      const input = element("input", { id: `player-${seat}`, maxlength: 40, autocomplete: "off", placeholder: `Player ${seat + 1}` });
      input.value = player;
      input.addEventListener("input", () => {
        game.players[seat] = input.value;
        keep();
        showStarts();
      });
      return element("label", {}, `Player ${seat + 1}`, input);
    });
    byId("names").replaceChildren(...inputs);
    byId("more-players").hidden = game.players.length >= MOST_PLAYERS;
    showStarts();
  }

  function showStarts() {
    const choices = ["any of them, by chance", ...names()].map((text, number) => {
      const input = element("input", { type: "radio", name: "first", value: number - 1, checked: number === 0 });
      return element("label", { class: "choice" }, input, text);
    });
    byId("starts").replaceChildren(...choices);
  }

  const names = () => game.players.map((player, seat) => player.trim() || `Player ${seat + 1}`);

  function begin(dealt) {
    const players = names();
    if (new Set(players).size < players.length) {
      note("Two players have one name: give them different names.");
      return;
    }
    const chosen = Number(document.querySelector("input[name=first]:checked")?.value ?? -1);
    const first = chosen < 0 ? below(players.length) : chosen;
    game = { players, first, order: [], moves: [], dealt, begun: true };
    showDealt();
    changed();
    askForCard();
  }

  // A whole number from 0 to less than a bound, by chance.
  function below(bound) {
    const most = 2 ** 32 - (2 ** 32 % bound);
    let number;
    do [number] = crypto.getRandomValues(new Uint32Array(1));
    while (number >= most);
    return number % bound;
  }

  function shuffled() {
    const left = data.cards.map((_, card) => card);
    return data.cards.map(() => left.splice(below(left.length), 1)[0]);
  }

  let notedLast;
  function note(text) {
    const place = byId("note");
    place.textContent = text;
    place.hidden = false;
    clearTimeout(notedLast);
    notedLast = setTimeout(() => (place.hidden = true), 6000);
  }

  function moveFocus(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 }[event.key];
    const cell = Number(event.target.dataset?.cell ?? NaN);
    const neighbour = step && byId("grid").querySelector(`[data-cell="${cell + step}"]`);
    if (neighbour) {
      event.preventDefault();
      neighbour.focus();
    }
  }

  byId("begin").addEventListener("submit", (event) => {
    event.preventDefault();
    begin(null);
  });
  byId("shuffle").addEventListener("click", () => begin(shuffled()));
  byId("more-players").addEventListener("click", () => {
    game.players.push("");
    changed();
  });
  byId("undo").addEventListener("click", undo);
  byId("new").addEventListener("click", () => {
    const isUnfinished = game.moves.length && !position().isOver;
    if (isUnfinished && !confirm("Begin a new game? This one is not over.")) return;
    game = { ...nobody(), players: [...game.players], first: game.first };
    selected = null;
    changed();
  });
  byId("filter").addEventListener("input", listUnseen);
  byId("chooser").querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const found = matching();
    if (found.length === 1) choose(found[0]);
  });
  byId("not-now").addEventListener("click", () => byId("chooser").close());
  byId("copy-code").addEventListener("click", () => copyText(line, note));
  byId("copy-record").addEventListener("click", () => copyText(recordText(), note));
  byId("save-record").addEventListener("click", () => saveText("game.toml", recordText()));
  byId("take-up").addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      game = fromCode(byId("given").value);
      selected = null;
      byId("given").value = "";
      changed();
    } catch (error) {
      note(error.message);
    }
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = ["INPUT", "TEXTAREA"].includes(event.target.tagName);
    if (event.key === "Escape" && selected !== null && !byId("chooser").open) {
      selected = null;
      show();
    } else if (event.key === "u" && !isTyping && !event.ctrlKey && !event.metaKey && game.begun) undo();
    else moveFocus(event);
  });
  addEventListener("hashchange", () => {
    selected = null;
    takeUp();
    changed();
  });

  takeUp();
  changed();
})();
