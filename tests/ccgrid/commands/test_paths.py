"""Tests of `-` on the command line, which means standard input or output instead of a file."""

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from helpers.catalogues import Result, Shell, rows
from helpers.command_examples import command_called, options_of, words_of_commands
from helpers.everyday import one_in
from helpers.processes import ends_with_test, start_writer

from ccgrid.commands.paths import open_input, open_input_or_name, open_output, parse_path

OPTIONS: Final = [(words, name, *one) for words in words_of_commands() for name, one in options_of(words).items()]
"""Every command with the name, the type and the settings of each of its options and arguments."""

FILE: Final = "FILE"
SIMULATE: Final = ("grid", "-n", "2", "--workers", "1", "--seed", "1")

READ: Final[dict[tuple[str, str], tuple[str, Sequence[str]]]] = {
    ("import", "path"): ("cards.jsonl", ("mtg", FILE)),
    ("import", "file"): ("cards.jsonl", ("mtg", "--file", FILE)),
    ("import", "layout"): ("evil.toml", ("file", "data.csv", "--layout", FILE)),
    ("scan", "images"): ("data.csv", (FILE,)),
    ("scan", "deck"): ("deck.toml", ("data.csv", "--grid", "-o", "position.toml", "--deck", FILE)),
    ("layout check", "file"): ("evil.toml", (FILE,)),
    ("layout check", "data"): ("data.csv", ("evil.toml", "--data", FILE)),
    ("layout new", "data"): ("data.csv", (FILE, "--game", "evil", "--at", "Cost=br")),
    ("collection import", "file"): ("evil.csv", (FILE, "--again")),
    ("collection pull", "deck"): ("deck.toml", (FILE,)),
    ("collection verify", "migrations"): ("migrations.json", ("--migrations", FILE)),
    ("deck check", "file"): ("deck.toml", (FILE,)),
    ("deck show", "file"): ("deck.toml", (FILE,)),
    ("deck edit", "file"): ("deck.toml", (FILE, "--swap", "1=mtg:dsk/101", "-o", "edited.toml", "--force")),
    ("deck rate", "file"): ("deck.toml", (FILE, "-n", "4", "--workers", "1", "--json")),
    ("faction check", "file"): ("faction.toml", (FILE,)),
    ("play", "decks"): ("deck.toml", ("grid", "--players", "greedy,greedy", "--seed", "1", "--deck", FILE)),
    ("play", "load"): ("begun.jsonl", ("--load", FILE)),
    ("table", "words"): ("deck.toml", (FILE, "-o", "table.toml", "--force")),
    ("table", "load"): ("begun.jsonl", ("--load", FILE, "-o", "table.toml", "--force")),
    ("simulate", "decks"): ("deck.toml", (*SIMULATE, "--deck", FILE, "--json")),
    ("arena", "decks"): ("deck.toml", (*SIMULATE, "--deck", "deck.toml", "--deck", FILE, "--json")),
    ("validate", "records"): ("game.jsonl", (FILE,)),
    ("score", "records"): ("game.jsonl", (FILE,)),
    ("replay", "record"): ("game.jsonl", (FILE,)),
    ("sheet", "source"): ("deck.toml", (FILE, "-o", "page.html", "--force")),
    ("page", "record"): ("game.jsonl", (FILE, "-o", "page.html", "--force")),
    ("code", "record"): ("game.jsonl", (FILE,)),
    ("solve", "record"): ("game.jsonl", (FILE,)),
    ("advise", "record"): ("begun.jsonl", (FILE, "--think", "0.02", "--seed", "1")),
    ("analyze", "record"): ("game.jsonl", (FILE, "--think", "0.01", "--seed", "1")),
    ("collection wants", "lists"): ("deck.toml", (FILE,)),
    ("collection trade", "other"): ("evil.csv", (FILE,)),
    ("puzzle", "own_games"): ("game.jsonl", ("grid", "--from-games", FILE, "--json")),
    ("puzzle", "decks"): ("deck.toml", ("grid", "--deck", FILE, "--seed", "7", "--json")),
}
"""For each parameter of an input file, the file to read and the other arguments."""

