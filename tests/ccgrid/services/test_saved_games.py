"""Tests that games and matches are saved after every move, and continue after any end of the program."""

import json
import os
import re
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pexpect
import pytest
from helpers.catalogues import Shell, rows
from helpers.everyday import sampled
from helpers.forked_program import at_terminal
from helpers.processes import wait_until_reading
from helpers.terminals import REMATCH_PROMPT

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.records.files import read_games
from ccgrid.engine.records.record import Record
from ccgrid.services.match_session import MatchSession
from ccgrid.services.progress import (
    Progress,
    RatedPlayer,
    Repetition,
    changed_progress,
    load_progress,
    progress_file,
    puzzle_key,
    save_progress,
    standings,
)
from ccgrid.services.requests import GameRequest
from ccgrid.services.saved_games import (
    SavedGame,
    delete_same_game,
    description,
    last_saved,
    left_games,
    resume,
    saved_with_record,
)
from ccgrid.services.session import Session
from ccgrid.services.table_files import TableFile
from ccgrid.services.tables import SeatedTable, open_table

PROMPT = r"(?:Ann|Bob|You)> "
posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and words for errors are those of POSIX")


class Table:
    """A game at a terminal that may end in any way."""

    def __init__(self, shell: Shell, *arguments: str | Path) -> None:
        environment = {**shell.environment(), "TERM": "xterm-256color", "PYTHONUTF8": "1", "NO_COLOR": "1"}
        self.child = at_terminal(("play", *arguments), environment, folder=shell.folder, columns=100, lines=40)

    def play(self, *moves: str) -> None:
        for move in moves:
            self.child.expect(PROMPT)
            self.child.sendline(move)
            self.child.expect_exact(f"{move}\r\n")

    def rest(self) -> str:
        if self.child.expect([REMATCH_PROMPT, pexpect.EOF]) == 0:
            self.child.sendline()
            self.child.expect(pexpect.EOF)
        self.child.close()
        return str(self.child.before)


def saved_files(shell: Shell) -> list[Path]:
    return sorted((shell.folder / "state" / "games").glob("*.jsonl"))


def games(path: Path) -> list[Record]:
    return [reading.require() for reading in read_games(path)]


MATRIX = ("matrix", "--players", "Ann,Bob", "--seed", "3")

ENDS = {
    "quit": lambda table: table.child.sendline("quit"),
    "Ctrl-C": lambda table: table.child.sendintr(),
    "Ctrl-D": lambda table: table.child.sendeof(),
    "SIGTERM": lambda table: table.child.kill(signal.SIGTERM),
    "SIGHUP": lambda table: table.child.kill(signal.SIGHUP),
    "SIGKILL": lambda table: table.child.kill(signal.SIGKILL),
    "closed window": lambda table: table.child.ptyproc.fileobj.close(),
}


@pytest.mark.parametrize("end", ENDS)
def test_game_resumes_at_last_move_after_any_exit(end: str, shell: Shell) -> None:
    table = Table(shell, *MATRIX)
    table.play("1", "1", "1")
    table.child.expect(PROMPT)
    wait_until_reading(table.child)
    ENDS[end](table)
    if end == "closed window":
        table.child.wait()
    else:
        output = table.rest()
        if end not in ("SIGKILL", "SIGHUP"):
            assert "ccgrid play --load last" in output
    [path] = saved_files(shell)
    assert len(games(path)[0].moves) == 3
    again = Table(shell, "--load", "last")
    again.play("1", "quit")
    again.rest()
    assert saved_files(shell) == [path]
    assert len(games(path)[0].moves) == 4


def test_game_is_saved_after_every_move_and_undo(shell: Shell) -> None:
    table = Table(shell, *MATRIX)
    table.child.expect(PROMPT)
    assert saved_files(shell) == []
    for count in (1, 2):
        table.child.sendline("1")
        table.child.expect(PROMPT)
        assert len(games(saved_files(shell)[0])[0].moves) == count
    table.child.sendline("undo")
    table.child.expect(PROMPT)
    assert len(games(saved_files(shell)[0])[0].moves) == 1


