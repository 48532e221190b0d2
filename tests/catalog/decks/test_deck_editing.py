"""`deck edit`: swapping, adding and removing cards in a file, whose other lines stay unchanged."""

import io
import json
import sys
from pathlib import Path

import pytest
from helpers.catalogues import FIRST, LAST, Shell, row, rows
from helpers.text_files import write

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.deck_files import read_deck
from ccgrid.catalog.deck_changes import DeckChanges, edited_text
from ccgrid.catalog.deck_text import parse_deck
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.catalog.errors import CatalogError
from ccgrid.services.choices import Choices
from ccgrid.services.deck_editing import edit_deck
from ccgrid.terminal.deck_editing import change_deck


def name(number: int) -> str:
    """Return the name of the card with this number in the catalogue of a test."""
    return f"{FIRST[number % 10]} {LAST[number % 7]}"


@pytest.fixture
def file(shell: Shell) -> Path:
    """Write a legal deck of the cards 1 to 20 of a catalogue of 30, with comments."""
    shell.import_rows(rows(30))
    lines = [f'  "mtg:dsk/{number}", # {name(number)}' for number in range(1, 21)]
    return write(
        shell.folder / "deck.toml", "\n".join(["# my deck", 'name = "Mine"', "cards = [", *lines, "]", "# the end", ""])
    )


def names(path: Path) -> list[str]:
    return [entry.text for entry in read_deck(path).entries]


# --- at the command line ------------------------------------------------------------------------------------------


def test_swap_changes_only_line_of_its_card(shell: Shell, file: Path) -> None:
    before = file.read_text().splitlines()
    result = shell.good("deck", "edit", file, "--swap", f"3={name(25)}")
    assert f"out  {name(3)}" in result.out
    assert f"in   {name(25)}" in result.out
    assert "Legal: a deck of 20 cards.\n" in result.out
    after = file.read_text().splitlines()
    assert after[5] == '  "mtg:dsk/25",'
    assert [line for number, line in enumerate(after) if number != 5] == before[:5] + before[6:]


def test_deck_is_checked_after_removing_and_adding_a_card(shell: Shell, file: Path) -> None:
    out = shell("deck", "edit", file, "--out", name(20).lower(), "--json")
    assert out.status == 1
    assert out.json["problems"] == [{"card": None, "reason": "the deck has 19 cards, and 20 are needed"}]
    assert [change["out"]["name"] for change in out.json["changes"]] == [name(20)]
    assert "mtg:dsk/20" not in names(file)
    added = shell.good("deck", "edit", file, "--add", "mtg:dsk/30", "--json").json
    assert (added["ok"], added["cards"], added["file"]) == (True, 20, str(file))
    assert added["changes"][0]["in"]["zones"]
    assert names(file)[-1] == "mtg:dsk/30"
    assert file.read_text().endswith("]\n# the end\n")


def test_several_changes_are_made_only_together(shell: Shell, file: Path) -> None:
    before = file.read_text()
    shell("deck", "edit", file, "--out", "1", "--add", "No Such Card").finds_none("No Such Card")
    shell("deck", "edit", file, "--swap", "No Such Card=2").finds_none("is not in the deck")
    shell("deck", "edit", file, "--out", "drake").fails("may be", "or its number in the deck")
    shell("deck", "edit", file, "--swap", "1").misuses("write it as OLD=NEW")
    assert shell("deck", "edit", file).status == 2
    assert file.read_text() == before
    shell.good("deck", "edit", file, "--out", "1", "--out", "1", "--add", "mtg:dsk/29", "--add", "mtg:dsk/28")
    assert names(file) == [f"mtg:dsk/{number}" for number in [*range(3, 21), 29, 28]]


def test_edited_deck_of_another_program_goes_to_new_file(shell: Shell, file: Path) -> None:
    ids = "".join(f"{46986414 + number}\n" for number in range(20))
    table = "".join(f"1,{name(number)},dsk,{number}\n" for number in range(1, 21))
    for path, text in (("deck.ydk", f"#main\n{ids}"), ("deck.csv", f"Count,Name,Edition,Collector Number\n{table}")):
        other = write(shell.folder / path, text)
        shell("deck", "edit", other, "--out", "1").fails("another program's file", "-o deck.toml")
        assert other.read_text() == text
    new = shell.folder / "new.toml"
    shell.good("deck", "edit", shell.folder / "deck.csv", "--swap", "1=mtg:dsk/30", "-o", new)
    assert names(new) == [name(number) for number in (30, *range(2, 21))]
    shell("deck", "edit", file, "--out", "1", "-o", new).fails("--force")


def test_unknown_card_in_deck_can_be_swapped(shell: Shell, file: Path) -> None:
    file.write_text(file.read_text().replace("mtg:dsk/7", "Mispelt Cardd"))
    assert shell("deck", "edit", file, "--swap", "1=mtg:dsk/30").status == 1
    shell("deck", "edit", file, "--out", "2", "-o", shell.folder / "x.toml").fails("Cardd")
    shell.good("deck", "edit", file, "--swap", "mispelt=mtg:dsk/7")
    shell.good("deck", "check", file)


def test_self_contained_deck_is_edited_without_catalogue(shell: Shell) -> None:
    cards = [Card(f"a:{n}", "a", f"Ant {n}", {"top": n % 10}, 20, set_code="x") for n in range(21)]
    path = write(shell.folder / "deck.toml", deck_toml(Deck("Ants", tuple(cards))))
    shell.good("deck", "edit", path, "--out", "Ant 7")
    assert path.read_text() == deck_toml(Deck("Ants", (*cards[:7], *cards[8:])))
    shell("deck", "edit", path, "--add", "Bee").fails("ccgrid import starter")


