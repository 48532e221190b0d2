"""Reading of layout files, and the layouts of users, of ccgrid and of installed packages."""

import datetime
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, cast, get_args

from ccgrid.catalog.card import LONGEST_NAME, PLAYSET
from ccgrid.catalog.checked_file import (
    MOST_LINES,
    SUFFIX,
    CheckedFile,
    TomlTable,
    one_line,
    own_files,
    own_folders,
    read_file,
    read_own_files,
    sentence_list,
)
from ccgrid.catalog.errors import CatalogError, FileFormatError, NoSuchNameError
from ccgrid.catalog.evidence import CONFIDENCES
from ccgrid.catalog.layouts.layout import Lackey, Layout, Octgn
from ccgrid.catalog.layouts.printed_fields import (
    ALWAYS_PRINTED,
    DESCRIBED,
    NAMES,
    Column,
    Condition,
    DataColumns,
    Ends,
    Exclusion,
    PrintedField,
    Test,
    as_text,
)
from ccgrid.catalog.numbers import Digits, Part, Slash
from ccgrid.catalog.plugins import find_plugins, instance_of, load_plugin, load_plugins
from ccgrid.catalog.zones import PLACES

MOST_IN_PLAYSET: Final = 1000  # copies
PLUGINS: Final = "ccgrid.layouts"
"""The group of entry points of layouts."""
_SLASHES: Final = get_args(Slash)
_PRINTED: Final = {
    *("field", "text", "zone", "read", "slash", "part", "digits", "left_out", "only", "ignore"),
    *("when", "unless", "confidence", "note"),
}
_READS: Final = ("numbers", "collector")


def parse_layout(text: str, name: str) -> Layout:
    """Return the layout in the text of a file; errors call it `name`.

    Raises:
        FileFormatError: If the text is not a layout; the message names the line and the key.
    """
    return _LayoutFile(text, name).layout()


