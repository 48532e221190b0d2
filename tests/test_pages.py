"""The pages for a phone and a browser: the table agrees with the engine, the replay with the record."""

import os
import random
import re
from pathlib import Path
from tomllib import loads

import pytest
from browsers import DESK, PHONE, opened
from catalogues import Shell
from made_up import random_card, random_deck
from random_records import random_record

from catalog.card import Card
from catalog.decks.deck import Deck, deck_toml
from ccgrid.pages.assemble import asset, embedded
from ccgrid.pages.nodes import Nodes
from ccgrid.pages.replay_page import replay_data, replay_page
from ccgrid.pages.table_page import table_data, table_page, who_takes_whom
from engine.analysis import marks_of, values_of
from engine.cards import label, zone_card
from engine.dice import Dice
from engine.games import GAMES, find_game
from engine.games.grid.state import MOVES, GridSetup, GridState
from engine.picture import Tile, Tiles
from engine.record import Record, read_document
from engine.record_codes import code_document, in_code_order, record_code
from engine.record_files import read_game

EXAMPLES = Path(__file__).resolve().parents[1] / "docs" / "examples"
LARGEST = 300 * 1024
GAMES_A_DECK = int(os.environ.get("CCGRID_PAGE_GAMES", "20"))
"""With each of five decks; continuous integration plays a hundred."""
HOSTILE = ("</script><script>alert(1)</script>", '<img src=x onerror="alert(2)">', "𓆏 ガ <!--data--> \u2028'\"\\")

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
  for (let cell = 0; cell < 9; cell++) turnUp();
  const seen = [];
  const points = () => all("#players .points").map((shown) => Number(shown.textContent));
  for (;;) {
    const takenBy = (card) => card.dataset.takes.split(" ").filter(Boolean);
    const legal = all("#grid .card").flatMap((card, cell) => takenBy(card).map((other) => [cell, other]));
    const names = legal.map(([cell, other]) => `${"abc"[cell % 3]}${Math.floor(cell / 3) + 1}x${other}`).sort();
    seen.push({legal: names, points: points(), turn: one("#players .turn .player")?.textContent ?? null});
    if (!names.length) break;
    const [source, target] = names[throws.shift() % names.length].split("x");
    const cell = (name) => one(`#grid .card:nth-child(${"abc".indexOf(name[0]) + 1 + 3 * (name[1] - 1)})`);
    cell(source).click();
    const lit = all("#grid .lit").length;
    seen.at(-1).lit = lit === names.filter((name) => name.startsWith(source)).length;
    cell(target).click();
    if (one("#chooser").open) turnUp();
  }
  return {seen, code: one("#code").value, record: one("#record").value, status: one("#status").textContent};
})
"""


def page_of(folder: Path, deck: list[Card], name: str = "A deck") -> str:
    path = folder / "table.html"
    path.write_text(table_page(name, deck), encoding="utf-8")
    return path.as_uri()


def in_order(deck: list[Card]) -> list[Card]:
    """The cards as the page counts them."""
    return in_code_order(label([zone_card(card) for card in deck]))


@pytest.mark.parametrize("number", range(5))
def test_who_takes_whom_is_what_the_rules_say(number):
    rng = random.Random(number)
    cards = tuple(in_order(random_deck(rng)))
    takes = who_takes_whom(cards)
    data = table_data("", cards)
    for _ in range(200):
        grid = tuple(rng.sample(range(20), 9))
        state = GridState(GridSetup(("1", "2"), 0, cards), grid, 20, 0, ((), ()))
        legal = [
            move
            for move, (source, target, zone) in zip(MOVES, data["moves"], strict=True)
            if takes[grid[source] * 20 + grid[target]] >> zone & 1
        ]
        assert tuple(legal) == state.legal_moves()


def test_cards_have_the_numbers_of_the_deck_list_and_copies_one_each():
    rng = random.Random(1)
    deck = [random_card(rng, number) for number in range(19)]
    deck.append(deck[3])
    cards = table_data("", deck)["cards"]
    assert sorted(card["number"] for card in cards) == list(range(1, 21))
    assert all(dict(card["zones"]) == deck[card["number"] - 1].zones for card in cards)


def plan(rng: random.Random, cards: int = 20) -> dict[str, object]:
    names = [["Ann", "Bob"], ["Ann", "Bob", "Cid"], ["Ann", "Bob", "Cid", "Dan"]][rng.choice((0, 0, 0, 1, 2))]
    order = rng.sample(range(cards), cards)
    throws = [rng.randrange(10**6) for _ in range(40)]
    return {"players": names, "first": rng.randrange(len(names)), "order": order, "throws": throws}


@pytest.mark.parametrize("number", range(5))
def test_random_games_on_the_page_are_those_of_the_engine(browser, tmp_path, number):
    rng = random.Random(number)
    deck = [random_card(rng, count // 2 if number == 4 else count) for count in range(20)]
    deck = [deck[count // 2 * 2] for count in range(20)] if number == 4 else deck  # each card twice
    cards = in_order(deck)
    by_players: dict[int, list[dict[str, object]]] = {}
    for made in (plan(rng) for _ in range(GAMES_A_DECK)):
        by_players.setdefault(len(made["players"]), []).append(made)
    for plans in by_players.values():
        with opened(browser, page_of(tmp_path, deck), DESK) as page:
            played = page.evaluate(PLAY, [plans])
        for made, shown in zip(plans, played, strict=True):
            agree(made, shown, cards)
        for shown in played[::10]:  # to read a line takes a while
            code, text = (read_document(read) for read in (code_document(shown["code"]), loads(shown["record"])))
            assert code.require().moves == text.require().moves
            assert code.require().result == text.require().result


def agree(made, shown, cards):
    """Every position and the record of a game that was played on the page are the engine's."""
    throws = list(made["throws"])
    setup = GridSetup(tuple(made["players"]), made["first"], tuple(cards[card] for card in made["order"]))
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