def test_play_without_arguments_offers_unfinished_game(shell: Shell) -> None:
    table = Table(shell, *MATRIX)
    table.play("1", "quit")
    table.rest()
    offered = Table(shell)
    offered.child.expect_exact("Unfinished: a game of matrix, Ann, Bob: 1 move")
    offered.child.expect_exact("[Y/n] ")
    offered.child.sendline("")
    offered.play("1", "quit")
    offered.rest()
    [path] = saved_files(shell)
    assert len(games(path)[0].moves) == 2
    other = Table(shell)
    other.child.expect_exact("[Y/n] ")
    other.child.sendline("n")
    other.play("1", "quit")
    other.rest()
    assert len(saved_files(shell)) == 2
    assert len(games(path)[0].moves) == 2


def test_finished_game_is_not_resumed(shell: Shell) -> None:
    table = Table(shell, *MATRIX)
    table.play("1", "resign")
    table.rest()
    assert saved_files(shell) == []
    assert len(list((shell.folder / "state" / "games" / "finished").iterdir())) == 1
    shell("play", "--load", "last").fails("There is no unfinished game")


def test_game_saved_to_record_is_not_kept_elsewhere(shell: Shell) -> None:
    table = Table(shell, *MATRIX, "--record", "duel.toml")
    table.play("1", "quit")
    assert "--load duel.toml" in table.rest()
    again = Table(shell, "--load", "duel.toml", "--record", "duel.toml")
    again.play("1", "resign")
    again.rest()
    assert len(games(shell.folder / "duel.toml")[0].moves) == 2
    assert saved_files(shell) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    sampled(
        [("matrix", "--best-of", "3"), ("tactics", "--match"), ("tactics", "--match", "--same-deal")],
        *[("matrix", "--best-of", "3"), ("tactics", "--match", "--same-deal")],
    ),
)
def test_match_resumes_with_games_and_decks(arguments: tuple[str, ...], shell: Shell) -> None:
    def finish_game(table: Table) -> None:
        while True:
            found = table.child.expect(
                [PROMPT, "Press Enter for the next game> ", "Press Enter to continue> ", REMATCH_PROMPT, pexpect.EOF]
            )
            if found in (1, 4):
                return
            table.child.sendline("1" if found == 0 else "")
            table.child.expect_exact("\r\n")

    table = Table(shell, *arguments, "--players", "You,greedy", "--seed", "3", "--record", "match.jsonl")
    finish_game(table)
    table.child.sendline("")
    table.play("1", "quit")
    assert "ccgrid play --load last" in table.rest()
    [path] = saved_files(shell)
    before = games(path)
    assert [len(game.moves) > 0 for game in before] == [True, True]
    again = Table(shell, "--load", "last")
    again.child.expect_exact("Game 2 of")
    again.play("1", "quit")
    again.rest()
    after = games(path)
    assert after[0] == before[0]
    assert after[1].setup == before[1].setup
    assert len(after[1].moves) > len(before[1].moves)
    assert games(shell.folder / "match.jsonl") == after
    third = Table(shell, "--load", "match.jsonl")
    third.child.expect_exact("Game 2 of")
    finish_game(third)
    if third.child.isalive() and third.child.after != pexpect.EOF:
        third.child.sendline("")
        finish_game(third)
    third.rest()
    finished = games(shell.folder / "match.jsonl")
    assert finished[:1] == before[:1]
    assert all(game.result for game in finished)
    assert saved_files(shell) == []


def test_damaged_file_is_reported_and_new_game_begins(shell: Shell) -> None:
    table = Table(shell, *MATRIX)
    table.play("1", "quit")
    table.rest()
    saved_files(shell)[0].write_text("{}\n", encoding="utf-8")
    shell("play", "--load", "last").fails("cannot be continued")


def test_unwritable_state_folder_does_not_end_game(shell: Shell) -> None:
    (shell.folder / "state").write_text("in the way", encoding="utf-8")
    table = Table(shell, *MATRIX)
    table.play("1", "1", "quit")
    output = table.rest()
    assert "not saved" in output
    assert len(re.findall("cannot be kept", table.child.before)) <= 1


