"""Tests of the review of scanned cards by keys, of recognising known cards, and of reading single keys."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.processes import ends_with_test
from helpers.text_files import write_layout

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.holding import NOWHERE, Place
from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.scan.comparison import contradictions
from ccgrid.catalog.scan.identification import identify
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScanDoubt, ScannedCard, SeenNumber
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.custom_cards import add_card
from ccgrid.catalog.store.history import redo, undo
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.services.accepted_scans import AcceptedCards, keep
from ccgrid.services.catalogue import open_collection
from ccgrid.terminal.entry import ReviewAnswer, ReviewPrompter, review
from ccgrid.terminal.prompts import read_key
from ccgrid.view.card import describe, draw_beside, draw_scan

SEEN = ScannedCard(
    "Amber Griffin",
    (
        SeenNumber("4", 4, "top-left", 10, 8, 1.0),
        SeenNumber("7", 7, "bottom-right", 90, 92, 0.7),
        SeenNumber("3", 3, "face", 50, 60, 1.0),
    ),
    names=("Amber Griffin",),
)
SCAN = Scan("a.png", "0" * 64, SEEN, "arcadia")
NO_CARDS: Mapping[str, Sequence[Card]] = {}
chosen: list[str] = []
"""The selected place of each drawing of the last review."""


said: list[str] = []
"""The messages of the last review."""


def answer_to(
    scan: Scan, keys: Iterable[str], answers: Iterable[str] = (), cards: Mapping[str, Sequence[Card]] = NO_CARDS
) -> ReviewAnswer:
    """Return the result of a review with these keys and typed texts. The name "" finds the suggested cards."""
    pressed, texts = iter(keys), iter(answers)
    voice = ReviewPrompter(
        key=lambda: next(pressed),
        ask=lambda prompt: next(texts),
        draw=lambda scan, entry, place: chosen.append(place),
        say=said.append,
        find=lambda scan, name: cards.get(name, ()),
    )
    chosen.clear()
    said.clear()
    answer = review(scan, voice)
    assert list(pressed) == []
    return answer


def review_result(scan: Scan, keys: Iterable[str], answers: Iterable[str] = ()) -> tuple[str, CustomCard, list[str]]:
    answer = answer_to(scan, keys, answers)
    return answer.what, answer.entry, chosen


def test_enter_accepts_the_reading() -> None:
    what, entry, _ = review_result(SCAN, ["enter"])
    assert what == "accept"
    assert (entry.game, entry.name) == ("arcadia", "Amber Griffin")
    assert entry.printed == {"top-left": "4", "bottom-right": "7", "face": "3"}


def test_first_doubt_is_selected_and_digit_replaces_number() -> None:
    what, entry, chosen = review_result(SCAN, ["1", "enter"])
    assert chosen[0] == "bottom-right"
    assert entry.printed["bottom-right"] == "1"
    assert what == "accept"


def test_arrows_select_zones_and_digits_extend_numbers() -> None:
    _, entry, chosen = review_result(SCAN, ["up", "left", "left", "left", "1", "0", "enter"])
    assert chosen[1:5] == ["right", "face", "left", "right"]
    assert entry.printed["right"] == "10"


def test_delete_clears_a_zone() -> None:
    _, entry, _ = review_result(SCAN, ["delete", "enter"])
    assert "bottom-right" not in entry.printed


def test_space_skips_card_and_q_quits() -> None:
    assert review_result(SCAN, [" "])[0] == "later"
    assert review_result(SCAN, ["q"])[0] == "quit"
    assert review_result(SCAN, [""])[0] == "quit"


def test_missing_game_and_name_are_asked_before_accepting() -> None:
    nameless = Scan("a.png", "0" * 64, ScannedCard("", SEEN.numbers))
    what, entry, _ = review_result(nameless, ["enter"], ["Griffin", "Arcadia"])
    assert (what, entry.name, entry.game) == ("accept", "Griffin", "arcadia")


@pytest.mark.parametrize(("answers", "game"), [(["rifst", "yes"], "rifts"), (["rifst", "no"], "rifst")])
def test_known_game_is_proposed_for_a_misspelt_one(answers: list[str], game: str) -> None:
    assert review_result(replace(SCAN, game=""), ["enter"], answers)[1].game == game


@pytest.mark.parametrize("answers", [["q"], [""], ["rifst", "q"]])
def test_cancelled_question_changes_and_accepts_nothing(answers: list[str]) -> None:
    what, entry, _ = review_result(replace(SCAN, game=""), ["enter", " "], answers)
    assert (what, entry.game) == ("later", "")
    assert review_result(SCAN, ["n", "g", "o", " "], ["q", "quit", "q"])[1] == SCAN.entry()
    nameless = Scan("a.png", "0" * 64, ScannedCard("", SEEN.numbers))
    assert review_result(nameless, ["enter", " "], ["q"])[0] == "later", "the game is not asked"


def test_the_name_can_be_corrected() -> None:
    assert review_result(SCAN, ["n", "enter"], ["Amber Gryphon"])[1].name == "Amber Gryphon"


def printing(number: str, cost: int, name: str = "Amber Griffin") -> Card:
    return CustomCard("arcadia", name, "dsk", number, {"top-left": str(cost), "left": "2"}).card()


GRIFFINS = (printing("1", 4), printing("2", 5))


def test_one_key_accepts_the_suggested_card_with_its_numbers() -> None:
    answer = answer_to(SCAN, ["enter"], (), {"": GRIFFINS})
    assert answer.scan.card == GRIFFINS[0]
    assert answer.entry == answer.scan.catalogued()
    assert answer.entry.printed["left"] == "2", "which the picture lacks"


def test_p_selects_the_next_printing_and_x_rejects_the_card() -> None:
    assert answer_to(SCAN, ["p", "enter"], (), {"": GRIFFINS}).scan.card == GRIFFINS[1]
    assert answer_to(SCAN, ["p", "p", "enter"], (), {"": GRIFFINS}).scan.card == GRIFFINS[0]
    assert answer_to(SCAN, ["p", "enter"]).scan.card is None
    rejected = answer_to(SCAN, ["x", "enter"], (), {"": GRIFFINS})
    assert rejected.scan.card is None
    assert rejected.entry == SCAN.entry()


def test_keys_that_change_nothing_say_why() -> None:
    answer_to(SCAN, ["p", "x", " "], (), {"": GRIFFINS[:1]})
    assert said == ["There is no other printing."]
    answer_to(SCAN, ["x", " "])
    assert said == ["No card of the catalogue is proposed; n looks up a name."]


def test_capital_letters_are_the_same_keys() -> None:
    assert review_result(SCAN, ["N", "enter"], ["Amber Gryphon"])[1].name == "Amber Gryphon"
    assert answer_to(SCAN, ["P", "enter"], (), {"": GRIFFINS}).scan.card == GRIFFINS[1]
    assert answer_to(SCAN, ["X", "Q"], (), {"": GRIFFINS}).scan.card is None
    assert not said


def test_typed_name_is_looked_up_and_typed_numbers_are_kept() -> None:
    whelp = printing("9", 3, "Dragon Whelp")
    answer = answer_to(SCAN, ["1", "n", "enter"], ["dragon whelp"], {"dragon whelp": (whelp,)})
    assert answer.scan.card == whelp
    assert answer.entry.name == "Dragon Whelp"
    assert answer.entry.printed == {"top-left": "3", "left": "2", "bottom-right": "1"}
    unknown = answer_to(SCAN, ["n", "enter"], ["My own"], {"": GRIFFINS})
    assert (unknown.scan.card, unknown.entry.name) == (None, "My own")
    assert unknown.entry.printed == SCAN.entry().printed


def test_card_found_by_a_typed_name_is_shown_before_it_is_accepted() -> None:
    nameless = Scan("a.png", "0" * 64, ScannedCard("", SEEN.numbers))
    answer = answer_to(nameless, ["enter", "enter"], ["griffin"], {"griffin": GRIFFINS})
    assert (answer.what, answer.scan.card) == ("accept", GRIFFINS[0])


def test_candidates_of_doubtful_zone_are_listed_by_likelihood() -> None:
    doubting = ScannedCard(
        "Griffin", SEEN.numbers[:1], (ScanDoubt(10, 60, "left", 7, (1,)), ScanDoubt(50, 95, "bottom"))
    )
    assert describe(Scan("a.jpg", "", doubting)) == "Not sure of: left (7 or 1?), bottom."


def test_card_without_doubts_may_still_lack_a_number() -> None:
    certain = Scan("a.png", "0" * 64, replace(SEEN, numbers=SEEN.numbers[:1]), "arcadia")
    assert describe(certain) == "Not sure: the numbers that were read are certain, but others may be missing."


def test_doubtful_numbers_are_marked_and_listed() -> None:
    text = draw_scan(SCAN, SCAN.entry(), "top-left").plain
    assert "[4]" in text
    assert "7?" in text
    assert describe(SCAN) == "Not sure of: bottom-right."


def test_reading_is_next_to_card_or_below_in_narrow_window() -> None:
    wide = draw_beside(SCAN, SCAN.entry(), "", 80).plain.splitlines()
    assert len(wide) == 17
    assert any(line.endswith("bottom-right  7         7  90, 92   70%?") for line in wide)
    assert len(draw_beside(SCAN, SCAN.entry(), "", 60).plain.splitlines()) == 20


def accepted_id(
    folder: Path, scan: Scan, entry: CustomCard, position: int = 0, cards: int = 1, *, own: bool, place: Place = NOWHERE
) -> str:
    copies, kind = int(own), copy_key(place=place)
    return keep(scan, position, cards, entry, folder / "c.db", lambda: None, copies=copies, kind=kind).card_id


def test_accepted_card_becomes_custom_card_in_its_box(tmp_path: Path) -> None:
    card_id = accepted_id(tmp_path, SCAN, SCAN.entry(), own=True, place=Place("Attic 2"))
    with Store(tmp_path / "c.db") as store:
        assert store.cards([card_id])[0].zones == {"top-left": 4, "bottom-right": 7}
        (row,) = store.connection.execute("SELECT card_id, copies, box FROM holdings").fetchall()
    assert tuple(row) == (card_id, 1, "Attic 2")


def test_accepted_card_is_one_undoable_change(tmp_path: Path) -> None:
    database = tmp_path / "c.db"
    accepted_id(tmp_path, SCAN, SCAN.entry(), own=True)

    def stored_state() -> tuple[int, int, bool]:
        with Store(database) as store:
            counts = store.connection.execute("SELECT (SELECT count(*) FROM cards), (SELECT count(*) FROM holdings)")
            return (*counts.fetchone(), AcceptedCards(database).is_whole(SCAN.digest))

    assert stored_state() == (1, 1, True)
    with Store(database) as store:
        undone = undo(store)
    assert (undone.kind, undone.what) == ("card", "accept Amber Griffin on a.png")
    assert stored_state() == (0, 0, False)
    with Store(database) as store:
        redo(store)
    assert stored_state() == (1, 1, True)


def test_accepted_known_card_changes_only_the_collection(tmp_path: Path) -> None:
    with Store(tmp_path / "c.db", create=True) as store:
        card = add_card(store, CustomCard("arcadia", "Amber Griffin", printed={"top-left": "4"}))
    scan = Scan("a.png", "0" * 64, SEEN, "arcadia", card=card)
    accepted_id(tmp_path, scan, scan.entry(), own=True)
    with open_collection(tmp_path / "c.db") as store:
        assert undo(store.store).kind == "collection"
        assert list(store.holdings()) == []
    assert not AcceptedCards(tmp_path / "c.db").is_whole("0" * 64)


def test_accepted_card_is_remembered_by_its_picture(tmp_path: Path) -> None:
    accepted_id(tmp_path, SCAN, SCAN.entry(), cards=2, own=False)
    settled = AcceptedCards(tmp_path / "c.db")
    assert settled.has(SCAN.digest, 0)
    assert not settled.has(SCAN.digest, 1)
    assert not settled.has("1" * 64, 0)
    assert not settled.is_whole(SCAN.digest)
    accepted_id(tmp_path, SCAN, SCAN.entry(), 1, cards=2, own=False)
    assert AcceptedCards(tmp_path / "c.db").is_whole(SCAN.digest)


# --- known cards ------------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Iterable[Store]:
    with Store(tmp_path / "known.db", create=True) as store:
        for number, name in ((4, "Amber Griffin"), (12, "Brass Heron"), (31, "Brass Heron")):
            add_card(store, CustomCard("arcadia", name, "one", str(number), {"top-left": str(number % 10)}))
        yield store


def recognise(store: Store, name: str, collector: str = "") -> tuple[str, bool] | None:
    card = ScannedCard(name, (), names=(name,), collector=collector)
    found = identify(card, Resolver(StoreLookup(store)), lambda card_id: store.cards([card_id])[0])
    return None if found is None else (found.card.id, found.sure)


def test_card_is_recognised_by_name(store: Store) -> None:
    assert recognise(store, "Amber Griffin") == ("arcadia:hand/amber-griffin", True)


def test_misread_name_is_certain_only_with_collector_number(store: Store) -> None:
    assert recognise(store, "Arnber Griffin") == ("arcadia:hand/amber-griffin", False)
    assert recognise(store, "Arnber Griffin", "4") == ("arcadia:hand/amber-griffin", True)


def test_contradicting_collector_number_makes_name_uncertain(store: Store) -> None:
    assert recognise(store, "Amber Griffin", "5") == ("arcadia:hand/amber-griffin", False)


def test_collector_number_selects_the_printing(store: Store) -> None:
    assert recognise(store, "Brass Heron", "31") == ("arcadia:hand/brass-heron-2", True)
    found = recognise(store, "Brass Heron")
    assert found is not None
    assert not found[1]


def test_unknown_card_is_not_matched(store: Store) -> None:
    assert recognise(store, "Granite Basilisk") is None


def test_contradictions_are_listed_by_zone_without_doubts() -> None:
    card = Card("a:1", "a", "Griffin", {"top-left": 5, "left": 2}, 7)
    assert contradictions(SEEN, card) == [
        "top-left: the catalogue has 5, the picture 4",
        "left: the catalogue has 2, the picture nothing",
    ]
    doubting = ScannedCard("Griffin", SEEN.numbers[:1], (ScanDoubt(10, 60, "left"),))
    assert contradictions(doubting, Card("a:1", "a", "Griffin", {"top-left": 4, "left": 2}, 6)) == []


# --- keys -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("\xe0H", "up"),
        ("\xe0P", "down"),
        ("\xe0K", "left"),
        ("\x00M", "right"),
        ("\xe0S", "delete"),
        ("\x08", "delete"),
        ("\r", "enter"),
        ("\xe0", "à"),
        ("\xe0R", "?"),
        ("\x1a", ""),
        ("7", "7"),
    ],
)
def test_windows_keys_have_the_same_names(monkeypatch: pytest.MonkeyPatch, typed: str, key: str) -> None:
    waiting = list(typed)
    keyboard = SimpleNamespace(getwch=lambda: waiting.pop(0), kbhit=lambda: bool(waiting))
    monkeypatch.setitem(sys.modules, "msvcrt", keyboard)
    monkeypatch.setattr(sys, "platform", "win32")
    assert read_key() == key
    assert not waiting


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_single_keys_are_read_from_a_real_terminal_without_enter() -> None:
    import pexpect

    code = (
        "from ccgrid.terminal.prompts import read_key\nprint('ready', flush=True)\n"
        "while (key := read_key()) != 'q': print(f'<{key}>', flush=True)"
    )
    child = ends_with_test(pexpect.spawn(sys.executable, ["-c", code], encoding="utf-8", timeout=120))
    child.send("ab")  # before the program reads keys
    child.expect("ready")
    child.expect_exact("<a>")
    child.expect_exact("<b>")
    for sent, texts in (
        ("\x1b[A", "up"),
        ("\x1bOD", "left"),
        ("\r", "enter"),
        ("\x7f", "delete"),
        ("7", "7"),
        ("é", "é"),
        ("\x1b", "?"),
        ("8", "8"),
    ):
        assert child.waitnoecho(120), "keys are read one by one"
        child.send(sent)
        child.expect_exact(f"<{texts}>")
    child.send("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_missing_numbers_are_filled_in_on_known_card(tmp_path: Path) -> None:
    griffin = griffin_without_numbers(tmp_path)
    scan = Scan("a.png", "0" * 64, SEEN, "plain", card=griffin)
    assert scan.entry().printed["top-left"] == "4"
    assert "bottom-right" not in scan.entry().printed  # it is uncertain
    assert accepted_id(tmp_path, scan, scan.entry(), own=False) == griffin.id
    with Store(tmp_path / "c.db") as store:
        assert [dict(card.zones) for card in store.cards([griffin.id])] == [{"top-left": 4}]
        assert store.connection.execute("SELECT count(*) FROM cards").fetchone() == (1,)


def test_known_card_is_corrected_not_duplicated(tmp_path: Path) -> None:
    griffin = griffin_without_numbers(tmp_path)
    scan = Scan("a.png", "0" * 64, ScannedCard("Griffin", ()), "plain", card=griffin)
    assert accepted_id(tmp_path, scan, scan.entry(), own=False) == griffin.id
    changed = replace(scan.entry(), printed={"right": "6"})
    assert accepted_id(tmp_path, scan, changed, own=True) == griffin.id
    other = replace(changed, name="Gryphon")
    assert accepted_id(tmp_path, scan, other, own=False) == "plain:hand/gryphon"


def griffin_without_numbers(folder: Path) -> Card:
    """Return a card in a new catalogue, from data without numbers."""
    layout = write_layout(folder / "plain.toml", "Cost", "left")
    (folder / "plain.csv").write_text("Name,Set,Cost\nGriffin,one,\n", encoding="utf-8")
    request = ImportRequest(find_source("file"), folder / "plain.csv", layout=str(layout))
    import_source(request, folder / "c.db")
    with Store(folder / "c.db") as store:
        (found,) = store.connection.execute("SELECT id FROM cards").fetchone()
        return store.cards([found])[0]
