"""Tests that `ccgrid doctor` reports locations, damage and advice, and changes nothing."""

import shutil
import sqlite3
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from helpers.catalogues import Shell, rows
from inline_snapshot import snapshot

from ccgrid.catalog.extras import EXTRAS
from ccgrid.catalog.store.health import Health
from ccgrid.catalog.store.schema import EARLIER_APPLICATION_ID
from ccgrid.engine.rows import saved_code
from ccgrid.services import doctor as service
from ccgrid.services.doctor import Finding


@pytest.fixture
def home(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A separate home folder, in which the shell finds the command of this installation."""
    monkeypatch.setenv("CCGRID_LAYOUTS", str(shell.folder / "layouts"))
    (shell.folder / "layouts").mkdir()
    monkeypatch.setattr(service, "usual_path", lambda: shell.folder / "usual.db")
    monkeypatch.setattr(service, "command_on_path", lambda: Path(sys.executable))
    monkeypatch.setattr(service, "own_command", lambda: Path(sys.executable))
    return shell


def findings(shell: Shell, *, ok: bool = True) -> dict[str, Finding]:
    """Return the findings by their codes."""
    report = service.run_checks(shell.database)
    assert report.ok is ok
    return {finding.code: finding for finding in report.findings}


def test_sound_installation_has_no_findings_and_all_locations(home: Shell) -> None:
    home.import_rows(rows(30))
    before = home.catalogue()
    found = home.good("doctor", "--json").json
    assert (found["ok"], found["findings"]) == (True, [])
    assert found["versions"].keys() >= {"ccgrid", "python", "sqlite", "system", "typer", "rich"}
    assert set(found["extras"]) == {"fast", *EXTRAS} >= {"cluster", "hjson"}
    assert (found["catalogue"]["whole"], found["catalogue"]["cards"]) == (True, 30)
    listed = {place["what"]: place for place in found["places"]}
    assert listed["catalogue"]["path"] == str(home.database)
    assert listed["catalogue"]["said_by"] == "$CCGRID_DB"
    assert listed["catalogue"]["bytes"] == home.database.stat().st_size
    assert (listed["downloads"]["path"], listed["downloads"]["said_by"]) == (str(home.cache), "$CCGRID_CACHE")
    assert (listed["command"]["path"], listed["command"]["said_by"]) == (sys.executable, None)
    assert listed["games"]["path"] == str(home.folder / "state" / "games")
    assert 0 < listed["catalogue"]["free"] <= shutil.disk_usage(home.folder).total
    assert home.catalogue() == before


def test_command_is_found_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert service.command_on_path() is None
    name = "ccgrid.exe" if sys.platform == "win32" else "ccgrid"
    (tmp_path / name).touch(mode=0o755)
    assert service.command_on_path() == tmp_path / name


def test_report_is_printed_as_text(home: Shell) -> None:
    home.import_rows(rows(30))
    out = home.good("doctor").out
    assert "All good." in out
    assert str(home.database) in out
    assert "Catalogue: undamaged; 30 cards of 1 game." in out


def test_fresh_installation_is_ok_with_first_advice(home: Shell) -> None:
    assert findings(home)["no-catalogue"].mend == "ccgrid import starter"
    assert not home.database.exists()


def test_path_of_the_catalogue_is_printed_even_if_it_does_not_exist(home: Shell) -> None:
    other = home.folder / "other.db"
    assert home.good("doctor", "--path", "--db", other).out == f"{other}\n"
    assert Path(home.good("doctor", "--path").out.removesuffix("\n")).suffix == ".db"


def test_doctor_reports_catalogue_given_by_option(home: Shell) -> None:
    found = home.good("doctor", "--db", home.folder / "other.db", "--json").json
    assert {place["what"]: place["said_by"] for place in found["places"]}["catalogue"] == "--db"


def test_a_damaged_catalogue_is_reported_with_status_1(home: Shell) -> None:
    home.import_rows(rows(400))
    content = bytearray(home.database.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 16_384] = b"\xff" * 16_384
    home.database.write_bytes(content)
    result = home("doctor", "--json")
    assert (result.status, result.json["ok"]) == (1, False)
    assert [finding["code"] for finding in result.json["findings"] if finding["serious"]] == ["damaged"]
    assert "Not OK: 1 problem to fix." in home("doctor").out


@pytest.mark.parametrize("content", [b"not a database, but a longer text\n" * 40, b""])
def test_file_without_catalogue_is_reported(home: Shell, content: bytes) -> None:
    home.database.write_bytes(content)
    assert findings(home, ok=not content).keys() >= ({"unreadable"} if content else set())


def test_a_database_of_another_program_and_of_a_newer_one_are_reported(home: Shell) -> None:
    with sqlite3.connect(home.database) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    connection.close()
    assert "another program" in findings(home, ok=False)["unreadable"].message
    home.database.unlink()
    home.import_rows(rows(30))
    with sqlite3.connect(home.database) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "a newer ccgrid" in findings(home, ok=False)["unreadable"].message


def test_a_folder_in_place_of_the_catalogue_is_reported(home: Shell) -> None:
    home.database.mkdir()
    assert findings(home, ok=False)["not-a-file"].serious


def test_inconsistencies_are_counted_with_advice(home: Shell) -> None:
    home.import_rows(rows(30))
    home.good("collection", "add", "mtg:dsk/3")
    with sqlite3.connect(home.database) as connection:
        connection.execute(
            "DELETE FROM names WHERE name IN (SELECT name FROM cards WHERE id IN ('mtg:dsk/5', 'mtg:dsk/6'))"
        )
        connection.execute("DELETE FROM cards WHERE id = 'mtg:dsk/3'")
    connection.close()
    found = findings(home, ok=False)
    assert found["names-lost"].message.startswith("2 card names")
    assert found["cards-gone"].mend == "ccgrid collection verify"


def test_data_imported_with_another_layout_are_reported(home: Shell) -> None:
    home.import_rows(rows(30))
    with sqlite3.connect(home.database) as connection:
        connection.execute("UPDATE imports SET layout = 'another'")
    connection.close()
    assert findings(home)["read-before"].mend == f"ccgrid import mtg {home.folder / 'cards.jsonl'}"


def test_faulty_layouts_games_and_downloads_are_reported(home: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.folder / "layouts" / "mine.toml").write_text("format = 1\ngame = 3\n", encoding="utf-8")
    games = home.folder / "state" / "games"
    games.mkdir(parents=True)
    (games / "2026-01-01-120000-grid-0a1b.jsonl").write_text("{}\n", encoding="utf-8")
    home.cache.mkdir()
    (home.cache / "cards.json.part").write_bytes(b"x" * 2000)
    (home.folder / "usual.db").write_bytes(b"")
    monkeypatch.setattr(service, "command_on_path", lambda: None)
    found = findings(home, ok=False)
    assert {code for code, finding in found.items() if finding.serious} == {"layout"}
    assert found.keys() >= {"layout", "damaged-game", "part", "two-catalogues", "no-command"}
    assert "2.0 kB" in found["part"].message


def test_a_full_disk_is_reported_once(home: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_free", lambda path: 1_000_000)
    found = service.run_checks(home.database).findings
    assert [finding.code for finding in found if finding.serious] == ["room"]


def test_earlier_catalogue_is_a_serious_finding_that_advises_to_export(home: Shell) -> None:
    with sqlite3.connect(home.database) as connection:
        connection.execute(f"PRAGMA application_id = {EARLIER_APPLICATION_ID}")
    connection.close()
    found = findings(home, ok=False)["unreadable"]
    assert found.message == f"{home.database} was made by an earlier version of ccgrid."
    assert found.mend.startswith("Export your collection with that version")
    assert found.serious


FOUND = [
    (Health(counts={"cards": 0}), "empty", snapshot(("The catalogue is empty.", "ccgrid import starter")), False),
    (
        Health("is not a catalogue", counts={"cards": 0}),
        "unreadable",
        snapshot(("PATH is not a catalogue.", "Name another with --db or $CCGRID_DB.")),
        True,
    ),
    (
        Health(damage=("page 3 is torn", "page 9, too")),
        "damaged",
        snapshot(("PATH is damaged: page 3 is torn.", "To save all readable data: ccgrid doctor --mend")),
        True,
    ),
    (
        Health("was made by an earlier version", "Export it."),
        "unreadable",
        snapshot(("PATH was made by an earlier version.", "Export it.")),
        True,
    ),
    (
        Health(counts={"names_lost": 1234}),
        "names-lost",
        snapshot(
            ("1,234 card names are missing from the search index.", "Import their sources again (see ccgrid sources).")
        ),
        True,
    ),
    (
        Health(counts={"cards_gone": 1}),
        "cards-gone",
        snapshot(("1 card that you own is no longer in the catalogue.", "ccgrid collection verify")),
        False,
    ),
    (
        Health(counts={"out_of_nowhere": 2}),
        "out-of-nowhere",
        snapshot(
            (
                "2 cards of decks that are out are no longer in your collection.",
                "ccgrid collection out, then: ccgrid collection put-back DECK --done",
            )
        ),
        False,
    ),
    (
        Health(counts={"doubts": 5000}),
        "doubts",
        snapshot(("5,000 rows of imported files have no certain match.", "ccgrid collection doubts")),
        False,
    ),
]


@pytest.mark.parametrize(("health", "code", "words", "serious"), FOUND)
def test_finding_about_catalogue_is_one_sentence_with_one_advice(
    home: Shell, monkeypatch: pytest.MonkeyPatch, health: Health, code: str, words: tuple[str, str], serious: bool
) -> None:
    home.database.touch()
    monkeypatch.setattr(service, "check_health", lambda path: health)
    result = service.run_checks(home.database)
    assert result.ok is not serious
    [found] = result.findings
    assert (found.code, found.serious) == (code, serious)
    assert (found.message.replace(str(home.database), "PATH"), found.mend) == words
    shape = msgspec.to_builtins(result)
    assert shape["findings"] == [{"code": code, "message": found.message, "mend": found.mend, "serious": serious}]
    assert shape["ok"] is not serious
    assert shape["catalogue"] == {
        "whole": code not in ("unreadable", "damaged"),
        "version": health.version,
        "damage": [health.fault] if health.fault else [*health.damage],
        **health.counts,
    }


@pytest.mark.parametrize("health", [Health(), Health(version=1)])
def test_catalogue_of_this_version_or_without_tables_is_ok(
    home: Shell, monkeypatch: pytest.MonkeyPatch, health: Health
) -> None:
    home.database.touch()
    monkeypatch.setattr(service, "check_health", lambda path: health)
    assert service.run_checks(home.database).findings == []


def test_serious_findings_come_first_and_progress_is_reported(home: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    home.database.touch()
    counts = {"cards": 0, "doubts": 1, "names_lost": 1}
    monkeypatch.setattr(service, "check_health", lambda path: Health(counts=counts))
    steps: list[tuple[int, int]] = []
    found = service.run_checks(home.database, tell=lambda done, total: steps.append((done, total)))
    assert [finding.code for finding in found.findings] == ["names-lost", "empty", "doubts"]
    assert [done for done, _ in steps] == list(range(len(service.CHECKS) + 1))
    assert {total for _, total in steps} == {len(service.CHECKS) + 1}


def only_finding(home: Shell) -> Finding:
    """Return the only finding in a home with a sound catalogue."""
    home.database.touch()
    (finding,) = (each for each in service.run_checks(home.database).findings if each.code != "no-catalogue")
    return finding


@pytest.fixture
def sound(home: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setattr(service, "check_health", lambda path: Health())
    return home


def test_a_folder_without_permission_to_write_is_reported(sound: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for refused in (sound.database, sound.folder):
        monkeypatch.setattr(service.os, "access", lambda path, mode, refused=refused: path != refused)
        assert only_finding(sound) == Finding(
            "read-only",
            f"{sound.database}, or its folder, is not writable.",
            "Change the permissions of the file and its folder.",
            serious=True,
        )


@pytest.mark.parametrize(("count", "start"), [(1, "An unfinished game is"), (2, "2 unfinished games are")])
def test_damaged_games_are_counted(sound: Shell, count: int, start: str) -> None:
    games = sound.folder / "state" / "games"
    games.mkdir(parents=True)
    for number in range(count):
        (games / f"2026-01-0{number + 1}-120000-grid-0a1b.jsonl").write_text("{}\n", encoding="utf-8")
    finding = only_finding(sound)
    assert (finding.code, finding.mend, finding.serious) == ("damaged-game", "Move the file away.", False)
    assert finding.message.startswith(f"{start} damaged: {games / '2026-01-0'}")
    assert "\n" not in finding.message


@pytest.mark.parametrize(
    ("count", "message"), [(1, "There is an unfinished game."), (2, "2 unfinished games; the last one:")]
)
def test_games_that_can_be_continued_are_counted(
    sound: Shell, monkeypatch: pytest.MonkeyPatch, count: int, message: str
) -> None:
    monkeypatch.setattr(service, "left_games", lambda: range(count))
    monkeypatch.setattr(service, "records_of", lambda saved: [])
    assert only_finding(sound) == Finding("games-left", message, "ccgrid play --load last")


def test_interrupted_downloads_are_counted_with_size_and_folder(sound: Shell) -> None:
    (sound.cache / "mtg").mkdir(parents=True)
    for name in ("a.part", "b.part"):
        (sound.cache / "mtg" / name).write_bytes(bytes(1500))
    (sound.cache / "whole.json").write_bytes(b"{}")
    (sound.cache / "folder.part").mkdir()
    message = f"2 downloads broke off, 3.0 kB: {sound.cache / 'mtg'}"
    assert only_finding(sound) == Finding("part", message, "Import again to continue, or delete the files.")


@pytest.mark.parametrize(
    ("free", "serious"),
    [
        (service.LOW_DISK_SPACE_BYTES - 1, False),
        (service.LOW_DISK_SPACE_BYTES // 50, False),
        (service.LOW_DISK_SPACE_BYTES // 50 - 1, True),
    ],
)
def test_low_disk_space_is_reported_and_very_low_space_is_serious(
    sound: Shell, monkeypatch: pytest.MonkeyPatch, free: int, serious: bool
) -> None:
    monkeypatch.setattr(service, "_free", lambda path: free)
    finding = only_finding(sound)
    assert (finding.code, finding.serious) == ("room", serious)
    assert finding.message.startswith("Only ")
    assert finding.message.endswith(" of disk space is free for " + finding.message.rpartition(" for ")[2])
    assert finding.mend == "Free some space, or choose other locations: --db, $CCGRID_CACHE, $CCGRID_STATE."


def test_sufficient_or_unknown_disk_space_is_not_reported(sound: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    sound.database.touch()
    for free in (service.LOW_DISK_SPACE_BYTES, None):
        monkeypatch.setattr(service, "_free", lambda path, free=free: free)
        assert service.run_checks(sound.database).findings == []


def test_missing_layout_folder_is_reported(sound: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = sound.folder / "gone"
    monkeypatch.setenv("CCGRID_LAYOUTS", str(missing))
    message = f"$CCGRID_LAYOUTS names {missing}, which does not exist."
    assert only_finding(sound) == Finding("no-folder", message, "Create the folder, or correct $CCGRID_LAYOUTS.")


def test_missing_or_other_command_on_path_is_reported(sound: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    other = sound.folder / "ccgrid"
    other.touch()
    monkeypatch.setattr(service, "command_on_path", lambda: other)
    mend = "Activate the environment that you mean, or uninstall the other one."
    assert only_finding(sound) == Finding(
        "other-command", f"The shell starts {other}, but you are running {sys.executable}.", mend
    )
    monkeypatch.setattr(service, "command_on_path", lambda: None)
    mend = "Activate the environment it is installed in, or install it with: pipx install ."
    message = "The shell does not find the command ccgrid"
    assert only_finding(sound) == Finding("no-command", f"{message}: {sys.executable}.", mend)
    monkeypatch.setattr(service, "own_command", lambda: sound.folder / "gone")
    assert only_finding(sound) == Finding("no-command", f"{message}.", mend)


def test_encoding_that_cannot_draw_boards_is_reported(sound: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service.locale, "getpreferredencoding", lambda do_setlocale: "cp1252")
    message = "The text encoding here is cp1252, which cannot draw boards with lines."
    mend = "Set PYTHONUTF8=1, or choose a UTF-8 locale such as C.UTF-8."
    assert only_finding(sound) == Finding("encoding", message, mend)
    for name in ("UTF-8", "utf8"):
        monkeypatch.setattr(service.locale, "getpreferredencoding", lambda do_setlocale, name=name: name)
        assert service.run_checks(sound.database).findings == []


def test_unused_catalogue_at_default_location_is_reported(sound: Shell) -> None:
    usual = sound.folder / "usual.db"
    usual.touch()
    message = f"There is also a catalogue at {usual}, which is not used now."
    assert only_finding(sound) == Finding("two-catalogues", message, "To use it, leave out --db and $CCGRID_DB.")
    assert service.run_checks(usual).findings == []


def test_sizes_count_all_files_except_compiled_code(sound: Shell) -> None:
    sound.database.write_bytes(bytes(1000))
    Path(f"{sound.database}-wal").write_bytes(bytes(10))
    for name, size in (("mtg/a.json", 200), ("b.json", 30), ("compiled/c.nbc", 5000)):
        (sound.cache / name).parent.mkdir(parents=True, exist_ok=True)
        (sound.cache / name).write_bytes(bytes(size))
    found = {place.what: place for place in service.file_locations(sound.database)}
    assert found["catalogue"].bytes == 1010
    assert found["downloads"].bytes == 230
    assert found["program"].bytes is None
    assert found["command"].bytes is None
    assert found["games"].bytes == 0
    assert [found[what].exists for what in ("catalogue", "downloads", "games", "layouts")] == [
        True,
        True,
        False,
        True,
    ]
    assert (Path(found["program"].path) / "ccgrid" / "app").parent.is_dir()
    assert found["games"].path == str(sound.folder / "state" / "games")
    assert (found["games"].said_by, found["games"].exists, found["games"].bytes) == ("$CCGRID_STATE", False, 0)
    assert found["compiled"].said_by is None


def test_folder_of_compiled_code_is_listed(sound: Shell) -> None:
    pytest.importorskip("numba")
    (folder,) = (place.path for place in service.file_locations(sound.database) if place.what == "compiled")
    assert str(saved_code.cache_folder().parent) == folder


def test_only_damaged_catalogue_is_repaired_and_rescued_data_are_reported(
    home: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert service.mend_catalogue(home.database) is None
    home.import_rows(rows(3))
    assert service.mend_catalogue(home.database) is None
    for health, lost, folder in (
        (Health(damage=("torn",)), ["cards", "doubts"], "not all of: cards, doubts"),
        (Health(fault="is torn"), [], "nothing is lost"),
    ):
        saved = SimpleNamespace(rows={"cards": 3, "holdings": 2}, lost=lost, damaged="old.db")
        damage_flags = []
        monkeypatch.setattr(service, "check_health", lambda path, health=health: health)
        monkeypatch.setattr(
            service,
            "mend",
            lambda path, is_damaged, saved=saved, damage_flags=damage_flags: damage_flags.append(is_damaged) or saved,
        )
        assert service.mend_catalogue(home.database) == (
            f"Saved 3 cards and 2 entries of your collection; {folder}. The damaged file is now old.db."
        )
        assert damage_flags == [True]


def test_versions_are_those_that_are_installed() -> None:
    versions = service.run_checks(None).versions
    for name in ("ccgrid", "rich", "typer", "requests"):
        assert versions[name] == version(name)


def test_system_without_release_is_named_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service.platform, "release", str)
    assert service.run_checks(None).versions["system"] == service.platform.system()


def test_unnamed_location_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CCGRID_DB", raising=False)
    (found,) = (place for place in service.file_locations(None) if place.what == "catalogue")
    assert found.said_by is None


def test_missing_library_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_rich(name: str) -> str:
        if name == "rich":
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(service, "version", without_rich)
    assert service.run_checks(None).versions["rich"] == ""


def test_scan_extra_needs_all_its_libraries(home: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = {"cv2", "onnxruntime", "rapidocr", "weasyprint", "datasette", "python_calamine"}
    monkeypatch.setattr("ccgrid.catalog.extras.find_spec", lambda name: name if name in installed else None)
    extras = service.run_checks(home.database).extras
    assert (extras["scan"], extras["pdf"], extras["browse"], extras["spreadsheet"]) == (True, True, True, True)
    assert not extras["web"]
    installed.remove("cv2")
    assert not service.run_checks(home.database).extras["scan"]


def test_own_command_is_next_to_the_running_python() -> None:
    assert service.own_command() == Path(sys.executable).parent / "ccgrid"


def test_outdated_reading_advises_import_from_its_file_if_it_exists(
    home: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.database.touch()
    file = home.folder / "cards.jsonl"
    health = Health(readings={"mtg": ("another", str(file)), "none": ("another", "")})
    monkeypatch.setattr(service, "check_health", lambda path: health)
    message = "The cards of mtg were read with another layout, or an earlier version of it."
    assert only_finding(home) == Finding("read-before", message, "ccgrid import mtg")
    file.touch()
    assert only_finding(home) == Finding("read-before", message, f"ccgrid import mtg {file}")
