"""Games on the page of a table match the engine, position by position."""

import os
import random
from tomllib import loads

import pytest
from helpers.browsers import DESK, PHONE, open_page
from helpers.made_up import random_card, random_deck
from helpers.table_pages import in_order, page_of

from ccgrid.catalog.card import Card
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.games import find_game
from ccgrid.engine.games.grid.options import USUAL, Options
from ccgrid.engine.games.grid.page import capture_directions, table_data
from ccgrid.engine.games.grid.state import MOVES, GridSetup, GridState
from ccgrid.engine.options import by_field_name
from ccgrid.engine.records.files import code_document
from ccgrid.engine.records.record import read_document

GAMES_A_DECK = int(os.environ.get("CCGRID_PAGE_GAMES", "2"))
"""With each of five decks; continuous integration plays a hundred."""


VARIANTS = ({"komi": 7, "order": "1-2-2"}, {"empty-pile": True})

PLAY = """
([plans]) => plans.map(({players, first, order, throws}) => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  window.confirm = () => true;
  if (one("#begin").hidden) one("#new").click();
  while (all("#names input").length < players.length) one("#more-players").click();
  all("#names input").forEach((input, seat) => {
    input.value = players[seat];
    input.dispatchEvent(new Event("input"));
  });
  all("#starts input")[first + 1].click();
  one("#lay").click();
  const turned = [...order];
  const turnUp = () => one(`#unseen [data-card="${turned.shift()}"]`).click();
  while (one("#chooser").open) turnUp();
  const seen = [];
  const points = () => all("#players .points").map((shown) => Number(shown.textContent));
  for (;;) {
    const takenBy = (card) => card.dataset.takes.split(" ").filter(Boolean);
    const legal = all("#grid .card").flatMap((card, cell) => takenBy(card).map((other) => [cell, other]));
    const names = legal.map(([cell, other]) => `${"abc"[cell % 3]}${Math.floor(cell / 3) + 1}x${other}`).sort();
    seen.push({legal: names, points: points(), turn: one("#players .turn .player")?.textContent ?? null});
    if (!names.length) break;
    const [source, target] = names[throws.shift() % names.length].split("x");
    const cell = (name) => all("#grid .card")["abc".indexOf(name[0]) + 3 * (name[1] - 1)];
    cell(source).click();
    const lit = all("#grid .lit").length;
    seen.at(-1).lit = lit === names.filter((name) => name.startsWith(source)).length;
    cell(target).click();
    while (one("#chooser").open) turnUp();
  }
  return {seen, code: one("#code").value, record: one("#record").value, status: one("#status").textContent};
})
"""


@pytest.mark.parametrize("number", range(5))
def test_captures_follow_the_rules(number):
    rng = random.Random(number)
    cards = tuple(in_order(random_deck(rng)))
    takes = capture_directions(cards)
    data = table_data("", cards, {})
    for _ in range(200):
        grid = tuple(rng.sample(range(20), 9))
        state = GridState(GridSetup(("1", "2"), 0, cards), grid, 20, 0, ((), ()))
        legal = [
            move
            for move, (source, target, zone) in zip(MOVES, data["moves"], strict=True)
            if takes[grid[source] * 20 + grid[target]] >> zone & 1
        ]
        assert tuple(legal) == state.legal_moves()


def test_cards_are_numbered_as_in_the_deck_list():
    rng = random.Random(1)
    deck = [random_card(rng, number) for number in range(19)]
    deck.append(deck[3])
    cards = table_data("", deck, {})["cards"]
    assert sorted(card["number"] for card in cards) == list(range(1, 21))
    assert all(dict(card["zones"]) == deck[card["number"] - 1].zones for card in cards)


def plan(rng: random.Random, cards: int = 20) -> dict[str, object]:
    names = [["Ann", "Bob"], ["Ann", "Bob", "Cid"], ["Ann", "Bob", "Cid", "Dan"]][rng.choice((0, 0, 0, 1, 2))]
    order = rng.sample(range(cards), cards)
    throws = [rng.randrange(10**6) for _ in range(40)]
    return {"players": names, "first": rng.randrange(len(names)), "order": order, "throws": throws}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(5))
def test_random_games_on_the_page_match_the_engine(browser, tmp_path, number):
    rng = random.Random(number)
    deck = [random_card(rng, count // 2 if number == 4 else count) for count in range(20)]
    deck = [deck[count // 2 * 2] for count in range(20)] if number == 4 else deck  # each card twice
    cards = in_order(deck)
    plans = sorted((plan(rng) for _ in range(GAMES_A_DECK)), key=lambda made: len(made["players"]))  # one may only join
    with open_page(browser, page_of(tmp_path, deck), DESK) as page:
        states = page.evaluate(PLAY, [plans])
    for made, shown in zip(plans, states, strict=True):
        agree(made, shown, cards)
    for shown in (*states[:-1:10], states[-1]):  # to read a line takes a while
        code, text = (read_document(read) for read in (code_document(shown["code"]), loads(shown["record"])))
        assert code.require().moves == text.require().moves
        assert code.require().result == text.require().result


@pytest.mark.parametrize("varied", VARIANTS, ids=lambda varied: " ".join(varied))
def test_variant_games_on_the_page_match_the_engine(browser, tmp_path, varied):
    options = Options(**by_field_name(find_game("grid").option_values(varied)))
    rng = random.Random(5)
    even = dict.fromkeys(ZONES, 5)  # such cards take nothing, and grids of them are stuck
    deck = [Card("", "", f"Card {number}", even | {rng.choice(ZONES): rng.randint(4, 7)}, 50) for number in range(20)]
    cards = in_order(deck)
    plans = [made for made in (plan(rng) for _ in range(30)) if len(made["players"]) == 2][:3]
    address = page_of(tmp_path, deck, options=varied)
    with open_page(browser, address, DESK) as page:
        states = page.evaluate(PLAY, [plans])
        last = page.locator("#code").input_value()
    ends = [agree(made, shown, cards, options) for made, shown in zip(plans, states, strict=True)]
    if options.empty_pile:
        assert any(end.turned_up > 9 + sum(map(len, end.taken)) for end in ends)
    for read in (code_document(states[0]["code"]), loads(states[0]["record"])):
        record = read_document(read).require()
        assert record.setup.options == options
        assert record.result == ends[0].scores()
    with open_page(browser, f"{address}#{last}", PHONE) as page:  # the page reads what it wrote
        assert page.locator("#moves li").count() == len(states[-1]["seen"]) - 1


def agree(made, shown, cards, options=USUAL):
    """Every position and the record of a game that was played on the page are the engine's; returns the last."""
    throws = list(made["throws"])
    order = tuple(cards[card] for card in made["order"])
    setup = GridSetup(tuple(made["players"]), made["first"], order, options=options)
    state, moves = setup.start(), []
    for seen in shown["seen"]:
        legal = state.legal_moves()
        assert tuple(seen["legal"]) == legal
        assert tuple(seen["points"]) == state.scores()
        assert seen["turn"] == (state.players[state.to_move] if legal else None)
        if legal:
            assert seen["lit"]
            moves.append(legal[throws.pop(0) % len(legal)])
            state = state.play_unchecked(moves[-1])
    assert state.outcome() is not None
    assert state.outcome().reason in shown["status"]
    from_text = read_document(loads(shown["record"])).require()
    assert from_text.moves == tuple(moves)
    assert from_text.result == state.scores()
    assert from_text.setup.players == setup.players
    assert [card.zones for card in from_text.setup.cards] == [card.zones for card in setup.cards[: state.turned_up]]
    return state
