"""Moves as typed or recorded texts, and positions as plain values for programs in other languages."""

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

MAX_LISTED_MOVES: Final = 20
"""The maximum number of moves listed in a message."""

MAX_LOOSE_LENGTH: Final = 400
"""The maximum length, in characters, of a non-canonical move in a record: parsing one is slow."""


def play(state: AnyState, move: str) -> AnyState:
    """Return the position after a move in canonical notation.

    Raises:
        MalformedMoveError: If the text is not a move of this game.
        IllegalMoveError: If the move is not legal here.
        UnknownCardError: If the move reveals an unknown card.
    """
    if move not in state.legal_moves():
        raise _move_error(state, move)
    return state.play_unchecked(move)


def read_move(state: State, text: str) -> str:
    """Return the legal move, in canonical notation, that a typed text refers to.

    Raises:
        MalformedMoveError: If the text is not a move of this game.
        IllegalMoveError: If none of the moves that it may refer to is legal here.
        AmbiguousMoveError: If it may refer to several legal moves.
    """
    meant = find_game(state.game).notation.moves_meant(state, text)
    legal = state.legal_moves()
    possible = [move for move in meant if move in legal]
    if len(possible) == 1:
        return possible[0]
    if possible:
        raise AmbiguousMoveError(text, f"this may be {_list_moves(possible, ' or ')}: say which")
    if not meant:
        raise _move_error(state, text)
    # If all candidates have the same reason, report it; otherwise the legal moves are more helpful.
    reasons = {_move_error(state, move).reason for move in meant}
    if len(reasons) == 1:
        raise IllegalMoveError(text, reasons.pop())
    raise IllegalMoveError(text, f"no such move is legal now; the legal ones: {_list_moves(legal, ', ')}")


def read_record_move(state: State, text: str) -> str:
    """Return the legal move, in canonical notation, of a text in a record: canonical, or as a player may type it.

    A number alone is malformed: it refers to a displayed list of moves, which a record does not contain.

    Raises:
        MalformedMoveError: If the text is not a move of this game.
        IllegalMoveError: If none of the moves that it may refer to is legal here.
        AmbiguousMoveError: If it may refer to several legal moves.
    """
    if text in state.legal_moves():
        return text
    if len(text) > MAX_LOOSE_LENGTH or text.strip().isdecimal():
        raise _move_error(state, text)
    return read_move(state, text)


def _move_error(state: State, move: str) -> MoveError:
    notation = find_game(state.game).notation
    if not notation.is_notation(state, move):
        return MalformedMoveError(move, f"not a move; write moves like {notation.example}")
    ending = state.ending()
    return IllegalMoveError(move, f"the game is over: {ending}" if ending else notation.why_illegal(state, move))


def _list_moves(moves: Sequence[str], joint: str) -> str:
    named = [harmless(move) for move in moves[:MAX_LISTED_MOVES]]
    if len(moves) > MAX_LISTED_MOVES:
        named.append(f"{len(moves) - MAX_LISTED_MOVES} more")
    return joint.join(named)


def position_document(view: State) -> dict[str, Any]:
    """Return a position as plain values. The document of a seat's view contains no hidden information."""
    document: dict[str, Any] = _to_plain(view)
    return document


def read_position(game: str, document: object) -> State:
    """Return the position of a game in plain values, as `position_document` creates them.

    Raises:
        EngineError: If there is no such game, or the values are not a position of it.
    """
    kind = _state_class(game)
    try:
        state: State = _from_plain(kind, document)
        # Called as a check: values of the right types may still not form a position.
        state.legal_moves()
    # StopIteration comes from `_matching_type` if no type matches.
    except (TypeError, ValueError, LookupError, AttributeError, StopIteration) as error:
        raise EngineError(f"this is no position of {game}: {type(error).__name__}: {error}") from None
    return state


@cache
def _state_class(game: str) -> object:
    """Return the class of a game's positions: the type that its `reveal` takes."""
    # The class is in the signature, such as `GridGame.reveal(view: GridState, …)`.
    return get_type_hints(type(find_game(game)).reveal)["view"]


@cache
def _types(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _to_plain(value: object) -> Any:
    if is_dataclass(value):
        return {name: _to_plain(item) for name, item in _needed_fields(value).items()}
    if isinstance(value, Mapping):
        return {key: _to_plain(item) for key, item in value.items()}
    return [_to_plain(item) for item in value] if isinstance(value, tuple) else value


def _needed_fields(value: Any) -> dict[str, Any]:
    """Return the fields without which the value would not be equal."""
    everything = {field.name: getattr(value, field.name) for field in fields(value)}
    needed = dict(everything)
    # In reverse order, because later fields are derived from earlier ones (`GridSetup.moving` from `cards`).
    for field in filter(_has_default, reversed(fields(value))):
        without = {name: item for name, item in needed.items() if name != field.name}
        again = type(value)(**without)
        if all(getattr(again, name) == item for name, item in everything.items()):
            needed = without
    return needed


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _from_plain(kind: Any, value: Any) -> Any:
    """Build a value of a type from plain values."""
    if isinstance(kind, UnionType):
        return _from_plain(_matching_type(get_args(kind), value), value)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise TypeError(f"must be a list, not {value!r:.40}")
        kinds = get_args(kind)
        # tuple[X, ...] has one X per value; tuple[X, Y] has exactly these.
        entry_types = kinds[:1] * len(value) if kinds[-1] is Ellipsis else kinds
        return tuple([_from_plain(item, entry) for item, entry in zip(entry_types, value, strict=True)])
    if is_dataclass(kind):
        types = _types(kind)  # type: ignore[arg-type]
        return kind(**{name: _from_plain(types[name], entry) for name, entry in value.items()})  # type: ignore[operator]
    if get_origin(kind) is not None:  # a mapping of names to numbers
        key, entry = get_args(kind)
        return {_from_plain(key, name): _from_plain(entry, item) for name, item in value.items()}
    # `is`, not `isinstance`: True is not an integer here.
    if type(value) is not kind:
        raise TypeError(f"must be of type {kind.__name__}, not {value!r:.40}")
    return value


def _matching_type(kinds: tuple[Any, ...], value: object) -> Any:
    """Return the one of several types that a value has; for a dict, the dataclass that accepts its keys as fields."""
    if value is None:
        return NoneType
    if isinstance(value, dict):
        return next(kind for kind in kinds if is_dataclass(kind) and _accepts_fields(kind, value))  # type: ignore[arg-type]
    return next(kind for kind in kinds if kind is not NoneType and not is_dataclass(kind))


def _accepts_fields(kind: type, value: Mapping[str, object]) -> bool:
    wanted = {field.name for field in fields(kind) if not _has_default(field)}
    # All required fields, and no unknown ones.
    return wanted <= value.keys() <= _types(kind).keys()
