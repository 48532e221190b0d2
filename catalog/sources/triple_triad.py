"""Triple Triad: lists of the cards of Final Fantasy VIII and XIV, each card with four ranks.

Both lists give the ranks by side, as the games with four-sided cards need them, though cards show them in one corner.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.layouts.described import FoundRow, expand_rows, file_rows, printings
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.printed_fields import fold_heading
from ccgrid.catalog.printing import DataRow, SourceRow, UnreadRow
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.streams import Warn

READER: Final = 1
_SIDES: Final = ("top", "right", "bottom", "left")
_FILES: Final = ("triple-triad-cards-data.json", "cards.json")
_SIDE_NAMES: Final = (("n", "north", "up"), ("e", "east"), ("s", "south", "down"), ("w", "west"))
"""Other names of the four sides in lists, clockwise from the top; each may end in `Value`, `Rank` or `Power`."""
_ENDINGS: Final = ("", "value", "rank", "power")
_FINAL_FANTASY_8, _FINAL_FANTASY_14 = "tripletriad", "tripletriad-xiv"


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the cards of a list, in its order, with their ranks as `top`, `right`, `bottom` and `left`.

    Raises:
        CatalogError: If the list is of the other game, which has another layout.
    """
    names = tree.matching(*_FILES) or list(tree.names)[: len(tree.names) == 1]
    if len(names) != 1:
        raise FileFormatError(f"name the one file of cards: {' or '.join(names or _FILES)}.", file=tree.name)
    name = names[0]
    with_sides = partial(_with_sides, game=layout.game, name=name)
    rows = expand_rows(file_rows(tree, name, layout, warn, checked=False), with_sides)
    yield from printings(rows, layout, name.rsplit("/", 1)[-1], warn)


def _with_sides(where: str, row: DataRow, game: str, name: str) -> Iterator[FoundRow | UnreadRow]:
    # In one list of cards the four ranks are a list under `attributes`.
    ranks: object = row.get("attributes")
    row = _with_named_sides(row)
    actual_game = _game_of(row, ranks, game)
    if (
        game in (_FINAL_FANTASY_8, _FINAL_FANTASY_14)
        and game != actual_game
        and (actual_game == _FINAL_FANTASY_8 or _is_card(row))
    ):
        raise CatalogError(f"{name} has the cards of another game. To import it: ccgrid import {actual_game} FILE")
    if isinstance(ranks, list) and len(ranks) == len(_SIDES):  # one list, clockwise from the top
        row = {**row, **dict(zip(_SIDES, ranks, strict=True))}
    yield (where, row) if _is_card(row) else UnreadRow(where, "it does not have four ranks from 1 to 10")


def _game_of(row: DataRow, ranks: object, game: str) -> str:
    """Return the game of a row: cards of Final Fantasy XIV have stars, those of VIII levels or elements."""
    known = {fold_heading(key) for key in row}
    if isinstance(ranks, list) or (known & {"level", "lvl", "element"} and not known & {"stars", "rarity", "patch"}):
        return _FINAL_FANTASY_8
    return _FINAL_FANTASY_14 if known & {"stars", "rarity", "patch"} else game


def _with_named_sides(row: DataRow) -> DataRow:
    """Return a row with its ranks as integers under the names of the sides, whatever their names in the list."""
    fields = {fold_heading(key): value for key, value in row.items()}
    for key in ("stats", "ranks", "values", "power"):
        if isinstance(inner := fields.get(key), Mapping):
            # Ranks may be nested: { stats: { top: 1 … } }.
            fields = {**fields, **{fold_heading(name): value for name, value in inner.items()}}
    sides = {}
    for side, words in zip(_SIDES, _SIDE_NAMES, strict=True):
        spelled = [f"{word}{ending}" for word in (side, *words) for ending in _ENDINGS]
        value = next((fields[word] for word in spelled if word in fields), None)
        if (rank := _rank(value)) is not None:
            sides[side] = rank
    return {**row, **sides}


def _rank(value: object) -> int | None:
    """Return a rank as a number, A as 10, or None if it is not a rank."""
    if isinstance(value, str):
        text = value.strip()
        # At most two digits: `int` is slow for very long ones.
        return 10 if text in ("A", "a") else int(text) if text.isdecimal() and len(text) < 3 else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_card(row: DataRow) -> bool:
    ranks = [row.get(side) for side in _SIDES]
    return all(isinstance(rank, int) and not isinstance(rank, bool) and 1 <= rank <= 10 for rank in ranks)
