"""Tests of the command line's frame: exit statuses, help, error messages and loaded modules."""

import errno
import io
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import typer
from helpers.catalogues import Shell, make_catalogue, rows, write_rows
from helpers.command_examples import command_called
from hypothesis import given
from hypothesis import strategies as st

from ccgrid import app as frame
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.plugins import PluginWarning
from ccgrid.commands import COMMANDS, EVERYDAY, PANELS, SYNONYMS, CommandEntry
from ccgrid.commands.lazy import CommandModule, LazyCommand
from ccgrid.engine.errors import EngineError
from ccgrid.view.streams import be_quiet

Run = Callable[[Callable[[], None]], int]
"""A function that runs another one as a command, and returns the exit status."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A function that runs another one as the command `ccgrid act`, and returns the exit status."""

    def run_act(act: Callable[[], None]) -> int:
        module = ModuleType("ccgrid.commands.acting")
        module.app = CommandModule()  # type: ignore[attr-defined]
        module.app.command("act")(act)
        monkeypatch.setitem(sys.modules, "ccgrid.commands.acting", module)
        monkeypatch.setattr(frame, "COMMANDS", (CommandEntry("act", "acting", "Act."),))
        return frame.run(["act"])

    return run_act


def raising(error: BaseException) -> Callable[[], None]:
    """Return a function that raises this error."""

    def act() -> None:
        raise error

    return act


def test_successful_command_has_status_0(run: Run) -> None:
    assert run(lambda: None) == 0


def test_warning_about_plugin_is_one_line_unless_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    frame._print_warning(PluginWarning("The plug-in\x1b is skipped."), PluginWarning, "plugins.py", 1)
    assert capsys.readouterr().err == "Warning: The plug-in\\x1b is skipped.\n"
    be_quiet(wanted=True)
    frame._print_warning(PluginWarning("The plug-in is skipped."), PluginWarning, "plugins.py", 1)
    be_quiet(wanted=False)
    assert capsys.readouterr().err == ""
    frame._print_warning(UserWarning("of a library"), UserWarning, "library.py", 7)
    assert capsys.readouterr().err == "library.py:7: UserWarning: of a library\n"


