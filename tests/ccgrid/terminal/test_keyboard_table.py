"""A game at one keyboard: prompts and the interpretation of lines."""

import random
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from helpers.made_up import PASSIVE_CARD, card, grid_of, random_deck

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, IllegalMoveError, MalformedMoveError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.players import GreedyPlayer, Player, RandomPlayer
from ccgrid.engine.records.files import read_game
from ccgrid.engine.records.record import Record
from ccgrid.services.session import Session, TookBack, resume_session
from ccgrid.terminal.keyboard import PlayerQuit, Prompter, sit_down

TODAY = date(2026, 11, 21)


def table(*, first: int = 0, computers: dict[int, Player] | None = None, players: str = "Ann Bob") -> Session:
    """A game of 20 random cards, in which there are moves to make."""
    rng = random.Random(5)
    setup = find_game("grid").deal(players.split(), [random_deck(rng)], Dice(5), first=first)
    return Session(Record(setup, date=TODAY, seed=5), computers or {}, Dice(5))


class TypedLines:
    """The lines that players type in sequence, and the messages that they get."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.asked: list[str] = []
        self.said: list[str] = []
        self.boards: list[State] = []
        self.lists: list[tuple[str, ...]] = []
        self.plies: list[tuple[str, str]] = []
        self.covered: list[tuple[str, list[str]]] = []
        self.rules = 0

    def ask(self, at: Session) -> str:
        self.asked.append(at.player)
        try:
            return next(self.lines)
        except StopIteration:
            raise PlayerQuit from None

    def show_rules(self, at: Session) -> None:
        self.rules += 1

    def voice(self) -> Prompter:
        return Prompter(
            ask=self.ask,
            say=self.said.append,
            board=lambda at: self.boards.append(at.state),
            moves=lambda at, whole: self.lists.append(at.state.legal_moves()),
            show_plies=lambda at, plies: self.plies.extend((ply.player, ply.move) for ply in plies),
            rules=self.show_rules,
            cover=lambda at, plies: self.covered.append((at.player, [ply.move for ply in plies])),
            ready=self.ask,
            uncover=lambda: None,
        )

    def at(self, at: Session, save_to: Path | None = None) -> "TypedLines":
        """The lines, typed at a table until there are no more and somebody leaves."""
        with pytest.raises(PlayerQuit):
            sit_down(at, self.voice(), save_to)
        return self


# --- whose turn it is ---------------------------------------------------------------------------------------------


def test_players_are_asked_in_turn() -> None:
    assert TypedLines("1", "1", "1").at(table(players="Ann Bob Cay", first=1)).asked == ["Bob", "Cay", "Ann", "Bob"]


def test_a_computer_player_moves_without_being_asked() -> None:
    at = table(computers={0: GreedyPlayer()})
    typed = TypedLines("1").at(at)
    assert typed.asked == ["Bob", "Bob"]
    assert [who for who, _ in typed.plies] == ["Ann", "Ann"]
    assert at.moves[0] == typed.plies[0][1]


def test_game_between_computers_asks_nothing() -> None:
    at = table(computers={0: GreedyPlayer(), 1: RandomPlayer()})
    typed = TypedLines()
    sit_down(at, typed.voice(), None)
    assert at.state.outcome() is not None
    assert (typed.asked, typed.boards) == ([], [])
    assert [move for _, move in typed.plies] == at.moves


def test_the_board_and_the_moves_are_shown_once_for_each_position() -> None:
    typed = TypedLines("", "nonsense", "  ", "1").at(table())
    assert len(typed.boards) == len(typed.lists) == 2
    assert len(typed.asked) == 5


def test_a_game_that_is_over_ends_without_a_question() -> None:
    setup = grid_of().setup
    sit_down(Session(Record(setup), {}, Dice(1)), TypedLines().voice(), None)


# --- what is understood -------------------------------------------------------------------------------------------


def one_capture() -> Session:
    """A grid on which only b2 can take, and two cards: the one on a1 and the one on b1."""
    state = grid_of(
        [PASSIVE_CARD] * 11,
        b2=card("Drake", top=5, top_left=5, bottom=0),
        a1=card("Amber", top=0, bottom=0),
        b1=PASSIVE_CARD,
    )
    return Session(Record(state.setup), {}, Dice(1))


def test_a_move_is_read_as_notation_loosely_or_as_its_number() -> None:
    at = one_capture()
    moves = at.state.legal_moves()
    assert moves == ("b2xa1", "b2xb1")
    assert [at.read(text) for text in ("b2xa1", "B2 x A1", "b2 a1", "xa1", "1", "01", "2")] == [
        *["b2xa1"] * 6,
        "b2xb1",
    ]


@pytest.mark.parametrize("text", ["0", "3", "99", "00000000012", "1" * 4000])
def test_unknown_move_number_lists_valid_numbers(text: str) -> None:
    with pytest.raises(MalformedMoveError, match="moves are numbered 1 to 2"):
        one_capture().read(text)


@pytest.mark.parametrize("text", ["²", "-1", "1.0", "b2xb9", "½", "١x"])
def test_text_like_a_number_is_not_a_move(text: str) -> None:
    with pytest.raises(MalformedMoveError, match="not a move; write moves like a1xb2"):
        one_capture().read(text)


def test_a_wrong_move_is_explained_and_the_same_player_asked_again() -> None:
    typed = TypedLines("a1xb2", "b2", "b2xc3", "jump").at(one_capture())
    assert typed.said == [
        '"a1xb2": a1 has no number at its bottom-right, which faces b2',
        '"b2": this may be b2xa1 or b2xb1: say which',
        '"b2xc3": b2 has no number at its bottom-right, which faces c3',
        '"jump": not a move; write moves like a1xb2. Type help for a list of commands.',
    ]
    assert set(typed.asked) == {"Ann"}


@pytest.mark.parametrize("word", ["help", "HELP", "?"])
def test_help_lists_every_command(word: str) -> None:
    [text] = TypedLines(word).at(table()).said
    for command in ("moves", "board", "hint", "undo", "save FILE", "rules", "resign", "quit"):
        assert f"\n  {command} " in text
    assert max(map(len, text.splitlines())) <= 80


def test_moves_board_and_rules_show_them_again() -> None:
    typed = TypedLines("moves", "board", "rules").at(table())
    assert (len(typed.lists), len(typed.boards), typed.rules) == (2, 2, 1)


@pytest.mark.parametrize("word", ["quit", "exit", "q", " QUIT "])
def test_quit_leaves_the_table(word: str) -> None:
    assert len(TypedLines(word, "1").at(table()).asked) == 1


def test_very_long_line_is_rejected_quickly() -> None:
    at = table()
    [said] = TypedLines("a1" + " " * 10_000_000 + "z").at(at).said
    assert said == "This line has 10,000,003 characters, too many for a move."
    assert at.moves == []


# --- A game at one keyboard ---------------------------------------------------------------------------------------


# --- undo and hint ------------------------------------------------------------------------------------------------


def test_undo_reverts_one_move_between_persons() -> None:
    at = table()
    start = at.state
    typed = TypedLines("1", "undo").at(at)
    assert (at.state, at.moves) == (start, [])
    assert typed.said == ["Undid 1 move."]
    assert typed.asked == ["Ann", "Bob", "Ann"]


def test_undo_reverts_computer_move_too() -> None:
    at = table(computers={1: GreedyPlayer()})
    start = at.state
    typed = TypedLines("1", "undo").at(at)
    assert at.state == start
    assert typed.said == ["Undid 2 moves."]


def test_undo_stops_at_the_start() -> None:
    at = table(computers={0: GreedyPlayer()})  # who begins
    typed = TypedLines("1", "1", "undo", "undo", "undo").at(at)
    assert len(at.moves) == 1
    assert typed.said == ["Undid 2 moves.", "Undid 2 moves.", "There is nothing to undo."]


def test_undo_works_in_continued_game() -> None:
    at = table()
    TypedLines("1", "1").at(at)
    again = resume_session(at.record(), {}, Dice(1))
    assert again.undo() == TookBack(1)
    assert again.moves == at.moves[:1]


def test_a_hint_names_a_good_move_and_the_next_best_stays_the_same_and_changes_no_dice() -> None:
    at = table(computers={1: RandomPlayer()})
    dice = copy(at.dice)
    hint = at.hint()
    assert at.hint() == hint
    assert {estimate.move for estimate in hint.moves} == set(at.state.legal_moves())
    assert at.dice.bits() == dice.bits()
    (said,) = TypedLines("hint").at(at).said
    assert said.startswith(f"Play {hint.best.move} (+")
    assert "): about " in said
    assert f" in the end. Next best: {hint.moves[1].move}, about " in said


# --- what is written down -----------------------------------------------------------------------------------------


def test_an_unfinished_game_is_a_record_without_a_result(tmp_path: Path) -> None:
    at = table()
    TypedLines("1", "1", f"save {tmp_path / 'game.toml'}").at(at)
    record = read_game(tmp_path / "game.toml")
    assert record == at.record()
    assert (record.moves, record.result, record.date, record.seed) == (tuple(at.moves), None, TODAY, 5)


def test_a_finished_game_claims_its_result() -> None:
    at = table(computers={0: GreedyPlayer(), 1: GreedyPlayer()})
    sit_down(at, TypedLines().voice(), None)
    assert at.record().result == at.state.scores()


def test_resignation_ends_game_and_is_recorded(tmp_path: Path) -> None:
    at = table()
    sit_down(at, TypedLines("1", "resign").voice(), None)
    at.save(tmp_path / "game.toml")
    record = read_game(tmp_path / "game.toml")
    assert (record.notes, record.result) == ({"resigned": "Bob"}, None)


def test_resigned_game_can_be_continued() -> None:
    at = table()
    sit_down(at, TypedLines("1", "resign").voice(), None)
    again = resume_session(at.record(), {}, Dice(1))
    assert TypedLines("1").at(again).asked == ["Bob", "Ann"]
    assert again.record().notes == {}


def test_notes_survive_continuing_a_game() -> None:
    noted = replace(table().record(), event="Autumn typed", notes={"sleeves": "black"}, result=None)
    again = resume_session(noted, {}, Dice(1))
    again.play(again.state.legal_moves()[0])
    record = again.record()
    assert (record.event, record.date, record.seed, record.notes) == ("Autumn typed", TODAY, 5, {"sleeves": "black"})


def test_saved_file_is_forgotten_after_a_move(tmp_path: Path) -> None:
    at = table()
    path = tmp_path / "game.toml"
    assert at.saved_to is None
    TypedLines("1", f"save {path}").at(at)
    assert at.saved_to == path
    at.play(at.state.legal_moves()[0])
    assert at.saved_to is None
    at.undo()
    assert at.saved_to == path


def test_save_without_file_uses_the_record(tmp_path: Path) -> None:
    path = tmp_path / "typed.jsonl"
    assert TypedLines("save").at(table(), path).said == [f"Saved to {path}"]
    assert read_game(path).moves == ()
    assert TypedLines("save").at(table()).said == ["Name a file: save game.toml"]


def test_tilde_is_expanded_in_saved_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    TypedLines("save ~/my game.toml").at(table())
    assert read_game(tmp_path / "my game.toml").moves == ()


@pytest.mark.parametrize(
    "name", [".", "..", "/", "no/such/folder/game.toml", "~nobody-of-this-name/x", "a\0b", "a\0/b", "x" * 300]
)
def test_failed_save_is_reported_and_game_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    typed = TypedLines(f"save {name}", "1").at(table())
    [said] = typed.said
    assert "cannot be written" in said
    assert "\0" not in said
    assert typed.asked == ["Ann", "Ann", "Bob"]
    assert list(tmp_path.iterdir()) == []


def test_record_with_illegal_move_is_not_continued() -> None:
    wrong = replace(table().record(), moves=("a1xa1",))
    with pytest.raises(IllegalMoveError):
        resume_session(wrong, {}, Dice(1))
    assert issubclass(IllegalMoveError, EngineError)
