"""`scripts/check_layouts`: layouts compared with numbers read from pictures of cards."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
HEADER = ["Name", "Set", "ImageFile", "Type", "Gold", "Number", "Rarity", "Text", "Lore"]
CARDS = [
    ["Ashwing", "Ember", "e7", "Dragon", "1", "7", "Common", "STRENGTH: 2", ""],
    ["Moor Wisp", "Ember", "e9", "Dragon", "0", "9", "Common", "", ""],
]


def number(raw: str | None, zone: str, what: str, **more: Any) -> dict[str, Any]:
    return {"raw": raw, "x": 50, "y": 50, "zone": zone, "what": what, **more}


def label(row: list[str], *numbers: dict[str, Any]) -> dict[str, Any]:
    output = {"game": "Wyvern", "data_name": row[0], "data_set": row[1], "data_image": row[2]}
    return {**output, "numbers": list(numbers)}


def check(folder: Path, labels: list[dict[str, Any]], *options: str, says: str = "") -> str:
    """Return the output of the script for these labels and a small plugin."""
    plugin = folder / "lackey" / "Wyvern" / "sets"
    plugin.mkdir(parents=True)
    lines = ["\t".join(row) for row in [HEADER, *CARDS]]
    (plugin / "carddata.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "scans").mkdir()
    file = folder / "scans" / "labels.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in labels), encoding="utf-8")
    command = [sys.executable, str(ROOT / "scripts" / "check_layouts"), str(file), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=240)
    assert says in done.stderr
    assert bool(done.stderr) == bool(says)
    return done.stdout


def test_card_is_exact_if_every_zone_has_the_expected_numbers(tmp_path: Path) -> None:
    own = number("7", "bottom-right", "collector number")
    year = number("1994", "bottom-left", "copyright")
    logo = number("1", "bottom-left", "large 1 in the '1 PREMIERE EDITION' logo")
    unread = number(None, "left", "a digit too small to read")
    damage = number("3", "right", "damage, in the table", in_panel=True)
    labels = [label(CARDS[0], own, year, logo, unread, damage), label(CARDS[1], number("8", "top", "cost"))]
    output = json.loads(check(tmp_path, labels, "--json"))
    assert output == {
        "Wyvern": {"cards": 2, "exact": 1, "lacking": 0, "wrong": 1, "missing": 0},
        "all": {"cards": 2, "exact": 1, "lacking": 0, "wrong": 1, "missing": 0},
    }


def test_differences_are_shown_and_unknown_cards_counted(tmp_path: Path) -> None:
    labels = [label(CARDS[1], number("9 of 90", "bottom", "collector number")), label(["Nobody", "Ember", "e0"])]
    lines = check(tmp_path, labels, "--wrong").splitlines()
    assert lines[:2] == [
        "Wyvern: Moor Wisp: wrong. Printed bottom 9; read bottom-right 9",
        "Wyvern: Nobody: missing. Printed nothing; read nothing",
    ]
    assert [line.split() for line in lines[2:]] == [
        ["game", "cards", "exact", "data", "lack", "wrong", "not", "found"],
        ["Wyvern", "2", "0", "0", "1", "1"],
        ["all", "2", "0", "0", "1", "1"],
    ]


def test_game_without_plugin_is_reported_and_others_are_counted(tmp_path: Path) -> None:
    other = {**label(CARDS[0]), "game": "NoSuchPlugin"}
    output = json.loads(
        check(tmp_path, [label(CARDS[1], number("9", "bottom-right", "number")), other], "--json", says="NoSuch")
    )
    assert output["all"] == {"cards": 2, "exact": 1, "lacking": 0, "wrong": 0, "missing": 1}


def test_readme_states_number_of_exact_real_cards(shared_data: Path, tmp_path: Path) -> None:
    plugins, labels = shared_data / "lackey", tmp_path / "labels.jsonl"
    lines = (shared_data / "scans" / "labels.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    labels.write_text("".join(line for line in lines if (plugins / json.loads(line)["game"]).exists()))
    check_it = str(ROOT / "scripts" / "check_layouts")
    command = [sys.executable, check_it, str(labels), "--plugins", str(plugins), "--json"]
    output = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=240).stdout)["all"]
    assert (output["wrong"], output["missing"]) == (0, 0)
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    claim = (
        f"checked by eye on {output['cards']} cards of seven games. {output['exact']} are right in every zone. "
        f"The data of the other {output['lacking']} lack numbers"
    )
    assert claim in readme


PLUGINS = {
    "digimon": "Digimon-Card-Game",
    "ede": "RunesofEde",
    "hptcg": "pottertradingcardgame",
    "lorcana": "LorcanaTCG",
    "maple": "MapleStory",
    "mm": "MMTCG",
    "st2e": "startrek2e",
    "sttcg": "LackeyCCG-StarTrekTCG",
}
"""The plugins of games that labels call otherwise."""


def test_layouts_agree_with_labelled_scans(shared_data: Path, tmp_path: Path) -> None:
    """Labels have the place of a digit, layouts that of its box: on characters and ships of Star Trek 2E they differ.

    The data of Seven Heavens, a card of Digimon, have another cost than the card.
    """
    labels = shared_data / "scans" / "labels.jsonl"
    # The data of Netrunner are not a plugin's.
    lines = [line for line in labels.read_text(encoding="utf-8").splitlines() if json.loads(line)["game"] != "onr"]
    (tmp_path / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for game in {json.loads(line)["game"] for line in lines}:
        (tmp_path / game).symlink_to(shared_data / "lackey" / PLUGINS.get(game, game))
    command = [sys.executable, str(ROOT / "scripts" / "check_layouts"), str(tmp_path / "labels.jsonl")]
    done = subprocess.run([*command, "--plugins", str(tmp_path), "--json"], capture_output=True, text=True, timeout=240)
    assert done.stderr == ""
    counts = json.loads(done.stdout)
    assert {game: one["wrong"] for game, one in counts.items() if one["wrong"]} == {"digimon": 1, "st2e": 6, "all": 7}
    assert (counts["all"]["cards"], counts["all"]["missing"]) == (170, 0)
