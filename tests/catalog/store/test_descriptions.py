"""Descriptions of cards: stored once for equal printings, undone and redone with their cards, and removable."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from stored import fill

from ccgrid.catalog.correction import Correction
from ccgrid.catalog.description import Description
from ccgrid.catalog.store import schema
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.corrections import correct
from ccgrid.catalog.store.description_writing import remove_texts
from ccgrid.catalog.store.descriptions import describe
from ccgrid.catalog.store.health import damage
from ccgrid.catalog.store.history import redo, undo
from ccgrid.catalog.store.mending import mend

LANDED = Path(__file__).parents[2] / "landed"
BEAR: dict[str, Any] = {
    **{"name": "Snow Bear", "set": "aaa", "collector_number": "1", "lang": "en", "rarity": "rare", "artist": "Ann"},
    **{"type_line": "Creature — Bear", "mana_cost": "{1}{G}", "cmc": 2.0, "colors": ["G"], "color_identity": ["G"]},
    **{"keywords": ["Reach"], "oracle_text": "Reach\nWhen it dies, draw 2 cards.", "power": "2", "toughness": "2"},
    **{"frame": "2015", "released_at": "2020-01-01", "games": ["paper"], "set_name": "Alpha"},
}
BEAR_DESCRIPTION = Description(
    *("Creature — Bear", "{1}{G}", 2, ("Green",), ("Green",), ("Reach",)),
    (("power", "2"), ("toughness", "2")),
    "Reach\nWhen it dies, draw 2 cards.",
)


def content(store: Store) -> dict[str, list[Any]]:
    tables = ("descriptions", "game_fields", "cards")
    found = {name: store.connection.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall() for name in tables}
    return found | {"found": [list(matches(store, word)) for word in ("draw", "discard", "reach")]}


def matches(store: Store, word: str) -> list[int]:
    query = "SELECT rowid FROM descriptions_fts WHERE descriptions_fts MATCH ? ORDER BY 1"
    return [number for (number,) in store.connection.execute(query, (word,))]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    again = {**BEAR, "set": "bbb", "artist": "Bob", "rarity": "common"}
    bare = {**BEAR, "name": "Bare", "collector_number": "2"}
    bare = {key: bare[key] for key in ("name", "set", "collector_number")}
    return fill(Store(tmp_path / "catalogue.db", create=True), tmp_path, [BEAR, again, bare])


def test_printings_share_a_description_and_keep_their_rarity_and_artist(store: Store) -> None:
    found = describe(store.connection, ["mtg:aaa/1", "mtg:bbb/1", "mtg:aaa/2"])
    assert found["mtg:aaa/1"] == (BEAR_DESCRIPTION, "rare", "Ann")
    assert found["mtg:bbb/1"] == (BEAR_DESCRIPTION, "common", "Bob")
    assert found["mtg:aaa/2"] == (Description(), "", "")
    assert store.connection.execute("SELECT count(*) FROM descriptions").fetchone() == (1,)


def test_import_of_another_text_is_undone_and_redone_with_its_index(store: Store, tmp_path: Path) -> None:
    before = content(store)
    changed = [{**BEAR, "set": code, "oracle_text": "Discard a card."} for code in ("aaa", "bbb")]
    fill(store, tmp_path, [*changed, {"name": "Bare", "set": "aaa", "collector_number": "2"}])
    after = content(store)
    assert [len(numbers) for numbers in after["found"]] == [0, 1, 0], "only the new text is found"
    assert len(after["descriptions"]) == 1, "a text without cards is deleted"
    undo(store)
    assert content(store) == before
    redo(store)
    assert content(store) == after
    undo(store)
    undo(store)
    assert content(store) == {"descriptions": [], "game_fields": [], "cards": [], "found": [[], [], []]}
    redo(store)
    assert content(store) == before


def test_import_of_the_same_data_changes_nothing(store: Store, tmp_path: Path) -> None:
    before = content(store)
    bare = {"name": "Bare", "set": "aaa", "collector_number": "2"}
    fill(store, tmp_path, [BEAR, {**BEAR, "set": "bbb", "artist": "Bob", "rarity": "common"}, bare])
    assert content(store) == before


def test_corrected_card_keeps_its_description(store: Store) -> None:
    correct(store, "mtg:aaa/1", Correction(name="Ice Bear"))
    assert describe(store.connection, ["mtg:aaa/1"])["mtg:aaa/1"] == (BEAR_DESCRIPTION, "rare", "Ann")
    undo(store)
    assert describe(store.connection, ["mtg:aaa/1"])["mtg:aaa/1"].description == BEAR_DESCRIPTION


def test_catalogue_of_version_1_is_migrated_and_keeps_its_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "catalogue.db"
    path.write_bytes(gzip.decompress((LANDED / "catalogue-1.db.gz").read_bytes()))
    with Store(path) as store:
        assert store.connection.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)
        cards = store.connection.execute("SELECT id, name, score, rarity, description_id FROM cards").fetchall()
        assert cards
        assert {(rarity, number) for *_, rarity, number in cards} == {(None, None)}
        assert damage(store.connection) == ()
        done = 0
        while store.connection.execute("SELECT 1 FROM changes WHERE NOT undone").fetchone():
            undo(store)
            done += 1
        for _ in range(done):
            redo(store)
        assert store.connection.execute("SELECT id, name, score, rarity, description_id FROM cards").fetchall() == cards


def test_damaged_catalogue_of_version_1_is_repaired_with_all_cards(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    path.write_bytes(gzip.decompress((LANDED / "catalogue-1.db.gz").read_bytes()))
    with closing(sqlite3.connect(path)) as old:
        (cards,) = old.execute("SELECT count(*) FROM cards").fetchone()
    mended = mend(path, is_damaged=True)
    assert mended is not None
    assert (mended.rows["cards"], mended.lost) == (cards, ())


def test_repaired_catalogue_finds_texts(store: Store) -> None:
    path = store.path
    before = matches(store, "draw")
    store.close()
    mended = mend(path, is_damaged=True)
    assert mended is not None
    assert mended.lost == ()
    with Store(path) as saved:
        assert matches(saved, "draw") == before != []


def test_removed_texts_are_erased_from_the_file(store: Store) -> None:
    numbers = store.explain("mtg:aaa/1")
    remove_texts(store.connection)
    assert [number.value for number in store.explain("mtg:aaa/1")] == [number.value for number in numbers]
    found = describe(store.connection, ["mtg:aaa/1"])["mtg:aaa/1"]
    assert found == (BEAR_DESCRIPTION._replace(text=""), "rare", "Ann")
    assert matches(store, "draw") == []
    store.close()
    assert b"When it dies" not in store.path.read_bytes()
