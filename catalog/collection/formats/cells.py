"""What the cells of a row mean: copies by finish, condition and grade, ids and names."""

import re
from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Final

from catalog.collection.formats.app import ID_FIELDS, App
from catalog.collection.formats.row import LONGEST_TEXT, MOST_COPIES, NO_COPIES, Skipped, is_beside
from catalog.holding import NORMAL, NOWHERE, Place
from catalog.matching.row import Row
from catalog.words import FINISHES, REVERSE, finish_word

_COPIES: Final = re.compile(r"[xX×]?\s*(\d{1,7})(?:[.,]0+)?\s*[xX×]?")
_FINISH_BEHIND: Final = re.compile(
    r"(?P<condition>[^()]*?\S) (?P<finish>(?:1st edition |unlimited )?(?:reverse )?holofoil|(?:etched )?foil)",
    re.IGNORECASE,
)
_NOT_GRADED: Final = frozenset(("", "ungraded", "none", "raw", "no", "n/a", "-", "0"))
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ID_FIELDS: Final = frozenset(ID_FIELDS)
_PLACE: Final = frozenset(Place._fields)
_WHOLE: Final = re.compile(r"\d{1,15}")


def row_of_cells(
    line: int, raw: str, cell: Mapping[str, str], amounts: tuple[tuple[str, int], ...], app: App
) -> Row | Skipped:
    """A row out of its texts by field, which no spreadsheet has to be kept from running, and its copies by finish."""
    get = cell.get
    name = (get("simple_name") or get("name") or "")[:LONGEST_TEXT]
    ids: tuple[tuple[str, str], ...] = ()
    if not _ID_FIELDS.isdisjoint(cell):
        ids = tuple((kind, text) for kind in ID_FIELDS if kind != "id" and (text := get(kind)))
        ids += _plain_id(get("id") or "")
    number = (get("number") or "").removeprefix("#")[:LONGEST_TEXT]
    if not name and not ids and not number:
        return Skipped(line, raw, "it names no card")
    own = get("set") or ""
    language, doubt = get("language"), get("doubt")
    place = NOWHERE
    if not _PLACE.isdisjoint(cell):
        place = Place(*((get(part) or "")[:LONGEST_TEXT] for part in Place._fields))
    return Row(
        line,
        raw,
        amounts,
        name,
        (get("set_code") or own)[:LONGEST_TEXT],
        (get("set_name") or own)[:LONGEST_TEXT],
        number,
        ids,
        _condition(cell, app),
        app.dialect.language_read(language)[:LONGEST_TEXT] if language else "",
        place,
        int(doubt) if doubt and _WHOLE.fullmatch(doubt) else None,
        rarity=(get("rarity") or "")[:LONGEST_TEXT],
        beside=is_beside(get("part") or ""),
        note=(get("note") or "")[:LONGEST_TEXT],
    )


def _plain_id(text: str) -> tuple[tuple[str, str], ...]:
    """An id under a heading that does not say whose it is: Scryfall's, the catalogue's, or Arena's."""
    if _UUID.fullmatch(text):
        return (("scryfall", text.casefold()),)
    if ":" in text:
        return (("card", text),)
    return (("id", text),) if _WHOLE.fullmatch(text) else ()


def _condition(cell: Mapping[str, str], app: App) -> str:
    """The condition in house words, with a grade that somebody gave behind it; what is not graded has none."""
    text, grade = (cell.get("condition") or "").strip(), (cell.get("grade") or "").strip()
    grade = "" if grade.casefold() in _NOT_GRADED else grade
    text = _parted(text)[0]
    found = app.dialect.condition_read(text) if text else ""
    if grade:
        found = f"{found} ({grade})" if found else app.dialect.condition_read(grade)
    return found[:LONGEST_TEXT]


@lru_cache(1 << 10)
def _parted(text: str) -> tuple[str, str]:
    """A condition, and the finish behind it: TCGplayer's sellers write Near Mint Foil."""
    match = _FINISH_BEHIND.fullmatch(text)
    return (text, "") if match is None else (match["condition"], match["finish"])


def _finish(cell: Mapping[str, str], app: App) -> str:
    """The finish in house words; of several that are named, `foil/altered`, the one that is a finish."""
    text = cell.get("finish") or ""
    if (condition := cell.get("condition")) and (behind := _parted(condition)[1]) and finish_word(text) == NORMAL:
        text = behind
    if (reverse := cell.get("reverse")) and finish_word(reverse) != NORMAL:
        return REVERSE
    found = app.dialect.finish_read(text)
    if found == text and "/" in text:
        known = [app.dialect.finish_read(part.strip()) for part in text.split("/") if part.strip()]
        found = next((one for one in known if one in FINISHES), found)
    return found[:LONGEST_TEXT]


def amounts_of(cell: Mapping[str, str], app: App) -> tuple[tuple[tuple[str, int], ...], str]:
    """The copies by finish in a row, or why there are none."""
    finish = _finish(cell, app)
    if "all_copies" in cell and "copies" not in cell:
        cell = {**cell, "copies": _without_foils(cell["all_copies"], cell.get("foil_copies", ""))}
    found = []
    for field, kind in (("copies", finish or NORMAL), ("foil_copies", "foil")):
        text = cell.get(field)
        if text is None and (field == "foil_copies" or "foil_copies" in cell):
            continue
        copies = 1 if text is None else _copies(text)
        if copies is not None:
            found.append((kind, copies))
        elif text:
            return (), f"{text[:40]!r} is not a number of copies"
    amounts = tuple([(kind, copies) for kind, copies in found if copies])
    if not amounts:
        return (), NO_COPIES
    if max(amounts, key=itemgetter(1))[1] > MOST_COPIES:
        return (), f"over {MOST_COPIES:,} copies"
    return amounts, ""


@lru_cache(1 << 10)
def _copies(text: str) -> int | None:
    """How many copies a cell says; None where it says no number."""
    match = _COPIES.fullmatch(text)
    return None if match is None else int(match[1])


def _without_foils(together: str, foils: str) -> str:
    """How many copies are no foils, of a number that counts them in."""
    both, foil = _copies(together), _copies(foils)
    return together if both is None or foil is None else str(max(both - foil, 0))
