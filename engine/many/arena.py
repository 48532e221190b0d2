"""Who plays better: contestants, players or decks, meet in pairs of games, each pair one deal with seats exchanged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any, Final, Literal, NotRequired, TypedDict

from ccgrid.catalog.card import Card
from ccgrid.engine.decks import DeckSource, FixedDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.many.comparison import (
    PairCounts,
    Sprt,
    SprtJson,
    StandingJson,
    elo,
    half_points,
    interval,
    likelihood_of_superiority,
    pair_code,
)
from ccgrid.engine.many.kernels import CoreKernel, find_kernel
from ccgrid.engine.many.runner import Runner, Task
from ccgrid.engine.many.simulation import game_scores
from ccgrid.engine.many.tally import Count, Lineup, SavedCounts, check_enough, digest
from ccgrid.engine.players import find_player, prepare

_AT_ONCE: Final = 100
_LOOK_EVERY: Final = 8
"""A test is checked again after this many pairs."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """Who takes part: a name, the policy that plays, and the deck that it brings, if it brings one."""

    name: str
    policy: str
    deck: tuple[Card, ...] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Arena:
    """What is played, at tables of two: everybody meets everybody.

    Attributes:
        game: the game.
        contestants: at least two, with different names; all of them bring a deck, or none does.
        decks: the decks where they bring none.
        seed: what all dice follow from.
        options: the game's variants.
    """

    game: str
    contestants: tuple[Contestant, ...]
    decks: DeckSource
    seed: int
    options: dict[str, object] = field(default_factory=dict)

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """Who meets whom, as places in `contestants`."""
        return list(combinations(range(len(self.contestants)), 2))

    def is_mirror_match(self, meeting: int) -> bool:
        """Whether it is one player with the same cards who meets: then both games of a pair are one, mirrored."""
        one, other = (self.contestants[place] for place in self.meetings[meeting])
        return (one.policy, one.deck) == (other.policy, other.deck)

    def lineups(self, meeting: int) -> tuple[Lineup, Lineup]:
        """The two games of a pair: the same deal, who sat first sitting second. Every meeting has dice of its own."""
        one, other = (self.contestants[place] for place in self.meetings[meeting])
        seed = self.seed if meeting == 0 else Dice(self.seed).fork(meeting).seed
        return self._lineup(one, other, seed), self._lineup(other, one, seed)

    def _lineup(self, first: Contestant, second: Contestant, seed: int) -> Lineup:
        decks = self.decks
        if first.deck is not None and second.deck is not None:
            decks = FixedDecks((first.deck, second.deck))
        return Lineup(self.game, (first.policy, second.policy), decks, seed, self.options)


class MeetingJson(TypedDict):
    """Two who met: the first one's share of the points, with its standard error."""

    players: list[str]
    games: int
    share: float
    stderr: float


class ArenaJson(TypedDict):
    """Which player, deck or faction is better.

    Attributes:
        los: the likelihood that the first is better; null where there are more than two.
        sprt: the stopping rule, null without one or where there are more than two.
        interrupted: there where it ended before all games were played.
    """

    game: str
    games: int
    seed: int
    players: list[StandingJson]
    los: float | None
    sprt: SprtJson | None
    meetings: list[MeetingJson]
    interrupted: NotRequired[Literal[True]]