def test_invalid_result_has_status_1(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(typer.Exit(1))) == 1
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("arguments", [["sarch"], ["--nonsense"], ["act", "extra"]])
def test_wrong_command_line_has_status_2_and_two_lines(
    run: Run, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run(lambda: None)
    assert frame.run(arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("Error: ")
    assert "--help" in lines[1]


@pytest.mark.parametrize("command", [(), ("doctor",), ("collection", "add")])
def test_help_command_equals_help_option(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert frame.run(["help", *command]) == 0
    shown = capsys.readouterr().out
    assert frame.run([*command, "--help"]) == 0
    assert shown == capsys.readouterr().out
    assert shown.startswith(" ".join(("Usage: ccgrid", *command)))


@pytest.mark.parametrize("words", ["deck help", "deck help new", "deck new --help"])
def test_help_may_follow_a_group(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert frame.run(words.split()) == 0
    assert capsys.readouterr().out.startswith(f"Usage: ccgrid {words.replace(' --help', '').replace(' help', '')} ")


def test_short_help_fits_on_a_screen_and_full_help_lists_all_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert frame.run(["help"]) == 0
    short = capsys.readouterr().out
    assert len(short.splitlines()) < 24
    assert {line.split()[0] for line in short.splitlines()[7:21]} == set(EVERYDAY)
    assert frame.run(["help", "--all"]) == 0
    shown = capsys.readouterr().out
    for entry in COMMANDS:
        assert " " in entry.words or f"\n  {entry.words} " in shown


@pytest.mark.parametrize("flag", ["-q", "--quiet", "--no-color", "--db=x.db", "--db x.db"])
def test_help_follows_options_of_the_program(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert frame.run([*flag.split(), "help", "deck"]) == 0
    assert capsys.readouterr().out.startswith("Usage: ccgrid deck ")


@pytest.mark.parametrize("words", ["rules grid", "faction list", "config", "stats"])
def test_every_command_accepts_catalogue_option_before_it(words: str, shell: Shell) -> None:
    assert shell.good("--db", shell.folder / "another.db", *words.split()).out


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["deck", "create"], "deck new"),
        (["create"], "deck new"),
        (["deck", "list"], "deck show"),
        (["deck", "ls"], "deck show"),
        (["deck", "add"], "deck edit"),
        (["deck", "remove"], "deck edit"),
        (["deck", "play"], "play"),
        (["add"], "collection add"),
        (["check"], "deck check"),
        (["rate"], "deck rate"),
        (["where"], "collection where"),
        (["collection", "create"], "collection add"),
        (["collection", "delete"], "collection remove"),
        (["collection", "show"], "collection list"),
        (["find"], "search"),
        (["Settings"], "config"),
        (["card", "new"], "card add"),
        (["card", "show"], "show"),
        (["card", "find"], "search"),
        (["collection", "new"], "collection add"),
        (["collection", "count"], "collection stats"),
        (["deck", "validate"], "deck check"),
        (["deck", "analyze"], "deck rate"),
        (["deck", "rename"], "deck edit"),
        (["layout", "show"], "layout check"),
        (["layout", "create"], "layout new"),
        (["serach"], "search"),
        (["layuot"], "layout"),
    ],
)
def test_synonym_of_a_command_gets_suggestion(
    words: list[str], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert frame.run(words) == 2
    assert f"No such command '{words[-1]}'. Did you mean 'ccgrid {command}'?" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["faction add", "faction new", "layout list", "deck export", "exit", "ladder"])
def test_unrelated_word_gets_no_suggestion(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert frame.run(words.split()) == 2
    assert "Did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["-q", "--quiet", "--no-color", "--version"])
def test_program_option_after_command_is_reported_with_correct_order(
    flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert frame.run(["deck", "new", flag]) == 2
    assert f"No such option: {flag}. It comes before the command: ccgrid {flag} deck new …" in capsys.readouterr().err


def test_synonyms_mean_existing_commands() -> None:
    known = {name for entry in COMMANDS for name in (entry.words, entry.words.split()[-1])}
    assert {words for meant in SYNONYMS.values() for words in meant} <= known


def test_catalogue_option_before_the_command_is_used_unless_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["doctor", "--path"], ["doctor", "--path", "--db", "other.db"]):
        assert frame.run(["--db", str(tmp_path / "mine.db"), *words]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'mine.db'}\nother.db\n"
    assert frame.run(["--db", "mine.db", "collection", "list"]) == 3
    assert "mine.db" in capsys.readouterr().err


def test_misspelt_command_gets_suggestion(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run(lambda: None)
    assert frame.run(["atc"]) == 2
    assert "Did you mean 'ccgrid act'?" in capsys.readouterr().err


def test_group_without_command_shows_its_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ModuleType("ccgrid.commands.acting")
    module.app = CommandModule()  # type: ignore[attr-defined]
    module.app.command("new")(lambda: None)
    monkeypatch.setitem(sys.modules, "ccgrid.commands.acting", module)
    entries = (CommandEntry("deck", "", "Build decks."), CommandEntry("deck new", "acting", "Build one."))
    monkeypatch.setattr(frame, "COMMANDS", entries)
    assert frame.run(["deck"]) == 2
    assert capsys.readouterr().err.startswith("Usage: ccgrid deck")
    assert frame.run(["deck", "new"]) == 0


def test_catalog_error_is_one_sentence_with_status_3(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(CatalogError("there is no card 'Ring of Gix'"))) == 3
    assert capsys.readouterr().err == "Error: there is no card 'Ring of Gix'\n"


def test_engine_error_is_one_sentence(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(EngineError("grid is played by 2 to 4 players"))) == 3
    assert capsys.readouterr().err == "Error: grid is played by 2 to 4 players\n"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file", "deck.toml"), "deck.toml: No such file or directory."),
        (PermissionError(errno.EACCES, "Permission denied", "deck.toml"), "deck.toml: permission denied"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "decks"), "decks: this is a folder, not a file"),
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full"),
        (OSError(errno.EIO, "Input/output error", b"caf\xe9"), "caf\\udce9: Input/output error"),
        (ConnectionError("no answer"), "no answer"),
        (sqlite3.OperationalError("database is locked"), "another program is writing to the catalogue"),
        (sqlite3.DatabaseError("file is not a database"), "this file is not a catalogue"),
        (sqlite3.OperationalError("disk I/O error"), "the catalogue: disk I/O error"),
        (EOFError(), "the input ended before the command had everything it needs"),
    ],
)
def test_expected_system_errors_have_messages(
    run: Run, error: Exception, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(raising(error)) == 3
    assert words in capsys.readouterr().err


def test_system_error_names_the_file(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def act() -> None:
        (tmp_path / "missing.toml").read_text()

    assert run(act) == 3
    assert capsys.readouterr().err == f"Error: {tmp_path / 'missing.toml'}: No such file or directory.\n"


def test_defect_is_reported_in_two_lines(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(RuntimeError("no zone top-lfet\nof 8\nzones"))) == 3
    first, second = capsys.readouterr().err.splitlines()
    assert first == "This is a defect in ccgrid: RuntimeError: no zone top-lfet"
    assert "CCGRID_TRACEBACK=1" in second


def test_traceback_variable_shows_details_of_defect(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CCGRID_TRACEBACK", "1")
    assert run(raising(KeyError("top-lfet"))) == 3
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@given(st.text())
def test_error_message_has_at_most_two_lines_without_control_characters(message: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", errors := io.StringIO())
        frame._print_error(message)
    lines = errors.getvalue().split("\n")[:-1]
    assert 1 <= len(lines) <= 2
    assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for line in lines for character in line)


def test_long_error_message_is_cut(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(CatalogError("x" * 10_000_000))) == 3
    assert len(capsys.readouterr().err) < 1100


def interrupt_in_class_body() -> RuntimeError:
    """Return the error that Python 3.11 raises for an interrupt in a class body."""
    error = RuntimeError("Error calling __set_name__")
    error.__cause__ = KeyboardInterrupt()
    return error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), typer.Abort(), interrupt_in_class_body()])
def test_interrupted_command_prints_one_line_with_status_130(
    run: Run, error: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(raising(error)) == 130
    assert capsys.readouterr().err == "Interrupted.\n"


# --- The command line as a process --------------------------------------------------------------------------------


ROOT = Path(__file__).parents[2]

SCRIPT = """
import sys, types
from ccgrid import app as frame
from ccgrid.commands import CommandEntry
from ccgrid.commands.lazy import CommandModule
module = types.ModuleType("ccgrid.commands.acting")
module.app = CommandModule()
@module.app.command()
def act() -> None:
{body}
sys.modules["ccgrid.commands.acting"] = module
frame.COMMANDS = (CommandEntry("act", "acting", "Act."),)
sys.argv = ["ccgrid", "act"]
frame.main()
"""


def run_in_process(
    body: str, *, stdout: int | None = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run statements as the command `ccgrid act` in a process of its own."""
    script = SCRIPT.format(body="\n".join("    " + line for line in body.splitlines()))
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        stdout=stdout,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
        timeout=240,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_control_c_ends_process_with_one_line() -> None:
    result = run_in_process("import os, signal\nos.kill(os.getpid(), signal.SIGINT)")
    assert (result.returncode, result.stderr) == (130, b"Interrupted.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize(
    ("number", "status", "errors"),
    [("SIGINT", 130, b"Interrupted.\n"), ("SIGTERM", 143, b""), ("SIGHUP", 129, b"")],
)
def test_interrupt_during_finalizer_is_raised_later(number: str, status: int, errors: bytes) -> None:
    going = f"class Going:\n    def __del__(self): os.kill(os.getpid(), signal.{number})\n"
    result = run_in_process(f"import os, signal, time\n{going}Going()\ntime.sleep(50)\nprint('went on')")
    assert (result.returncode, result.stdout, result.stderr) == (status, b"", errors)


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version_is_printed(option: str) -> None:
    result = subprocess.run([sys.executable, "-m", "ccgrid", option], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("ccgrid 0.")


def test_help_fits_in_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert frame.run(["--help"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def last_line_printed_by(script: str) -> str:
    """Run a script in a process of its own, in the folder of the checkout, and return its last line of output."""
    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return result.stdout.splitlines()[-1]


def test_help_loads_no_large_libraries() -> None:
    script = (
        "import sys; from ccgrid.app import run; run(['--help']); "
        "print(sorted({'rich', 'requests', 'sqlite3', 'sqlite_utils', 'rapidfuzz', 'msgspec'} & set(sys.modules)))"
    )
    assert last_line_printed_by(script) == "[]"


@pytest.mark.skipif(not typer.__version__.startswith(("0.27.", "0.28.")), reason="Typer 0.29 loads pydantic itself")
def test_command_loads_only_libraries_that_it_needs() -> None:
    script = (
        "import sys; from ccgrid.app import run; assert run(['rules', 'grid']) == 0; "
        "assert run(['validate', 'docs/examples/game.toml']) == 0; "
        "print({'pydantic', 'rich', 'sqlite3', '_hashlib', 'rapidfuzz', 'base64'} & set(sys.modules))"
    )
    assert last_line_printed_by(script) == "set()"


def test_collection_list_loads_no_readers_of_files_and_no_matching(tmp_path: Path) -> None:
    database = make_catalogue(tmp_path / "cards.db", write_rows(tmp_path / "cards.jsonl", rows(3)))
    names = ("formats", "imports", "doubts", "newer", "export", "entry_session", "upstream")
    unwanted = [*(f"ccgrid.catalog.collection.{name}" for name in names), "ccgrid.catalog.matching.resolver"]
    unwanted += [f"ccgrid.catalog.{name}" for name in ("lines", "file_kinds", "store.lookup", "words", "typed_details")]
    unwanted += ["rapidfuzz", "msgspec"]
    unwanted += ["tempfile"] if typer.__version__ < "0.29" else []  # pydantic loads it
    script = (
        f"import sys; from ccgrid.app import run; assert run(['collection', 'list', '--db', {str(database)!r}]) == 0; "
        f"print([name for name in {unwanted} if name in sys.modules])"
    )
    assert last_line_printed_by(script) == "[]"


def test_deck_new_loads_no_readers_of_files_and_no_name_search(starter: Path) -> None:
    unwanted = [
        f"ccgrid.catalog.{name}" for name in ("decks", "description", "documents", "matching.names", "store.lookup")
    ]
    unwanted += ["ccgrid.services.decks", "ccgrid.services.factions", "ccgrid.terminal.choosing", "ccgrid.view.reports"]
    unwanted += ["json"] if typer.__version__ < "0.29" else []  # pydantic loads it
    script = (
        f"import sys; from ccgrid.app import run; assert run(['deck', 'new', '--db', {str(starter)!r}]) == 0; "
        f"print([name for name in {unwanted} if name in sys.modules])"
    )
    assert last_line_printed_by(script) == "[]"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="platformdirs finds the folders there")
def test_default_catalogue_is_found_without_platformdirs() -> None:
    script = (
        "import sys; from ccgrid.catalog.store import file; file.usual_path(); print('platformdirs' in sys.modules)"
    )
    assert last_line_printed_by(script) == "False"


FREQUENT_COMMANDS = (
    "collection list --db {database}",
    "search dragon --db {database}",
    "deck new --seed 1 --db {database}",
    "score docs/examples/game.toml",
    "validate docs/examples/game.toml",
)


@pytest.mark.parametrize("command", FREQUENT_COMMANDS)
def test_frequent_commands_compile_no_pattern_at_import(command: str, starter: Path) -> None:
    script = (
        "import re, sys; compiled = []; compile_pattern = re.compile\n"
        "def note(*arguments, **named):\n"
        "    caller = sys._getframe(1)\n"
        "    module = caller.f_globals['__name__']\n"
        "    if caller.f_code.co_name == '<module>' and module.startswith('ccgrid'): compiled.append(module)\n"
        "    return compile_pattern(*arguments, **named)\n"
        "re.compile = note\n"
        f"from ccgrid.app import run\nstatus = run({command.format(database=starter).split()})\n"
        "print(status, compiled, 'ccgrid.catalog' in sys.modules)"
    )
    assert last_line_printed_by(script) == "0 [] True"


def test_solving_does_not_load_simulations() -> None:
    script = (
        "import sys; from ccgrid.app import run; "
        "assert run(['solve', 'tests/landed/matrix.toml', '--after', '18']) == 0; "
        "print([name for name in sys.modules if name.startswith('ccgrid.engine.many')])"
    )
    assert last_line_printed_by(script) == "[]"


def test_options_do_not_load_services() -> None:
    modules = sorted({f"ccgrid.commands.{entry.module}" for entry in COMMANDS if entry.module})
    packages = ("ccgrid.services", "ccgrid.terminal", "ccgrid.pages", "ccgrid.view")
    script = (
        f"import sys; from importlib import import_module; [import_module(name) for name in {modules}]; "
        f"print(*sorted(name for name in sys.modules if name.rpartition('.')[0] in {packages}))"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("ccgrid.") for name in result.stdout.split()}
    printing = {f"view.{name}" for name in ("lists", "output", "reasons", "streams", "text")}
    assert (
        loaded
        <= {
            "services.files",
            "services.output_kinds",
            "services.deck_requests",
            "services.requests",
            "terminal.choosing",
            "terminal.clarifying",
        }
        | {"terminal.confirming"}
        | {"pages.card_looks", "pages.sheet_cards"}
        | printing
    )


@pytest.mark.parametrize(("words", "frozen"), [("['rules', 'grid']", True), ("['rules', 'whist']", False)])
def test_objects_are_frozen_at_exit_unless_command_failed(words: str, frozen: bool) -> None:
    frozen_now = "gc.get_freeze_count() > 1000"  # includes immortal objects since Python 3.12
    script = f"sys.argv[1:] = {words}\natexit.register(lambda: print({frozen_now}))\nmain()"
    result = subprocess.run(
        [sys.executable, "-c", f"import atexit, gc, sys; from ccgrid.app import main\n{script}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout.splitlines()[-1] == str(frozen)


PRINTERS = {
    "print": "for _ in range(100_000): print('Ring of Gix')",
    "a table": (
        "from ccgrid.view.output import OutputColumn, show_table\n"
        "show_table([OutputColumn('name')], [['Ring of Gix']] * 100_000)"
    ),
    "a picture": "from ccgrid.view.output import show\nfor _ in range(10_000): show('Ring of Gix')",
}


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Windows break in another way")
@pytest.mark.parametrize("printer", PRINTERS)
def test_closed_pipe_ends_command_silently(printer: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = run_in_process(PRINTERS[printer], stdout=writing)
    finally:
        os.close(writing)
    assert result.stderr == b""
    assert result.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_full_disk_under_output_is_reported() -> None:
    with Path("/dev/full").open("w") as full:
        result = run_in_process("print('Ring of Gix')", stdout=full.fileno())
    assert result.stderr == b"Error: the disk is full\n"
    assert result.returncode == 3


def test_characters_missing_in_locale_are_escaped() -> None:
    result = run_in_process("print('L\\u00fbs \\u2192 \\ud83d')", PYTHONIOENCODING="ascii")
    assert result.stdout.split() == [b"L\\xfbs", b"\\u2192", b"\\ud83d"]
    assert result.returncode == 0


def test_command_table_has_the_first_sentence_of_every_help() -> None:
    entries = {entry.words: entry for entry in COMMANDS}
    assert len(entries) == len(COMMANDS)
    for words, entry in entries.items():
        if entry.module:
            command = LazyCommand(words.rpartition(" ")[2], entry.module, entry.line).loaded()
            assert command.get_short_help_str(1000) == entry.line
    modules = {path.stem for path in Path(frame.__file__).parent.joinpath("commands").glob("*.py")}
    listed = {entry.module for entry in COMMANDS if entry.module}
    assert listed <= modules
    for module in listed:
        defined = import_module(f"ccgrid.commands.{module}").app.functions
        assert set(defined) == {words.rpartition(" ")[2] for words, entry in entries.items() if entry.module == module}


@pytest.mark.parametrize("group", PANELS)
def test_every_command_of_large_group_has_one_heading(group: str) -> None:
    above = "" if group == "ccgrid" else f"{group} "
    names = [entry.words.removeprefix(above) for entry in COMMANDS if entry.words.startswith(above)]
    listed = [name for panel in PANELS[group].values() for name in panel]
    assert sorted(listed) == sorted(name for name in names if " " not in name)


def test_command_without_arguments_prints_short_introduction() -> None:
    result = run_in_process("from ccgrid.app import run; sys.exit(run([]))")
    lines = result.stdout.decode().splitlines()
    assert result.returncode == 0
    assert len(lines) < 24
    assert max(map(len, lines)) <= 80
    assert {"ccgrid help", "ccgrid demo"} <= {" ".join(line.split()[:2]) for line in lines}


@pytest.mark.skipif(sys.platform == "win32", reason="completes for bash")
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ccgrid ca", ["card"]),
        ("ccgrid deck ", ["new", "check", "show", "edit", "rate"]),
        ("ccgrid collection put", ["put-back"]),
        ("ccgrid deck new --se", ["--seed"]),
        ("ccgrid config set p", ["players", "pager"]),
        ("ccgrid collection import --dry", ["--dry-run"]),
    ],
)
def test_shell_completes_commands_and_options(line: str, words: list[str]) -> None:
    environment = {"_CCGRID_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    result = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv = ['ccgrid']; from ccgrid.app import main; main()"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in result.stdout.split() if line] == words


def test_short_option_means_the_same_in_every_command() -> None:
    meant: dict[str, set[str]] = {}
    for called in ("", *(entry.words for entry in COMMANDS)):
        for option in command_called(called).params:
            words = [name for name in option.opts if len(name) > 2]
            for letter in (name for name in option.opts if len(name) == 2):
                meant.setdefault(letter, set()).update(words)
    assert meant["-y"] == {"--yes"}
    assert meant["-o"] == {"--output", "--record", "--records"}  # written files
    assert meant["-n"] == {"--games", "--limit", "--copies", "--count"}  # amounts
