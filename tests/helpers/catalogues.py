"""Made-up Magic cards in Scryfall's format, and a shell that runs commands with a catalogue."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ccgrid import app
from ccgrid.catalog.card_answers import explained_card
from ccgrid.catalog.collection.selection import select_holdings
from ccgrid.catalog.holding_answers import shown_holding
from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.outcome import OUTCOME
from ccgrid.catalog.sources import find_source
from ccgrid.services.catalogue import explain_card, open_catalogue, open_collection
from ccgrid.services.choices import Choices
from helpers.forked_program import forked_main
from helpers.processes import ends_with_test

FIRST = ("Amber", "Brass", "Cinder", "Dusk", "Ember", "Frost", "Gale", "Hollow", "Iron", "Jade")
LAST = ("Archivist", "Bellringer", "Cartographer", "Drake", "Ferryman", "Gardener", "Herald")

SHELL_CHARACTERS = frozenset("|&;<>$`*?~")
"""Characters with a special meaning in a shell."""


def row(number: int = 1, name: str | None = None, cost: int | None = None, **more: Any) -> dict[str, Any]:
    """Return one printing of the set `dsk`: an artifact with its cost in the top right corner and its number below."""
    if name is None:
        name = f"{FIRST[number % 10]} {LAST[number % 7]} {'' if number < 70 else number // 70}".strip()
    return {
        "object": "card",
        "name": name,
        "set": "dsk",
        "set_name": "Dusk",
        "collector_number": str(number),
        "lang": "en",
        "layout": "normal",
        "released_at": "2005-05-05",
        "frame": "2003",
        "mana_cost": f"{{{number % 10 if cost is None else cost}}}",
        "type_line": "Artifact",
        "oracle_text": "Draw 2 cards.",
        **more,
    }


def rows(count: int, start: int = 1) -> list[dict[str, Any]]:
    return [row(number) for number in range(start, start + count)]


def json_lines(cards: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(card, ensure_ascii=False) + "\n" for card in cards).encode("utf-8", "surrogatepass")


def write_rows(path: Path, cards: Iterable[Mapping[str, Any]]) -> Path:
    path.write_bytes(json_lines(cards))
    return path


def make_catalogue(database: Path, file: Path) -> Path:
    """Create a catalogue of the cards in a Scryfall file, for tests to copy."""
    import_source(ImportRequest(find_source("mtg"), file), database)
    return database


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a catalogue of the bundled cards, which tests read or copy, and must not change."""
    path = tmp_path_factory.mktemp("starter") / "starter.db"
    assert app.run(["import", "starter", "--db", str(path), "--json"]) == 0
    return path


