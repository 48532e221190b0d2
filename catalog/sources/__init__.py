"""The registry of sources: the user's own, the shipped ones, those of installed packages, and LackeyCCG plugins."""

from collections.abc import Iterator
from difflib import get_close_matches
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ccgrid.catalog.card_ids import card_game, id_part
from ccgrid.catalog.checked_file import SUFFIX, own_files, own_folders, read_own_files
from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.file_kinds import DAMAGED, DATA_FILES, FileKind, check_kind
from ccgrid.catalog.formatting import shell_word
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import all_layouts, find_layout, layout_files, load_layout
from ccgrid.catalog.plugins import instance_of, load_plugins
from ccgrid.catalog.sources.source import Source
from ccgrid.catalog.sources.source_file import parse_sources

if TYPE_CHECKING:
    from ccgrid.catalog.readers.archives import Tree

PLUGINS: Final = "ccgrid.sources"
"""The group of entry points of sources."""
_FILE: Final = "sources.toml"
SOURCES: Final = parse_sources((resources.files("ccgrid.data") / _FILE).read_text(encoding="utf-8"), _FILE)
"""The sources that ccgrid ships."""


def own_source_folders() -> list[Path]:
    """Return the folders of users' own sources: `$CCGRID_SOURCES`, or else one in the user data folder."""
    return own_folders("CCGRID_SOURCES", "sources")


def own_sources() -> tuple[list[Source], list[CatalogError]]:
    """Return the sources in users' own files, and what is wrong with those that cannot be read."""
    read, wrong = read_own_files(own_files(own_source_folders()), "file of sources", parse_sources)
    return list(chain.from_iterable(read.values())), wrong


def all_sources() -> Iterator[Source]:
    """Yield every source once, those first whose names come before the names of others.

    These are the user's own, the shipped ones, those of installed packages, and the games with a LackeyCCG plugin
    whose address is known.
    """
    seen = set[str]()
    for source in chain(own_sources()[0], SOURCES, _installed_sources(), _lackey_plugins()):
        if source.name not in seen:
            seen.add(source.name)
            yield source


def find_source(name: str) -> Source:
    """Return the source of this name or alias.

    Raises:
        NoSuchNameError: If there is none; the message suggests similar names.
    """
    if found := _source_called(name.lower()) or _source_called(find_card_game(name)):
        return found
    if Path(name).exists():
        check_kind(Path(name), DATA_FILES, "the name of a source")
        file = shell_word(name)
        message = (
            f"Name a source before the file: ccgrid import file {file}; "
            f"for a list of your own cards: ccgrid collection import {file}"
        )
    else:
        broken = "".join(f"\nA file of yours cannot be read: {error}" for error in own_sources()[1][:1])
        message = f"There is no source {name!r}.{_similar_sources(name)} To list all: ccgrid sources{broken}"
    raise NoSuchNameError(message, kind="source", name=name, known=(source.name for source in all_sources()))


def _source_called(wanted: str) -> Source | None:
    return next((source for source in all_sources() if wanted in (source.name, *source.aliases)), None)


def find_card_game(text: str) -> str:
    """Return the short name of a card game as users may call it; another text is returned in lower case.

    They may use any case, the alias of a source, the title, or a beginning of the title that no other game has.

    >>> [find_card_game(text) for text in ("Magic", "Pokémon", "ygo", "My own")]
    ['mtg', 'pokemon', 'yugioh', 'my own']
    """
    wanted = id_part(text)
    if wanted in layout_files():
        return wanted
    layouts = all_layouts()[0]
    names = [(id_part(name), layout.game) for layout in layouts for name in (layout.game, layout.name)]
    names += [(alias, one.name) for one in SOURCES if one.layout == one.name for alias in one.aliases]
    found = {game for name, game in names if name == wanted} or {
        game for name, game in names if wanted and name.startswith(f"{wanted}-")
    }
    return found.pop() if len(found) == 1 else card_game(text)


def choose_layout(chosen: str | Path) -> Layout:
    """Return the layout in a file, or of a card game if the text is neither a path nor the name of a file.

    Raises:
        CatalogError: If there is no such layout, or it cannot be read.
    """
    path = Path(chosen)
    if isinstance(chosen, Path) or path.suffix == SUFFIX or path.name != chosen or path.is_file():
        check_kind(path, {FileKind.LAYOUT} | DAMAGED, FileKind.LAYOUT.value)
        return load_layout(path)
    return find_layout(chosen if chosen in layout_files() else find_card_game(chosen))


def check_reader(source: Source, tree: "Tree", place: str) -> None:
    """Check that a layout alone is not used for tables that need the module of another source.

    Raises:
        CatalogError: If it is; the message names that source.
    """
    for other in SOURCES if source.group == "file" else ():
        if other.own_files and (found := tree.matching(*other.own_files)):
            raise CatalogError(
                f"{found[0]}: a layout alone cannot read this table of {other.keeper}'s. "
                f"Use: ccgrid import {other.name} {shell_word(place)}"
            )


def _similar_sources(name: str) -> str:
    """Return a question that suggests sources with the text in their title, else with a similar name; "" for none."""
    every, wanted = list(all_sources()), name.casefold()
    # Two letters are in too many titles.
    found = [source.name for source in every if len(wanted) > 2 and wanted in source.title.casefold()]
    near = found or get_close_matches(wanted[:50], [source.name for source in every], n=3)
    return f" Did you mean {' or '.join(near[:3])}?" if near else ""


def _installed_sources() -> Iterator[Source]:
    """Yield the sources of installed packages; a broken one is skipped with a warning."""
    yield from load_plugins(
        PLUGINS, instance_of(Source), [name for one in SOURCES for name in (one.name, *one.aliases)]
    ).values()


def _lackey_plugins() -> Iterator[Source]:
    """Yield a source for each layout with the address of a LackeyCCG plugin, in alphabetical order."""
    for layout in all_layouts()[0]:
        if layout.lackey and layout.lackey.updatelist:
            address = layout.lackey.updatelist
            yield Source(
                layout.game,
                layout.name,
                layout.lackey.keeper or "LackeyCCG",
                address,
                "lackey",
                layout.game,
                manual=f"{address} (a list of its files)",
                group="lackey",
            )
