"""Writes down what a version of ccgrid makes of the landed files, as `expected.json`; see README.md.

python expect.py $CCGRID_767790D
"""

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECORDS = sorted(p.name for p in HERE.glob("*.*") if p.stem.split("-")[0] in ("grid", "ninecard", "tactics", "matrix"))
DECKS = ("isles-deck.toml", "isles-deck.json", "list-deck.txt", "ninecard-deck.toml", "tactics-deck.toml")
FORMATS = ("jsonl", "csv", "moxfield", "deckbox", "arena", "text", "mtgo-dek", "cockatrice", "lackey")
READING = (
    *("stats --json", "history --json", "export --json", "export --json --game isles --legal"),
    *("search griffin --json", "search drkae --json", "search hertha --json", "search dusk --json"),
    *("show arcadia:hand/griffin --json", "show isles:iow/10 --json", "show isles:hand/amber-drake --json"),
    *("collection list --json", "collection stats --json", "collection out --json", "collection doubts --json"),
    *("collection where Bellringer --json", "collection verify --json"),
    *(f"collection export --format {name}" for name in FORMATS),
)
CHANGING = (
    "import file isles-2.csv --layout isles.toml --json",
    "collection import owned.csv --json",
    "collection put-back Isles --done --json",
    *("collection undo", "collection list --json") * 7,
    "undo --json",
    "stats --json",
    "export --json",
    "import file isles-2.csv --layout isles.toml --json",
    "export --json --game isles",
    "card remove isles:hand/amber-drake --json",
    "card edit arcadia:hand/griffin --top-left 6 --json",
    "search griffin --json",
)


def lines() -> Iterator[list[str]]:
    """The commands, in order; only the last ones change anything."""
    yield from (line.split() for line in READING)
    yield from (["deck", "check", name, "--json"] for name in DECKS)
    for name in RECORDS:
        if name.endswith("-deck.toml"):
            continue
        if "ending" in name:
            yield ["score", name, "--ending", "--json"]
            continue
        yield from (["validate", name, "--json"], ["score", name, "--json"])
        if not name.endswith("jsonl"):
            yield ["replay", name, "--json"]
    yield from (line.split() for line in CHANGING)


def shortened(output: str) -> Any:
    """What a command said: its documents where that is JSON, in which a list of legal moves is as a few letters."""
    try:
        documents = [json.loads(line) for line in output.splitlines()]
    except ValueError:
        try:
            documents = [json.loads(output)]
        except ValueError:
            return output
    for document in documents:
        for ply in document.get("plies", ()) if isinstance(document, dict) else ():
            legal = json.dumps(ply["legal"]).encode()
            ply["legal"] = f"{len(ply['legal'])} {hashlib.sha256(legal).hexdigest()[:12]}"
    return documents


def main(command: str) -> None:
    """Runs every command in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in HERE.iterdir():
            if path.is_file():
                shutil.copy(path, folder)
        (folder / "catalogue.db").write_bytes(gzip.decompress((HERE / "catalogue.db.gz").read_bytes()))
        surroundings = {**os.environ, "CCGRID_DB": "catalogue.db", "CCGRID_LAYOUTS": "none", "NO_COLOR": "1"}
        outputs = []
        for line in lines():
            done = subprocess.run([command, *line], capture_output=True, cwd=folder, env=surroundings)
            outputs.append({"command": line, "status": done.returncode, "out": shortened(done.stdout.decode())})

    text = "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in outputs) + "\n]\n"
    (HERE / "expected.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
