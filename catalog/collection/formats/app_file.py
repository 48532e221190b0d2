"""Reads the file of an app: TOML in, a checked `App` out, or an error that names the line and the key."""

from collections.abc import Mapping
from typing import Any, Final

from ccgrid.catalog.checked_file import CheckedFile, one_line
from ccgrid.catalog.collection.formats.app import App, Dialect
from ccgrid.catalog.words import CONDITIONS, FIELDS, vocabulary

_DELIMITERS: Final = (",", ";", "\t", "|")
_SWITCHES: Final = ("reads_only", "free_columns", "free_finish", "capitals", "language_codes")
_TEXTS: Final = ("name", "delimiter", "yes", "no")
_LISTS: Final = ("games", "needs")
_TABLES: Final = ("columns", "also", "finishes", "conditions", "languages")


def parse_app(text: str, code: str, file_name: str) -> App:
    """Return the app that a file describes; `code` is what people type for it, `file_name` what errors call it.

    Raises:
        CatalogError: If a key is wrong; it names the line and the key.
    """
    return _AppFile(text, file_name).app(code)


def _is_field(name: str) -> bool:
    """Return whether there is such a field, which may be of one finish: `copies:etched`, `finish:etched`."""
    kind, _, finish = name.partition(":")
    return name in FIELDS or (bool(finish) and kind in ("copies", "finish"))


class _AppFile(CheckedFile):
    """One file of an app being read."""

    what = "format"

    def app(self, code: str) -> App:
        table = self._parsed()
        self._known(table, {"format", *_SWITCHES, *_TEXTS, *_LISTS, *_TABLES}, "", "")
        self._check_format(table)
        for name in _SWITCHES:
            if not isinstance(table.get(name, False), bool):
                self._fail("", name, "is true or false")
        columns, also = (self._columns(table, name) for name in ("columns", "also"))
        if not columns:
            self._fail("", "columns", 'is missing: a table of headings such as Count = "copies"')
        needs = self._texts(table, "needs", "")
        if not needs:
            self._fail("", "needs", "is missing: the headings by which a table of this app is recognised")
        for heading in needs:
            if heading not in {one for one, _ in (*columns, *also)}:
                self._fail("", "needs", f"names {one_line(heading)}, which is no heading of [columns] or [also]")
        return App(
            code,
            self._text(table, "name", "") or code,
            columns,
            needs,
            self._dialect(table),
            also,
            self._choice(table, "delimiter", "", _DELIMITERS, ","),
            not table.get("reads_only", False),
            table.get("free_columns", False),
            self._texts(table, "games", ""),
        )

    def _columns(self, table: Mapping[str, object], name: str) -> tuple[tuple[str, str], ...]:
        columns = self._table(table, name)
        for heading, field in columns.items():
            if not isinstance(field, str) or (field and field[0] not in "=@" and not _is_field(field)):
                self._fail(
                    f"{name}.",
                    heading,
                    f'is {one_line(field)}; it is a field such as "copies", "" for what is passed over, or "=TEXT"',
                )
        return tuple(columns.items())

    def _dialect(self, table: Mapping[str, Any]) -> Dialect:
        codes = {code: code for code in vocabulary().language_names} if table.get("language_codes") else {}
        given: dict[str, Any] = {}
        if "finishes" in table:
            given["finishes"] = self._words(table, "finishes")
        conditions = self._table(table, "conditions")
        self._known(conditions, set(CONDITIONS), "conditions", "conditions.")
        words = {
            meaning: self._texts(conditions, meaning, "conditions.")
            if isinstance(said, list) and said
            # An empty text is a word, too: the app writes nothing.
            else (self._text(conditions, meaning, "conditions."),)
            for meaning, said in conditions.items()
        }
        return Dialect(
            **given,
            conditions={meaning: said[0] for meaning, said in words.items()},
            other_conditions={word: meaning for meaning, said in words.items() for word in said[1:]},
            languages={**codes, **self._words(table, "languages")},
            yes=self._text(table, "yes", "") if "yes" in table else "yes",
            no=self._text(table, "no", ""),
            free_finish=table.get("free_finish", False),
            capitals=table.get("capitals", False),
        )

    def _words(self, table: Mapping[str, object], name: str) -> dict[str, str]:
        inner = self._table(table, name)
        return {meaning: self._text(inner, meaning, f"{name}.") for meaning in inner}
