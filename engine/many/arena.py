"""Comparison of players or decks in pairs of games: each pair is one deal played twice with the seats exchanged."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Final, Literal

import msgspec

from ccgrid.catalog.card import Card
from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError
from ccgrid.engine.many.comparison import (
    ComparedPlayer,
    PairCounts,
    Sprt,
    SprtState,
    elo,
    half_points,
    interval,
    likelihood_of_superiority,
    pair_code,
)
from ccgrid.engine.many.kernels import CoreKernel, find_kernel
from ccgrid.engine.many.runner import Runner, Task
from ccgrid.engine.many.simulation import game_scores
from ccgrid.engine.many.tally import Lineup, SavedCounts, check_enough, digest
from ccgrid.engine.players import Player, find_player, policy_name, prepare

_PAIRS_PER_CHUNK: Final = 100
_PAIRS_BETWEEN_TESTS: Final = 8
"""The number of pairs between two checks of a test."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A participant: its name, the policy that plays (a player, or its name), and its deck, or None."""

    name: str
    policy: str | Player
    deck: tuple[Card, ...] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Arena:
    """A round robin of two-player games.

    Attributes:
        game: The name of the game.
        contestants: At least two, with different names; either all of them have a deck, or none has.
        decks: The source of decks if the contestants have none.
        seed: The master seed.
        options: The game's options.
    """

    game: str
    contestants: tuple[Contestant, ...]
    decks: DeckSource
    seed: int
    options: dict[str, object] = field(default_factory=dict)

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """The pairs of opponents, as indices in `contestants`."""
        return list(combinations(range(len(self.contestants)), 2))

    def is_mirror_match(self, meeting: int) -> bool:
        """Return whether both contestants have the same policy and cards, so that a pair's games are mirror images."""
        one, other = (self.contestants[place] for place in self.meetings[meeting])
        return (one.policy, one.deck) == (other.policy, other.deck)

    def lineups(self, meeting: int) -> tuple[Lineup, Lineup]:
        """Return the two games of a pair: the same deal with the seats exchanged. Every meeting has its own seed."""
        one, other = (self.contestants[place] for place in self.meetings[meeting])
        seed = self.seed if meeting == 0 else Dice(self.seed).fork(meeting).seed
        return self._lineup(one, other, seed), self._lineup(other, one, seed)

    def _lineup(self, first: Contestant, second: Contestant, seed: int) -> Lineup:
        decks = self.decks
        if first.deck is not None and second.deck is not None:
            decks = FixedDecks((first.deck, second.deck))
        return Lineup(self.game, (first.policy, second.policy), decks, seed, self.options)


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """Two contestants who met: the first contestant's share of the points, with its standard error."""

    players: list[str]
    games: int
    share: float
    stderr: float


class ArenaResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an arena.

    Attributes:
        los: The likelihood that the first contestant is better; null if there are more than two.
        sprt: The stopping rule; null if there is none, or there are more than two contestants.
        interrupted: Present if the arena was interrupted before all games were played.
    """

    game: str
    games: int
    seed: int
    players: list[ComparedPlayer]
    los: float | None
    sprt: SprtState | None
    meetings: list[Meeting]
    interrupted: Literal[True] | msgspec.UnsetType = msgspec.UNSET


@dataclass(frozen=True, slots=True)
class ArenaSummary:
    """The results of the pairings, in the order of `arena.meetings`, each from its first contestant's point of view."""

    arena: Arena
    meetings: list[PairCounts]
    test: Sprt | None = None
    is_interrupted: bool = False

    def answer(self) -> ArenaResult:
        """Return the result that `arena --json` prints."""
        is_duel = len(self.arena.contestants) == 2
        names = [contestant.name for contestant in self.arena.contestants]
        return ArenaResult(
            game=self.arena.game,
            games=sum(2 * pairs.pairs for pairs in self.meetings),
            seed=self.arena.seed,
            players=[self._standing(place) for place in range(len(names))],
            los=likelihood_of_superiority(self.meetings[0]) if is_duel else None,
            sprt=self.test.state(self.meetings[0]) if is_duel and self.test else None,
            meetings=[
                Meeting(
                    players=[names[one], names[other]],
                    games=2 * pairs.pairs,
                    share=pairs.share,
                    stderr=pairs.stderr,
                )
                for (one, other), pairs in zip(self.arena.meetings, self.meetings, strict=True)
            ],
            interrupted=True if self.is_interrupted else msgspec.UNSET,
        )

    def _standing(self, place: int) -> ComparedPlayer:
        contestant = self.arena.contestants[place]
        mine = [
            pairs if one == place else pairs.mirrored()
            for (one, other), pairs in zip(self.arena.meetings, self.meetings, strict=True)
            if place in (one, other)
        ]
        games = sum(2 * pairs.pairs for pairs in mine)
        wins, draws = sum(pairs.wins for pairs in mine), sum(pairs.draws for pairs in mine)
        # All meetings have the same weight, even if some have fewer games so far.
        share = sum(pairs.share for pairs in mine) / len(mine)
        stderr = sqrt(sum(pairs.stderr**2 for pairs in mine)) / len(mine)
        is_mirror = all(
            self.arena.is_mirror_match(number) for number, pair in enumerate(self.arena.meetings) if place in pair
        )
        low, high = (share, share) if is_mirror and not stderr else interval(share, stderr, games // 2)
        return ComparedPlayer(
            name=contestant.name,
            policy=policy_name(contestant.policy),
            games=games,
            wins=wins,
            draws=draws,
            points=wins + draws / 2,
            share=share,
            stderr=stderr,
            elo=elo(share),
            elo_low=elo(low),
            elo_high=elo(high),
        )


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
    """Play `games` games of every meeting (rounded up to an even number), or until a test is decided.

    After a keyboard interrupt, the summary covers the games played so far; if there are none, the interrupt is raised.

    Args:
        arena: The contestants and the game.
        games: The maximum number of games per meeting.
        runner: The runner that plays them.
        test: A sequential test, for two contestants. It is evaluated in the order of the games' numbers, so that every
            runner stops at the same game.
        progress: Called from time to time with the number of newly finished games.
        tell: Called with a sentence before a slow step.
        resume: A file that stores the counts; games that it already contains are not played again.

    Returns:
        The counts of all meetings.

    Raises:
        EngineError: If the game, a player, a deck or a number is invalid, or the file belongs to other games.
    """
    _check(arena, games, test)
    # A pair is two games; an odd number is rounded up.
    wanted = (games + 1) // 2
    counts = [PairCounts() for _ in arena.meetings]
    saved = SavedCounts(resume, _work_document(arena) if resume else {}, list[list[int]])
    if found := saved.load():
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
                # Already decided in the file to resume: play nothing more.
                break
            # Pairs are numbered from 1, like games.
            for numbers, codes, _ in (runner or Runner()).run(work, range(pairs.pairs + 1, wanted + 1)):
                _count_pairs(pairs, codes, test)
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
        raise ContradictionError(f"the number of games is at least 1, not {games}")
    if len(arena.contestants) < 2:
        raise ContradictionError("an arena needs two contestants")
    if test and len(arena.contestants) > 2:
        raise ContradictionError("a test that stops by itself needs two contestants")
    if test and arena.is_mirror_match(0):
        raise ContradictionError(
            "a test needs two different contestants: these are the same player with the same cards"
        )


def _work_document(arena: Arena) -> dict[str, object]:
    return {
        "what": "arena",
        "game": arena.game,
        "players": [f"{contestant.name} ({policy_name(contestant.policy)})" for contestant in arena.contestants],
        "seed": arena.seed,
        "options": dict(arena.options),
        "cards": digest([arena.decks, *(contestant.deck for contestant in arena.contestants)]),
    }


def _count_pairs(pairs: PairCounts, codes: bytes, test: Sprt | None) -> None:
    """Count pairs; with a test, only up to the pair that decides it, independently of the chunk size."""
    if test is None:
        pairs.add(codes)
        return
    for code in codes:
        pairs.add((code,))
        if pairs.pairs % _PAIRS_BETWEEN_TESTS == 0 and test.decision(pairs):
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
        return Task(_play_pairs, table, _PAIRS_PER_CHUNK)
    if kernel.is_compiled and runner.cluster is None:
        # Threads share this kernel. A process, or another machine, creates its own (`_play_pairs`).
        return Task(
            partial(_play_with_kernel, kernel), table, kernel.games_at_once, kernel.games_at_once, in_threads=True
        )
    return Task(_play_pairs, table, kernel.games_at_once, kernel.games_at_once)


def _play_pairs(table: _Table, numbers: range) -> bytes:
    """Return the code of each pair (`pair_code`), from the point of view of the first game's first player."""
    one, other, pairs = table
    kernel = find_kernel(one, 2 * pairs)
    if kernel is not None:
        return _play_with_kernel(kernel, table, numbers)
    # Reverse the scores of the second game, so that both are from the same contestant's point of view.
    pairs_of_scores = ((game_scores(one, number), game_scores(other, number)) for number in numbers)
    return bytes(pair_code(half_points(*first), half_points(*second[::-1])) for first, second in pairs_of_scores)


def _play_with_kernel(kernel: CoreKernel, table: _Table, numbers: range) -> bytes:
    one, other, _ = table
    first, second = kernel.run(one, numbers).scores, kernel.run(other, numbers).scores
    # A column per seat: own and opponent's scores in the first game, then the same in the second, with seats exchanged.
    rows = zip(*(map(int, column) for column in (*first, second[1], second[0])), strict=True)
    return bytes(pair_code(half_points(a, b), half_points(c, d)) for a, b, c, d in rows)
