"""The entry session tells commands from card names, keeps to the game that is set, and takes suggestions by number."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from catalogues import Shell, row

from catalog.card import CatalogError
from catalog.collection.edit import kind_of
from catalog.collection.session import EntrySession
from catalog.custom_card import CustomCard
from catalog.store.catalogue import Store
from catalog.store.custom_cards import add_card
from catalog.store.holdings import CollectionStore
from ccgrid.terminal.completing import kept_beginnings

OWN = (
    CustomCard("arcadia", "Griffin", "ARC", "1", {"top": "4"}),
    CustomCard("arcadia", "Amber Lance", "ARC", "2", {"top": "2,3"}),
    CustomCard("arcadia", "Undo", "ARC", "3", {"top": "1"}),
    CustomCard("arcadia", "Set Adrift", "ARC", "4", {"top": "1"}),
)


@pytest.fixture
def entry(shell: Shell, tmp_path: Path) -> Iterator[EntrySession]:
    shell.import_rows([row(1, "Griffin", 2), row(2, "Amber Drake", 3), row(3, "Ambush", 4)])
    with Store(shell.database) as store:
        for card in OWN:
            add_card(store, card)
        yield EntrySession(CollectionStore(store), (), "", kind_of())


def held(session: EntrySession) -> list[str]:
    return [holding.card_id for holding in session.collection.holdings()]


def test_a_slash_tells_a_command_from_a_card_of_that_name(entry: EntrySession) -> None:
    entry.enter("Amber Drake")
    with pytest.raises(CatalogError, match="is a card, too: 1 adds Undo, /undo is the command"):
        entry.enter("undo")
    assert held(entry) == ["mtg:dsk/2"]
    assert "Taken back" in entry.enter("/undo")
    assert held(entry) == []


def test_the_card_that_is_called_as_a_command_is_added_by_its_number(entry: EntrySession) -> None:
    with pytest.raises(CatalogError, match="Set Adrift"):
        entry.enter("set adrift")
    assert "1 Set Adrift" in entry.enter("1")
    assert held(entry) == ["arcadia:hand/set-adrift"]


def test_a_command_is_the_whole_word_and_one_that_is_unknown_is_told(entry: EntrySession) -> None:
    assert "1 Amber Drake" in entry.enter("amber drake")
    with pytest.raises(CatalogError, match="/frobnicate is not a command"):
        entry.enter("/frobnicate")
    assert entry.enter("/set dsk") == "The next cards are of dsk."
    assert entry.enter("/end") == ""
    assert entry.is_over


def test_another_game_is_gone_on_with_and_its_sets_alone_are_known(entry: EntrySession) -> None:
    assert entry.enter("game arcadia") == "The next cards are of arcadia."
    assert entry.prompt == "arcadia any set"
    assert "Griffin (arcadia ARC 1)" in entry.enter("Griffin")
    with pytest.raises(CatalogError, match=r"no set 'dsk' of arcadia. It has: ARC\.$"):
        entry.enter("set dsk")
    with pytest.raises(CatalogError, match="no cards of the game 'nogame'"):
        entry.enter("game nogame")
    assert entry.enter("game mtg") == "The next cards are of mtg."
    assert "Griffin (mtg dsk 1)" in entry.enter("Griffin")
    assert entry.enter("game") == "The next cards are of any game."


def test_completion_offers_only_the_game_that_is_set(entry: EntrySession) -> None:
    assert sorted(entry.complete("amb")) == ["Amber Drake", "Amber Lance", "Ambush"]
    entry.enter("game arcadia")
    assert entry.complete("amb") == ["Amber Lance"]
    entry.enter("game mtg")
    assert sorted(entry.complete("AMB")) == ["Amber Drake", "Ambush"]


@pytest.mark.parametrize("line", ["amb", "AMBE", "æther", "aeth", "Lim-d", "o"])
def test_completion_never_deletes_what_was_typed(line: str) -> None:
    names = ["Æther Vial", "Aether Hub"]
    assert all(name.startswith(line) for name in kept_beginnings(line, names))
    assert kept_beginnings("aeth", names[:1]) == names[:1]


def test_suggestions_are_taken_by_their_number_once(entry: EntrySession) -> None:
    with pytest.raises(CatalogError, match=r"Its number adds one of these: 1 Amber Drake \(mtg dsk 2\)"):
        entry.enter("Ambr Drakke")
    assert "1 Amber Drake" in entry.enter("1")
    with pytest.raises(CatalogError):
        entry.enter("1")
    assert held(entry) == ["mtg:dsk/2"]


def test_it_is_said_when_a_card_is_barred_from_decks(entry: EntrySession) -> None:
    assert entry.enter("Amber Lance").endswith("Barred from decks.")
    assert "Barred" not in entry.enter("Amber Drake")
