"""Errors of games and records, quoting of untrusted text in messages, and lookup of names in a registry."""

from collections.abc import Sequence

from ccgrid.catalog.joiners import is_visible, joiners_in

LONGEST_QUOTE = 60


def quoted(text: object) -> str:
    r"""Return a text in quotes for a message: shortened if long, with control characters escaped.

    >>> print(quoted("\x1b[2J"))
    "\x1b[2J"
    """
    return f'"{harmless(text)}"'


def harmless(text: object) -> str:
    """Return a text for a message, shortened and escaped like `quoted`, but without quotes."""
    shown = str(text)
    if len(shown) > LONGEST_QUOTE:
        shown = shown[: LONGEST_QUOTE - 1] + "…"
    if is_visible(shown):
        return shown
    kept = joiners_in(shown)
    return "".join(
        character if character.isprintable() or place in kept else character.encode("unicode_escape").decode("ascii")
        for place, character in enumerate(shown)
    )


class EngineError(ValueError):
    """Base class of errors of games. The message describes the error and a remedy in one or two lines."""


class UnknownNameError(EngineError):
    """Raised for an unknown game, player, faction or option; the message lists the known ones."""


class ContradictionError(EngineError):
    """Raised if a request contradicts itself, or asks a game for what it does not have; the caller must change it."""


class UnknownCardError(EngineError):
    """Raised if an unknown card must be revealed: no player has seen it, or the seat may not see it."""


class MoveError(EngineError):
    """Raised for a move that cannot be played; `given` is the move as given, `reason` a text for the player."""

    def __init__(self, given: str, reason: str) -> None:
        super().__init__(given, reason)
        self.given = given
        self.reason = reason

    def __str__(self) -> str:
        return f"{quoted(self.given)}: {self.reason}"


class MalformedMoveError(MoveError):
    """Raised for a text that is not a move of this game in any position."""


class IllegalMoveError(MoveError):
    """Raised for a move that is not legal in this position."""


class AmbiguousMoveError(MoveError):
    """Raised for a text that matches several legal moves."""


class RecordError(EngineError):
    """Raised for an error in a file; `where` is `setup.cards[3].score`, `moves[6] "b2xc3"`, or `file` for all of it."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(where, message)
        self.where = where
        self.message = message

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"

    def under(self, key: str) -> "RecordError":
        """Return the same error located one level up, where the value has this key."""
        # "cards[3]" and "score" become "cards[3].score"; "cards" and "[3]" become "cards[3]".
        dot = "." if self.where and not self.where.startswith("[") else ""
        return RecordError(f"{key}{dot}{self.where}", self.message)


# --- lookup of names in a registry ---


def check_name(kind: str, name: str, names: Sequence[str]) -> None:
    """Raise UnknownNameError, with the most similar name as a suggestion, if a name is not one of `names`."""
    if name in names:
        return
    import difflib  # only needed for a misspelt name

    # Shortened, because the comparison is slow for long texts.
    close = difflib.get_close_matches(name.lower()[:50], names, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise UnknownNameError(f"There is no {kind} '{harmless(name)}'.{hint} There are: {', '.join(names)}.")
