"""Tests of records that refer to a deck file for their cards."""

import json
import os
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.made_up import card

from ccgrid.catalog.card import Card
from ccgrid.catalog.codes import Code
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.letters import NumberWriter
from ccgrid.engine.records.codes import code_document
from ccgrid.engine.records.files import read_game
from ccgrid.engine.records.record import read_document
from ccgrid.engine.schema import to_toml
from ccgrid.services.choices import Choices
from ccgrid.services.records import deck_lookup_for

WALL = Card("w:1", "w", "Wall", {"left": 10, "right": 10}, 20)
RUNNER = Card("w:2", "w", "Runner", {"right": 10}, 10)
OTHER = Card("w:3", "w", "Runner", {"left": 9}, 9)
DECK = (RUNNER, *[WALL] * 12, OTHER, *[card(f"Card {number}", top=10, bottom=10) for number in range(15, 21)])
NINE = ["Runner", "Runner #2", "wall", "w:1", "Wall", "5", "Wall", "Wall", "Wall"]


def document(**changes: object) -> dict[str, object]:
    """Return a game of grid whose cards are given by name."""
    defaults = {"game": "grid", "players": ["Ann", "Bob"], "first": "Ann", "deck": "deck", "moves": ["a1 b1"]}
    return {**defaults, "setup": {"cards": [*NINE, "Card 20"]}, **changes}


@pytest.fixture
def file(shell: Shell) -> Path:
    """A record with its deck in the same folder."""
    (shell.folder / "deck.toml").write_text(deck_toml(Deck("Walls", DECK)))
    return write_record(shell, document())


def write_record(shell: Shell, record: dict[str, object]) -> Path:
    path = shell.folder / "game.toml"
    path.write_text(to_toml(record))
    return path


def test_cards_come_from_deck_and_remaining_cards_are_the_pile(shell: Shell, file: Path) -> None:
    answer = shell.good("score", file, "--json").json
    assert (answer["moves"], answer["scores"]) == (1, {"Ann": 9, "Bob": 0})
    copied = shell.folder / "whole.toml"
    shell.good("code", file, "-o", copied)
    read = read_game(copied)  # the code has all cards, and no reference to the deck
    assert [each.name for each in read.setup.cards][:3] == ["Runner", "Runner #2", "Wall"]
    assert sorted(each.score for each in read.setup.deck) == sorted(each.score for each in DECK)
    assert len(read.setup.to_table()["pile"]) == 10