WRITTEN: Final[dict[tuple[str, str], Sequence[str]]] = {
    ("export", "output"): ("--format", "csv", "-o", FILE),
    ("scan", "output"): ("data.csv", "--grid", "-o", FILE),
    ("layout new", "output"): ("data.csv", "--game", "evil", "--at", "Cost=br", "-o", FILE),
    ("collection import", "corrections"): ("evil.csv", "--dry-run", "--again", "--corrections", FILE),
    ("collection export", "output"): ("--format", "moxfield", "-o", FILE),
    ("collection export", "lost"): ("--format", "text", "-o", "owned.txt", "--force", "--losses", FILE),
    ("collection doubts", "output"): ("-o", FILE),
    ("deck new", "output"): ("--seed", "3", "-o", FILE),
    ("deck edit", "output"): ("deck.toml", "--swap", "1=mtg:dsk/101", "-o", FILE),
    ("simulate", "records"): (*SIMULATE, "--records", FILE),
    ("sheet", "output"): ("deck.toml", "-o", FILE),
    ("page", "output"): ("game.jsonl", "-o", FILE),
    ("code", "output"): ("game.jsonl", "-o", FILE),
    ("analyze", "output"): ("game.jsonl", "--seed", "1", "--think", "0.01", "-o", FILE),
    ("stats", "output"): ("-o", FILE),
    ("collection sets", "output"): ("--all", "-o", FILE),
    ("collection wants", "output"): ("deck.toml", "--format", "csv", "-o", FILE),
    ("collection spares", "output"): ("--keep", "0", "-o", FILE),
    ("collection trade", "output"): ("evil.csv", "--keep", "0", "--format", "csv", "-o", FILE),
    ("puzzle", "output"): ("grid", "--deck", "deck.toml", "--seed", "7", "--output", FILE),
}

TIMED: Final = {"advise", "analyze", "simulate", "arena", "deck rate", "puzzle", "collection import", "import"}
"""Commands whose output depends on time."""


class Piped:
    """A function that runs a command with data on standard input."""

    def __init__(self, shell: Shell, patch: pytest.MonkeyPatch) -> None:
        (shell.folder / "migrations.json").write_text('{"data": []}', encoding="utf-8")
        patch.chdir(shell.folder)
        self.shell, self.patch = shell, patch

    def __call__(self, *words: str, given: bytes = b"") -> Result:
        self.patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        return self.shell(*words)


@pytest.fixture
def piped(hostile: Shell, monkeypatch: pytest.MonkeyPatch) -> Piped:
    return Piped(hostile, monkeypatch)


def parameters_with_callback(*names: str) -> list[Any]:
    """Return each command and parameter whose path is opened by a callback with one of these names."""
    return [
        pytest.param(words, parameter, id=f"{words} {name}")
        for words, name, _, settings in OPTIONS
        if settings.parser is parse_path and settings.callback.__name__ in names
        for parameter in command_called(words).params
        if parameter.name == name
    ]


def with_path(words: Sequence[str], path: str) -> list[str]:
    return [path if word == FILE else word for word in words]


def test_every_path_option_handles_streams() -> None:
    paths = [(words, name, settings) for words, name, kind, settings in OPTIONS if "Path" in repr(kind)]
    assert len(paths) > 100
    assert not [(words, name) for words, name, settings in paths if settings.parser is not parse_path]


@pytest.mark.parametrize(
    ("command", "param"), one_in(4, parameters_with_callback(open_input.__name__, open_input_or_name.__name__))
)
def test_input_file_can_be_standard_input(command: str, param: Any, piped: Piped) -> None:
    name, words = READ[command, param.name]
    content = Path(name).read_bytes()
    Path("given").write_bytes(content)
    state = piped.shell.catalogue()
    streamed = piped(*command.split(), *with_path(words, "-"), given=content)
    for file, data in state.items():
        (piped.shell.folder / file).write_bytes(data)
    file = piped(*command.split(), *with_path(words, "given"))
    assert streamed.status == file.status
    assert "defect" not in streamed.err
    if command not in TIMED:
        assert streamed.out == file.out.replace("given", "standard input")
    if file.status:
        assert "given" not in file.err or "standard input" in streamed.err, streamed
    assert not Path("-").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(
    ("command", "param"), one_in(4, parameters_with_callback(open_input.__name__, open_input_or_name.__name__))
)
def test_input_file_can_be_a_named_pipe(command: str, param: Any, piped: Piped) -> None:
    name, words = READ[command, param.name]
    content = Path(name).read_bytes()
    Path("given").write_bytes(content)
    os.mkfifo("pipe")
    state = piped.shell.catalogue()
    start_writer(Path("pipe"), content)
    streamed = piped(*command.split(), *with_path(words, "pipe"))
    for file, data in state.items():
        (piped.shell.folder / file).write_bytes(data)
    file = piped(*command.split(), *with_path(words, "given"))
    assert streamed.status == file.status
    if command not in TIMED:
        assert streamed.out == file.out.replace("given", "pipe")


@pytest.mark.parametrize(("command", "param"), one_in(4, parameters_with_callback(open_output.__name__)))
def test_output_file_can_be_standard_output(command: str, param: Any, piped: Piped) -> None:
    words = WRITTEN[command, param.name]
    written = piped(*command.split(), *with_path(words, "output"))
    streamed = piped(*command.split(), *with_path(words, "-"))
    assert streamed.status == written.status
    assert not Path("-").exists()
    content = Path("output").read_bytes().decode("utf-8", "surrogatepass") if Path("output").exists() else ""
    assert content or written.status
    if command not in TIMED:
        assert streamed.out == content
    has_equal_length = len(streamed.out.splitlines()) == len(content.splitlines())
    assert has_equal_length or command == "analyze"  # its marks depend on time
    assert "Written to -" not in streamed.out + streamed.err
    assert all(line in streamed.err for line in written.out.split("\n")) or command in TIMED