@dataclass(frozen=True, slots=True)
class ArenaSummary:
    """What the meetings came to, in the order of `arena.meetings`, each as its first contestant sees it."""

    arena: Arena
    meetings: list[PairCounts]
    test: Sprt | None = None
    is_interrupted: bool = False

    def to_dict(self) -> ArenaJson:
        """The summary as scripts see it: `arena --json`."""
        is_duel = len(self.arena.contestants) == 2
        names = [contestant.name for contestant in self.arena.contestants]
        summary: ArenaJson = {
            "game": self.arena.game,
            "games": sum(2 * pairs.pairs for pairs in self.meetings),
            "seed": self.arena.seed,
            "players": [self._standing(place) for place in range(len(names))],
            "los": likelihood_of_superiority(self.meetings[0]) if is_duel else None,
            "sprt": self.test.to_dict(self.meetings[0]) if is_duel and self.test else None,
            "meetings": [
                {
                    "players": [names[one], names[other]],
                    "games": 2 * pairs.pairs,
                    "share": pairs.share,
                    "stderr": pairs.stderr,
                }
                for (one, other), pairs in zip(self.arena.meetings, self.meetings, strict=True)
            ],
        }
        return {**summary, "interrupted": True} if self.is_interrupted else summary

    def _standing(self, place: int) -> StandingJson:
        contestant = self.arena.contestants[place]
        mine = [
            pairs if one == place else pairs.mirrored()
            for (one, other), pairs in zip(self.arena.meetings, self.meetings, strict=True)
            if place in (one, other)
        ]
        games = sum(2 * pairs.pairs for pairs in mine)
        wins, draws = sum(pairs.wins for pairs in mine), sum(pairs.draws for pairs in mine)
        # Every meeting weighs the same, however many of its games are played yet.
        share = sum(pairs.share for pairs in mine) / len(mine)
        stderr = sqrt(sum(pairs.stderr**2 for pairs in mine)) / len(mine)
        is_mirror = all(
            self.arena.is_mirror_match(number) for number, pair in enumerate(self.arena.meetings) if place in pair
        )
        low, high = (share, share) if is_mirror and not stderr else interval(share, stderr, games // 2)
        return {
            "name": contestant.name,
            "policy": contestant.policy,
            "games": games,
            "wins": wins,
            "draws": draws,
            "points": wins + draws / 2,
            "share": share,
            "stderr": stderr,
            "elo": elo(share),
            "elo_low": elo(low),
            "elo_high": elo(high),
        }


def play_arena(
    arena: Arena,
    games: int,
    *,
    runner: Runner | None = None,
    test: Sprt | None = None,
    progress: Callable[[int], object] | None = None,
    tell: Callable[[str], object] | None = None,
    resume: Path | None = None,
) -> ArenaSummary:
    """Plays `games` games of every meeting, one more where the number is odd, or until a test is decided.

    An interrupt from the keyboard ends it with a summary of what was played, unless that is nothing.

    Args:
        arena: what is played.
        games: of every meeting, at most.
        runner: where they are played.
        test: for two contestants; it is asked in the order of the games' numbers, so that it stops at the same game
            wherever they are played.
        progress: called now and then with how many more games are done.
        tell: called with a sentence before something slow starts.
        resume: a file that keeps the counts; what it holds already is not played again.

    Raises:
        EngineError: the game, a player, a deck or a number is not as it must be, or the file is of other games.
    """
    _check(arena, games, test)
    # A pair is two games; an odd number is rounded up.
    wanted = (games + 1) // 2
    counts = [PairCounts() for _ in arena.meetings]
    saved = SavedCounts(resume, _work_document(arena) if resume else {}, list[list[Count]])
    # A pair is counted once, so the counts add up to the pairs that are done.
    if found := saved.load([pairs.counts for pairs in counts], lambda counts, done: done == sum(map(sum, counts))):
        counts = [PairCounts(one) for one in found[2]]
        check_enough(resume, 2 * max(pairs.pairs for pairs in counts), 2 * wanted, "games of a meeting")
        if progress and found[0]:
            progress(2 * found[0])

    def keep(*, now: bool = False) -> None:
        saved.save(sum(pairs.pairs for pairs in counts), 0.0, [pairs.counts for pairs in counts], now=now)

    keep(now=True)
    is_interrupted = False
    try:
        for meeting, pairs in enumerate(counts):
            work = _task(arena.lineups(meeting), wanted, runner or Runner(), tell)
            if test and test.decision(pairs):
                # Decided before, in the file that goes on: nothing more is played.
                break
            # Pairs are numbered from 1, as games are.
            for numbers, codes, _ in (runner or Runner()).run(work, range(pairs.pairs + 1, wanted + 1)):
                _add(pairs, codes, test)
                keep()
                if progress:
                    progress(2 * len(numbers))
                if test and test.decision(pairs):
                    break
    except KeyboardInterrupt:
        if not any(pairs.pairs for pairs in counts):
            raise
        is_interrupted = True
    keep(now=True)
    return ArenaSummary(arena, counts, test, is_interrupted)


def _check(arena: Arena, games: int, test: Sprt | None) -> None:
    if games < 1:
        raise EngineError(f"the number of games is at least 1, not {games}")
    if len(arena.contestants) < 2:
        raise EngineError("an arena needs two contestants")
    if test and len(arena.contestants) > 2:
        raise EngineError("a test that stops by itself needs two contestants")
    if test and arena.is_mirror_match(0):
        raise EngineError("a test needs two different contestants: these are the same player with the same cards")


def _work_document(arena: Arena) -> dict[str, Any]:
    return {
        "what": "arena",
        "game": arena.game,
        "players": [f"{contestant.name} ({contestant.policy})" for contestant in arena.contestants],
        "seed": arena.seed,
        "options": dict(arena.options),
        "cards": digest([arena.decks, *(contestant.deck for contestant in arena.contestants)]),
    }


def _add(pairs: PairCounts, codes: bytes, test: Sprt | None) -> None:
    """Counts pairs; with a test only up to the one at which it is decided, whatever the portions."""
    if test is None:
        pairs.add(codes)
        return
    for code in codes:
        pairs.add((code,))
        if pairs.pairs % _LOOK_EVERY == 0 and test.decision(pairs):
            return


_Table = tuple[Lineup, Lineup, int]


def _task(
    lineups: tuple[Lineup, Lineup], pairs: int, runner: Runner, tell: Callable[[str], object] | None
) -> Task[bytes]:
    one, other = lineups
    table = one, other, pairs
    kernel = find_kernel(one, 2 * pairs, tell=tell)
    if kernel is None:
        prepare(map(find_player, one.policies), one.game, tell, games=2 * pairs, options=one.options)
        return Task(_play_pairs, table, _AT_ONCE)
    if kernel.is_compiled and runner.cluster is None:
        # Threads share the kernel that is there. A process or a machine makes its own (`_play_pairs`).
        return Task(partial(_by_kernel, kernel), table, kernel.games_at_once, kernel.games_at_once, in_threads=True)
    return Task(_play_pairs, table, kernel.games_at_once, kernel.games_at_once)


def _play_pairs(table: _Table, numbers: range) -> bytes:
    """For each pair its code (`pair_code`), as the contestant sees it who sits first in the first game."""
    one, other, pairs = table
    kernel = find_kernel(one, 2 * pairs)
    if kernel is not None:
        return _by_kernel(kernel, table, numbers)
    # The second game with its scores the other way round: both as the same contestant sees them.
    return bytes(
        pair_code(half_points(*_scores(one, number)), half_points(*_scores(other, number)[::-1])) for number in numbers
    )


def _by_kernel(kernel: CoreKernel, table: _Table, numbers: range) -> bytes:
    one, other, _ = table
    first, second = kernel.run(one, numbers).scores, kernel.run(other, numbers).scores
    # A column for each seat: of the first game mine and theirs, of the second the seats were exchanged.
    rows = zip(*(map(int, column) for column in (*first, second[1], second[0])), strict=True)
    return bytes(pair_code(half_points(a, b), half_points(c, d)) for a, b, c, d in rows)


def _scores(lineup: Lineup, number: int) -> Sequence[int]:
    return game_scores(lineup, number)
