"""Tests of the commands `backup` and `restore`, including failures, which must lose nothing."""

import json
import shutil
import sqlite3
import zipfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from helpers.catalogues import Shell, rows

from ccgrid.catalog.file_kinds import BACKUP_ENTRY
from ccgrid.services import backups
from ccgrid.services.state_folder import state_folder

STATE = {
    "games/2026-01-02-030405-grid-0a1b.jsonl": '{"a": 1}\n',
    "web/tables/1.json": "{}",
    "web/decks/1.toml": "name = 'Ours'\n",
    "progress.json": "{}",
}


@pytest.fixture
def used(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A catalogue with a collection, and a file of each kind."""
    monkeypatch.setenv("CCGRID_LAYOUTS", str(shell.folder / "layouts"))
    shell.import_rows(rows(20))
    shell.good("collection", "add", "mtg:dsk/3", "--copies", "2", "--box", "Attic")
    shell.good("config", "set", "players", "You,fair")
    for name, text in {**STATE, "web/token.json": "secret", "web/lock": ""}.items():
        path = state_folder() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (shell.folder / "layouts").mkdir()
    (shell.folder / "layouts" / "pips.toml").write_text("format = 1\n")
    return shell


def user_data(shell: Shell) -> Mapping[str, str]:
    """Return a user's data: the collection and the contents of all other files."""
    below = [shell.folder / "config.toml", *(shell.folder / "state").rglob("*"), *(shell.folder / "layouts").rglob("*")]
    files = {str(path): path.read_text() for path in below if path.is_file() and path.suffix != ".zip"}
    return {**files, "collection": shell.good("collection", "list").out}


def change_everything(shell: Shell) -> None:
    shell.good("collection", "add", "mtg:dsk/4", "--box", "Cellar")
    shell.good("config", "set", "players", "Ann,Bob")
    (state_folder() / "web/tables/1.json").write_text('{"changed": true}')
    (state_folder() / "web/tables/2.json").write_text("{}")
    (shell.folder / "layouts" / "pips.toml").unlink()


WORDS = "Draws a handful of cards"


def saved_catalogue(file: Path) -> bytes:
    with zipfile.ZipFile(file) as archive:
        return archive.read("catalogue.db")


def test_backup_has_texts_of_cards_only_if_asked_for(used: Shell):
    cards = [{**card, "oracle_text": f"{WORDS}, then 2 more."} for card in rows(20)]
    used.import_rows(cards)
    used.good("backup", used.folder / "all.zip", "--texts")
    used.good("backup", used.folder / "plain.zip")
    assert WORDS.encode() in saved_catalogue(used.folder / "all.zip")
    assert WORDS.encode() not in saved_catalogue(used.folder / "plain.zip")
    before = used.good("show", "mtg:dsk/3", "--json").json
    used.good("restore", used.folder / "plain.zip", "--yes")
    after = used.good("show", "mtg:dsk/3", "--json").json
    assert [number["value"] for number in after["numbers"]] == [number["value"] for number in before["numbers"]]
    assert not used("search", f'o:"{WORDS}"').out
    used.import_rows(cards)
    assert used.good("search", f'o:"{WORDS}"').out.count("mtg:") == 20, "the next import brings them back"


def test_restored_backup_has_all_data_and_can_be_undone(used: Shell):
    file = used.folder / "all.zip"
    report = json.loads(used.good("backup", file, "--json").out)
    assert (report["file"], report["catalogue"]) == (str(file), True)
    names = set(zipfile.ZipFile(file).namelist())
    expected = {BACKUP_ENTRY, "catalogue.db", "config.toml", "layouts/pips.toml", *(f"state/{name}" for name in STATE)}
    assert names == expected  # without the token of the server
    before = user_data(used)
    change_everything(used)
    changed = user_data(used)
    assert changed != before
    restored = json.loads(used.good("restore", file, "--yes", "--json").out)
    assert (restored["files"], restored["made"]) == (report["files"], report["made"])
    assert user_data(used) == before
    used.good("restore", restored["before"], "--yes")
    assert user_data(used) == changed
    used.good("restore", restored["before"], "--yes")
    assert user_data(used) == before


def test_backup_moves_to_another_machine(used: Shell):
    file, before = used.folder / "all.zip", user_data(used)
    used.good("backup", file)
    used.database.unlink()
    (used.folder / "config.toml").unlink()
    shutil.rmtree(used.folder / "state")
    shutil.rmtree(used.folder / "layouts")
    restored = json.loads(used.good("restore", file, "--yes", "--json").out)
    assert restored["before"] == ""
    found = user_data(used)
    kept_secret = {path for path in before if path.endswith(("token.json", "lock"))}
    assert {name: text for name, text in before.items() if name not in kept_secret} == {
        name: text for name, text in found.items() if not name.endswith("lock")
    }


def test_only_backups_are_overwritten_and_only_with_force(used: Shell):
    file, other = used.folder / "all.zip", used.folder / "other.zip"
    used.good("backup", file)
    assert used("backup", file).status == 3
    used.good("backup", file, "--force")
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("a", "b")
    assert used("backup", other, "--force").status == 3
    assert zipfile.ZipFile(other).namelist() == ["a"]


def _archive(path: Path, entries: Mapping[str, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


HEAD = json.dumps({"format": 1, "made": "2026-01-01T00:00:00"})


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"a.txt": "text"}, "this is an archive, not a backup"),
        ({BACKUP_ENTRY: "[]"}, "not a backup, or a damaged one"),
        ({BACKUP_ENTRY: '{"format": 2}'}, "newer ccgrid"),
        ({BACKUP_ENTRY: HEAD, "../outside": "x"}, "'../outside' does not belong in a backup"),
        ({BACKUP_ENTRY: HEAD, "state/games/../../../outside": "x"}, "does not belong in a backup"),
        ({BACKUP_ENTRY: HEAD, "state/web/token.json": "x"}, "does not belong in a backup"),
        ({BACKUP_ENTRY: HEAD, "/etc/passwd": "x"}, "does not belong in a backup"),
        ({BACKUP_ENTRY: HEAD, "catalogue.db": "no database"}, "The catalogue in it"),
        ({BACKUP_ENTRY: HEAD, "catalogue.db": b"SQLite format 3\0" + b"\xff" * 5000}, "The catalogue in it"),
    ],
)
def test_foreign_and_hostile_files_change_nothing(used: Shell, entries: Mapping[str, bytes | str], message: str):
    before = user_data(used)
    result = used("restore", _archive(used.folder / "it.zip", entries), "--yes")
    assert (result.status, message in result.err, result.err.count("\n") <= 2) == (3, True, True), result.err
    assert user_data(used) == before
    assert not (used.folder.parent / "outside").exists()