def test_save_command_keeps_other_files(shell: Shell) -> None:
    (shell.folder / "other.toml").write_text("mine = 1\n", encoding="utf-8")
    table = Table(shell, *MATRIX)
    table.play("1", "save other.toml")
    table.child.expect_exact("exists already")
    table.play("save game.toml")
    table.child.expect_exact("Saved to game.toml")
    table.play("1", "save game.toml")
    table.child.expect_exact("Saved to game.toml")
    table.play("quit")
    table.rest()
    assert (shell.folder / "other.toml").read_text(encoding="utf-8") == "mine = 1\n"
    assert len(games(shell.folder / "game.toml")[0].moves) == 2


def test_bundled_cards_can_be_used_next_to_entered_ones(shell: Shell) -> None:
    shell.good("card", "add", "--game", "arcadia", "--name", "Griffin", "--top-left", "4")
    result = shell.good("simulate", "-n", "2", "--workers", "1", "--json")
    assert json.loads(result.out)["games"] == 2
    assert "empty except for cards entered by hand" in result.err
    shell.import_rows(rows(40))
    assert "bundled" not in shell.good("simulate", "-n", "2", "--workers", "1", "--json").err


# --- in one process ---------------------------------------------------------------------------------------------------


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CCGRID_STATE", str(tmp_path / "state"))
    return tmp_path / "state" / "games"


def open_match(game: str = "matrix", best_of: int = 3, **more: Any) -> tuple[MatchSession, SeatedTable]:
    """Open a match without moves, and return its session and table."""
    table = open_table(GameRequest(game=game, players=("Ann", "Bob"), best_of=best_of, **more), 3, print)
    assert isinstance(table.play, MatchSession)
    return table.play, table


def play_first_moves(session: Session, count: int) -> None:
    for _ in range(count):
        session.play(session.state.legal_moves()[0])


@pytest.mark.parametrize("more", [{}, {"best_of": 4, "same_deal": True}])
def test_match_resumes_with_plan_at_last_move(state: Path, more: dict[str, Any]) -> None:
    match, table = open_match("tactics", factions=("cinder", "harbor"), **more)
    saved = SavedGame.begin("tactics", pytest.fail)
    saved.save_plan(match, table.dealer, Path("Jörð.jsonl"))
    play_first_moves(match.session, 3)
    saved.save_match(match)
    [left] = left_games()
    resumed = resume(left, 99)
    assert isinstance(resumed, MatchSession)
    assert resumed.match == match.match
    assert resumed.session.record() == replace(match.session.record(), match=match.match.next_game)
    assert left.record == Path("Jörð.jsonl").absolute()
    found = saved_with_record(Path("Jörð.jsonl"), pytest.fail)
    assert found is not None
    assert found.path == left.path
    assert saved_with_record(Path("other.jsonl"), pytest.fail) is None
    assert description(left).startswith("match of tactics, Ann, Bob: game 1, 3 moves, left 20")
    session = match.session
    while not session.is_over:
        play_first_moves(session, 1)
    match.end_game()
    saved.save_match(match)
    kept = last_saved(pytest.fail)
    assert kept is not None
    again = resume(kept, 99)
    assert isinstance(again, MatchSession)
    assert again.match.records == match.match.records
    match.next_game()
    assert again.session.record().setup == match.session.record().setup


def test_match_without_record_has_no_second_file(state: Path) -> None:
    match, table = open_match()
    saved = SavedGame.begin("matrix", pytest.fail)
    saved.save_plan(match, table.dealer, None)
    play_first_moves(match.session, 1)
    saved.save_match(match)
    assert description(saved).startswith("match of matrix, Ann, Bob: game 1, 1 move, left 20")
    resume(saved, 1)
    assert saved.record is None
    plan = saved.path.with_suffix(".match.json")
    assert json.loads(plan.read_text(encoding="ascii"))["format"] == 1
    for damaged, output in (
        ("{}", "another version of ccgrid wrote it"),
        ("[]", "another version of ccgrid wrote it"),
        ("{", "it "),
        ('{"format": 1, "game": "matrix"}', "'players'"),
    ):
        plan.write_text(damaged, encoding="utf-8")
        with pytest.raises(CatalogError, match=f"^{state}/.* cannot be continued: .*{re.escape(output)}"):
            resume(saved, 1)
    match, _ = open_match()
    saved.finish(saved=True)
    assert list(state.iterdir()) == []


