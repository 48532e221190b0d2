"""Decks from owned copies: drawing, counting, finding in boxes, checking out and returning; and changes of sources."""

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell, write_rows
from helpers.collection_catalogue import CARDS, UUID, card
from helpers.text_files import write
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.collection.pulls import count_decks, draw_copies
from ccgrid.catalog.collection.upstream import fetch_migrations, read_migrations
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.engine.dice import Dice


def add(shell: Shell, name: str, copies: int = 1, *options: str) -> None:
    shell.good("collection", "add", name, "-n", str(copies), *options)


def deck(shell: Shell, text: str, name: str = "sunday.txt") -> Path:
    return write(shell.folder / name, text)


# --- drawing and counting ----------------------------------------------------------------------------------------


def test_draw_uses_only_legal_owned_copies(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 12)
    add(owned, "mtg:dsk/2", 7)
    add(owned, "mtg:dsk/16", 9)  # digital: not legal
    with Store(owned.database) as store:
        collection = CollectionStore(store)
        with pytest.raises(CatalogError, match="You own 19 usable cards"):
            draw_copies(collection, 20, Dice(1))
        cards = draw_copies(collection, 19, Dice(1))
        assert Counter(one.id for one in cards) == {"mtg:dsk/1": 12, "mtg:dsk/2": 7}
        assert draw_copies(collection, 10, Dice(5)) == draw_copies(collection, 10, Dice(5))
        with pytest.raises(CatalogError, match="0 usable cards of pokemon"):
            draw_copies(collection, 1, Dice(1), ["pokemon"])


def test_cards_out_in_decks_are_not_drawn(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 3)
    add(owned, "mtg:dsk/2", 3)
    owned.good("collection", "pull", deck(owned, "3 Amber Archivist\n"), "--out")
    with Store(owned.database) as store:
        cards = draw_copies(CollectionStore(store), 3, Dice(1))
    assert {one.id for one in cards} == {"mtg:dsk/2"}


@given(st.lists(st.integers(1, 4), max_size=5), st.integers(0, 5))
def test_number_of_decks_agrees_with_enumeration(copies: list[int], size: int) -> None:
    every = itertools.product(*(range(have + 1) for have in copies))
    assert count_decks(copies, size) == sum(sum(chosen) == size for chosen in every)


def test_stats_count_copies_by_game_and_zone(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 19)
    add(owned, "mtg:dsk/2", 2)
    add(owned, "mtg:dsk/16", 5)
    stats = owned.good("collection", "stats", "--json").json
    assert (stats["copies"], stats["cards"], stats["legal"], stats["legal_cards"], stats["decks"]) == (26, 3, 21, 2, 2)
    assert stats["zones"]["top-right"] == 21
    assert stats["games"][0]["barred"] == {"digital": 5}
    assert "top-right" not in stats["rare_zones"]
    assert "Different legal decks of 20: 2." in owned.good("collection", "stats").out


# --- boxes -------------------------------------------------------------------------------------------------------


def test_where_finds_all_printings_in_every_box(owned: Shell) -> None:
    add(owned, "mtg:dsk/2", 1, "--box", "B", "--row", "10")
    add(owned, "mtg:old/1", 2, "--box", "B", "--row", "9")
    add(owned, "mtg:dsk/1", 1)
    found = owned.good("collection", "where", "brass", "bellringer", "--json").json_lines
    assert [(one["id"], one["location"]) for one in found] == [("mtg:old/1", "B, row 9"), ("mtg:dsk/2", "B, row 10")]
    owned("collection", "where", "Isle").finds_none("No card in the collection matches", "The catalogue has: Isle")


def test_misspelt_name_suggests_owned_cards_then_catalogue(owned: Shell) -> None:
    add(owned, "mtg:dsk/1")
    add(owned, "mtg:dsk/3")
    refused = owned("collection", "where", "ambre", "archivits").finds_none("matches 'ambre archivits'")
    assert "Did you mean: Amber Archivist?" in refused.err
    owned("collection", "where", "jade gradener").finds_none("The catalogue has: Jade Gardener")
    owned("collection", "where", "amber archivits (old)").finds_none("Did you mean: Amber Archivist?")
    owned("collection", "where", "amber archivist", "-g", "wyvern").fails("no cards of the game 'wyvern'")


def test_moving_cards_keeps_number_of_copies(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 5, "--box", "A")
    owned.good("collection", "move", "Amber Archivist", "-n", "2", "--to-box", "B", "--to-slot", "7")
    owned.good("collection", "move", "box:a", "--to-box", "C")
    places = {one["location"]: one["copies"] for one in owned.entries()}
    assert places == {"B, slot 7": 2, "C": 3}
    owned.good("undo")
    owned.good("undo")
    assert [one["location"] for one in owned.entries()] == ["A"]


