"""Magic: The Gathering from MTGJSON: AllPrintings and the files of single sets, as printings with the ids of Scryfall.

Both are one JSON object on one line. Memory holds the cards of one set, because its date may stand behind them. What a
card shows is decided where Scryfall's are read: this module puts MTGJSON's words into Scryfall's, and joins the faces
that it lists apart.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ccgrid.catalog.card import CatalogError, SourceRow, Unread, in_file
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.encodings import Remark
from ccgrid.catalog.readers.json_rows import picked, read_fact
from ccgrid.catalog.sources.mtgjson_2017 import old_sets
from ccgrid.catalog.sources.scryfall import ScryfallCard, ScryfallFace, printing
from ccgrid.catalog.sources.source import Edition

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

READER: Final = 1
_ALL: Final = "AllPrintings"
_DATA_FILE = re.compile(r"\.(?:json|zip|tar)(?:\.(?:gz|bz2|xz|zip))?$")
_LISTS: Final = ("cards", "tokens")
_FACTS: Final = ("name", "releaseDate")
_PATHS: Final = tuple(
    f"data.{place}{what}" for place in ("", "*.") for what in (*(f"{name}.*" for name in _LISTS), *_FACTS)
)
_LONGEST_NAME: Final = 1000
_MOST_CARDS: Final = 50_000
"""The most cards of one set that are held; real sets have under 3,000."""
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


class _Face(msgspec.Struct, gc=False, rename="camel"):
    """One card, or one face of a card with several: then `side` is its letter and `face_name` its own name."""

    name: str
    number: str
    set_code: str
    side: str | None = None
    face_name: str | None = None
    face_printed_name: str | None = None
    printed_name: str | None = None
    layout: str = "normal"
    language: str = "English"
    mana_cost: str | None = None
    type: str | None = None
    printed_type: str | None = None
    text: str | None = None
    printed_text: str | None = None
    flavor_text: str | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None
    frame_version: str | None = None
    original_release_date: str | None = None
    is_online_only: bool = False
    is_oversized: bool = False
    is_textless: bool = False
    availability: tuple[str, ...] | None = None
    attraction_lights: list[int] | None = None
    identifiers: _Identifiers = msgspec.field(default_factory=_Identifiers)


class _Version(msgspec.Struct):
    version: str


class _Meta(msgspec.Struct):
    data: _Version


_decode = msgspec.json.Decoder(_Face).decode


class _Set:
    """What is known of a set so far: its facts, and its cards by number, the faces of one together."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.facts: dict[str, str] = {}
        self.cards: dict[tuple[str, str, str], list[_Face]] = {}
        self.count = 0

    def add(self, face: _Face, kind: str) -> None:
        # The parts of a meld pair have a number each, and the card that they become has its own.
        apart = face.side is None or face.layout == "meld"
        self.count += 1
        key = (kind, face.number, str(self.count) if apart else face.language)
        self.cards.setdefault(key, []).append(face)


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """The newest AllPrintings, or the set whose code `bulk` is; `address` is MTGJSON's folder, or a file.

    Raises CatalogError where the answer about the version is not as documented.
    """
    if _DATA_FILE.search(address):
        return Edition("", address, address.rsplit("/", 1)[-1])
    home = address.rstrip("/")
    try:
        meta = msgspec.convert(client.get_json(f"{home}/Meta.json"), _Meta)
    except msgspec.ValidationError as error:
        raise CatalogError(f"MTGJSON's Meta.json has an unexpected form ({error}). Is ccgrid up to date?") from None
    name = _ALL if bulk is None else bulk if bulk == _ALL else bulk.upper()
    if not name.isalnum():
        raise CatalogError(f"MTGJSON has no set {bulk!r}; name a set by its code, such as ARN.")
    return Edition(meta.data.version, f"{home}/{name}.json.gz", f"{name}.json.gz")


def read_tree(tree: Tree, layout: Layout, remark: Remark) -> Iterator[SourceRow]:
    """The printings in AllPrintings, in a set's file, or in all files of a folder, set by set.

    Raises CatalogError where a file is damaged, or is none of these.
    """
    names = tree.matching("*.json", "*.json.gz") or list(tree.names)
    if not names:
        raise CatalogError(f"{tree.name}: no JSON file in it.")
    for name in names:
        yield from in_file(_file(tree, name), name, len(names) > 1)


def _file(tree: Tree, name: str) -> Iterator[SourceRow]:
    current = _Set("")
    found = False
    with tree.open(name) as stream:
        for keys, body in picked(stream, name, _PATHS):
            inside = keys[1:-1] if keys[-1] == "" else keys[1:]
            key = inside[0] if len(inside) == 2 else ""
            if key != current.key:
                yield from _printings(current)
                current = _Set(key)
            what = inside[-1]
            if keys[-1] != "":
                current.facts[what] = _fact(body)
                continue
            found = True
            if current.count >= _MOST_CARDS:
                raise CatalogError(f"{name}: over {_MOST_CARDS} cards in one set. Is it the right file?")
            where = f"{key or 'the set'}, {what} {current.count + 1}"
            try:
                face = _decode(body)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                current.count += 1
                yield Unread(where, str(error))
                continue
            current.add(face, what)
    yield from _printings(current)
    if not found:
        with tree.open(name) as stream:
            for row in old_sets(stream, name):
                found = True
                yield row
    if not found:
        raise CatalogError(
            f"{name}: no set with cards was found in it. AllPrintings and the files of sets are read, such as ARN.json,"
            " and AllSets of 2017."
        )


def _fact(body: bytes) -> str:
    value = read_fact(body)
    return value if isinstance(value, str) else ""


def _printings(found: _Set) -> Iterator[SourceRow]:
    """A set's cards as Scryfall would have them."""
    for (kind, number, _), faces in found.cards.items():
        faces.sort(key=lambda face: face.side or "")
        front = faces[0]
        size = sum(map(len, (front.name, front.set_code, number)))
        if not (front.name and front.set_code and number) or size > _LONGEST_NAME:
            yield Unread(f"{found.key or 'the set'}, number {number[:20]}", "no usable name, set or collector number")
        elif front.side is not None and front.side != "a" and front.layout != "meld":
            yield Unread(f"{front.set_code} {number}, {front.name[:100]}", "its front is missing")
        else:
            yield printing(_card(faces, found, kind))


def _card(faces: list[_Face], found: _Set, kind: str) -> ScryfallCard:
    front = faces[0]
    several = len(faces) > 1
    ids = front.identifiers
    name = found.facts.get("name", "")
    return ScryfallCard(
        **(_words(front) | {"name": front.name}),
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
        card_faces=[ScryfallFace(**_words(face)) for face in faces] if several else None,
        id=ids.scryfall_id,
        mtgo_id=_number(ids.mtgo_id),
        mtgo_foil_id=_number(ids.mtgo_foil_id),
        arena_id=_number(ids.mtg_arena_id),
        tcgplayer_id=_number(ids.tcgplayer_product_id),
        tcgplayer_etched_id=_number(ids.tcgplayer_etched_product_id),
        cardmarket_id=_number(ids.mcm_id),
        multiverse_ids=_numbers(face.identifiers.multiverse_id for face in faces),
    )


def _words(face: _Face) -> dict[str, Any]:
    """The texts of a face under the names that Scryfall gives them."""
    return {
        "name": face.face_name or face.name,
        "printed_name": face.face_printed_name or face.printed_name,
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
    }


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= 18 else None


def _numbers(texts: Iterable[str | None]) -> list[int]:
    return list(dict.fromkeys(number for text in texts if (number := _number(text)) is not None))
