"""Tests of pictures of positions and descriptions of moves, of every game, with untrusted names too."""

import random
import re
import runpy
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from helpers.everyday import slow_except
from helpers.game_positions import NAMES, every_game, file_of_game, named, positions, tactics
from helpers.made_up import deck_for, options_for, random_battle_deck, random_side_deck
from rich.cells import cell_len

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.game_view import GameView
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.four_sides import sided_card
from ccgrid.engine.games.matrix.rules import MatrixSetup
from ccgrid.engine.insight.analysis import Analysis, Consequences, DecisiveTurn, MoveAnalysis, Reason, Review
from ccgrid.engine.notation import play
from ccgrid.engine.records.record import Ply
from ccgrid.engine.search import Estimate, Thought
from ccgrid.services.real_records import begin
from ccgrid.services.referee import Referee
from ccgrid.view.games import (
    describe_move,
    draw_state,
    in_columns,
    show_moves,
    show_position,
    show_rules_in_short,
    show_unseen_cards,
    turn_lines,
)
from ccgrid.view.insight import between, show_analysis, show_review

TESTS = Path(__file__).parents[2]


@every_game
@pytest.mark.parametrize("seed", slow_except(range(3), 0))
def test_every_position_is_drawn_in_80_columns_for_every_seat_and_for_the_public(game: str, seed: int) -> None:
    for state, last in positions(game, seed):
        for seat in range(len(state.players)):
            drawn = draw_state(game, state.view(seat), last, seat).plain
            assert max(map(cell_len, drawn.split("\n"))) <= 79
        assert max(map(cell_len, draw_state(game, state, last).plain.split("\n"))) <= 79


@every_game
@pytest.mark.parametrize("players", [2, 4])
def test_legal_moves_are_described_to_mover_and_named_to_others(game: str, players: int) -> None:
    for state, _ in positions(game, 3, players):
        for move in state.legal_moves():
            assert describe_move(game, state.view(state.to_move), move)
            [text] = turn_lines(game, [Ply(state, move)])
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
        moves = find_game(game).move_menu(state)
        capsys.readouterr()
        show_moves(game, state.view(state.to_move), moves, whole=True)
        lines = capsys.readouterr().out.split("\n")
        assert max(map(cell_len, lines)) <= 80
        words = " ".join(lines).split()
        assert all(str(number) in words for number in range(1, len(moves) + 1))


