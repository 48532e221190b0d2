"""Examples of every command, with malicious names of files, cards, boxes and players."""

import json
import re
from collections.abc import Callable, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, Final

import pytest

from ccgrid.app import build
from ccgrid.catalog.collection.formats import all_formats
from ccgrid.commands import COMMANDS
from helpers.catalogues import Shell, row, with_prepared_files, write_rows

EVIL: Final = "Evil\x1b]0;owned\x07\x1b[31m\x9b2J\u202e\u2066\u200b\t\n\x7fName"
"""Characters that set titles and colours, clear the screen, reverse text, are invisible, or break lines."""
ARGUMENT: Final = EVIL + "\udcff"
"""The same text as a command-line argument, with a byte that is not UTF-8."""
ID: Final = "mtg:dsk/100"

Examples = Sequence[tuple[Sequence[str], str]]
"""Arguments of a command, and its standard input."""


def _plain(*lines: Sequence[str]) -> Examples:
    return [(words, "") for words in lines]


def _of_record(*more: str) -> Examples:
    return _plain(("game.jsonl", *more), ("wrong.jsonl", *more), (f"{ARGUMENT}.toml", *more))


WRITTEN: Final = [form.name for form in all_formats() if form.write is not None]

EXAMPLES: Final[dict[str, Examples]] = {
    "import": _plain(
        ("mtg", "cards.jsonl"), ("mtg", "cards.jsonl", "--json"), ("file", "data.csv", "--layout", "evil.toml")
    ),
    "sources": _plain((), ("--json",)),
    "search": _plain(("Evil",), ("Evil", "--json"), (ARGUMENT,)),
    "show": _plain((ID,), (ID, "--json"), (EVIL,)),
    "stats": _plain(("--plot",), (), ("--json",)),
    "export": _plain((), ("--json",), ("--format", "csv"), ("--format", "csv", "-o", "-"), ("-o", "/dev/tty")),
    "card add": [
        (("--game", "arcadia", "--name", EVIL, "--top-left", EVIL), ""),
        (("--game", "arcadia", "--name", f"{EVIL}2", "--top", "3", "--json"), ""),
        ((), "arcadia\nEvil\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"),
    ],
    "card edit": _plain((ID, "--name", f"{EVIL}2"), (ID, "--top", "3", "--json")),
    "card list": _plain((), ("--json",)),
    "card remove": _plain((EVIL,), ("mtg:dsk/101", "--json")),
    "scan": _plain((f"{EVIL}.png",), (f"{ARGUMENT}.jpg",)),
    "history": _plain((), ("--json",)),
    "undo": [((), "n\n"), (("--yes", "--json"), ""), (("--yes",), ""), (("--json",), "")],
    "redo": _plain((), ("--json",)),
    "layout check": _plain(("evil.toml", "--data", "data.csv"), ("wrong.toml",), ("evil.toml", "--json")),
    "layout new": [(("data.csv", "--at", f"{EVIL}=br"), ""), (("data.csv",), "\n" * 20), (("data.csv", "--json"), "")],
    "collection import": [
        (("evil.csv",), ""),
        (("evil.csv", "--json"), ""),
        (("evil.csv", "--corrections", "-"), ""),
        (("unknown.csv", "--dry-run"), ""),
    ],
    "collection add": [((ID, "--box", f"{EVIL}2"), ""), ((ID, "--json"), ""), ((), f"{ID}\nEvil\n\nhelp\n\n")],
    "collection remove": _plain(("mtg:dsk/120",), ("mtg:dsk/120", "--json")),
    "collection list": _plain((), ("--json",)),
    "collection export": _plain(
        *(("--format", form) for form in WRITTEN), ("-o", "owned.jsonl", "--losses", "-", "--format", "text")
    ),
    "collection doubts": _plain((), ("--json",), ("-o", "-")),
    "collection boxes": _plain((), ("--json",)),
    "collection rename-box": _plain((EVIL, f"{EVIL}3"), (f"{EVIL}9", "x")),
    "collection empty-box": _plain((EVIL,), (f"{EVIL}9",)),
    "collection remove-box": _plain((EVIL,), (EVIL, "--yes")),
    "collection where": _plain((ID,), (ID, "--json")),
    "collection edit": _plain((ID, "--note", EVIL), (ID, "--to-box", f"{EVIL}4", "--json"), ("box:Evil", "--note", "")),
    "collection move": _plain((ID, "--to-box", f"{EVIL}4"), (ID, "--to-box", f"{EVIL}4", "--json")),
    "collection pull": _plain(("deck.toml", "--out"), ("deck.toml", "--json")),
    "collection put-back": _plain((f"{EVIL} deck",), (f"{EVIL}9",)),
    "collection out": _plain((), ("--json",)),
    "collection audit": [
        ((EVIL,), "\nm\nEvil\nq\n"),
        ((EVIL, "--restart", "--json"), ""),
        ((ARGUMENT,), ""),
    ],
    "collection sets": _plain((), ("--missing",), ("--all", "--json"), (ARGUMENT,), ("dsk", "-o", f"{EVIL}.txt")),
    "collection wants": _plain((), ("--json",), ("deck.toml",), ("--set", ARGUMENT)),
    "collection spares": _plain((), ("--keep", "0", "--json"), (ARGUMENT,)),
    "collection trade": _plain(("owned.csv",), ("owned.csv", "--wants", "--json"), (f"{ARGUMENT}.csv",)),
    "collection stats": _plain((), ("--json",)),
    "collection verify": _plain((), ("--json",)),
    "deck new": _plain(
        ("--name", EVIL, "--seed", "3"), ("--seed", "3", "--json"), ("--name", EVIL, "-o", "-"), ("-o", "/dev/tty")
    ),
    "deck check": _plain(("deck.toml",), ("wrong.txt",), ("wrong.txt", "--json")),
    "deck show": _plain(("deck.toml",), ("deck.toml", "--json"), ("wrong.txt",)),
    "deck edit": [
        (("deck.toml", "--swap", f"1={ID}", "-o", "-"), ""),
        (("deck.toml", "--swap", f"1={ID}", "--json", "-o", "-"), ""),
        (("deck.toml",), "swap 1 Evil\nlist\nquit\n\n"),
    ],
    "deck rate": _plain(
        ("deck.toml", "-n", "4", "--workers", "1"), ("deck.toml", "-n", "4", "--workers", "1", "--json")
    ),
    "faction list": _plain((), ("--json",)),
    "faction show": _plain(("faction.toml",), ("faction.toml", "--json")),
    "faction check": _plain(("faction.toml",), ("wrong.toml",), ("wrong.toml", "--json")),
    "play": [
        (("--load", "begun.jsonl"), "board\nmoves\nquit\n"),
        (("grid", "--players", f"{EVIL},greedy", "--deck", "deck.toml", "--seed", "1"), "1\nhint\nnews\nquit\n"),
    ],
    "table": [(("deck.toml", "--players", f"{EVIL},Bob", "-o", "table.toml"), "Evil\n" + "quit\n" * 3)],
    "simulate": _plain(
        ("grid", "-n", "2", "--deck", "deck.toml", "--workers", "1"),
        ("grid", "-n", "2", "--deck", "deck.toml", "--workers", "1", "--records", "-"),
        ("grid", "-n", "2", "--deck", f"{ARGUMENT}.toml"),
    ),
    "arena": _plain(
        ("grid", "-n", "4", "--deck", "deck.toml", "--deck", f"{EVIL}.toml", "--workers", "1"),
        ("grid", "--players", ARGUMENT),
    ),
    "rules": _plain(("grid",), (ARGUMENT,)),
    "learn": _plain(("matrix",), (ARGUMENT,)),
    "validate": _of_record(),
    "score": _of_record(),
    "replay": [*_of_record("--no-pause"), (("game.jsonl", "--pause"), "   q"), (("game.jsonl", "--json"), "")],
    "config": _plain((), ("set", "players", ARGUMENT), ("set", ARGUMENT, "1"), ("unset", ARGUMENT)),
    "backup": _plain((f"{EVIL}.zip",), (f"{EVIL}2.zip", "--json"), (f"{ARGUMENT}.txt",)),
    "restore": _plain((f"{ARGUMENT}.zip", "--yes"), ("cards.jsonl", "--yes"), ("deck.toml", "--yes", "--json")),
    "doctor": _plain((), ("--db", f"{ARGUMENT}.db"), ("--db", f"{ARGUMENT}.db", "--json")),
    "browse": _plain(("--host", ARGUMENT), ("--host", EVIL)),
    "serve": _plain(("--port", ARGUMENT)),
    "workers": _plain((f"tcp://{ARGUMENT}",), (f"tcp://{EVIL}",)),
    "sheet": _plain(("deck.toml", "-o", "-"), ("deck.toml", "--json", "-o", f"{EVIL}.html")),
    "page": _plain(("game.jsonl", "-o", "-"), ("game.jsonl", "--json", "-o", f"{EVIL}.html")),
    "code": _plain(("deck.toml",), ("deck.toml", "--json"), ("game.jsonl", "-o", "-"), ("wrong.jsonl",)),
    "solve": [*_of_record("--think", "0.05"), (("game.jsonl", "--think", "0.05", "--json"), "")],
    "advise": [*_of_record("--think", "0.05"), (("begun.jsonl", "--think", "0.05", "--json"), "")],
    "analyze": [*_of_record("--think", "0.01"), (("game.jsonl", "--think", "0.01", "-o", "-"), "")],
    "progress": _plain((), ("--json",)),
    "engine": [((), f"ccgrid 1\nposition grid {EVIL}\n{EVIL}\nquit\n"), (("--player", EVIL), "")],
    "puzzle": [
        (("grid", "--deck", "deck.toml", "--seed", "7"), "1\nanswer\n\n"),
        (("grid", "--deck", "deck.toml", "--seed", "7", "--output", "-"), ""),
    ],
    "new-game": _plain(("summit",), ("summit", "--json"), (ARGUMENT,)),
    "demo": _plain(()),
}

