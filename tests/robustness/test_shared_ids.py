"""Many rows under few ids: none is lost, and the time grows with the rows alone."""

import pytest
from readers import MADE_UP

from ccgrid.catalog.card import Printing
from ccgrid.catalog.store import imports
from ccgrid.catalog.store.catalogue import Provenance, Store
from ccgrid.catalog.store.imports import import_rows


@pytest.mark.parametrize("ids", [1, 7, 140, 501])
def test_different_cards_under_one_id_are_all_kept(ids: int) -> None:
    rows = [Printing(f"ants:x/{number % ids}", f"Ant {number}", {"number": "3"}) for number in range(3000)]
    with Store.in_memory() as store:
        summary = import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""), tells_apart=True)
        assert (summary.added, summary.skipped) == (3000, 0)
        assert len({card.name for card in store.all_cards()}) == 3000
        again = import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""), tells_apart=True)
        assert (again.added, again.unchanged, again.removed) == (0, 3000, 0)


def test_batches_of_ids_that_are_there_are_soon_not_tried_as_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    tries, add = [], imports._Writer._insert_all
    monkeypatch.setattr(imports._Writer, "_insert_all", lambda self, fresh: tries.append(1) or add(self, fresh))
    rows = (Printing(f"ants:x/{number % 10}", "Ant", {"number": "3"}) for number in range(50_000))
    with Store.in_memory() as store:
        summary = import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""), tells_apart=True)
    assert (summary.added, summary.skipped) == (10, 49_990)
    assert len(tries) <= 12