def a_game(page, moves: int = 3) -> None:
    """Two people begin with cards on a phone, by taps alone."""
    page.locator("#player-0").fill("Ann")
    page.locator("#player-1").fill("Bob")
    page.locator("#starts label").nth(1).tap()
    page.locator("#lay").tap()
    for _ in range(9):
        page.locator("#unseen button").first.tap()
    for _ in range(moves):
        page.locator("#grid .can").first.tap()
        page.locator("#grid .lit").first.tap()
        if page.locator("#chooser[open]").count():
            page.locator("#unseen button").last.tap()


@pytest.fixture
def table(tmp_path, shell: Shell) -> str:
    """The address of the page of the example deck."""
    shell.good("page", EXAMPLES / "deck.toml", "-o", tmp_path / "table.html")
    return (tmp_path / "table.html").as_uri()


def test_one_game_goes_from_the_page_to_a_code_to_the_terminal_and_back(browser, table, shell: Shell):
    with opened(browser, table, PHONE) as page:
        a_game(page)
        code = page.locator("#code").input_value()
        points = [int(text) for text in page.locator("#players .points").all_inner_texts()]
        record = page.locator("#record").input_value()
        assert page.url.endswith(f"#{code}")
    scored = shell.good("score", code, "--json").json
    assert scored["scores"] == dict(zip(("Ann", "Bob"), points, strict=True))
    assert (scored["moves"], scored["over"], scored["ok"]) == (3, False, True)
    (shell.folder / "game.toml").write_text(record, encoding="utf-8")
    assert shell.good("score", shell.folder / "game.toml", "--json").json["scores"] == scored["scores"]
    # From the terminal: the same game, its next move and the card turned up then, as a code into the address bar.
    game = read_document(code_document(code)).require()
    state = game.final()
    further = Record(game.setup, (*game.moves, state.legal_moves()[0]))
    cards = (*game.setup.cards, next(card for card in game.setup.deck if card not in game.setup.cards))
    setup = GridSetup(game.setup.players, game.setup.first, cards, game.setup.deck)
    Record(setup, further.moves).final()
    from engine.record_files import write_game

    write_game(Record(setup, further.moves), shell.folder / "further.toml")
    sent = shell.good("code", shell.folder / "further.toml").out.strip()
    with opened(browser, f"{table}#{sent}", DESK) as page:
        assert page.locator("#moves li").count() == 4
        shown = [int(text) for text in page.locator("#players .points").all_inner_texts()]
        assert tuple(shown) == Record(setup, further.moves).final().scores()


