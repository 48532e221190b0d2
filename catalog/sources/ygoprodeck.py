"""Yu-Gi-Oh! from YGOPRODeck: one answer with every card, requested only if the database has a new version."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.layouts.described import file_rows, map_rows, printings
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.printing import DataRow, Printing, SourceRow, with_file_name
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.json_paths import as_documented
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.sources.source import Edition

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

READER: Final = 3
_CARDS: Final = "cardinfo.php"
_VERSION: Final = "checkDBVer.php"
_TYPES_WITHOUT_ATTACK: Final = ("Spell Card", "Trap Card", "Skill Card")


class _Version(msgspec.Struct):
    database_version: str
    last_update: str


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the printings in an answer of `cardinfo.php`, one for each entry of a card's `card_sets`.

    Raises:
        CatalogError: If there is no file of cards.
    """
    names = tree.matching("*.json", f"{_CARDS}*") or list(tree.names)[: len(tree.names) == 1]
    if not names:
        raise FileFormatError(f"no file of cards in it; looked for {_CARDS} or *.json.", file=tree.name)
    others: dict[str, list[int]] = {}

    def note_passcodes(card: DataRow) -> DataRow:
        printed = _as_printed(card)
        if codes := _other_passcodes(card):
            others[printed["passcode"]] = codes
        return printed

    for name in names:
        rows = map_rows(file_rows(tree, name, layout, warn), note_passcodes)
        with_passcodes = (_with_passcodes(row, others) for row in printings(rows, layout, name, warn))
        yield from with_file_name(with_passcodes, name, len(names) > 1)


def _other_passcodes(card: DataRow) -> list[int]:
    """Return the passcodes of a card's other pictures, which may occur in decks."""
    number, images = card.get("id"), card.get("card_images")
    if not isinstance(number, int) or number < 0 or not isinstance(images, list):
        return []
    codes = dict.fromkeys(image.get("id") for image in images if isinstance(image, dict))
    # True and False are integers in Python.
    return [code for code in codes if isinstance(code, int) and code not in (number, True, False)]


def _with_passcodes(row: SourceRow, others: Mapping[str, list[int]]) -> SourceRow:
    """Return a printing with its passcodes as ids."""
    if not isinstance(row, Printing) or not (passcode := row.fields.get("passcode")):
        return row
    codes = (int(passcode), *others.get(passcode, ()))
    return row._replace(ids=" ".join(f"konami:{code}" for code in codes))


def _as_printed(row: DataRow) -> DataRow:
    """Return a card with its passcode as printed, in eight digits, and without an attack if it is not a monster."""
    number = row.get("id")
    printed = dict(row)
    if isinstance(number, int) and number >= 0:
        printed["passcode"] = f"{number:08}"
    if str(row.get("type")) in _TYPES_WITHOUT_ATTACK:  # the attack of 0 in the data of a spell is not printed
        printed.pop("atk", None)
        printed.pop("def", None)
    return printed


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """Return the answer of `cardinfo.php`, with the version from `checkDBVer.php` next to it.

    Any other address is that of a file.

    Raises:
        CatalogError: If the version is not as documented.
    """
    folder, _, file = urlsplit(address).path.rpartition("/")
    if file not in ("", _CARDS):
        return Edition("", address, file)
    found = as_documented(
        client.get_json(urlsplit(address)._replace(path=f"{folder}/{_VERSION}", query="").geturl()),
        list[_Version],
        f"YGOPRODeck's answer to {_VERSION}",
    )
    if not found:
        raise CatalogError(f"YGOPRODeck's answer to {_VERSION} is empty. Try again later.")
    cards = urlsplit(address)._replace(path=f"{folder}/{_CARDS}").geturl()
    return Edition(f"{found[0].database_version} ({found[0].last_update})", cards, "cardinfo.json")