class _LayoutFile(CheckedFile):
    """A layout file, while it is being read."""

    what = "layout"

    def layout(self) -> Layout:
        table = self._parsed()
        known = {"format", "game", "name", "slash", "playset", "printed", "barred", "stats", "columns"}
        self._known(table, known | {"lackey", "octgn"}, "", "")
        self._check_format(table)
        game = self._text(table, "game", "", required=True)
        # spellfire · l5r · doomtown_reloaded
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", game):
            self._fail("", "game", 'is a short name of lower-case letters, digits, - and _, such as "spellfire"')
        slash = cast(Slash, self._choice(table, "slash", "", _SLASHES, "fraction"))
        lines = [self._printed(line, i, slash) for i, line in enumerate(self._tables(table, "printed"))]
        if not lines:
            raise FileFormatError("no [[printed]] table, so no card would have a number.", file=self.name)
        stats = self._table(table, "stats")
        self._known(stats, {"attack", "defense"}, "stats", "stats.")
        title = self._text(table, "name", "") or game
        if len(title) > LONGEST_NAME:
            self._fail("", "name", f"has {len(title):,} characters; the maximum is {LONGEST_NAME}")
        return Layout(
            game=game,
            name=title,
            printed=tuple(lines),
            barred=tuple(self._barred(line, i) for i, line in enumerate(self._tables(table, "barred"))),
            attack=self._text(stats, "attack", "stats.") or None,
            defense=self._text(stats, "defense", "stats.") or None,
            columns=self._columns(self._table(table, "columns")),
            lackey=self._lackey(self._table(table, "lackey")) if "lackey" in table else None,
            octgn=self._octgn(self._table(table, "octgn")) if "octgn" in table else None,
            playset=self._playset(table),
        )

    def _playset(self, table: TomlTable) -> int:
        playset = table.get("playset", PLAYSET)
        if not isinstance(playset, int) or isinstance(playset, bool) or not 0 < playset < MOST_IN_PLAYSET:
            self._fail("", "playset", f"is {one_line(playset)}; it is how many copies of a card a deck may have")
        return playset

    def _printed(self, line: TomlTable, index: int, slash: Slash) -> PrintedField:
        key = f"printed[{index + 1}]."
        self._known(line, _PRINTED, key, key)
        ignore = line.get("ignore", [])
        if not isinstance(ignore, list) or not all(isinstance(v, int) and not isinstance(v, bool) for v in ignore):
            self._fail(key, "ignore", "must be a list of numbers meaning “not printed”, such as [0]")
        read = self._choice(line, "read", key, _READS, "numbers")
        for word in ("part", "digits"):
            if word in line and read != "collector":
                self._fail(key, word, 'belongs to read = "collector"')
        text = self._text(line, "text", key)
        return PrintedField(
            field=self._text(line, "field", key, required=not text) or ALWAYS_PRINTED,
            zone=self._choice(line, "zone", key, PLACES, None),
            read=read,
            slash=cast(Slash, self._choice(line, "slash", key, _SLASHES, slash)),
            part=self._part(line, key),
            ignore=tuple(ignore),
            condition=self._condition(line, key),
            confidence=self._choice(line, "confidence", key, CONFIDENCES, "high"),
            note=self._text(line, "note", key),
            text=text,
            digits=self._digits(line, key),
            left_out=self._ends(line, "left_out", key),
            only=self._ends(line, "only", key),
        )

    def _digits(self, line: TomlTable, key: str) -> Digits | None:
        if "digits" not in line:
            return None
        found = line["digits"]
        if not isinstance(found, list) or not all(type(digit) is int for digit in found) or len(found) != 2:
            self._fail(key, "digits", "is the first and the last digit that count, such as [2, 4]")
        if not 1 <= found[0] <= found[1] <= 99:
            self._fail(key, "digits", f"is {one_line(found)}; digits are counted from 1, the first before the last")
        return found[0], found[1]

    def _ends(self, line: TomlTable, name: str, key: str) -> Ends | None:
        table = line.get(name)
        if table is None:
            return None
        if (
            not isinstance(table, dict)
            or not table
            or not all(isinstance(text, str) and text for text in table.values())
        ):
            self._fail(key, name, 'is a table such as { start = "#" } or { end = "-#" }, with # for digits')
        self._known(table, {"start", "end"}, f"{key}{name}", f"{key}{name}.")
        return Ends(table.get("start", ""), table.get("end", ""))

    def _columns(self, table: TomlTable) -> DataColumns:
        key = "columns."
        self._known(table, {"rows", "each", "files", "trim", "fields", "ids", *NAMES, *DESCRIBED}, "columns", key)
        return DataColumns(
            rows=self._text(table, "rows", key),
            each=self._text(table, "each", key),
            files=self._texts(table, "files", key),
            trim=self._text(table, "trim", key),
            columns=tuple(
                (name, self._column(table[name], name, key)) for name in (*NAMES, *DESCRIBED) if name in table
            ),
            fields=self._texts(table, "fields", key) if "fields" in table else None,
            ids=self._ids(self._table(table, "ids")),
        )

    def _column(self, value: object, name: str, key: str) -> Column:
        if isinstance(value, list) and value:
            column, *others = (self._column(one, name, key) for one in value)
            return column._replace(others=tuple(others))
        parts = {"field": value} if isinstance(value, str) else value
        numbers = ("part", "digits")
        texts = [text for word, text in parts.items() if word not in numbers] if isinstance(parts, dict) else []
        if not texts or not all(isinstance(text, str) and text for text in texts):
            self._fail(
                key,
                name,
                'is a field such as "Number", a table such as { field = "Name", before = " (" }, or a list of them',
            )
        table = cast(TomlTable, parts)
        self._known(table, {"field", "after", "before", "part", "digits"}, f"{key}{name}", f"{key}{name}.")
        part = self._part(table, f"{key}{name}.") if "part" in table else 0
        # Runs are numbered from 1; -1 is the last.
        run = {"first": 1, "last": -1}.get(str(part), part)
        field = self._text(table, "field", f"{key}{name}.", required=True)
        digits = self._digits(table, f"{key}{name}.")
        column = Column(field, table.get("after", ""), table.get("before", ""), cast(int, run), digits=digits)
        if "{" in column.source and not column.paths():
            self._fail(key, name, "has a brace without a field's name in it")
        return column

    def _ids(self, table: TomlTable) -> tuple[tuple[str, Column], ...]:
        key = "columns."
        for kind in table:
            if not re.fullmatch(r"[a-z]{1,40}", kind):
                self._fail(key, "ids", f"has {one_line(kind)}: a kind of id consists of small letters")
        return tuple((kind, self._column(column, "ids", key)) for kind, column in table.items())

    def _lackey(self, table: TomlTable) -> Lackey:
        key = "lackey."
        self._known(table, {"names", "columns", "updatelist", "keeper"}, "lackey", key)
        names, columns = self._texts(table, "names", key), self._texts(table, "columns", key)
        if not names and not columns:
            self._fail("", "lackey", "needs names or columns to recognise a plugin")
        return Lackey(names, columns, self._text(table, "updatelist", key), self._text(table, "keeper", key))

    def _octgn(self, table: TomlTable) -> Octgn:
        key = "octgn."
        self._known(table, {"games", "properties", "cases"}, "octgn", key)
        games, cases = self._texts(table, "games", key), self._tables(table, "cases")
        if not games:
            self._fail("", "octgn", "needs games, whose ids recognise sets")
        for case in cases:
            self._known(case, {"when", "unless", "properties"}, "octgn.cases", key)
        return Octgn(
            tuple(map(str.casefold, games)),
            self._renamed(table, key),
            tuple((self._condition(case, key), self._renamed(case, key)) for case in cases),
        )

    def _renamed(self, table: TomlTable, key: str) -> tuple[tuple[str, str], ...]:
        renamed = self._table(table, "properties")
        if not all(isinstance(field, str) and field for field in renamed.values()):
            self._fail(key, "properties", 'is a table of fields, such as { Attack = "atk" }')
        return tuple(renamed.items())

    def _barred(self, line: TomlTable, index: int) -> Exclusion:
        key = f"barred[{index + 1}]."
        self._known(line, {"reason", "when", "unless"}, key, key)
        reason = self._text(line, "reason", key, required=True)
        # digital · oversized · data:badges · layout:token · layout:{Type}
        if not re.fullmatch(r"digital|oversized|data:[\w-]{1,40}|layout:(?:[\w-]+|\{[^{}]{1,100}\})", reason):
            self._fail(key, "reason", 'is "digital", "oversized", "layout:NAME", "layout:{field}" or "data:NAME"')
        condition = self._condition(line, key)
        if not condition.when and not condition.unless:
            self._fail(key, "when", "is missing: without it no card would be legal")
        return Exclusion(reason, condition)

    def _part(self, line: TomlTable, key: str) -> Part:
        part = line.get("part", "first")
        # True is a number in Python.
        counted = isinstance(part, int) and not isinstance(part, bool) and 1 <= part <= 99
        if part not in ("first", "last") and not counted:
            self._fail(key, "part", f'is {one_line(part)}; it is "first", "last" or which run of digits counts, from 1')
        return cast(Part, part)

    def _condition(self, line: TomlTable, key: str) -> Condition:
        return Condition(self._alternatives(line, "when", key), self._alternatives(line, "unless", key))

    def _alternatives(self, line: TomlTable, name: str, key: str) -> tuple[tuple[Test, ...], ...]:
        value = line.get(name, [])
        tables = [value] if isinstance(value, dict) else value
        if not isinstance(tables, list) or not all(isinstance(table, dict) and table for table in tables):
            self._fail(key, name, 'is a table such as { frame = "2015" }, or a list of such tables')
        if len(tables) > MOST_LINES:
            self._fail(key, name, f"has over {MOST_LINES} tables")
        return tuple(
            tuple(test for field, wanted in table.items() for test in self._tests(field, wanted, f"{key}{name}."))
            for table in tables
        )

    def _tests(self, field: str, wanted: object, key: str) -> list[Test]:
        if not isinstance(wanted, dict):
            return [Test(field, "is", self._wanted(field, wanted, key))]
        known = ("has", "lacks", "from", "before", "present")
        if not wanted:
            self._fail(key, field, f"is empty; it may hold {sentence_list(known)}")
        tests = []
        for kind, value in wanted.items():
            if kind not in known:
                self._fail(key, f"{field}.{kind}", f"is not known; there are {sentence_list(known)}")
            values = self._wanted(f"{field}.{kind}", value, key)
            if kind in ("from", "before", "present") and len(values) != 1:
                self._fail(key, f"{field}.{kind}", "is one value")
            if kind == "present" and values[0] not in ("true", "false"):
                self._fail(key, f"{field}.{kind}", "is true or false")
            tests.append(Test(field, kind, values))
        return tests

    def _wanted(self, name: str, value: object, key: str) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        if not values or not all(isinstance(v, (str, int, float, datetime.date)) for v in values):
            self._fail(key, name, "is a text, a number, true or false, a date, or a list of such values")
        return tuple(as_text(v) for v in values)


