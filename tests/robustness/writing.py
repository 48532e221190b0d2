"""Examples of every command that writes the catalogue; a new command needs an example here."""

import hashlib
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from helpers.catalogues import Result, Shell, row, rows, write_rows

from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScannedCard, SeenNumber, middle_of
from ccgrid.catalog.store import schema
from ccgrid.catalog.store.health import check_health
from ccgrid.catalog.store.schema import HISTORY, TABLES
from ccgrid.services import scanning
from ccgrid.services.catalogue import open_catalogue

_TIME: Final = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d[+\d:]*")


def no_catalogue(shell: Shell) -> None:
    """Leave the catalogue missing, for a first command."""


def with_cards(shell: Shell) -> None:
    shell.import_rows(rows(40))


def with_collection(shell: Shell) -> None:
    with_cards(shell)
    for number, box in ((3, "A"), (4, "A"), (5, "B")):
        shell.good("collection", "add", f"mtg:dsk/{number}", "--copies", "2", "--box", box)


def card_entered(shell: Shell) -> None:
    with_cards(shell)
    shell.good("card", "add", "--game", "mtg", "--name", "Griffin", "--top-left", "4")


def card_corrected(shell: Shell) -> None:
    with_cards(shell)
    shell.good("card", "edit", "mtg:dsk/3", "--top-left", "5")


def import_undone(shell: Shell) -> None:
    with_cards(shell)
    shell.good("undo", "--yes")


def addition_undone(shell: Shell) -> None:
    with_collection(shell)
    shell.good("undo")


def correction_undone(shell: Shell) -> None:
    card_corrected(shell)
    shell.good("undo", "--yes")


def with_layout(shell: Shell) -> None:
    with_cards(shell)
    shell.good("layout", "new", shell.folder / "own.csv", "--game", "pips", "--keep")


def layout_undone(shell: Shell) -> None:
    with_layout(shell)
    shell.good("undo")


def with_uncertain_rows(shell: Shell) -> None:
    with_cards(shell)
    assert shell("collection", "import", shell.folder / "own.csv").status == 1  # Two of its rows are missed.


def with_output_file(shell: Shell) -> None:
    """Create the output file in advance."""
    with_cards(shell)
    (shell.folder / "out.csv").write_text("1 Dusk Drake\n")


def deck_checked_out(shell: Shell) -> None:
    with_collection(shell)
    shell.good("collection", "pull", shell.folder / "deck.txt", "--out")


def card_renamed(shell: Shell) -> None:
    with_collection(shell)
    shell.import_rows([row(3, "Another Name"), *(one for one in rows(40) if one["collector_number"] != "3")])


def damaged(shell: Shell) -> None:
    with_collection(shell)
    _damage(shell)


