"""Cards as Parquet, with the type of every column."""

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
def filled(shell: Shell) -> Shell:
    """A catalogue whose last cards alone have a number at the top, and one name in other letters."""
    shell.import_rows([*rows(30), row(31, name="Ærøskøb, “Ört”", power="3", toughness="4")])
    shell.good("card", "add", "--name", "Zebra", "--game", "zoo", "--top", "7", "--left", "2")
    return shell


def read(duckdb: Any, file: Any) -> tuple[dict[str, str], list[dict[str, Any]]]:
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(file))
        types = dict(zip(table.columns, map(str, table.types), strict=True))
        return types, [dict(zip(table.columns, line, strict=True)) for line in table.fetchall()]


@pytest.mark.parametrize("options", [("-o", "cards.parquet"), ("--format", "parquet", "-o", "cards")])
def test_parquet_contains_every_card_with_all_zones_and_types(filled: Shell, options: tuple[str, ...]) -> None:
    duckdb = pytest.importorskip("duckdb")
    target = filled.folder / options[-1]
    filled.good("export", *options[:-1], target)
    types, table = read(duckdb, target)
    assert types == TYPES
    cards = [{**card.pop("zones"), **card} for card in filled.good("export", "--json").json_lines]
    fields = [card["fields"] and json.loads(card["fields"]) for card in table]
    assert [{**card, "fields": said or {}} for card, said in zip(table, fields, strict=True)] == cards
    assert {"power": "3", "toughness": "4"} in fields
    assert [card["top"] for card in table if card["top"] is not None] == [7]


def test_parquet_is_written_to_pipe_but_not_over_other_files(filled: Shell) -> None:
    duckdb = pytest.importorskip("duckdb")
    target, other = filled.folder / "cards.parquet", filled.folder / "other.parquet"
    filled.good("export", "-o", target)
    filled("export", "-o", target).fails("exists already")
    filled.good("export", "--game", "zoo", "-o", target, "--force")
    assert [card["name"] for card in read(duckdb, target)[1]] == ["Zebra"]
    with duckdb.connect() as connection:
        connection.sql("SELECT 1 AS id, 'x' AS name").write_parquet(str(other))
    before = other.read_bytes()
    filled("export", "-o", other, "--force").fails("is not a list of cards")
    assert other.read_bytes() == before
    for damaged in (b"PAR1", b"\xff\xff\xff\xffPAR1", b"\x08\0\0\0PAR1"):
        other.write_bytes(damaged)
        filled("export", "-o", other, "--force").fails("is not a list of cards")


def test_duckdb_reports_nothing_at_exit(filled: Shell) -> None:
    pytest.importorskip("duckdb")
    target = filled.folder / "cards.parquet"
    command = [sys.executable, "-m", "ccgrid", "export", "-o", str(target), "--db", str(filled.database)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=240)
    assert (ended.stdout, ended.stderr) == ("", f"Written to {target}.\n")


def test_parquet_needs_a_file(filled: Shell) -> None:
    filled("export", "--format", "parquet").names_unknown("-o")


def test_parquet_without_extra_names_the_extra(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    filled("export", "-o", filled.folder / "cards.parquet").fails(install_command("parquet"))
    assert not list(filled.folder.glob("*.parquet"))
