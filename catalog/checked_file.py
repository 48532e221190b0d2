"""TOML files that users may write: layouts, formats and words. Errors name the line and the key that is wrong."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn, TypeVar

from ccgrid.catalog.documents import DocumentError, Limits, load_toml
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.user_folders import user_folder

Parsed = TypeVar("Parsed")
TomlTable = Mapping[str, Any]
"""A table of a TOML file; nothing is known of its values."""

SUFFIX: Final = ".toml"
FORMAT: Final = 1
"""The version of such files that this program reads."""
LARGEST: Final = 1 << 18
"""The largest such file in bytes; the bundled ones stay under 20 KiB."""
_DEEPEST: Final = 8  # tables in each other
MOST_LINES: Final = 1000
"""The most tables of one kind in a file."""
LONGEST_KEY: Final = 100  # characters


class CheckedFile:
    """The text of a TOML file and its tables, with errors that name the line."""

    what: ClassVar[str]
    """The name of such a file in errors, such as `layout`."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def _parsed(self) -> TomlTable:
        check_size(len(self.text), self.name, self.what)
        try:
            return load_toml(self.text, _LIMITS)
        except DocumentError as error:
            raise FileFormatError(f"the file {error}.", file=self.name, line=error.line) from None

    def _check_format(self, table: TomlTable) -> None:
        if table.get("format", FORMAT) != FORMAT:
            self._fail("", "format", f"is {one_line(table['format'])}, but this ccgrid reads format {FORMAT}")

    def _tables(self, table: TomlTable, name: str) -> list[TomlTable]:
        tables = table.get(name, [])
        if not isinstance(tables, list) or not all(isinstance(line, dict) for line in tables):
            self._fail("", name, f"is written as tables: [[{name}]]")
        if len(tables) > MOST_LINES:
            self._fail("", name, f"has over {MOST_LINES} tables")
        return tables

    def _table(self, table: TomlTable, name: str) -> TomlTable:
        found = table.get(name, {})
        if not isinstance(found, dict):
            self._fail("", name, f"is a table: [{name}]")
        return found

    def _texts(self, table: TomlTable, name: str, key: str) -> tuple[str, ...]:
        value = table.get(name, [])
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(text, str) and text for text in texts):
            self._fail(key, name, "is a list of texts in quotes")
        return tuple(texts)

    def _text(self, table: TomlTable, name: str, key: str, *, required: bool = False) -> str:
        value = table.get(name, "")
        if not isinstance(value, str):
            self._fail(key, name, "is a text in quotes")
        if required and not value:
            self._fail(key, name, "is missing")
        return value

    def _choice(self, table: TomlTable, name: str, key: str, choices: tuple[str, ...], default: str | None) -> str:
        value = table.get(name, default)
        if value is None:
            self._fail(key, name, f"is missing; it is one of {sentence_list(choices)}")
        if value not in choices:
            self._fail(key, name, f"is {one_line(value)}; it is one of {sentence_list(choices)}")
        return str(value)

    def _known(self, table: TomlTable, known: set[str], table_name: str, key: str) -> None:
        for name in table:
            if name not in known:
                table_name = table_name.rstrip(".") or with_article(self.what)
                self._fail(key, name, f"is not known; {table_name} may hold {sentence_list(sorted(known))}")

    def _fail(self, key: str, name: str, what: str) -> NoReturn:
        raise FileFormatError(f"{key}{name} {what}.", file=self.name, line=self._line(key, name.split(".")[0]))

    def _line(self, key: str, name: str) -> int | None:
        """Return the line of a key or else of its table; None if the file writes it in another form."""
        # `tomllib` gives no line numbers: search for the key in the text of its table.
        start, end = 0, len(self.text)
        # printed[3].zone: the third [[printed]] of the file, and the key in it.
        if numbered := re.match(r"(\w+)\[(\d+)\]\.", key):
            headers = list(re.finditer(rf"^[ \t]*\[\[\s*{numbered[1]}\s*\]\]", self.text, re.MULTILINE))
            ordinal = int(numbered[2])
            if ordinal > len(headers):
                return None
            start = headers[ordinal - 1].start()
            # A key within a key (`when.Type.`): a line begins with its first word.
            name = (key[numbered.end() :].split(".")[0] or name) if key[numbered.end() :] else name
        elif named := re.match(r"(\w+)\.", key):
            header = re.search(rf"^[ \t]*\[\s*{named[1]}\s*\]", self.text, re.MULTILINE)
            start = header.start() if header else 0
            name = key[named.end() :].split(".")[0] or name
        # The table ends where the next one begins, on a line that begins with a bracket.
        following = re.compile(r"^[ \t]*\[", re.MULTILINE).search(self.text, self.text.find("\n", start) + 1 or end)
        if following and key:
            end = following.start()
        # A key may be in quotes.
        word = rf"[\"']?{re.escape(name)}[\"']?"
        heading = "" if key else rf"|\[+[ \t]*{word}[ \t]*[].]"
        # `name =`, `name.more =`; at the top level also a table of that name, `[name]`.
        found = re.compile(rf"^[ \t]*(?:{word}\s*[=.]{heading})", re.MULTILINE).search(self.text, start, end)
        if found:
            # From the first character that is not a space.
            start = found.start() + len(found.group()) - len(found.group().lstrip())
        elif not key:
            return None
        # Lines are counted from 1.
        return self.text.count("\n", 0, start) + 1


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def one_line(value: object) -> str:
    """Return a value from the file as one short line."""
    text = repr(value)
    return text if len(text) <= LONGEST_KEY else f"{text[:LONGEST_KEY]}…"


