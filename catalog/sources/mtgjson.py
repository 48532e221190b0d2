"""Magic: The Gathering from MTGJSON, today's files and those until 2019, as printings with the ids of Scryfall.

Each file is one JSON object on one line. The cards of a set are kept in memory, because its date may come after them.
This module converts MTGJSON's cards into Scryfall's, and joins the faces of a card, which MTGJSON lists separately.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import msgspec

from ccgrid.catalog.card_ids import id_part
from ccgrid.catalog.description import COLOURS
from ccgrid.catalog.errors import FileFormatError, NotFoundError
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.printing import SourceRow, UnreadRow, with_file_name
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.json_paths import as_documented, read_fact, values_at_paths
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.sources.scryfall import CardDescriber, Describe, ScryfallCard, ScryfallFace, printing
from ccgrid.catalog.sources.source import Edition

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

_FRAMES: Final = (("2014-07-18", "2015"), ("2003-07-28", "2003"), ("1996-10-08", "1997"))
"""The first day of each usual frame of Magic sets, the newest first; before the last day it is that of 1993."""


def usual_frame(released: str | None) -> str | None:
    """Return the usual frame, by its year, of a set with this ISO date; return None if the date is unknown."""
    if not released:
        return None
    return next((frame for day, frame in _FRAMES if released >= day), "1993")


_OLD_FACTS: Final = ("name", "code", "releaseDate", "onlineOnly")
# name, code …, cards.* in the file of one set; *.name …, *.cards.* in that of all.
_OLD_PATHS: Final = (*(f"{below}{what}" for below in ("", "*.") for what in (*_OLD_FACTS, "cards.*")),)
_LAYOUTS: Final = {"double-faced": "transform", "plane": "planar", "phenomenon": "planar"}
_LETTERS: Final = {name: letter.upper() for letter, name in COLOURS.items()}
_TIMESHIFTED_FRAMES: Final = {"fut": "future", "tsb": "1997"}
"""The frame of the timeshifted cards of a set."""
_Value = str | int | float | None


class _Printed(msgspec.Struct, gc=False, rename="camel", kw_only=True):
    """What both formats have of a card."""

    name: str
    layout: str = "normal"
    mana_cost: str | None = None
    type: str | None = None
    text: str | None = None
    power: str | None = None
    toughness: str | None = None
    colors: tuple[str, ...] | None = None
    color_identity: tuple[str, ...] | None = None
    rarity: str | None = None
    artist: str | None = None
    printings: tuple[str, ...] = ()


class _OldCard(_Printed, gc=True, kw_only=True):
    """A card of a set, or a face of a card; `names` lists the faces."""

    number: str | None = None
    mci_number: str | None = None
    names: list[str] = []
    flavor: str | None = None
    loyalty: _Value = None
    multiverseid: int | None = None
    release_date: str | None = None
    timeshifted: bool = False
    cmc: float | None = None


_decode_old = msgspec.json.Decoder(_OldCard).decode


def read_old_sets(stream: BinaryIO, name: str, described: Describe) -> Iterator[SourceRow]:
    """Yield the printings of a file in the format until 2019, set by set; nothing for another format."""
    facts: dict[str, Any] = {}
    cards: list[_OldCard] = []
    key = ""
    for keys, body in values_at_paths(stream, name, _OLD_PATHS):
        # `LEA.cards.*` and `LEA.name` in a file of all sets, `cards.*` and `name` in the file of one.
        where = keys[0] if len(keys) == (3 if keys[-1] == "" else 2) else ""
        what = keys[-2] if keys[-1] == "" else keys[-1]
        if where != key or (what in facts and what != "cards"):  # a list of sets has no keys, so a fact repeats
            yield from _old_printings(facts, cards, described)
            facts, cards, key = {}, [], where
        if what != "cards":
            facts[what] = read_fact(body)
        elif len(cards) < _MOST_CARDS:
            try:
                cards.append(_decode_old(body))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                yield UnreadRow(f"{where or 'the set'}, card {len(cards) + 1}", str(error))
    yield from _old_printings(facts, cards, described)


def _old_printings(facts: dict[str, object], cards: list[_OldCard], described: Describe) -> Iterator[SourceRow]:
    """Yield the cards of a set as printings, each with its faces."""
    code, title = _text_or_empty(facts.get("code")).lower(), _text_or_empty(facts.get("name"))
    # Each face is listed separately, with the names of all faces of its card.
    by_name = {card.name: card for card in cards}
    for count, card in enumerate(cards, 1):
        where = f"{code or 'the set'}, card {count}"
        if not card.name or not code or len(card.name) + len(title) + len(card.number or "") > _LONGEST_NAME:
            yield UnreadRow(where, "no usable name, or its set has no code")
        # The first name is the front.
        elif card.layout != "meld" and len(card.names) > 1 and card.name != card.names[0] and card.names[0] in by_name:
            yield UnreadRow(where, "it is the other face of a card; only fronts count")
        else:
            names = card.names if card.layout != "meld" and len(card.names) > 1 else []
            faces = [by_name[name] for name in names if name in by_name]
            printed = _old_scryfall_card(card, faces, facts, code, title)
            made = printing(printed, described)
            # Without a number the name is part of the id.
            yield made if printed.collector_number else made._replace(id=f"mtg:{code}/{id_part(card.name)}")


def _old_scryfall_card(
    card: _OldCard, faces: list[_OldCard], facts: dict[str, Any], code: str, title: str
) -> ScryfallCard:
    """Return a card, with its faces if it has several, as Scryfall would have it."""
    released = _text_or_empty(card.release_date) or _text_or_empty(facts.get("releaseDate")) or None
    # Else the last part of an address of magiccards.info.
    number = card.number or (card.mci_number or "").rpartition("/")[2]
    if len(faces) > 1:
        # 12a and 12b are two faces of 12.
        number = number.rstrip("ab")
    return ScryfallCard(
        **(_old_scryfall_texts(card) | {"name": " // ".join(face.name for face in faces) or card.name}),
        set=code,
        collector_number=number,
        layout=_LAYOUTS.get(card.layout, card.layout),
        set_name=title,
        released_at=released,
        frame=_TIMESHIFTED_FRAMES.get(code, usual_frame(released)) if card.timeshifted else usual_frame(released),
        digital=facts.get("onlineOnly") is True,
        card_faces=[ScryfallFace(**_old_scryfall_texts(face)) for face in faces] if len(faces) > 1 else None,
        multiverse_ids=[face.multiverseid for face in faces or [card] if face.multiverseid is not None],
        cmc=card.cmc,
        color_identity=card.color_identity,
        rarity=card.rarity and card.rarity.casefold().removesuffix(" rare"),
        artist=card.artist,
        reprint=len(card.printings) > 1,  # also for the first of its printings
    )


def _old_scryfall_texts(card: _OldCard) -> dict[str, Any]:
    """Return the texts of a card, or of a face, under Scryfall's names."""
    return {
        "name": card.name,
        "mana_cost": card.mana_cost,
        "type_line": card.type,
        "oracle_text": card.text,
        "flavor_text": card.flavor,
        "power": card.power,
        "toughness": card.toughness,
        "loyalty": None if card.loyalty is None else str(card.loyalty),
        "colors": None if card.colors is None else tuple(map(_LETTERS.get, card.colors)),
    }


