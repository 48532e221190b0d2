"""Hearthstone from HearthstoneJSON, or from the game's own CardDefs.xml.

The game has no printed form: what its screen shows counts as printed (rule 11). Both files omit fields that are 0, but
the screen shows a cost or an attack of 0; this module adds them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final
from xml.etree.ElementTree import Element

from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.layouts.described import FoundRow, file_rows, map_rows, printings
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.printing import DataRow, SourceRow, UnreadRow
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.readers.xml_elements import Elements
from ccgrid.catalog.sources.source import Edition

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

READER: Final = 2
_FILES: Final = ("cards.collectible.json", "cards.json", "CardDefs*.xml")
# /v1/212345/
_BUILD = re.compile(r"/v1/(\d+)/")
_TYPES_WITH_COST: Final = frozenset({"MINION", "SPELL", "WEAPON", "LOCATION"})
_TYPES_WITH_ATTACK: Final = frozenset({"MINION", "WEAPON"})
_TYPES: Final = {"3": "HERO", "4": "MINION", "5": "SPELL", "7": "WEAPON", "10": "HERO_POWER", "39": "LOCATION"}
"""Types of cards by their number in CardDefs.xml."""
_TAGS: Final = {
    **{"COST": "cost", "ATK": "attack", "HEALTH": "health", "DURABILITY": "durability", "ARMOR": "armor"},
    **{"CARD_SET": "set", "TAG_SCRIPT_DATA_NUM_1": "value"},
}
# <b> · [x] · {0} · |4 before (point,points)
_MARKUP = re.compile(r"</?[A-Za-z]+>|\[x\]|\{\d+\}|\|4(?=\()")
# "a @/3 Dagger", "deal @ damage", "(@)": after a blank, a sign or nothing, and before more text.
_VALUE = re.compile(r"(?:(?<![^\s$#(+/-])|^)@(?=\s*[\w+/|]|[.,%)])")
"""An @ in place of a number. After a sentence an @ separates two texts."""


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """Return the file of the newest build of the game: an address with `latest` redirects to the build's number."""
    build = _BUILD.search(client.final_address(address)) if "/latest/" in address else None
    return Edition(build[1] if build else "", address, address.rsplit("/", 1)[-1])


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the cards in a HearthstoneJSON file, or the collectible cards in CardDefs.xml, in file order.

    Raises:
        CatalogError: If there is neither, or the file is damaged.
    """
    name = next(iter(tree.matching(*_FILES) or tree.names), None)
    if name is None:
        raise FileFormatError("neither cards.collectible.json nor CardDefs.xml is in it.", file=tree.name)
    with tree.open(name) as stream:
        is_xml = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
    rows = _collectible_definitions(tree, name, warn) if is_xml else _collectible(tree, name, layout, warn)
    yield from printings(map_rows(rows, _with_screen_values), layout, name, warn)


def _collectible(tree: Tree, name: str, layout: Layout, warn: Warn) -> Iterator[FoundRow | UnreadRow]:
    """Yield the cards of a file of HearthstoneJSON, or only the collectible ones if it marks any as collectible.

    The others are effects, bosses and buttons, which no player owns.
    """
    with tree.open(name) as stream:
        # Search the whole file first: the rows depend on the result.
        chunks, tail, is_noted = iter(lambda: stream.read(1 << 20), b""), b"", False
        for chunk in chunks:
            is_noted = is_noted or b'"collectible"' in tail + chunk
            # The word may be split between two chunks.
            tail = chunk[-16:]
    left_out = 0
    for found in file_rows(tree, name, layout, warn):
        if is_noted and not isinstance(found, UnreadRow) and found[1].get("collectible") is not True:
            left_out += 1
        else:
            yield found
    if left_out:
        warn(
            f"{name}: {counted(left_out, 'card')} that cannot be collected "
            f"{'was' if left_out == 1 else 'were'} skipped."
        )


def _with_screen_values(card: DataRow) -> DataRow:
    """Return a card as the screen shows it: with a cost and an attack of 0, and a text without markup."""
    kind = str(card.get("type"))  # damaged data may have a list here
    row = dict(card)
    if kind in _TYPES_WITH_COST:
        row.setdefault("cost", 0)
    if kind in _TYPES_WITH_ATTACK:
        row.setdefault("attack", 0)
    text = card.get("collectionText") or card.get("text")
    if isinstance(text, str):
        row["text"] = _screen_text(text, str(card.get("value", "")))
    return row


def _screen_text(text: str, value: str) -> str:
    """Return a text without markup, and without the part after an @, which is shown only in the hand.

    An @ in place of a number becomes the card's own number.

    >>> _screen_text("Equip a @/3 Dagger.", "1"), _screen_text("If you cast @ spells, deal 5.", "")
    ('Equip a 1/3 Dagger.', 'If you cast  spells, deal 5.')
    """
    filled = _VALUE.sub(value, _MARKUP.sub("", text))
    # Any other @ separates the text on the card from that in the hand.
    return filled.partition("@")[0].replace("_", " ")


def _collectible_definitions(tree: Tree, name: str, warn: Warn) -> Iterator[FoundRow]:
    """Yield the cards of CardDefs.xml with HearthstoneJSON's names of fields, in English."""
    with tree.open(name) as stream:
        elements = Elements(stream, name, "CardDefs", frozenset({"Entity"}))
        for line, entity in elements:
            if card := _card(entity):
                yield f"line {line}", card
        if elements.damage:
            warn(elements.damage)


def _card(entity: Element) -> DataRow | None:
    tags = {tag.get("name", ""): tag for tag in entity.iter("Tag")}
    if "COLLECTIBLE" not in tags or tags["COLLECTIBLE"].get("value") != "1":
        return None
    kind = _value(tags, "CARDTYPE")
    card: dict[str, Any] = {"id": entity.get("CardID"), "dbfId": entity.get("ID"), "type": _TYPES.get(kind, kind)}
    for tag, field in _TAGS.items():
        if value := _value(tags, tag):
            card[field] = value
    for tag, field in (("CARDNAME", "name"), ("CARDTEXT", "text")):
        if tag in tags:
            card[field] = (tags[tag].findtext("enUS") or "").strip()
    # This file stores a weapon's durability as its health.
    if card["type"] == "WEAPON" and "health" in card:
        card.setdefault("durability", card.pop("health"))
    return card


def _value(tags: Mapping[str, Element], name: str) -> str:
    return tags[name].get("value", "") if name in tags else ""
