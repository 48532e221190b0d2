"""Begins a layout from a data file: what fields it has, which of them hold numbers, and the file that says where."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec

from catalog.card import CatalogError
from catalog.documents import LARGEST_DOCUMENT
from catalog.evidence import FACE
from catalog.imports.layout_places import LearnedPlace
from catalog.layouts.columns import SPELLINGS, Columns, find, folded
from catalog.layouts.described import PATTERNS, FoundRow, found_in
from catalog.layouts.layout import Layout
from catalog.numbers import scan
from catalog.printing import Unread
from catalog.readers.archives import Tree, open_tree
from catalog.readers.tables import headings_shown
from catalog.sources import lackey

LOOKED_AT: Final = 2000
"""So many rows are looked at."""
_MOST_FIELDS: Final = 300
_DEEPEST: Final = 4
_SHORT: Final = 16
_LONG: Final = 30


Reading = tuple[str, str]
"""How a field is read (`collector` or nothing) and which part of it (`first`, `last`, a number, or nothing)."""
_EVERY_PLUGIN: Final = frozenset({"name", "set", "imagefile", "type", "rarity", "text"})


@dataclass(slots=True)
class Field:
    """A field of a data file: its path, in how many rows it is filled, in how many with numbers, and examples."""

    path: str
    filled: int = 0
    numbers: int = 0
    length: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """What the field looks like: `name`, `collector`, `numbers`, `text`, or nothing of these."""
        heading = next(filter(None, map(folded, reversed(self.path.split(".")))), "")
        if heading in SPELLINGS["name"]:
            return "name"
        if heading in SPELLINGS["collector_number"]:
            return "collector"
        if not self.filled or any(heading in SPELLINGS[name] for name in ("set_code", "set_name", "released", "lang")):
            return ""
        mean = self.length / self.filled
        if mean <= _SHORT and self.numbers * 2 >= self.filled:
            return "numbers"
        return "text" if mean >= _LONG and not self.examples[0].startswith("http") else ""

    def add(self, texts: Sequence[str]) -> None:
        """Counts what one row has in the field."""
        shown = [text for text in texts if text]
        if not shown:
            return
        self.filled += 1
        self.length += len(shown[0])
        self.numbers += any(scan(text) for text in shown)
        if shown[0] not in self.examples and len(self.examples) < 5:
            self.examples.append(shown[0])


@dataclass(frozen=True, slots=True)
class Draft:
    """What data tell by themselves: the path of the list of cards, and its fields in the order of the file.

    `plugin` is what a LackeyCCG plugin may be called; nothing where the data are none.
    """

    rows: str
    fields: tuple[Field, ...]
    plugin: tuple[str, ...] = ()

    def named(self, path: str) -> Field:
        """The field of this path or heading; CatalogError names those there are."""
        for found in self.fields:
            if folded(found.path) == folded(path):
                return found
        raise CatalogError(
            f"The data have no field {path!r}. They have: {headings_shown(f.path for f in self.fields)}."
        )


def examine(path: Path) -> Draft:
    """Looks at the first rows of a data file, or of all card files of a plugin, in a folder or an archive.

    Raises CatalogError where it cannot be read.
    """
    with open_tree(path) as tree:
        if lackey.is_plugin(tree):
            return _examine_plugin(tree)
        names = tree.matching(*PATTERNS) or list(tree.names)
        if not names:
            raise CatalogError(f"{path}: no data file in it.")
        rows = _list_path(tree, names[0])
        layout = Layout("draft", "draft", (), columns=Columns(rows=rows))
        fields = _fields(found_in(tree, names[0], layout, _ignore), path.name)
    return Draft(rows, fields)


def _examine_plugin(tree: Tree) -> Draft:
    files = lackey.card_files(tree, _ignore)
    layout = Layout("draft", "draft", ())
    rows = chain.from_iterable(found_in(tree, name, layout, _ignore, quoted=False) for name in files)
    names = {folded(name): name for name in reversed(list(lackey.plugin_names(tree, files)))}
    usual = {folded(name) for name in ("sets", "set", "data", "")}
    return Draft("", _fields(rows, tree.name), tuple(name for key, name in names.items() if key not in usual)[::-1])


def _ignore(sentence: str) -> None:
    """What an import would remark is not said of a draft."""


def _fields(rows: Iterable[FoundRow | Unread], name: str) -> tuple[Field, ...]:
    fields: dict[str, Field] = {}
    for found in islice(rows, LOOKED_AT):
        if not isinstance(found, Unread):
            _count(found, fields)
    if not fields:
        raise CatalogError(f"{name}: no rows with fields in it.")
    return tuple(fields.values())


def _count(found: FoundRow, fields: dict[str, Field]) -> None:
    row = found[1]
    for path in dict.fromkeys(_paths(row, "", 0)):
        if path not in fields and len(fields) < _MOST_FIELDS:
            fields[path] = Field(path)
        if path in fields and (value := find(row, path)) is not None:
            fields[path].add([value] if isinstance(value, str) else value)


def _paths(value: Any, path: str, depth: int) -> Iterator[str]:
    """The paths of all texts and numbers below a value."""
    if isinstance(value, dict) and depth < _DEEPEST:
        for key, inner in value.items():
            if key:
                yield from _paths(inner, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(value, list):
        for inner in value[:10]:
            yield from _paths(inner, path, depth)
    elif path:
        yield path


def _list_path(tree: Tree, name: str) -> str:
    """Where the list of cards is in a JSON document; nothing where the file is read without being told."""
    with tree.open(name) as stream:
        head = stream.read(LARGEST_DOCUMENT + 1)
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") or len(head) > LARGEST_DOCUMENT:
        return ""
    try:
        document = msgspec.json.decode(head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""  # JSON Lines, or a file whose reader will say what is wrong
    found = dict(_lists(document, "", 0))
    longest = max(found, key=lambda path: found[path], default="")
    return "" if longest == "data" else longest


def _lists(value: Any, path: str, depth: int) -> Iterator[tuple[str, int]]:
    """The lists of objects in a document, and how long each is."""
    if not isinstance(value, dict) or depth == _DEEPEST:
        return
    for key, inner in value.items():
        below = f"{path}.{key}" if path else key
        if isinstance(inner, list) and inner and all(isinstance(entry, dict) for entry in inner):
            yield below, len(inner)
        yield from _lists(inner, below, depth + 1)
    if value and path and all(isinstance(inner, dict) for inner in value.values()):
        yield path, len(value)


def layout_text(
    draft: Draft,
    game: str,
    title: str,
    zones: Mapping[str, str],
    reads: Mapping[str, Reading] | None = None,
    learned: Mapping[str, Sequence[LearnedPlace]] = MappingProxyType({}),
) -> str:
    """The text of a layout; `zones` maps a field to its zone, `face`, or nothing for what is not printed.

    `reads` maps a field to how its text is read, where somebody said so: as a collector number, and which part of it.
    `learned` maps a field to the places that were learned of it, each with how sure it is and why.
    A field that holds numbers and has no zone is written as a comment, for its zone to be filled in.
    """
    if not any(zones.values()) and not any(found.kind in ("name", "text") for found in draft.fields):
        shown = headings_shown(found.path for found in draft.fields)
        raise CatalogError(f"Say where a field is printed, as in --at Cost=top-left. The fields: {shown}.")
    lines = [
        f"# Where {_plain(title)} prints its numbers. CONTRIBUTING.md explains the format; check this file with:",
        f"# ccgrid layout check {game}.toml --data FILE",
        "format = 1",
        f"game = {_quoted(game)}",
        f"name = {_quoted(title)}",
        *_columns(draft),
        *_lackey(draft),
    ]
    for found in draft.fields:
        if found.path in learned:
            lines += [line for place in learned[found.path] for line in ("", *_learned(found.path, place))]
            continue
        zone = zones.get(found.path)
        guessed = zone is None and found.kind in ("name", "text")
        if guessed:
            zone = FACE
        if zone == "" or (zone is None and found.kind not in ("numbers", "collector")):
            continue
        table = ["[[printed]]", f"field = {_quoted(found.path)}", f"zone = {_quoted(zone or '?')}"]
        table += _reading((reads or {}).get(found.path), found.kind)
        if guessed and found.kind == "text":
            table.append('confidence = "low"  # is it printed at all?')
        lines.append("")
        if zone is None:
            examples = ", ".join(_plain(example[:_SHORT]) for example in found.examples)
            lines.append(f"# {_plain(found.path)} holds numbers ({examples}). Where is it printed?")
            table = [f"# {line}" for line in table]
        lines += table
    return "\n".join(lines) + "\n"


def _learned(field: str, place: LearnedPlace) -> list[str]:
    """The table of one place that was learned."""
    table = ["[[printed]]", f"field = {_quoted(field)}", f"zone = {_quoted(place.zone)}"]
    table += _reading(place.reading, "")
    if place.column:
        table.append(f"when = {{ {_quoted(place.column)} = [{', '.join(map(_quoted, place.among))}] }}")
    return [*table, f"confidence = {_quoted(place.confidence)}", f"note = {_quoted(place.note)}"]


def _reading(told: Reading | None, kind: str) -> Iterable[str]:
    """The keys that say how a field is read."""
    read, part = told or ("collector" if kind == "collector" else "", "")
    if read == "collector":
        yield 'read = "collector"'
    if part:
        yield f"part = {part if part.isdecimal() else _quoted(part)}"


def _lackey(draft: Draft) -> Iterable[str]:
    """The table by which a plugin is recognised: what it is called, and the columns that not every plugin has."""
    if not draft.plugin:
        return []
    headings = [found.path for found in draft.fields if folded(found.path) not in _EVERY_PLUGIN]
    names, columns = (", ".join(map(_quoted, words)) for words in (draft.plugin, headings))
    return ["", "[lackey]", f"names = [{names}]", *([f"columns = [{columns}]"] if headings else [])]


def _columns(draft: Draft) -> Iterable[str]:
    """The table of columns, where the usual headings do not say all."""
    told = {}
    if draft.rows:
        told["rows"] = draft.rows
    for name in ("name", "collector_number"):
        kind = "name" if name == "name" else "collector"
        found = [field.path for field in draft.fields if field.kind == kind]
        if found and "." in found[0]:
            told[name] = found[0]
    return ["", "[columns]", *(f"{name} = {_quoted(path)}" for name, path in told.items())] if told else []


def game_name(file: str) -> str:
    """A short name for a game, from the name of a file."""
    plain = unicodedata.normalize("NFKD", file.partition(".")[0]).casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "game"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _plain(text: str) -> str:
    """A text as a comment may hold it."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
