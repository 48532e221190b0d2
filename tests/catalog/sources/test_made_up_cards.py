"""Layouts of games without real files for tests: made-up files in their format, with numbers read by hand.

A table in `tests/cards` with `plugin` is a LackeyCCG plugin of that name; one with `source` and `file` is a file of
that source. `header` and `rows` are written as a table with tabs; `text` is the content of the file.
"""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.sources.source import LAYOUT_FROM_DATA, TreeModule
from ccgrid.catalog.store.catalogue import Store

FOLDER = Path(__file__).parents[2] / "cards"
TABLES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
GAMES = {game: table["made_up"] for game, table in TABLES.items() if "made_up" in table}
PLUGINS = [game for game, table in GAMES.items() if "plugin" in table]


def write_data_set(table: dict[str, Any], folder: Path) -> Path:
    """Write the made-up data set to the disk."""
    if "plugin" in table:
        home = folder / table["plugin"]
        file = home / "sets" / table.get("file", "carddata.txt")
        file.parent.mkdir(parents=True)
        (home / "plugininfo.txt").write_text("<plugin></plugin>\n", encoding="utf-8")
    else:
        home = file = folder / table["file"]
    text = table.get("text") or "".join("\t".join(row) + "\n" for row in [table["header"], *table["rows"]])
    file.write_text(text.lstrip("\n"), encoding="utf-8")
    return home


def read(table: dict[str, Any], place: Path) -> tuple[Layout, dict[str, Printing]]:
    source = find_source("lackey" if "plugin" in table else table["source"])
    module = source.load()
    assert isinstance(module, TreeModule)
    with open_tree(place) as tree:
        layout = source.recognise(tree) if source.layout == LAYOUT_FROM_DATA else find_layout(str(source.layout))
        found = [row for row in module.read_tree(tree, layout, lambda sentence: None) if isinstance(row, Printing)]
    assert len({row.id for row in found}) == len(found)
    return layout, {row.id: row for row in found}


@pytest.mark.parametrize("game", GAMES)
def test_made_up_cards_have_the_expected_numbers(tmp_path: Path, game: str) -> None:
    table = GAMES[game]
    layout, found = read(table, write_data_set(table, tmp_path))
    assert layout.game == game
    assert len(TABLES[game]["card"]) >= 3
    for card in TABLES[game]["card"]:
        reading = layout.compiled().read(found[card["id"]].fields)
        output = {zone: sorted(numbers) for zone, numbers in reading.zones.items()}
        wanted = {zone: sorted(numbers) for zone, numbers in card["zones"].items()}
        assert (card["id"], found[card["id"]].name) == (card["id"], card["name"])
        assert (card["id"], output, Counter(reading.face)) == (card["id"], wanted, Counter(card["face"])), card.get(
            "why"
        )
        assert (card["id"], reading.reason) == (card["id"], card.get("reason")), card.get("why")
        stats = (reading.attack, reading.defense)
        assert (card["id"], stats) == (card["id"], (card.get("attack"), card.get("defense"))), card.get("why")


@pytest.mark.parametrize("game", GAMES)
def test_every_row_of_a_made_up_file_is_imported(tmp_path: Path, game: str) -> None:
    table = GAMES[game]
    source = find_source("lackey" if "plugin" in table else table["source"])
    summary = import_source(ImportRequest(source, write_data_set(table, tmp_path)), tmp_path / "catalogue.db")
    assert (summary.read, summary.skipped) == (len(TABLES[game]["card"]), 0)
    with Store(tmp_path / "catalogue.db") as store:
        assert {card.id for card in store.all_cards()} == {card["id"] for card in TABLES[game]["card"]}


@pytest.mark.parametrize("game", PLUGINS)
def test_game_with_a_plugin_address_is_a_source(game: str) -> None:
    source = find_source(game)
    assert source.address.startswith("https://")
    assert source.address.endswith("/updatelist.txt")
    assert source.key(game) == f"lackey:{game}"
