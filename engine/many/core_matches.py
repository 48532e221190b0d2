"""Matches played by kernels: the first game of all of them, then the second of those that go on, and so on."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.dice import ALL, SEED_BITS, STEP, fork_seeds, mixed
from engine.games import find_game
from engine.many.batch import Batch, Deals
from engine.many.kernels import CoreKernel
from engine.many.tally import Lineup, Tally
from engine.records.match import Match


class Round(NamedTuple):
    """One game of each match that was still going on.

    Attributes:
        places: which matches these are, counted from 0.
        batch: how the games went, by the seats in which the players sat.
        turn: by how many seats the players had moved on.
    """

    places: Sequence[int]
    batch: Batch
    turn: int


class KernelMatches:
    """Plays matches with these numbers by a kernel, as a plan has them, of which nothing is played yet."""

    def __init__(self, kernel: CoreKernel, lineup: Lineup, plan: Match, numbers: range) -> None:
        self._kernel = kernel
        self._lineup = lineup
        self._plan = plan
        self._seats = len(lineup.policies)
        self._numbers = numbers
        self._seeds = fork_seeds(lineup.seed, numbers)
        self._forks = [mixed(seed) for seed in self._seeds]
        self._totals = [[0] * self._seats for _ in numbers]
        self._lengths = [0] * len(numbers)
        self._starters: list[int] = []

    def rounds(self, *, keep_moves: bool = False) -> Iterator[Round]:
        """The games, one of every match at a time."""
        has_first = find_game(self._lineup.game).has_first
        going: Sequence[int] = range(len(self._numbers))
        starts: Sequence[int] = ()
        for played in range(self._plan.length or 0):
            turn = played % self._seats if self._plan.same_deal else 0
            deals = self._deals(going, played, turn, starts)
            batch = self._kernel.run_dealt(self._lineup, deals, keep_moves=keep_moves)
            yield Round(going, batch, turn)
            first = [int(seat) for seat in batch.first]
            rows = [row[self._seats - turn :] + row[: self._seats - turn] for row in batch.rows()]
            if not played:
                self._starters = first
            goes_on = [self._counted(place, row) for place, row in zip(going, rows, strict=True)]
            if self._plan.same_deal:
                starts = first if has_first and turn + 1 < self._seats else ()
            elif has_first:
                starts = [_next_first(row, seat) for row, seat in zip(rows, first, strict=True)]
            starts = [seat for seat, goes in zip(starts, goes_on, strict=False) if goes]
            going = [place for place, goes in zip(going, goes_on, strict=True) if goes]
            if not going:
                break

    def count(self) -> tuple[Tally, Tally]:
        """What is counted over the games, and over the matches, when all are played."""
        games, seats = Tally(self._seats), self._seats
        for _, batch, turn in self.rounds():
            tally = batch.tally()
            for counts in (tally.wins, tally.shared, tally.points):
                counts[:] = counts[seats - turn :] + counts[: seats - turn]
            games.add(tally)
        columns = tuple(zip(*self._totals, strict=True))
        codes = [0] * len(self._numbers)
        return games, Batch(self._numbers, self._starters, self._lengths, columns, codes, ("over",)).tally()

    def _deals(self, going: Sequence[int], played: int, turn: int, starts: Sequence[int]) -> Deals:
        drawing = [self._seeds[place] for place in going]
        playing = self._forked(going, played + 1)
        if turn == 0:
            return Deals(drawing, playing, first=starts)
        return Deals(drawing, self._forked(going, played + 1 - turn), playing, starts, turn)

    def _forked(self, going: Sequence[int], number: int) -> list[int]:
        """The seeds of the games with this number, as `Dice.fork` gives them."""
        step, shift, forks = number * STEP, 64 - SEED_BITS, self._forks
        return [mixed((forks[place] + step) & ALL) >> shift for place in going]

    def _counted(self, place: int, row: Sequence[int]) -> bool:
        """Adds a game with these scores to a match; whether that goes on."""
        totals = self._totals[place]
        self._lengths[place] += 1
        left = (self._plan.length or 0) - self._lengths[place]
        if self._plan.adds_points:
            totals[:] = [total + score for total, score in zip(totals, row, strict=True)]
            return left > 0
        best = max(row)
        if row.count(best) == 1:
            totals[row.index(best)] += 1
        first, second = sorted(totals, reverse=True)[:2]
        return left > 0 and first <= second + left


def _next_first(row: Sequence[int], starter: int) -> int:
    best = max(row)
    return row.index(best) if row.count(best) == 1 else (starter + 1) % len(row)
