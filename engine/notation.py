"""The checked doors to a move: one in canonical notation, one for what a person typed, one for what a record holds."""

from collections.abc import Sequence
from typing import Final, TypeVar

from ccgrid.engine.errors import AmbiguousMoveError, IllegalMoveError, MalformedMoveError, MoveError, harmless
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game

AnyState = TypeVar("AnyState", bound=State)

MOST_LISTED: Final = 20
"""So many moves a message lists at most."""

LONGEST_LOOSE: Final = 400
"""So many characters a move in a record may have that is not spelt as the rules spell it: to read it takes a while."""


def play(state: AnyState, move: str) -> AnyState:
    """The position after a move in canonical notation.

    Raises:
        MalformedMoveError: the text is not a move of this game.
        IllegalMoveError: the move is not legal here.
        UnknownCardError: the move turns up a card that is not known.
    """
    if move not in state.legal_moves():
        raise _refusal(state, move)
    return state.play_unchecked(move)


def read_move(state: State, text: str) -> str:
    """The legal move, in canonical notation, that a text typed by a person means.

    Raises:
        MalformedMoveError: the text is not a move of this game.
        IllegalMoveError: none of what it may mean is legal here.
        AmbiguousMoveError: it may mean several legal moves.
    """
    meant = find_game(state.game).notation.moves_meant(state, text)
    legal = state.legal_moves()
    possible = [move for move in meant if move in legal]
    if len(possible) == 1:
        return possible[0]
    if possible:
        raise AmbiguousMoveError(text, f"this may be {_listed(possible, ' or ')}: say which")
    if not meant:
        raise _refusal(state, text)
    reasons = {_refusal(state, move).reason for move in meant}
    if len(reasons) == 1:
        raise IllegalMoveError(text, reasons.pop())
    raise IllegalMoveError(text, f"no such move is legal now; the legal ones: {_listed(legal, ', ')}")


def read_recorded(state: State, text: str) -> str:
    """The legal move, in canonical notation, that a text in a record means: itself, or what it means when it is typed.

    A number alone means nothing: it counts a list of moves that no record holds.

    Raises:
        MalformedMoveError, IllegalMoveError, AmbiguousMoveError: as `read_move` does.
    """
    if text in state.legal_moves():
        return text
    if len(text) > LONGEST_LOOSE or text.strip().isdecimal():
        raise _refusal(state, text)
    return read_move(state, text)


def _refusal(state: State, move: str) -> MoveError:
    notation = find_game(state.game).notation
    if not notation.is_notation(state, move):
        return MalformedMoveError(move, f"not a move; write moves like {notation.example}")
    ending = state.ending()
    return IllegalMoveError(move, f"the game is over: {ending}" if ending else notation.why_illegal(state, move))


def _listed(moves: Sequence[str], joint: str) -> str:
    named = [harmless(move) for move in moves[:MOST_LISTED]]
    if len(moves) > MOST_LISTED:
        named.append(f"{len(moves) - MOST_LISTED} more")
    return joint.join(named)
