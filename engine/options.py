"""Options (variants) of a game: allowed values, and their values in commands, records and deals.

A game declares its options in its part `options`. Faster implementations of a game name the options that they support;
if `unknown_options` returns any, the readable rules play the game instead.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, RecordError, UnknownNameError, quoted

if TYPE_CHECKING:
    from ccgrid.engine.schema import Schema

OptionValue: TypeAlias = bool | int | str

OptionValues: TypeAlias = dict[str, Any]
"""The values of all options of a game by name. Each has the type of its option's default, which only the game knows."""

YES_OR_NO: Final = (False, True)

RULES: Final = "rules"
"""The name of the option that chooses named rules, as in `rules=evening`; records have only the options themselves."""

# An option without a value, `--option facedown`, is read with an empty text.
_BOOLEAN_WORDS: Final = {"": True, "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Option(NamedTuple):
    """An option of a game.

    Attributes:
        name: The name in commands and records: `komi`.
        values: All allowed values: a range of integers, texts, or `YES_OR_NO`.
        default: The value if none is given.
        about: A short description: `points for who does not start`.
        samples: Values for tests; if empty, all allowed values.
    """

    name: str
    values: Sequence[OptionValue]
    default: OptionValue
    about: str
    samples: Sequence[OptionValue] = ()

    @property
    def values_text(self) -> str:
        """The allowed values as text."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.values, range):
            return f"{self.values[0]} to {self.values[-1]}"
        return " or ".join(map(quoted, self.values))

    def check(self, value: object) -> None:
        """Check a value; raise RecordError without a location if it is not allowed."""
        from ccgrid.engine import schema

        # Check the type first, which is that of the default: in Python `True in range(3)` and `1 in (False, True)`
        # hold.
        kinds = {bool: schema.truth, int: schema.whole, str: schema.text}
        kinds[type(self.default)](value)
        if value not in self.values:
            shown = value if isinstance(value, int) else quoted(value)
            raise RecordError("", f"must be {self.values_text}, not {shown}")

    def read(self, text: str) -> OptionValue:
        """Parse a typed value without checking it; an empty text is true for a boolean option."""
        if isinstance(self.default, bool):
            return _BOOLEAN_WORDS.get(text.lower(), text)
        is_number = isinstance(self.default, int) and text.removeprefix("-").isdecimal()
        # Twenty digits exceed 64 bits, and `int` is slow for very long texts.
        return int(text) if is_number and text.isascii() and len(text) < 20 else text

    def sample(self, dice: Dice) -> OptionValue:
        """Return a random value for a test."""
        return dice.choose(self.samples or self.values)


class NamedRules(NamedTuple):
    """Options that are recommended together, under one name: rules of this program, not of the game's author.

    Attributes:
        name: The name, the value of the option `rules`: `evening`.
        values: The values of the options.
        about: What is different, in a few words.
    """

    name: str
    values: Mapping[str, OptionValue]
    about: str

    def advice(self, choice: str) -> str:
        """Return the recommendation as a line; `choice` is how the user chooses these rules."""
        return f"For closer games: {choice} ({self.about}; ours, not the author's)."


def with_named_rules(named: Sequence[NamedRules], given: Mapping[str, object]) -> dict[str, object]:
    """Return the given options with the values for which the option `rules` stands.

    Raises:
        EngineError: If there are no rules of this name, or another value is given for one of their options.
    """
    values = {name: value for name, value in given.items() if name != RULES}
    if RULES not in given:
        return values
    chosen = next((one for one in named if one.name == given[RULES]), None)
    if chosen is None:
        known = " or ".join(quoted(one.name) for one in named)
        raise ContradictionError(f"the option {RULES} must be {known}, not {quoted(given[RULES])}")
    for name, value in chosen.values.items():
        if values.setdefault(name, value) != value:
            raise ContradictionError(f"{RULES}={chosen.name} means {name}={value}, not {name}={values[name]}")
    return values


def schemas(options: Sequence[Option]) -> dict[str, "Schema"]:
    """Return the schema of each option in a table of a record."""
    return {option.name: option.check for option in options}


def values_in(options: Sequence[Option], table: Mapping[str, object]) -> OptionValues:
    """Return the values of all options from a table of a record that has passed `schemas`."""
    return {option.name: table.get(option.name, option.default) for option in options}


def option_values(game: str, options: Sequence[Option], given: Mapping[str, object]) -> OptionValues:
    """Return the values of all options, given some of them.

    Raises:
        UnknownNameError: If the game has no such option; the message lists its options.
        EngineError: If a value has the wrong type or is not allowed.
    """
    by_name = {option.name: option for option in options}
    for name, value in given.items():
        if name not in by_name:
            known = f": it has {', '.join(by_name)}" if by_name else ""
            raise UnknownNameError(f"{game} has no option {quoted(name)}{known}")
        try:
            by_name[name].check(value)
        except RecordError as error:
            problem = f"needs a value: {name}=VALUE" if value == "" else error.message
            raise ContradictionError(f"the option {name} {problem}") from None
    return values_in(options, given)


def variant(options: Sequence[Option], values: Mapping[str, object]) -> dict[str, object]:
    """Return the values that differ from the defaults, as stored in records."""
    usual = {option.name: option.default for option in options}
    return {name: value for name, value in values.items() if value != usual[name]}


def by_field_name(values: OptionValues) -> OptionValues:
    """Return the values by the names of dataclass fields: `empty_pile` for `empty-pile`."""
    return {name.replace("-", "_"): value for name, value in values.items()}


def unknown_options(given: Mapping[str, object], known: Collection[str]) -> tuple[str, ...]:
    """Return the given options that are not in `known`."""
    return tuple(name for name in given if name not in known)


def slower_notice(unknown: Sequence[str]) -> str:
    """Return a notice that the readable rules play these options."""
    played = "is played" if len(unknown) == 1 else "are played"
    return f"{' and '.join(map(quoted, unknown))} {played} by the slower, readable rules."
