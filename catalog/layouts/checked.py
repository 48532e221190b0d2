"""A TOML file being checked: it knows where each table and key stands, so that an error can name its line."""

import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from catalog.card import CatalogError

MOST_LINES: Final = 1000
"""So many tables of one kind a file may have."""
LONGEST_KEY: Final = 100


class CheckedFile:
    """The text of a file, the tables in it, and what is wrong with them as CatalogError."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def _tables(self, table: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
        tables = table.get(name, [])
        if not isinstance(tables, list) or not all(isinstance(line, dict) for line in tables):
            self._fail("", name, f"is written as tables: [[{name}]]")
        if len(tables) > MOST_LINES:
            self._fail("", name, f"has over {MOST_LINES} tables")
        return tables

    def _table(self, table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        found = table.get(name, {})
        if not isinstance(found, dict):
            self._fail("", name, f"is a table: [{name}]")
        return found

    def _texts(self, table: Mapping[str, Any], name: str, key: str) -> tuple[str, ...]:
        value = table.get(name, [])
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(text, str) and text for text in texts):
            self._fail(key, name, "is a list of texts in quotes")
        return tuple(texts)

    def _text(self, table: Mapping[str, Any], name: str, key: str, *, required: bool = False) -> str:
        value = table.get(name, "")
        if not isinstance(value, str):
            self._fail(key, name, "is a text in quotes")
        if required and not value:
            self._fail(key, name, "is missing")
        return value

    def _choice(
        self, table: Mapping[str, Any], name: str, key: str, choices: tuple[str, ...], default: str | None
    ) -> str:
        value = table.get(name, default)
        if value is None:
            self._fail(key, name, f"is missing; it is one of {listed(choices)}")
        if value not in choices:
            self._fail(key, name, f"is {shown(value)}; it is one of {listed(choices)}")
        return str(value)

    def _known(self, table: Mapping[str, Any], known: set[str], table_name: str, key: str) -> None:
        for name in table:
            if name not in known:
                self._fail(
                    key, name, f"is not known; {table_name.rstrip('.') or 'a layout'} may hold {listed(sorted(known))}"
                )

    def _fail(self, key: str, name: str, what: str) -> NoReturn:
        line = self._line(key, name.split(".")[0])
        raise CatalogError(f"{self.name}{f', line {line}' if line else ''}: {key}{name} {what}.")

    def _line(self, key: str, name: str) -> int | None:
        """The line on which a key stands, or that of its table; None where the file writes it in another form."""
        start, end = 0, len(self.text)
        if numbered := re.match(r"(\w+)\[(\d+)\]\.", key):
            headers = list(re.finditer(rf"^[ \t]*\[\[\s*{numbered[1]}\s*\]\]", self.text, re.MULTILINE))
            ordinal = int(numbered[2])
            if ordinal > len(headers):
                return None
            start = headers[ordinal - 1].start()
            name = (key[numbered.end() :].split(".")[0] or name) if key[numbered.end() :] else name
        elif named := re.match(r"(stats|columns|lackey)\.", key):
            header = re.search(rf"^[ \t]*\[\s*{named[1]}\s*\]", self.text, re.MULTILINE)
            start = header.start() if header else 0
            name = key[named.end() :].split(".")[0] or name
        following = re.compile(r"^[ \t]*\[", re.MULTILINE).search(self.text, self.text.find("\n", start) + 1 or end)
        if following and key:
            end = following.start()
        word = rf"[\"']?{re.escape(name)}[\"']?"
        heading = "" if key else rf"|\[+[ \t]*{word}[ \t]*[].]"
        found = re.compile(rf"^[ \t]*(?:{word}\s*[=.]{heading})", re.MULTILINE).search(self.text, start, end)
        if found:
            start = found.start() + len(found.group()) - len(found.group().lstrip())
        elif not key:
            return None
        return self.text.count("\n", 0, start) + 1


def shown(value: object) -> str:
    """A value from the file in one short line."""
    text = repr(value)
    return text if len(text) <= LONGEST_KEY else f"{text[:LONGEST_KEY]}…"


def listed(words: tuple[str, ...] | list[str]) -> str:
    """Words as a sentence lists them."""
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else words[0]
