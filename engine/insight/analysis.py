"""Analysis of a game, move by move: best moves, points lost by choices, and points gained or lost by luck.

Each move has two values. The *knowable* value is estimated or proved with the knowledge of its player
(`engine.search.think`). The *hindsight* value is proved with perfect information, if possible.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Final, NamedTuple

import msgspec

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.picture import Words
from ccgrid.engine.records.record import Record
from ccgrid.engine.search import Clock, Estimate, Searcher, Thought, find_solver, think
from ccgrid.engine.search.proving import Bounds, OutOfTimeError, TooFarError, first_best, lead_over_opponent
from ccgrid.engine.worlds import sample_world

MARKS: Final = ("?!", "?", "??")
"""The marks of moves that lose a few points, some, and many."""

NOTE: Final = "marks"
"""The key in a record's notes for the marks of all moves; "" for a move without one."""

VALUES: Final = "values"
"""The key for the knowable values of all moves, in points."""

BEST: Final = "best"
LOST: Final = "lost"
"""The keys for the best moves ("" if the played move is as good), and for the points lost against them."""

_DRAWN_FROM: Final = ("pile:", "deck:")
"""The prefixes of hidden positions from which cards are drawn; cards in a hand come from the deal."""

_MIN_ERRORS: Final = 2.0
"""The number of standard errors that a loss of points must exceed to be counted."""


class Hindsight(msgspec.Struct, frozen=True, kw_only=True):
    """Proved perfect-information values: of the played move (`value`) and of the best move, and the points lost."""

    best: str
    value: int
    best_value: int
    lost: int


class AnalyzedMove(msgspec.Struct, frozen=True, kw_only=True):
    """The analysis of a move, with the knowledge of its player.

    Attributes:
        mark: One of ?!, ? and ??, or empty.
        lost: The points lost against the best move; `stderr` is null if values are proved, as `exact` says.
        hindsight: The perfect-information values; null if they are not proved.
    """

    number: int
    player: str
    move: str
    mark: str
    best: str
    value: float
    best_value: float
    lost: float
    stderr: float | None
    exact: bool
    hindsight: Hindsight | None


class AnalyzedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """Points that a player lost by choices and gained by luck; `luck` is null in games without drawing cards."""

    name: str
    score: int
    moves: int
    lost: float
    luck: float | None
    marks: dict[str, int]


