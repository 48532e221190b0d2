"""Values that are like others but for some fields, made quickly: a turn of the ninecard game makes dozens."""

from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

Value = TypeVar("Value")


def changed(value: Value, **changes: Any) -> Value:
    """The same dataclass with other values in these fields: `dataclasses.replace` in less than half its time.

    Raises:
        KeyError: there is no such field.

    >>> from engine.games.ninecard.cards import Creature
    >>> changed(Creature("Drake", 7, 5), defense=6)
    Creature(name='Drake', attack=7, defense=6)
    """
    kind: Any = type(value)
    read, places = _fields(kind)
    values = list(read(value))
    for name, new in changes.items():
        values[places[name]] = new
    made: Value = kind(*values)
    return made


@cache
def _fields(kind: Any) -> tuple[Any, dict[str, int]]:
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}