def test_key_with_space_stays_in_quotes() -> None:
    card = '{ "my note" = "x", name = "Ant", zones = { top = 3 }, score = 3 }'
    text = f'cards = [\n  {card}, "Bee",\n]\n'
    edited = edited_text(text, parse_deck(text, "Ants"), DeckChanges({1: Card("a:1", "a", "Cow", {}, 0)}))
    assert edited.splitlines()[1] == f"  {card},"


def test_ninecard_deck_is_checked_by_its_rules(shell: Shell) -> None:
    shell.import_rows([*rows(29), row(30, power="2", toughness="3", type_line="Creature")])
    path = write(shell.folder / "deck.txt", f"1 mtg:dsk/30\n59 {name(1)}\n")
    result = shell.good("deck", "edit", path, "--for", "ninecard", "--swap", f"2={name(2)}", "--json").json
    assert (result["ok"], result["cards"]) == (True, 60)
    assert path.read_text() == f"1 mtg:dsk/30\n58 {name(1)}\n1 {name(2)} (DSK) 2\n"


# --- at a terminal ------------------------------------------------------------------------------------------------


def run_deck_editor(file: Path, shell: Shell, typed: str, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, str]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    shell.capture.readouterr()
    with edit_deck(file, shell.database, None, Choices()) as deck:
        is_saved = change_deck(deck, None)
    return is_saved, shell.capture.readouterr().out


def test_deck_is_edited_line_by_line_at_a_terminal(shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "out 1\nout 1\nadd mtg:dsk/30\nundo\nswap 18 = mtg:dsk/29\nadd mtg:dsk/28\nadd nobody\nhm\nsave\n"
    is_saved, out = run_deck_editor(file, shell, typed, monkeypatch)
    assert is_saved
    assert out.count("Not legal") == 6
    assert "swap OLD = NEW" in out
    assert "nobody" in out
    assert names(file) == [f"mtg:dsk/{number}" for number in (*range(3, 20), 29, 28)]


def test_unsaved_deck_edits_leave_file_unchanged(shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()
    for typed in ("out 1\nquit\n", "out 1\n", "undo\nquit\n"):
        assert not run_deck_editor(file, shell, typed, monkeypatch)[0]
    assert file.read_bytes() == before


# --- the texts of files -------------------------------------------------------------------------------------------

ANT = Card("a:1", "a", "Ant", {"top": 1}, 1, set_code="x", collector_number="7")
BEE = Card("a:2", "a", "Bee", {"top": 2}, 2)


def change_text(text: str, changes: DeckChanges) -> str:
    return edited_text(text, parse_deck(text, "deck"), changes)


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ("2 Wolf\n1 Fox\n", DeckChanges({0: ANT}), "1 Wolf\n1 Ant (X) 7\n1 Fox\n"),
        ("2 Wolf\n1 Fox\n", DeckChanges({2: None}), "2 Wolf\n"),
        ("Wolf\nFox", DeckChanges({0: None}, (BEE,)), "Fox\n1 Bee\n"),
        (
            "Deck\n3x Wolf\n\nSideboard\n1 Fox\n",
            DeckChanges({1: None}, (BEE,)),
            "Deck\n2x Wolf\n1 Bee\n\nSideboard\n1 Fox\n",
        ),
        ("// mine\r\n1 Wolf\r\n2 Fox\r\n", DeckChanges({1: BEE, 2: BEE}), "// mine\r\n1 Wolf\r\n1 Bee\r\n1 Bee\r\n"),
    ],
)
def test_edited_text_list_keeps_other_lines(before: str, changes: DeckChanges, after: str) -> None:
    assert change_text(before, changes) == after


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ('cards = [\n  "a", "b",\n  "c" # last\n]\n', DeckChanges({1: None}), 'cards = [\n  "a",\n  "c", # last\n]\n'),
        (
            'cards = [\r\n"a", # one\r\n"b"\r\n]\r\n',
            DeckChanges({1: BEE}),
            'cards = [\r\n"a", # one\r\n  "a:2",\r\n]\r\n',
        ),
        ('x = 1\ncards = [\n"a"\n]\ny = 2\n', DeckChanges({}, (BEE,)), 'x = 1\ncards = [\n"a",\n  "a:2",\n]\ny = 2\n'),
    ],
)
def test_edited_toml_deck_keeps_comments(before: str, changes: DeckChanges, after: str) -> None:
    assert change_text(before, changes) == after


def test_added_card_has_numbers_like_others() -> None:
    before = 'cards = [\n{ name = "#, ]", top = 3 } # one\n]'
    after = change_text(before, DeckChanges({}, (BEE,)))
    assert after.startswith('cards = [\n{ name = "#, ]", top = 3 }, # one\n')
    assert parse_deck(after, "").entries[-1].card == BEE


def test_json_deck_keeps_other_keys() -> None:
    before = json.dumps({"name": "Mine", "mood": [1], "cards": ["a", "b"]})
    assert json.loads(change_text(before, DeckChanges({0: BEE}))) == {
        "name": "Mine",
        "mood": [1],
        "cards": ["a:2", "b"],
    }


@pytest.mark.parametrize("text", ['cards = ["a", "b"]\n', '[[cards]]\nname = "a"\n', "1 Wolf\n2 Fox\n\n1 Bee\n"])
def test_deck_text_that_would_lose_content_is_rejected(text: str) -> None:
    with pytest.raises(CatalogError, match=r"-o deck\.toml"):
        change_text(text, DeckChanges({}, (BEE,)))
