"""Moves as people write them, and positions as plain values for programs in other languages."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

from ccgrid.engine.errors import (
    AmbiguousMoveError,
    EngineError,
    IllegalMoveError,
    MalformedMoveError,
    MoveError,
    harmless,
)
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game

AnyState = TypeVar("AnyState", bound=State)

MOST_LISTED: Final = 20
"""The most moves that a message lists."""

LONGEST_LOOSE: Final = 400
"""The longest text that is read as a loosely spelt move in a record, in characters: reading one takes a while."""


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
        raise AmbiguousMoveError(text, f"this may be {_list_moves(possible, ' or ')}: say which")
    if not meant:
        raise _refusal(state, text)
    # Several moves with one reason: that is said. With different ones the legal moves help more.
    reasons = {_refusal(state, move).reason for move in meant}
    if len(reasons) == 1:
        raise IllegalMoveError(text, reasons.pop())
    raise IllegalMoveError(text, f"no such move is legal now; the legal ones: {_list_moves(legal, ', ')}")


def read_record_move(state: State, text: str) -> str:
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


def _list_moves(moves: Sequence[str], joint: str) -> str:
    named = [harmless(move) for move in moves[:MOST_LISTED]]
    if len(moves) > MOST_LISTED:
        named.append(f"{len(moves) - MOST_LISTED} more")
    return joint.join(named)


def position_document(view: State) -> dict[str, Any]:
    """A position as plain values: of what a seat sees (`State.view`) it holds what that seat may know."""
    document: dict[str, Any] = _to_plain(view)
    return document


def read_position(game: str, document: object) -> State:
    """The position of a game in plain values, as `position_document` makes them.

    Raises:
        EngineError: there is no such game, or the values are no position of it.
    """
    kind = _state_of(game)
    try:
        state: State = _from_plain(kind, document)
        # Asked only to see that it can be: values of the right types may be no position all the same.
        state.legal_moves()
    # StopIteration is from `_one_of`, where no type fits.
    except (TypeError, ValueError, LookupError, AttributeError, StopIteration) as error:
        raise EngineError(f"this is no position of {game}: {type(error).__name__}: {error}") from None
    return state


@cache
def _state_of(game: str) -> Any:
    """The class of a game's positions: what its `reveal` takes."""
    # `GridGame.reveal(view: GridState, …)` names the class.
    return get_type_hints(type(find_game(game)).reveal)["view"]


@cache
def _types(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _to_plain(value: Any) -> Any:
    if is_dataclass(value):
        return {name: _to_plain(one) for name, one in _needed_fields(value).items()}
    if isinstance(value, Mapping):
        return {key: _to_plain(one) for key, one in value.items()}
    return [_to_plain(one) for one in value] if isinstance(value, tuple) else value


def _needed_fields(value: Any) -> dict[str, Any]:
    """The fields without which the value would be another one."""
    everything = {field.name: getattr(value, field.name) for field in fields(value)}
    needed = dict(everything)
    # From the last one on, for later fields are derived from earlier ones (`GridSetup.moving` from `cards`).
    for field in filter(_has_default, reversed(fields(value))):
        without = {name: one for name, one in needed.items() if name != field.name}
        again = type(value)(**without)
        if all(getattr(again, name) == one for name, one in everything.items()):
            needed = without
    return needed


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _from_plain(kind: Any, value: Any) -> Any:
    """The value of a type, made of plain values."""
    if isinstance(kind, UnionType):
        return _from_plain(_one_of(get_args(kind), value), value)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise TypeError(f"a list is wanted, not {value!r:.40}")
        kinds = get_args(kind)
        # tuple[X, ...] has as many X as there are values; tuple[X, Y] exactly these.
        of_each = kinds[:1] * len(value) if kinds[-1] is Ellipsis else kinds
        return tuple([_from_plain(one, entry) for one, entry in zip(of_each, value, strict=True)])
    if is_dataclass(kind):
        types = _types(kind)  # type: ignore[arg-type]
        return kind(**{name: _from_plain(types[name], entry) for name, entry in value.items()})  # type: ignore[operator]
    if get_origin(kind) is not None:  # a mapping of names to numbers
        key, entry = get_args(kind)
        return {_from_plain(key, name): _from_plain(entry, one) for name, one in value.items()}
    # `is`, not `isinstance`: true is no number here.
    if type(value) is not kind:
        raise TypeError(f"{kind.__name__} is wanted, not {value!r:.40}")
    return value


def _one_of(kinds: tuple[Any, ...], value: Any) -> Any:
    """The type of several that a value is of: of dataclasses the one that takes these fields."""
    if value is None:
        return NoneType
    if isinstance(value, dict):
        return next(kind for kind in kinds if is_dataclass(kind) and _takes(kind, value))  # type: ignore[arg-type]
    return next(kind for kind in kinds if kind is not NoneType and not is_dataclass(kind))


def _takes(kind: type, value: Mapping[str, Any]) -> bool:
    wanted = {field.name for field in fields(kind) if not _has_default(field)}
    # All that it needs, and nothing that it does not have.
    return wanted <= value.keys() <= _types(kind).keys()
