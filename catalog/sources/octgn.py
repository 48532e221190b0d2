"""OCTGN's card sets: a folder, an `.o8g` or a `.nupkg` with a `set.xml` for each set, or one such file.

A set contains the id of its game, which selects the layout; the game's `definition.xml` names the properties of cards.
"""

from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from ccgrid.catalog.errors import FileFormatError, UsageError
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.catalog.layouts.described import FoundRow, check_columns, map_rows, printings
from ccgrid.catalog.layouts.layout import Layout, Octgn
from ccgrid.catalog.layouts.layout_file import all_layouts
from ccgrid.catalog.printing import SourceRow, UnreadRow, with_file_name
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.readers.tables import headings_shown
from ccgrid.catalog.readers.xml_elements import Elements, roots

READER: Final = 1
_CARDS: Final = frozenset({"card"})
CARD_ID: Final = "@id"
"""The field of a card's OCTGN id."""
_CARD_FIELDS: Final = (CARD_ID, "name", "set", "setname", "released", "size")
"""The fields that each card has besides the properties of its game."""


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the cards of every set, set by set.

    Raises:
        CatalogError: If there is no set, one is damaged, or the cards lack fields that the layout reads.
    """
    files, names = set_files(tree), layout.octgn or Octgn(())
    check_columns([names.fields((*_CARD_FIELDS, *properties(tree, files)))], layout, tree.name, warn)
    for name in files:
        rows = map_rows(cards(tree, name, warn), names.renamed)
        yield from with_file_name(printings(rows, layout, "", warn), name, len(files) > 1)


def recognise(tree: Tree) -> Layout:
    """Return the layout of the game whose id the sets contain.

    Raises:
        CatalogError: If there is no such layout; the message lists the properties of the cards.
    """
    files = set_files(tree)
    games = game_ids(tree, files)
    layouts, wrong = all_layouts()
    fitting = [layout for layout in layouts if layout.octgn and not games.isdisjoint(layout.octgn.games)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        named = ", ".join(layout.game for layout in fitting)
        raise UsageError(f"{tree.name}: the sets may be of {named}. Say which: --layout {fitting[0].game}")
    advice = f"To start one: ccgrid layout new {shell_word(tree.name)}"
    raise FileFormatError(
        f"no layout fits this game. Its cards have: {headings_shown(properties(tree, files))}.\n"
        f"{wrong[0] if wrong else advice}",
        file=tree.name,
    )


def set_files(tree: Tree) -> list[str]:
    """Return the files of sets: those named `set.xml`, or else all XML files whose root is a set.

    Raises:
        CatalogError: If there is none.
    """
    found = tree.matching("set.xml") or [name for name, root in roots(tree).items() if root == "set"]
    if not found:
        raise FileFormatError("no set.xml in it, in which OCTGN keeps the cards of a set.", file=tree.name)
    return found


def game_ids(tree: Tree, files: Sequence[str]) -> set[str]:
    """Return the ids of the games of sets."""
    found = (_root_and_names(tree, name, "set", frozenset())[0].get("gameId", "").casefold() for name in files)
    return {game for game in found if game}


def properties(tree: Tree, files: Sequence[str]) -> list[str]:
    """Return the properties of cards: those in the game's definition, or else those of any card."""
    wanted = frozenset({"property"})
    definitions = [name for name in tree.matching("definition.xml") if roots(tree)[name] == "game"]
    found = [_root_and_names(tree, name, "game", wanted)[1] for name in definitions]
    found += [] if definitions else [_root_and_names(tree, name, "set", wanted)[1] for name in files]
    return list(dict.fromkeys(name for names in found for name in names))


def cards(tree: Tree, name: str, warn: Warn) -> Iterator[FoundRow | UnreadRow]:
    """Yield the cards of a set as rows: `@id`, `name`, `set`, `setname`, `released`, `size`, and the properties."""
    others = 0
    with tree.open(name) as stream:
        elements = Elements(stream, name, "set", _CARDS)
        for line, card in elements:
            of_set = elements.attributes
            where, title = f"line {line}", of_set.get("name", "")
            if of_set.get("hidden", "").casefold() == "true":
                yield UnreadRow(where, f"the set {title!r} is hidden: markers and tokens, which are in no deck")
                continue
            others += len(card.findall("alternate"))
            yield (
                where,
                {
                    **{one.get("name", ""): _property_value(one) for one in card.findall("property")},
                    CARD_ID: card.get("id", ""),
                    "name": card.get("name", ""),
                    "set": of_set.get("shortName") or title,
                    "setname": title,
                    "released": of_set.get("releaseDate", ""),
                    "size": card.get("size", ""),
                },
            )
        if others:
            warn(
                f"{name}: the other {'side' if others == 1 else 'sides'} of {counted(others, 'card')} "
                f"{'is' if others == 1 else 'are'} skipped; only the front counts."
            )
        if elements.damage:
            warn(elements.damage)


def _property_value(element: Element) -> str:
    """Return the value of a property: its attribute, or its text without tags."""
    # <property name="Text">a <s value="…">sign</s></property>
    return (element.get("value") or "".join(element.itertext())).strip()


def _root_and_names(tree: Tree, name: str, root: str, wanted: frozenset[str]) -> tuple[dict[str, str], dict[str, None]]:
    """Return the attributes of a file's root, and the distinct names of its elements with some tags."""
    with tree.open(name) as stream:
        elements = Elements(stream, name, root, wanted)
        found = dict.fromkeys(element.get("name", "") for _, element in elements)
    return elements.attributes, found
