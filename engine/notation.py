"""The two checked doors to a move: one in canonical notation, and one that takes what a person typed."""

from collections.abc import Sequence
from typing import Final, TypeVar

from engine.errors import AmbiguousMoveError, IllegalMoveError, MalformedMoveError, MoveError, harmless
from engine.game import State
from engine.games import find_game

AnyState = TypeVar("AnyState", bound=State)

MOST_LISTED: Final = 20
"""So many moves a message lists at most."""


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
