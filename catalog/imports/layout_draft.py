"""Drafts of layouts: the fields of a data file, and a layout to complete."""

import dataclasses
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Final

from ccgrid.catalog.copy_terms import language_code
from ccgrid.catalog.errors import CatalogError, FileFormatError, UsageError
from ccgrid.catalog.file_kinds import DATA_FILES, FileKind, check_kind
from ccgrid.catalog.imports.data_shape import KeyField, files_without_cards, key_field, lists_in, repeated_files
from ccgrid.catalog.imports.layout_trial import MOST_ROWS, xml_source
from ccgrid.catalog.layouts.described import FoundRow, data_files, file_rows
from ccgrid.catalog.layouts.descriptions import may_be_field, suggest_columns
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.printed_fields import SPELLINGS, DataColumns, fold_heading, value_at
from ccgrid.catalog.numbers import scan
from ccgrid.catalog.printing import DataRow, UnreadRow
from ccgrid.catalog.readers.archives import Tree, open_tree
from ccgrid.catalog.readers.json_paths import DOCUMENT
from ccgrid.catalog.readers.tables import headings_shown
from ccgrid.catalog.sources import cockatrice, lackey, octgn
from ccgrid.catalog.words import heading_key, vocabulary
from ccgrid.catalog.zones import FACE

Reading = tuple[str, str]
"""How a field is read (`collector` or "") and which part of it."""

SAMPLE_ROWS: Final = 2000
"""The number of sample rows."""
_MOST_FIELDS: Final = 300  # fields in a draft
_DEEPEST: Final = 4  # keys in a path to a field
_DEEPEST_OWN_FIELD: Final = 2  # keys in the path of a game's own field; deeper ones are for programs
_HEX_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{3,8}")  # of a page, not of a card
_SHORT: Final = 16  # most mean characters of a field with numbers
_LONG: Final = 30  # least mean characters of a text

_COLUMNS: Final = {"name": "name", "number": "collector_number", "set": "set_code", "language": "lang"}
"""The columns of cards, by the fields of collections."""

_EVERY_PLUGIN: Final = frozenset({"name", "set", "imagefile", "type", "rarity", "text"})


@dataclass(slots=True)
class DraftField:
    """A field of a data file: its path, the numbers of rows with a value and with numbers, and examples."""

    path: str
    filled: int = 0
    numbers: int = 0
    length: int = 0
    examples: list[str] = dataclasses.field(default_factory=list)

    @property
    def column(self) -> str:
        """The column that the field probably is, such as `collector_number`, or "" if it is the game's own."""
        # The last key with letters that is not English: "stats" of "stats.#", and "name" of "name.en-US".
        keys = (key for key in reversed(self.path.split(".")) if language_code(key) != "en" and fold_heading(key))
        key = next(keys, "")
        word, words = heading_key(key), vocabulary()  # Nº is no
        for name, headings in SPELLINGS.items():
            if fold_heading(key) in headings or word in headings:
                return name
        # In English the words for collections are too many: a code may be a number, or not.
        return "" if words.in_english("headings", word) else _COLUMNS.get(words.find("headings", word), "")

    @property
    def kind(self) -> str:
        """The probable kind of the field: `name`, `collector`, `numbers`, `text`, or ""."""
        if (column := self.column) in ("name", "collector_number"):
            return "name" if column == "name" else "collector"
        if not self.filled or column in ("set_code", "set_name", "released", "lang"):
            return ""
        mean = self.length / self.filled
        if mean <= _SHORT and self.numbers * 2 >= self.filled:
            return "numbers"
        is_code = self.examples[0].isascii() and " " not in self.examples[0]  # an address, an id
        return "text" if mean >= _LONG and not is_code else ""

    def add(self, texts: Sequence[str]) -> None:
        """Count the texts of one row in the field."""
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
    """What is known about data without a layout.

    Attributes:
        rows: The path of the list of cards in JSON.
        fields: The fields of the cards, in the order of the file.
        plugin: Possible names of a LackeyCCG plugin.
        octgn: The ids of the games of OCTGN's sets.
        left: The other lists and files, each with its number of rows.
        telling: The field that is needed to distinguish cards, or None.
        cards: The number of cards.
        again: Patterns of files that repeat the same cards, such as translations.
    """

    rows: str
    fields: tuple[DraftField, ...]
    plugin: tuple[str, ...] = ()
    octgn: tuple[str, ...] = ()
    left: tuple[tuple[str, int], ...] = ()
    telling: KeyField | None = None
    cards: int = 0
    again: tuple[str, ...] = ()

    @property
    def is_whole_document(self) -> bool:
        """Whether the document itself is the list of cards."""
        return self.rows in ("", DOCUMENT)

    @property
    def has_numbers(self) -> bool:
        """Whether any field contains numbers as printed on cards."""
        return any(field.kind in ("numbers", "collector") for field in self.fields)

    def find_field(self, path: str) -> DraftField:
        """Return the field with this path or heading.

        Raises:
            CatalogError: If there is none; the message lists all fields.
        """
        for found in self.fields:
            if fold_heading(found.path) == fold_heading(path):
                return found
        raise CatalogError(
            f"The data have no field {path!r}. They have: {headings_shown(f.path for f in self.fields)}."
        )


