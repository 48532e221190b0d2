"""Flesh and Blood from the-fab-cube's repository: its JSON with every printing, or its table of cards without them.

A card is printed many times with the same face: foil or not, in a first and an unlimited edition. One printing for each
collector number is kept. `data/layouts/fab.toml` says what is printed where; this module prepares the fields it names.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.layouts.described import FoundRow, file_rows, printings
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.printed_fields import fold_heading
from ccgrid.catalog.printing import DataRow, SourceRow, UnreadRow
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.json_paths import as_documented, values_at_paths
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.sources.source import Edition

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

READER: Final = 3
_DAY: Final = 86_400.0  # seconds: one request to GitHub a day
_FILES: Final = (
    ("json/english/card.json", "csvs/english/card.csv"),
    ("card.json",),
    ("card-flattened.json",),
    ("card.csv",),
)
"""The files of cards, the best first: a repository contains the same cards several times."""
# cards.json · repository.tar.gz · card.csv.gz
_DATA_FILE = re.compile(r"\.(?:json|csv|zip|tar|tgz)(?:\.gz)?$")
_LANGUAGES: Final = {"french": "fr", "german": "de", "italian": "it", "spanish": "es"}
# v5.10.2
_VERSION = re.compile(r"v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})")


class _Tag(msgspec.Struct):
    name: str
    tarball_url: str


class _SetPrinting(msgspec.Struct):
    unique_id: str
    initial_release_date: str | None = None


class _Set(msgspec.Struct):
    name: str
    printings: list[_SetPrinting]


_decode_set = msgspec.json.Decoder(_Set).decode
_Sets = dict[str, tuple[str, str]]


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """Return the newest tagged version of the repository; `address` is the repository in GitHub's API, or a data file.

    Raises:
        CatalogError: If the answer is not as documented or has no version.
    """
    if _DATA_FILE.search(address):
        return Edition("", address, address.rsplit("/", 1)[-1])
    tags = f"{address.rstrip('/')}/tags?per_page=100"
    try:
        newest = _newest(client.get_json(tags, max_age=_DAY))
    except CatalogError:
        # Else the invalid answer would be cached for a day.
        client.forget_answer(tags)
        raise
    return Edition(newest.name, newest.tarball_url, "repository.tar.gz")


def _newest(answer: object) -> _Tag:
    tags = as_documented(answer, list[_Tag], "GitHub's list of tags")
    # As numbers: 5.10 is newer than 5.9.
    versions = [(tuple(map(int, found.groups())), tag) for tag in tags if (found := _VERSION.fullmatch(tag.name))]
    if not versions:
        raise CatalogError("The repository of Flesh and Blood cards has no version among its tags. Name a file.")
    return max(versions, key=lambda version: version[0])[1]


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the printings in the repository's JSON, or the cards in its table, in file order.

    Raises:
        CatalogError: If there is neither, or a file is damaged.
    """
    name = _cards_in(tree)
    rows = _prepare(file_rows(tree, name, layout, warn), _sets(tree), _language(tree, name))
    yield from printings(rows, layout, name, warn)


def _language(tree: Tree, name: str) -> str:
    """Return the language of a file by the name of its folder, or "" for English or any other folder."""
    return next((_LANGUAGES[folder] for folder in (*name.split("/")[:-1], tree.name) if folder in _LANGUAGES), "")


def _cards_in(tree: Tree) -> str:
    for patterns in _FILES:
        for pattern in patterns:
            if found := tree.matching(pattern):
                return found[0]
    if len(tree.names) == 1:
        return tree.names[0]
    raise FileFormatError("neither json/english/card.json nor csvs/english/card.csv is in it.", file=tree.name)


def _sets(tree: Tree) -> _Sets:
    """Return the name and the release date of every edition of a set, if the repository's list of sets is there."""
    found: _Sets = {}
    for name in tree.matching("json/english/set.json")[:1]:
        with tree.open(name) as stream:
            for _, body in values_at_paths(stream, name, ("*",)):
                try:
                    one = _decode_set(body)
                except msgspec.DecodeError:
                    continue
                for printing in one.printings:
                    found[printing.unique_id] = (one.name, (printing.initial_release_date or "")[:10])
    return found


def _prepare(rows: Iterator[FoundRow | UnreadRow], sets: _Sets, lang: str) -> Iterator[FoundRow | UnreadRow]:
    """Yield a row for each collector number of a card, or for the card if the data have no printings.

    A printing in foil or of another edition is the same card. Another card with the same name or number gets its own
    id in the data as a suffix of its key. Tables of other languages do not state the colour of a card.
    """
    cards: dict[str, object] = {}
    for count, found in enumerate(rows):
        if isinstance(found, UnreadRow):
            yield found
            continue
        where, card = found
        for entry in _entries(card):
            row = _row(card, entry, sets)
            row["lang"] = lang or row.get("language")
            key = f"{row['key']}/{lang}" if lang else row["key"]
            own = row.get("uniqueid") or count
            # The identity of the card. Translated tables lack the colour, so that only their id is left.
            identity = own if row["translated"] else (row.get("name"), row.get("pitch"), row.get("color"))
            # Another card with this number: its own id distinguishes it.
            if cards.get(key, identity) != identity:
                key += f"/{own}"
            if key not in cards:
                cards[key] = identity
                yield where, {**row, "key": key}


def _entries(card: DataRow) -> list[dict[str, Any]]:
    """Return the printings of a card; the first versions of the data list only their numbers."""
    entries = card.get("printings")
    if isinstance(entries, list):
        return [entry if isinstance(entry, dict) else {} for entry in entries]
    fields = {fold_heading(key): value for key, value in card.items()}
    numbers = fields.get("identifiers") or fields.get("setidentifiers") or fields.get("ids")
    if isinstance(numbers, str):
        numbers = numbers.split(",")
    if isinstance(numbers, list) and (ids := [str(number).strip() for number in numbers if str(number).strip()]):
        # WTR001 belongs to the set WTR.
        return [{"id": number, "set_id": re.sub(r"\d.*", "", number)} for number in ids]
    return [dict(card) if card.get("id") else {}]


def _row(card: DataRow, printed: DataRow, sets: _Sets) -> dict[str, Any]:
    row = {fold_heading(key): value for key, value in card.items() if key != "printings"}
    number = printed.get("id")
    sideways = row.get("playedhorizontally", row.get("cardplayedhorizontally"))
    if "attack" in row:  # its name in the first versions
        row.setdefault("power", row["attack"])
    row["translated"] = "cost" not in row and "power" not in row
    row["horizontal"] = str(sideways).casefold() in ("true", "yes")
    sides = printed.get("double_sided_card_info")
    faces = [face for face in sides if isinstance(face, dict)] if isinstance(sides, list) else []
    is_back = bool(faces) and all(face.get("is_front") is False for face in faces)
    # Tokens have another token on their back: both count as fronts.
    row["face"] = "back" if is_back and any(face.get("is_DFC") for face in faces) else "front"
    if not isinstance(number, str) or not number:
        # The table of cards has no printings; name and colour identify a card.
        row["key"] = "/".join(part for part in (str(row.get("name") or ""), str(row.get("color") or "")) if part)
        return row
    row["key"] = f"{number}/back" if is_back else number
    row["number"], row["set"] = number, printed.get("set_id")
    row["flavortext"] = printed.get("flavor_text")
    row["rarity"], row["artist"] = printed.get("rarity"), printed.get("artists") or printed.get("artist")
    row["setname"], row["released"] = sets.get(str(printed.get("set_printing_unique_id")), ("", ""))
    return row
