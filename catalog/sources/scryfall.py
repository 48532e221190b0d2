"""Magic: The Gathering from Scryfall: its bulk files and API answers become printings.

`data/layouts/mtg.toml` says what a Magic card shows, and which fields are its type, cost, text and so on; this module
only prepares the fields that it names.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Final, get_type_hints

import msgspec

from ccgrid.catalog.description import COLOURS, Description
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.printed_fields import DESCRIBED, Column, DataColumns
from ccgrid.catalog.printing import Printing, SourceRow, UnreadRow
from ccgrid.catalog.readers.json_paths import as_documented
from ccgrid.catalog.readers.json_rows import json_rows
from ccgrid.catalog.sources.source import Edition

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client


class ScryfallFace(msgspec.Struct, gc=False):
    """One face of a card, with Scryfall's names of fields."""

    name: str = ""
    printed_name: str | None = None
    mana_cost: str | None = None
    type_line: str | None = None
    printed_type_line: str | None = None
    oracle_text: str | None = None
    printed_text: str | None = None
    flavor_name: str | None = None
    flavor_text: str | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None
    colors: tuple[str, ...] | None = None
    missing: ClassVar[None] = None


class _Bulk(msgspec.Struct):
    type: str
    updated_at: str
    jsonl_download_uri: str | None = None
    download_uri: str | None = None


class _BulkData(msgspec.Struct):
    data: list[_Bulk]


class ScryfallCard(ScryfallFace, gc=False, kw_only=True):
    """One printing with Scryfall's names of fields. Other sources of Magic convert their cards into it."""

    id: Any = None
    multiverse_ids: Any = None
    mtgo_id: Any = None
    mtgo_foil_id: Any = None
    arena_id: Any = None
    tcgplayer_id: Any = None
    tcgplayer_etched_id: Any = None
    cardmarket_id: Any = None
    name: str
    lang: str = "en"
    released_at: str | None = None
    layout: str = "normal"
    cmc: float | None = None
    color_identity: tuple[str, ...] | None = None
    keywords: tuple[str, ...] | None = None
    attraction_lights: list[int] | None = None
    card_faces: list[ScryfallFace] | None = None
    games: tuple[str, ...] | None = None
    oversized: bool = False
    set: str
    set_name: str = ""
    collector_number: str
    digital: bool = False
    rarity: str | None = None
    artist: str | None = None
    frame: str | None = None
    textless: bool = False
    reprint: bool = False


Describe = Callable[[ScryfallCard], tuple[str, str, Description]]
"""Returns rarity and artist of a card, and its description."""

READER = 5
_BULK = "default_cards"
# .json · .jsonl · .jsonl.gz
_DATA_FILE = re.compile(r"\.jsonl?(\.gz)?$")

_decode = msgspec.json.Decoder(ScryfallCard).decode

# A loyalty ability begins with its cost and a colon; some languages print brackets, a space, or a wide colon.
_LOYALTY_COST = re.compile(r"^[\[［]?([+＋\-−–—－]?(?:\d+|X))[\]］]?[ \u3000]?[:：]", re.MULTILINE)
_UUID_LENGTH = 36  # characters
_MOST_IDS = 10  # ids of Gatherer for one card
_LONGEST_NAME = 1000  # characters of name, set and number together


def read(stream: BinaryIO, name: str, layout: Layout) -> Iterator[SourceRow]:
    """Yield the printings in a Scryfall file (bulk JSON Lines or array, API list, or one card), in file order.

    Raises:
        CatalogError: If the file as a whole cannot be read. A row that is not a card becomes an `UnreadRow`.
    """
    described = CardDescriber(layout.columns).described
    for row in json_rows(stream, name):
        try:
            card = _decode(row.body)
        except msgspec.ValidationError as error:
            yield UnreadRow(row.where, str(error))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            _check_encoding(bytes(row.body), row.where, name)
            yield UnreadRow(row.where, f"not JSON: {error}")
        else:
            name_length = len(card.name) + len(card.set) + len(card.collector_number) + len(card.lang)
            if card.name and card.set and card.collector_number and name_length <= _LONGEST_NAME:
                yield printing(card, described)
            else:
                yield UnreadRow(row.where, "no usable name, set or collector number")