def test_copies_out_in_deck_follow_moved_box(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 3, "--box", "A")
    owned.good("collection", "pull", deck(owned, "2 Amber Archivist\n"), "--out")
    owned("collection", "move", "mtg:dsk/1", "-n", "2", "--to-box", "B").fails("Only 1 available; copies out in decks:")
    owned.good("collection", "move", "mtg:dsk/1", "--to-box", "B")
    (out,) = owned.good("collection", "out", "--json").json_lines
    assert (out["location"], out["copies"], out["out"]) == ("B", 2, 2)


def test_deck_is_pulled_in_box_order_and_returned(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 1, "--box", "B", "--row", "2")
    add(owned, "mtg:dsk/1", 3, "--box", "A", "--row", "10")
    add(owned, "mtg:dsk/3", 2, "--box", "A", "--row", "9")
    path = deck(owned, "// NAME: Sunday deck\n4 Amber Archivist\n1 Cinder Cartographer\n")
    pull = owned.good("collection", "pull", path, "--json").json
    assert pull["deck"] == "Sunday deck"
    assert [(one["location"], one["copies"]) for one in pull["found"]] == [
        ("A, row 9", 1),
        ("A, row 10", 3),
        ("B, row 2", 1),
    ]
    assert owned.good("collection", "out", "--json").json_lines == []
    owned.good("collection", "pull", path, "--out")
    assert sum(one["copies"] for one in owned.good("collection", "out", "--json").json_lines) == 5
    owned.good("collection", "pull", path, "--out")  # The deck is checked out already.
    assert sum(one["copies"] for one in owned.good("collection", "out", "--json").json_lines) == 5
    owned("collection", "remove", "mtg:dsk/1", "--all").fails("out in decks")
    owned.good("collection", "put-back", "Sunday deck")
    assert owned.good("collection", "out", "--json").json_lines != []
    back = owned.good("collection", "put-back", "Sunday deck", "--done", "--json").json_lines
    assert [one["location"] for one in back] == ["A, row 9", "A, row 10", "B, row 2"]
    owned("collection", "put-back", "Sunday deck").finds_none("No deck is out")
    owned.good("undo")
    assert sum(one["copies"] for one in owned.good("collection", "out", "--json").json_lines) == 5


def test_deck_with_missing_copies_is_not_marked_as_out(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 1)
    path = deck(owned, "3 Amber Archivist\n")
    result = owned("collection", "pull", path, "--json")
    missing = {"id": "mtg:dsk/1", "name": "Amber Archivist", "game": "mtg", "copies": 2}
    assert (result.status, result.json["missing"]) == (1, [missing])
    owned("collection", "pull", path, "--out").fails("2 Amber Archivist")
    assert owned.good("collection", "out", "--json").json_lines == []


# --- cards that their sources changed -----------------------------------------------------------------------------


def without(*names: str) -> list[dict[str, Any]]:
    return [one for one in CARDS if one["name"] not in names]


def migrations(shell: Shell, *pairs: tuple[str, str | None]) -> Path:
    data = [{"old_scryfall_id": old, "new_scryfall_id": new, "migration_strategy": "merge"} for old, new in pairs]
    return write(
        shell.folder / "migrations.json", json.dumps({"object": "list", "data": data, "has_more": False}, indent=2)
    )


def test_verify_reports_unchanged_cards_as_fine(owned: Shell) -> None:
    add(owned, "mtg:dsk/1")
    assert "All your cards" in owned.good("collection", "verify").out


def test_verify_reports_vanished_card_and_keeps_it(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 4)
    owned.import_rows(without("Amber Archivist"))
    result = owned("collection", "verify", "--apply", "--json")
    assert result.status == 1
    assert [(one["id"], one["kind"], one["card"]) for one in result.json_lines] == [("mtg:dsk/1", "gone", None)]
    assert owned.good("collection", "list", "--json").json["copies"] == 4


def test_verify_finds_renumbered_card_by_id(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 4, "--finish", "foil", "--box", "A")
    owned.good("collection", "pull", deck(owned, "1 Amber Archivist\n"), "--out")
    owned.import_rows([*without("Amber Archivist"), card("dsk", "101", "Amber Archivist", id=UUID.format(1))])
    assert owned("collection", "verify").status == 1
    assert owned.good("collection", "list", "--json").json["id"] == "mtg:dsk/1"
    owned.good("collection", "verify", "--apply")
    (now,) = owned.entries()
    assert (now["id"], now["copies"], now["finish"], now["box"], now["out"]) == ("mtg:dsk/101", 4, "foil", "A", 1)
    owned.good("undo")
    assert owned.good("collection", "list", "--json").json["id"] == "mtg:dsk/1"