def sentence_list(words: tuple[str, ...] | list[str]) -> str:
    """Join words as in a sentence."""
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else words[0]


_LIMITS: Final = Limits(LARGEST, depth=_DEEPEST, key=LONGEST_KEY)


def check_size(size: int, name: str, what: str) -> None:
    """Raise CatalogError if a file is too large to be a `what`, such as a layout."""
    if size > LARGEST:
        raise FileFormatError(f"{with_article(what)} is at most {LARGEST >> 10} KiB, and this is larger.", file=name)


def read_file(path: Path, what: str) -> str:
    """Return the text of a user's file.

    Raises:
        CatalogError: If it cannot be read, is too large, or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        check_size(len(raw), path.name, what)
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{with_article(what)} must be UTF-8 text (byte {error.start}).", file=path) from None
    except OSError as error:
        raise FileFormatError(f"{error.strerror or error}.", file=path) from None


def own_folders(variable: str, name: str) -> list[Path]:
    """Return the folders of users' own files: those that an environment variable names, or else one in their data."""
    if named := os.environ.get(variable):
        return [Path(folder).expanduser() for folder in named.split(os.pathsep) if folder]
    return [user_folder("data") / name]


def own_files(folders: Sequence[Path]) -> dict[str, Path]:
    """Return users' own TOML files by name without suffix; of two with one name, that in the earlier folder."""
    found = dict[str, Path]()
    for folder in reversed(folders):
        with suppress(OSError):  # ignore a folder that is missing or unreadable
            found.update((path.stem, path) for path in sorted(folder.iterdir()) if path.suffix == SUFFIX)
    return found


def read_own_files(
    files: Mapping[str, Path], what: str, parse: Callable[[str, str], Parsed]
) -> tuple[dict[str, Parsed], list[CatalogError]]:
    """Parse users' own files, and return what they contain, by name, and what is wrong with the unreadable ones.

    Args:
        files: The paths by name.
        what: What errors call such a file, such as `layout`.
        parse: Takes the text of a file and its name.
    """
    read, wrong = dict[str, Parsed](), list[CatalogError]()
    for name, path in files.items():
        try:
            read[name] = parse(read_file(path, what), path.name)
        except CatalogError as error:
            wrong.append(error)
    return read, wrong
