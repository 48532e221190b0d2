"""The options of a game, its variants: what they may be, and how they are read of people, records and deals.

A game declares its own in its part `options`. Whoever plays faster than the readable rules names those that it knows,
and `unknown_options` says whether another one is played by, which it then leaves to the readable rules.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, RecordError, UnknownNameError, quoted

if TYPE_CHECKING:
    from ccgrid.engine.schema import Schema

YES_OR_NO: Final = (False, True)

# An option that is named alone, `--option facedown`, has the empty text.
_WORDS: Final = {"": True, "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class OptionJson(TypedDict):
    """An option of a game: what it may be, in words, and what it is where nothing is said."""

    name: str
    values: str
    default: bool | int | str
    about: str


class Option(NamedTuple):
    """One option.

    Attributes:
        name: as people and records write it: `komi`.
        values: all that it may be: whole numbers in a row, texts, or `YES_OR_NO`.
        default: what it is where nothing is said.
        about: what it is, in a few words: `points for who does not start`.
        samples: the values that tests draw, all where there are none.
    """

    name: str
    values: Sequence[Any]
    default: Any
    about: str
    samples: Sequence[Any] = ()

    @property
    def values_text(self) -> str:
        """What it may be, in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.values, range):
            return f"{self.values[0]} to {self.values[-1]}"
        return " or ".join(map(quoted, self.values))

    def check(self, value: object) -> None:
        """Refuses what it cannot be; raises RecordError without a place."""
        from ccgrid.engine import schema

        # First the type, which the default tells: `True in range(3)` holds in Python, and `1 in (False, True)`.
        kinds = {bool: schema.truth, int: schema.whole, str: schema.text}
        kinds[type(self.default)](value)
        if value not in self.values:
            shown = value if isinstance(value, int) else quoted(value)
            raise RecordError("", f"must be {self.values_text}, not {shown}")

    def read(self, text: str) -> Any:
        """The value that somebody typed, whether it may be one or not; of `facedown` alone it is true."""
        if isinstance(self.default, bool):
            return _WORDS.get(text.lower(), text)
        is_number = isinstance(self.default, int) and text.removeprefix("-").isdecimal()
        # Twenty digits do not fit 64 bits anyway, and `int` takes long for endless ones.
        return int(text) if is_number and text.isascii() and len(text) < 20 else text

    def sample(self, dice: Dice) -> Any:
        """A value to try the game with."""
        return dice.choose(self.samples or self.values)

    def to_dict(self) -> OptionJson:
        """The option as scripts see it."""
        return {"name": self.name, "values": self.values_text, "default": self.default, "about": self.about}


def schemas(options: Sequence[Option]) -> dict[str, "Schema"]:
    """What checks each option in a table of a record."""
    return {option.name: option.check for option in options}


def values_in(options: Sequence[Option], table: Mapping[str, Any]) -> dict[str, Any]:
    """Every option's value in a table of a record that has passed `schemas`."""
    return {option.name: table.get(option.name, option.default) for option in options}


def option_values(game: str, options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Any]:
    """Every option's value where these are given.

    Raises:
        UnknownNameError: the game has no such option; says which it has.
        EngineError: a value is of the wrong type, or cannot be.
    """
    by_name = {option.name: option for option in options}
    for name, value in given.items():
        if name not in by_name:
            there = f": it has {', '.join(by_name)}" if by_name else ""
            raise UnknownNameError(f"{game} has no option {quoted(name)}{there}")
        try:
            by_name[name].check(value)
        except RecordError as error:
            raise EngineError(f"the option {name} {error.message}") from None
    return values_in(options, given)


def variant(options: Sequence[Option], values: Mapping[str, object]) -> dict[str, Any]:
    """Those of the values that are not as usual, as records have them."""
    usual = {option.name: option.default for option in options}
    return {name: value for name, value in values.items() if value != usual[name]}


def as_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by names that fields may have: `empty_pile` of `empty-pile`."""
    return {name.replace("-", "_"): value for name, value in values.items()}


def unknown_options(given: Mapping[str, object], known: Collection[str]) -> tuple[str, ...]:
    """The options that something does not know, of those that are not as usual."""
    return tuple(name for name in given if name not in known)


def slower_notice(unknown: Sequence[str]) -> str:
    """The sentence that says that these options are played by the readable rules."""
    played = "is played" if len(unknown) == 1 else "are played"
    return f"{' and '.join(map(quoted, unknown))} {played} by the slower, readable rules."
