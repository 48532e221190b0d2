"""What can go wrong with a game, how messages quote what somebody gave, and names: found, or the error that helps."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

LONGEST_QUOTE = 60


def quoted(text: object) -> str:
    r"""A text between quotes as messages show it: cut when long, and nothing in it that a terminal would obey.

    >>> print(quoted("\x1b[2J"))
    "\x1b[2J"
    """
    return f'"{harmless(text)}"'


def harmless(text: object) -> str:
    """A text as messages show it where it needs no quotes."""
    shown = str(text)
    if len(shown) > LONGEST_QUOTE:
        shown = shown[: LONGEST_QUOTE - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)


class EngineError(ValueError):
    """Something that could not be done with a game: one or two lines that say what is wrong and what to do."""


class UnknownNameError(EngineError):
    """Somebody named a game, a player, a faction or an option that there is not; the message says which there are."""


class ContradictionError(EngineError):
    """What somebody asks for does not fit together, whatever is played: something of it has to be left out."""


class UnknownCardError(EngineError):
    """A card had to be turned up that is not known: nobody saw it, or this seat may not see it."""


class MoveError(EngineError):
    """A move that cannot be played; `given` is the move as given, `reason` why in words a player understands."""

    def __init__(self, given: str, reason: str) -> None:
        super().__init__(given, reason)
        self.given = given
        self.reason = reason

    def __str__(self) -> str:
        return f"{quoted(self.given)}: {self.reason}"


class MalformedMoveError(MoveError):
    """A text that is not a move of this game in any position."""


class IllegalMoveError(MoveError):
    """A move that this position does not allow."""


class AmbiguousMoveError(MoveError):
    """A text that may mean several legal moves."""


class RecordError(EngineError):
    """What is wrong in a file and where: `setup.cards[3].score`, `moves[6] "b2xc3"`, or `file` for all of it."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(where, message)
        self.where = where
        self.message = message

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"

    def under(self, key: str) -> "RecordError":
        """The same error seen from one level up, where the value has this key."""
        # cards[3] and score are cards[3].score; cards and [3] are cards[3].
        dot = "." if self.where and not self.where.startswith("[") else ""
        return RecordError(f"{key}{dot}{self.where}", self.message)


# --- names in a registry ---


class Named(Protocol):
    """What a registry holds."""

    @property
    def name(self) -> str:
        """What people type."""


Entry = TypeVar("Entry", bound=Named)


def find_named(kind: str, name: str, registry: Sequence[Entry]) -> Entry:
    """The entry of a registry with this name.

    Raises:
        UnknownNameError: there is none; says which there are and which was perhaps meant.
    """
    check_name(kind, name, [entry.name for entry in registry])
    return next(entry for entry in registry if entry.name == name)


def check_name(kind: str, name: str, names: Sequence[str]) -> None:
    """Refuses a name that is not one of these; raises UnknownNameError, which says which was perhaps meant."""
    if name in names:
        return
    import difflib  # only needed when something is misspelt

    # Cut, as the comparison takes ever longer for longer texts.
    close = difflib.get_close_matches(name.lower()[:50], names, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise UnknownNameError(f"There is no {kind} '{harmless(name)}'.{hint} There are: {', '.join(names)}.")
