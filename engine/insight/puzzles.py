"""Puzzles: positions out of games that computer players play, with exactly one best move, which is proved.

They are near the end of a game, as far back as few positions follow. Which these are the readable rules alone decide,
so that a puzzle is the same whatever a game offers to be solved faster by.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypedDict

from ccgrid.engine.decks import DeckSource
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import GreedyPlayer, StrongPlayer, choose_move
from ccgrid.engine.records.record import Record
from ccgrid.engine.search import Clock, Thought, find_solver, move_values, solve
from ccgrid.engine.search.proving import OutOfTimeError, StateSearcher
from ccgrid.engine.search.thinking import exact_thought

PLAYERS: Final = ("Ann", "Bob")
"""Who plays the games."""

NOTE: Final = "puzzle"
"""The key in a record's notes under which stands what a puzzle's moves are worth, and who misses the best one."""

MOST_GAMES: Final = 50
"""In so many games in a row there has to be a puzzle: where there are any, there is one in four games, or more."""

_MOST_NODES: Final = 500
"""A position that takes a longer search than this is too far from the end."""

_SECONDS: Final = 1.0
"""In a game that somebody played a position is proved in this time, or it is too far from the end."""

_FEWEST_MOVES: Final = 3
"""Among fewer legal moves the best one is guessed."""

_TRIES: Final = ((GreedyPlayer(), 10), (StrongPlayer(100), 5))
"""Who tries a puzzle, and how often; rounds and not seconds, so that every machine rates it alike."""

_HARD: Final = 0.75
_MODERATE: Final = 0.5
"""From such a share of misses, of both players on average, a puzzle is called so."""


@dataclass(frozen=True, slots=True)
class MissRate:
    """How often a computer player, seeing its own seat's view, did not find the best move, of so many tries."""

    player: str
    times: int
    tries: int

    @property
    def share(self) -> float:
        """The share of the tries, 0 to 1."""
        return self.times / self.tries


Difficulty = Literal["easy", "moderate", "hard"]


class ValuedMoveJson(TypedDict):
    """A legal move and its proved value, in points for who makes it."""

    move: str
    value: float


class MissedJson(TypedDict):
    """How often a computer player missed the best move."""

    player: str
    times: int
    tries: int


class PuzzleJson(TypedDict):
    """A position with exactly one best move, and its answer; `rating` is the share of misses, 0 to 1."""

    player: str
    best: str
    value: float
    moves: list[ValuedMoveJson]
    line: list[str]
    rating: float
    difficulty: Difficulty
    missed: list[MissedJson]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with exactly one best move when everything is known, hands, decks and the order of piles.

    Attributes:
        record: the game up to the position; its seed is that of the game's dice.
        thought: what all legal moves are worth, proved, the best first.
        line: the moves that both play from there, when both play best.
        missed: how often computer players miss the best move.
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
        """How hard it is: the share of misses, 0 to 1, on average over the players that tried it."""
        return sum(missed.share for missed in self.missed) / len(self.missed)

    @property
    def difficulty(self) -> Difficulty:
        """The same in a word: easy, moderate, hard."""
        return "hard" if self.rating >= _HARD else "moderate" if self.rating >= _MODERATE else "easy"

    def to_dict(self) -> PuzzleJson:
        """The puzzle with its answer as scripts see it: `puzzle --json`; what of it is not the game is its note."""
        return {
            "player": self.thought.player,
            "best": self.best,
            "value": self.thought.best.value,
            "moves": [{"move": one.move, "value": one.value} for one in self.thought.moves],
            "line": list(self.line),
            "rating": self.rating,
            "difficulty": self.difficulty,
            "missed": [{"player": one.player, "times": one.times, "tries": one.tries} for one in self.missed],
        }

    def to_record(self) -> Record:
        """The record of the game up to the position, with the answer in its notes."""
        record = self.record
        return Record(record.setup, record.moves, seed=record.seed, notes={NOTE: self.to_dict()})


def check_puzzles(game: str) -> None:
    """Refuses a game that two cannot play; raises EngineError."""
    if len(PLAYERS) not in find_game(game).player_counts:
        raise EngineError(f"There are no puzzles of {game}, which two players cannot play.")


def find_puzzles(
    game: str, decks: DeckSource, seed: int, progress: Callable[[int], object] | None = None
) -> Iterator[Puzzle]:
    """One puzzle after another, at most one of each game: the one that is missed most, of equal ones the longest.

    Game, decks and seed alone decide which, on every machine.

    Args:
        game: the game, which two players must be able to play.
        decks: what the games are played with.
        seed: what the games follow from: number n, from 1, is played with `Dice(seed).fork(n)`.
        progress: called with how many games were searched.

    Raises:
        EngineError: there are no puzzles of this game, or none in many games in a row.
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
            # The first of equal ones, which is the last in the game.
            yield max(found, key=lambda puzzle: (puzzle.rating, len(puzzle.line)))
    raise EngineError(f"{MOST_GAMES} games had no puzzle in them: choose other decks, more cards, or another game.")


def _puzzles_in(record: Record, dice: Dice) -> Iterator[Puzzle]:
    """The positions of a game with one best move, which the greedy player misses at least every second time."""
    # One searcher for all positions of a game: what is proved at the end serves those before.
    searcher = StateSearcher(record.setup.game, _MOST_NODES)
    for number, ply in reversed(list(enumerate(record))):
        state = ply.state
        if len(state.legal_moves()) < _FEWEST_MOVES:
            continue
        try:
            find_solver(state)
            thought = exact_thought(state, move_values(state, searcher))
        except EngineError:  # is too far from the end, and so is what lies before
            return
        if thought.moves[0].value == thought.moves[1].value:
            continue
        missed = []
        for player, tries in _TRIES:
            # Dice of their own for each try in each position.
            wrong = sum(
                choose_move(player, state, dice.fork(tries * number + one)) != thought.best.move for one in range(tries)
            )
            missed.append(MissRate(str(player), wrong, tries))
            # Too easy: greedy, which is asked first as it answers at once, finds the move more often than not.
            if 2 * missed[0].times < missed[0].tries:
                break
        else:
            before = Record(record.setup, record.moves[:number], seed=record.seed)
            yield Puzzle(before, thought, solve(state).line, tuple(missed))


def puzzles_missed(record: Record, is_person: Callable[[str], bool]) -> Iterator[Puzzle]:
    """The positions of a game in which somebody missed the one best move, the last ones first.

    They go back as far as each is proved in a second.

    Args:
        record: the game, with everything that was hidden in it.
        is_person: whether a player's misses are looked for.
    """
    for number, ply in reversed(list(enumerate(record))):
        state = ply.state
        try:
            searcher = find_solver(state).searcher(state)
            thought = exact_thought(state, move_values(state, searcher, Clock.of(_SECONDS)))
        except (OutOfTimeError, EngineError):
            return
        best = [one.move for one in thought.moves if one.value == thought.best.value]
        if len(thought.moves) < _FEWEST_MOVES or len(best) > 1 or ply.move in best or not is_person(ply.player):
            continue
        before = Record(record.setup, record.moves[:number], record.date, record.event, record.seed)
        yield Puzzle(before, thought, solve(state, _SECONDS).line, (MissRate(ply.player, 1, 1),))


def line_after(state: State, move: str) -> tuple[str, ...]:
    """The moves that both play after a legal move, when both play best; raises EngineError where that is not solved."""
    after = state.play_unchecked(move)
    return () if after.ending() is not None else solve(after).line
