"""Reads the JSON documents of other programs: decks of sites, saved objects of Tabletop Simulator, an app's backup.

One reader finds the cards of decks: the objects, however deep, that have a number of copies and say which card it is.
Documents in which cards have neither, such as Tabletop Simulator's, have readers of their own.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, cast

from ccgrid.catalog.collection.formats.format import (
    LONGEST_RAW,
    NO_CARD,
    NO_COPIES,
    CollectionFile,
    FileRows,
    Rows,
    SkippedRow,
    skip_part,
)
from ccgrid.catalog.copy_marks import MARKS
from ccgrid.catalog.copy_terms import NORMAL, finish_word, language_code, named_finish
from ccgrid.catalog.details import Details
from ccgrid.catalog.documents import LARGEST_DOCUMENT, DocumentError, Limits, load_json, read_text
from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.holding import LONGEST_TEXT, MOST_COPIES
from ccgrid.catalog.lines import DECK, LONGEST_LINE, is_beside, is_considered, most_detailed_reading
from ccgrid.catalog.matching.rows import Row, with_reading
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.words import fold, heading_key, vocabulary

_LIMITS: Final = Limits(LARGEST_DOCUMENT)
_DEEPEST: Final = 12
"""How many objects and lists in each other are searched for cards."""


def sniff(file: CollectionFile) -> bool:
    """Return whether a file is one JSON document in which another program names cards."""
    return file.beginning().startswith((b"{", b"[")) and _reader_of(_document(file)) is not None


def read(file: CollectionFile) -> FileRows:
    """Read the cards in a JSON document of another program.

    Raises:
        CatalogError: If no cards are in it.
    """
    document = _document(file)
    found = _reader_of(document)
    if found is None:
        raise FileFormatError("no cards of a deck are found in this JSON document.", file=file.name)
    name, rows = found
    listed = list(rows(document))
    if name == "tabletop-simulator" and not listed:
        raise FileFormatError("saved by Tabletop Simulator, but its cards have no names.", file=file.name)
    return FileRows(iter(listed), "utf-8", name, deck=_deck_name(document))


def _document(file: CollectionFile) -> object:
    """Return the only value in a JSON file, or None if it is none: JSON Lines have several values."""
    with open_data(file.path) as stream:
        first = stream.readline(LARGEST_DOCUMENT + 1)
        if len(first) > LARGEST_DOCUMENT:
            return None
        rest = stream.read(LARGEST_DOCUMENT + 1 - len(first))
    try:
        if rest.strip():
            try:
                json.loads(first)
            except ValueError:
                pass
            else:
                return None
        return load_json(read_text(first + rest, _LIMITS), _LIMITS)
    except (DocumentError, RecursionError):
        return None


def _deck_name(document: object) -> str:
    facts = document.get("metadata", document) if isinstance(document, dict) else {}
    name = facts.get("name") if isinstance(facts, dict) else None
    return name[:LONGEST_TEXT] if isinstance(name, str) else ""


_Reader = Callable[[object], Rows]


def _reader_of(document: object) -> tuple[str, _Reader] | None:
    """Return the name of the format of a document, and what reads it; None if it names no cards."""
    if isinstance(document, list):
        return ("json-list", _strings) if document and all(isinstance(one, str) for one in document) else None
    if not isinstance(document, dict):
        return None
    if isinstance(document.get("ObjectStates"), list):
        return "tabletop-simulator", _saved_objects
    if isinstance(document.get(_OWNED), list):
        return "lorcana-app", _lorcana_app
    if (deck := next(_coded_decks(document), None)) is not None:
        return _database_of(deck)[0], _coded_rows
    if next(_entries(document), None) is None:
        return None
    return ("swudb" if _is_swudb(document) else "json-deck"), _deck_rows


# --- decks of any program: objects with a number of copies --------------------------------------------------------

_INSIDE: Final = frozenset(
    ("card", "carddigest", "cardinfo", "carddata", "oraclecard", "edition", "set", "printing", "product")
)
"""Keys of the objects in which programs keep what they know of a card."""
_FIELDS: Final = {
    **{"nickname": "name", "fullname": "name", "title": "name", "cardname": "name", "name": "name"},
    **{"cn": "number", "collectornumber": "number", "cardnumber": "number", "number": "number"},
    **{"set": "set_code", "setcode": "set_code", "editioncode": "set_code", "setname": "set_name"},
    **{"editionname": "set_name", "scryfallid": "scryfall", "uid": "scryfall", "konamiid": "konami"},
    **{"tcgplayerid": "tcgplayer", "cardmarketid": "cardmarket", "mtgoid": "mtgo", "id": "id", "cardid": "id"},
    **{"code": "id", "cardcode": "id", "slug": "id", "identifier": "id", "modifier": "finish", "finish": "finish"},
    **{"foil": "foil", "isfoil": "foil", "variant": "finish", "printing": "finish", "normal": "normal_copies"},
    **{"regular": "normal_copies", "standard": "normal_copies", "lang": "language", "language": "language"},
    **{"board": "part", "boardtype": "part", "zone": "part", "section": "part", "pitch": "pitch"},
    **{"owned": "weaker_copies", "have": "weaker_copies", "total": "weaker_copies"},
    **{"isalter": "altered", "altered": "altered", "isproxy": "proxy", "proxy": "proxy", "issigned": "signed"},
    **{"signed": "signed", "isaltered": "altered"},
}
"""What keys hold, as `heading_key` writes them; others are looked up among the headings of tables."""
_SETS: Final = ("edition", "set")
_SET_FIELDS: Final = {
    **{"code": "set_code", "setcode": "set_code", "editioncode": "set_code"},
    **{"name": "set_name", "setname": "set_name", "editionname": "set_name"},
}
"""What the keys of an object for a set hold."""
_ASKED: Final = frozenset(("copies", "foil_copies", "normal_copies", "name", "condition", "language"))
"""What keys in other words may hold that are headings of tables as well."""
_IDS: Final = ("scryfall", "mtgo", "tcgplayer", "cardmarket", "konami")
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}", re.IGNORECASE)
_CODE: Final = re.compile(r"[A-Za-z0-9]{1,6}[-_][A-Za-z0-9_]{1,8}")
"""SOR_014 · OP01-016"""
_SWUDB_CODE: Final = re.compile(r"([A-Z0-9]{2,6})_(\d{1,4})")
_NAMING: Final = ("name", "id", "number", *_IDS)
_COLLECTIONS: Final = frozenset(("collection", "owned", "inventory", "library"))
_COPIES: Final = re.compile(r"[xX×]?(\d{1,7})(?:\.0+)?[xX×]?")
_COUNTS: Final = ("copies", "weaker_copies", "normal_copies", "foil_copies")
_PITCHES: Final = {"1": "red", "2": "yellow", "3": "blue"}
"""The colours of the strips of Flesh and Blood's cards, which tell cards of one name apart."""
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]")


