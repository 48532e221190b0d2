"""Export of cards as JSON Lines, JSON, CSV, Parquet or a spreadsheet."""

import atexit
import gc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from shutil import copyfileobj
from typing import Any, Final

from ccgrid.catalog.card_answers import ExportedCard
from ccgrid.catalog.csv_lines import csv_line
from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.extras import check_installed
from ccgrid.catalog.files import atomic_binary_file, atomic_text_file, ending_of
from ccgrid.catalog.json_lines import json_array
from ccgrid.catalog.temporary import temporary_folder
from ccgrid.catalog.workbooks import write_workbook
from ccgrid.catalog.zones import ZONES
from ccgrid.view.output import json_line, to_json_values
from ccgrid.view.streams import write_data

COLUMNS: Final = {
    **dict.fromkeys(("id", "game", "name", "set_code", "collector_number"), "VARCHAR"),
    **dict.fromkeys(ZONES, "INTEGER"),
    "face": "INTEGER[]",
    "score": "INTEGER",
    "legal": "BOOLEAN",
    "reason": "VARCHAR",
    "attack": "INTEGER",
    "defense": "INTEGER",
    **dict.fromkeys(("released", "type", "rarity", "cost"), "VARCHAR"),
    "mana_value": "DOUBLE",
    **dict.fromkeys(("colours", "identity", "keywords"), "VARCHAR[]"),
    **dict.fromkeys(("artist", "fields", "text"), "VARCHAR"),
}
"""The columns of a table of cards and their DuckDB types; each value may be null. `fields` is a JSON object."""


def _json_lines(cards: Iterable[ExportedCard]) -> Iterator[str]:
    for card in cards:
        yield json_line(card) + "\n"


def _csv(cards: Iterable[ExportedCard]) -> Iterator[str]:
    """Yield a table with a column per zone; cells that a spreadsheet would run are escaped with an apostrophe."""
    yield csv_line(list(COLUMNS))
    for card in cards:
        row = _row(card)
        lists = {name: ", ".join(row[name] or ()) for name in ("colours", "identity", "keywords")}
        yield csv_line([*{**row, **lists, "face": " ".join(map(str, card.face))}.values()])


def _row(card: ExportedCard) -> dict[str, Any]:
    """Return the values of a card by column."""
    answer = to_json_values(card)
    values = {**answer, **answer["zones"], "fields": json_line(answer["fields"]) if answer["fields"] else None}
    return {column: values[column] for column in COLUMNS}


def _write_parquet(cards: Iterable[ExportedCard], output: Path) -> None:
    """Write a Parquet file with the types of `COLUMNS`; `face` is a list.

    Raises:
        CatalogError: If DuckDB is not installed or reports an error.
    """
    check_installed("parquet", "Parquet")
    import duckdb

    atexit.register(gc.unfreeze)  # DuckDB reports its own frozen objects as leaks at exit
    with temporary_folder() as folder, atomic_binary_file(output) as file:
        rows, table = folder / "rows", folder / "table"
        with atomic_text_file(rows) as lines:
            lines.writelines(json_line(_row(card)) + "\n" for card in cards)
        try:
            with duckdb.connect(config={"temp_directory": str(folder / "spilled")}) as connection:
                read = connection.read_json(str(rows), format="newline_delimited", columns=dict(COLUMNS))
                read.write_parquet(str(table))
        except duckdb.Error as error:
            raise CatalogError(f"{output} cannot be written as Parquet: {str(error).splitlines()[0]}") from None
        with table.open("rb") as written:
            copyfileobj(written, file)


def format_of(output: Path | None) -> str:
    """Return the format that the ending of a file means, or JSON Lines if it has none.

    Raises:
        NoSuchNameError: If no format has this ending.
    """
    ending = ending_of(output).removeprefix(".")
    if ending and ending not in FORMATS:
        known = [f".{one}" for one in FORMATS]
        raise NoSuchNameError(
            f"{output}: no format has the ending .{ending}. Known are {', '.join(known)}; or choose a --format.",
            kind="ending",
            name=f".{ending}",
            known=known,
        )
    return ending or "jsonl"


_TEXTS: Final[dict[str, Callable[[Iterable[ExportedCard]], Iterator[str]]]] = {
    "jsonl": _json_lines,
    "json": lambda cards: json_array(_json_lines(cards)),
    "csv": _csv,
}
PARQUET: Final = "parquet"
WORKBOOK: Final = "xlsx"
FILES_ONLY: Final = (PARQUET, WORKBOOK)
FORMATS: Final = (*_TEXTS, *FILES_ONLY)


def write_cards(cards: Iterable[ExportedCard], form: str, output: Path | None) -> None:
    """Write cards in one of the `FORMATS` to a file, atomically, or line by line to standard output.

    Parquet and spreadsheets are binary, and need a file.
    """
    if form == PARQUET and output is not None:
        _write_parquet(cards, output)
        return
    if form == WORKBOOK and output is not None:
        with atomic_binary_file(output) as workbook:
            write_workbook(_csv(cards), workbook)
        return
    lines = _TEXTS[form](cards)
    if output is None:
        write_data(lines)
        return
    with atomic_text_file(output) as file:
        file.writelines(lines)
