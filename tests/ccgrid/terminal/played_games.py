"""Decks and records as files."""

import json
from pathlib import Path
from typing import Any

from ccgrid.catalog.card import Card
from ccgrid.catalog.decks import Deck, deck_toml


def write_deck(path: Path, cards: list[Card], game: str = "grid") -> Path:
    path.write_text(deck_toml(Deck(path.stem, tuple(cards), plays=game)), encoding="utf-8")
    return path


def write_document(path: Path, document: dict[str, Any]) -> None:
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
