"""The bundled cards: facts only, reproducible, and compatible with those of a real source."""

import json
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.catalogues import Shell, row, rows, write_rows

from ccgrid.catalog.card_answers import shown_card
from ccgrid.catalog.evidence import numerals_only
from ccgrid.catalog.imports.run import STARTER_FILE, ImportRequest, import_bundled, import_source
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.sources.scryfall import read as read_scryfall
from ccgrid.catalog.store.catalogue import Store

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "make_starter"
MAGIC = Path("mtgjson") / "jsonSets"
DATA = {
    "fab": Path("json-games") / "flesh-and-blood-cards",
    "fftcg": Path("lackey") / "FFTCG",
    "mtgjson": MAGIC,
    "netrunner": Path("json-games") / "netrunner-cards-json",
    "onepiece": Path("one-piece") / "en-cards.json",
    "onr": Path("json-games") / "onr-cards-json",
    "pokemon": Path("json-games") / "pokemon-tcg-data",
    "spellfire": Path("lackey") / "Spellfire",
    "yugioh": Path("yugioh") / "python-ygoprodeck-api-scripts" / "cardinfo.php.json",
}
NUMERALS = re.compile(r"[-+−–—]?[\d.,/½¼¾⅓⅔]+( \d+)*")


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return resources.files("ccgrid.data").joinpath(STARTER_FILE).read_bytes().splitlines()


@pytest.fixture(scope="module")
def cards(lines: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def test_bundled_file_is_small_and_sorted(lines: list[bytes], cards: list[dict[str, Any]]) -> None:
    assert sum(map(len, lines)) < 1_000_000
    ids = [card["id"] for card in cards]
    assert ids == sorted(set(ids))


def test_bundled_file_contains_numerals_and_no_words_of_cards(cards: list[dict[str, Any]]) -> None:
    for card in cards:
        assert card.keys() <= {
            *("id", "name", "printed", "set_code", "set_name", "collector_number"),
            *("released", "attack", "defense", "reason"),
        }
        for _, _, _, texts in card["printed"]:
            assert all(NUMERALS.fullmatch(text) and len(text) <= 20 for text in texts), card


def test_bundled_cards_suffice_for_decks_of_both_kinds() -> None:
    with Store.in_memory() as store:
        summary = import_bundled(ImportRequest(find_source("starter")), store)
        assert summary.skipped == 0
        holdings = list(store.all_cards())
        assert len(holdings) >= 3000
        assert len({card.game for card in holdings}) >= 12
        assert sum(card.legal for card in holdings) >= 300
        assert sum(card.attack is not None and card.defense is not None for card in holdings) >= 100
        assert all(card.legal or (card.reason or "").startswith("multiple-numbers") for card in holdings)


@pytest.mark.parametrize("source", DATA)
def test_bundled_file_is_reproducible_from_its_source(
    shared_data: Path, tmp_path: Path, lines: list[bytes], source: str
) -> None:
    made = tmp_path / "starter.jsonl"
    command = [sys.executable, str(SCRIPT), f"{source}={shared_data / DATA[source]}", "-o", str(made)]
    subprocess.run(command, check=True, capture_output=True, cwd=SCRIPT.parents[1])
    game = find_layout(find_source(source).layout).game
    assert made.read_bytes().splitlines() == [line for line in lines if line.startswith(f'{{"id":"{game}:'.encode())]


def test_bundled_numbers_equal_those_of_complete_data(shared_data: Path, tmp_path: Path) -> None:
    database = tmp_path / "catalogue.db"
    import_source(ImportRequest(find_source("mtgjson"), shared_data / MAGIC), database)
    with Store.in_memory() as bundled, Store(database) as whole:
        import_bundled(ImportRequest(find_source("starter")), bundled)
        for card in bundled.all_cards(["mtg"]):
            [same] = whole.cards([card.id])
            assert shown_card(card) == shown_card(same)
            for one, other in zip(bundled.explain(card.id), whole.explain(card.id), strict=True):
                assert msgspec.structs.replace(one, raw="") == msgspec.structs.replace(other, raw="")


# --- together with a real source --------------------------------------------------------------------------------


def starter_file(path: Path, cards: list[dict[str, Any]]) -> Path:
    """Return the cards as the bundled file contains them."""
    made, reader = [], find_layout("mtg").compiled()
    with write_rows(path.with_suffix(".scryfall"), cards).open("rb") as stream:
        for card in read_scryfall(stream, path.name, find_layout("mtg")):
            assert isinstance(card, Printing)
            reading = reader.read(card.fields)
            made.append(
                {
                    **{"id": card.id, "name": card.name, "printed": numerals_only(reading.evidence)},
                    **{"set_code": card.set_code, "set_name": card.set_name},
                    **{"collector_number": card.collector_number, "released": card.released},
                }
            )
    return write_rows(path, made)


REAL_CARDS = [row(number, oracle_text=f"Draw {number} cards.") for number in range(1, 41)]


def holdings(shell: Shell) -> dict[str, int]:
    return {line["source"]: line["cards"] for line in shell.good("sources", "--json").json_lines if line["cards"]}


DESCRIBED = ("type", "rarity", "cost", "mana_value", "colours", "identity", "keywords", "artist", "fields", "text")
"""The keys of a card's description, which the bundled file lacks."""


def exported(shell: Shell) -> dict[str, Any]:
    """Return every card by its id, without its description."""
    return {
        card["id"]: {key: value for key, value in card.items() if key not in DESCRIBED}
        for card in shell.good("export").json_lines
    }


def raw_texts(shell: Shell, card_id: str) -> set[str]:
    return {number["raw"] for number in shell.card(card_id)["numbers"]}


def test_real_source_replaces_its_bundled_cards(shell: Shell) -> None:
    starter = starter_file(shell.folder / "starter.jsonl", [*REAL_CARDS[:10], *rows(3, start=100)])
    assert shell.good("import", "starter", starter, "--json").json["added"] == 13
    before = exported(shell)
    summary = shell.import_rows(REAL_CARDS)
    assert (summary["changed"], summary["added"], summary["removed"]) == (10, 30, 0)
    assert holdings(shell) == {"starter": 3, "mtg": 40}
    after = exported(shell)
    assert {card_id: after[card_id] for card_id in before} == before
    assert shell.import_rows(REAL_CARDS)["unchanged"] == 40
    assert shell.import_rows(REAL_CARDS[:39])["removed"] == 1
    assert holdings(shell) == {"starter": 3, "mtg": 39}


def test_bundled_cards_do_not_replace_those_of_a_real_source(shell: Shell) -> None:
    shell.import_rows(REAL_CARDS)
    before = exported(shell)
    other = [row(1, cost=9), *REAL_CARDS[1:10], *rows(3, start=100)]
    starter = starter_file(shell.folder / "starter.jsonl", other)
    summary = shell.good("import", "starter", starter, "--json").json
    assert (summary["read"], summary["unchanged"], summary["added"], summary["changed"]) == (13, 10, 3, 0)
    assert summary["legal"] + sum(summary["barred"].values()) == 13
    assert holdings(shell) == {"starter": 3, "mtg": 40}
    after = exported(shell)
    assert {card_id: after[card_id] for card_id in before} == before
    assert shell.import_rows(REAL_CARDS)["unchanged"] == 40
    assert holdings(shell) == {"starter": 3, "mtg": 40}


def test_reimporting_bundled_cards_changes_nothing(shell: Shell) -> None:
    first = shell.good("import", "starter", "--json").json
    before = shell.catalogue()
    second = shell.good("import", "starter", "--json").json
    assert second["unchanged"] == second["read"] == first["added"]
    assert shell.catalogue() == before