def test_merged_card_passes_its_copies_to_replacement(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 2)
    add(owned, "mtg:dsk/3", 1)
    owned.import_rows(without("Amber Archivist"))
    file = migrations(owned, (UUID.format(1), UUID.format(50)), (UUID.format(50), UUID.format(3)), ("x", None))
    owned.good("collection", "verify", "--migrations", file, "--apply")
    assert [(one["id"], one["copies"]) for one in owned.entries()] == [("mtg:dsk/3", 3)]


def test_circular_migrations_end(owned: Shell) -> None:
    add(owned, "mtg:dsk/1")
    owned.import_rows(without("Amber Archivist"))
    file = migrations(owned, (UUID.format(1), UUID.format(50)), (UUID.format(50), UUID.format(1)))
    assert owned("collection", "verify", "--migrations", file, "--apply").status == 1


def test_renamed_card_is_reported_and_updated(owned: Shell) -> None:
    add(owned, "mtg:dsk/1")
    file = write_rows(
        owned.folder / "new.jsonl",
        [*without("Amber Archivist"), card("dsk", "1", "Amber Librarian", id=UUID.format(1))],
    )
    assert (
        "1 entry of your cards changed. To see them: ccgrid collection verify" in owned.good("import", "mtg", file).err
    )
    (finding,) = owned("collection", "verify", "--json").json_lines
    assert finding["reason"] == "its source changed its name from 'Amber Archivist' to 'Amber Librarian'"
    owned.good("collection", "verify", "--apply")
    owned.good("collection", "verify")
    assert owned.good("collection", "list", "--json").json["name"] == "Amber Librarian"
    assert "of your cards" not in owned.good("import", "mtg", file).err


def test_real_list_of_migrations_is_read(shared_data: Path) -> None:
    found = read_migrations(shared_data / "scryfall" / "mtg_ssm-2.8.2" / "migrations.json")
    assert found["585fa2cc-4f77-47ab-8d2c-c68258ced283"] == "9052f5c7-ee3b-457d-97ca-ac6b4518997c"
    assert len(found) == 2


def test_migrations_are_fetched_page_by_page() -> None:
    pages = [
        {"data": [{"old_scryfall_id": "a", "new_scryfall_id": "b"}], "has_more": True},
        {"data": [{"old_scryfall_id": "c", "new_scryfall_id": None}], "has_more": False},
    ]

    class Answers:
        def get_json(self, address: str) -> Any:
            return pages[int(address.rpartition("=")[2]) - 1]

    assert fetch_migrations(Answers()) == {"a": "b", "c": None}  # type: ignore[arg-type]
    pages[0] = {"cards": []}
    with pytest.raises(CatalogError, match="'data'"):
        fetch_migrations(Answers())  # type: ignore[arg-type]


def test_invalid_migrations_file_is_rejected(owned: Shell) -> None:
    for text in ('{"data": []}\n', '{"data": [{"id": 5}]}\n', "[1, 2]\n", "hello"):
        path = deck(owned, text, "migrations.json")
        owned("collection", "verify", "--migrations", path).fails("migrations.json")


# --- deck new, deck check ----------------------------------------------------------------------------------------


def test_new_deck_from_collection_has_only_owned_copies(owned: Shell) -> None:
    add(owned, "mtg:dsk/1", 15)
    owned("deck", "new", "--from", "collection").fails("15 usable cards")
    add(owned, "mtg:dsk/2", 5)
    drawn = owned.good("deck", "new", "--from", "collection", "--seed", "3", "--json").json
    assert Counter(one["id"] for one in drawn["cards"]) == {"mtg:dsk/1": 15, "mtg:dsk/2": 5}
    owned("deck", "new", "--from", "attic").finds_none("'attic'")


def test_deck_check_against_collection_lists_missing_copies(owned: Shell) -> None:
    path = deck(owned, "19 Brass Bellringer\n1 Isle (DSK) 11\n")
    add(owned, "mtg:dsk/2", 19)
    missing = owned("deck", "check", path, "--from", "collection", "--json")
    assert missing.status == 1
    assert missing.json["problems"] == [{"card": "Isle", "reason": "1 needed, none owned"}]
    add(owned, "mtg:dsk/11")
    assert owned.good("deck", "check", path, "--from", "collection", "--json").json["ok"]
    owned.good("collection", "pull", deck(owned, "18 Brass Bellringer\n", "other.txt"), "--out")
    out = owned("deck", "check", path, "--from", "collection", "--json").json
    assert out["problems"] == [{"card": "Brass Bellringer", "reason": "19 needed, 19 owned; out in other"}]