NAMELESS: Final = {
    *("progress", "sources", "rules", "learn", "demo", "new-game", "faction list"),
    "collection stats",  # It prints only counts.
    "serve",  # Typer 0.29 does not repeat a port that is not a number.
}
"""Commands that print no names from files or the catalogue, unless the user types them."""


def words_of_commands() -> list[str]:
    """Return the words of every command, as the user types them."""
    return [entry.words for entry in COMMANDS if entry.module]


def command_called(words: str) -> Any:
    """Return the Click command with these words."""
    command: Any = build()
    for word in words.split():
        command = command.commands[word]
        command = command.loaded() if hasattr(command, "loaded") else command
    return command


def options_of(words: str) -> dict[str, tuple[Any, Any]]:
    """Return the type and the settings (`typer.Option` or `typer.Argument`) of each option of a command, by name."""
    parameters = signature(command_called(words).callback).parameters.values()
    annotations = {one.name: one.annotation for one in parameters if hasattr(one.annotation, "__metadata__")}
    return {name: (one.__origin__, one.__metadata__[0]) for name, one in annotations.items()}


def make_world(shell: Shell) -> None:
    """Write the files of the examples, and add malicious cards to the catalogue and the collection."""
    file: Callable[[str], Path] = shell.folder.joinpath
    own = [row(100 + place, name=f"{EVIL}{place or ''}", set_name=EVIL, cost=5) for place in range(22)]
    own += [
        row(number, name=f"{EVIL}{number}", layout="art_series") for number in (198, 199)
    ]  # These are not legal in decks.
    write_rows(file("cards.jsonl"), [*own, {"name": EVIL}])
    shell.good("import", "mtg", write_rows(file(f"{EVIL}.jsonl"), own))
    shell.good("card", "edit", "mtg:dsk/101", "--name", f"{EVIL}!")
    shell.good("card", "add", "--game", "arcadia", "--name", EVIL, "--top", "3")
    for name in ("deck", EVIL):
        shell.good("deck", "new", "--seed", "3", "--name", f"{EVIL} deck", "-o", file(f"{name}.toml"))
    for number in [*range(100, 122), 199, 120, 120]:
        shell.good("collection", "add", f"mtg:dsk/{number}", "--box", EVIL, "--row", EVIL)
    shell("collection", "pull", file("deck.toml"), "--out")
    rows = f'1,"{EVIL}5",dsk,105\n1,"{EVIL}ll",dsk,\n'
    for name in (f"{EVIL}.csv", "evil.csv"):
        file(name).write_text(f"Count,Name,Edition,Collector Number\n{rows}", encoding="utf-8")
    shell("collection", "import", file(f"{EVIL}.csv"))
    own[-1] = row(199, name=f"{EVIL} changed", layout="art_series")
    shell.good("import", "mtg", write_rows(file("changed.jsonl"), own))
    shell.good("collection", "add", ID, "--box", EVIL)
    shell.good("undo")
    file("unknown.csv").write_text(f'Count,Name,"{EVIL}"\n1,"{EVIL} unheard of",x\nx,"{EVIL}",y\n', encoding="utf-8")
    file("wrong.txt").write_text(f"1 {EVIL}\n".replace("\n", " ") + "\n1 mtg:dsk/100\n", encoding="utf-8")
    quoted = json.dumps(EVIL)
    file("data.csv").write_text(f'Name,Cost,"{EVIL}"\n"{EVIL}",3,4\n"{EVIL}2",x,{quoted[:3]}\n', encoding="utf-8")
    layout = (
        f'format = 1\ngame = "evil"\nname = {quoted}\n[[printed]]\nfield = {quoted}\nzone = "top"\nnote = {quoted}\n'
    )
    file("evil.toml").write_text(layout.replace("\x7f", "\\u007f"), encoding="utf-8")
    file("wrong.toml").write_text(f"format = 1\n{quoted} = 1\n".replace("\x7f", "\\u007f"), encoding="utf-8")
    faction = (Path(__file__).parents[2] / "engine/games/tactics/factions/bastion.toml").read_text(encoding="utf-8")
    faction = faction.replace('"The Slate Bastion"', quoted).replace('"Gate Warden"', quoted).replace("\x7f", "\\u007f")
    file("faction.toml").write_text(faction, encoding="utf-8")
    games = ("simulate", "grid", "-n", "1", "--seed", "1", "--workers", "1", "--deck", file("deck.toml"))
    shell.good(*games, "--records", file("played.jsonl"))
    game = file("played.jsonl").read_text(encoding="utf-8").replace('"random-1"', quoted)
    file("game.jsonl").write_text(game, encoding="utf-8")
    document = json.loads(game)
    write = {"begun.jsonl": document["moves"][:2], "wrong.jsonl": [*document["moves"][:2], EVIL]}
    for name, moves in write.items():
        rest = {key: value for key, value in document.items() if key not in ("result", "scores", "score", "outcome")}
        file(name).write_text(json.dumps({**rest, "moves": moves}) + "\n", encoding="utf-8")
    file(f"{EVIL}.png").write_bytes(b"no picture")
    file(f"{ARGUMENT}.db").write_bytes(b"no catalogue")


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the files; the first test that uses `hostile` fills it."""
    return tmp_path_factory.mktemp("world")


@pytest.fixture
def hostile(shell: Shell, world: Path) -> Shell:
    """Copy the files, the catalogue and the collection for one test."""
    return with_prepared_files(shell, world, make_world)


def with_fewer_games(line: str) -> str:
    """Reduce the number of games in a command to a tenth, and to 200, which show as much."""
    return re.sub(r"(?<=--games )\d+", lambda games: str(min(max(4, int(games[0]) // 10), 200)), line)
