"""Tests of players that are external programs: the protocol, forfeits, and `ccgrid engine`."""

import json
import os
import random
import shutil
import sys
import time
from pathlib import Path

import msgspec
import pytest
from helpers.made_up import deck_for

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.many.arena import Arena, Contestant, play_arena
from ccgrid.engine.many.simulation import play_game, play_out
from ccgrid.engine.many.tally import Lineup
from ccgrid.engine.notation import position_document, read_position
from ccgrid.engine.players import Budget, ForfeitError, GreedyPlayer, find_player
from ccgrid.engine.players.protocol import answers
from ccgrid.engine.records.record import RESIGNED, Record
from ccgrid.services.seats import computer_seats, computers
from ccgrid.services.session import Session

EXAMPLE_PROGRAM = Path(__file__).resolve().parents[3] / "docs" / "examples" / "first.sh"
SHORT_BUDGET = Budget(seconds=0.3)

needs_shell = pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")


def deal(name, players=2, seed=1, options=None):
    game = find_game(name)
    decks = [deck_for(name, random.Random(number)) for number in range(game.decks_needed(players))]
    return game.deal([f"P{seat}" for seat in range(players)], decks, Dice(seed), options=options)


def make_program(folder, text):
    """Return the player for a Python program with these lines."""
    path = folder / "mine.py"
    path.write_text(f"import sys, time, os\ndef say(text):\n    print(text, flush=True)\n{text}")
    return find_player(f"cmd:{sys.executable} {path}")


ANSWER_GO = """
for line in sys.stdin:
    if line.startswith("ccgrid"): say("ready mine")
    if line.startswith("go"): {go}
"""

FIRST_LEGAL = """
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "ccgrid": say("ready mine")
    if word == "position": moves = []
    if word == "legal": moves.append(rest)
    if word == "go": say(f"move {moves[0]}")
"""


def choose_with(player, budget=None):
    state = deal("matrix").start()
    return player.choose(state.view(state.to_move), state.legal_moves(), Dice(1), budget or Budget())


def positions_of(name, players):
    state, number = deal(name, players).start(), 0
    while (legal := state.legal_moves()) and number < 40:
        yield state
        state, number = state.play_unchecked(Dice(number).choose(legal)), number + 1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_position_document_round_trips_only_the_seats_view(game):
    for players in game.player_counts:
        for state in positions_of(game.name, players):
            view = state.view(state.to_move)
            document = json.loads(json.dumps(position_document(view)))
            assert document == position_document(state.view(state.to_move).view(state.to_move))
            read = read_position(game.name, document)
            assert read == view
            assert (read.legal_moves(), read.players) == (state.legal_moves(), state.players)
            assert read.unseen(state.to_move) == view.unseen(state.to_move)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_position_document_keeps_options(game):
    options = {
        option.name: next(value for value in option.samples or option.values if value != option.default)
        for option in game.options
    }
    view = deal(game.name, options=options).start().view(0)
    read = read_position(game.name, json.loads(json.dumps(position_document(view))))
    assert read.variant == view.variant
    assert bool(read.variant) is bool(options)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_invalid_position_is_rejected_with_message(game):
    state = deal(game.name).start()
    document = position_document(state.view(state.to_move))
    for wrong in ({}, [], None, 7, {**document, "strange": 1}, {**document, "to_move": "Ann"}):
        with pytest.raises(EngineError, match=f"no position of {game.name}"):
            read_position(game.name, wrong)


@needs_shell
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_documented_example_program_plays_every_game(game):
    player = find_player(f"cmd:sh {EXAMPLE_PROGRAM}")
    moves, final = play_out(deal(game.name).start(), [player, GreedyPlayer()], Dice(1))
    player.close()
    assert final.outcome() is not None
    state = deal(game.name).start()
    for move in moves:
        assert state.to_move == 1 or move == state.legal_moves()[0]
        state = state.play_unchecked(move)


def test_info_lines_of_program_are_ignored(tmp_path):
    player = make_program(
        tmp_path,
        ANSWER_GO.format(go='say("info thinking"); say("info still"); say("move " + legal)').replace(
            "for line", "legal = ''\nfor line", 1
        )
        + "    if line.startswith('legal'): legal = line[6:].strip()\n",
    )
    state = deal("matrix").start()
    assert choose_with(player) == state.legal_moves()[-1]
    player.close()


@pytest.mark.parametrize(
    ("go", "reason"),
    [
        ('say("move a9xz9")', '"a9xz9", which is not legal'),
        ("pass", "did not answer in 0.3 seconds"),
        ("time.sleep(60)", "did not answer in 0.3 seconds"),
        ("sys.exit()", "has ended"),
        ('say("error no idea")', 'wrote "error no idea"'),
        ('say("castles")', 'wrote "castles"'),
        ('say("info " + 5000 * "x")', "wrote more than 4,096 bytes in a line"),
        ('[say("info " + 4000 * "x") for _ in range(1000)]', "or 1,048,576 for a move"),
        ('sys.stdout.buffer.write(b"\\xff\\x1b[2J\\n"); sys.stdout.flush()', r"\\x1b"),
    ],
)
def test_program_without_legal_move_in_time_forfeits_and_is_terminated(tmp_path, go, reason):
    player = make_program(tmp_path, ANSWER_GO.format(go=go))
    budget = SHORT_BUDGET if "0.3" in reason else None
    state = deal("matrix").start()
    view, legal = state.view(state.to_move), state.legal_moves()
    player.start()
    process = player._process
    with pytest.raises(ForfeitError, match=reason) as raised:
        player.choose(view, legal, Dice(1), budget or Budget())
    assert "\x1b" not in str(raised.value)
    assert process.poll() is not None
    assert player._process is None