@pytest.mark.slow
def test_every_command_resolves_deck_relative_to_record(
    shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = shell.folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    for command in ("validate", "replay", "code", "advise"):
        shell.good(command, file)
    shell.good("page", file, "-o", elsewhere / "page.html")
    (shell.folder / "deck.toml").rename(elsewhere / "deck.toml")
    for name in ("elsewhere/deck.toml", "./elsewhere/deck", "elsewhere//deck"):
        shell.good("validate", write_record(shell, document(deck=name)))


def error_in(shell: Shell, record: dict[str, object]) -> tuple[str, str]:
    """Return the location and message of the error that `validate` reports."""
    [error] = shell("validate", write_record(shell, record), "--json").json["errors"]
    return error["where"], error["message"]


def test_missing_or_changed_deck_is_reported(shell: Shell, file: Path) -> None:
    assert error_in(shell, document(deck="other")) == ("deck", f'there is no deck "other" in {shell.folder}')
    cards = [*NINE[:8], "Gone"]
    assert error_in(shell, document(setup={"cards": cards})) == (
        "setup.cards[8]",
        '"Gone" is not in deck, or not so often; did the deck change?',
    )
    table = {"name": "Wall", "zones": {"left": 9, "right": 10}, "score": 20}
    assert error_in(shell, document(setup={"cards": [*NINE[:8], table]}))[0] == "setup.cards[8]"
    assert error_in(shell, document(setup={"cards": ["Runner", *NINE[:8]]}))[0] == "setup.cards[1]"
    (shell.folder / "deck.toml").write_text(deck_toml(Deck("Walls", DECK[:19])))
    assert error_in(shell, document())[0] == "deck"


def test_deck_name_may_include_checksum(shell: Shell, file: Path) -> None:
    deck = shell.folder / "deck.toml"
    digest = sha256(deck.read_bytes()).hexdigest()
    for written_digest in (digest, digest[:8].upper()):
        shell.good("validate", write_record(shell, document(deck=f"deck.toml#sha256={written_digest}")))
    deck.write_text(deck.read_text() + "# changed\n")
    new_digest = sha256(deck.read_bytes()).hexdigest()
    where, message = error_in(shell, document(deck=f"deck.toml#sha256={digest}"))
    assert (where, message) == ("deck", f'"deck.toml" has changed: its sha256 now starts with {new_digest[:12]}')


OUTSIDE = (
    *("/etc/passwd", "/proc/kmsg", "/dev/zero", "//server/share/deck", "../deck.toml", "below/../../deck", ".."),
    *("\\\\server\\share\\deck.toml", "below\\deck.toml", "C:\\deck.toml", "C:deck.toml", "c:/deck.toml"),
    *("nul", "CON.toml", "below/com1", "aux .txt", "lpt9.toml"),
)


@pytest.mark.parametrize("command", ["validate", "score", "replay", "code", "advise", "analyze", "solve"])
def test_deck_outside_folder_is_rejected_unread(shell: Shell, file: Path, command: str) -> None:
    (shell.folder / "below").mkdir()
    record_folder = shell.folder / "lonely"
    record_folder.mkdir()
    for name in OUTSIDE:
        (record_folder / "game.toml").write_text(to_toml(document(deck=name)))
        result = shell(command, record_folder / "game.toml")
        assert result.status in (1, 3), (name, result)
        assert "is not in the folder of the record" in result.out + result.err, (name, result)
        assert len(result.err.splitlines()) <= 2


def test_path_outside_folder_is_neither_opened_nor_checked(shell: Shell, file: Path) -> None:
    opened_paths: list[str] = []

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_recording and event in ("open", "os.listdir", "os.scandir"):
            opened_paths.append(str(arguments[0]))

    is_recording = False
    sys.addaudithook(hook)
    for name in OUTSIDE:
        is_recording = True
        assert error_in(shell, document(deck=name))[0] == "deck"
        is_recording = False
    assert opened_paths
    assert not [path for path in opened_paths if path.endswith((*OUTSIDE, ".toml.toml"))]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes and links")
def test_only_regular_files_are_opened(shell: Shell, file: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (shell.folder / "deck.toml").rename(elsewhere / "deck.toml")
    os.mkfifo(shell.folder / "pipe")
    os.mkfifo(shell.folder / "piped.toml")
    (shell.folder / "linked.toml").symlink_to(elsewhere / "deck.toml")
    (shell.folder / "folder").symlink_to(elsewhere)
    (shell.folder / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "piped", "linked", "linked.toml", "folder/deck", "folder/deck.toml", "zero"):
        where, message = error_in(shell, document(deck=name))
        assert where == "deck"
        assert "is a link or a device" in message, name
    for name in (".", "", "x\ty", "x" * 5000, "folder", "game.toml/deck"):
        assert error_in(shell, document(deck=name))[0] == "deck"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_piped_record_has_no_folder(shell: Shell, file: Path) -> None:
    os.mkfifo(shell.folder / "pipe")
    for record in (Path("-"), shell.folder / "pipe"):
        find = deck_lookup_for(record, None, Choices())
        with pytest.raises(CatalogError, match="there is no folder to look"):
            find("deck", "grid")
        assert len(find("harbor", "tactics")) == len(read_deck_of("harbor"))


def test_invalid_deck_file_is_reported_in_one_line(shell: Shell, file: Path) -> None:
    where, message = error_in(shell, document(deck="game.toml"))
    assert where == "deck"
    assert "\n" not in message
    assert error_in(shell, document(deck=3)) == ("deck", "must be a list, not the number 3")


def test_tactics_and_ninecard_records_name_deck_per_player(shell: Shell) -> None:
    deck = deck_toml(Deck("Wolves", tuple(Card("", "", f"Wolf {n}", {}, 0, attack=1, defense=n) for n in range(9))))
    for name in ("ann.toml", "bob.toml"):
        (shell.folder / name).write_text(deck.replace("Wolf", "Fox") if name == "bob.toml" else deck)
    players = {"game": "ninecard", "players": ["Ann", "Bob"], "first": "Ann", "moves": []}
    decks = {"Ann": [f"wolf {n}" for n in range(9)], "Bob": [f"Fox {n}" for n in range(9)]}
    named = write_record(shell, {**players, "deck": ["ann", "bob.toml"], "setup": {"decks": decks}})
    shell.good("validate", named)
    where, message = error_in(shell, {**players, "deck": "ann", "setup": {"decks": decks}})
    assert where == "setup.decks.Bob[0]"
    assert message == '"Fox 0" is not in ann, or not so often; did the deck change?'


ONE = [
    Card("", "", name, {}, 0, attack=number, defense=number)
    for name, number in (("Wolf", 1), ("Forest", None), ("Bear", 2))
]
TWO = [
    Card("", "", name, {}, 0, attack=number, defense=number)
    for name, number in (("Imp", 1), ("Swamp", None), ("Wolf", 3), ("Imp", 4))
]


def own_decks(shell: Shell, decks: dict[str, list[str]]) -> dict[str, object]:
    """Return a game of ninecard in which each player has an own deck."""
    for name, cards in (("one", ONE), ("two", TWO)):
        (shell.folder / f"{name}.toml").write_text(deck_toml(Deck(name, tuple(cards))))
    record = {"game": "ninecard", "players": ["Ann", "Bob"], "first": "Ann", "deck": ["one", "two"], "moves": []}
    return {**record, "setup": {"decks": decks}}


@pytest.mark.parametrize(
    ("ann", "bob", "attacks"),
    [
        (["Wolf", "Forest"], ["Imp", "Swamp"], [1, None, 1, None]),
        (["2", "3"], ["1", "Wolf"], [None, 2, 1, 3]),
        (["wolf", "Bear"], ["Imp #2", "Imp"], [1, 2, 4, 1]),
    ],
)
def test_cards_of_a_player_are_those_of_the_own_deck(
    shell: Shell, ann: list[str], bob: list[str], attacks: list[int | None]
) -> None:
    file = write_record(shell, own_decks(shell, {"Ann": ann, "Bob": bob}))
    setup = read_game(file, decks=deck_lookup_for(file, None, Choices())).setup.to_table()["decks"]
    assert [card.get("attack") for player in ("Ann", "Bob") for card in setup[player]] == attacks


@pytest.mark.parametrize(
    ("ann", "bob", "wrong"),
    [
        (["Imp", "Swamp"], ["Forest", "Bear"], "Ann[0]"),
        (["Bear", "Wolf"], ["Imp", "Imp"], "Bob[1]"),
        (["Bear", "bear"], ["Imp", "Wolf"], "Ann[1]"),
        (["4", "Wolf"], ["Imp", "Wolf"], "Ann[0]"),
    ],
)
def test_card_that_the_own_deck_lacks_is_reported(shell: Shell, ann: list[str], bob: list[str], wrong: str) -> None:
    where, message = error_in(shell, own_decks(shell, {"Ann": ann, "Bob": bob}))
    assert where == f"setup.decks.{wrong}"
    assert message.endswith(", or not so often; did the deck change?")


def test_faction_is_found_by_name(shell: Shell) -> None:
    hands = {"Ann": ["Quay Captain", "?", "?"], "Bob": ["?", "?", "?"]}
    harbor = {each.name for each in read_deck_of("harbor")}
    hands["Ann"][0] = sorted(harbor)[0]
    record = {"game": "tactics", "players": ["Ann", "Bob"], "first": "Ann", "moves": [f"{hands['Ann'][0]} b2"]}
    shell.good("validate", write_record(shell, {**record, "deck": ["harbor", "cinder"], "setup": {"decks": hands}}))


def read_deck_of(name: str) -> tuple[Card, ...]:
    from ccgrid.services.factions import find_faction

    return find_faction(name).deck.cards


def test_game_with_own_cards_rejects_deck() -> None:
    record = {"game": "matrix", "players": ["Ann", "Bob"], "moves": [], "deck": "x"}
    record["setup"] = {"board": list(range(1, 10)), "hands": {"Ann": ["?"] * 10, "Bob": ["?"] * 10}}
    error = read_document(record).error
    assert error is not None
    assert str(error) == "deck: names 1, and matrix is played with no deck"


def test_deck_file_named_in_code_is_not_read() -> None:
    more = json.dumps({"deck": "/etc/passwd"})
    setup = {"decks": {name: [{"name": "Spark"}] * 9 for name in ("Ann", "Bob")}, "opening": "text"}
    writer = NumberWriter()
    writer.put(2)
    writer.put_text("Ann")
    writer.put_text("Bob")
    for number in (1, 0, 0, 0, 0, 0):
        writer.put(number)
    line = str(Code(f"ninecard\n{json.dumps(setup)}", bytes(writer.data), more))
    error = read_document(code_document(line)).error
    assert error is not None
    assert error.where == "deck"
    assert "there is no folder to look" in error.message
