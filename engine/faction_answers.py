"""Ready-made decks of games and the problems in their files, as commands print them with `--json`."""

import msgspec


class SidedCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card with four numbers as stored in records."""

    name: str
    top: int
    right: int
    bottom: int
    left: int


class ShownFaction(msgspec.Struct, frozen=True, kw_only=True):
    """A ready-made deck of a game: the name used in commands, its title, and a sentence about it."""

    game: str
    name: str
    title: str
    about: str
    cards: list[SidedCard]


class FactionProblem(msgspec.Struct, frozen=True):
    """A problem in the file of a ready-made deck; `card` and `key` are null if it does not concern one."""

    file: str
    card: str | None
    key: str | None
    reason: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.card and f"card {self.card}", self.key) if part)
        return f"{self.file}: {place}: {self.reason}" if place else f"{self.file}: {self.reason}"