@pytest.mark.parametrize(("command", "param"), parameters_with_callback("reject_stream"))
def test_file_only_option_rejects_stream(command: str, param: Any, piped: Piped) -> None:
    needed = [
        parameter
        for parameter in command_called(command).params
        if parameter.param_type_name == "argument" and parameter.required
    ]
    words = ["-" if parameter is param else "deck.toml" for parameter in needed]
    words += [] if param in needed else [param.opts[0], "-"]
    result = piped(*command.split(), *words).names_unknown("- is not a file here: ")
    assert "./-" in result.err
    assert not Path("-").exists()


def test_file_named_dash_is_written_with_its_folder(piped: Piped) -> None:
    piped("deck", "new", "--seed", "3", "-o", "./-")
    assert Path("-").read_text(encoding="utf-8").startswith("name = ")
    assert piped("deck", "check", "./-").status == 0


def test_stream_can_be_used_once(piped: Piped) -> None:
    piped("validate", "-", "-").names_unknown("standard input")
    piped("collection", "export", "--losses", "-").names_unknown("standard output")
    piped("collection", "export", "-o", "-", "--losses", "-").names_unknown("standard output")
    piped("deck", "new", "--count", "2", "-o", "-").names_unknown("standard output")
    piped("simulate", *SIMULATE, "--records", "-", "--resume", "counts").names_unknown("standard output")
    piped("deck", "edit", "-", "--swap", "1=mtg:dsk/101", given=Path("deck.toml").read_bytes()).names_unknown("-o")


def test_piped_commands_read_each_others_output(piped: Piped) -> None:
    deck = piped("deck", "new", "--seed", "3", "-o", "-").out.encode()
    edited = piped("deck", "edit", "-", "--swap", "1=mtg:dsk/101", "-o", "-", given=deck)
    assert edited.out.startswith("name = ")
    games = piped("simulate", *SIMULATE, "--records", "-", "--json")
    assert '"games": 2' in games.err
    output = piped("validate", "-", given=games.out.encode()).out
    assert output.count("Valid: standard input:") == 2


def test_error_in_piped_file_names_standard_input(piped: Piped) -> None:
    assert "standard input" in piped("deck", "check", "-", given=b"\xff\xfe\0").err
    assert "standard input" in piped("validate", "-", given=b"game = 1").out + piped("validate", "-", given=b"=").err
    assert "/" not in piped("code", "-", given=b"").err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_keys_are_read_from_terminal_if_game_is_piped(piped: Piped) -> None:
    import pexpect

    environment = {**piped.shell.environment(), "TERM": "xterm-256color"}
    command = f"{sys.executable} -m ccgrid replay - < game.jsonl"
    child = ends_with_test(pexpect.spawn("/bin/sh", ["-c", command], 120, env=environment, encoding="utf-8"))
    child.expect("The start of")
    child.send(" ")
    child.expect("1: ")
    child.send("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_suggested_command_keeps_the_dash(piped: Piped) -> None:
    done = piped("sheet", "-", "-o", "sheet.html", given=b"1 Evil\n")
    assert (done.status, done.err.splitlines()[1]) == (3, "Details: ccgrid deck check -")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_pdf_is_written_to_pipe_but_not_to_terminal(piped: Piped) -> None:
    pytest.importorskip("weasyprint")
    import pexpect
    from helpers.forked_program import at_terminal

    words = ("sheet", "deck.toml", "--only", "scores", "--pdf", "-o", "-")
    output = piped.shell.start(*words, text=False).communicate(timeout=120)
    assert output[0].startswith(b"%PDF-")
    child = at_terminal(words, piped.shell.environment(), folder=piped.shell.folder)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 3
    assert "A terminal cannot show a PDF" in child.before
    assert "%PDF" not in child.before


@pytest.mark.parametrize("command", [("collection", "import"), ("deck", "check"), ("score",), ("import", "file")])
def test_address_is_rejected_as_file(shell: Shell, command: tuple[str, ...]) -> None:
    result = shell(*command, "https://example.org/cards.csv")
    assert result.status == 2
    assert "https://example.org/cards.csv is an address, not a file: download it first" in result.err
    assert ("--url" in result.err) == (command[0] == "import")


@pytest.mark.parametrize("command", [("collection", "import"), ("deck", "check"), ("collection", "trade")])
def test_messages_name_the_folder_instead_of_a_dot(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    shell.import_rows(rows(3))
    monkeypatch.chdir(shell.folder)
    shell(*command, ".").fails(f"{shell.folder.name}: this is a folder")