def test_the_page_keeps_its_game_when_it_is_reloaded_even_before_a_card_was_chosen(browser, table):
    with opened(browser, table, PHONE) as page:
        a_game(page, 2)
        page.locator("#grid .can").first.tap()
        page.locator("#grid .lit").first.tap()
        page.locator("#not-now").tap()
        status, url = page.locator("#status").inner_text(), page.url
        assert status.startswith("Which card was turned up onto")
        page.reload()
        assert page.locator("#status").inner_text() == status
        page.locator("#grid .asked").tap()
        page.locator("#unseen button").first.tap()
        assert page.locator("#moves li").count() == 3
        assert page.url != url
    with opened(browser, url, PHONE) as page:  # on another phone: the game as far as the address says it
        assert page.locator("#moves li").count() == 2


def test_undo_takes_back_the_card_that_was_turned_up_then_the_move(browser, table):
    with opened(browser, table, PHONE) as page:
        a_game(page, 1)
        before = page.locator("#code").input_value()
        page.locator("#undo").tap()
        assert page.locator("#status").inner_text().startswith("Which card was turned up")
        page.locator("#undo").tap()
        assert page.locator("#moves li").count() == 0
        page.locator("#grid .can").first.tap()
        page.locator("#grid .lit").first.tap()
        page.locator("#unseen button").last.tap()
        assert page.locator("#code").input_value() == before
        for _ in range(12):
            page.locator("#undo").tap()
        assert page.locator("#lay").is_visible()


def test_a_game_without_cards_is_dealt_and_turns_its_cards_up_itself(browser, table):
    with opened(browser, table, DESK) as page:
        page.locator("#shuffle").click()
        while page.locator("#grid .can").count():
            page.locator("#grid .can").first.click()
            page.locator("#grid .lit").first.click()
            assert page.locator("#chooser[open]").count() == 0
        code = page.locator("#code").input_value()
        assert page.locator("#players .best").count() >= 1
    game = read_document(code_document(code)).require()
    assert len(game.setup.cards) == 20
    assert game.final().outcome() is not None
    assert game.result == game.final().scores()


def test_a_code_that_is_damaged_or_of_another_deck_is_told_and_does_no_harm(browser, table, shell: Shell):
    other = shell.good("code", EXAMPLES / "game.toml").out.strip()
    with opened(browser, table, PHONE) as page:
        a_game(page)
        url = page.url
        for bad, words in ((other, "another deck"), (other[:-1], "damaged"), ("nonsense", "damaged")):
            page.locator("#written summary").tap()
            page.locator("#given").fill(bad)
            page.locator("#take-up button").tap()
            assert words in page.locator("#note").inner_text()
            assert page.url == url
            page.locator("#written summary").tap()
        page.goto(f"{table}#{other}")
        page.wait_for_function("document.querySelector('#note').textContent.includes('another deck')")
        assert page.locator("#moves li").count() == 3


def test_a_game_by_a_variant_is_left_to_the_terminal(browser, tmp_path):
    deck = [zone_card(card) for card in random_deck(random.Random(2))]
    setup = find_game("grid").deal(("Ann", "Bob"), [deck], Dice(2), options={"komi": 5})
    code = record_code(Record(setup)).line
    with opened(browser, f"{page_of(tmp_path, deck)}#{code}", PHONE) as page:
        assert "by a variant" in page.locator("#note").inner_text()
        assert page.locator("#lay").is_visible()


