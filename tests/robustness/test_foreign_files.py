"""Random commands among unrelated files, which never change; only requested files are created or removed."""

import os
import random
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from helpers.catalogues import Shell, row, rows, write_rows
from helpers.hypothesis_examples import EXAMPLES

from ccgrid.catalog import temporary
from ccgrid.catalog.files import LOGS

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need privileges there")

Snapshot = dict[str, tuple[object, ...]]
FOREIGN: Final = {
    "letter": b"Dear Ann,\n\n3 weeks have gone by.\n",
    "program": b'cards = [\n    1,\n]\ngame = "grid"\nplayers = ["Ann"]\nprint(cards)\n',
    "notes": b"# To do\n- buy milk\n",
    "addresses": b"Name,Street,City\nAnn,Elm Road 3,York\n",
    "log": b'{"name": "started"}\n{"name": "ended"}\n',
    "page": b"<!doctype html>\n<title>Ann</title>\n",
    "database": b"SQLite format 3\0" + bytes(80),
    "settings": b'format = 1\ngame = "mine"\n',
}
OUTPUTS: Final = ("deck.toml", "g.jsonl", "owned.csv", "counts", "other.db")
SUFFIXES: Final = ("", "", ".part", "-wal", "-journal", ".manifest.json", ".lock")
ELSEWHERE: Final = (
    *("temporary/ccgrid-main/README", "temporary/ccgrid-x8_2kd0a/content/file", "temporary/ccgrid-notes"),
    *("work/ccgrid-decks/mine.toml", "work/.ccgrid-abc.new/content/file", "work/catalogue.scans.json.part"),
    *("state/games/notes.jsonl", "state/games/finished/notes.jsonl", "cache/notes.part", "layouts/notes.txt"),
    *("work/.ccgrid-0123456789abcdef.new/content/file", "work/folder/notes", "state/games/mine.match.json"),
)
GAME: Final = r"\d{4}-[\w-]+\.(jsonl|match\.json)"
OWN_GAMES: Final = re.compile(rf"state(/games(/finished|/{GAME}|/finished/{GAME})?)?")
SIMULATE: Final = ("simulate", "matrix", "--workers", "1", "--seed", "1", "-n")


@dataclass(frozen=True)
class Command:
    """A command; the words `O` and `P` stand for output files.

    `rewrites` names the outputs that it may overwrite without `--force` if they are its own, `forces` says whether it
    has `--force`, and `beside` lists the suffixes of further files that it may write.
    """

    words: tuple[str, ...]
    outputs: str = ""
    rewrites: str = ""
    forces: bool = True
    beside: tuple[str, ...] = ()


COMMANDS: Final = (
    Command(("deck", "new", "--seed", "1", "-o", "O"), "O"),
    Command(("deck", "new", "tactics", "--faction", "lancers", "--seed", "1", "-o", "O"), "O"),
    Command(("play", "matrix", "--players", "greedy,greedy", "--seed", "1", "--record", "O"), "O"),
    Command((*SIMULATE, "2", "--records", "O"), "O"),
    Command((*SIMULATE, "2", "--records", "O", "--resume", "P"), "OP", "P", beside=(".part",)),
    Command((*SIMULATE, "4", "--records", "O", "--resume", "P"), "OP", "OP", beside=(".part",)),
    Command((*SIMULATE, "3", "--resume", "O"), "O", "O", forces=False),
    Command(("export", "--format", "csv", "-o", "O"), "O"),
    Command(("export", "--format", "jsonl", "-o", "O"), "O"),
    Command(("collection", "export", "--format", "text", "-o", "O", "--losses", "P"), "OP"),
    Command(("collection", "export", "--format", "moxfield", "-o", "O"), "O"),
    Command(("collection", "doubts", "-o", "O"), "O"),
    Command(("collection", "import", "O", "--corrections", "P"), "P"),
    Command(("collection", "add", "mtg:dsk/1"), forces=False),
    Command(("undo",), forces=False),
    Command(("collection", "move", "mtg:dsk/1", "--to-box", "A"), forces=False),
    Command(("collection", "pull", "O", "--out"), forces=False),
    Command(("deck", "edit", "O", "--swap", "1=mtg:dsk/1", "-o", "P"), "P"),
    Command(("analyze", "O", "--think", "0.01", "--seed", "1", "-o", "P"), "P"),
    Command(("table", "O", "--players", "Ann,Bob", "-o", "P"), "P"),
    Command(("arena", "matrix", "-n", "4", "--workers", "1", "--resume", "O"), "O", "O", False),
    Command(("layout", "new", "plain.csv", "--game", "plain", "--at", "Cost=top", "-o", "O"), "O"),
    Command(("layout", "new", "plain.csv", "--game", "plain", "--at", "Cost=top"), forces=False),
    Command(("sheet", "grid", "-o", "O"), "O"),
    Command(("page", "O", "-o", "P"), "P"),
    Command(("code", "O", "-o", "P"), "P"),
    Command(("deck", "check", "O"), forces=False),
    Command(("validate", "O"), forces=False),
    Command(("score", "O", "P"), forces=False),
    Command(("demo",), forces=False),
    Command(("demo", "-o", "new"), beside=()),
    Command(("import", "mtg", "cards.jsonl", "--db", "O"), "O", "O", beside=LOGS),
    Command(("stats", "--db", "O"), "O", "O", forces=False, beside=LOGS),
    Command(("card", "add", "--game", "a", "--name", "Ant", "--top", "4", "--db", "O"), "O", "O", False, LOGS),
    Command(("doctor", "--mend"), forces=False),
    Command(("doctor", "--mend", "--db", "O"), "O", "O", False, LOGS),
    Command(("import", "mtg", "cards.jsonl")),
    Command(("undo", "--yes"), forces=False),
    Command(("--version",), forces=False),
)

