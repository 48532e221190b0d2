"""LackeyCCG plugins: a folder, a zip or an updatelist with the cards of one game, which a layout recognises.

The data of a plugin are tab-separated tables in which quotation marks are plain text; name and set identify a card.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ccgrid.catalog.errors import CatalogError, FileFormatError, UsageError
from ccgrid.catalog.layouts.described import check_columns, file_rows, printings
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import all_layouts
from ccgrid.catalog.layouts.printed_fields import NAMES, fold_heading
from ccgrid.catalog.printing import SourceRow, with_file_name
from ccgrid.catalog.readers.archives import Tree, check_name
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.readers.tables import TextTable, headings_shown
from ccgrid.catalog.readers.text_lines import survey
from ccgrid.catalog.sources.source import Edition, Part

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

READER: Final = 3
_LARGEST_SMALL_FILE: Final = 1 << 20  # bytes of a list of files
_MOST_FILES: Final = 1000  # lines of an updatelist
# <filetoinclude>core.txt</filetoinclude>
_INCLUDED = re.compile(r"<filetoinclude>([^<]*)</filetoinclude>", re.IGNORECASE)
# Lines that begin with two slashes.
_COMMENT = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
# 12-31-19: month, day and year.
_DATE = re.compile(r"(\d\d)-(\d\d)-(\d\d)")
_WANTED_PATTERNS: Final = ("sets/*.txt", "plugininfo.txt", "listofcarddatafiles.txt")
# wyvern-main · wyvern_v1.2 · wyvern 2: the suffix of a copy of a plugin.
_COPY_SUFFIX = re.compile(r"[-_ ](?:main|master|v?\d+(?:\.\d+)*)$", re.IGNORECASE)


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the cards of a plugin, file by file.

    Raises:
        CatalogError: If there is no file of cards, or a list of files leads out of the plugin.
    """
    files = card_files(tree, warn)
    headers = {name: _header(tree, name) for name in files}
    check_columns([*headers.values()], layout, files[0] if len(files) == 1 else tree.name, warn)
    for name, header in headers.items():
        known = {fold_heading(heading) for heading in (*header, *NAMES)}
        if len(files) > 1 and (lacking := [field for field in layout.numbers() if fold_heading(field) not in known]):
            fields = ", ".join(map(repr, lacking))
            warn(f"{name}: it has no column {fields}, in which the layout of {layout.name} reads numbers.")
        rows = file_rows(tree, name, layout, warn, quoted=False)
        yield from with_file_name(printings(rows, layout, PurePosixPath(name).name, warn), name, len(files) > 1)