def _text_or_empty(value: object) -> str:
    return value if isinstance(value, str) else ""


READER: Final = 4
_ALL: Final = "AllPrintings"
# AllPrintings.json · ARN.json.gz · AllPrintings.tar.bz2
_DATA_FILE = re.compile(r"\.(?:json|zip|tar)(?:\.(?:gz|bz2|xz|zip))?$")
_LISTS: Final = ("cards", "tokens")
_FACTS: Final = ("name", "releaseDate")
_PATHS: Final = tuple(
    f"data.{place}{what}" for place in ("", "*.") for what in (*(f"{name}.*" for name in _LISTS), *_FACTS)
)
_LONGEST_NAME: Final = 1000  # characters of name, set and number together
_MOST_CARDS: Final = 50_000
"""The most cards of one set in memory; real sets have under 3,000."""
_LANGUAGES: Final = {
    **{"Ancient Greek": "grc", "Arabic": "ar", "Chinese Simplified": "zhs", "Chinese Traditional": "zht"},
    **{"French": "fr", "German": "de", "Hebrew": "he", "Italian": "it", "Japanese": "ja", "Korean": "ko"},
    **{"Latin": "la", "Phyrexian": "ph", "Portuguese (Brazil)": "pt", "Quenya": "qya", "Russian": "ru"},
    **{"Sanskrit": "sa", "Spanish": "es"},
}