def test_program_that_never_reads_times_out(tmp_path):
    player = make_program(tmp_path, 'say("ready")\ntime.sleep(60)\n')
    state = deal("ninecard").start()
    view = state.view(state.to_move)
    with pytest.raises(ForfeitError, match=r"did not answer in 0\.3 seconds"):
        player.choose(view, [f"a long move {10_000 * 'x'}{number}" for number in range(100)], Dice(1), SHORT_BUDGET)


def test_invalid_command_line_is_rejected_with_message():
    with pytest.raises(EngineError, match=r"say which, as in cmd:\./mine"):
        find_player("cmd")
    with pytest.raises(EngineError, match="is no command line"):
        find_player("cmd:./mine 'x")
    with pytest.raises(EngineError, match=r'"\./no-such-program" cannot be started'):
        choose_with(find_player("cmd:./no-such-program"))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_child_processes_of_program_are_terminated(tmp_path):
    start_child = (
        f"import subprocess\nchild = subprocess.Popen([{sys.executable!r}, '-c', 'import time; time.sleep(600)'])\n"
    )
    write_pid = f"open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid))\n"
    player = make_program(tmp_path, start_child + write_pid + ANSWER_GO.format(go='say("move nothing")'))
    with pytest.raises(ForfeitError):
        choose_with(player)
    child = int((tmp_path / "pid").read_text())
    while is_running(child):  # limited by the timeout of the test
        time.sleep(0.01)


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


def test_forfeit_records_reason_in_notes(tmp_path):
    player = make_program(tmp_path, ANSWER_GO.format(go='say("move nothing")'))
    setup = deal("matrix")
    seat = setup.start().to_move
    session = Session(Record(setup), {seat: player}, Dice(1))
    assert session.advance() == []
    assert 'answered "nothing", which is not legal' in session.forfeit
    assert session.is_over
    assert session.record().notes == {RESIGNED: setup.players[seat], "reason": session.forfeit}


def test_player_name_in_record_starts_no_program():
    assert computer_seats(("cmd:touch here", "greedy")).keys() == {1}
    assert computers(("cmd:touch here", "Ann")).keys() == {0}


def test_forfeits_count_as_losses_in_simulation(tmp_path):
    player = make_program(tmp_path, ANSWER_GO.format(go='say("move nothing")'))
    arena = Arena("matrix", (Contestant("mine", str(player)), Contestant("greedy", "greedy")), lambda dice: (), 1)
    mine, greedy = msgspec.to_builtins(play_arena(arena, 4).answer())["players"]
    assert (mine["wins"], greedy["wins"]) == (0, 4)
    record = play_game(Lineup("matrix", (str(player), "greedy"), lambda dice: (), 1), 1)
    assert record.result is None
    assert record.notes[RESIGNED] == record.setup.players[0]


# --- the program's side: ccgrid engine ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_engine_command_answers_with_move_of_its_player(game):
    state = deal(game.name).start()
    view = state.view(state.to_move)
    lines = [
        "ccgrid 1",
        f"position {game.name} {json.dumps(position_document(view))}",
        "legal x",
        "go 5",
        "quit",
        "go 5",
    ]
    ready, move = answers(lines, "greedy", 1, "ccgrid")
    assert ready == "ready ccgrid"
    assert move.removeprefix("move ") in state.legal_moves()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ccgrid 2", "speaks ccgrid 1"),
        ("go 1", "no position yet"),
        ("position chess {}", "There is no game"),
        ("position grid {}", "no position of grid"),
        ("position grid {", "Expecting"),
        ("position grid " + 5000 * "[", ""),
        ("castle", "unknown command castle"),
    ],
)
def test_engine_command_reports_errors_and_continues(line, reason):
    first, second = answers([line, "ccgrid 1"], "greedy", 1, "ccgrid")
    assert first.startswith("error ")
    assert reason in first
    assert second == "ready ccgrid"


@pytest.mark.slow
def test_two_engine_commands_play_each_other(shell):
    engine = f"cmd:{sys.executable} -m ccgrid engine --player greedy"
    out = shell.good(
        "play", "matrix", "--players", f"{engine},greedy", "--seed", "3", "-o", shell.folder / "game.toml"
    ).out
    assert "wins" in out
    assert shell.good("validate", shell.folder / "game.toml").out.startswith("Valid")


def test_player_command_with_commas_is_quoted(shell, tmp_path):
    player = make_program(tmp_path, "assert sys.argv[1:] == ['1,2', '3']\n" + FIRST_LEGAL)
    out = shell.good("play", "matrix", "--players", f'greedy, "{player} 1,2 3"', "--seed", "3").out
    assert "wins" in out
