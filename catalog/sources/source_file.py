"""Reading of files of sources: TOML in, checked sources out, or an error that names the line and the key."""

import re
from typing import Any, Final

from ccgrid.catalog.card import LONGEST_NAME
from ccgrid.catalog.checked_file import CheckedFile, TomlTable
from ccgrid.catalog.sources.source import Source

_REQUIRED: Final = ("name", "title", "keeper")
_TEXTS: Final = (*_REQUIRED, "address", "module", "note", "group", "manual", "terms")
_LISTS: Final = ("parts", "own_files", "aliases")


def parse_sources(text: str, file_name: str) -> tuple[Source, ...]:
    """Return the sources that a file describes; errors call it `file_name`.

    Raises:
        CatalogError: If the file is not TOML, or a key is wrong; the message names the line and the key.
    """
    return _SourceFile(text, file_name).sources()


class _SourceFile(CheckedFile):
    """A file of sources, while it is being read."""

    what = "file of sources"

    def sources(self) -> tuple[Source, ...]:
        table = self._parsed()
        self._known(table, {"format", "source"}, "", "")
        self._check_format(table)
        return tuple(
            self._source(one, f"source[{number}].") for number, one in enumerate(self._tables(table, "source"), 1)
        )

    def _source(self, table: TomlTable, key: str) -> Source:
        self._known(table, {"layout", *_TEXTS, *_LISTS}, key, key)
        values: dict[str, Any] = {name: self._text(table, name, key, required=name in _REQUIRED) for name in _TEXTS}
        values |= {name: self._texts(table, name, key) for name in _LISTS}
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", values["name"]):
            self._fail(key, "name", 'is a short name of lower-case letters, digits, - and _, such as "spellfire"')
        if len(values["title"]) > LONGEST_NAME:
            self._fail(key, "title", f"has {len(values['title']):,} characters; the maximum is {LONGEST_NAME}")
        # Only the modules of this folder: a file of facts must not be able to run other code.
        if not re.fullmatch(r"[a-z_]*", values["module"]):
            self._fail(key, "module", 'is the name of a reader that ccgrid has, such as "lackey"')
        return Source(**values, layout=self._text(table, "layout", key, required=not values["module"]) or None)
