"""Tests of the export of cards as Parquet, with the type of every column."""

import json
import subprocess
import sys
from typing import Any

import pytest
from helpers.catalogues import Shell, row, rows

from ccgrid.catalog.extras import install_command
from ccgrid.catalog.zones import ZONES

TYPES = {
    "id": "VARCHAR",
    "game": "VARCHAR",
    "name": "VARCHAR",
    "set_code": "VARCHAR",
    "collector_number": "VARCHAR",
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


@pytest.fixture
def example_catalogue(shell: Shell) -> Shell:
    """A catalogue in which only the last card has a number at the top, and one name has accents and quotation marks."""
    shell.import_rows([*rows(30), row(31, name="Ærøskøb, “Ört”", power="3", toughness="4")])
    shell.good("card", "add", "--name", "Zebra", "--game", "zoo", "--top", "7", "--left", "2")
    return shell


def read(duckdb: Any, file: Any) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return the types of the columns and the rows of a Parquet file."""
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(file))
        types = dict(zip(table.columns, map(str, table.types), strict=True))
        return types, [dict(zip(table.columns, row, strict=True)) for row in table.fetchall()]


@pytest.mark.parametrize("options", [("-o", "cards.parquet"), ("--format", "parquet", "-o", "cards")])
def test_parquet_contains_every_card_with_all_zones_and_types(
    example_catalogue: Shell, options: tuple[str, ...]
) -> None:
    duckdb = pytest.importorskip("duckdb")
    target = example_catalogue.folder / options[-1]
    example_catalogue.good("export", *options[:-1], target)
    types, table = read(duckdb, target)
    assert types == TYPES
    cards = [{**card.pop("zones"), **card} for card in example_catalogue.good("export", "--json").json_lines]
    fields = [card["fields"] and json.loads(card["fields"]) for card in table]
    assert [{**card, "fields": texts or {}} for card, texts in zip(table, fields, strict=True)] == cards
    assert {"power": "3", "toughness": "4"} in fields
    assert [card["top"] for card in table if card["top"] is not None] == [7]


def test_parquet_replaces_only_lists_of_cards(example_catalogue: Shell) -> None:
    duckdb = pytest.importorskip("duckdb")
    target, other = example_catalogue.folder / "cards.parquet", example_catalogue.folder / "other.parquet"
    example_catalogue.good("export", "-o", target)
    example_catalogue("export", "-o", target).fails("exists already")
    example_catalogue.good("export", "--game", "zoo", "-o", target, "--force")
    assert [card["name"] for card in read(duckdb, target)[1]] == ["Zebra"]
    with duckdb.connect() as connection:
        connection.sql("SELECT 1 AS id, 'x' AS name").write_parquet(str(other))
    before = other.read_bytes()
    example_catalogue("export", "-o", other, "--force").fails("is not a list of cards")
    assert other.read_bytes() == before
    for damaged in (b"PAR1", b"\xff\xff\xff\xffPAR1", b"\x08\0\0\0PAR1"):
        other.write_bytes(damaged)
        example_catalogue("export", "-o", other, "--force").fails("is not a list of cards")


def test_duckdb_reports_nothing_at_exit(example_catalogue: Shell) -> None:
    pytest.importorskip("duckdb")
    target = example_catalogue.folder / "cards.parquet"
    command = [sys.executable, "-m", "ccgrid", "export", "-o", str(target), "--db", str(example_catalogue.database)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=240)
    assert (result.stdout, result.stderr) == ("", f"Written to {target}.\n")


def test_parquet_needs_a_file(example_catalogue: Shell) -> None:
    example_catalogue("export", "--format", "parquet").names_unknown("-o")


def test_parquet_without_extra_names_the_extra(example_catalogue: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    example_catalogue("export", "-o", example_catalogue.folder / "cards.parquet").fails(install_command("parquet"))
    assert not list(example_catalogue.folder.glob("*.parquet"))
