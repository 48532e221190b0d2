"""Endless files with every command that opens a file, and malicious names in decks, which are escaped."""

import json
import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs fork and limits of processes", allow_module_level=True)

from helpers.catalogues import Shell, rows
from helpers.command_examples import command_called, options_of, words_of_commands
from limits import DONE, limited_each

from ccgrid.catalog.collection import imports
from ccgrid.catalog.readers import archives
from ccgrid.commands.paths import open_input, open_input_or_name

ENDLESS = Path("/dev/zero")
COMMANDS = (
    *(("deck", "check"), ("code",), ("replay",), ("validate",), ("score",), ("score", "--ending"), ("solve",)),
    *(("advise",), ("analyze",), ("table",), ("table", "--load"), ("play", "grid", "--load"), ("faction", "check")),
    *(("page", "-o", "x.html"), ("sheet", "-o", "x.html"), ("simulate", "grid", "--resume"), ("arena", "--resume")),
    *(
        ("import", "mtg"),
        ("collection", "import"),
        ("layout", "check"),
        ("stats", "--db"),
        ("doctor", "--mend", "--db"),
    ),
    *(("deck", "show"), ("deck", "edit", "--out", "x"), ("deck", "rate"), ("layout", "new")),
    *(("collection", "pull"), ("collection", "verify", "--migrations"), ("import", "mtg", "--file")),
    *(("collection", "wants"), ("collection", "trade"), ("puzzle", "--from-games")),
    *(("import", "file", "x.json", "--layout"), ("layout", "check", "mtg", "--data")),
    *(("arena", "--players", "greedy,random", "--deck"), ("deck", "rate", "deck.toml", "--resume")),
    *(("play", "grid", "--deck"), ("simulate", "grid", "--deck"), ("puzzle", "--deck")),
)
NAMES = (
    *("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</script><x y>", "</style><x>"),
    *("\x1b[2J\x1b]0;x\x07Ant", "\u202eAnt\u2066", "A\u2028B\nC", "\0", "../../../etc/passwd", "[bold red]x[/]", "?"),
    *('=cmd|"/C calc"!A0', "x" * 150, "Z" + "\u0301" * 150, "{{7*7}}%s%n", "-rf"),
)
PICTURES = {("scan", "images"), ("scan", "deck")}
CONTROL_CHARACTERS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
MARKUP = ("<script>alert", "<img src=x", "</script><x", "</style><x")


def read_by(command: tuple[str, ...]) -> tuple[str, str]:
    """Return the command and the parameter that takes the endless file: the last option, else the argument."""
    called = next(words for words in map(" ".join, (command[:2], command[:1])) if words in words_of_commands())
    params = command_called(called).params
    named = [one.name for one in params if command[-1] in one.opts and not getattr(one, "is_flag", False)]
    return called, (named or [one.name for one in params if one.param_type_name == "argument"])[-1]


def test_every_command_that_reads_a_file_is_tried() -> None:
    every = {
        (words, name) for words in words_of_commands() for name in options_of(words) if takes_input_file(words, name)
    }
    assert {one for one in every if one not in PICTURES} <= set(map(read_by, COMMANDS)), "pictures have a separate test"


def takes_input_file(words: str, name: str) -> bool:
    return options_of(words)[name][1].callback in (open_input, open_input_or_name) or name == "resume"


@pytest.mark.slow
@pytest.mark.skipif(not ENDLESS.exists(), reason="no endless file")
def test_every_command_stops_reading_an_endless_file(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "LARGEST_FILE", 1 << 24)
    monkeypatch.setattr(archives, "MOST_EXTRACTED", 1 << 24)
    monkeypatch.chdir(shell.folder)
    shell.import_rows(rows(30))
    shell.good("deck", "new", "-o", "deck.toml")
    paths_opened: list[object] = []

    def record_opened(event: str, arguments: tuple[object, ...]) -> None:
        if event in ("open", "sqlite3.connect"):
            paths_opened.append(str(arguments[0]))

    def run_command(words: tuple[str, ...]) -> None:
        if not paths_opened:
            sys.addaudithook(record_opened)
        paths_opened[:] = ["nothing"]
        result = shell(*words, ENDLESS)
        assert result.status in (1, 2, 3), result
        assert "defect" not in result.err
        assert str(ENDLESS) in paths_opened or f"{ENDLESS} is not a file" in result.out, result

    ended = limited_each([lambda words=words: run_command(words) for words in COMMANDS])  # type: ignore[misc]
    wrong = {words: end for words, end in zip(COMMANDS, ended, strict=True) if end.how != DONE}
    assert not wrong, wrong


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name[:12]))
def test_control_characters_in_deck_names_are_escaped(shell: Shell, name: str) -> None:
    card = {"name": name, "set_code": name[:9], "zones": {"top": 3, "left": 2}, "face": [], "score": 5, "legal": True}
    deck, page = shell.folder / "deck.json", shell.folder / "page.html"
    cards = [{**card, "id": f"x:{number}", "name": f"{name}{number}"[:200]} for number in range(20)]
    deck.write_text(json.dumps({"name": name, "game": "grid", "cards": cards}), encoding="utf-8")
    for words in (("deck", "check"), ("deck", "show"), ("code",), ("sheet", "-o", page)):
        page.unlink(missing_ok=True)
        result = shell(*words, deck)
        assert result.status in (0, 1, 3)
        assert "defect" not in result.err
        assert not CONTROL_CHARACTERS.search(result.out + result.err)
        written = page.read_text(encoding="utf-8") if page.exists() else ""
        assert not [mark for mark in MARKUP if mark in written]
        assert written or words[-1] != page or not name.isprintable()