@dataclass(frozen=True)
class Result:
    """The exit status of a command and its output."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def json_lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.split("\n")[:-1]]

    def fails(self, *words: str) -> "Result":
        """Assert that the command failed with status 3 and one or two lines that contain these words."""
        return self._failed(3, *words)

    def finds_none(self, *words: str) -> "Result":
        """Assert that the command found nothing: status 1 and one or two lines that contain these words."""
        return self._failed(1, *words)

    def misuses(self, *words: str) -> "Result":
        """Assert that the command line is wrong: status 2 and one or two lines with these words."""
        return self._failed(2, *words)

    def names_unknown(self, *words: str) -> "Result":
        """Assert that the command line names something unknown: status 2 and one or two lines with these words."""
        return self._failed(2, *words)

    def _failed(self, status: int, *words: str) -> "Result":
        assert self.status == status, self
        assert self.out == "", self
        assert 1 <= len(self.err.splitlines()) <= 2, self
        assert self.err.startswith("Error: "), self
        for word in words:
            assert word in self.err, self
        return self


READ_ONLY_COMMANDS = frozenset(
    {
        *("sources", "search", "show", "stats", "export", "card list", "history", "layout check"),
        *("collection list", "collection export", "collection boxes", "collection where"),
        *("collection sets", "collection wants", "collection spares", "collection trade"),
        *("collection out", "collection stats", "deck new", "deck check", "deck show", "deck edit", "deck rate"),
        *("faction list", "faction show", "faction check", "play", "table", "simulate", "arena", "rules", "learn"),
        *("validate", "score", "replay", "browse", "sheet", "page", "code", "solve", "advise", "analyze", "puzzle"),
        *("demo", "serve", "workers", "progress", "engine", "config", "new-game", "backup"),
    }
)
"""The commands that never change the catalogue; all others have examples in `tests/robustness/writing.py`."""


class Shell:
    """A runner of commands in this process, with a catalogue and a cache folder of its own."""

    def __init__(
        self, folder: Path, capture: pytest.CaptureFixture[str], starter: Callable[[], Path] | None = None
    ) -> None:
        self.folder, self.capture, self.starter = folder, capture, starter
        self.database, self.cache = folder / "catalogue.db", folder / "cache"

    def __call__(self, *arguments: str | Path, typed: str | None = None) -> Result:
        """Run a command and return its result.

        Args:
            typed: The standard input, as from a pipe; the test's own standard input if it is None.
        """
        self.capture.readouterr()
        words = [str(argument) for argument in arguments]
        with pytest.MonkeyPatch.context() as patch:
            if typed is not None:
                patch.setattr(sys, "stdin", io.StringIO(typed))
            status = app.run(words)
        if str(OUTCOME):
            assert {words[0], " ".join(words[:2])}.isdisjoint(READ_ONLY_COMMANDS), (
                f"{words[:2]} has changed the catalogue"
            )
        out, err = self.capture.readouterr()
        return Result(status, out, err)

    def good(self, *arguments: str | Path, typed: str | None = None) -> Result:
        """Run a command that must exit with status 0, and return its result."""
        result = self(*arguments, typed=typed)
        assert result.status == 0, result
        return result

    def incomplete(self, *arguments: str | Path) -> Result:
        """Run an import that must miss rows, and return its result."""
        result = self(*arguments)
        assert result.status == 1, result
        return result

    def card(self, text: str) -> dict[str, Any]:
        """Return the card that matches a text, with its numbers explained, as `show --json` prints it."""
        with open_catalogue(self.database) as store:
            found = explain_card(store, text, (), Choices())
        return dict(
            msgspec.to_builtins(explained_card(found.card, found.said, found.numbers, found.corrected, found.decks))
        )

    def entries(self, query: str = "") -> list[dict[str, Any]]:
        """Return the entries of the collection that match a query, as `collection list --json` prints them."""
        with open_collection(self.database) as collection:
            return [dict(msgspec.to_builtins(shown_holding(holding))) for holding in select_holdings(collection, query)]

    def import_starter(self) -> None:
        """Copy a catalogue of the bundled cards, as `import starter` would create it in a third of a second."""
        assert self.starter is not None
        assert not self.database.exists()
        shutil.copy(self.starter(), self.database)

    def import_rows(self, cards: Iterable[Mapping[str, Any]], *options: str) -> dict[str, Any]:
        """Import these cards from a file and return the summary."""
        file = write_rows(self.folder / "cards.jsonl", cards)
        summary: dict[str, Any] = self.good("import", "mtg", file, "--json", *options).json
        return summary

    def start(
        self,
        *arguments: str | Path,
        env: Mapping[str, str] | None = None,
        before: Callable[[], object] | None = None,
        **options: Any,
    ) -> "subprocess.Popen[str]":
        """Start a command in a process of its own, which is ended after the test at the latest.

        Args:
            before: A function that the new process calls first.
        """
        environment = self.environment() if env is None else env
        begin = forked_main(arguments, environment)

        def prepare() -> None:
            if before is not None:
                before()
            if begin is not None:
                begin()

        command = [sys.executable, "-m", "ccgrid", *map(str, arguments)]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        needed = begin is not None or before is not None
        return ends_with_test(
            subprocess.Popen(command, env=environment, preexec_fn=prepare if needed else None, **{**streams, **options})
        )

    def environment(self) -> dict[str, str]:
        own = {"CCGRID_DB": self.database, "CCGRID_CACHE": self.cache, "CCGRID_STATE": self.folder / "state"}
        own["CCGRID_CONFIG"] = self.folder / "config.toml"
        # A pager, which long lists are sent to at a terminal, would wait for a key.
        return {**os.environ, "PAGER": "cat", **{name: str(path) for name, path in own.items()}}

    def catalogue(self) -> dict[str, bytes]:
        """Return the content of the catalogue's files; only the main file exists while no process has it open."""
        return {path.name: path.read_bytes() for path in self.folder.glob(f"{self.database.name}*")}


def kill_after_bytes(size: int) -> Callable[[], None]:
    """Return a function for `before`: the system kills the process as soon as a file exceeds this many bytes.

    The process therefore ends in the middle of its work, however fast the machine is.
    """
    resource = pytest.importorskip("resource", reason="needs limits of processes")
    if forked_main((), {}) is None:
        pytest.skip("needs forked processes")

    def begin() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores this signal by default.

    return begin


def with_prepared_files(shell: Shell, world: Path, prepare: Callable[[Shell], object]) -> Shell:
    """Return the shell with a copy of the files and the catalogue in `world`, which the first test prepares."""
    if any(world.iterdir()):
        shutil.copytree(world, shell.folder, dirs_exist_ok=True)
    else:
        prepare(shell)
        shutil.copytree(shell.folder, world, dirs_exist_ok=True)
    return shell


def wait_for_result(process: "subprocess.Popen[str]") -> Result:
    """Wait up to four minutes for a process to end, and return its result."""
    out, err = process.communicate(timeout=240)
    return Result(process.returncode, out, err)