def _damage(shell: Shell) -> None:
    with closing(sqlite3.connect(shell.database)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    with shell.database.open("r+b") as file:
        file.seek(5 << 14)  # The start of a page.
        file.write(b"\xff" * 64)


def backed_up(shell: Shell) -> None:
    with_collection(shell)
    shell.good("backup", shell.folder / "all.zip", "--force")
    shell.good("collection", "remove", "mtg:dsk/3")


def backed_up_and_damaged(shell: Shell) -> None:
    backed_up(shell)
    _damage(shell)


@dataclass(frozen=True)
class Example:
    """A command that writes: its preparation, words, standard input, and other output files."""

    before: Callable[[Shell], None]
    words: tuple[str, ...]
    read: str = ""
    files: tuple[str, ...] = ()
    status: int = 0
    """The exit status: 1 if rows of a file are missed."""
    migration: str = ""
    """The SQL of the migration that is pending when the command starts."""

    def run(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Result:
        """Run the command and return its result; `scan` receives the reading of a picture."""
        with monkeypatch.context() as patched:
            patched.setattr("sys.stdin", StringIO(self.read))
            patched.setattr(scanning, "scan_pictures", _scans)
            words = [str(shell.folder / word) if "." in word and ":" not in word else word for word in self.words]
            return shell(*words)


def _scans(paths: object, database: Path | None, **options: object) -> Iterator[list[Scan]]:
    yield [scan_of("mtg:dsk/3", database)]


def scan_of(card_id: str, database: Path | None) -> Scan:
    """Return the scan of a card of the catalogue on which all its numbers were read for certain."""
    with open_catalogue(database) as store:
        (card,) = store.cards([card_id])
    seen = tuple(SeenNumber(str(value), value, zone, *middle_of(zone), 1.0) for zone, value in card.zones.items())
    digest = hashlib.sha256(card_id.encode()).hexdigest()
    return Scan(f"{card.name}.png", digest, ScannedCard(card.name, seen)).of_card(card)


EXAMPLES: Final[Mapping[str, tuple[Example, ...]]] = {
    "import": (*(Example(before, ("import", "mtg", "more.jsonl")) for before in (no_catalogue, with_cards)),),
    "card add": tuple(
        Example(before, ("card", "add", "--game", "arcadia", "--name", "Griffin", "--left", "4", "--own", "2"))
        for before in (no_catalogue, with_cards)
    ),
    "card edit": (
        Example(with_cards, ("card", "edit", "mtg:dsk/3", "--top-left", "5")),
        Example(card_entered, ("card", "edit", "mtg:hand/griffin", "--name", "Gryphon")),
    ),
    "card remove": (
        Example(card_entered, ("card", "remove", "mtg:hand/griffin")),
        Example(card_corrected, ("card", "remove", "mtg:dsk/3")),
    ),
    "scan": (Example(with_cards, ("scan", "a.png", "--yes", "--own", "--box", "Z")),),
    "undo": (
        *(Example(before, ("undo", "--yes")) for before in (with_cards, with_collection, card_corrected, card_entered)),
        Example(with_layout, ("undo",), files=("layouts/pips.toml",)),
    ),
    "redo": (
        *(Example(before, ("redo",)) for before in (import_undone, addition_undone, correction_undone)),
        Example(layout_undone, ("redo",), files=("layouts/pips.toml",)),
    ),
    "layout new": tuple(
        Example(before, ("layout", "new", "own.csv", "--game", "pips", "--keep"), files=("layouts/pips.toml",))
        for before in (no_catalogue, with_cards)
    ),
    "collection import": (
        Example(
            with_output_file,
            ("collection", "import", "own.csv", "--corrections", "out.csv", "--force"),
            files=("out.csv",),
            status=1,
        ),
        Example(with_uncertain_rows, ("collection", "import", "newer.csv", "--replace")),
    ),
    "collection add": (
        Example(with_collection, ("collection", "add", "mtg:dsk/5", "--box", "C")),
        Example(with_cards, ("collection", "add", "--set", "dsk"), read="1\n2 x3\nbox C\n3\nundo\n4\n"),
    ),
    "collection remove": (Example(with_collection, ("collection", "remove", "mtg:dsk/3")),),
    "collection doubts": (
        Example(with_uncertain_rows, ("collection", "doubts", "--confirm", "-o", "out.csv"), files=("out.csv",)),
        Example(with_uncertain_rows, ("collection", "doubts", "--dismiss")),
    ),
    "collection rename-box": (Example(with_collection, ("collection", "rename-box", "A", "C")),),
    "collection empty-box": (Example(with_collection, ("collection", "empty-box", "A")),),
    "collection remove-box": (Example(with_collection, ("collection", "remove-box", "A")),),
    "collection edit": (
        Example(with_collection, ("collection", "edit", "box:A", "--condition", "nm", "--note", "signed")),
    ),
    "collection audit": (Example(with_collection, ("collection", "audit", "A", "--restart"), read="\nmtg:dsk/9\n"),),
    "collection move": (Example(with_collection, ("collection", "move", "box:A", "--to-box", "C")),),
    "collection pull": (Example(with_collection, ("collection", "pull", "deck.txt", "--out")),),
    "collection put-back": (Example(deck_checked_out, ("collection", "put-back", "deck", "--done")),),
    "collection verify": (Example(card_renamed, ("collection", "verify", "--apply")),),
    "restore": (
        Example(backed_up, ("restore", "all.zip", "--yes")),
        Example(backed_up_and_damaged, ("restore", "all.zip", "--yes")),
    ),
    "doctor": (Example(damaged, ("doctor", "--mend")),),
}
"""The examples, by the words of the command."""
MIGRATION: Final = Example(
    with_collection,
    ("sources",),
    migration="CREATE TABLE artists (id INTEGER PRIMARY KEY, name TEXT);\n"
    "UPDATE holdings SET note = note || 'migrated';\n",
)
"""An example of a command that migrates an older catalogue, as every command does."""


class Trial:
    """An example that is run repeatedly from the same initial state."""

    def __init__(self, shell: Shell, example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shell, self.example, self.monkeypatch = shell, example, monkeypatch
        write_rows(shell.folder / "more.jsonl", [row(3, "Another Name"), *rows(57, 4)])
        own = "Name,Set code,Collector number,Quantity,Box\n" + "".join(
            f"{card['name']},dsk,{card['collector_number']},2,Box {number}\n" for number, card in enumerate(rows(6))
        )
        (shell.folder / "own.csv").write_text(f"{own}Amber Belringer,dsk,,1,Z\nNobody at all,zzz,1,1,Z\n")
        (shell.folder / "newer.csv").write_text(f"{own}{rows(9)[8]['name']},dsk,9,1,New\n")
        (shell.folder / "deck.txt").write_text("1 Dusk Drake (dsk) 3\n1 Ember Ferryman (dsk) 4\n")
        (shell.folder / "a.png").touch()
        monkeypatch.setenv("CCGRID_LAYOUTS", str(shell.folder / "layouts"))
        example.before(shell)
        if example.migration:
            script = shell.folder / "migration.sql"
            script.write_text(example.migration)
            monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, str(script)))
        self._begun = shell.database.read_bytes() if shell.database.exists() else None
        self._files = {
            name: (shell.folder / name).read_bytes() for name in example.files if (shell.folder / name).exists()
        }
        self.before = self.state()

    def reset(self) -> None:
        """Restore the state before the command."""
        for suffix in ("", "-wal", "-shm", "-journal"):
            Path(f"{self.shell.database}{suffix}").unlink(missing_ok=True)
        if self._begun is not None:
            self.shell.database.write_bytes(self._begun)
        for name in self.example.files:
            if name in self._files:
                (self.shell.folder / name).write_bytes(self._files[name])
            else:
                (self.shell.folder / name).unlink(missing_ok=True)
        for left in self.shell.folder.glob(".ccgrid-*"):  # A killed command leaves its temporary folder.
            shutil.rmtree(left)
        for left in self.shell.folder.glob("*.damaged-*"):
            left.unlink()

    def run(self) -> Result:
        """Run the command and return its result."""
        return self.example.run(self.shell, self.monkeypatch)

    def state(self) -> tuple[str, ...]:
        """Return the catalogue's content except times, and the content of the other files; assert that it is intact."""
        return _content(self.shell.database), *(_text(self.shell.folder / name) for name in self.example.files)


def _content(database: Path) -> str:
    if not database.exists():
        return ""
    health = check_health(database)
    if health.fault or health.damage:
        return f"damaged: {hash(database.read_bytes())}"
    assert not health.counts.get("names_lost"), health
    assert not health.counts.get("out_of_nowhere"), health
    with closing(sqlite3.connect(database)) as connection:
        there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        tables = [table for table in (*TABLES, *HISTORY, "names") if table in there]
        content = {table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables}
    return _TIME.sub("", repr((health.version, {table: found for table, found in content.items() if found})))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