class _Identifiers(msgspec.Struct, gc=False, rename="camel"):
    scryfall_id: str | None = None
    mtgo_id: str | None = None
    mtgo_foil_id: str | None = None
    mtg_arena_id: str | None = None
    tcgplayer_product_id: str | None = None
    tcgplayer_etched_product_id: str | None = None
    mcm_id: str | None = None
    multiverse_id: str | None = None


class _Face(_Printed, kw_only=True):
    """A card, or a face of a card; then `side` is its letter and `face_name` its own name."""

    number: str
    set_code: str
    side: str | None = None
    face_name: str | None = None
    face_printed_name: str | None = None
    face_flavor_name: str | None = None
    flavor_name: str | None = None
    printed_name: str | None = None
    language: str = "English"
    printed_type: str | None = None
    printed_text: str | None = None
    flavor_text: str | None = None
    loyalty: str | None = None
    defense: str | None = None
    frame_version: str | None = None
    original_release_date: str | None = None
    is_online_only: bool = False
    is_oversized: bool = False
    is_textless: bool = False
    availability: tuple[str, ...] | None = None
    attraction_lights: list[int] | None = None
    mana_value: float | None = None
    converted_mana_cost: float | None = None
    keywords: tuple[str, ...] | None = None
    identifiers: _Identifiers = msgspec.field(default_factory=_Identifiers)


class _Version(msgspec.Struct):
    version: str


class _Meta(msgspec.Struct):
    data: _Version


_decode = msgspec.json.Decoder(_Face).decode


class _Set:
    """A set while it is read: its facts, and its cards by number with their faces."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.facts: dict[str, str] = {}
        self.cards: dict[tuple[str, str, str], list[_Face]] = {}
        self.count = 0

    def add(self, face: _Face, kind: str) -> None:
        # Each part of a meld pair has its own number, and so has the combined card.
        apart = face.side is None or face.layout == "meld"
        self.count += 1
        # Faces of one card share number and language; a card without other faces gets a unique key by counting.
        key = (kind, face.number, str(self.count) if apart else face.language)
        self.cards.setdefault(key, []).append(face)


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """Return the newest AllPrintings, or the set with the code `bulk`; `address` is MTGJSON's folder, or a file.

    Raises:
        NotFoundError: If `bulk` is not a code.
        CatalogError: If the answer about the version is not as documented.
    """
    if _DATA_FILE.search(address):
        return Edition("", address, address.rsplit("/", 1)[-1])
    home = address.rstrip("/")
    meta = as_documented(client.get_json(f"{home}/Meta.json"), _Meta, "MTGJSON's Meta.json")
    # Codes of sets are in capitals.
    name = _ALL if bulk is None else bulk if bulk == _ALL else bulk.upper()
    if not name.isalnum():
        raise NotFoundError(
            f"MTGJSON has no set {bulk!r}; name a set by its code, such as ARN.", kind="set", name=bulk or ""
        )
    return Edition(meta.data.version, f"{home}/{name}.json.gz", f"{name}.json.gz")


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the printings in AllPrintings, in the file of a set, or in all files of a folder, set by set.

    Raises:
        CatalogError: If a file is damaged, or is not one of these.
    """
    names = tree.matching("*.json", "*.json.gz") or list(tree.names)
    if not names:
        raise FileFormatError("no JSON file in it.", file=tree.name)
    described = CardDescriber(layout.columns).described
    for name in names:
        yield from with_file_name(_file(tree, name, described), name, len(names) > 1)