class GameAnalysis(msgspec.Struct, frozen=True, kw_only=True):
    """The analysis of a game; `deal` is the value of the deal for the first player, or null if unknown."""

    game: str
    players: list[AnalyzedPlayer]
    over: bool
    deal: float | None
    moves: list[AnalyzedMove]


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """The analysis of one move.

    Attributes:
        seat: The player's seat.
        move: The move.
        knowable: The values of all legal moves, with the knowledge of the player.
        lost: The points lost against the best move; 0 if the difference may be due to chance.
        error: The standard error of `lost`; None if the values are proved.
        mark: One of `MARKS`, or empty.
        hindsight: The perfect-information values; None if they are not proved.
    """

    seat: int
    move: str
    knowable: Thought
    lost: float
    error: float | None
    mark: str
    hindsight: Hindsight | None

    @property
    def value(self) -> float:
        """The knowable value of the move."""
        return next(one.value for one in self.knowable.moves if one.move == self.move)

    def answer(self, number: int, player: str) -> AnalyzedMove:
        """Return the analysis of the move that `analyze --json` prints."""
        return AnalyzedMove(
            number=number,
            player=player,
            move=self.move,
            mark=self.mark,
            best=self.knowable.best.move,
            value=self.value,
            best_value=self.knowable.best.value,
            lost=self.lost,
            stderr=self.error,
            exact=self.knowable.is_exact,
            hindsight=self.hindsight,
        )


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a game.

    In a game of two players with drawn cards, the first seat's final lead is the sum of the value of the deal, the
    points that both lost by choices, and the luck of the draw. `is_open` is true if no cards were hidden.
    """

    players: tuple[str, ...]
    moves: tuple[MoveAnalysis, ...]
    scores: tuple[int, ...]
    is_over: bool
    is_open: bool
    luck: Mapping[int, float] = field(default_factory=dict)
    deal: float | None = None

    def lost(self, seat: int) -> float:
        """Return the points that a seat lost by its choices."""
        return sum(analysed.lost for analysed in self.moves if analysed.seat == seat)

    def error(self, seat: int | None = None) -> float:
        """Return the standard error of the points that a seat lost, or without a seat, of the luck of the draw."""
        return sqrt(sum((analysed.error or 0.0) ** 2 for analysed in self.moves if seat in (None, analysed.seat)))

    def marks(self) -> tuple[str, ...]:
        """Return the marks of all moves."""
        return tuple(analysed.mark for analysed in self.moves)

    def count(self, seat: int) -> dict[str, int]:
        """Return the number of moves of a seat with each mark."""
        return {mark: sum(analysed.seat == seat and analysed.mark == mark for analysed in self.moves) for mark in MARKS}

    def answer(self, game: str) -> GameAnalysis:
        """Return the analysis of a game of this name that `analyze --json` prints."""
        players = [
            AnalyzedPlayer(
                name=player,
                score=self.scores[seat],
                moves=sum(analysed.seat == seat for analysed in self.moves),
                lost=self.lost(seat),
                luck=self.luck.get(seat),
                marks=self.count(seat),
            )
            for seat, player in enumerate(self.players)
        ]
        moves = [analysed.answer(number, self.players[analysed.seat]) for number, analysed in enumerate(self.moves, 1)]
        return GameAnalysis(game=game, players=players, over=self.is_over, deal=self.deal, moves=moves)


def analyze(
    record: Record,
    *,
    seconds: float | None = None,
    rounds: int | None = None,
    seed: int = 0,
    proving: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Analysis:
    """Analyse every move of a game.

    Args:
        record: The game, with all hidden cards.
        seconds: The time limit per move.
        rounds: The number of playouts per move. One of `seconds` and `rounds` must be given.
        seed: The seed of the sampled worlds.
        proving: The time limit in seconds for all proofs together; None means no limit.
        progress: Called with the number of finished moves, and the total number.

    Raises:
        MoveError: If a move is not legal.
        EngineError: If the game has no moves.
    """
    plies = list(record)
    if not plies:
        raise EngineError("There are no moves in this game to review.")
    final = record.final()
    hindsights = _hindsights([*(ply.state for ply in plies), final], record.moves, Clock.of(proving))
    analyses = []
    for number, (ply, hindsight) in enumerate(zip(plies, hindsights, strict=True)):
        dice, clock = Dice(seed).fork(number), Clock.of(seconds)
        analyses.append(
            _analysis_of_move(ply.state, ply.move, think(ply.state, dice, rounds=rounds, clock=clock), hindsight)
        )
        if progress is not None:
            progress(number + 1, len(plies))
    players, scores, is_over = final.players, final.scores(), final.ending() is not None
    # All positions that were hidden from some player at some time; there is luck only if cards are drawn from them.
    hidden = {place for ply in plies for seat in range(len(players)) for place in _hidden_places(ply.state, seat)}
    if len(players) != 2 or not is_over or not any(place.startswith(_DRAWN_FROM) for place in hidden):
        return Analysis(players, tuple(analyses), scores, is_over, not hidden)
    luck, deal = _luck(analyses, scores[0] - scores[1])
    return Analysis(players, tuple(analyses), scores, is_over, False, {0: luck, 1: -luck}, deal)


def analyze_move(state: State, move: str, seconds: float, dice: Dice) -> MoveAnalysis:
    """Analyse a legal move with the knowledge of its player only."""
    return _analysis_of_move(state, move, think(state, dice, clock=Clock.of(seconds)), None)


def with_notes(record: Record, analysis: Analysis) -> Record:
    """Return the record with the results of the analysis in its notes."""
    analyses = analysis.moves
    found = {
        NOTE: list(analysis.marks()),
        VALUES: [round(analysed.value, 2) for analysed in analyses],
        BEST: [analysed.knowable.best.move if analysed.lost else "" for analysed in analyses],
        LOST: [round(analysed.lost, 2) for analysed in analyses],
    }
    return replace(record, notes={**record.notes, **found})


class MoveNote(NamedTuple):
    """The note of an analysis on a move.

    Attributes:
        mark: One of `MARKS`, or empty.
        value: The knowable value in points, or None.
        best: The best move, if the played one was worse, else "".
        lost: The points lost against the best move.
    """

    mark: str = ""
    value: float | None = None
    best: str = ""
    lost: float = 0.0


def read_move_notes(record: Record) -> tuple[MoveNote, ...]:
    """Return the notes of a record on its moves; invalid notes are ignored."""
    moves = len(record.moves)
    # Notes may come from other programs: a column that is not a list of the right length is treated as empty.
    columns = (record.notes.get(key) for key in (NOTE, VALUES, BEST, LOST))
    marks, values, bests, losses = (
        column
        if isinstance(column, Sequence) and not isinstance(column, str) and len(column) == moves
        else [None] * moves
        for column in columns
    )
    return tuple(
        MoveNote(
            mark if mark in MARKS else "", _number(value), best if isinstance(best, str) else "", _number(lost) or 0.0
        )
        for mark, value, best, lost in zip(marks, values, bests, losses, strict=True)
    )


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _analysis_of_move(state: State, move: str, thought: Thought, hindsight: Hindsight | None) -> MoveAnalysis:
    if hindsight is not None and not thought.is_exact and state.is_open(state.to_move):
        thought = _with_proof(thought, move, hindsight)  # the player knew all that was proved
    played = next(one for one in thought.moves if one.move == move)
    lost, error = thought.best.value - played.value, None
    if played.stderr is not None and thought.best.stderr is not None:
        error = 0.0 if move == thought.best.move else sqrt(played.stderr**2 + thought.best.stderr**2)
        if lost <= _MIN_ERRORS * error:  # the best of many estimates is biased upwards
            lost = 0.0
    levels = find_game(state.game).mistakes
    # One mark per level reached: with levels 1, 2 and 4, a loss of 3 points reaches two, `?`.
    mark = MARKS[sum(lost >= level for level in levels) - 1] if lost >= levels[0] else ""
    return MoveAnalysis(state.to_move, move, thought, lost, error, mark, hindsight)


def _with_proof(thought: Thought, played: str, proved: Hindsight) -> Thought:
    """Return estimates of moves with the proved values of the best and the played one; no other move is better."""
    values = {proved.best: proved.best_value, played: proved.value}
    moves = [
        Estimate(one.move, values[one.move], None)
        if one.move in values
        else msgspec.structs.replace(one, value=min(one.value, proved.best_value))
        for one in thought.moves
    ]
    moves.sort(key=lambda one: (one.move != proved.best, -one.value, one.move))
    return replace(thought, moves=tuple(moves))


def _hidden_places(state: State, seat: int) -> Iterator[str]:
    for group in state.unseen(seat):
        yield from group.places


def _luck(analyses: Sequence[MoveAnalysis], lead: int) -> tuple[float, float]:
    """Return the luck of the draw for the first seat, and the value of the deal for it."""
    # Each move changes the value from the best of its position to its own; the rest of the change to the next position
    # is luck. So the final lead is the value of the deal, minus the points lost by the first seat, plus those lost by
    # the other, plus luck.
    signs = [1 if analysed.seat == 0 else -1 for analysed in analyses]
    before = [sign * (analysed.value + analysed.lost) for sign, analysed in zip(signs, analyses, strict=True)]
    after = [sign * analysed.value for sign, analysed in zip(signs, analyses, strict=True)]
    return sum(following - here for following, here in zip([*before[1:], lead], after, strict=True)), before[0]


def _hindsights(states: Sequence[State], moves: Sequence[str], clock: Clock) -> list[Hindsight | None]:
    """Return the proved values of every position except the last, with the played move.

    Start at the end, where proofs are short, and their results help with earlier positions.
    """
    found: list[Hindsight | None] = [None] * len(moves)
    value: int | None = None
    if (searcher := _searcher(states)) is None:
        return found
    for place in reversed(range(len(states))):
        state, following, value = states[place], value, None
        try:
            # Raises an error if this position cannot be solved, although later ones may be.
            if state.ending() is None:
                find_solver(state)
            value = Bounds(*searcher.reach(state)).close(state, searcher, clock)
            if following is not None:
                best = first_best(state, value, searcher, clock)[0]
                played = _move_value(state, states[place + 1], following)
                found[place] = Hindsight(best=best, value=played, best_value=value, lost=value - played)
        except (OutOfTimeError, TooFarError):  # so are all earlier positions
            break
        except EngineError:  # not solvable, but earlier positions may be
            continue
    return found


def _move_value(state: State, after: State, value: int) -> int:
    """Return the value of the move between two positions for its player, given the value of the second."""
    if after.ending() is not None:  # `to_move` is meaningless in a finished game
        return lead_over_opponent(after, state.to_move)
    return value if after.to_move == state.to_move else -value


def _searcher(states: Sequence[State]) -> Searcher | None:
    """Return a searcher for the first solvable position of a game, or None if there is none."""
    for state in states:
        with suppress(EngineError):
            return find_solver(state).searcher(state)
    return None


_WORLDS: Final = 40
"""The number of sampled worlds in which the next player's replies are examined."""


