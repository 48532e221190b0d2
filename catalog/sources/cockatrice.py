"""Cockatrice's `cards.xml`, version 3 or 4: Magic from its Oracle and its spoilers, or any game by a layout.

Magic cards are converted into Scryfall's, with their ids. The file does not state the frame of a card; the usual one at
the release of its set is assumed.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element

from ccgrid.catalog.card_ids import id_part
from ccgrid.catalog.description import mana_value
from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.catalog.layouts.described import FoundRow, printings
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.printing import DataRow, SourceRow, UnreadRow, with_file_name
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.readers.xml_elements import Elements, roots
from ccgrid.catalog.sources.mtgjson import usual_frame
from ccgrid.catalog.sources.scryfall import CardDescriber, Describe, ScryfallCard, ScryfallFace, printing

READER: Final = 4
_MAGIC: Final = "mtg"
ROOT: Final = "cockatrice_carddatabase"
_TYPES: Final = frozenset(
    [
        *("Artifact", "Battle", "Conspiracy", "Creature", "Dungeon", "Emblem", "Enchantment", "Instant", "Kindred"),
        *("Land", "Phenomenon", "Plane", "Planeswalker", "Scheme", "Sorcery", "Tribal", "Vanguard"),
    ]
)
_SAMPLE: Final = 50  # cards, one of which must have a type of Magic
_LONGEST_NAME: Final = 1000  # characters of name, set and number together
_MOST_SETS: Final = 100_000  # sets in memory


class _Set(NamedTuple):
    name: str = ""
    released: str = ""


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the printings in each card database of a data set, one for each set that a card names.

    Raises:
        CatalogError: If there is none, or one is damaged or incomplete.
    """
    names = database_files(tree, warn)
    if not names:
        raise FileFormatError("no cards.xml in it.", file=tree.name)
    for name in names:
        found = printing_rows(tree, name, warn)
        if layout.game == _MAGIC:
            rows = _magic_cards(found, name, CardDescriber(layout.columns).described, warn)
        else:
            rows = printings(found, layout, name.rsplit("/", 1)[-1], warn)
        yield from with_file_name(rows, name, len(names) > 1)


def database_files(tree: Tree, warn: Warn) -> list[str]:
    """Return the files of card databases: all XML files except empty ones, or else all files."""
    found = tree.matching("*.xml")
    # `None` is the root of an empty file.
    empty = [name for name, root in roots(tree).items() if root is None]
    if len(empty) < len(found):
        for name in empty:
            warn(f"{name}: skipped, because it is empty.")
        found = [name for name in found if name not in empty]
    return found or list(tree.names)


def _magic_cards(
    found: Iterator[FoundRow | UnreadRow], name: str, described: Describe, warn: Warn
) -> Iterator[SourceRow]:
    # Check a sample before yielding any card: a file of another game must not be imported in part.
    first = list(islice(found, _SAMPLE))
    if first and not any(isinstance(row, UnreadRow) or _is_magic(row[1]) for row in first):
        raise FileFormatError(
            f"these are not Magic cards. Name the game's layout: --layout my.toml\n"
            f"To start one: ccgrid layout new {shell_word(name)}",
            file=name,
        )
    undated: dict[str, int] = {}
    for row in chain(first, found):
        if isinstance(row, UnreadRow):
            yield row
            continue
        if not row[1]["released"]:
            undated[row[1]["set"]] = undated.get(row[1]["set"], 0) + 1
        yield _magic(*row, described)
    if undated:
        sets = "a set" if len(undated) == 1 else f"{len(undated)} sets"
        warn(
            f"{name}: it does not say when {sets} came out ({counted(sum(undated.values()), 'card')}), "
            "so their frame is unknown "
            f"and their collector numbers are not read."
        )


def printing_rows(tree: Tree, name: str, warn: Warn) -> Iterator[FoundRow | UnreadRow]:
    """Yield every printing as a row: `name`, `text`, the card's properties, `set`, `setname`, `num`, `released`."""
    sets: dict[str, _Set] = {}
    with tree.open(name) as stream:
        elements = Elements(stream, name, ROOT, frozenset({"card", "set"}))
        # Sets come before cards in these files.
        for line, element in elements:
            version = elements.attributes.get("version", "")
            if version not in ("3", "4"):
                raise FileFormatError(
                    f"version {version[:20] or '?'} of the card database; only versions 3 and 4 can be read.", file=name
                )
            if element.tag == "set":
                if len(sets) < _MOST_SETS:
                    facts = _Set(_text(element, "longname"), _text(element, "releasedate"))
                    sets[_text(element, "name")] = facts
            else:
                yield from _card(element, f"line {line}", sets)
        if elements.damage:
            warn(elements.damage)