def test_moves_are_only_counted_if_their_list_is_too_long_for_the_screen(
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
def test_list_of_moves_uses_the_lines_below_the_board(
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
    # The last move, an empty line and the prompt; a list with a legend may hide the first two.
    other_lines, heights = 1 if find_game(game).pictures.legend else 3, range(20, 61)
    assert board == printed(heights[-1])[0], "no board is larger"
    fits = []
    for height in heights:
        drawn, moves = printed(height)
        room = height - len(drawn) - other_lines
        fits.append(moves == everything)
        assert fits[-1] is (len(everything) <= room), height
    assert fits[10:] == sorted(fits[10:]), "from 30 lines on no larger window shows fewer moves"
    assert set(fits) == {False, True}


def listed_moves(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the printed list of moves of the first position of tactics."""
    state = tactics()
    capsys.readouterr()
    show_moves("tactics", state.view(0), state.legal_moves())
    return capsys.readouterr().out.splitlines()


def test_moves_are_listed_one_by_one_into_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    lines = listed_moves(capsys)
    assert lines[:2] == [" 1  Bow@a1     +1", " 2  Bow@a2     +2"]
    assert lines[-1] == "27  Spear@c3   +1"
    assert len(lines) == 27


def test_moves_are_listed_in_columns_by_card_with_gains(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "50", "LINES": "60"}.items():
        monkeypatch.setenv(name, value)
    assert listed_moves(capsys) == [
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


def test_note_on_the_only_move_of_a_kind_is_not_cut(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("FORCE_COLOR", "1"), ("NO_COLOR", "1"), ("LINES", "99"), ("COLUMNS", "80")):
        monkeypatch.setenv(name, value)
    for seed in (1, 2, 3):
        for state, _ in positions("ninecard", seed, 2):
            show_moves("ninecard", state.view(state.to_move), find_game("ninecard").move_menu(state), whole=True)
    ends = [line for line in capsys.readouterr().out.splitlines() if line.startswith("End turn")]
    assert any("no more attacks; you discard down to 5 cards" in line for line in ends)
    assert all(line.endswith("5 cards") for line in ends if "discard" in line)


@pytest.mark.parametrize(("lines", "most"), [(24, 23), (99, 60)])
def test_one_long_name_does_not_make_a_long_list(
    lines: int, most: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("FORCE_COLOR", "1"), ("NO_COLOR", "1"), ("LINES", str(lines)), ("COLUMNS", "80")):
        monkeypatch.setenv(name, value)
    names = ["Shalai and the Very Long Hallar of Somewhere", *(f"Forest Wolf {n}" for n in range(59))]
    deck = [Card("", "", name, {}, 0) for name in names]
    referee = Referee.of(begin("ninecard", ["Ann", "Bob"], None, {}, [deck, deck]))
    show_unseen_cards(referee.deck, referee.unseen, referee.cards.numbers)
    shown = capsys.readouterr().out
    assert len(shown.splitlines()) <= most
    assert ("Shalai and the Very" in shown) == (lines > 60), "cut only if the list does not fit"
    state = referee.possible
    show_moves("ninecard", state, find_game("ninecard").move_menu(state), whole=True)
    assert len(capsys.readouterr().out.splitlines()) <= most


def test_equal_bounds_are_one_number() -> None:
    assert between(14, 14) == "14 points ahead"
    assert between(2, 4) == "between 2 points ahead and 4 points ahead"


def test_columns_of_moves_are_18_cells_wide_at_least() -> None:
    texts = ["one", "two", "three", "four", "five"]
    assert in_columns(texts, 38, 3) == ["one                 four", "two                 five", "three"]
    assert in_columns(texts, 37, 3) == texts


def test_board_is_drawn_low_on_a_terminal_of_fewer_than_30_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = next(positions("grid", 1, 2))

    def lines() -> int:
        """Return the number of lines of the board, above the piles."""
        return draw_state("grid", state).plain.partition("Draw pile")[0].count("\n")

    monkeypatch.setenv("LINES", "29")
    assert lines() == 19, "a picture in a pipe is never low"
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert lines() == 16
    monkeypatch.setenv("LINES", "30")
    assert lines() == 19


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("game", ["grid", "tactics"])
def test_own_pile_and_remaining_cards_are_shown_in_one_line_on_a_low_terminal(
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
def test_names_of_common_length_are_complete_on_the_board_at_60_columns(
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
def test_pictures_are_ascii_in_an_ascii_locale(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccgrid.view.output._encoding", lambda: "ascii")
    for state, last in positions(game, 5, 2):
        assert draw_state(game, state.view(0), last, 0).plain.isascii()


HOSTILE_NAMES = ("\x1b[2JAnn", "Bob\u202e\n\r", "[red]Cid[/]" * 99, "R" + "\u0301" * 500)


def with_hostile_names(cards: list[Card]) -> list[Card]:
    """Return the cards with names that contain control characters and markup."""
    return [replace(card, name=f"{HOSTILE_NAMES[number % 4][:150]}{number % 7}") for number, card in enumerate(cards)]


@every_game
def test_untrusted_names_are_escaped_in_pictures(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    rules, rng = find_game(game), random.Random(6)
    players = HOSTILE_NAMES[: rules.player_counts[-1]]
    decks = [with_hostile_names(deck_for(game, rng)) for _ in range(rules.decks_needed(len(players)))]
    state: State = rules.deal(players, decks, Dice(6), options=options_for(game, rng)).start()
    last = None
    for _ in range(12):
        show_position(game, state, last)
        show_moves(game, state.view(state.to_move), state.legal_moves(), whole=True)
        if not state.legal_moves():
            break
        last = rng.choice(state.legal_moves())
        [text] = turn_lines(game, [Ply(state, last)])
        assert text.isprintable()
        state = play(state, last)
        assert max(map(cell_len, draw_state(game, state, last).plain.split("\n"))) <= 79
    out = capsys.readouterr().out
    assert "".join(out.split("\n")).isprintable()


@every_game
def test_pictures_and_descriptions_of_moves_are_unchanged(game: str) -> None:
    lines = runpy.run_path(str(TESTS.parent / "scripts" / "make_pictures"))["lines"]
    file = file_of_game("pictures", game, ".txt")
    found = "\n".join(lines(game, file.parent)) + "\n"
    assert found == file.read_text(encoding="utf-8"), (
        "if the new pictures are right, write them with scripts/make_pictures"
    )


@every_game
def test_rules_page_begins_with_title_and_name_of_the_game(game: str) -> None:
    rules = find_game(game)
    assert rules.pictures.rules_page().startswith(f"# {rules.title} (`{game}`)\n")


@pytest.mark.parametrize("game", GAMES.bundled)
def test_short_rules_fit_above_a_prompt_and_name_the_command_for_all(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show_rules_in_short(game)
    lines = capsys.readouterr().out.splitlines()
    assert sum(len(textwrap.wrap(line.replace("`", ""), 80)) for line in [" ".join(lines[:-1]), lines[-1]]) <= 6
    assert lines[-1] == f"All rules: ccgrid rules {game}"


def test_whole_rules_page_is_shown_if_it_has_no_short_section() -> None:
    text = GameView.rules_in_short(SimpleNamespace(rules_page=lambda: "# Rungs\n\nClimb.\n"))
    assert text == "# Rungs\n\nClimb.\n"


def test_games_without_drawing_load_no_view() -> None:
    used = "ccgrid.engine.games, ccgrid.engine.many.simulation"
    code = f"import sys, {used}; sys.exit('ccgrid.engine.picture' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@every_game
def test_review_describes_both_moves_if_no_answer_explains_mistake(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    state = next(state for state, _ in positions(game, 1, 2) if len(state.legal_moves()) > 1)
    view = state.view(state.to_move)
    first, second = view.legal_moves()[:2]
    thought = Thought("Ann", False, (Estimate(first, 9.0, 0.5), Estimate(second, 1.0, 0.5)))
    analysed = MoveAnalysis(state.to_move, second, thought, 8.0, 0.5, "??", None)
    nothing = Consequences(0.0, 0.0, {})
    reason = Reason(analysed, view, nothing, nothing, None, None, 0.0, False)
    show_review(Review(Analysis(state.players, (analysed,), (0, 0), False, False), 0, reason))
    text = " ".join(capsys.readouterr().out.split())
    for move in (first, second):
        assert describe_move(game, view, move) in text


def test_review_names_no_immediate_gain_if_only_end_counts(capsys: pytest.CaptureFixture[str]) -> None:
    state = next(state for state, _ in positions("matrix", 1, 2))
    first, second = state.legal_moves()[:2]
    thought = Thought("Ann", False, (Estimate(first, 9.0, 0.5), Estimate(second, 1.0, 0.5)))
    analysed = MoveAnalysis(state.to_move, second, thought, 8.0, 0.5, "??", None)
    reason = Reason(analysed, state, Consequences(0.0, 9.0, {}), Consequences(9.0, 0.0, {}), first, state, 0.0, True)
    show_review(Review(Analysis(state.players, (analysed,), (0, 0), False, False), 0, reason))
    text = " ".join(capsys.readouterr().out.split())
    assert "at once" not in text
    name = state.players[analysed.seat]
    assert f"If the game is played to the end, {name} ends about 9 points ahead after {first} (" in text
    assert f", and about 1 point ahead after {second} (" in text


def reason_of(frequency: float, frequency_after_best: float) -> Reason:
    """Return the reason why a move of grid is bad, with the frequency of the answer after it and the best move."""
    state = next(state for state, _ in positions("grid", 1, 2) if len(state.legal_moves()) > 1)
    first, second = state.legal_moves()[:2]
    analysed = MoveAnalysis(
        state.to_move,
        second,
        Thought("Ann", False, (Estimate(first, 9.0, 0.5), Estimate(second, 1.0, 0.5))),
        8.0,
        0.5,
        "??",
        None,
    )
    following = state.play_unchecked(second)
    answer = following.legal_moves()[0]
    worse, best = Consequences(1.0, 11.0, {answer: frequency}), Consequences(1.0, 4.5, {answer: frequency_after_best})
    return Reason(analysed, state.view(state.to_move), worse, best, answer, following, frequency_after_best, False)


@pytest.mark.parametrize(
    ("frequency", "frequency_after_best", "expected"),
    [
        (1.0, 0.1, "; after {} that is possible in 10 %."),
        (0.6, 0.1, " in 60 % of all draws; after {} that is possible in 10 %."),
        (0.6, 0.0, " in 60 % of all draws; {} would almost always have prevented it."),
        (1.0, 1.0, ". The best answer takes 11 points on average, after {} 4.5."),
    ],
)
def test_review_states_how_often_answer_comes_or_its_best_capture(
    frequency: float, frequency_after_best: float, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = reason_of(frequency, frequency_after_best)
    show_review(Review(Analysis(reason.view.players, (reason.analysed,), (0, 0), False, False), 0, reason))
    shown = " ".join(capsys.readouterr().out.split())
    assert "it lost about 8 points; " in shown
    assert expected.format(reason.analysed.knowable.best.move) in shown


@pytest.mark.parametrize(
    ("error", "mark", "expected"),
    [
        (2.0, "??", "lost about 8; 1 ??; the draw gave +5.0."),
        (9.0, "??", "lost about 8; 1 ??."),
        (9.0, "", "no loss is certain; no clear mistakes."),
        (None, "??", "lost 8; 1 ??; the draw gave +5.0."),
    ],
)
def test_review_omits_losses_and_luck_below_their_error(
    error: float | None, mark: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    analysed = replace(reason_of(1.0, 0.0).analysed, error=error, mark=mark)
    luck = {0: 5.0, 1: -5.0} if analysed.seat == 0 else {0: -5.0, 1: 5.0}
    analysis = Analysis(("Ann", "Bob"), (analysed,), (1, 2), True, False, luck, 0.0)
    show_analysis(analysis)
    assert ("The deal: Ann level. In the end: Ann 1 point behind." in capsys.readouterr().out) == ("draw" in expected)
    show_review(Review(analysis, None, None))
    shown = " ".join(capsys.readouterr().out.split())
    assert f"{('Ann: 1 point', 'Bob: 2 points')[analysed.seat]} in 1 move; {expected}" in shown


def test_decisive_turn_is_named_with_its_moves(capsys: pytest.CaptureFixture[str]) -> None:
    turn = DecisiveTurn(7, 41, 49, "Ann assaulted Bob.")
    show_review(Review(Analysis(("Ann", "Bob"), (), (3, 0), True, False), None, None, turn))
    assert "\nTurning point: turn 7, moves 42 to 50. Ann assaulted Bob.\n" in capsys.readouterr().out


def visible_texts(game: str, seat: int, state: Any, last: str | None) -> str:
    """Return the picture and the descriptions of the legal moves, as this seat sees them."""
    view = state.view(seat)
    texts = [draw_state(game, view, last, seat).plain]
    texts += [describe_move(game, view, move) for move in view.legal_moves()] if state.to_move == seat else []
    return "\n".join(texts)


# --- Hidden cards -------------------------------------------------------------------------------------------------


def test_tactics_seat_sees_only_own_hand_and_open_cards() -> None:
    rng = random.Random(2)
    decks = [named(random_side_deck(rng), owner) for owner in ("A", "B", "C", "D")]
    state: Any = find_game("tactics").deal(NAMES, decks, Dice(2)).start()
    last = None
    while moves := state.legal_moves():
        for seat in range(4):
            shown = visible_texts("tactics", seat, state, last)
            open_cards = {card.name for cell in state.table.board.cells if (card := state.card_on(cell))}
            open_cards |= {card.name for card in state.cards_captured(seat)}
            own = {card.name for card in state.hand(seat)}
            everything = {card.name for card in state.setup.cards}
            for name in everything - open_cards - own:
                assert name not in shown
            assert all(name in shown for name in own)
        last = rng.choice(moves)
        state = play(state, last)


def test_ninecard_seat_sees_no_other_hand_deck_or_face_down_card() -> None:
    rng = random.Random(2)
    decks = [named(random_battle_deck(rng, 20), owner) for owner in "ABC"]
    state: Any = find_game("ninecard").deal(NAMES[:3], decks, Dice(2), options={"facedown": True, "limit": 20}).start()
    last = None
    while moves := state.legal_moves():
        for seat in range(3):
            shown = visible_texts("ninecard", seat, state, last)
            for owner, side in enumerate(state.sides):
                hidden = [*side.deck, *(() if owner == seat else (*side.hand, *side.facedown))]
                public = [*side.grid, *side.energy, *side.discard]
                for name in {card.name for card in hidden} - {card.name for card in public if card}:
                    assert name not in shown
        last = rng.choice([move for move in moves if move.startswith("facedown")] or moves)
        lines = turn_lines("ninecard", [Ply(state, last)])
        if last.startswith("facedown"):
            assert lines == [f"{lines[0].partition(':')[0]}: a creature laid face down as energy"]
        state = play(state, last)


def test_matrix_players_see_played_cards_but_not_other_hands() -> None:
    hands = (
        ("shift-east",) * 4 + ("swap-odd",) * 4 + ("swap-even",) * 2,
        ("shift-north",) * 2 + ("shift-west",) * 4 + ("switch-edges",) * 4,
        ("rotate-clockwise",) * 4 + ("shift-south",) * 4 + ("switch-corners",) * 2,
    )
    state: State = MatrixSetup(NAMES[:3], tuple(range(1, 10)), hands).start()
    seen = draw_state("matrix", state.view(0), None, 0).plain
    assert "Cid holds 10 cards" in seen
    assert not any(kind in seen for kind in {*hands[1], *hands[2]})
    while state.to_move != 1:
        state = play(state, state.legal_moves()[0])
    state = play(state, "shift-north a")
    assert "shift-north" in draw_state("matrix", state.view(0), None, 0).plain


def numbers_on(drawn: str, label: str, width: int = 16) -> list[str]:
    """Return the numbers of the tile with this label: top, left, right, bottom."""
    lines = drawn.split("\n")
    [top] = [index for index, line in enumerate(lines) if label in line]
    start = lines[top].index(label)
    inside = " ".join(line[start - 2 : start - 2 + width] for line in lines[top + 1 : top + 5])
    return [part for part in inside.split() if part.isdigit()]


# --- Pictures of each game ----------------------------------------------------------------------------------------


def test_cards_of_tactics_are_turned_for_the_seat_and_show_their_owner() -> None:
    state = play(play(tactics(), "Spear@b1"), "Lamp@c3")
    south = draw_state("tactics", state.view(0), "Lamp@c3", 0).plain
    assert "▶c3 ○ N Bob◀" in south
    assert numbers_on(south, "b1 ● S Ann") == ["1", "4", "2", "3"]
    assert numbers_on(south, "c3 ○ N Bob") == ["8", "7", "9", "6"], "rotated by 180 degrees"
    north = draw_state("tactics", state.view(1), "Lamp@c3", 1).plain
    assert numbers_on(north, "c3 ○ N Bob") == ["6", "9", "7", "8"]
    assert south.index("a1") < south.index("c3")
    assert north.index("c3") < north.index("a1"), "north sees the board from the other side"
    assert "Spear" not in draw_state("tactics", tactics().view(1), None, 1).plain


def test_west_and_east_see_the_board_from_their_sides() -> None:
    decks = [[sided_card(f"{owner}{n}", 1, 2, 3, 4) for n in range(3)] for owner in "ABCD"]
    state: Any = find_game("tactics").deal(list("SWNE"), decks, Dice(1), first=1).start()
    state = play(state, next(move for move in state.legal_moves() if move.endswith("@b2")))
    first_cells = {}
    for seat in range(4):
        drawn = draw_state("tactics", state.view(seat), None, seat).plain
        first_cells[seat] = drawn.split("\n")[1].split()[1]
        assert (numbers_on(drawn, "b2 ○ W W", 12) == ["1", "4", "2", "3"]) is (seat == 1), "upright only for its owner"
    assert first_cells == {0: "a1", 1: "d1", 2: "d4", 3: "a4"}


def test_tactics_move_description_states_gain_and_captures() -> None:
    state = play(play(tactics(), "Spear@b1"), "Flag@c3")
    state = play(state, "Shield@c2")
    assert describe_move("tactics", tactics(), "Spear@b2") == "+3"
    before = play(play(tactics(), "Spear@b1"), "Flag@c3")
    assert before.captures("Shield@c2") == ("c3",)
    assert describe_move("tactics", before, "Shield@c2") == "+3, takes Flag on c3"
    assert state.scores() == (2 + 2 + 1, 0)


def test_matrix_picture_has_players_scores_and_round_around_it() -> None:
    hands = tuple(tuple(sorted(("shift-east", "swap-odd") * 5)) for _ in range(4))
    state = MatrixSetup(("Ann", "Bob", "Cid", "Dan"), (4, 6, 3, 7, 9, 2, 1, 8, 5), hands).start()
    lines = draw_state("matrix", state.view(0), None, 0).plain.split("\n")
    assert lines[0] == "Round 1 of 10, played in this order: Ann, Cid, Bob, Dan"
    assert lines[1].strip() == "N Cid 13 (row 1)"
    assert lines[5].startswith("W Bob 12 (a)")
    assert lines[5].endswith("E Dan 10 (c)")
    assert [lines[row].split("│")[1:4] for row in (3, 5, 7)] == [
        ["   4   ", "   6   ", "   3   "],
        ["   7   ", "   9   ", "   2   "],
        ["   1   ", "   8   ", "   5   "],
    ]
    assert lines[9].strip() == "S Ann 14 (row 3)"
    marked = draw_state("matrix", play(state, "shift-east 2").view(1), "shift-east 2", 1).plain
    assert [part for part in marked.split() if part.startswith("▶")] == ["▶2◀", "▶7◀", "▶9◀"]


def test_two_players_of_matrix_see_both_hands() -> None:
    hands = (("shift-east",) * 2 + ("swap-odd",) * 2, ("shift-north",) * 2 + ("switch-edges",) * 2)
    full = tuple(hand + ("rotate-clockwise",) * 6 for hand in hands)
    state = MatrixSetup(("Ann", "Bob"), tuple(range(1, 10)), full).start()
    drawn = " ".join(draw_state("matrix", state.view(0), None, 0).plain.split())
    assert "2 shift-north" in drawn
    assert "6 rotate-clockwise" in drawn


def start_ninecard(**options: Any) -> Any:
    """Return the start of a game of ninecard between two decks of wolves and forests."""
    cards = [Card("", "", "Wolf", {}, 0, attack=1, defense=0), Card("", "", "Forest", {}, 0)]
    rules = find_game("ninecard")
    return rules.deal(["Ann", "Bob"], [cards * 10, cards * 10], Dice(1), first=0, options=options).start()


def test_grids_of_ninecard_face_each_other_in_the_same_columns() -> None:
    state = start_ninecard()
    for move in ("energy Forest", "play Wolf b", "assault Bob", "attack b1", "end", "energy Forest", "play Wolf c"):
        state = play(state, move)
    lines = draw_state("ninecard", state.view(0), None, 0).plain.split("\n")
    rows = [line for line in lines if line[:1] in "123"]
    assert [row[0] for row in rows] == ["3", "2", "1", "1", "2", "3"]
    assert "Wolf" in rows[2].split("│")[3], "Bob's wolf is in column c"
    assert "Wolf" in rows[3].split("│")[2], "Ann's wolf is in column b"
    assert rows[3].split("│")[2].split() == ["Wolf", "1/0"]
    assert any("Bob: life 49, energy 0 of 1 ready" in line for line in lines)
    assert any("Ann: life 50, energy 1 of 1 ready, hand 5, deck" in line for line in lines)
    assert any(line.startswith("Your hand: ") and "Wolf 1/0 costs 1" in line for line in lines)


def test_eliminated_player_is_shown_with_reason() -> None:
    state = start_ninecard(life=1)
    for move in ("energy Forest", "play Wolf b", "assault Bob", "attack b1"):
        state = play(state, move)
    assert "Bob: out, with no life left" in draw_state("ninecard", state).plain
    giants = [Card("", "", "Giant", {}, 0, attack=9, defense=9)]
    rules = find_game("ninecard")
    lost: Any = rules.deal(["Ann", "Bob"], [giants * 10, giants * 10], Dice(1), first=0).start()
    for move in ("assault Bob", "end"):
        lost = play(lost, move)
    assert "Ann: out, with no creature left to play" in draw_state("ninecard", lost).plain


def test_attack_description_names_killed_creatures_and_life_taken() -> None:
    state = start_ninecard()
    for move in ("energy Forest", "play Wolf b", "assault Bob"):
        state = play(state, move)
    assert describe_move("ninecard", state, "attack b1") == "Wolf takes 1 life"
    for move in ("attack b1", "end", "energy Forest", "play Wolf b", "assault Ann"):
        state = play(state, move)
    assert describe_move("ninecard", state, "attack b1") == "Wolf kills Wolf, dies"


def test_moves_of_a_turn_are_described_in_one_line() -> None:
    state, plies = start_ninecard(), []
    for move in ("energy Forest", "play Wolf b", "assault Bob", "attack b1", "end", "energy Forest"):
        plies.append(Ply(state, move))
        state = play(state, move)
    assert turn_lines("ninecard", plies) == [
        "Ann: energy Forest; play Wolf b (1/0 for 1 energy, to b1); assault Bob; attack b1 (Wolf takes 1 life); "
        "end turn",
        "Bob: energy Forest",
    ]


@every_game
def test_every_picture_shows_the_scores(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    *_, (state, last) = positions(game, 8, 2)
    show_position(game, state, last)
    out = capsys.readouterr().out
    for score in state.scores():
        assert str(score) in out or "out" in out
