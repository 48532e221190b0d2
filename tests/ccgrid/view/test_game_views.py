"""Pictures of positions and words for moves, of every game: 80 columns, nothing acts."""

import random
import re
import runpy
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from helpers.game_positions import every_game, positions, tactics
from helpers.made_up import deck_for, options_for
from rich.cells import cell_len

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.analysis import After, Analysis, Look, LookedBack, Reason
from ccgrid.engine.notation import play
from ccgrid.engine.records.record import Ply
from ccgrid.engine.search import Estimate, Thought
from ccgrid.view.games import describe_move, draw_state, in_columns, show_moves, show_position, tell
from ccgrid.view.insight import show_looked_back

TESTS = Path(__file__).parents[2]


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_every_position_is_drawn_in_80_columns_for_every_seat_and_for_everybody(game: str, seed: int) -> None:
    for state, last in positions(game, seed):
        for seat in range(len(state.players)):
            drawn = draw_state(game, state.view(seat), last, seat).plain
            assert max(map(cell_len, drawn.split("\n"))) <= 79
        assert max(map(cell_len, draw_state(game, state, last).plain.split("\n"))) <= 79


@every_game
@pytest.mark.parametrize("players", [2, 4])
def test_every_legal_move_is_described_in_the_view_of_who_makes_it_and_told_to_the_others(
    game: str, players: int
) -> None:
    for state, _ in positions(game, 3, players):
        for move in state.legal_moves():
            assert describe_move(game, state.view(state.to_move), move)
            [text] = tell(game, [Ply(state, move)])
            assert text.startswith(("Ann", "Bartholomew", "Cid", "宝石"))