def _check_encoding(body: bytes, where: str, name: str) -> None:
    try:
        body.decode()
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{where} is not UTF-8 (byte {error.start}). Download the file again.", file=name
        ) from None


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """Return the newest bulk file, by default the one with each English printing.

    Args:
        client: Sends the request.
        address: Scryfall's API, or a data file.
        bulk: Another bulk file, such as `all_cards`.

    Raises:
        CatalogError: If the answer is not as documented, or there is no such file.
    """
    if _DATA_FILE.search(address):
        return Edition("", address, address.rsplit("/", 1)[-1])
    wanted = bulk or _BULK
    answer = client.get_json(f"{address.rstrip('/')}/bulk-data")
    offered = as_documented(answer, _BulkData, "Scryfall's list of bulk files").data
    entry = next((entry for entry in offered if entry.type == wanted), None)
    if entry is None:
        known = ", ".join(entry.type for entry in offered) or "none"
        raise CatalogError(f"Scryfall offers no bulk file {wanted!r}; it offers: {known}.")
    file = entry.jsonl_download_uri or entry.download_uri
    if not file:
        raise CatalogError("Scryfall's list of bulk files names no jsonl_download_uri. Is ccgrid up to date?")
    # Without a suffix: it may be JSON or JSON Lines, gzipped or not, which the reader detects by its content.
    return Edition(entry.updated_at, file, f"{wanted}.data")


def printing(card: ScryfallCard, described: Describe) -> Printing:
    """Convert a Scryfall card into a printing of its front face (rule 11), with what `described` says of it."""
    faces = card.card_faces
    # Fields that differ between faces are in the faces, the others in the card.
    front: ScryfallFace | ScryfallCard = faces[0] if faces else card
    kind = front.type_line or ""
    number, lang, title = card.collector_number, card.lang, _title(card)
    fields: dict[str, Any] = {
        "set": card.set,
        "layout": card.layout,
        "frame": card.frame,
        "released_at": card.released_at,
        "digital": card.digital,
        "oversized": card.oversized,
        "games": card.games,
        # A card with a flavour name shows its own name below it.
        "name": (front.flavor_name, front.printed_name or front.name)
        if front.flavor_name
        else front.printed_name or front.name,
        "type_line": front.printed_type_line or kind,
        "kind": kind,
        "flavor_text": front.flavor_text,
        "mana_cost": front.mana_cost,
        "collector_number": number,
    }
    if front.power is not None or front.toughness is not None:
        fields["power"], fields["toughness"] = front.power, front.toughness
    if not card.textless:
        fields["text"] = front.printed_text or front.oracle_text
    if "Planeswalker" in kind:
        fields["loyalty"] = front.loyalty
        fields["loyalty_costs"], fields["text"] = _loyalty_abilities(fields.get("text") or "")
    if front.defense is not None:
        fields["defense"] = front.defense
    if card.attraction_lights:
        fields["attraction_lights"] = tuple(str(light) for light in card.attraction_lights)
    # An adventure or a prepared spell is printed on the front.
    if card.layout in ("adventure", "prepare") and faces:
        fields["adventure"] = tuple(text for face in faces[1:] for text in _texts(face))
    return Printing(
        f"mtg:{card.set}/{number}" if lang == "en" else f"mtg:{card.set}/{number}/{lang}",
        card.name,
        fields,
        card.set,
        card.set_name,
        number,
        card.released_at,
        lang,
        title,
        _ids(card),
        *described(card),
        card.reprint,
    )


class CardDescriber:
    """What cards say besides their numbers, by the columns of a layout: of several for a value, the first of its type.

    Faces of a card differ in type, cost and text, which are joined; the other values are those of the front.
    """

    def __init__(self, columns: DataColumns) -> None:
        made = dict(columns.columns)
        paths = {name: _field_for(name, made.get(name)) for name in DESCRIBED}
        own = [path for path in columns.fields or () if _CARD_TYPES.get(path) == _TEXT]
        self._of_card = _getter(ScryfallCard, paths.values())
        self._of_face = _getter(ScryfallFace, [paths[name] for name in ("type", "cost", "text", "colours")])
        # `attrgetter` returns a tuple only for several names.
        self._own_of_card = _getter(ScryfallCard, [*own, _MISSING, _MISSING])
        self._own_of_face = _getter(ScryfallFace, [*own, _MISSING, _MISSING])
        self._own_fields = lru_cache(1 << 12)(
            lambda values: tuple(pair for pair in zip(own, values, strict=False) if pair[1] is not None)
        )

    def described(self, card: ScryfallCard) -> tuple[str, str, Description]:
        """Return rarity and artist of a card, and its description."""
        kind, rarity, colours, identity, cost, value, artist, keywords, text = self._of_card(card)
        if faces := card.card_faces:
            kinds, costs, texts, (of_front, *_) = zip(*map(self._of_face, faces[:_MOST_FACES]), strict=True)
            kind, cost = " // ".join(filter(None, kinds)) or kind, " // ".join(filter(None, costs)) or cost
            text = "\n//\n".join(filter(None, texts)) or text
            colours = of_front if colours is None else colours
            own = self._own_of_face(faces[0])
        else:
            own = self._own_of_card(card)
        colours, identity, own = _COLOURS[colours], _COLOURS[identity], self._own_fields(own)
        return (
            rarity or "",
            artist or "",
            Description(kind or "", cost or "", value, colours, identity, keywords or (), own, text or ""),
        )