def _file(tree: Tree, name: str, described: Describe) -> Iterator[SourceRow]:
    current = _Set("")
    found = False
    with tree.open(name) as stream:
        for keys, body in values_at_paths(stream, name, _PATHS):
            # `data.LEA.cards.*` in a file of all sets, `data.cards.*` in the file of one.
            inside = keys[1:-1] if keys[-1] == "" else keys[1:]
            key = inside[0] if len(inside) == 2 else ""
            # The next set begins: the previous one is complete.
            if key != current.key:
                yield from _printings(current, described)
                current = _Set(key)
            what = inside[-1]
            if keys[-1] != "":
                current.facts[what] = _fact(body)
                continue
            found = True
            if current.count >= _MOST_CARDS:
                raise FileFormatError(f"more than {_MOST_CARDS} cards in one set. Is it the right file?", file=name)
            where = f"{key or 'the set'}, {what} {current.count + 1}"
            try:
                face = _decode(body)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                current.count += 1
                yield UnreadRow(where, str(error))
                continue
            current.add(face, what)
    yield from _printings(current, described)
    # Without cards in today's format try that until 2019.
    if not found:
        with tree.open(name) as stream:
            for row in read_old_sets(stream, name, described):
                found = True
                yield row
    if not found:
        raise FileFormatError(
            "no set with cards was found in it. AllPrintings and the files of sets are read, such as ARN.json,"
            " and AllSets of 2017.",
            file=name,
        )


def _fact(body: bytes) -> str:
    value = read_fact(body)
    return value if isinstance(value, str) else ""


def _printings(found: _Set, described: Describe) -> Iterator[SourceRow]:
    """Yield the cards of a set as printings."""
    for (kind, number, _), faces in found.cards.items():
        # The front has the letter a.
        faces.sort(key=lambda face: face.side or "")
        front = faces[0]
        size = sum(map(len, (front.name, front.set_code, number)))
        if not (front.name and front.set_code and number) or size > _LONGEST_NAME:
            yield UnreadRow(
                f"{found.key or 'the set'}, number {number[:20]}", "no usable name, set or collector number"
            )
        elif front.side is not None and front.side != "a" and front.layout != "meld":
            yield UnreadRow(f"{front.set_code} {number}, {front.name[:100]}", "its front is missing")
        else:
            yield printing(_card(faces, found, kind), described)


def _card(faces: list[_Face], found: _Set, kind: str) -> ScryfallCard:
    front = faces[0]
    several = len(faces) > 1
    ids = front.identifiers
    name = found.facts.get("name", "")
    return ScryfallCard(
        **(_scryfall_texts(front) | {"name": front.name}),
        set=front.set_code.lower(),
        collector_number=front.number,
        lang=_LANGUAGES.get(front.language, "en"),
        layout=front.layout,
        set_name=f"{name} Tokens" if kind == "tokens" and name else name,
        released_at=front.original_release_date or found.facts.get("releaseDate") or None,
        frame=front.frame_version,
        digital=front.is_online_only,
        oversized=front.is_oversized,
        textless=front.is_textless,
        games=front.availability,
        attraction_lights=front.attraction_lights,
        card_faces=[ScryfallFace(**_scryfall_texts(face)) for face in faces] if several else None,
        id=ids.scryfall_id,
        mtgo_id=_number(ids.mtgo_id),
        mtgo_foil_id=_number(ids.mtgo_foil_id),
        arena_id=_number(ids.mtg_arena_id),
        tcgplayer_id=_number(ids.tcgplayer_product_id),
        tcgplayer_etched_id=_number(ids.tcgplayer_etched_product_id),
        cardmarket_id=_number(ids.mcm_id),
        multiverse_ids=_numbers(face.identifiers.multiverse_id for face in faces),
        cmc=front.converted_mana_cost if front.mana_value is None else front.mana_value,
        color_identity=front.color_identity,
        keywords=tuple(dict.fromkeys(word for face in faces for word in face.keywords or ())),
        rarity=front.rarity,
        artist=front.artist,
        reprint=len(front.printings) > 1,  # also for the first of its printings
    )


def _scryfall_texts(face: _Face) -> dict[str, Any]:
    """Return the texts of a face under Scryfall's names."""
    return {
        "name": face.face_name or face.name,
        "printed_name": face.face_printed_name or face.printed_name,
        # The `flavor_name` of a card with several faces joins the names of all.
        "flavor_name": face.face_flavor_name or (None if face.side else face.flavor_name),
        "mana_cost": face.mana_cost,
        "type_line": face.type,
        "printed_type_line": face.printed_type,
        "oracle_text": face.text,
        "printed_text": face.printed_text,
        "flavor_text": face.flavor_text,
        "power": face.power,
        "toughness": face.toughness,
        "loyalty": face.loyalty,
        "defense": face.defense,
        "colors": face.colors,
    }


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= 18 else None


def _numbers(texts: Iterable[str | None]) -> list[int]:
    return list(dict.fromkeys(number for text in texts if (number := _number(text)) is not None))