def _card(card: Element, where: str, sets: Mapping[str, _Set]) -> Iterator[FoundRow | UnreadRow]:
    properties = card.find("prop")  # version 3 has none: the properties are in the card itself
    texts: dict[str, Any] = {}
    for one in card if properties is None else properties:
        # Version 3 has an element for each colour.
        texts[one.tag] = (texts.get("color", "") if one.tag == "color" else "") + (one.text or "").strip()
    texts |= {"name": _text(card, "name"), "text": _text(card, "text")}
    texts["is_token"] = card.find("token") is not None
    if not texts["name"]:
        yield UnreadRow(where, "it has no name")
        return
    # A card without a set is one printing.
    for printed in card.findall("set") or [Element("set")]:
        # Version 3 has the side only in the address of the picture.
        if texts.get("side") == "back" or "/back/" in printed.get("picURL", printed.get("picurl", "")):
            yield UnreadRow(where, "it is the back of a card; only fronts count")
            continue
        code = (printed.text or "").strip()
        facts = sets.get(code, _Set())
        more = {"set": code, "setname": facts.name, "released": facts.released}
        yield where, {**printed.attrib, **texts, **more}


def _text(element: Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()


def _is_magic(row: DataRow) -> bool:
    # "Legendary Creature — Elf": types are before the dash and after it.
    return not _TYPES.isdisjoint(row.get("type", "").replace("—", " ").split())


def _magic(where: str, row: DataRow, described: Describe) -> SourceRow:
    """Convert a row into a printing as from Scryfall."""
    name, code, number = row["name"], row["set"].lower(), row.get("num", "")
    if sum(map(len, (name, code, number))) > _LONGEST_NAME:
        return UnreadRow(where, "its name, set and number are too long")
    # 2/3
    power, slash, toughness = row.get("pt", "").partition("/")
    released = row["released"] or None
    made = printing(
        ScryfallCard(
            name=name,
            set=code,
            collector_number=number,
            layout=row.get("layout") or ("token" if row.get("is_token") else "normal"),
            set_name=row["setname"],
            released_at=released,
            frame=usual_frame(released),
            mana_cost=row.get("manacost") or None,
            type_line=row.get("type") or None,
            oracle_text=row["text"] or None,
            card_faces=_adventure_faces(row, power if slash else None, toughness if slash else None),
            power=power if slash else None,
            toughness=toughness if slash else None,
            loyalty=row.get("loyalty") or None,
            defense=row.get("defense") or None,
            id=row.get("uuid"),
            cmc=mana_value(row.get("cmc", "")),
            colors=_letters(row, "colors", "color") or (),  # a colourless card has no element of them
            color_identity=_letters(row, "coloridentity"),
            rarity=row.get("rarity"),
        ),
        described,
    )
    if code and number:
        return made
    # A future set may have no numbers yet.
    place = "/".join(part for part in (code, number or id_part(name)) if part)
    return made._replace(id=f"{_MAGIC}:{place}", set_code=code)


def _adventure_faces(row: DataRow, power: str | None, toughness: str | None) -> list[ScryfallFace] | None:
    """Return both faces of an adventure, whose texts Oracle joins: `3RR // 1R`; None for another card."""
    names = row["name"].split(" // ")
    if row.get("layout") != "adventure" or len(names) != 2:
        return None
    costs, kinds = ([*row.get(key, "").split(" // "), ""] for key in ("manacost", "type"))
    texts = [*row["text"].split("\n\n---\n\n", 1), ""]
    stats = ((power, toughness), (None, None))
    return [
        ScryfallFace(
            name=name,
            mana_cost=cost or None,
            type_line=kind or None,
            oracle_text=text or None,
            power=own[0],
            toughness=own[1],
        )
        for name, cost, kind, text, own in zip(names, costs, kinds, texts, stats, strict=False)
    ]


def _letters(row: DataRow, *keys: str) -> tuple[str, ...] | None:
    """Return the letters of colours under the first of some keys that the row has, or None if it has none."""
    return next((tuple(row[key]) for key in keys if key in row), None)