class _Entry(NamedTuple):
    """A card of a deck: the part of the deck that it is in, and what its object says."""

    part: str
    facts: Mapping[str, Any]


def _entries(value: object, part: str = "", key: str = "", depth: int = 0) -> Iterator[_Entry]:
    """Find the cards of a deck in a value of a document, which is under a key."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for one in value:
            yield from _entries(one, part, key, depth + 1)
    elif isinstance(value, dict):
        facts = _facts(value)
        inside = [
            (name, child)
            for name, child in value.items()
            if isinstance(child, dict | list) and heading_key(name) not in _INSIDE
        ]
        # The part is a key, or the name of an object with cards in it.
        named = _part(_text(facts.get("name", ""))) or part
        found = [one for name, child in inside for one in _entries(child, _part(name) or named, name, depth + 1)]
        # A deck has a name and a number of cards as well: an object with cards in it is none itself.
        if found:
            yield from found
        elif depth and _is_counted_by_name(value, key):
            yield from (_Entry(part, {"line": name, "copies": copies}) for name, copies in value.items())
        elif depth and not facts.keys().isdisjoint(_COUNTS) and not facts.keys().isdisjoint(_NAMING):
            yield _Entry(part, facts)


def _is_counted_by_name(value: Mapping[str, object], key: str) -> bool:
    """Return whether the keys of an object that is a part of a deck are names or codes, and its values their copies."""
    is_deck = bool(_part(key)) or _HUMP.sub(" ", key).casefold() in DECK | _COLLECTIONS
    return is_deck and bool(value) and all(isinstance(one, int) and not isinstance(one, bool) for one in value.values())


def _part(key: str) -> str:
    """Return what a key calls a part of a deck, such as `sideDeck`; "" if it is the deck or no part."""
    words = _HUMP.sub(" ", key)
    return next((one for one in (words, words.replace(" ", "")) if is_beside(one) or is_considered(one)), "")


def _facts(value: Mapping[str, object], depth: int = 0) -> dict[str, object]:
    """Return what an object says of a card, by the fields that its keys mean; the outer objects go before."""
    facts: dict[str, object] = {}
    inner: dict[str, object] = {}
    for key, one in value.items():
        folded = heading_key(key)
        if isinstance(one, dict):
            if folded in _INSIDE and depth < _DEEPEST:
                # The name in a set is none of the card's.
                nested = _set_facts(one) if folded in _SETS else _facts(one, depth + 1)
                inner = nested | inner
            continue
        field = _FIELDS.get(folded)
        if field is None and (known := vocabulary().find("headings", folded)) in _ASKED:
            field = known
        if isinstance(one, list):
            if folded == "categories":
                facts.setdefault("categories", [str(category) for category in one if isinstance(category, str)])
        elif field is not None and one is not None and one != "":
            facts.setdefault(field, one)
    # Ids inside are the program's own, unless they are Scryfall's.
    if not _UUID.fullmatch(str(inner.get("id", ""))) and facts.keys() | inner.keys() >= {"name"}:
        inner.pop("id", None)
    return inner | facts


def _set_facts(value: Mapping[str, object]) -> dict[str, object]:
    fields = ((_SET_FIELDS.get(heading_key(key)), one) for key, one in value.items())
    return {field: one for field, one in fields if field is not None and isinstance(one, str)}


def _is_swudb(document: Mapping[str, object]) -> bool:
    leader = document.get("leader")
    code = leader.get("id") if isinstance(leader, dict) else None
    return isinstance(code, str) and bool(_SWUDB_CODE.fullmatch(code))


def _deck_rows(document: Any) -> Rows:
    apart = _categories_apart(document)
    is_crypt = document.keys() >= {"crypt", "library"}
    for number, entry in enumerate(_entries(document), 1):
        row = _row(number, entry, apart)
        if is_crypt and isinstance(row, Row) and _VEKN_ID.fullmatch(code := _text(entry.facts.get("id", ""))):
            # Vampires of one name have several groups, which the id distinguishes.
            row = row._replace(ids=(("vekn", code),))
        yield row


def _categories_apart(document: object) -> frozenset[str]:
    """Return Archidekt's categories whose cards are not part of the deck."""
    categories = document.get("categories") if isinstance(document, dict) else None
    listed = categories if isinstance(categories, list) else ()
    names = (one.get("name") for one in listed if isinstance(one, dict) and one.get("includedInDeck") is False)
    return frozenset(name for name in names if isinstance(name, str) and not is_beside(name))


