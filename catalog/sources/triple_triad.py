"""Triple Triad: lists of the cards of Final Fantasy VIII and XIV, each card with four ranks.

The tactics game wants the ranks by side; both lists give them so, whatever corner of the card shows them.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from catalog.card import CatalogError
from catalog.layouts.described import FoundRow, found_in, printings
from catalog.layouts.layout import Layout
from catalog.printing import SourceRow, Unread
from catalog.readers.archives import Tree
from catalog.readers.encodings import Remark

READER: Final = 1
_SIDES: Final = ("top", "right", "bottom", "left")
_FILES: Final = ("triple-triad-cards-data.json", "cards.json")
_EIGHT, _FOURTEEN = "tripletriad", "tripletriad-xiv"


def read_tree(tree: Tree, layout: Layout, remark: Remark) -> Iterator[SourceRow]:
    """The cards of a list, in its order, with their ranks as `top`, `right`, `bottom` and `left`.

    Raises CatalogError where the list is that of the other game, which has another layout.
    """
    names = tree.matching(*_FILES) or list(tree.names)[: len(tree.names) == 1]
    if len(names) != 1:
        raise CatalogError(f"{tree.name}: name the one file of cards: {' or '.join(names or _FILES)}.")
    name = names[0]
    rows = (_with_sides(found, layout.game, name) for found in found_in(tree, name, layout, remark))
    yield from printings(rows, layout, name.rsplit("/", 1)[-1], remark)


def _with_sides(found: FoundRow | Unread, game: str, name: str) -> FoundRow | Unread:
    if isinstance(found, Unread):
        return found
    where, row = found
    ranks: Any = row.get("attributes")
    told = _EIGHT if isinstance(ranks, list) else _FOURTEEN
    if game in (_EIGHT, _FOURTEEN) and game != told and (told == _EIGHT or _is_card(row)):
        raise CatalogError(f"{name} holds the cards of another game. Read it so: ccgrid import {told} FILE")
    if told == _EIGHT and len(ranks) == len(_SIDES):  # one list, clockwise from the top
        row = {**row, **dict(zip(_SIDES, ranks, strict=True))}
    return (where, row) if _is_card(row) else Unread(where, "it has not four ranks from 1 to 10")


def _is_card(row: Mapping[str, Any]) -> bool:
    ranks = [row.get(side) for side in _SIDES]
    return all(isinstance(rank, int) and not isinstance(rank, bool) and 1 <= rank <= 10 for rank in ranks)
