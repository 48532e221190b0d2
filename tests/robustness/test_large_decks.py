"""Decks of thousands of cards that nobody knows: every one is told, and only the first few are searched for."""

from pathlib import Path

import pytest
from readers import MADE_UP

from ccgrid.catalog.card import Printing
from ccgrid.catalog.store.catalogue import Provenance, Store
from ccgrid.catalog.store.imports import import_rows
from ccgrid.services.choices import Choices
from ccgrid.services.decks import checked_deck


def test_a_deck_of_unknown_names_is_not_searched_through_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "c.db", create=True) as store:
        rows = [Printing(f"ants:x/{number}", f"Ant {number}", {"number": "3"}) for number in range(100)]
        import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""))
    searches, near = [], Store.near
    monkeypatch.setattr(Store, "near", lambda self, *words: searches.append(words) or near(self, *words))
    deck = tmp_path / "deck.txt"
    deck.write_text("".join(f"1 Nobody {number}\n" for number in range(2000)))
    _, problems = checked_deck(deck, tmp_path / "c.db", "grid", Choices())
    assert len(problems) == 2001
    assert len(searches) <= 100