@every_game
def test_every_legal_move_is_listed_once_with_its_number(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    for state, _ in list(positions(game, 4, 4))[::7]:
        moves = state.legal_moves()
        capsys.readouterr()
        show_moves(game, state.view(state.to_move), moves, whole=True)
        lines = capsys.readouterr().out.split("\n")
        assert max(map(cell_len, lines)) <= 80
        words = " ".join(lines).split()
        assert all(str(number) in words for number in range(1, len(moves) + 1))


def test_moves_that_would_push_the_board_off_the_screen_are_counted_under_their_headings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LINES", "24")
    state, _ = next(positions("tactics", 1, 4))
    show_moves("tactics", state.view(state.to_move), state.legal_moves())
    out = capsys.readouterr().out
    assert "48 moves; type moves to list them." in out
    assert len(out.split("\n")) <= 4


@pytest.mark.parametrize(("game", "players"), [("grid", 2), ("tactics", 4)])
def test_moves_take_as_many_lines_as_the_screen_has_below_the_board(
    game: str, players: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    state, _ = next(positions(game, 1, players))
    view = state.view(state.to_move)

    def printed(height: int) -> tuple[list[str], list[str]]:
        monkeypatch.setenv("LINES", str(height))
        show_position(game, view, None, state.to_move)
        board = capsys.readouterr().out.splitlines()
        show_moves(game, view, state.legal_moves())
        return board, capsys.readouterr().out.splitlines()

    board, everything = printed(200)
    beside, heights = 3, range(20, 61)  # what was played, a blank, the prompt
    assert board == printed(heights[-1])[0], "no board is larger"
    fits = []
    for height in heights:
        drawn, moves = printed(height)
        room = height - len(drawn) - beside
        fits.append(moves == everything)
        assert fits[-1] is (len(everything) <= room), height
    assert fits[10:] == sorted(fits[10:]), "from 30 lines on no larger window shows fewer moves"
    assert set(fits) == {False, True}


def listed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    state = tactics()
    capsys.readouterr()
    show_moves("tactics", state.view(0), state.legal_moves())
    return capsys.readouterr().out.splitlines()


def test_moves_are_listed_one_by_one_into_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    lines = listed(capsys)
    assert lines[:2] == [" 1  Bow@a1     +1", " 2  Bow@a2     +2"]
    assert lines[-1] == "27  Spear@c3   +1"
    assert len(lines) == 27


def test_moves_are_listed_in_columns_under_what_they_are_of_with_what_they_gain(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "50", "LINES": "60"}.items():
        monkeypatch.setenv(name, value)
    assert listed(capsys) == [
        "Points gained are shown after each move:",
        "Bow     1 a1 +1  2 a2 +2  3 a3 +1  4 b1 +2",
        "        5 b2 +3  6 b3 +2  7 c1 +1  8 c2 +2",
        "        9 c3 +1",
        "Shield  10 a1 +1  11 a2 +2  12 a3 +1  13 b1 +2",
        "        14 b2 +3  15 b3 +2  16 c1 +1  17 c2 +2",
        "        18 c3 +1",
        "Spear   19 a1 +1  20 a2 +2  21 a3 +1  22 b1 +2",
        "        23 b2 +3  24 b3 +2  25 c1 +1  26 c2 +2",
        "        27 c3 +1",
    ]


def test_columns_of_moves_are_18_cells_wide_at_least() -> None:
    texts = ["one", "two", "three", "four", "five"]
    assert in_columns(texts, 38, 3) == ["one                 four", "two                 five", "three"]
    assert in_columns(texts, 37, 3) == texts


def test_a_board_is_drawn_low_on_a_terminal_of_fewer_than_30_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = next(positions("grid", 1, 2))

    def lines() -> int:
        """Those of the board, above the piles."""
        return draw_state("grid", state).plain.partition("Draw pile")[0].count("\n")

    monkeypatch.setenv("LINES", "29")
    assert lines() == 19, "what goes into a pipe is never low"
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert lines() == 16
    monkeypatch.setenv("LINES", "30")
    assert lines() == 19


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("game", ["grid", "tactics"])
def test_a_players_own_pile_and_how_many_cards_are_left_are_in_view_in_a_line_on_a_low_terminal(
    game: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("FORCE_COLOR", "1"), ("NO_COLOR", "1"), ("LINES", "24"), ("COLUMNS", str(columns))):
        monkeypatch.setenv(name, value)
    for state, last in positions(game, 1, 2):
        seat = state.to_move
        view = cast(Any, state.view(seat))
        drawn = draw_state(game, view, last, seat).plain
        assert max(map(cell_len, drawn.split("\n"))) < columns
        [line] = [line for line in drawn.split("\n") if "Your pile:" in line]
        taken = view.cards_taken(seat) if game == "grid" else view.cards_captured(seat)
        counted = re.search(r"(\d+) (?:more|cards?)$", line)
        more = int(counted[1]) if counted else 0
        newest = [card.name for card in reversed(taken)][: len(taken) - more]
        assert all(f" {name}" in line for name in newest)
        assert ("empty" in line) == (not taken)
        if state.ending() is None:
            assert (f"Draw pile {view.pile}." if game == "grid" else f"deck {view.deck_left(seat)}") in drawn


@pytest.mark.parametrize("game", ["grid", "tactics"])
def test_names_of_common_length_are_whole_on_the_board_at_60_columns(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("FORCE_COLOR", "1"), ("NO_COLOR", "1"), ("LINES", "24"), ("COLUMNS", "60")):
        monkeypatch.setenv(name, value)
    for state, last in positions(game, 2, 2):
        view = cast(Any, state.view(0))
        board = draw_state(game, view, last, 0).plain.rpartition("┘")[0]
        cells = [cell for number in "123" for cell in (f"a{number}", f"b{number}", f"c{number}")]
        for card in filter(None, map(view.card_on, cells)):
            words = card.name.split(" ")
            assert "#" in card.name or all(f"{word} " in board or f"{word}│" in board for word in words), card.name


@every_game
def test_in_an_ascii_locale_pictures_are_ascii(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccgrid.view.output._encoding", lambda: "ascii")
    for state, last in positions(game, 5, 2):
        assert draw_state(game, state.view(0), last, 0).plain.isascii()


HOSTILE_NAMES = ("\x1b[2JAnn", "Bob\u202e\n\r", "[red]Cid[/]" * 99, "R" + "\u0301" * 500)


def hostile(cards: list[Card]) -> list[Card]:
    return [replace(card, name=f"{HOSTILE_NAMES[number % 4][:150]}{number % 7}") for number, card in enumerate(cards)]


@every_game
def test_no_name_of_a_player_or_a_card_acts_or_breaks_a_picture(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    rules, rng = find_game(game), random.Random(6)
    players = HOSTILE_NAMES[: rules.player_counts[-1]]
    decks = [hostile(deck_for(game, rng)) for _ in range(rules.decks_needed(len(players)))]
    state: State = rules.deal(players, decks, Dice(6), options=options_for(game, rng)).start()
    last = None
    for _ in range(12):
        show_position(game, state, last)
        show_moves(game, state.view(state.to_move), state.legal_moves(), whole=True)
        if not state.legal_moves():
            break
        last = rng.choice(state.legal_moves())
        [text] = tell(game, [Ply(state, last)])
        assert text.isprintable()
        state = play(state, last)
        assert max(map(cell_len, draw_state(game, state, last).plain.split("\n"))) <= 79
    out = capsys.readouterr().out
    assert "".join(out.split("\n")).isprintable()


@every_game
def test_pictures_and_words_of_moves_are_as_they_were(game: str) -> None:
    lines = runpy.run_path(str(TESTS.parent / "scripts" / "make_pictures"))["lines"]
    golden = (TESTS / "pictures" / f"{game}.txt").read_text(encoding="utf-8")
    assert "\n".join(lines(game)) + "\n" == golden, "scripts/make_pictures draws them anew: read the difference"


@every_game
def test_the_rules_page_of_a_game_begins_with_its_title_and_its_name(game: str) -> None:
    rules = find_game(game)
    assert rules.pictures.rules_page().startswith(f"# {rules.title} (`{game}`)\n")


def test_whoever_plays_without_drawing_does_not_load_a_view() -> None:
    used = "ccgrid.engine.games, ccgrid.engine.many.simulation"
    code = f"import sys, {used}; sys.exit('ccgrid.engine.picture' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@every_game
def test_where_no_answer_explains_a_mistake_both_moves_are_named_with_what_they_do(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    state = next(state for state, _ in positions(game, 1, 2) if len(state.legal_moves()) > 1)
    view = state.view(state.to_move)
    first, second = view.legal_moves()[:2]
    thought = Thought("Ann", False, (Estimate(first, 9.0, 0.5), Estimate(second, 1.0, 0.5)))
    look = Look(state.to_move, second, thought, 8.0, 0.5, "??", None)
    nothing = After(0.0, 0.0, {})
    reason = Reason(look, view, nothing, nothing, None, None, 0.0, False)
    show_looked_back(LookedBack(Analysis(state.players, (look,), (0, 0), False, False), 0, reason))
    said = " ".join(capsys.readouterr().out.split())
    for move in (first, second):
        assert describe_move(game, view, move) in said


def test_where_the_last_position_alone_counts_no_gain_at_once_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    state = next(state for state, _ in positions("matrix", 1, 2))
    first, second = state.legal_moves()[:2]
    thought = Thought("Ann", False, (Estimate(first, 9.0, 0.5), Estimate(second, 1.0, 0.5)))
    look = Look(state.to_move, second, thought, 8.0, 0.5, "??", None)
    reason = Reason(look, state, After(0.0, 9.0, {}), After(9.0, 0.0, {}), first, state, 0.0, True)
    show_looked_back(LookedBack(Analysis(state.players, (look,), (0, 0), False, False), 0, reason))
    said = " ".join(capsys.readouterr().out.split())
    assert "at once" not in said
    assert "When all play on from there" in said