def test_the_table_is_played_by_keyboard_and_says_itself_to_screen_readers(browser, table):
    with opened(browser, table, DESK) as page:
        page.locator("#player-0").focus()
        page.keyboard.press("Enter")
        for number in range(1, 10):  # every card by its number
            assert page.evaluate("document.activeElement.id") == "filter"
            page.keyboard.type(str(number))
            page.keyboard.press("Enter")
        first = page.locator("#grid .can").first
        name, takes = first.get_attribute("aria-label"), first.get_attribute("data-takes")
        assert re.fullmatch(r"[abc][123]: .+, score \d+, .+; can take [abc1-3, ]+", name)
        first.focus()
        page.keyboard.press("Enter")
        assert page.locator("#grid .selected").get_attribute("aria-pressed") == "true"
        page.keyboard.press("Escape")
        assert page.locator("#grid .selected").count() == 0
        page.keyboard.press("Space")
        source, target = name[:2], takes.split(" ")[0]
        across, down = ord(target[0]) - ord(source[0]), int(target[1]) - int(source[1])
        sideways, upright = ("ArrowRight" if across > 0 else "ArrowLeft"), ("ArrowDown" if down > 0 else "ArrowUp")
        for key in [sideways] * abs(across) + [upright] * abs(down):
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(target)
        page.keyboard.press("Enter")
        assert page.locator("#asked").inner_text() == f"Turned up onto {source}"
        page.keyboard.press("Escape")
        page.keyboard.press("u")
        assert page.locator("#moves li").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_on_the_table_is_wider_than_the_screen_and_everything_has_a_name(browser, table, screen, scheme):
    touch = "tap" if screen is PHONE else "click"
    with opened(browser, table, screen, color_scheme=scheme) as page:
        for step in ("#shuffle", "#grid .can", "#grid .lit", "#written summary"):
            getattr(page.locator(step).first, touch)()
            assert page.evaluate("document.documentElement.scrollWidth") <= screen["viewport"]["width"]
        unnamed = page.evaluate(NAMELESS)
        assert unnamed == []
        sizes = page.evaluate(
            "[...document.querySelectorAll('#grid .number')].map((n) => parseFloat(getComputedStyle(n).fontSize))"
        )
        assert min(sizes) >= 14


NAMELESS = """() => [...document.querySelectorAll("button, input, textarea, select")].filter((control) => {
  if (control.closest("dialog:not([open])")) return false;
  return !(control.ariaLabel || control.textContent.trim() || control.labels?.length);
}).map((control) => control.outerHTML)"""


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


PAIRS = [
    *((text, ground) for text in ("ink", "quiet") for ground in ("paper", "card", "last")),
    ("accent-ink", "accent"),
    ("lit-ink", "lit"),
    ("bad", "paper"),
    ("bad", "card"),
    ("good", "paper"),
]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_texts_stand_out_from_what_is_behind_them(text, ground, scheme):
    blocks = re.findall(r":root \{(.*?)\}", asset("page.css"), re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[scheme]))
    high, low = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_a_page_is_one_small_file_that_may_ask_nobody(tmp_path):
    for text in (table_page("A deck", random_deck(random.Random(1))), replay_page(random_record(GAMES[0], 1))):
        assert len(text.encode()) < LARGEST
        assert "default-src 'none'" in text
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_the_longest_game_of_the_fullest_kind_stays_small():
    record = random_record(find_game("ninecard"), 3, count=4, share=10_000)
    assert len(replay_page(record).encode()) < LARGEST


def test_what_cards_are_called_does_nothing(browser, tmp_path):
    rng = random.Random(3)
    deck = [Card("", "", f"{HOSTILE[number % 3]} {number}", random_card(rng).zones, 100) for number in range(20)]
    address = page_of(tmp_path, deck, HOSTILE[0])
    with opened(browser, address, PHONE) as page:
        a_game(page, 0)
        assert page.locator("#title").inner_text() == HOSTILE[0]
        assert {text[:6] for text in page.locator("#grid .name").all_inner_texts()} <= {name[:6] for name in HOSTILE}
        assert page.locator("img").count() == 0
        back = read_document(loads(page.locator("#record").input_value())).require()
    assert {card.name.rpartition(" ")[0] for card in back.setup.cards} <= set(HOSTILE)


def test_embedded_data_hold_nothing_that_ends_their_element():
    text = embedded({"name": HOSTILE, "half": "\ud83d"})
    assert "<" not in text
    assert "\u2028" not in text
    text.encode("utf-8")


# --- the replay --------------------------------------------------------------------------------------------------


