"""Lists of ready-made decks and checks of their files, as commands print them with `--json`."""

import msgspec

from ccgrid.engine.faction_answers import FactionProblem


class ListedFaction(msgspec.Struct, frozen=True, kw_only=True):
    """A ready-made deck of a game: the name used in commands, its title, and the number of cards."""

    game: str
    name: str
    title: str
    about: str
    cards: int


class FactionCheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a faction file is valid, and everything wrong with it."""

    ok: bool
    file: str
    problems: list[FactionProblem]
