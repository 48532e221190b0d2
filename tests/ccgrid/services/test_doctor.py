"""`ccgrid doctor`: where everything is, whether it is sound, and what to do; it changes nothing."""

import shutil
import sqlite3
import sys
from pathlib import Path

import pytest
from helpers.catalogues import Shell, rows

from ccgrid.catalog.store.health import examine
from ccgrid.services import doctor
from ccgrid.services import doctor as service


@pytest.fixture
def home(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A home of its own, with the command of this installation found by the shell."""
    monkeypatch.setenv("CCGRID_LAYOUTS", str(shell.folder / "layouts"))
    (shell.folder / "layouts").mkdir()
    monkeypatch.setattr(service, "usual_path", lambda: shell.folder / "usual.db")
    monkeypatch.setattr(service, "called_command", lambda: Path(sys.executable))
    monkeypatch.setattr(service, "own_command", lambda: Path(sys.executable))
    return shell


def codes(shell: Shell, status: int = 0) -> dict[str, dict[str, object]]:
    result = shell("doctor", "--json")
    assert result.status == status, result
    assert result.json["ok"] == (status == 0)
    return {finding["code"]: finding for finding in result.json["findings"]}


def test_a_sound_installation_has_nothing_odd_and_tells_where_everything_is(home: Shell) -> None:
    home.import_rows(rows(30))
    before = home.catalogue()
    found = home.good("doctor", "--json").json
    assert (found["ok"], found["findings"]) == (True, [])
    assert found["versions"].keys() >= {"ccgrid", "python", "sqlite", "system", "typer", "rich"}
    assert set(found["extras"]) == {"fast", "scan", "pdf", "browse", "spreadsheet", "web"}
    assert (found["catalogue"]["whole"], found["catalogue"]["cards"]) == (True, 30)
    listed = {place["what"]: place for place in found["places"]}
    assert listed["catalogue"]["path"] == str(home.database)
    assert listed["catalogue"]["said_by"] == "$CCGRID_DB"
    assert listed["catalogue"]["bytes"] == home.database.stat().st_size
    assert listed["downloads"]["path"] == str(home.cache)
    assert listed["games"]["path"] == str(home.folder / "state" / "games")
    assert 0 < listed["catalogue"]["free"] <= shutil.disk_usage(home.folder).total
    assert home.catalogue() == before


def test_people_are_told_the_same_in_words(home: Shell) -> None:
    home.import_rows(rows(30))
    out = home.good("doctor").out
    assert "All good." in out
    assert str(home.database) in out
    assert "Catalogue: whole; 30 cards of 1 game." in out


def test_a_fresh_home_is_no_fault_and_says_what_to_do_first(home: Shell) -> None:
    assert codes(home)["no-catalogue"]["mend"] == "ccgrid import starter"
    assert not home.database.exists()


def test_a_catalogue_named_on_the_command_line_is_told_as_such(home: Shell) -> None:
    found = home.good("doctor", "--db", home.folder / "other.db", "--json").json
    assert {place["what"]: place["said_by"] for place in found["places"]}["catalogue"] == "--db"


def test_a_damaged_catalogue_is_told_with_status_1(home: Shell) -> None:
    home.import_rows(rows(400))
    content = bytearray(home.database.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 16_384] = b"\xff" * 16_384
    home.database.write_bytes(content)
    assert codes(home, 1)["damaged"]["serious"]
    assert "Not OK: 1 problem to fix." in home("doctor").out


@pytest.mark.parametrize("content", [b"not a database, but a longer text\n" * 40, b""])
def test_a_file_that_is_no_catalogue_is_told(home: Shell, content: bytes) -> None:
    home.database.write_bytes(content)
    assert codes(home, 1 if content else 0).keys() >= ({"unreadable"} if content else set())


def test_a_database_of_another_program_and_of_a_newer_one_are_told(home: Shell) -> None:
    with sqlite3.connect(home.database) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    connection.close()
    assert "another program" in str(codes(home, 1)["unreadable"]["message"])
    home.database.unlink()
    home.import_rows(rows(30))
    with sqlite3.connect(home.database) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "a newer ccgrid" in str(codes(home, 1)["unreadable"]["message"])


def test_a_folder_in_place_of_the_catalogue_is_told(home: Shell) -> None:
    home.database.mkdir()
    assert codes(home, 1)["not-a-file"]["serious"]


def test_what_does_not_fit_together_is_counted_with_what_to_do(home: Shell) -> None:
    home.import_rows(rows(30))
    home.good("collection", "add", "mtg:dsk/3")
    with sqlite3.connect(home.database) as connection:
        connection.execute(
            "DELETE FROM names WHERE name IN (SELECT name FROM cards WHERE id IN ('mtg:dsk/5', 'mtg:dsk/6'))"
        )
        connection.execute("DELETE FROM cards WHERE id = 'mtg:dsk/3'")
    connection.close()
    found = codes(home, 1)
    assert str(found["names-lost"]["message"]).startswith("2 card names")
    assert found["cards-gone"]["mend"] == "ccgrid collection verify"


def test_data_that_were_read_by_another_layout_are_told(home: Shell) -> None:
    home.import_rows(rows(30))
    with sqlite3.connect(home.database) as connection:
        connection.execute("UPDATE imports SET layout = 'another'")
    connection.close()
    assert codes(home)["read-before"]["mend"] == f"ccgrid import mtg {home.folder / 'cards.jsonl'}"


def test_own_layouts_games_and_downloads_that_are_odd_are_told(home: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.folder / "layouts" / "mine.toml").write_text("format = 1\ngame = 3\n", encoding="utf-8")
    games = home.folder / "state" / "games"
    games.mkdir(parents=True)
    (games / "2026-01-01-120000-grid-0a1b.jsonl").write_text("{}\n", encoding="utf-8")
    home.cache.mkdir()
    (home.cache / "cards.json.part").write_bytes(b"x" * 2000)
    (home.folder / "usual.db").write_bytes(b"")
    monkeypatch.setattr(service, "called_command", lambda: None)
    found = codes(home, 1)
    assert {code for code, finding in found.items() if finding["serious"]} == {"layout"}
    assert found.keys() >= {"layout", "damaged-game", "part", "two-catalogues", "no-command"}
    assert "2.0 kB" in str(found["part"]["message"])


def test_a_full_disk_is_told_once(home: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_free", lambda path: 1_000_000)
    found = home("doctor", "--json").json["findings"]
    assert [finding["code"] for finding in found if finding["serious"]] == ["room"]


def test_a_catalogue_of_an_earlier_version_is_examined_as_it_is(home: Shell) -> None:
    script = (Path(__file__).parents[3] / "catalog" / "store" / "schema.sql").read_text(encoding="utf-8")
    with sqlite3.connect(home.database) as connection:
        connection.executescript(f"{script}; PRAGMA application_id = {0x63636772}; PRAGMA user_version = 1;")
    connection.close()
    health = examine(home.database)
    assert (health.version, health.fault, health.counts["cards"]) == (1, "", 0)
    assert "copies" not in health.counts
    assert codes(home)["older"]["serious"] is False