def test_parts_that_many_positions_share_stand_once():
    nodes = Nodes()
    tile = Tile("a1", "", "Amber Drake", {"top": 3})
    first = nodes.add(Tiles((tile, tile), 2))
    assert nodes.add(Tiles((tile, tile), 2)) == first
    assert len(nodes.values) == 2


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_replay_shows_every_move_of_any_game(browser, tmp_path, game):
    record = random_record(game, 11, share=30)
    path = tmp_path / "game.html"
    path.write_text(replay_page(record), encoding="utf-8")
    data = replay_data(record)
    with opened(browser, path.as_uri(), PHONE) as page:
        assert page.locator("#list li").count() == len(record.moves) + 1
        for number, ply in enumerate(record, 1):
            page.locator("#forth").tap()
            assert page.locator("#status").inner_text().startswith(f"{number}. {ply.player} plays ")
            shown = [int(text) for text in page.locator("#score .points").all_inner_texts()]
            assert shown == list(data["scores"][number])
            assert page.locator("#list [aria-current]").inner_text().startswith(f"{number}.")
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.locator("#forth").is_disabled()
        assert page.evaluate(NAMELESS) == []
        assert page.locator("#chart polyline").count() == len(record.setup.players)
        assert read_document(code_document(page.locator("#code").input_value())).require().moves == record.moves


def test_the_replay_is_stepped_through_by_keys_and_by_its_address(browser, tmp_path, shell: Shell):
    shell.good("page", EXAMPLES / "game.toml", "-o", tmp_path / "game.html")
    address = (tmp_path / "game.html").as_uri()
    with opened(browser, f"{address}#5", DESK) as page:
        for key, number in (("ArrowRight", 6), ("ArrowLeft", 5), ("End", 12), ("ArrowRight", 12), ("Home", 0)):
            page.keyboard.press(key)
            assert page.locator("#place").input_value() == str(number)
        page.locator("#list button").nth(12).click()
        assert (
            page.locator("#status")
            .inner_text()
            .endswith("Bob wins: no card on the grid can take a neighbour, with 1 left in the draw pile.")
            or "Bob wins" in page.locator("#status").inner_text()
        )


def test_an_analysed_record_shows_its_marks_and_values(browser, tmp_path, shell: Shell):
    written = shell.folder / "analysed.toml"
    shell.good("analyze", EXAMPLES / "game.toml", "-o", written)
    record = read_game(written)
    marks, values = marks_of(record), values_of(record)
    assert None not in values
    shell.good("page", written, "-o", tmp_path / "game.html")
    with opened(browser, (tmp_path / "game.html").as_uri(), DESK) as page:
        shown = page.locator("#list li").all_inner_texts()[1:]
        for number, (move, mark, value) in enumerate(zip(record.moves, marks, values, strict=True)):
            points = f"{value:g}"
            assert shown[number].endswith(f" {move}{f' {mark}' if mark else ''} ({points})"), shown[number]


# --- at the command line -----------------------------------------------------------------------------------------


def test_page_takes_codes_and_refuses_what_it_cannot_show(shell: Shell):
    deck = shell.good("code", EXAMPLES / "deck.toml").out.strip()
    shell.good("page", deck, "-o", shell.folder / "table.html")
    assert (shell.folder / "table.html").read_text("utf-8").startswith("<!doctype html>")
    again = shell("page", deck, "-o", shell.folder / "table.html")
    assert (again.status, "exists already" in again.err) == (3, True)
    shell.good("page", deck, "-o", shell.folder / "table.html", "--force")
    (shell.folder / "short.toml").write_text(deck_toml(Deck("Short", (Card("", "", "Drake", {"top": 3}, 3),))), "utf-8")
    short = shell("page", shell.folder / "short.toml", "-o", shell.folder / "short.html")
    assert (short.status, "not a legal deck" in short.err) == (3, True)
    wrong = (EXAMPLES / "game.toml").read_text("utf-8").replace('"b3xc2", "a2xb1"', '"a1xc3", "a2xb1"', 1)
    (shell.folder / "wrong.toml").write_text(wrong, "utf-8")
    illegal = shell("page", shell.folder / "wrong.toml", "-o", shell.folder / "wrong.html")
    assert (illegal.status, "moves[0]" in illegal.err) == (1, True)
    assert not (shell.folder / "wrong.html").exists()
