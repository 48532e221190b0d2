"""Owned cards that their sources changed or removed, and Scryfall's lists of migrations."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.catalogues import Shell
from helpers.collection_catalogue import CARDS, UUID, card

from ccgrid.catalog.collection.upstream import MIGRATIONS, fetch_migrations, read_migrations, source_changes
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore

AMBER, CINDER, ELSEWHERE = UUID.format(1), UUID.format(3), UUID.format(50)
GONE = "it is no longer in the catalogue"
MERGED = "Scryfall merged it into another"


def import_instead_of_first(shell: Shell, *cards: dict[str, Any]) -> None:
    """Import the cards again, with these instead of the first one."""
    shell.import_rows([*(one for one in CARDS if one["name"] != "Amber Archivist"), *cards])


@pytest.mark.parametrize(
    ("cards", "migrations", "kind", "reason", "now"),
    [
        ((), {}, "gone", GONE, None),
        ((), {CINDER: AMBER}, "gone", GONE, None),
        ((), {AMBER: None}, "gone", f"Scryfall deleted it; {GONE}", None),
        ((), {AMBER: ELSEWHERE}, "gone", MERGED, None),
        ((), {AMBER: ELSEWHERE, ELSEWHERE: None}, "gone", f"Scryfall deleted it; {GONE}", None),
        ((), {AMBER: CINDER}, "moved", f"{MERGED}; it is now mtg:dsk/3", "mtg:dsk/3"),
        ((), {AMBER: ELSEWHERE, ELSEWHERE: CINDER}, "moved", f"{MERGED}; it is now mtg:dsk/3", "mtg:dsk/3"),
        ((("101", "Amber Archivist", {}),), {}, "moved", f"{GONE}; it is now mtg:dsk/101", "mtg:dsk/101"),
        (
            (("1", "Amber Librarian", {"set_name": "Dusk Again"}),),
            {AMBER: None},
            "changed",
            "its source changed its name from 'Amber Archivist' to 'Amber Librarian' "
            "and its set from 'dsk Dusk' to 'dsk Dusk Again'",
            "mtg:dsk/1",
        ),
    ],
)
def test_source_change_of_card_is_reported_with_reason(
    owned: Shell, cards: Any, migrations: Any, kind: str, reason: str, now: str | None
) -> None:
    owned.good("collection", "add", "mtg:dsk/1", "-n", "4")
    owned.good("collection", "add", "mtg:dsk/2")
    import_instead_of_first(owned, *(card("dsk", number, name, id=AMBER) | more for number, name, more in cards))
    with Store(owned.database) as store:
        (found,) = source_changes(CollectionStore(store), migrations)
    assert msgspec.to_builtins(found) == {
        "id": "mtg:dsk/1",
        "name": "Amber Archivist",
        "copies": 4,
        "kind": kind,
        "reason": reason,
        "card": now,
    }


NO_ENTRY = "an entry has no old_scryfall_id and new_scryfall_id. Is it Scryfall's list?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"data": []}', "list.json: there are no migrations in it."),
        ('{"data": [{"id": 5}]}', f"list.json: {NO_ENTRY}"),
        ('{"data": [{"old_scryfall_id": 1, "new_scryfall_id": "b"}]}', f"list.json: {NO_ENTRY}"),
        ('{"data": [{"old_scryfall_id": "a", "new_scryfall_id": 2}]}', f"list.json: {NO_ENTRY}"),
    ],
)
def test_file_without_migrations_is_rejected(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "list.json"
    path.write_text(text)
    with pytest.raises(CatalogError) as caught:
        read_migrations(path)
    assert str(caught.value) == message


class Pages:
    """A server with `count` pages, or with the same answer to every request."""

    def __init__(self, count: int, answer: Any = None) -> None:
        self.count, self.answer = count, answer

    def get_json(self, address: str) -> Any:
        page = int(address.removeprefix(f"{MIGRATIONS}?page="))
        entry = {"old_scryfall_id": f"old {page}", "new_scryfall_id": None}
        return self.answer or {"data": [entry], "has_more": page < self.count}


def fetched(pages: Pages) -> dict[str, str | None]:
    return fetch_migrations(pages)  # type: ignore[arg-type]


def test_up_to_500_pages_of_migrations_are_fetched() -> None:
    assert fetched(Pages(1)) == {"old 1": None}
    assert len(fetched(Pages(500))) == 500
    with pytest.raises(CatalogError) as caught:
        fetched(Pages(501))
    assert str(caught.value) == "Scryfall's list of migrations has over 500 pages. Is ccgrid up to date?"


@pytest.mark.parametrize("answer", [[1], "text", {"cards": []}, {"data": {}}])
def test_answer_without_migrations_is_reported(answer: Any) -> None:
    with pytest.raises(CatalogError) as caught:
        fetched(Pages(1, answer))
    assert str(caught.value) == "Scryfall's list of migrations has no 'data'. Is ccgrid up to date?"


def test_malformed_migration_entry_is_reported() -> None:
    with pytest.raises(CatalogError) as caught:
        fetched(Pages(1, {"data": [{}]}))
    assert str(caught.value) == f"Scryfall's list of migrations: {NO_ENTRY}"
