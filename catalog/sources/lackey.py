"""LackeyCCG plugins: a folder, a zip or an updatelist with the cards of one game, which is recognised by its layout.

A plugin's card data are tables with tabs in which quotation marks are plain text; a card is its name and its set.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.layouts.described import check_columns, file_rows, printings
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import all_layouts
from ccgrid.catalog.layouts.printed_fields import fold_heading
from ccgrid.catalog.printing import SourceRow, with_file_name
from ccgrid.catalog.readers.archives import Tree, check_name
from ccgrid.catalog.readers.streams import Remark, survey
from ccgrid.catalog.readers.tables import TextTable, headings_shown
from ccgrid.catalog.sources.source import Edition, Part

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

READER: Final = 1
_SMALL: Final = 1 << 20  # bytes of a list of files
_MOST_FILES: Final = 1000  # lines of an updatelist
# <filetoinclude>core.txt</filetoinclude>
_INCLUDED = re.compile(r"<filetoinclude>([^<]*)</filetoinclude>", re.IGNORECASE)
# Lines that begin with two strokes.
_COMMENT = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
# 12-31-19: month, day and year.
_DATE = re.compile(r"(\d\d)-(\d\d)-(\d\d)")
_WANTED: Final = ("sets/*.txt", "plugininfo.txt", "listofcarddatafiles.txt")
# wyvern-main · wyvern_v1.2 · wyvern 2: what copies of a plugin have behind its name.
_COPY = re.compile(r"[-_ ](?:main|master|v?\d+(?:\.\d+)*)$", re.IGNORECASE)


def read_tree(tree: Tree, layout: Layout, remark: Remark) -> Iterator[SourceRow]:
    """The cards of a plugin, of each of its data files in turn.

    Raises CatalogError where there is none, or where a list of files leads out of the plugin.
    """
    files = card_files(tree, remark)
    check_columns([_header(tree, name) for name in files], layout, files[0] if len(files) == 1 else tree.name, remark)
    for name in files:
        rows = file_rows(tree, name, layout, remark, quoted=False)
        yield from with_file_name(printings(rows, layout, PurePosixPath(name).name, remark), name, len(files) > 1)


def recognise(tree: Tree) -> Layout:
    """The layout of the game that a plugin is for: the one that knows its name, else the one that has its columns.

    Raises CatalogError, which says what the plugin is called and what columns it has, where there is no such layout.
    """
    files = card_files(tree, lambda sentence: None)
    names = {fold_heading(name) for name in plugin_names(tree, files)} - {""}
    columns = {fold_heading(heading): heading for heading in _header(tree, files[0])}
    readable, wrong = all_layouts()
    layouts = [layout for layout in readable if layout.lackey]
    fitting = [layout for layout in layouts if layout.lackey and names & set(map(fold_heading, layout.lackey.names))]
    if not fitting:
        fits = {
            layout.game: len(layout.lackey.columns)
            for layout in layouts
            if layout.lackey
            and layout.lackey.columns
            and columns.keys() >= set(map(fold_heading, layout.lackey.columns))
        }
        # Of several whose columns are all there the one that asks for the most.
        fitting = [layout for layout in layouts if fits.get(layout.game) == max(fits.values(), default=0)]
    if len(fitting) == 1:
        return fitting[0]
    shown = headings_shown(columns.values())
    if fitting:
        games = ", ".join(layout.game for layout in fitting)
        raise CatalogError(f"{tree.name}: the plugin may be of {games}. Say which: --layout {fitting[0].game}")
    advice = "Name one with --layout; 'ccgrid layout new FILE' starts one from a data file."
    raise CatalogError(
        f"{tree.name}: no layout is for this plugin (its columns: {shown}).\n{wrong[0] if wrong else advice}"
    )


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """The plugin's data files as its updatelist names them: those of cards, and what is needed to recognise it.

    The address of a file in a `sets` folder means that file alone. Raises CatalogError where a file is to come
    from another server than the list, or to go out of the plugin's folder.
    """
    if _is_card_file(urlsplit(address).path):
        return Edition("", address, address.rpartition("/")[2])
    fetched = client.fetch(address, client.cache_path("lackey", "lists", address), max_bytes=_SMALL)
    text = _decode_text(fetched.path.read_bytes())
    first, _, rest = text.lstrip("\ufeff").partition("\n")
    plugin, _, date = (cell.strip() for cell in first.partition("\t"))
    # The first line is the plugin's name and a date, with a tab between.
    if not plugin or not date or first.lstrip().startswith("<"):
        raise CatalogError(f"{address}: not the updatelist of a LackeyCCG plugin (it begins with {first[:40]!r}).")
    parts = [Part(address, "updatelist.txt"), *_parts(rest, address, plugin)]
    if not any(_is_card_file(part.name) for part in parts):
        raise CatalogError(f"{address}: the updatelist names no file in sets/, where a plugin has its cards.")
    when = _DATE.fullmatch(date)
    day = f"20{when[3]}-{when[1]}-{when[2]}" if when else date
    # The date alone is not enough: lists are changed without it.
    version = f"{day} {sha256(text.encode()).hexdigest()[:12]}"
    return Edition(version, address, f"plugin {plugin}", tuple(parts))


def _parts(text: str, address: str, plugin: str) -> Iterator[Part]:
    """The files to fetch; what follows the first heading (`CardImageURLs:`) are addresses of pictures."""
    home = urlsplit(address)
    for count, line in enumerate(text.splitlines()):
        path, tab, rest = line.partition("\t")
        # "CardImageURLs:" and the like: what follows is no list of files.
        if line.strip().endswith(":") and not tab:
            return
        if not tab:
            continue
        name = check_name(path.strip(), address)
        inside = name.split("/")
        # plugins/wyvern/sets/core.txt is sets/core.txt.
        if inside[0].casefold() == "plugins":
            inside = inside[2:]
        name = "/".join(inside)
        if not any(PurePosixPath(name.casefold()).match(pattern) for pattern in _WANTED):
            continue
        where = rest.split("\t")[0].strip()
        there = urlsplit(where)
        # A list from one server could else have any other one asked.
        if (there.scheme, there.netloc.casefold()) != (home.scheme, home.netloc.casefold()):
            raise CatalogError(
                f"{address}: {name!r} is to come from another server ({where[:100]}), which is refused.\n"
                f"Download the plugin {plugin!r} yourself, then: ccgrid import lackey FOLDER"
            )
        if count > _MOST_FILES:
            raise CatalogError(f"{address}: over {_MOST_FILES} files. Is it the right list?")
        yield Part(where, name)


def card_files(tree: Tree, remark: Remark) -> list[str]:
    """The files of cards: those that the plugin lists, else all in its `sets` folder, else the one file there is."""
    tops = {name.rpartition("/")[0] for name in tree.matching("plugininfo.txt")}
    if len(tops) > 1:
        raise CatalogError(f"{tree.name}: several plugins ({', '.join(sorted(tops))}); name one of them.")
    found = [name for name in tree.names if _is_card_file(name)]
    for name in tree.matching("listofcarddatafiles.txt")[:1]:
        listed = _INCLUDED.findall(_COMMENT.sub("", _small(tree, name)))
        wanted = [check_name(file.strip(), tree.name) for file in listed]
        # By their names alone: lists write folders in many ways.
        by_name = {file.rpartition("/")[2].casefold(): file for file in found}
        chosen = [by_name.get(file.rpartition("/")[2].casefold()) for file in wanted]
        for file, there in zip(wanted, chosen, strict=True):
            if there is None:
                remark(f"{name}: it names {file!r}, which is not in the plugin.")
        found = list(dict.fromkeys(file for file in chosen if file)) or found
    if not found:
        found = list(tree.names) if len(tree.names) == 1 else tree.matching("carddata*.txt")
    if not found:
        raise CatalogError(f"{tree.name}: no file of cards in it; a plugin has them in sets/*.txt.")
    return [name for name in found if _has_cards(tree, name, remark)] or found[:1]


def is_plugin(tree: Tree) -> bool:
    """Whether a data set looks like a plugin: it has card files where plugins have them, or the plugin's own file."""
    return bool(tree.matching("plugininfo.txt")) or any(map(_is_card_file, tree.names))


