"""Decks and records as files, and the complete game of grid in `tests/playthroughs`."""

import json
from pathlib import Path
from typing import Any

from ccgrid.catalog.card import Card
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.engine.records.files import read_game

ROOT = Path(__file__).resolve().parents[2]
GRID_RECORD = ROOT / "tests" / "playthroughs" / "grid.toml"
SCORES = {"Ann": 182, "Bob": 95}


def grid_document(**changes: Any) -> dict[str, Any]:
    """Return that game as plain values, with changed values for some keys; None removes a key."""
    whole = {**read_game(GRID_RECORD).to_document(), **changes}
    return {key: value for key, value in whole.items() if value is not None}


def write_records(path: Path, *documents: dict[str, Any]) -> Path:
    """Write these records to a file, one per line."""
    path.write_text("".join(json.dumps(entry) + "\n" for entry in documents), encoding="utf-8")
    return path


def write_deck(path: Path, cards: list[Card], game: str = "grid") -> Path:
    """Write these cards to a deck file; the deck is named after the file."""
    path.write_text(deck_toml(Deck(path.stem, tuple(cards), plays=game)), encoding="utf-8")
    return path