def _row(number: int, entry: _Entry, apart: frozenset[str]) -> Row | SkippedRow:
    facts = entry.facts
    texts = {field: _text(value) for field, value in facts.items() if field != "categories"}
    name, code = texts.get("name", ""), texts.get("id", "")
    amounts, unclear = _amounts(facts, texts)
    amount = next((texts[count] for count in _COUNTS if texts.get(count)), "")
    shown = (amount, name or code or texts.get("line", ""), texts.get("set_code", ""), texts.get("number", ""))
    raw = " ".join(filter(None, shown))[:LONGEST_RAW]
    copies = sum(count for _, count in amounts)
    if any(count < 0 for _, count in amounts) or not amounts or copies > MOST_COPIES:
        return SkippedRow(number, raw, f"{amount[:40]!r} is not a number of copies")
    if not copies:
        return SkippedRow(number, raw, NO_COPIES)
    categories = facts.get("categories", [])[:1]
    parts = (entry.part, _part(texts.get("part", "")))
    left_out = [one for one in categories if one in apart] + [
        one for one in (*categories, *parts) if is_considered(one)
    ]
    if left_out:
        return skip_part(number, raw, left_out[0], copies)
    marks: Any = {mark: int(facts.get(mark) is True) for mark in MARKS}
    pitch = _PITCHES.get(texts.get("pitch", ""), "")
    graded = texts.get("condition", "")
    condition = vocabulary().find("conditions", fold(graded))
    row = Row(
        number,
        raw,
        tuple((finish, count) for finish, count in amounts if count),
        f"{name} ({pitch})" if name and pitch else name,
        texts.get("set_code", ""),
        texts.get("set_name", ""),
        texts.get("number", ""),
        tuple((kind, texts[kind]) for kind in _IDS if texts.get(kind)),
        condition,
        language_code(texts.get("language", "")),
        beside=any(map(is_beside, (*categories, *parts))),
        more=unclear,
        note="" if condition or not graded else f"condition: {graded}",
        details=Details(**marks).text(),
    )
    if line := texts.get("line", ""):
        return _as_line(row, line)
    return row if name or row.number or not code else _coded(row, code)


