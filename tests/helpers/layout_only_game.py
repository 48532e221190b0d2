"""A made-up game that is described only by a layout."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from ccgrid.catalog.layouts.described import read_tree
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.catalog.printing import Printing, SourceRow
from ccgrid.catalog.readers.archives import Tree

DRAGONS = """
format = 1
game = "dragons"
name = "Dragons"

[[printed]]
field = "Fire"
zone = "top-left"

[[printed]]
field = "Text"
zone = "face"
"""
HEADER = "Name,Set,Number,Fire,Text"


class MemoryTree(Tree):
    """A data set in memory."""

    def __init__(self, **files: bytes) -> None:
        super().__init__("held", [name.replace("__", "/").replace("_", ".") for name in files])
        self.files = dict(zip(self.names, files.values(), strict=True))

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        yield io.BytesIO(self.files[name])


def layout(columns: str = "", text: str = DRAGONS) -> Layout:
    return parse_layout(text + columns, "dragons.toml")


def rows(content: bytes | str, columns: str = "", *, name: str = "cards_csv", text: str = DRAGONS) -> list[SourceRow]:
    return read(content, columns, name=name, text=text)[0]


def read(
    content: bytes | str, columns: str = "", *, name: str = "cards_csv", text: str = DRAGONS
) -> tuple[list[SourceRow], list[str]]:
    """Return the rows of one file, and the warnings."""
    body = content.encode() if isinstance(content, str) else content
    remarks: list[str] = []
    return list(read_tree(MemoryTree(**{name: body}), layout(columns, text), remarks.append)), remarks


def printings(content: bytes | str, columns: str = "", **options: Any) -> list[Printing]:
    found = rows(content, columns, **options)
    assert all(isinstance(row, Printing) for row in found), found
    return [row for row in found if isinstance(row, Printing)]
