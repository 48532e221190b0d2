"""Tests of a game at one keyboard: turns, prompts, commands, and the interpretation of typed lines."""

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
from ccgrid.services.session import Session, resume_session
from ccgrid.terminal.keyboard import PlayerQuit, Prompter, sit_down

TODAY = date(2026, 11, 21)


def open_session(*, first: int = 0, computers: dict[int, Player] | None = None, players: str = "Ann Bob") -> Session:
    """Return a session of 20 random cards with legal moves."""
    rng = random.Random(5)
    setup = find_game("grid").deal(players.split(), [random_deck(rng)], Dice(5), first=first)
    return Session(Record(setup, date=TODAY, seed=5), computers or {}, Dice(5))


class TypedLines:
    """Lines that players type in sequence; records the prompts and messages."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.asked: list[str] = []
        self.said: list[str] = []
        self.boards: list[State] = []
        self.lists: list[tuple[str, ...]] = []
        self.plies: list[tuple[str, str]] = []
        self.covered: list[tuple[str, list[str]]] = []
        self.rules = 0

    def ask(self, session: Session) -> str:
        self.asked.append(session.player)
        try:
            return next(self.lines)
        except StopIteration:
            raise PlayerQuit from None

    def show_rules(self, session: Session) -> None:
        self.rules += 1

    def prompter(self) -> Prompter:
        return Prompter(
            ask=self.ask,
            say=self.said.append,
            board=lambda session: self.boards.append(session.state),
            moves=lambda session, is_complete: self.lists.append(session.state.legal_moves()),
            show_plies=lambda session, plies: self.plies.extend((ply.player, ply.move) for ply in plies),
            rules=self.show_rules,
            cover=lambda session, plies: self.covered.append((session.player, [ply.move for ply in plies])),
            ready=self.ask,
            uncover=lambda: None,
        )

    def type_at(self, session: Session, save_to: Path | None = None) -> "TypedLines":
        """Type the lines in a session until a player quits because no line remains, and return self."""
        with pytest.raises(PlayerQuit):
            sit_down(session, self.prompter(), save_to)
        return self


# --- turns ------------------------------------------------------------------------------------------------------------


def test_players_are_prompted_in_turn() -> None:
    assert TypedLines("1", "1", "1").type_at(open_session(players="Ann Bob Cay", first=1)).asked == [
        "Bob",
        "Cay",
        "Ann",
        "Bob",
    ]


def test_computer_player_moves_without_a_prompt() -> None:
    session = open_session(computers={0: GreedyPlayer()})
    typed = TypedLines("1").type_at(session)
    assert typed.asked == ["Bob", "Bob"]
    assert [player for player, _ in typed.plies] == ["Ann", "Ann"]
    assert session.moves[0] == typed.plies[0][1]


def test_game_between_computers_has_no_prompt() -> None:
    session = open_session(computers={0: GreedyPlayer(), 1: RandomPlayer()})
    typed = TypedLines()
    sit_down(session, typed.prompter(), None)
    assert session.state.outcome() is not None
    assert (typed.asked, typed.boards) == ([], [])
    assert [move for _, move in typed.plies] == session.moves


def test_board_and_moves_are_shown_once_per_position() -> None:
    typed = TypedLines("", "nonsense", "  ", "1").type_at(open_session())
    assert len(typed.boards) == len(typed.lists) == 2
    assert len(typed.asked) == 5


def test_finished_game_ends_without_a_prompt() -> None:
    setup = grid_of().setup
    sit_down(Session(Record(setup), {}, Dice(1)), TypedLines().prompter(), None)


# --- interpretation of lines ------------------------------------------------------------------------------------------


def session_with_two_captures() -> Session:
    """Return a session in which only the card on b2 can capture: the cards on a1 and b1."""
    state = grid_of(
        [PASSIVE_CARD] * 11,
        b2=card("Drake", top=5, top_left=5, bottom=0),
        a1=card("Amber", top=0, bottom=0),
        b1=PASSIVE_CARD,
    )
    return Session(Record(state.setup), {}, Dice(1))


def test_move_is_read_as_notation_informal_text_or_number() -> None:
    session = session_with_two_captures()
    moves = session.state.legal_moves()
    assert moves == ("b2xa1", "b2xb1")
    assert [session.read(text) for text in ("b2xa1", "B2 x A1", "b2 a1", "xa1", "1", "01", "2")] == [
        *["b2xa1"] * 6,
        "b2xb1",
    ]


@pytest.mark.parametrize("text", ["0", "3", "99", "00000000012", "1" * 4000])
def test_unknown_move_number_lists_valid_numbers(text: str) -> None:
    with pytest.raises(MalformedMoveError, match="moves are numbered 1 to 2"):
        session_with_two_captures().read(text)


@pytest.mark.parametrize("text", ["²", "-1", "1.0", "b2xb9", "½", "١x"])
def test_text_like_a_number_is_not_a_move(text: str) -> None:
    with pytest.raises(MalformedMoveError, match="not a move; write moves like a1xb2"):
        session_with_two_captures().read(text)


def test_wrong_move_is_explained_and_the_player_is_prompted_again() -> None:
    typed = TypedLines("a1xb2", "b2", "b2xc3", "jump").type_at(session_with_two_captures())
    assert typed.said == [
        '"a1xb2": a1 has no number at its bottom-right, which faces b2',
        '"b2": this may be b2xa1 or b2xb1: say which',
        '"b2xc3": b2 has no number at its bottom-right, which faces c3',
        '"jump": not a move; write moves like a1xb2. Type help for a list of commands.',
    ]
    assert set(typed.asked) == {"Ann"}


@pytest.mark.parametrize("word", ["help", "HELP", "?"])
def test_help_lists_every_command(word: str) -> None:
    [text] = TypedLines(word).type_at(open_session()).said
    for command in ("moves", "board", "hint", "undo", "save FILE", "rules", "resign", "quit"):
        assert f"\n  {command} " in text
    assert max(map(len, text.splitlines())) <= 80


def test_moves_board_and_rules_show_them_again() -> None:
    typed = TypedLines("moves", "board", "rules").type_at(open_session())
    assert (len(typed.lists), len(typed.boards), typed.rules) == (2, 2, 1)


@pytest.mark.parametrize("word", ["quit", "exit", "q", " QUIT "])
def test_quit_leaves_the_table(word: str) -> None:
    assert len(TypedLines(word, "1").type_at(open_session()).asked) == 1


def test_very_long_line_is_rejected_quickly() -> None:
    session = open_session()
    [message] = TypedLines("a1" + " " * 10_000_000 + "z").type_at(session).said
    assert message == "This line has 10,000,003 characters, too many for a move."
    assert session.moves == []


# --- undo and hint ------------------------------------------------------------------------------------------------


def test_undo_reverts_one_move_between_persons() -> None:
    session = open_session()
    start = session.state
    typed = TypedLines("1", "undo").type_at(session)
    assert (session.state, session.moves) == (start, [])
    assert typed.said == ["Undid 1 move."]
    assert typed.asked == ["Ann", "Bob", "Ann"]


def test_undo_reverts_computer_move_too() -> None:
    session = open_session(computers={1: GreedyPlayer()})
    start = session.state
    typed = TypedLines("1", "undo").type_at(session)
    assert session.state == start
    assert typed.said == ["Undid 2 moves."]


def test_undo_stops_at_the_start() -> None:
    session = open_session(computers={0: GreedyPlayer()})  # the starting player
    typed = TypedLines("1", "1", "undo", "undo", "undo").type_at(session)
    assert len(session.moves) == 1
    assert typed.said == ["Undid 2 moves.", "Undid 2 moves.", "There is nothing to undo."]


def test_undo_works_in_continued_game() -> None:
    session = open_session()
    TypedLines("1", "1").type_at(session)
    again = resume_session(session.record(), {}, Dice(1))
    assert again.undo() == 1
    assert again.moves == session.moves[:1]


def test_hint_names_two_moves_and_does_not_change_the_game() -> None:
    session = open_session(computers={1: RandomPlayer()})
    dice = copy(session.dice)
    hint = session.hint()
    assert session.hint() == hint
    assert {estimate.move for estimate in hint.moves} == set(session.state.legal_moves())
    assert session.dice.bits() == dice.bits()
    (message,) = TypedLines("hint").type_at(session).said
    assert message.startswith(f"Play {hint.best.move} (+")
    assert "): about " in message
    assert f" in the end. Next best: {hint.moves[1].move}, about " in message


# --- records ----------------------------------------------------------------------------------------------------------


def test_record_of_unfinished_game_has_no_result(tmp_path: Path) -> None:
    session = open_session()
    TypedLines("1", "1", f"save {tmp_path / 'game.toml'}").type_at(session)
    record = read_game(tmp_path / "game.toml")
    assert record == session.record()
    assert (record.moves, record.result, record.date, record.seed) == (tuple(session.moves), None, TODAY, 5)


def test_record_of_finished_game_has_its_result() -> None:
    session = open_session(computers={0: GreedyPlayer(), 1: GreedyPlayer()})
    sit_down(session, TypedLines().prompter(), None)
    assert session.record().result == session.state.scores()


def test_resignation_ends_game_and_is_recorded(tmp_path: Path) -> None:
    session = open_session()
    sit_down(session, TypedLines("1", "resign").prompter(), None)
    session.save(tmp_path / "game.toml")
    record = read_game(tmp_path / "game.toml")
    assert (record.notes, record.result) == ({"resigned": "Bob"}, None)


def test_resigned_game_can_be_continued() -> None:
    session = open_session()
    sit_down(session, TypedLines("1", "resign").prompter(), None)
    again = resume_session(session.record(), {}, Dice(1))
    assert TypedLines("1").type_at(again).asked == ["Bob", "Ann"]
    assert again.record().notes == {}


def test_notes_survive_continuing_a_game() -> None:
    noted = replace(open_session().record(), event="Autumn typed", notes={"sleeves": "black"}, result=None)
    again = resume_session(noted, {}, Dice(1))
    again.play(again.state.legal_moves()[0])
    record = again.record()
    assert (record.event, record.date, record.seed, record.notes) == ("Autumn typed", TODAY, 5, {"sleeves": "black"})


def test_saved_file_is_forgotten_after_a_move(tmp_path: Path) -> None:
    session = open_session()
    path = tmp_path / "game.toml"
    assert session.saved_to is None
    TypedLines("1", f"save {path}").type_at(session)
    assert session.saved_to == path
    session.play(session.state.legal_moves()[0])
    assert session.saved_to is None
    session.undo()
    assert session.saved_to == path


def test_save_without_file_uses_the_record(tmp_path: Path) -> None:
    path = tmp_path / "typed.jsonl"
    assert TypedLines("save").type_at(open_session(), path).said == [f"Saved to {path}"]
    assert read_game(path).moves == ()
    assert TypedLines("save").type_at(open_session()).said == ["Name a file: save game.toml"]


def test_tilde_is_expanded_in_saved_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    TypedLines("save ~/my game.toml").type_at(open_session())
    assert read_game(tmp_path / "my game.toml").moves == ()


@pytest.mark.parametrize(
    "name", [".", "..", "/", "no/such/folder/game.toml", "~nobody-of-this-name/x", "a\0b", "a\0/b", "x" * 300]
)
def test_failed_save_is_reported_and_game_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    typed = TypedLines(f"save {name}", "1").type_at(open_session())
    [message] = typed.said
    assert "cannot be written" in message
    assert "\0" not in message
    assert typed.asked == ["Ann", "Ann", "Bob"]
    assert list(tmp_path.iterdir()) == []


def test_record_with_illegal_move_is_not_continued() -> None:
    wrong = replace(open_session().record(), moves=("a1xa1",))
    with pytest.raises(IllegalMoveError):
        resume_session(wrong, {}, Dice(1))
    assert issubclass(IllegalMoveError, EngineError)