def examine(path: Path, rows: str | None = None) -> Draft:
    """Examine a data file, or all files of a folder or an archive.

    Args:
        path: The data.
        rows: The path of the cards in JSON; None detects it.

    Raises:
        CatalogError: If the data cannot be read.
    """
    check_kind(path, DATA_FILES, FileKind.CARD_DATA.value)
    with open_tree(path) as tree:
        if lackey.is_plugin(tree):
            return _examine_plugin(tree)
        kind = xml_source(tree)
        if kind is octgn:
            files = octgn.set_files(tree)
            in_sets = chain.from_iterable(octgn.cards(tree, name, _ignore) for name in files)
            fields = tuple(field for field in _fields(in_sets, tree.name) if field.path != octgn.CARD_ID)
            return Draft("", fields, octgn=tuple(sorted(octgn.game_ids(tree, files))))
        if kind is cockatrice:
            in_files = (
                cockatrice.printing_rows(tree, name, _ignore) for name in cockatrice.database_files(tree, _ignore)
            )
            return Draft("", _fields(chain.from_iterable(in_files), tree.name))
        return _examine_files(tree, path, rows)


def _examine_files(tree: Tree, path: Path, rows: str | None) -> Draft:
    names = data_files(tree) or list(tree.names)
    if not names:
        raise FileFormatError("no data file in it.", file=path)
    lists = lists_in(tree, names[0]) if len(names) == 1 else []
    chosen = rows if rows is not None else _path_of_lists(tree, names)
    layout = Layout("draft", "draft", (), columns=DataColumns(rows=chosen))

    def found(name: str) -> Iterator[DataRow]:
        return (row[1] for row in file_rows(tree, name, layout, _ignore) if not isinstance(row, UnreadRow))

    # One file needs no comparison.
    samples = {name: list(islice(found(name), SAMPLE_ROWS)) for name in names} if len(names) > 1 else {}
    again = repeated_files(samples)
    without_cards = files_without_cards({name: rows for name, rows in samples.items() if name not in again})
    # If no file would be left, use all.
    if len(without_cards) + len(again) == len(names):
        without_cards = []
    with_cards = (name for name in names if name not in without_cards and name not in again)
    cards = list(islice(chain.from_iterable(map(found, with_cards)), MOST_ROWS))
    fields = _fields((("", row) for row in _sample_evenly(cards)), path.name)
    left = [(one.path, one.rows) for one in lists if one.path != chosen]
    left += [(name, sum(1 for _ in found(name))) for name in without_cards]
    folders = Counter[str]()
    for name in again:
        folders[_folder_pattern(name, names, again)] += sum(1 for _ in found(name))
    left += folders.items()
    telling = key_field(cards, [field.path for field in fields if field.kind != "text"])
    return Draft(chosen, fields, left=tuple(left), telling=telling, cards=len(cards), again=tuple(folders))


def _folder_pattern(name: str, names: Sequence[str], again: Sequence[str]) -> str:
    """Return the pattern of all files in the folder of an excluded file, or its name if others are not excluded."""
    folder = name.rpartition("/")[0]
    others = {one for one in names if one.rpartition("/")[0] == folder}
    return f"{folder}/*" if folder and others <= set(again) else name


def _path_of_lists(tree: Tree, names: Sequence[str]) -> str:
    """Return the path of the longest list in any of the JSON documents."""
    longest = max((one for name in names for one in lists_in(tree, name)[:1]), key=lambda one: one.rows, default=None)
    return "" if longest is None else longest.path


