"""How far searches for decks of grid look, by who plays in them, and how many games that takes at most."""

from dataclasses import dataclass, replace
from typing import Final

from engine.insight.deck_rating import QUICK_PLAYERS
from engine.many.kernels import can_compile


@dataclass(frozen=True, slots=True)
class Plan:
    """How far a search looks.

    Attributes:
        climbs: how many times it begins anew.
        starts: random decks to begin with, and `start_games` games with each.
        first: rounds of every climb, and the games with each swap.
        last: rounds with what the climbs found, the best first, until it is even enough.
        swaps: decks that are tried in a round.
        fresh: games in which it is asked how even a deck is.
        ascents: how many times lively decks are climbed to, by their numbers alone, with `steps` swaps each.
        lively_games: games with each of these decks.
        rated: fresh games in which a deck that was found is rated.
        usual: random decks, to compare with, and the games with each.
        races: how many races there are between decks that greedy players find even; none where they are asked alone.
        field: decks that begin a race.
        heats: games with each deck that is left; after each heat the less even half falls out.
    """

    climbs: int
    starts: int
    start_games: int
    first: tuple[int, int]
    last: tuple[int, int]
    swaps: int
    fresh: int
    ascents: int = 10
    steps: int = 2_500
    lively_games: int = 800
    rated: int = 5_000
    usual: tuple[int, int] = (60, 80)
    races: int = 0
    field: int = 0
    heats: tuple[int, ...] = ()

    def most_games(self, kind: str) -> int:
        """How many games a search of this kind, `lively`, `balanced` or `random`, plays at most; of races, those."""
        games = self.rated + self.usual[0] * self.usual[1] + (0 if self.races else self.fresh)
        if kind == "lively":
            return games + self.ascents * self.lively_games
        if kind == "balanced" and self.races:
            left, raced = self.field, 0
            for heat in self.heats:
                raced += left * heat
                left = max(left // 2, 1)
            return games + self.races * raced
        if kind == "balanced":
            tried = self.swaps + 1
            level = self.starts * self.start_games + self.first[0] * tried * self.first[1]
            return games + self.climbs * (level + self.last[0] * tried * self.last[1] + 2 * self.fresh)
        return games


COMPILED: Final = Plan(4, 100, 500, (30, 2_000), (50, 6_000), 16, 100_000)
PLAIN: Final = Plan(2, 40, 200, (15, 600), (25, 2_000), 8, 20_000)

RACES: Final = replace(
    COMPILED, lively_games=60, rated=2_500, usual=(60, 8), races=3, field=16, heats=(60, 120, 240, 960)
)
PLAIN_RACES: Final = replace(
    PLAIN, ascents=5, lively_games=30, rated=500, usual=(40, 4), races=1, field=8, heats=(50, 100, 200)
)


def plan_of(player: str) -> Plan:
    """How far a search looks in which this player plays."""
    if player in QUICK_PLAYERS:
        return COMPILED if can_compile() else PLAIN
    return RACES if can_compile() else PLAIN_RACES