@dataclass(frozen=True, slots=True)
class Consequences:
    """The immediate consequences of a move, on average: points gained, and points lost to the best reply.

    Attributes:
        gained: The points of lead gained by the player who made it.
        taken: The points of lead that the next player gains by the best reply.
        answers: For each best reply that gains points, its share of all worlds.
    """

    gained: float
    taken: float
    answers: dict[str, float]


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why one move was worse than another, if it shows within two moves.

    Attributes:
        analysed: The analysis of the played move.
        view: The position before it, as its player saw it.
        played: The consequences of the played move.
        best: The consequences of the best move.
        answer: The most costly reply to the played move, or None if no reply gains points.
        state: A position in which that reply is possible, or None.
        otherwise: The share of worlds in which the reply is possible after the best move.
        is_open: Whether the player had perfect information.
    """

    analysed: MoveAnalysis
    view: State
    played: Consequences
    best: Consequences
    answer: str | None
    state: State | None
    otherwise: float
    is_open: bool

    @property
    def is_answer(self) -> bool:
        """Whether the possible reply explains a substantial part of the loss."""
        return self.answer is not None and self.played.taken - self.best.taken >= max(1.0, self.analysed.lost / 3)

    @property
    def is_gain(self) -> bool:
        """Whether the immediate gain explains a substantial part of the loss."""
        return self.best.gained - self.played.gained >= max(1.0, self.analysed.lost / 3)


class DecisiveTurn(NamedTuple):
    """The turn, of several moves, that decided a game.

    Attributes:
        number: The number of the turn.
        first, last: The indices of its first and last moves.
        words: What happened, and how it could have been avoided.
    """

    number: int
    first: int
    last: int
    words: Words


Decisive = Callable[[Sequence[State], Sequence[str]], DecisiveTurn | None]
"""Finds the decisive turn, given all positions of a finished game and the moves between them."""


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game: the analysis, the index of its turning point (None if there is none), and the reason.

    In a game whose turns have several moves, its part `decisive` finds a whole turn instead.
    """

    analysis: Analysis
    turning_point: int | None
    reason: Reason | None
    turn: DecisiveTurn | None = None


