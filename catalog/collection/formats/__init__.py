"""The registry of the formats of collection files: the shipped ones, apps' tables and those of installed packages."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from ccgrid.catalog.collection.formats import deck_codes, json_decks, lists, tables, xml_lists
from ccgrid.catalog.collection.formats.app import App
from ccgrid.catalog.collection.formats.apps import OWN_TABLE, all_apps, app_names, broken_files, find_app, own_table
from ccgrid.catalog.collection.formats.format import CollectionFile, FileRows, Format, check_rows
from ccgrid.catalog.collection.formats.table_columns import UnclearCopiesError, parse_map
from ccgrid.catalog.errors import NoSuchNameError
from ccgrid.catalog.file_kinds import COLLECTION_FILES, FileKind, check_kind
from ccgrid.catalog.files import ending_of
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.plugins import find_plugins, instance_of, load_plugin, load_plugins, skipped_if_broken
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.workbooks import write_workbook

__all__ = [
    "LISTS",
    "FileRows",
    "Format",
    "UnclearCopiesError",
    "all_formats",
    "find_format",
    "format_of",
    "games_of",
    "is_known",
    "is_table",
    "open_rows",
    "parse_map",
]

PLUGINS: Final = "ccgrid.formats"
"""The group of entry points of formats; each has the name of its format, and leads to a `Format`."""
_OTHERWISE: Final = "arena"
"""The format of files that no format recognises."""
_OWN: Final = ("deck", "jsonl")
_MAGIC: Final = ("mtg",)
_NAMED_TEXTS: Final = {FileKind.PROSE, FileKind.TOML, FileKind.XML, FileKind.CATALOGUE_CARDS}


def _table_of(app: App) -> Format:
    """Return the format of the tables of an app."""
    return Format(
        app.name,
        app.title,
        partial(tables.read, app),
        # Only ccgrid's own table sniffs: `tables.read` then finds the app by its headings.
        sniff=tables.sniff if app.name == OWN_TABLE else None,
        write=partial(tables.write_table, app) if app.writes else None,
        games=app.games,
        ending=".csv" if app.name == OWN_TABLE else "",
    )


def _code(name: str, title: str, decode: Callable[[str], Iterable[Row]], games: tuple[str, ...] = ()) -> Format:
    """Return the format of files that are one code."""
    read, sniff = partial(deck_codes.read_code, decode, title), partial(deck_codes.sniff_code, decode)
    return Format(name, title, read, sniff, games=games)


# Files are sniffed in this order, tables last: the first format that takes a file for its own reads it.
FORMATS: Final = (
    Format("mtgjson-deck", "a deck of MTGJSON", lists.read_mtgjson, sniff=lists.sniff_mtgjson),
    # Only this entry sniffs documents of other programs: their reader finds the program by its keys. A deck of
    # our own has an entry for each copy, and no numbers of copies.
    Format("json-deck", "a deck as JSON", json_decks.read, json_decks.sniff),
    Format("deck", "a deck of ccgrid", lists.read_own_deck, sniff=lists.sniff_own_deck),
    Format("ydk", "a .ydk deck of Yu-Gi-Oh!", lists.read_ydk, sniff=lists.sniff_ydk),
    Format("ydke", "a deck link of Yu-Gi-Oh!", deck_codes.read_ydke, deck_codes.sniff_ydke, games=("yugioh",)),
    _code("omega", "a deck code of YGO Omega", deck_codes.omega, games=("yugioh",)),
    Format(
        "hearthstone",
        "a Hearthstone deck code",
        deck_codes.read_hearthstone,
        deck_codes.sniff_hearthstone,
        games=("hearthstone",),
    ),
    _code("pixelborn", "a deck code of Lorcana", deck_codes.pixelborn, games=("lorcana",)),
    _code("riftbound-codes", "a deck of Riftbound as codes", deck_codes.riftbound),
    _code("runeterra", "a deck code of Legends of Runeterra", deck_codes.runeterra),
    Format(
        "piltover",
        "a deck code of Riftbound",
        deck_codes.read_piltover,
        partial(deck_codes.sniff_code, deck_codes.piltover),
    ),
    Format("gemp", "a deck of GEMP", deck_codes.read_gemp, deck_codes.sniff_gemp),
    Format("swudb", "a deck of SWUDB", json_decks.read),
    Format("json-list", "a list of cards as JSON", json_decks.read),
    Format("tabletop-simulator", "saved by Tabletop Simulator", json_decks.read),
    Format("lorcana-app", "a backup of the Disney Lorcana app", json_decks.read, games=("lorcana",)),
    Format("netrunnerdb", "a deck of NetrunnerDB", json_decks.read, games=("netrunner",)),
    Format("vekn", "a deck of Vampire: The Eternal Struggle", json_decks.read, games=("vtes",)),
    Format("arkhamdb", "a deck of ArkhamDB", json_decks.read),
    Format("marvelcdb", "a deck of MarvelCDB", json_decks.read),
    Format("card-database", "a deck of a card database", json_decks.read),
    Format(
        "jsonl",
        "JSON Lines",
        lists.read_own,
        sniff=lists.sniff_own,
        write=lists.write_json_lines,
        ending=".jsonl",
    ),
    Format("json", "a JSON array", lists.read_own, write=lists.write_json_array, ending=".json"),
    Format(
        "xlsx",
        "a spreadsheet",
        lambda file: tables.read(own_table(), file),
        write=lambda holdings: tables.write_table(own_table(), holdings),
        ending=".xlsx",
        pack=write_workbook,
    ),
    Format(
        "arena",
        "a list for Arena or Moxfield",
        lists.read,
        write=partial(lists.write_list, printing=True),
        games=_MAGIC,
        ending=".txt",
    ),
    Format("text", "a list", lists.read, write=partial(lists.write_list, printing=False)),
    Format(
        "mtgo-dek",
        "a Magic Online .dek",
        xml_lists.read,
        sniff=xml_lists.sniff,
        write=xml_lists.write_mtgo,
        games=_MAGIC,
    ),
    Format("lackey", "a LackeyCCG .dek", xml_lists.read, write=xml_lists.write_lackey),
    Format("cockatrice", "a Cockatrice .cod", xml_lists.read, write=xml_lists.write_cockatrice, ending=".cod"),
    Format("octgn", "an OCTGN .o8d", xml_lists.read),
)
"""The formats that are no table of an app."""


def all_formats() -> tuple[Format, ...]:
    """Return every format, those of apps' tables last."""
    return (*_formats(), *map(_table_of, all_apps()))


