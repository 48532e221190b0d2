"""Puzzles: positions from games between computer players, with exactly one best move, which is proved.

They are near the end of a game, where few positions follow. Only the readable rules decide which positions qualify, so
that puzzles do not depend on a game's faster solvers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from ccgrid.engine.decks import DeckSource
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import GreedyPlayer, StrongPlayer, choose_move
from ccgrid.engine.records.record import Record
from ccgrid.engine.search import Clock, Thought, find_solver, move_values, solve
from ccgrid.engine.search.proving import OutOfTimeError
from ccgrid.engine.search.state_core import StateSearcher
from ccgrid.engine.search.thinking import exact_thought

PLAYERS: Final = ("Ann", "Bob")
"""The names of the players."""

NOTE: Final = "puzzle"
"""The key in a record's notes for the values of a puzzle's moves, and for how often the best one is missed."""

MOST_GAMES: Final = 50
"""The maximum number of consecutive games without a puzzle; usually at least one game in four has one."""

_MOST_NODES: Final = 500
"""A position that needs a longer search is too far from the end."""

_PROOF_SECONDS: Final = 1.0
"""The time limit for the proof of a position in a game that the user played."""

_MIN_MOVES: Final = 3
"""Among fewer legal moves the best one could be guessed."""

_TRIES: Final = ((GreedyPlayer(), 10), (StrongPlayer(100), 5))
"""The players that try a puzzle, and how often; they use playouts instead of seconds, so that ratings are
reproducible."""

_MIN_HARD_SHARE: Final = 0.75
_MIN_MODERATE_SHARE: Final = 0.5
"""The minimum average shares of misses of hard and moderate puzzles."""


class MissRate(msgspec.Struct, frozen=True):
    """How often a computer player, given its own seat's view, missed the best move, and the number of tries."""

    player: str
    times: int
    tries: int

    @property
    def share(self) -> float:
        """The share of misses, 0 to 1."""
        return self.times / self.tries


Difficulty = Literal["easy", "moderate", "hard"]


class ValuedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move and its proved value, in points for the player who makes it."""

    move: str
    value: float


class PuzzleSolution(msgspec.Struct, frozen=True, kw_only=True):
    """A position with exactly one best move, and its solution; `rating` is the share of misses, 0 to 1.

    The notes of a record omit the game, the date of a daily puzzle, and the seed.
    """

    game: str | msgspec.UnsetType = msgspec.UNSET
    date: str | msgspec.UnsetType | None = msgspec.UNSET
    seed: int | msgspec.UnsetType | None = msgspec.UNSET
    player: str
    best: str
    value: float
    moves: list[ValuedMove]
    line: list[str]
    rating: float
    difficulty: Difficulty
    missed: list[MissRate]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with exactly one best move under perfect information: hands, decks and the order of piles are known.

    Attributes:
        record: The game up to the position; its seed is that of the game's generator.
        thought: The proved values of all legal moves, the best first.
        line: The moves from there under best play.
        missed: How often computer players missed the best move.
    """

    record: Record
    thought: Thought
    line: tuple[str, ...]
    missed: tuple[MissRate, ...]

    @property
    def state(self) -> State:
        """The position."""
        return self.record.final()

    @property
    def best(self) -> str:
        """The best move."""
        return self.thought.best.move

    @property
    def rating(self) -> float:
        """The difficulty: the mean share of misses, 0 to 1, of the players that tried the puzzle."""
        return sum(missed.share for missed in self.missed) / len(self.missed)

    @property
    def difficulty(self) -> Difficulty:
        """The difficulty as a word."""
        return (
            "hard" if self.rating >= _MIN_HARD_SHARE else "moderate" if self.rating >= _MIN_MODERATE_SHARE else "easy"
        )

    def solution(self) -> PuzzleSolution:
        """Return the puzzle with its solution, which `puzzle --json` prints and the record's notes contain."""
        return PuzzleSolution(
            player=self.thought.player,
            best=self.best,
            value=self.thought.best.value,
            moves=[ValuedMove(move=one.move, value=one.value) for one in self.thought.moves],
            line=list(self.line),
            rating=self.rating,
            difficulty=self.difficulty,
            missed=list(self.missed),
        )

    def to_record(self) -> Record:
        """Return the record of the game up to the position, with the solution in its notes."""
        record = self.record
        return Record(record.setup, record.moves, seed=record.seed, notes={NOTE: msgspec.to_builtins(self.solution())})