@pytest.mark.parametrize("wrong", [{"game": 5}, {"players": [5, "Bob"]}, {"record": 5}])
def test_plan_with_value_of_wrong_type_is_reported(state: Path, wrong: dict[str, Any]) -> None:
    match, table = open_match()
    saved = SavedGame.begin("matrix", pytest.fail)
    saved.save_plan(match, table.dealer, None)
    play_first_moves(match.session, 1)
    saved.save_match(match)
    plan = saved.path.with_suffix(".match.json")
    plan.write_text(json.dumps(json.loads(plan.read_text(encoding="ascii")) | wrong), encoding="utf-8")
    with pytest.raises(CatalogError, match="cannot be continued: "):
        resume(saved, 1)


def test_plan_of_match_without_moves_is_deleted(state: Path) -> None:
    match, table = open_match()
    saved = SavedGame.begin("matrix", pytest.fail)
    saved.save_plan(match, table.dealer, None)
    saved.leave()
    assert (list(state.iterdir()), left_games(), last_saved(str)) == ([], [], None)
    saved.save_plan(match, table.dealer, None)
    play_first_moves(match.session, 1)
    saved.save_match(match)
    saved.leave()
    assert len(list(state.iterdir())) == 2


def test_last_hundred_finished_games_are_kept(state: Path) -> None:
    finished = state / "finished"
    finished.mkdir(parents=True)
    for number in range(100):
        (finished / f"2026-01-01-{number:06}-matrix-0000.jsonl").touch()
    (finished / "mine.jsonl").touch()
    match, _ = open_match()
    play_first_moves(match.session, 1)
    saved = SavedGame.begin("matrix", pytest.fail)
    saved.save(match.session)
    assert saved.is_saved
    saved.finish(saved=False)
    names = {path.name for path in finished.iterdir()}
    assert len(names) == 101
    assert {"mine.jsonl", saved.path.name} < names
    assert "2026-01-01-000000-matrix-0000.jsonl" not in names
    assert not saved.is_saved


def test_saved_game_is_deleted_when_its_continuation_ends(state: Path) -> None:
    (match, _), (other, _) = open_match(), open_match()
    play_first_moves(match.session, 2)
    saved = SavedGame.begin("matrix", pytest.fail)
    saved.save(match.session)
    play_first_moves(other.session, 1)
    delete_same_game(other.session.record())
    assert saved.is_saved, "it has fewer moves"
    other.session.play(other.session.state.legal_moves()[-1])
    delete_same_game(other.session.record())
    assert saved.is_saved, "it has another move"
    play_first_moves(match.session, 1)
    delete_same_game(match.session.record())
    assert not saved.is_saved


def test_unwritable_disk_is_reported_once(state: Path) -> None:
    state.parent.write_text("in the way")
    match, table = open_match()
    messages: list[str] = []
    saved = SavedGame.begin("matrix", messages.append)
    play_first_moves(match.session, 1)
    for _ in range(2):
        saved.save(match.session)
        saved.save_plan(match, table.dealer, None)
    assert messages == [f"The game cannot be saved in {state}: Not a directory."]


def test_player_counts_wins_draws_and_losses_against_all() -> None:
    progress = Progress()
    progress.count("grid", ("Ann", "Bob", "Cid"), (0, 2))
    progress.count("grid", ("Ann", "Bob"), (1,))
    shown = progress.standings["grid"]
    assert {name: (player.won, player.drawn, player.lost) for name, player in shown.items()} == {
        **{"Ann": (0, 1, 1), "Bob": (1, 0, 1), "Cid": (0, 1, 0)}
    }
    assert shown["Cid"].rating > 1500 > shown["Ann"].rating


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("rating", 10_000), ("rating", -10_000), ("deviation", 0), ("deviation", 350.1)),
        *(("volatility", 0), ("volatility", 10)),
    ],
)
def test_impossible_rating_is_damage(state: Path, field: str, value: float) -> None:
    progress = Progress()
    progress.count("grid", ("Ann", "Bob"), (0,))
    save_progress(progress)
    document = json.loads(progress_file().read_text(encoding="utf-8"))
    document["ratings"]["grid"]["Ann"].update({"rating": 9_999, "deviation": 350, "volatility": 9.9})
    progress_file().write_text(json.dumps(document), encoding="utf-8")
    assert load_progress().rated_player("grid", "Ann").rating == 9_999
    document["ratings"]["grid"]["Ann"][field] = value
    progress_file().write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CatalogError, match=r"is damaged, or from another version: move it away to start again\.$"):
        load_progress()