def _formats() -> tuple[Format, ...]:
    """Return the formats that are no tables of apps, those of installed packages first."""
    return (*load_plugins(PLUGINS, instance_of(Format), _shipped_names()).values(), *FORMATS)


def _shipped_names() -> tuple[str, ...]:
    return (*(one.name for one in FORMATS), *app_names())


LISTS: Final = frozenset((_OTHERWISE, "text"))
"""The formats of lists in plain text, for which a file is taken that may be anything."""


def find_format(name: str) -> Format:
    """Return the format of this name.

    Raises:
        NoSuchNameError: If there is none; it lists the formats.
    """
    wanted = name.casefold()
    found = next((one for one in _formats() if one.name == wanted), None)
    if found is None and (app := find_app(wanted)) is not None:
        found = _table_of(app)
    if found is None:
        known = (*(one.name for one in _formats()), *app_names())
        raise NoSuchNameError(
            f"There is no format {name!r}. There are: {', '.join(known)}.", kind="format", name=name, known=known
        )
    return found


def format_of(output: Path | None, otherwise: str = "jsonl") -> str:
    """Return the name of the format that the ending of a file means, or another one if it has no ending.

    Raises:
        NoSuchNameError: If no format has this ending, or several have.
    """
    endings = {
        find_format(OWN_TABLE).ending: OWN_TABLE,
        **{one.ending: one.name for one in reversed(_formats()) if one.ending},
    }
    ending = ending_of(output)
    if ending and ending not in endings:
        known = sorted(endings)
        raise NoSuchNameError(
            f"{output}: no format has the ending {ending}. Known are {', '.join(known)}; or choose a --format.",
            kind="ending",
            name=ending,
            known=known,
        )
    return endings[ending] if ending else otherwise


def games_of(name: str, path: Path) -> tuple[str, ...]:
    """Return the games that a file of a format is for; none if it is for any game, or a plain list."""
    if name == "octgn":
        return xml_lists.octgn_games(path)
    if name == _OTHERWISE:
        return ()
    # A file may have been imported in a format that a user has removed since.
    known = next((one.games for one in _formats() if one.name == name), None)
    app = None if known is not None else find_app(name)
    return app.games if app is not None else known or ()


def open_rows(
    path: Path,
    name: str,
    wanted: Format | None,
    columns: Mapping[str, str] | None,
    remark: Warn,
    *,
    may_be_prose: bool = False,
) -> FileRows:
    """Return the rows of a file, and its format, which is detected from its content unless `wanted`.

    Args:
        path: The file.
        name: What messages call it.
        wanted: Its format, if the user says it.
        columns: The headings of fields, if the user says them.
        remark: Is called with what had to be guessed.
        may_be_prose: Whether a text of sentences is read as a list.

    Raises:
        CatalogError: If it is none of the formats.
    """
    # A user who names the format or the columns knows what a text is, even if it looks like something else.
    is_named = wanted is not None or columns is not None
    more = _NAMED_TEXTS if is_named else {FileKind.PROSE} if may_be_prose else set[FileKind]()
    file = CollectionFile(path, name, remark, columns, named=wanted is not None)
    if not is_named:
        wanted = _detect_installed(file)
    if wanted is None or wanted.name not in find_plugins(PLUGINS, _shipped_names()):
        check_kind(path, COLLECTION_FILES | more, "a collection or a deck", name)
    for error in broken_files():
        remark(f"Skipped {error.first_line}")
    if wanted is None:
        # Who says what the columns are means a table, or objects in JSON.
        is_mapped_table = columns is not None and not lists.sniff_own(file)
        wanted = find_format(OWN_TABLE) if is_mapped_table else _detect_format(file)
    reading = wanted.read(file)
    found = find_format(reading.name) if reading.name else wanted
    return reading._replace(rows=check_rows(reading.rows, name), name=found.name, title=reading.title or found.title)


def is_table(name: str) -> bool:
    """Return whether the format of this name is a table."""
    return all(one.name != name for one in _formats())


def is_known(file: CollectionFile) -> bool:
    """Return whether a file is one of another program, by its content, and neither a table, a list nor JSON Lines."""
    return next((one.name for one in FORMATS if one.sniff is not None and one.sniff(file)), "deck") not in _OWN


def _detect_format(file: CollectionFile) -> Format:
    """Return the first shipped format that recognises a file by its beginning, or the format of plain lists."""
    known = (*FORMATS, find_format(OWN_TABLE))
    return next((one for one in known if one.sniff is not None and one.sniff(file)), find_format(_OTHERWISE))


def _detect_installed(file: CollectionFile) -> Format | None:
    """Return the first format of an installed package that recognises a file, or None."""
    for plugin in find_plugins(PLUGINS, _shipped_names()).values():
        with skipped_if_broken(plugin):
            found: Format = load_plugin(plugin, instance_of(Format))
            if found.sniff is not None and found.sniff(file):
                return found
    return None