def user_folders() -> list[Path]:
    """Return the folders of users' own layouts: `$CCGRID_LAYOUTS`, or else one in the user data folder."""
    return own_folders("CCGRID_LAYOUTS", "layouts")


def layout_files() -> dict[str, Path | None]:
    """Return the names of all layouts, in alphabetical order, with the file of each if it is a user's own."""
    others = dict.fromkeys((*_shipped_names(), *find_plugins(PLUGINS)))
    return dict(sorted({**others, **own_files(user_folders())}.items()))


def find_layout(game: str) -> Layout:
    """Return the layout of this name: a user's own, else a shipped one, or else that of an installed package.

    Raises:
        NoSuchNameError: If there is none; the message lists the names.
        CatalogError: If it cannot be read.
    """
    if path := own_files(user_folders()).get(game):
        return load_layout(path)
    if game in _shipped_names():
        return _shipped_layout(game)
    if plugin := find_plugins(PLUGINS).get(game):
        return load_plugin(plugin, instance_of(Layout, "game"))
    raise NoSuchNameError(
        f"No layout for the game {game!r}. There are layouts for: {', '.join(layout_files())}.",
        kind="layout",
        name=game,
        known=layout_files(),
    )


def game_title(game: str) -> str:
    """Return the title of a card game, or its name if it has no layout, as for cards entered by hand."""
    try:
        return find_layout(game).name
    except CatalogError:
        return game


@cache
def _shipped_names() -> frozenset[str]:
    files = resources.files("ccgrid.data.layouts").iterdir()
    return frozenset(file.name.removesuffix(SUFFIX) for file in files if file.name.endswith(SUFFIX))


@cache
def _shipped_layout(game: str) -> Layout:
    text = (resources.files("ccgrid.data.layouts") / f"{game}{SUFFIX}").read_text(encoding="utf-8")
    return parse_layout(text, f"{game}{SUFFIX}")


def all_layouts() -> tuple[list[Layout], list[CatalogError]]:
    """Return all layouts in the order of their names, and what is wrong with users' own that cannot be read."""
    own, wrong = read_own_files(own_files(user_folders()), _LayoutFile.what, parse_layout)
    shipped = {name: _shipped_layout(name) for name in _shipped_names()}
    layouts = {**load_plugins(PLUGINS, instance_of(Layout, "game")), **shipped, **own}
    return [layouts[name] for name in sorted(layouts)], wrong


def load_layout(path: Path) -> Layout:
    """Return the layout in a file.

    Raises:
        CatalogError: If the file cannot be read; the message names the line or the key.
    """
    return parse_layout(read_file(path, "layout"), path.name)
