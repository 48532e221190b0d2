"""Android: Netrunner from NetrunnerDB: the packs of its repository, or the pages of its API."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.layouts.described import FoundRow, expand_rows, file_rows, printings
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.printing import DataRow, SourceRow, UnreadRow, with_file_name
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.json_paths import as_documented, read_json_list
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.sources.source import Edition, Part

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

READER: Final = 2
_PACKS: Final = "packs.json"
_CARDS: Final = "pack/*.json"
_TRANSLATED: Final = "translations/*/pack/*.json"
_PAGE: Final = "page-{:04}.json"
_PAGE_SIZE: Final = 1000
_MOST_PAGES: Final = 1000

_API_NAMES: Final[Mapping[str, str]] = {
    "card_set_id": "pack_code",
    "card_type_id": "type_code",
    "side_id": "side_code",
    "advancement_requirement": "advancement_cost",
}
"""Names of fields in the API, and those in the repository, which the layout uses."""


class _Pack(msgspec.Struct):
    code: str
    name: str = ""
    date_release: str | None = None


class _Links(msgspec.Struct):
    last: str | None = None
    next: str | None = None


class _Total(msgspec.Struct):
    count: int


class _Stats(msgspec.Struct):
    total: _Total | None = None


class _Meta(msgspec.Struct):
    stats: _Stats | None = None


class _PageOfCards(msgspec.Struct):
    data: list[Any]
    links: _Links | None = None
    meta: _Meta | None = None


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the printings in a copy of the repository, in a part of it, in pages of the API, or in a single file.

    Raises:
        CatalogError: If the data are none of these.
    """
    packs = {pack.code: pack for pack in read_json_list(tree, _PACKS, _Pack)}
    files = _card_files(tree)
    seen: set[object] = set()
    for name in files:
        rows = expand_rows(file_rows(tree, name, layout, warn), partial(_with_pack_of, packs=packs, seen=seen))
        yield from with_file_name(printings(rows, layout, name.rsplit("/", 1)[-1], warn), name, len(files) > 1)


def _card_files(tree: Tree) -> list[str]:
    translated = set(tree.matching(_TRANSLATED))
    # page-*.json
    pages = _PAGE.format(0).replace("0000", "*")
    found = [name for name in tree.matching(_CARDS) if name not in translated] or tree.matching(pages)
    if found:
        return found
    others = {*tree.matching(_PACKS), *translated}
    loose = [name for name in tree.matching("*.json") if name not in others]
    if len(tree.names) > 1 and loose and not any("/" in name for name in loose):
        return loose  # a copy of only the folder of packs
    if len(tree.names) == 1:
        return list(tree.names)
    raise FileFormatError(f"no file of cards in it; the repository has them in {_CARDS}.", file=tree.name)


def _with_pack_of(
    where: str, row: DataRow, packs: Mapping[str, _Pack], seen: set[object]
) -> Iterator[FoundRow | UnreadRow]:
    """Yield a card as the repository describes it, with its pack; a repeated code is an unread row."""
    attributes = row.get("attributes")
    # Rows of the API have the fields of a card under `attributes`.
    card = _from_api(row, attributes) if isinstance(attributes, dict) else _with_pack(row, packs)
    if not isinstance(card.get("code"), str):
        yield UnreadRow(where, "it has no code")
    elif card["code"] in seen:
        yield UnreadRow(where, "the same code again")
    else:
        seen.add(card["code"])
        yield where, card


def _with_pack(row: DataRow, packs: Mapping[str, _Pack]) -> DataRow:
    pack = packs.get(str(row.get("pack_code")))
    return {**row, "pack": msgspec.structs.asdict(pack)} if pack else dict(row)


def _from_api(row: DataRow, attributes: DataRow) -> DataRow:
    card = {_API_NAMES.get(name, name): value for name, value in attributes.items()}
    if str(card.get("type_code")).endswith("_identity"):
        card["type_code"] = "identity"
    pack = {"name": attributes.get("card_set_name"), "date_release": attributes.get("date_release")}
    return {**card, "code": row.get("id"), "pack": pack}


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """Return the pages of the API's printings, sorted by id: unsorted pages overlap and omit cards.

    An address that is not of the API's version 3 is a file, such as a tarball of the repository.

    Raises:
        CatalogError: If the first page is not as documented.
    """
    if "/api/v3/" not in address:
        return Edition("", address, address.rstrip("/").rsplit("/", 1)[-1])
    first = _fetch_page(client, address, 1)
    count = _stated_page_count(first)
    if count is None:
        count = _count_linked_pages(client, address, first)
    if not 1 <= count <= _MOST_PAGES:
        raise CatalogError(f"NetrunnerDB offers {count} pages of printings. Is ccgrid up to date?")
    parts = tuple(Part(_page_address(address, number), _PAGE.format(number)) for number in range(1, count + 1))
    total = first.meta.stats.total if first.meta and first.meta.stats else None
    return Edition("", address, "printings", parts, total.count if total else None)


def _page_address(address: str, number: int) -> str:
    # Keep the parameters of the address.
    asked = parse_qs(urlsplit(address).query)
    asked |= {"sort": ["id"], "page[number]": [str(number)]}
    asked.setdefault("page[size]", [str(_PAGE_SIZE)])
    return urlsplit(address)._replace(query=urlencode(asked, doseq=True), fragment="").geturl()


def _fetch_page(client: "Client", address: str, number: int) -> _PageOfCards:
    answer = client.get_json(_page_address(address, number))
    return as_documented(answer, _PageOfCards, "NetrunnerDB's page of printings")


def _stated_page_count(first: _PageOfCards) -> int | None:
    """Return the number of pages that the first page states by a link or a number of printings, or None."""
    if first.links and first.links.last:
        named = parse_qs(urlsplit(first.links.last).query).get("page[number]", [""])[0]
        if named.isascii() and named.isdigit():
            return int(named[:6])
    if first.meta and first.meta.stats and first.meta.stats.total and first.data:
        # Rounded up: the last page may not be full.
        return -(-first.meta.stats.total.count // len(first.data))
    return None


def _count_linked_pages(client: "Client", address: str, page: _PageOfCards) -> int:
    """Return the number of pages by following the links from each page to the next."""
    number = 1
    while page.links and page.links.next and page.data and number <= _MOST_PAGES:
        number += 1
        page = _fetch_page(client, address, number)
    return number
