"""Nothing is lost: games and matches go on from their last move, whatever ended the program."""

import json
import re
import signal
from pathlib import Path

import pexpect
import pytest
from helpers.catalogues import Shell, rows
from helpers.forked_program import at_terminal
from helpers.processes import asleep
from helpers.terminals import AGAIN

from ccgrid.engine.records.files import read_games
from ccgrid.engine.records.record import Record

PROMPT = r"(?:Ann|Bob|You)> "


class Table:
    """A game at a terminal of a person who may close it in any way."""

    def __init__(self, shell: Shell, *arguments: str | Path) -> None:
        environment = {**shell.environment(), "TERM": "xterm-256color", "PYTHONUTF8": "1", "NO_COLOR": "1"}
        self.child = at_terminal(("play", *arguments), environment, folder=shell.folder, columns=100, lines=40)

    def play(self, *moves: str) -> None:
        for move in moves:
            self.child.expect(PROMPT)
            self.child.sendline(move)
            self.child.expect_exact(f"{move}\r\n")

    def rest(self) -> str:
        if self.child.expect([AGAIN, pexpect.EOF]) == 0:
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
def test_whatever_ends_the_program_the_game_goes_on_from_its_last_move(end: str, shell: Shell) -> None:
    table = Table(shell, *MATRIX)
    table.play("1", "1", "1")
    table.child.expect(PROMPT)
    asleep(table.child)
    ENDS[end](table)
    if end == "closed window":
        table.child.wait()
    else:
        said = table.rest()
        if end not in ("SIGKILL", "SIGHUP"):
            assert "ccgrid play --load last" in said
    [path] = saved_files(shell)
    assert len(games(path)[0].moves) == 3
    again = Table(shell, "--load", "last")
    again.play("1", "quit")
    again.rest()
    assert saved_files(shell) == [path]
    assert len(games(path)[0].moves) == 4


def test_the_game_is_in_the_file_after_every_move_and_undo(shell: Shell) -> None:
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


def test_play_alone_asks_whether_to_go_on_and_no_begins_another_game(shell: Shell) -> None:
    table = Table(shell, *MATRIX)
    table.play("1", "quit")
    table.rest()
    asked = Table(shell)
    asked.child.expect_exact("Unfinished: a game of matrix, Ann, Bob: 1 move")
    asked.child.expect_exact("[Y/n] ")
    asked.child.sendline("")
    asked.play("1", "quit")
    asked.rest()
    [path] = saved_files(shell)
    assert len(games(path)[0].moves) == 2
    other = Table(shell)
    other.child.expect_exact("[Y/n] ")
    other.child.sendline("n")
    other.play("1", "quit")
    other.rest()
    assert len(saved_files(shell)) == 2
    assert len(games(path)[0].moves) == 2


def test_a_game_that_is_over_is_not_gone_on_with(shell: Shell) -> None:
    table = Table(shell, *MATRIX)
    table.play("1", "resign")
    table.rest()
    assert saved_files(shell) == []
    assert len(list((shell.folder / "state" / "games" / "finished").iterdir())) == 1
    shell("play", "--load", "last").refused("There is no unfinished game")


def test_a_game_saved_in_a_record_is_kept_nowhere_else(shell: Shell) -> None:
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
    [("matrix", "--best-of", "3"), ("tactics", "--match"), ("tactics", "--match", "--same-deal")],
)
def test_a_match_is_resumed_with_its_games_and_decks(arguments: tuple[str, ...], shell: Shell) -> None:
    def finish_game(table: Table) -> None:
        while True:
            found = table.child.expect(
                [PROMPT, "Press Enter for the next game> ", "Press Enter to continue> ", AGAIN, pexpect.EOF]
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


def test_a_damaged_file_is_told_and_a_new_game_begins(shell: Shell) -> None:
    table = Table(shell, *MATRIX)
    table.play("1", "quit")
    table.rest()
    saved_files(shell)[0].write_text("{}\n", encoding="utf-8")
    shell("play", "--load", "last").refused("cannot be continued")


def test_a_state_folder_that_cannot_be_written_costs_nobody_the_game(shell: Shell) -> None:
    (shell.folder / "state").write_text("in the way", encoding="utf-8")
    table = Table(shell, *MATRIX)
    table.play("1", "1", "quit")
    said = table.rest()
    assert "not saved" in said
    assert len(re.findall("cannot be kept", table.child.before)) <= 1


def test_save_in_a_game_leaves_other_files_alone(shell: Shell) -> None:
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


def test_cards_entered_by_hand_do_not_stop_the_bundled_ones_from_being_played_with(shell: Shell) -> None:
    shell.good("card", "add", "--game", "arcadia", "--name", "Griffin", "--top-left", "4")
    result = shell.good("simulate", "-n", "2", "--workers", "1", "--json")
    assert json.loads(result.out)["games"] == 2
    assert "empty except for cards entered by hand" in result.err
    shell.import_rows(rows(40))
    assert "bundled" not in shell.good("simulate", "-n", "2", "--workers", "1", "--json").err