_MOST_FACES: Final = 20  # of a card; five is the most that any has
_CARD_TYPES: Final = get_type_hints(ScryfallCard)
_MISSING: Final = "missing"
"""A name that has no value in any card."""
_TEXT: Final = str | None
_LIST: Final = tuple[str, ...] | None
_TYPES: Final = {"colours": _LIST, "identity": _LIST, "keywords": _LIST, "mana_value": float | None}
"""The types of values that are no texts."""


def _field_for(name: str, column: Column | None) -> str:
    """Return the first field of a column that cards have with the type of this value, or `_MISSING`."""
    paths = (one.source for one in (column, *column.others)) if column else ()
    return next((path for path in paths if _CARD_TYPES.get(path) == _TYPES.get(name, _TEXT)), _MISSING)


def _getter(struct: type[msgspec.Struct], paths: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns the values of these fields, None for those that the struct lacks."""
    return attrgetter(*(path if path in struct.__struct_fields__ else _MISSING for path in paths))


class _Colours(dict[tuple[str, ...] | None, tuple[str, ...] | None]):
    """The names of colours by their letters, in Magic's order."""

    def __missing__(self, letters: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if letters is None:
            return None
        given = {letter.casefold() for letter in letters}
        names = self[letters] = tuple(name for letter, name in COLOURS.items() if letter in given)
        return names


_COLOURS = _Colours()


def _title(card: ScryfallCard) -> str | None:
    """Return the name in the title line, or None if it is the card's own name.

    The title is the name in another language, or a flavour name. If any face has a flavour name, the titles of all
    faces are joined.
    """
    faces = card.card_faces
    if not faces:
        return card.printed_name or card.flavor_name
    if any(face.flavor_name for face in faces):
        return " // ".join(face.printed_name or face.flavor_name or face.name for face in faces)
    return faces[0].printed_name or card.flavor_name


def _ids(card: ScryfallCard) -> str:
    """Return the ids of the card at Scryfall and other sites. An id of an undocumented type is omitted."""
    ids = ""
    if isinstance(card.id, str) and len(card.id) == _UUID_LENGTH and " " not in card.id:
        ids = f" scryfall:{card.id}"
    # Written out for speed: this runs for every card of an import. `is int`, since True is not an id.
    if (number := card.mtgo_id).__class__ is int:
        ids += f" mtgo:{number}"
    if (number := card.mtgo_foil_id).__class__ is int:
        ids += f" mtgo:{number}"
    if (number := card.arena_id).__class__ is int:
        ids += f" arena:{number}"
    if (number := card.tcgplayer_id).__class__ is int:
        ids += f" tcgplayer:{number}"
    if (number := card.tcgplayer_etched_id).__class__ is int:
        ids += f" tcgplayer:{number}"
    if (number := card.cardmarket_id).__class__ is int:
        ids += f" cardmarket:{number}"
    if (numbers := card.multiverse_ids).__class__ is list:
        for number in numbers[:_MOST_IDS]:
            if number.__class__ is int:
                ids += f" multiverse:{number}"
    return ids[1:]


def _texts(face: ScryfallFace) -> list[str]:
    texts = (
        face.printed_name or face.name,
        face.mana_cost,
        face.printed_type_line or face.type_line,
        face.printed_text or face.oracle_text,
        face.flavor_text,
    )
    return [text for text in texts if text]


def _loyalty_abilities(text: str) -> tuple[tuple[str, ...], str]:
    """Return the costs of a planeswalker's loyalty abilities, and its text without them."""
    # Rule 3 does not know the wide minus of East Asian cards.
    costs = tuple(cost.replace("－", "−") for cost in _LOYALTY_COST.findall(text))
    return costs, _LOYALTY_COST.sub("", text)
