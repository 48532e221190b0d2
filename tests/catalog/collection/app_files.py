"""Helpers for reading and writing files of other apps."""

from pathlib import Path

from ccgrid.catalog.collection.formats import FileRows, find_format, open_rows
from ccgrid.catalog.collection.formats.format import SkippedRow
from ccgrid.catalog.collection.formats.table_columns import parse_map
from ccgrid.catalog.matching.rows import Row


def read(path: Path, form: str = "", columns: str = "") -> FileRows:
    wanted = find_format(form) if form else None
    return open_rows(path, path.name, wanted, parse_map(columns) if columns else None, lambda remark: None)


def rows(path: Path, form: str = "", columns: str = "") -> list[Row | SkippedRow]:
    return list(read(path, form, columns).rows)


def write(folder: Path, text: str | bytes, name: str = "file.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def written(form, holdings, folder: Path) -> Path:
    path = folder / f"{form.name}.out"
    path.write_text("".join(form.write(holdings)), encoding="utf-8")
    return path