def check_puzzles(game: str) -> None:
    """Raise EngineError if a game cannot be played by two players."""
    if len(PLAYERS) not in find_game(game).player_counts:
        raise ContradictionError(f"There are no puzzles for {game}, because it is not for two players.")


def find_puzzles(
    game: str, decks: DeckSource, seed: int, progress: Callable[[int], object] | None = None
) -> Iterator[Puzzle]:
    """Yield puzzles, at most one per game: the one that is missed most; among equal ones, that with the longest line.

    Game, decks and seed determine the puzzles, on every machine.

    Args:
        game: The name of a game for two players.
        decks: The source of decks.
        seed: The master seed: game number n, from 1, is played with `Dice(seed).fork(n)`.
        progress: Called with the number of games searched.

    Raises:
        EngineError: If the game has no puzzles, or none is found in many consecutive games.
    """
    check_puzzles(game)
    greedy, number, last = GreedyPlayer(), 0, 0
    while number - last < MOST_GAMES:
        number += 1
        dice = Dice(seed).fork(number)
        setup = find_game(game).deal(PLAYERS, decks(dice), dice)
        moves, _ = play_out(setup.start(), [greedy, greedy], dice)
        found = list(_puzzles_in(Record(setup, tuple(moves), seed=dice.seed), dice))
        if progress is not None:
            progress(number)
        if found:
            last = number
            # `max` returns the first of equal puzzles, which is the latest in the game.
            yield max(found, key=lambda puzzle: (puzzle.rating, len(puzzle.line)))
    raise EngineError(f"No puzzle found in {MOST_GAMES} games. Try other decks, more cards or another game.")


def _puzzles_in(record: Record, dice: Dice) -> Iterator[Puzzle]:
    """Yield positions of a game with one best move that the greedy player misses in at least half of its tries."""
    # One searcher for all positions of a game: proofs near the end help with earlier ones.
    searcher = StateSearcher(record.setup.start(), _MOST_NODES)
    for number, ply in reversed(list(enumerate(record))):
        state = ply.state
        if len(state.legal_moves()) < _MIN_MOVES:
            continue
        try:
            find_solver(state)
            thought = exact_thought(state, move_values(state, searcher))
        except EngineError:  # too far from the end, and so are all earlier positions
            return
        if thought.moves[0].value == thought.moves[1].value:
            continue
        missed = []
        for player, tries in _TRIES:
            # A separate generator for each try in each position.
            wrong = sum(
                choose_move(player, state, dice.fork(tries * number + one)) != thought.best.move for one in range(tries)
            )
            missed.append(MissRate(str(player), wrong, tries))
            # Too easy: greedy, which is tried first because it is fast, finds the move in more than half of its tries.
            if 2 * missed[0].times < missed[0].tries:
                break
        else:
            before = Record(record.setup, record.moves[:number], seed=record.seed)
            yield Puzzle(before, thought, solve(state).line, tuple(missed))


def puzzles_missed(record: Record, is_person: Callable[[str], bool]) -> Iterator[Puzzle]:
    """Yield positions of a game in which a player missed the only best move, the latest first.

    The search stops at the first position that is not proved in a second.

    Args:
        record: The game, with all hidden cards.
        is_person: Returns whether to include a player's misses.
    """
    for number, ply in reversed(list(enumerate(record))):
        state = ply.state
        try:
            searcher = find_solver(state).searcher(state)
            thought = exact_thought(state, move_values(state, searcher, Clock.of(_PROOF_SECONDS)))
        except (OutOfTimeError, EngineError):
            return
        best = [one.move for one in thought.moves if one.value == thought.best.value]
        if len(thought.moves) < _MIN_MOVES or len(best) > 1 or ply.move in best or not is_person(ply.player):
            continue
        before = Record(record.setup, record.moves[:number], record.date, record.event, record.seed)
        yield Puzzle(before, thought, solve(state, _PROOF_SECONDS).line, (MissRate(ply.player, 1, 1),))


def line_after(state: State, move: str) -> tuple[str, ...]:
    """Return the moves of both players after a legal move under best play; raise EngineError if that is not solved."""
    after = state.play_unchecked(move)
    return () if after.ending() is not None else solve(after).line