@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_damaged_backup_changes_nothing(used: Shell, damage: str):
    file = used.folder / "all.zip"
    used.good("backup", file)
    change_everything(used)
    before, content = user_data(used), bytearray(file.read_bytes())
    if damage == "cut":
        del content[len(content) // 2 :]
    else:
        content[len(content) // 2] ^= 0xFF
    file.write_bytes(content)
    assert used("restore", file, "--yes").status == 3
    assert user_data(used) == before


@pytest.mark.parametrize("failing", [1, 3, 5, "catalogue"])
def test_failed_restoration_changes_nothing(used: Shell, monkeypatch: pytest.MonkeyPatch, failing: int | str):
    file = used.folder / "all.zip"
    used.good("backup", file)
    change_everything(used)
    before, written = user_data(used), []
    atomic_binary_file, put = backups.atomic_binary_file, backups.put_back

    def write(path: Path) -> object:
        written.append(path)
        if len(written) == failing:
            raise OSError(5, "Input/output error", str(path))
        return atomic_binary_file(path)

    def fail_once(copy: Path, path: Path) -> None:
        monkeypatch.setattr(backups, "put_back", put)
        raise OSError(5, "Input/output error", str(path))

    monkeypatch.setattr(backups, "atomic_binary_file", write)
    if failing == "catalogue":
        monkeypatch.setattr(backups, "put_back", fail_once)
    result = used("restore", file, "--yes")
    assert (result.status != 0, "Input/output error" in result.err) == (True, True)
    assert user_data(used) == before


def test_damaged_catalogue_is_kept_next_to_the_restored_one(used: Shell):
    file, before = used.folder / "all.zip", user_data(used)
    used.good("backup", file)
    with closing(sqlite3.connect(used.database)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    with used.database.open("r+b") as broken:
        broken.seek(100)
        broken.write(b"\xff" * 3000)
    result = used("backup", used.folder / "other.zip")
    assert (result.status, "damaged" in result.err) == (3, True)
    damaged = used.database.read_bytes()
    used.good("restore", file, "--yes")
    assert user_data(used) == before
    assert [path.read_bytes() for path in used.database.parent.glob("*.damaged-*")] == [damaged]


def test_restoring_needs_confirmation_and_no_running_server(used: Shell):
    from ccgrid.web.serve import single_instance_lock

    file = used.folder / "all.zip"
    used.good("backup", file)
    change_everything(used)
    before = user_data(used)
    assert "add --yes" in used("restore", file).err
    with single_instance_lock():
        result = used("restore", file, "--yes")
    assert (result.status, "is running already" in result.err) == (3, True)
    assert user_data(used) == before


def test_backup_without_data_is_rejected(shell: Shell):
    result = shell("backup", shell.folder / "all.zip")
    assert (result.status, "nothing to back up" in result.err) == (3, True)
    assert not (shell.folder / "all.zip").exists()


def test_open_catalogue_sees_the_restored_state(used: Shell):
    file = used.folder / "all.zip"
    used.good("backup", file)
    shutil.copy(file, used.folder / "copy.zip")
    used.good("collection", "add", "mtg:dsk/5", "--copies", "9")
    with closing(sqlite3.connect(used.database)) as reader:
        query = "SELECT sum(copies) FROM holdings"
        assert reader.execute(query).fetchone() == (11,)
        used.good("restore", used.folder / "copy.zip", "--yes")
        assert reader.execute(query).fetchone() == (2,)
