"""Files of earlier versions, which remain readable and give the same results."""

import gzip
import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from landed.expect import shortened

LANDED = Path(__file__).parents[1] / "landed"
EXPECTED: list[dict[str, Any]] = json.loads((LANDED / "expected.json").read_text(encoding="utf-8"))
UNSTABLE_KEYS = {"message", "seconds", "undone", "problems"}
"""Keys whose values are sentences or times, which may change."""
CHANGED_COMMANDS = {
    "collection undo": ["undo"],
    **{
        f"collection export --format {form}": [
            *("collection", "export", "--format", form, "--game", "arcadia", "--game", "isles"),
        ]
        for form in ("moxfield", "deckbox", "arena", "mtgo-dek")
    },
}
"""Commands that have changed: `undo` covers everything, and exports of other games' cards need `--game`."""
FOUND_CARDS = {"deck check list-deck.txt --json": 3}
"""The number of cards found in decks where earlier versions found fewer: a set's name may follow a card's name."""
MISSED = "collection import owned.csv --json"
"""A command whose exit status now reports missed rows."""


@pytest.fixture
def landed(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return a shell in a folder with these files."""
    for path in LANDED.iterdir():
        if path.is_file():
            shutil.copy(path, shell.folder)
    shell.database.write_bytes(gzip.decompress((LANDED / "catalogue-1.db.gz").read_bytes()))
    monkeypatch.chdir(shell.folder)
    monkeypatch.setenv("CCGRID_LAYOUTS", "none")
    return shell


def test_commands_print_the_same_as_earlier_versions(landed: Shell) -> None:
    steps = iter(EXPECTED)
    for step in steps:
        command = " ".join(step["command"])
        if command == "history --json":  # It no longer lists imports of earlier versions.
            continue
        if command == "undo --json":  # These imports can no longer be undone and repeated.
            assert [next(steps)["command"][0] for _ in range(3)] == ["stats", "export", "import"]
            continue
        words = CHANGED_COMMANDS.get(command, step["command"])
        if command.startswith("import") and not step["out"][0]["added"]:
            words = [
                *words,
                "--dry-run",
            ]  # Tables are read differently now, so that the same file would be imported again.
        if command.startswith("import"):  # They had no descriptions, so that every card changes.
            counts = step["out"][0]
            counts["changed"], counts["unchanged"] = counts["changed"] + counts["unchanged"], 0
        done = landed(*words)
        assert done.status == (1 if command == MISSED else step["status"]), (command, done)
        found = shortened(done.out)
        if command == "collection undo":
            found = found.rpartition(" (")[0].replace("Undone: ", "Taken back: ")  # The wording has changed.
            step["out"] = step["out"].rpartition(" (")[0]
        if command == "collection export --format csv":
            assert found.splitlines()[0].endswith(",For trade,Grade"), "the added columns are missing"
            found = "".join(line.rsplit(",", 11)[0] + "\n" for line in found.splitlines())
        if command in FOUND_CARDS:
            step["out"][0]["cards"] = FOUND_CARDS[command]
        assert not list(differences(step["out"], found)), command


def differences(then: Any, now: Any, where: str = "") -> Any:
    """Yield the differences from an earlier document; additional keys are allowed."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in then.keys() - UNSTABLE_KEYS:
            yield from differences(then[key], now.get(key, "nothing"), f"{where}.{key}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for index, (one, other) in enumerate(zip(then, now, strict=True)):
            yield from differences(one, other, f"{where}[{index}]")
    elif then != now or type(then) is not type(now):
        yield f"{where}: {then!r} became {now!r}"


@pytest.mark.parametrize("game", ["grid", "ninecard", "tactics", "matrix"])
def test_unfinished_game_can_be_continued(landed: Shell, game: str) -> None:
    unfinished = landed.folder / f"{game}-begun.toml"
    landed("play", "--load", unfinished, "--record", "further.toml", "--seed", "1", typed="1\n")
    before = tomllib.loads(unfinished.read_text(encoding="utf-8"))
    after = tomllib.loads((landed.folder / "further.toml").read_text(encoding="utf-8"))
    assert len(after["moves"]) > len(before["moves"])
    assert after["moves"][: len(before["moves"])] == before["moves"]
    assert after["setup"] == before["setup"]
    assert landed.good("validate", "further.toml", "--json").json["ok"]


@pytest.mark.parametrize(("game", "deck"), [("grid", "isles"), ("ninecard", "ninecard"), ("tactics", "tactics")])
def test_deck_of_earlier_version_is_playable(landed: Shell, game: str, deck: str) -> None:
    counts = landed.good("simulate", game, "--deck", f"{deck}-deck.toml", "--games", "2", "--seed", "1", "--json").json
    assert counts["games"] == 2
