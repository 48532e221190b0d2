"""Indexes of the cards: those of an empty catalogue are made once its cards are in, and all are there afterwards."""

import pytest
from stored import printing

from ccgrid.catalog.card import Card, CatalogError, SourceRow, Unread
from ccgrid.catalog.evidence import EvidenceReader
from ccgrid.catalog.store.catalogue import Provenance, Store
from ccgrid.catalog.store.imports import import_rows

ORIGIN = Provenance("made", "cards.jsonl", "reader")
CARDS = [printing(Card(f"made:{n}", "made", f"Card {n}", {"top": n}, n)) for n in range(9)]


def indexes(store: Store) -> list[tuple[str, str]]:
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name <> 'imports' ORDER BY name"
    return store.connection.execute(query).fetchall()


@pytest.mark.parametrize("rows", [CARDS, [*CARDS, *CARDS], []])
def test_after_an_import_every_index_is_there_again_and_whole(rows: list[SourceRow]) -> None:
    with Store.in_memory() as store:
        before = indexes(store)
        store.connection.execute("CREATE INDEX mine ON cards (score)")
        mine = indexes(store)
        if rows:
            import_rows(store, rows, EvidenceReader(), ORIGIN)
        else:
            with pytest.raises(CatalogError):
                import_rows(store, [Unread("line 1", "no card")], EvidenceReader(), ORIGIN)
        assert indexes(store) == mine
        assert len(mine) == len(before) + 1
        assert store.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        plan = "EXPLAIN QUERY PLAN SELECT id FROM cards WHERE name = 'Card 1'"
        assert "cards_by_name" in str(store.connection.execute(plan).fetchall())