def _amounts(facts: Mapping[str, Any], texts: Mapping[str, str]) -> tuple[list[tuple[str, int]], tuple[str, ...]]:
    """Return the finishes of a card with their copies (-1 if not a number), and words that are not understood."""
    foil, finish_text = facts.get("foil"), texts.get("finish", "")
    counts = {field: _number(texts[field]) for field in _COUNTS if texts.get(field)}
    plain = counts.get("copies", counts.get("normal_copies", counts.get("weaker_copies")))
    is_count = isinstance(foil, int) and not isinstance(foil, bool)
    if "normal_copies" in counts and is_count:
        counts.setdefault("foil_copies", cast("int", foil))
    elif is_count and cast("int", foil) > 1:
        # A part of the copies, or more of them?
        return [(NORMAL, plain or 0)], (f"foil {foil}",)
    if "foil_copies" in counts:
        return [(NORMAL, plain or 0), ("foil", counts["foil_copies"])], ()
    text = finish_text or ("" if foil is None else str(foil))
    finish = finish_word(text) or NORMAL
    is_known = not text or finish != text or bool(named_finish(text))
    return ([] if plain is None else [(finish if is_known else NORMAL, plain)]), (() if is_known else (text,))


def _number(text: str) -> int:
    """Return a number of copies, -1 if it is none."""
    found = _COPIES.fullmatch(text)
    return int(found[1]) if found else -1


def _coded(row: Row, code: str) -> Row:
    """Return the row of a card that only a code names."""
    if ":" in code:
        return row._replace(ids=(("card", code),))
    if _UUID.fullmatch(code):
        return row._replace(ids=(("scryfall", code),))
    if found := _SWUDB_CODE.fullmatch(code):
        return row._replace(ids=(("swudb", code),), set_code=found[1], number=found[2])
    if _CODE.fullmatch(code):
        return _as_line(row, code)
    return row._replace(ids=(*row.ids, ("unknown", code)))


def _as_line(row: Row, text: str) -> Row:
    """Return a row as the line of a list with a name or a code is read."""
    line = f"{row.copies} {text}"[:LONGEST_LINE]
    read = with_reading(row._replace(written=line), most_detailed_reading(line))
    return read._replace(amounts=row.amounts, beside=row.beside, details=row.details)


def _text(value: object) -> str:
    return "" if isinstance(value, bool) else str(value).strip()[:LONGEST_TEXT]


def _strings(document: Any) -> Rows:
    """Read a list of names or codes, an entry a copy; the first may say which site wrote it."""
    texts = Counter(" ".join(text.split()) for text in document)
    for number, (text, copies) in enumerate(texts.items(), 1):
        raw = f"{copies} {text}"[:LONGEST_RAW]
        if not text or "://" in text:
            yield SkippedRow(number, raw, NO_CARD)
        else:
            yield _as_line(Row(number, raw, ((NORMAL, copies),)), text)


# --- Tabletop Simulator -------------------------------------------------------------------------------------------

_CARDS: Final = ("Card", "CardCustom")


def _saved_objects(document: Any) -> Rows:
    """Read the cards on a table of Tabletop Simulator, also those in decks and bags."""
    names = Counter(_nicknames(document["ObjectStates"]))
    for number, (name, copies) in enumerate(names.items(), 1):
        yield Row(number, f"{copies} {name}"[:LONGEST_RAW], ((NORMAL, copies),), name[:LONGEST_TEXT])


