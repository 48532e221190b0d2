"""Positions as plain values, for programs in other languages: what a seat sees, and nothing else, as JSON.

A position is the dataclass that holds it, field by field: a tuple is a list, a dataclass is an object. A field that
follows from the others, or has its usual value, is left out.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game


def position_document(view: State) -> dict[str, Any]:
    """A position as plain values: of what a seat sees (`State.view`) it holds what that seat may know."""
    document: dict[str, Any] = _plain(view)
    return document


def read_position(game: str, document: object) -> State:
    """The position of a game in plain values, as `position_document` makes them.

    Raises:
        EngineError: there is no such game, or the values are no position of it.
    """
    kind = _state_of(game)
    try:
        state: State = _made(kind, document)
        state.legal_moves()
    except (TypeError, ValueError, LookupError, AttributeError, StopIteration) as error:
        raise EngineError(f"this is no position of {game}: {type(error).__name__}: {error}") from None
    return state


@cache
def _state_of(game: str) -> Any:
    """The class of a game's positions: what its `revealed` takes."""
    return get_type_hints(type(find_game(game)).revealed)["view"]


@cache
def _types(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {name: _plain(one) for name, one in _needed(value).items()}
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _needed(value: Any) -> dict[str, Any]:
    """The fields without which the value would be another one."""
    everything = {field.name: getattr(value, field.name) for field in fields(value)}
    needed = dict(everything)
    for field in filter(_has_default, reversed(fields(value))):
        without = {name: one for name, one in needed.items() if name != field.name}
        again = type(value)(**without)
        if all(getattr(again, name) == one for name, one in everything.items()):
            needed = without
    return needed


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _made(kind: Any, value: Any) -> Any:
    """The value of a type that plain values stand for."""
    if isinstance(kind, UnionType):
        return _made(_one_of(get_args(kind), value), value)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise TypeError(f"a list is wanted, not {value!r:.40}")
        kinds = get_args(kind)
        of_each = kinds[:1] * len(value) if kinds[-1] is Ellipsis else kinds
        return tuple([_made(one, entry) for one, entry in zip(of_each, value, strict=True)])
    if is_dataclass(kind):
        types = _types(kind)  # type: ignore[arg-type]
        return kind(**{name: _made(types[name], entry) for name, entry in value.items()})  # type: ignore[operator]
    if get_origin(kind) is not None:  # a mapping of names to numbers
        key, entry = get_args(kind)
        return {_made(key, name): _made(entry, one) for name, one in value.items()}
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
    return wanted <= value.keys() <= _types(kind).keys()
