"""Cards as imports write them into the table, and read them back to compare them: what a card lacks is no None."""

from typing import Any, Final

from ccgrid.catalog.card import Printing
from ccgrid.catalog.packed import BITS, EMPTY, NO_NUMBER, NO_TEXT, Packed
from ccgrid.catalog.store.whole_cards import ZONE_COLUMNS

CardRow = tuple[Any, ...]
"""A card's values in the order of `PARTS`."""

_MISSING: Final = {
    **dict.fromkeys(("reason", "released", "printed_name"), NO_TEXT),
    **dict.fromkeys(("attack", "defense"), NO_NUMBER),
}
PARTS: Final = (
    *("id", "source", "game", "name", "set_code", "set_name", "collector_number", "released", "lang", "printed_name"),
    *("zones", "face", "score", "reason", "attack", "defense", "printed", "ids", "import_id"),
)
"""What a row holds, in this order."""
ID: Final = PARTS.index("id")
SOURCE: Final = PARTS.index("source")
NAME: Final = PARTS.index("name")
PRINTED_NAME: Final = PARTS.index("printed_name")
CARD: Final = slice(ID + 1, PARTS.index("ids"))
"""What makes the card: what others call a printing does not."""


def _written(part: str) -> dict[str, str]:
    """The columns that a part of a row goes into, and what makes each of them of it."""
    bound = f"?{PARTS.index(part) + 1}"
    if part == "zones":
        return {
            name: f"nullif({bound} >> {BITS * place} & {EMPTY}, {EMPTY})" for place, name in enumerate(ZONE_COLUMNS)
        }
    made = {part: f"nullif({bound}, {_MISSING[part]!r})" if part in _MISSING else bound}
    if part == "reason":
        made["legal"] = f"{bound} IS {NO_TEXT!r}"
    elif part == "import_id":
        made["seen_id"] = bound
    return made


def _read(part: str) -> str:
    """What makes a part of a row of its columns again."""
    if part == "zones":
        filled = (f'(coalesce("{name}", {EMPTY}) << {BITS * place})' for place, name in enumerate(ZONE_COLUMNS))
        return f"({' | '.join(filled)})"
    return f"coalesce({part}, {_MISSING[part]!r})" if part in _MISSING else part


_COLUMNS: Final = {column: made for part in PARTS for column, made in _written(part).items()}
_NAMED: Final = ", ".join(f'"{column}"' for column in _COLUMNS)
INSERT: Final = f"INSERT INTO cards ({_NAMED}) VALUES ({', '.join(_COLUMNS.values())})"  # noqa: S608  our own names
REPLACE: Final = INSERT.replace("INSERT", "REPLACE", 1)
READ: Final = ", ".join(map(_read, PARTS[:-1]))
"""What reads rows back out of the table of cards, as they were bound; all but the import that brought them."""


def card_row(row: Printing, found: Packed, source: str, import_id: int) -> CardRow:
    """A printing, and what was read on it, as a row of the table."""
    card_id, name, _, set_code, set_name, number, released, lang, printed_name, ids = row
    zones, face, score, reason, attack, defense, printed = found
    return (
        card_id,
        source,
        card_id.partition(":")[0],
        name,
        set_code,
        set_name,
        number,
        NO_TEXT if released is None else released,
        lang,
        NO_TEXT if printed_name is None else printed_name,
        zones,
        face,
        score,
        reason,
        attack,
        defense,
        printed,
        ids,
        import_id,
    )