def test_concurrent_changes_are_all_saved(state: Path) -> None:
    def note(number: int) -> None:
        with changed_progress() as progress:
            progress.note_answer(f"puzzle {number}", right=True, today=date.today())

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(note, range(40)))
    assert len(load_progress().puzzles) == 40


def test_standings_list_best_first_and_count_due_puzzles(state: Path) -> None:
    assert msgspec.to_builtins(standings()) == {"ratings": {}, "puzzles": 0, "due": 0}
    progress, today = Progress(), date.today()
    progress.count("grid", ("Bob", "Ann"), (1,))
    progress.standings["grid"]["Zoe"] = progress.standings["grid"]["Abe"] = RatedPlayer()
    for key, when in (("a", today), ("b", today - timedelta(1)), ("c", today + timedelta(1))):
        progress.puzzles[key] = Repetition(1, when)
    save_progress(progress)
    shown = msgspec.to_builtins(standings())
    assert [player["name"] for player in shown["ratings"]["grid"]] == ["Ann", "Abe", "Zoe", "Bob"]
    assert (shown["puzzles"], shown["due"]) == (3, 2)


def test_game_without_remaining_moves_is_deleted(state: Path) -> None:
    match, _ = open_match()
    saved = SavedGame.begin("matrix", pytest.fail)
    play_first_moves(match.session, 1)
    saved.save(match.session)
    assert saved.is_saved
    match.session.undo()
    saved.save(match.session)
    assert not saved.is_saved


def test_last_game_is_the_last_played_one(state: Path) -> None:
    match, _ = open_match()
    play_first_moves(match.session, 1)
    state.mkdir(parents=True)
    early, late = (state / f"2026-01-0{day}-000000-matrix-0000.jsonl" for day in (1, 2))
    for path, when in ((early, 2_000), (late, 1_000)):
        SavedGame(path, pytest.fail).save(match.session)
        os.utime(path, (when, when))
    (state / "notes.jsonl").write_text("mine")
    assert [game.path for game in left_games()] == [late, early]
    assert last_saved(pytest.fail) == SavedGame(early, pytest.fail)


def test_unreadable_or_foreign_version_error_names_file(state: Path) -> None:
    assert progress_file() == state.parent / "progress.json"
    save_progress(Progress())
    document = json.loads(progress_file().read_text(encoding="utf-8"))
    progress_file().write_text(json.dumps({**document, "format": 2}), encoding="utf-8")
    with pytest.raises(CatalogError, match=f"^{progress_file()} is damaged, or from another version"):
        load_progress()
    progress_file().unlink()
    progress_file().mkdir()
    for act, output in (
        (load_progress, rf"^{progress_file()} cannot be read: Is a directory\.$"),
        (lambda: save_progress(Progress()), rf"^Ratings cannot be saved in {progress_file()}: "),
    ):
        with pytest.raises(CatalogError, match=output):
            act()
    match, _ = open_match()
    assert len(puzzle_key(match.session.record())) == 16, "files of earlier days hold such keys"


# --- contents and permissions of the files ----------------------------------------------------------------------------


def test_names_are_written_in_ascii(state: Path) -> None:
    table = open_table(GameRequest(game="matrix", players=("Jörð", "Bob"), best_of=3), 3, print)
    assert isinstance(table.play, MatchSession)
    saved = SavedGame.begin("matrix", pytest.fail)
    saved.save_plan(table.play, table.dealer, None)
    assert json.loads(saved.path.with_suffix(".match.json").read_text(encoding="ascii"))["players"] == ["Jörð", "Bob"]
    progress = Progress()
    progress.count("matrix", ("Jörð", "Bob"), (0,))
    save_progress(progress)
    assert "Jörð" in json.loads(progress_file().read_text(encoding="ascii"))["ratings"]["matrix"]