def review(record: Record, analysis: Analysis) -> Review:
    """Return the review of an analysed game, with its turning point."""
    decisive: Decisive | None = find_game(record.setup.game).part("decisive")
    if decisive is not None and (turn := decisive([*(ply.state for ply in record), record.final()], record.moves)):
        return Review(analysis, None, None, turn)
    number = turning_point(analysis)
    if number is None:
        return Review(analysis, None, None)
    state = Record(record.setup, record.moves[:number]).final()
    return Review(analysis, number, reason(state, analysis.moves[number], Dice(number)))


def turning_point(analysis: Analysis) -> int | None:
    """Return the index of the marked move that lost most, or None if no move is marked."""
    marked = [number for number, analysed in enumerate(analysis.moves) if analysed.mark]
    return max(marked, key=lambda number: analysis.moves[number].lost, default=None)


def reason(state: State, analysed: MoveAnalysis, dice: Dice) -> Reason:
    """Explain why a move lost points, in sampled worlds consistent with its player's view.

    Args:
        state: The position before the move; parts hidden from its player are ignored.
        analysed: The analysis of the move.
        dice: The random number generator of the worlds.
    """
    view = state.view(analysed.seat)
    is_open = view.is_open(analysed.seat)
    worlds = [sample_world(view, analysed.seat, dice) for _ in range(1 if is_open else _WORLDS)]
    best = analysed.knowable.best.move
    (played, costs, states), (other, _, _) = (_consequences(worlds, move) for move in (analysed.move, best))
    # Ties go to the alphabetically last reply, to be deterministic.
    answer = max(costs, key=lambda move: (costs[move], move), default=None)
    otherwise = 0.0
    if answer is not None:
        following = [world.play_unchecked(best) for world in worlds]
        could = sum(one.to_move == states[answer].to_move and answer in one.legal_moves() for one in following)
        otherwise = could / len(worlds)
    return Reason(analysed, view, played, other, answer, states.get(answer or ""), otherwise, is_open)


def _consequences(worlds: list[State], move: str) -> tuple[Consequences, Counter[str], dict[str, State]]:
    gained = taken = 0.0
    often: Counter[str] = Counter()
    costs: Counter[str] = Counter()
    states = {}
    for world in worlds:
        seat, state = world.to_move, world.play_unchecked(move)
        gained += lead_over_opponent(state, seat) - lead_over_opponent(world, seat)
        # If the same seat moves again, there is no reply.
        legal = () if state.to_move == seat else state.legal_moves()
        if not legal:
            continue
        before, other = lead_over_opponent(state, state.to_move), state.to_move
        # The points that the reply adds to the next player's lead.
        gain, answer = max((lead_over_opponent(state.play_unchecked(one), other) - before, one) for one in legal)
        if gain > 0:
            taken += gain
            often[answer] += 1
            costs[answer] += gain
            states[answer] = state
    shares = {answer: count / len(worlds) for answer, count in often.items()}
    return Consequences(gained / len(worlds), taken / len(worlds), shares), costs, states