def recognise(tree: Tree) -> Layout:
    """Return the layout of the game of a plugin: the one with its name, else the one with most of its columns.

    Raises:
        CatalogError: If there is no such layout, or several; the message lists the columns of the plugin.
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
        # If several match, choose the layout with the most columns.
        fitting = [layout for layout in layouts if fits.get(layout.game) == max(fits.values(), default=0)]
    if len(fitting) == 1:
        return fitting[0]
    shown = headings_shown(columns.values())
    if fitting:
        games = ", ".join(layout.game for layout in fitting)
        raise UsageError(f"{tree.name}: the plugin may be of {games}. Say which: --layout {fitting[0].game}")
    advice = "Name one with --layout; 'ccgrid layout new FILE' starts one from a data file."
    raise FileFormatError(
        f"no layout fits this plugin (its columns: {shown}).\n{wrong[0] if wrong else advice}", file=tree.name
    )


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """Return the files that a plugin's updatelist names: those of cards, and those that help to recognise the plugin.

    The address of a file in a `sets` folder stands for that file alone.

    Raises:
        CatalogError: If a file is on another server than the list, or its path leads out of the plugin's folder.
    """
    if _is_card_file(urlsplit(address).path):
        return Edition("", address, address.rpartition("/")[2])
    fetched = client.fetch(address, client.cache_path("lackey", "lists", address), max_bytes=_LARGEST_SMALL_FILE)
    text = _decode_text(fetched.path.read_bytes())
    first, _, rest = text.lstrip("\ufeff").partition("\n")
    plugin, _, date = (cell.strip() for cell in first.partition("\t"))
    # The first line is the plugin's name, a tab and a date.
    if not plugin or not date or first.lstrip().startswith("<"):
        raise FileFormatError(
            f"not the updatelist of a LackeyCCG plugin (it begins with {first[:40]!r}).", file=address
        )
    parts = [Part(address, "updatelist.txt"), *_parts(rest, address, plugin)]
    if not any(_is_card_file(part.name) for part in parts):
        raise FileFormatError("the updatelist names no file in sets/, where a plugin has its cards.", file=address)
    when = _DATE.fullmatch(date)
    day = f"20{when[3]}-{when[1]}-{when[2]}" if when else date
    # Lists change without a new date.
    version = f"{day} {sha256(text.encode()).hexdigest()[:12]}"
    return Edition(version, address, f"plugin {plugin}", tuple(parts))


def _parts(text: str, address: str, plugin: str) -> Iterator[Part]:
    """Yield the files to download; after the first heading (`CardImageURLs:`) come addresses of pictures."""
    home = urlsplit(address)
    for count, line in enumerate(text.splitlines()):
        path, tab, rest = line.partition("\t")
        # "CardImageURLs:" and similar headings end the list of files.
        if line.strip().endswith(":") and not tab:
            return
        if not tab:
            continue
        name = check_name(path.strip(), address)
        inside = name.split("/")
        # plugins/wyvern/sets/core.txt becomes sets/core.txt.
        if inside[0].casefold() == "plugins":
            inside = inside[2:]
        name = "/".join(inside)
        if not any(PurePosixPath(name.casefold()).match(pattern) for pattern in _WANTED_PATTERNS):
            continue
        where = rest.split("\t")[0].strip()
        there = urlsplit(where)
        # Else a list could send requests to any other server.
        if (there.scheme, there.netloc.casefold()) != (home.scheme, home.netloc.casefold()):
            raise FileFormatError(
                f"{name!r} is on another server ({where[:100]}), which is not allowed.\n"
                f"Download the plugin {plugin!r} yourself, then: ccgrid import lackey FOLDER",
                file=address,
            )
        if count > _MOST_FILES:
            raise FileFormatError(f"it lists more than {_MOST_FILES} files. Is it the right list?", file=address)
        yield Part(where, name)


def card_files(tree: Tree, warn: Warn) -> list[str]:
    """Return the files of cards: those that the plugin lists, or else all in its `sets` folder, or else its only file.

    Raises:
        CatalogError: If there is none, or there are several plugins.
    """
    tops = {name.rpartition("/")[0] for name in tree.matching("plugininfo.txt")}
    if len(tops) > 1:
        raise FileFormatError(f"several plugins ({', '.join(sorted(tops))}); name one of them.", file=tree.name)
    found = [name for name in tree.names if _is_card_file(name)]
    for name in tree.matching("listofcarddatafiles.txt")[:1]:
        listed = _INCLUDED.findall(_COMMENT.sub("", _read_small_file(tree, name)))
        wanted = [check_name(file.strip(), tree.name) for file in listed]
        # By their names alone, since lists write folders in many ways.
        by_name = {file.rpartition("/")[2].casefold(): file for file in found}
        chosen = [by_name.get(file.rpartition("/")[2].casefold()) for file in wanted]
        for file, there in zip(wanted, chosen, strict=True):
            if there is None:
                warn(f"{name}: it names {file!r}, which is not in the plugin.")
        found = list(dict.fromkeys(file for file in chosen if file)) or found
    if not found:
        found = list(tree.names) if len(tree.names) == 1 else tree.matching("carddata*.txt")
    if not found:
        raise FileFormatError("no file of cards in it; a plugin has them in sets/*.txt.", file=tree.name)
    return [name for name in found if _has_cards(tree, name, warn)] or found[:1]


def is_plugin(tree: Tree) -> bool:
    """Return whether a data set is a plugin: it has a `plugininfo.txt`, or files of cards in a folder `sets`."""
    return bool(tree.matching("plugininfo.txt")) or any(map(_is_card_file, tree.names))


def _is_card_file(name: str) -> bool:
    return PurePosixPath(name.casefold()).match("sets/*.txt")


def _has_cards(tree: Tree, name: str, warn: Warn) -> bool:
    try:
        header = _header(tree, name)
    except CatalogError as error:
        warn(str(error))
        return False
    if fold_heading(header[0] if header else "") != "name":
        warn(f"{name}: skipped, because it is not a table of cards (its first column is not Name).")
        return False
    return True


def _header(tree: Tree, name: str) -> list[str]:
    with tree.open(name) as stream:
        look = survey(stream, name)
    with tree.open(name) as stream:
        return TextTable(stream, look, name, lambda sentence: None, delimiter="\t", quoted=False).header


def plugin_names(tree: Tree, files: list[str]) -> Iterator[str]:
    """Yield possible names of a plugin: those of its archive and folders, and the first word of its updatelist."""
    name = re.sub(r"\.(?:zip|tgz|tar(?:\.gz)?)$", "", tree.name, flags=re.IGNORECASE)
    yield name
    yield _COPY_SUFFIX.sub("", name)
    for folder in PurePosixPath(files[0]).parent.parts:
        yield folder
        yield _COPY_SUFFIX.sub("", folder)
    for file in tree.matching("updatelist.txt")[:1]:
        yield _read_small_file(tree, file).partition("\n")[0].partition("\t")[0].strip("\ufeff \r")


def _read_small_file(tree: Tree, name: str) -> str:
    with tree.open(name) as stream:
        body = stream.read(_LARGEST_SMALL_FILE + 1)
    if len(body) > _LARGEST_SMALL_FILE:
        raise FileFormatError(
            f"{name} is larger than {_LARGEST_SMALL_FILE >> 20} MiB. Is it the right plugin?", file=tree.name
        )
    return _decode_text(body)


def _decode_text(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    # Latin-1 has a character for each byte.
    except UnicodeDecodeError:
        return body.decode("latin-1")