def _nicknames(objects: object, depth: int = 0) -> Iterator[str]:
    for one in objects if isinstance(objects, list) and depth < _DEEPEST else ():
        if not isinstance(one, dict):
            continue
        name = one.get("Nickname")
        # Some importers write what else they know of a card into further lines.
        if one.get("Name") in _CARDS and isinstance(name, str) and name.strip():
            yield " ".join(name.strip().splitlines()[0].split())
        yield from _nicknames(one.get("ContainedObjects"), depth + 1)


# --- the app of Disney Lorcana ------------------------------------------------------------------------------------

_OWNED: Final = "OwnedCardQuantitiesV2"
_FINISHES: Final = {"regular": NORMAL, "foiled": "foil", "foil": "foil"}


def _lorcana_app(document: Any) -> Rows:
    """Read the owned cards in a backup of Disney Lorcana's own app."""
    for number, one in enumerate(document[_OWNED], 1):
        raw = json.dumps(one, ensure_ascii=False)[:LONGEST_RAW]
        facts = one if isinstance(one, dict) else {}
        code, copies, kind = (facts.get(key) for key in ("Id", "Quantity", "Type"))
        if not isinstance(code, int) or not isinstance(copies, int) or not isinstance(kind, str):
            yield SkippedRow(number, raw, "not a card")
        elif not 0 < copies <= MOST_COPIES:
            yield SkippedRow(number, raw, NO_COPIES if copies == 0 else f"{copies} is not a number of copies")
        else:
            finish = _FINISHES.get(kind.casefold(), kind[:LONGEST_TEXT])
            yield Row(number, raw, ((finish, copies),), ids=(("lorcana", str(code)),))


# --- decks of the databases of living card games ------------------------------------------------------------------

_SLOTS: Final = {"slots": False, "sideSlots": True, "side_slots": True, "cards": False}
"""Keys of the cards of a deck by their codes, and whether they are outside it."""
_IDENTITIES: Final = {"investigator_code": "arkhamdb", "hero_code": "marvelcdb"}
"""The key of the card that a deck is built around, and which database has it."""


_VEKN_ID: Final = re.compile(r"[12]\d{5}")


def _coded_decks(document: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Find the decks whose cards are counted by their codes."""
    data = document.get("data", document)
    for deck in data if isinstance(data, list) else [data]:
        if isinstance(deck, dict) and any(_is_counted(deck.get(key)) for key in _SLOTS):
            yield deck


def _is_counted(value: object) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(key.isalnum() and key[0].isdecimal() for key in value)
        and all(isinstance(copies, int) and not isinstance(copies, bool) for copies in value.values())
    )


def _coded_rows(document: Any) -> Rows:
    """Read the cards of decks that are counted by their codes, each with the database that has these codes."""
    cards = (card for deck in _coded_decks(document) for card in _coded_cards(deck))
    for number, (kind, code, copies, beside) in enumerate(cards, 1):
        raw = f"{copies} {kind} {code}"[:LONGEST_RAW]
        if 0 < copies <= MOST_COPIES:
            yield Row(number, raw, ((NORMAL, copies),), ids=((kind, code),), beside=beside)
        else:
            yield SkippedRow(number, raw, NO_COPIES)


def _database_of(deck: Mapping[str, Any]) -> tuple[str, str]:
    """Return the database that a deck is from, and the code of the card that it is built around, if there is one."""
    for key, database in _IDENTITIES.items():
        if isinstance(code := deck.get(key), str):
            return database, code[:LONGEST_TEXT]
    if "slots" in deck:
        return "card-database", ""
    # VEKN's ids have six digits, NetrunnerDB's codes five.
    return ("vekn" if all(map(_VEKN_ID.fullmatch, deck["cards"])) else "netrunnerdb"), ""


def _coded_cards(deck: Mapping[str, Any]) -> Iterator[tuple[str, str, int, bool]]:
    database, identity = _database_of(deck)
    counted = [(slot, deck[slot]) for slot in _SLOTS if _is_counted(deck.get(slot))]
    if identity and all(identity not in cards for _, cards in counted):
        yield database, identity, 1, False
    for slot, cards in counted:
        for code, copies in cards.items():
            yield database, code[:LONGEST_TEXT], copies, _SLOTS[slot]