@posix
def test_folders_of_saved_files_are_private(state: Path, tmp_path: Path) -> None:
    match, _ = open_match()
    play_first_moves(match.session, 1)
    save_progress(Progress())
    SavedGame.begin("matrix", pytest.fail).save(match.session)
    TableOfTest(1, tmp_path / "tables" / "1.json").save()
    assert {folder.stat().st_mode & 0o777 for folder in (state.parent, state, tmp_path / "tables")} == {0o700}


def test_puzzle_key_depends_on_players_moves_and_cards() -> None:
    def record(players: tuple[str, str], seed: int, moves: int) -> Record:
        table = open_table(GameRequest(game="matrix", players=players), seed, print)
        assert isinstance(table.play, Session)
        play_first_moves(table.play, moves)
        return table.play.record()

    game = record(("Ann", "Bob"), 3, 1)
    others = [record(("Ann", "Cid"), 3, 1), record(("Ann", "Bob"), 4, 1), record(("Ann", "Bob"), 3, 2)]
    assert len({puzzle_key(other) for other in (game, *others)}) == 4
    assert puzzle_key(replace(game, notes={"by": "Ann"}, date=date(2026, 11, 21))) == puzzle_key(game)


def test_ratings_of_player_whose_name_is_no_text_are_read_back(state: Path) -> None:
    progress = Progress()
    progress.count("matrix", ("A\udcff", "Bob"), (0,))
    save_progress(progress)
    assert load_progress() == progress
    assert load_progress().rated_player("matrix", "A\udcff").won == 1


@pytest.mark.parametrize("size", [4 << 20, (4 << 20) + 1])
def test_progress_file_may_have_four_mebibytes(state: Path, size: int) -> None:
    save_progress(Progress())
    text = progress_file().read_text(encoding="utf-8")
    progress_file().write_text(text + " " * (size - len(text)), encoding="utf-8")
    if size == 4 << 20:
        assert load_progress() == Progress()
    else:
        with pytest.raises(CatalogError, match="is damaged"):
            load_progress()


# --- tables in files --------------------------------------------------------------------------------------------------


class TableOfTest(TableFile):
    """A table without a game, or with one game."""

    session: Session | None = None

    @property
    def game(self) -> str:
        return "matrix"

    @property
    def players(self) -> tuple[str, ...]:
        return ("Ann", "Bob")

    @property
    def playing(self) -> Session | None:
        return self.session

    @property
    def _step(self) -> str:
        return "1"

    def change(self) -> None:
        self._note()

    def _document(self) -> dict[str, Any]:
        return {"day": date(2026, 11, 21)}


def test_table_file_has_number_remarks_and_finished_games(tmp_path: Path) -> None:
    match, _ = open_match(best_of=1)
    session = match.session
    table = TableOfTest(7, tmp_path / "7.json", games=[], remarks=("No picture.",))
    assert (table.finished, table.is_over) == ([], False)
    table.session = session
    assert (table.finished, table.is_over) == ([], False)
    session.resign(0)
    table.games = [session.record()]
    assert (table.finished, table.is_over) == ([session.record()] * 2, True)
    table.save()
    document = json.loads(table.path.read_text(encoding="utf-8"))
    game = json.loads(session.record().to_json_line())
    assert document == {
        "format": 1,
        "number": 7,
        "remarks": ["No picture."],
        "games": [game],
        "won": {},
        "day": "2026-11-21",
    }


def test_change_is_announced_with_reason_if_not_saved(tmp_path: Path) -> None:
    heard: list[int] = []
    table = TableOfTest(1, tmp_path / "tables" / "1.json")
    first = table.version
    table.change()
    assert (table.version, table.failed, table.path.is_file()) == (first + 1, "", True)
    table.on_change = lambda: heard.append(table.version)
    table.change()
    table.path.unlink()
    table.path.parent.rmdir()
    (tmp_path / "tables").write_text("in the way")
    table.change()
    assert heard == [first + 2, first + 3]
    assert table.failed == f"The game cannot be saved in {tmp_path / 'tables'}: File exists."
    (tmp_path / "tables").unlink()
    table.change()
    assert (table.failed, table.path.is_file()) == ("", True)


# --- finding the files of games and matches ---------------------------------------------------------------------------


def test_game_resigned_at_once_is_saved(state: Path) -> None:
    match, _ = open_match(best_of=1)
    saved = SavedGame.begin("matrix", pytest.fail)
    saved.save(match.session)
    assert not saved.is_saved
    match.session.resign(0)
    saved.save(match.session)
    assert saved.is_saved


