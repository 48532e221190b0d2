"""Games as they are written."""

import json
from pathlib import Path
from typing import Any

from ccgrid.engine.records.files import read_game

ROOT = Path(__file__).resolve().parents[4]
PLAYED = ROOT / "tests" / "playthroughs" / "grid.toml"
SCORES = {"Ann": 182, "Bob": 95}


def document(**changes: Any) -> dict[str, Any]:
    """The played game as plain values, with other values for some keys; None takes a key out."""
    whole = {**read_game(PLAYED).to_document(), **changes}
    return {key: value for key, value in whole.items() if value is not None}


def write(path: Path, *documents: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in documents), encoding="utf-8")
    return path
