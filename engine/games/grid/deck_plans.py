"""How far searches for decks of grid look, by who plays in them, and how many games that takes at most."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.insight.deck_rating import QUICK_PLAYERS
from engine.many.kernels import can_compile


@dataclass(frozen=True, slots=True)
class Race:
    """A race between decks, of which the less even half falls out after each heat.

    Attributes:
        times: how many such races follow one another.
        field: decks that begin it: the most even ones before it, a quarter at most, and others like them.
        heats: games with each deck that is left.
    """

    times: int
    field: int
    heats: tuple[int, ...]

    def most_games(self) -> int:
        """How many games all of them take."""
        return self.times * sum(games * max(self.field >> heat, 1) for heat, games in enumerate(self.heats))


@dataclass(frozen=True, slots=True)
class Plan:
    """How far a search looks.

    Attributes:
        races: races for even decks between quick players, the first among random decks.
        fresh: games in which it is asked how even a deck is.
        ascents: how many times lively decks are climbed to, by their numbers alone, with `steps` swaps each.
        lively_games: games with each of these decks.
        rated: fresh games in which a deck that was found is rated.
        usual: random decks, to compare with, and the games with each.
        slow_races: races that follow between players who think; none where quick ones are asked alone.
    """

    races: tuple[Race, ...]
    fresh: int
    ascents: int = 10
    steps: int = 2_500
    lively_games: int = 800
    rated: int = 5_000
    usual: tuple[int, int] = (60, 80)
    slow_races: tuple[Race, ...] = ()

    def most_games(self, kind: str) -> int:
        """How many games a search of this kind, `lively`, `balanced` or `random`, plays at most.

        Where players think, games between quick ones, which are played before theirs, do not count.
        """
        games = self.rated + self.usual[0] * self.usual[1] + (0 if self.slow_races else self.fresh)
        if kind == "lively":
            return games + self.ascents * self.lively_games
        if kind == "balanced":
            return (
                games + _most_games(self.slow_races, 0)
                if self.slow_races
                else games + _most_games(self.races, self.fresh)
            )
        return games


def _most_games(races: Sequence[Race], fresh: int) -> int:
    return sum(race.most_games() + race.times * fresh for race in races)


_FIRST: Final = Race(1, 128, (100,) * 4)

COMPILED: Final = Plan(
    (
        _FIRST,
        Race(12, 32, (100, 100)),
        Race(12, 32, (400, 400)),
        Race(12, 32, (1_600, 1_600)),
        Race(80, 32, (2_500, 2_500)),
    ),
    100_000,
)
PLAIN: Final = Plan((_FIRST, Race(12, 32, (60, 60)), Race(12, 32, (180, 180)), Race(12, 32, (500, 500))), 20_000)

RACES: Final = replace(
    COMPILED, lively_games=60, rated=2_500, usual=(60, 8), slow_races=(Race(3, 16, (60, 120, 240, 960)),)
)
PLAIN_RACES: Final = replace(
    PLAIN, ascents=5, lively_games=30, rated=500, usual=(40, 4), slow_races=(Race(1, 8, (50, 100, 200)),)
)


def plan_of(player: str) -> Plan:
    """How far a search looks in which this player plays."""
    if player in QUICK_PLAYERS:
        return COMPILED if can_compile() else PLAIN
    return RACES if can_compile() else PLAIN_RACES
