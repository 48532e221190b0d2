"""Writes the collection in the formats of other apps, and says what each of them loses."""

from collections.abc import Iterable, Iterator
from typing import Final

from catalog.card import CatalogError
from catalog.collection.formats import FORMATS, Format, find_format
from catalog.collection.formats.apps import ID_FIELDS
from catalog.collection.formats.lists import is_list_code
from catalog.collection.formats.tables import find_app
from catalog.collection.formats.words import FINISHES
from catalog.holding import NORMAL, Holding

_BY_CODE: Final = "arena"
"""The list in which a set is written by its code, where that is one."""
_IDS: Final = {"mtgo-dek": "mtgo", "mtgo": "mtgo", "tcgplayer": "tcgplayer", "cardmarket": "cardmarket"}
"""Whose ids a format needs, so that its app finds the card for certain."""


def find_writer(name: str) -> Format:
    """The format of this name; CatalogError where there is none, or none that can be written."""
    found = find_format(name)
    if found.write is None:
        known = ", ".join(one.name for one in FORMATS if one.write is not None)
        raise CatalogError(f"{found.title} can be read and not written. These can be written: {known}.")
    return found


def lines(form: Format, holdings: Iterable[Holding]) -> Iterator[str]:
    """The text of a file, a line or a few at a time."""
    assert form.write is not None  # noqa: S101  `find_writer` gives no other
    return form.write(holdings)


def losses(form: Format, holdings: Iterable[Holding]) -> list[str]:
    """What a file of this format does not keep of these holdings, in words; nothing where it keeps everything."""
    app = find_app(form.name)
    counts: dict[str, int] = {}

    def lost(what: str, holding: Holding) -> None:
        counts[what] = counts.get(what, 0) + holding.copies

    for holding in holdings:
        if holding.finish != NORMAL and form.name != "jsonl":
            knows = holding.finish in FINISHES if app is None else app.dialect.has_finish(holding.finish)
            if "finish" not in form.keeps or not knows:
                lost("finish", holding)
        if holding.condition:
            if "condition" not in form.keeps:
                lost("condition", holding)
            elif app is not None and not app.dialect.has_condition(holding.condition):
                lost("condition (the nearest grade is written)", holding)
        if holding.language != "en" and "language" not in form.keeps:
            lost("language", holding)
        if holding.place.box and not form.keeps & {"box", "place"}:
            lost("box", holding)
        if (holding.place.row or holding.place.slot) and "place" not in form.keeps:
            lost("row and slot", holding)
        is_told = _is_told_by_id(form, holding)
        if app is not None and "name" not in app.fields and not _has_id(form, holding):
            lost("the card itself (it has no id there)", holding)
        elif "set" not in form.keeps or (form.name == _BY_CODE and not is_list_code(holding.set_code)):
            lost("which printing it is", holding)
        elif holding.number and not is_told and not _has_number(form):
            lost("collector number", holding)
        if form.name in _IDS and not is_told and "name" in _written_fields(form):
            lost(f"the id at {_IDS[form.name]} (the name is written)", holding)
    return [f"{what}: {copies:,} {'copy' if copies == 1 else 'copies'}" for what, copies in counts.items()]


def _written_fields(form: Format) -> frozenset[str]:
    """What of a holding is in the file under a heading of its own."""
    app = find_app(form.name)
    return form.keeps if app is None else app.fields


def _has_number(form: Format) -> bool:
    return "number" in _written_fields(form) or form.name == "jsonl"


def _is_told_by_id(form: Format, holding: Holding) -> bool:
    """Whether the file has an id of this card, which tells its set and number."""
    kinds = {_IDS[form.name]} if form.name in _IDS else _written_fields(form) & {*ID_FIELDS}
    return "card" in kinds or any(holding.source_id(kind) for kind in kinds)


def _has_id(form: Format, holding: Holding) -> bool:
    return bool(holding.source_id(form.name))
