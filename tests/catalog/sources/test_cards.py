"""Real cards whose numbers were read by hand, and counts of whole files: a table for each game in `tests/cards`.

A table has a `source`, its `data` (below the folder of real files), the counts of an import (`[counts]`), and cards
with the `zones` and `face` that were read by hand following docs/numbers.md and the game's layout.
"""

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ccgrid.catalog.evidence import CardReading
from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.sources.source import LAYOUT_FROM_DATA, FileModule, TreeModule

FOLDER = Path(__file__).parents[2] / "cards"
FILES = sorted(FOLDER.rglob("*.toml"))
TABLES = {str(path.relative_to(FOLDER)): tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES}
GAMES = {game: table for game, table in TABLES.items() if "source" in table}
CARDS = [(game, card) for game, table in GAMES.items() for card in table["card"]]


@cache
def read_by_layout(source_name: str, path: Path) -> tuple[Layout, dict[str, Printing]]:
    """Return every card of a data set by its id, and the layout that reads it."""
    source = find_source(source_name)
    module = source.load()
    if isinstance(module, FileModule) and not isinstance(module, TreeModule):
        with open_data(path) as stream:
            rows = list(module.read(stream, path.name, find_layout(str(source.layout))))
        layout = find_layout(str(source.layout))
    else:
        assert isinstance(module, TreeModule)
        with open_tree(path) as tree:
            layout = source.recognise(tree) if source.layout == LAYOUT_FROM_DATA else find_layout(str(source.layout))
            rows = list(module.read_tree(tree, layout, lambda sentence: None))
    found: dict[str, Printing] = {}
    for row in rows:
        if isinstance(row, Printing):
            found.setdefault(row.id, row)
    return layout, found


@pytest.mark.parametrize(("game", "card"), CARDS, ids=[f"{card['id']}" for _, card in CARDS])
def test_card_has_the_numbers_read_by_hand(shared_data: Path, game: str, card: dict[str, Any]) -> None:
    table = GAMES[game]
    layout, found = read_by_layout(table["source"], shared_data / card.get("data", table["data"]))
    reading: CardReading = layout.compiled().read(found[card["id"]].fields)
    shown = {
        "name": found[card["id"]].name,
        "zones": {zone: sorted(numbers) for zone, numbers in reading.zones.items()},
        "face": Counter(reading.face),
        "score": reading.score,
        "reason": reading.reason,
        "attack": reading.attack,
        "defense": reading.defense,
    }
    assert shown == {
        "name": card["name"],
        "zones": {zone: sorted(numbers) for zone, numbers in card["zones"].items()},
        "face": Counter(card["face"]),
        "score": sum(map(sum, card["zones"].values())) + sum(card["face"]),
        "reason": card.get("reason"),
        "attack": card.get("attack"),
        "defense": card.get("defense"),
    }, card.get("why")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_counts_of_whole_files(shared_data: Path, tmp_path: Path, game: str) -> None:
    table = GAMES[game]
    summary = import_source(
        ImportRequest(find_source(table["source"]), shared_data / table["data"]), tmp_path / "catalogue.db"
    )
    counted = {
        "read": summary.read,
        "skipped": summary.skipped,
        "legal": summary.legal,
        "barred": dict(summary.barred),
    }
    assert counted == table["counts"]
    assert summary.read == summary.skipped + summary.legal + sum(summary.barred.values())


@pytest.mark.parametrize("game", GAMES)
def test_at_least_three_cards_of_each_game_were_read_by_hand(game: str) -> None:
    assert len(GAMES[game]["card"]) >= 3


def test_every_available_plugin_is_read(shared_data: Path) -> None:
    plugins = {path.name for path in (shared_data / "lackey").iterdir()}
    assert {Path(table["data"]).name for table in GAMES.values() if table["source"] == "lackey"} >= plugins