def _sample_evenly(rows: Sequence[DataRow]) -> Sequence[DataRow]:
    """Return at most `SAMPLE_ROWS` rows, evenly distributed, so that kinds of cards at the end are included."""
    return rows[:: 1 + len(rows) // SAMPLE_ROWS]


def _examine_plugin(tree: Tree) -> Draft:
    files = lackey.card_files(tree, _ignore)
    layout = Layout("draft", "draft", ())
    rows = chain.from_iterable(file_rows(tree, name, layout, _ignore, quoted=False) for name in files)
    # Reversed, so that the first of two spellings is kept; reversed again at the end.
    names = {fold_heading(name): name for name in reversed(list(lackey.plugin_names(tree, files)))}
    usual = {fold_heading(name) for name in ("sets", "set", "data", "")}
    return Draft("", _fields(rows, tree.name), tuple(name for key, name in names.items() if key not in usual)[::-1])


def _ignore(sentence: str) -> None:
    """Ignore a warning: an import repeats it."""


def _fields(rows: Iterable[FoundRow | UnreadRow], name: str) -> tuple[DraftField, ...]:
    fields: dict[str, DraftField] = {}
    for found in islice(rows, SAMPLE_ROWS):
        if not isinstance(found, UnreadRow):
            _count(found, fields)
    if not fields:
        raise FileFormatError("no rows with fields in it.", file=name)
    return tuple(fields.values())


def _count(found: FoundRow, fields: dict[str, DraftField]) -> None:
    row = found[1]
    # Count a path once, even if a list of attacks has it several times.
    for path in dict.fromkeys(_paths(row, "", 0)):
        # Limited, because a file with a key for each card has thousands.
        if path not in fields and len(fields) < _MOST_FIELDS:
            fields[path] = DraftField(path)
        if path in fields and (value := value_at(row, path)) is not None:
            fields[path].add([value] if isinstance(value, str) else value)


def _paths(value: object, path: str, depth: int) -> Iterator[str]:
    """Yield the paths of all texts and numbers below a value."""
    if isinstance(value, dict) and depth < _DEEPEST:
        for key, inner in value.items():
            if key:
                yield from _paths(inner, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(value, list):
        # Ten entries are enough to find the fields.
        for inner in value[:10]:
            yield from _paths(inner, path, depth)
    elif path:
        yield path


def layout_text(
    draft: Draft,
    game: str,
    title: str,
    zones: Mapping[str, str],
    reads: Mapping[str, Reading] | None = None,
) -> str:
    """Return the text of a layout. A field with numbers and without a zone becomes a comment to complete.

    Args:
        draft: The fields.
        game: The short name of the game.
        title: The name of the game.
        zones: The zone of each field, `face`, or "" for a field that is not printed.
        reads: How to read fields: as a collector number, and which part.

    Raises:
        CatalogError: If no field has a zone.
    """
    if not any(zones.values()) and not any(found.kind in ("name", "text") for found in draft.fields):
        shown = headings_shown(found.path for found in draft.fields)
        raise UsageError(f"Name the zone of a field, as in --at Cost=top-left. The fields: {shown}.")
    lines = [
        f"# Where {_comment(title)} prints its numbers. docs/layouts.md explains the format; check this file with:",
        "# ccgrid layout check THIS_FILE --data FILE",
        "format = 1",
        f"game = {_quoted(game)}",
        f"name = {_quoted(title)}",
        *_columns(draft),
        *_lackey(draft),
        *(["", "[octgn]", f"games = [{', '.join(map(_quoted, draft.octgn))}]"] if draft.octgn else []),
    ]
    # Given zones first, then guesses; the others as comments.
    for found in draft.fields:
        zone = zones.get(found.path)
        guessed = zone is None and found.kind in ("name", "text")
        if guessed:
            zone = FACE
        # Stated as not printed; or without a zone and without numbers.
        if zone == "" or (zone is None and found.kind not in ("numbers", "collector")):
            continue
        table = ["[[printed]]", f"field = {_quoted(found.path)}", f"zone = {_quoted(zone or '?')}"]
        table += _reading((reads or {}).get(found.path), found.kind)
        if guessed and found.kind == "text":
            table.append('confidence = "low"  # is it printed at all?')
        lines.append("")
        if zone is None:
            examples = ", ".join(_comment(example[:_SHORT]) for example in found.examples)
            lines.append(f"# {_comment(found.path)} holds numbers ({examples}). Where is it printed?")
            table = [f"# {line}" for line in table]
        lines += table
    name = next((found.path for found in draft.fields if found.kind == "name"), None)
    if not draft.has_numbers and name and all(zone in ("", FACE) for zone in zones.values()):
        lines += ["", "[[barred]]", 'reason = "data:numbers" # no field holds the numbers that the cards print']
        lines += [f"when = {{ {_quoted(name)} = {{ present = true }} }}"]
    return "\n".join(lines) + "\n"


def _reading(reading: Reading | None, kind: str) -> Iterable[str]:
    """Yield the keys for reading a field."""
    read, part = reading or ("collector" if kind == "collector" else "", "")
    if read == "collector":
        yield 'read = "collector"'
    if part:
        yield f"part = {part if part.isdecimal() else _quoted(part)}"


def _lackey(draft: Draft) -> Iterable[str]:
    """Return the table for recognising a plugin: its names, and the columns that not every plugin has."""
    if not draft.plugin:
        return []
    headings = [found.path for found in draft.fields if fold_heading(found.path) not in _EVERY_PLUGIN]
    names, columns = (", ".join(map(_quoted, words)) for words in (draft.plugin, headings))
    return ["", "[lackey]", f"names = [{names}]", *([f"columns = [{columns}]"] if headings else [])]


def _columns(draft: Draft) -> Iterable[str]:
    """Return the table of columns: those that the usual headings do not find, and what cards say."""
    columns = dict[str, str | list[str]]()
    if draft.again:
        columns["files"] = [f"!{pattern}" for pattern in draft.again]
    if draft.rows:
        columns["rows"] = draft.rows
    for name in SPELLINGS:
        found = [field.path for field in draft.fields if field.column == name]
        # An import finds the usual headings by itself. A set below another key may be one of many.
        if name not in ("name", "collector_number"):
            found = [path for path in found if "." not in path]
        if found and not any(fold_heading(path) in SPELLINGS[name] for path in found):
            columns[name] = found[0]
    if draft.telling:
        columns["collector_number" if draft.telling.is_number else "id"] = _distinguishing_column(draft)
    columns |= suggest_columns(
        [field.path for field in draft.fields if field.filled and not _HEX_COLOUR.fullmatch(field.examples[0])]
    )
    if fields := _own_fields(draft, columns):
        columns["fields"] = fields
    written = (f"{name} = {_quoted(value)}" for name, value in columns.items())
    return ["", "[columns]", *written] if columns else []


def _own_fields(draft: Draft, columns: Mapping[str, str | list[str]]) -> list[str]:
    """Return the game's own fields, by which queries can find cards: those that are no column, name or text."""
    taken = {path for value in columns.values() for path in ([value] if isinstance(value, str) else value)}
    telling = {draft.telling.field} if draft.telling else set()
    usual = {heading for name, headings in SPELLINGS.items() if name != "name" for heading in headings}
    # An import takes the first of these as the name: a title next to a name is another field.
    headings = {fold_heading(field.path) for field in draft.fields}
    usual |= {next((heading for heading in SPELLINGS["name"] if heading in headings), "")}
    return [
        field.path
        for field in draft.fields
        if field.kind in ("", "numbers", "name") and field.filled and field.path not in taken | telling
        if fold_heading(field.path) not in usual and may_be_field(field.path) and field.length <= field.filled * _LONG
        if field.path.count(".") < _DEEPEST_OWN_FIELD and not _HEX_COLOUR.fullmatch(field.examples[0])
    ]


def _distinguishing_column(draft: Draft) -> str:
    """Return the column that distinguishes cards: a number, or a template of set and field if there is a set."""
    assert draft.telling is not None  # noqa: S101  checked by the caller
    field = draft.telling.field
    codes = [one.path for one in draft.fields if fold_heading(one.path) in SPELLINGS["set_code"]]
    # A template: "{set}/{field}".
    return field if draft.telling.is_number or not codes else f"{{{codes[0]}}}/{{{field}}}"


def game_name(file: str) -> str:
    """Return a short name for a game, from the name of a file."""
    # "Legend of the Five Rings.csv" becomes "legend-of-the-five-rings"; NFKD separates accents.
    plain = unicodedata.normalize("NFKD", file.partition(".")[0]).casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "game"


def _quoted(text: str | list[str]) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    """Return a text without control characters, for a comment."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