def test_match_is_kept_when_game_continues_elsewhere(state: Path) -> None:
    match, table = open_match()
    play_first_moves(match.session, 1)
    saved = SavedGame.begin("matrix", pytest.fail)
    saved.save(match.session)
    saved.save_plan(match, table.dealer, None)
    delete_same_game(match.session.record())
    assert saved.is_saved
    saved.path.with_suffix(".match.json").unlink()
    damaged = saved.path.with_name("2026-01-01-000000-matrix-0000.jsonl")
    damaged.write_text("{}\n")
    delete_same_game(match.session.record())
    assert (saved.is_saved, damaged.exists()) == (False, True)


def test_newest_match_of_record_is_found_next_to_damaged_ones(state: Path) -> None:
    match, table = open_match()
    play_first_moves(match.session, 1)
    state.mkdir(parents=True)
    record = Path("games.jsonl")
    for day in (1, 2, 3, 4):
        saved = SavedGame(state / f"2026-01-0{day}-000000-matrix-0000.jsonl", pytest.fail)
        saved.save_plan(match, table.dealer, record)
        if day != 3:
            saved.save_match(match)
    (state / "2026-01-04-000000-matrix-0000.match.json").write_text("{")
    found = saved_with_record(record, pytest.fail)
    assert found is not None
    assert found.path.name == "2026-01-02-000000-matrix-0000.jsonl", "the third has no games, the fourth is damaged"


@posix
def test_links_and_other_names_are_not_saved_games(state: Path) -> None:
    match, _ = open_match()
    play_first_moves(match.session, 1)
    saved = SavedGame.begin("matrix", pytest.fail)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-\d{6}-matrix-[0-9a-f]{4}\.jsonl", saved.path.name)
    saved.save(match.session)
    (state / "2026-01-01-000000-matrix-0001.jsonl").symlink_to(saved.path)
    for name in ("x2026-01-01-000000-matrix-0000.jsonl", "2026-01-01-000000-matrix-0000.jsonl.jsonl"):
        (state / name).write_text("{}\n")
    assert [game.path for game in left_games()] == [saved.path]


def test_damaged_file_is_reported_with_name_and_reason(state: Path) -> None:
    state.mkdir(parents=True)
    saved = SavedGame(state / "2026-01-01-000000-matrix-0000.jsonl", pytest.fail)
    saved.path.write_text("{}\n")
    for act in (description, lambda game: resume(game, 1)):
        with pytest.raises(CatalogError, match=rf"^{re.escape(str(saved.path))} cannot be continued: game: is missing"):
            act(saved)


def test_ratings_have_four_decimals(state: Path) -> None:
    progress = Progress()
    progress.standings["grid"] = {"Zoe": RatedPlayer()}
    progress.count("grid", ("Ann", "Bob"), (0,))
    save_progress(progress)
    shown = json.loads(progress_file().read_text())["ratings"]["grid"]
    assert shown["Zoe"] == {
        **{"rating": 1500.0, "deviation": 350.0, "volatility": 0.06},
        **{"won": 0, "drawn": 0, "lost": 0},
    }
    figures = [shown["Ann"][name] for name in ("rating", "deviation", "volatility")]
    assert figures == [round(figure, 4) for figure in figures]


@posix
def test_plan_may_have_four_mebibytes(state: Path) -> None:
    match, table = open_match()
    play_first_moves(match.session, 1)
    saved = SavedGame.begin("matrix", pytest.fail)
    saved.save_plan(match, table.dealer, None)
    saved.save_match(match)
    plan = saved.path.with_suffix(".match.json")
    text = plan.read_text(encoding="ascii")
    plan.write_text(text + " " * ((4 << 20) - len(text)), encoding="ascii")
    resume(saved, 1)
    plan.write_text(text + " " * ((4 << 20) + 1 - len(text)), encoding="ascii")
    with pytest.raises(CatalogError, match=r"\.match\.json cannot be continued: it "):
        resume(saved, 1)
    plan.unlink()
    plan.mkdir()
    with pytest.raises(CatalogError, match=r"\.match\.json cannot be continued: Is a directory\.$"):
        resume(saved, 1)