def _is_card_file(name: str) -> bool:
    return PurePosixPath(name.casefold()).match("sets/*.txt")


def _has_cards(tree: Tree, name: str, remark: Remark) -> bool:
    try:
        header = _header(tree, name)
    except CatalogError as error:
        remark(str(error))
        return False
    if fold_heading(header[0] if header else "") != "name":
        remark(f"{name}: left out, it is not a table of cards (its first column is not Name).")
        return False
    return True


def _header(tree: Tree, name: str) -> list[str]:
    with tree.open(name) as stream:
        look = survey(stream, name)
    with tree.open(name) as stream:
        return TextTable(stream, look, name, lambda sentence: None, delimiter="\t", quoted=False).header


def plugin_names(tree: Tree, files: list[str]) -> Iterator[str]:
    """What a plugin may be called: by its folder, by the archive, and by the first word of its updatelist."""
    name = re.sub(r"\.(?:zip|tgz|tar(?:\.gz)?)$", "", tree.name, flags=re.IGNORECASE)
    yield name
    yield _COPY.sub("", name)
    for folder in PurePosixPath(files[0]).parent.parts:
        yield folder
        yield _COPY.sub("", folder)
    for file in tree.matching("updatelist.txt")[:1]:
        yield _small(tree, file).partition("\n")[0].partition("\t")[0].strip("\ufeff \r")


def _small(tree: Tree, name: str) -> str:
    with tree.open(name) as stream:
        body = stream.read(_SMALL + 1)
    if len(body) > _SMALL:
        raise CatalogError(f"{tree.name}: {name} is over {_SMALL >> 20} MiB. Is it the right plugin?")
    return _decode_text(body)


def _decode_text(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    # Latin-1 has a character for each byte, so nothing is refused.
    except UnicodeDecodeError:
        return body.decode("latin-1")