STEPS: Final = 10
"""Steps of each example, with two commands each."""


def snapshot(root: Path) -> Snapshot:
    """Return everything below a folder with its type, inode and content, without following links."""
    found: Snapshot = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = Path(folder, name)
            status = path.lstat()
            if path.is_symlink():
                content: object = path.readlink()
            else:
                content = path.read_bytes() if stat.S_ISREG(status.st_mode) else None
            inode = None if path.is_dir() else status.st_ino
            found[path.relative_to(root).as_posix()] = (stat.S_IFMT(status.st_mode), inode, content)
    return found


class World:
    """A user's folders with files, and random commands that use them."""

    def __init__(self, root: Path, shell: Shell, catalogue: bytes, seed: int) -> None:
        self.root, self.shell, self.rng = root, shell, random.Random(seed)
        self.past: list[object] = [seed]
        for name in ("work/folder", "outside", "temporary", "state/games/finished", "cache", "layouts"):
            (root / name).mkdir(parents=True)
        os.chdir(root / "work")
        Path("catalogue.db").write_bytes(catalogue)
        write_rows(Path("cards.jsonl"), rows(30))
        Path("plain.csv").write_text("Name,Cost\nAnt,3\n")
        (root / "outside" / "letter").write_bytes(FOREIGN["letter"])
        self.foreign = {"outside/letter", "work/plain.csv", "work/cards.jsonl"}

    def step(self) -> None:
        """Remove and create random files; then run commands."""
        output, other, third = self.rng.sample(OUTPUTS, 3)
        for name in (output, other, third):
            if self.rng.random() < 0.5:
                self._remove_outputs(name)
        for name in (output, third):
            self._create_file(f"work/{name}{self.rng.choice(SUFFIXES)}")
        self._create_file(self.rng.choice(ELSEWHERE))
        for _ in range(2):  # The second command finds the output of the first.
            self._command(self.rng.choice(COMMANDS), output, other, self.rng.random() < 0.5)

    def _remove_outputs(self, name: str) -> None:
        for path in (self.root / "work" / f"{name}{end}" for end in SUFFIXES):
            path.unlink(missing_ok=True)
            self.foreign.discard(path.relative_to(self.root).as_posix())

    def _create_file(self, name: str) -> None:
        path, what = self.root / name, self.rng.choice([*FOREIGN, "link", "broken link"])
        if os.path.lexists(path) or any(one.is_file() for one in path.parents):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if what in FOREIGN:
            path.write_bytes(FOREIGN[what])
        else:
            path.symlink_to(self.root / "outside" / ("letter" if what == "link" else "nothing"))
        self.foreign.add(name)
        self.past.append((name, what))

    def _command(self, command: Command, output: str, other: str, force: bool) -> None:
        """Run a command, and assert that it changes only the files that it may change."""
        named = {"O": output, "P": other}
        words = [named.get(word, word) for word in command.words] + (["--force"] if force and command.forces else [])
        self.past.append(words)
        temporary._searched.clear()  # As in a new process.
        before = snapshot(self.root)
        result = self.shell(*words)
        after = snapshot(self.root)
        assert result.status in (0, 1, 2, 3), (self.past, result)
        assert "defect" not in result.err, (self.past, result)
        changed = {name for name in before if after.get(name) != before[name]}
        assert not changed & self.foreign, (changed & self.foreign, self.past, result)
        rewritten = [named[letter] for letter in (command.outputs if force else command.rewrites)]
        wrong = {name for name in changed if not self._may(name, words, rewritten, command.beside)}
        made = [named[letter] for letter in command.outputs]
        wrong |= {name for name in after.keys() - before.keys() if not self._may(name, words, made, command.beside)}
        assert not wrong, (wrong, self.past, result)

    def _may(self, name: str, words: list[str], files: list[str], beside: tuple[str, ...]) -> bool:
        """Return whether a command may change or create the file with this name."""
        own = {f"work/{file}{end}" for file in files for end in ("", *beside)}
        own |= {f"work/catalogue.db{end}" for end in ("", *LOGS)}
        if words[:2] == ["demo", "-o"]:
            own |= {"work/new", "work/new/deck.toml", "work/new/game.toml"}
        if words[:2] == ["layout", "new"]:
            own |= {"layouts/plain.toml"}
        is_saved = "--mend" in words and re.fullmatch(r"work/\w+\.damaged-\w+\.db(-wal|-shm)?", name)
        return bool(name in own or OWN_GAMES.fullmatch(name) or is_saved)


@pytest.mark.slow
def test_no_command_changes_a_file_that_is_not_its_own(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.import_rows([*rows(30), row(31, "Griffin", 4)])
    shell.good("collection", "add", "mtg:dsk/1")
    monkeypatch.chdir(tmp_path)
    for seed in range(EXAMPLES):
        root = tmp_path / str(seed)
        for name, folder in (("CCGRID_STATE", "state"), ("CCGRID_CACHE", "cache"), ("CCGRID_LAYOUTS", "layouts")):
            monkeypatch.setenv(name, str(root / folder))
        monkeypatch.setenv("CCGRID_DB", str(root / "work" / "catalogue.db"))
        monkeypatch.setattr(tempfile, "tempdir", str(root / "temporary"))
        world = World(root, shell, shell.database.read_bytes(), seed)
        for _ in range(STEPS):
            world.step()
    print(f"{2 * STEPS * EXAMPLES} commands among files of others")
