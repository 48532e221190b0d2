"""A game looked at afterwards, move by move: what was best, what a choice gave away, and what the draw gave or took.

Two values stand beside each move. *Knowable* is what it was worth as far as its player could know, tried out or proved
(`engine.search.think`). *Hindsight* is with everything known that was hidden, where that can be proved.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Final, NamedTuple, TypedDict

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.picture import Words
from ccgrid.engine.records.record import Record
from ccgrid.engine.search import Clock, Searcher, Thought, find_solver, think
from ccgrid.engine.search.proving import Bounds, OutOfTimeError, TooFarError, first_best, lead_of
from ccgrid.engine.worlds import sample_world

MARKS: Final = ("?!", "?", "??")
"""What stands at a move that gives a little away, some, and much."""

NOTE: Final = "marks"
"""The key in a record's notes under which stands the mark of every move, an empty text where it has none."""

VALUES: Final = "values"
"""The key under which stands what every move was worth, as far as its player could know, in points."""

BEST: Final = "best"
LOST: Final = "lost"
"""The keys of the best move, empty where the one that was played is as good, and of how many points better it is."""

_DRAWN_FROM: Final = ("pile:", "deck:")
"""How the hidden places are called from which cards are drawn; a card in a hand came there by the deal."""

_SURE: Final = 2.0
"""A move counts as giving something away only if that is more than so many standard errors."""


class HindsightJson(TypedDict):
    """What was proved with everything known: what was played is worth, what the best move is, the points lost."""

    best: str
    value: int
    best_value: int
    lost: int


class LookJson(TypedDict):
    """A move looked at afterwards, as far as its player could know.

    Attributes:
        mark: one of ?!, ? and ??, or empty.
        lost: the points that it gave away; `stderr` is null where they are proved, as `exact` says.
        hindsight: with everything known; null where it is not proved.
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
    hindsight: HindsightJson | None


class AnalyzedPlayerJson(TypedDict):
    """What a player gave away by choices and was given by luck, in points, null where nothing is drawn."""

    name: str
    score: int
    moves: int
    lost: float
    luck: float | None
    marks: dict[str, int]


class AnalysisJson(TypedDict):
    """A game looked at move by move; `deal` is what the deal was worth to the first player, null where unknown."""

    players: list[AnalyzedPlayerJson]
    over: bool
    deal: float | None
    moves: list[LookJson]


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What was proved of a position with everything known, in points for who is to move.

    `best` is the first of the best moves by the alphabet, `value` what it is worth, `played` what was played is worth.
    """

    best: str
    value: int
    played: int

    @property
    def lost(self) -> int:
        """The points given away."""
        return self.value - self.played

    def to_dict(self) -> HindsightJson:
        """The hindsight as scripts see it."""
        return {"best": self.best, "value": self.played, "best_value": self.value, "lost": self.lost}


@dataclass(frozen=True, slots=True)
class Look:
    """One move looked at afterwards.

    Attributes:
        seat, move: who played what.
        knowable: what every legal move was worth as far as the player could know.
        lost: the points that the move gave away by that; none where that may be chance.
        error: the standard error of these; `None` where they are proved.
        mark: one of `MARKS`, or empty.
        hindsight: with everything known; `None` where it is not proved.
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
        """What the move was worth, as far as the player could know."""
        return next(one.value for one in self.knowable.moves if one.move == self.move)

    def to_dict(self, number: int, player: str) -> LookJson:
        """The look as scripts see it."""
        seen = self.hindsight
        return {
            "number": number,
            "player": player,
            "move": self.move,
            "mark": self.mark,
            "best": self.knowable.best.move,
            "value": self.value,
            "best_value": self.knowable.best.value,
            "lost": self.lost,
            "stderr": self.error,
            "exact": self.knowable.is_exact,
            "hindsight": None if seen is None else seen.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game looked at afterwards.

    Between two players, where cards are drawn, the first seat's lead in the end is the sum of what the deal was worth,
    of what both gave away by their choices, and of what the draw gave. `is_open` where nobody's cards were hidden.
    """

    players: tuple[str, ...]
    looks: tuple[Look, ...]
    scores: tuple[int, ...]
    is_over: bool
    is_open: bool
    luck: Mapping[int, float] = field(default_factory=dict)
    deal: float | None = None

    def lost(self, seat: int) -> float:
        """What a seat gave away by its choices, in points."""
        return sum(look.lost for look in self.looks if look.seat == seat)

    def error(self, seat: int | None = None) -> float:
        """The standard error of what a seat gave away, and without one of what the draw gave."""
        return sqrt(sum((look.error or 0.0) ** 2 for look in self.looks if seat in (None, look.seat)))

    def marks(self) -> tuple[str, ...]:
        """The mark of every move."""
        return tuple(look.mark for look in self.looks)

    def count(self, seat: int) -> dict[str, int]:
        """How many moves of a seat have each mark."""
        return {mark: sum(look.seat == seat and look.mark == mark for look in self.looks) for mark in MARKS}

    def to_dict(self) -> AnalysisJson:
        """The analysis as scripts see it: `analyze --json`."""
        players: list[AnalyzedPlayerJson] = [
            {
                "name": player,
                "score": self.scores[seat],
                "moves": sum(look.seat == seat for look in self.looks),
                "lost": self.lost(seat),
                "luck": self.luck.get(seat),
                "marks": self.count(seat),
            }
            for seat, player in enumerate(self.players)
        ]
        moves = [look.to_dict(number, self.players[look.seat]) for number, look in enumerate(self.looks, 1)]
        return {"players": players, "over": self.is_over, "deal": self.deal, "moves": moves}


def analyze(
    record: Record,
    *,
    seconds: float | None = None,
    rounds: int | None = None,
    seed: int = 0,
    proving: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Analysis:
    """Looks at every move of a game.

    Args:
        record: the game, with everything that was hidden in it.
        seconds: how long to think about a move,
        rounds: or how often to try it out.
        seed: what the worlds follow from that are tried out.
        proving: the seconds that all proofs together may take; None for any time.
        progress: called with how many moves are done, of how many.

    Raises:
        MoveError: a move is not legal.
        EngineError: nobody has moved.
    """
    plies = list(record)
    if not plies:
        raise EngineError("There are no moves in this game to review.")
    final = record.final()
    hindsights = _hindsights([*(ply.state for ply in plies), final], record.moves, Clock.of(proving))
    looks = []
    for number, (ply, hindsight) in enumerate(zip(plies, hindsights, strict=True)):
        dice, clock = Dice(seed).fork(number), Clock.of(seconds)
        looks.append(_look(ply.state, ply.move, think(ply.state, dice, rounds=rounds, clock=clock), hindsight))
        if progress is not None:
            progress(number + 1, len(plies))
    players, scores, is_over = final.players, final.scores(), final.ending() is not None
    # Every place that was hidden from somebody at some time; luck is only where cards are drawn from such places.
    hidden = {place for ply in plies for seat in range(len(players)) for place in _hidden_places(ply.state, seat)}
    if len(players) != 2 or not is_over or not any(place.startswith(_DRAWN_FROM) for place in hidden):
        return Analysis(players, tuple(looks), scores, is_over, not hidden)
    luck, deal = _luck(looks, scores[0] - scores[1])
    return Analysis(players, tuple(looks), scores, is_over, False, {0: luck, 1: -luck}, deal)


def look_at(state: State, move: str, seconds: float, dice: Dice) -> Look:
    """A legal move that is about to be made, or was, as its player could know what it is worth."""
    return _look(state, move, think(state, dice, clock=Clock.of(seconds)), None)


def with_notes(record: Record, analysis: Analysis) -> Record:
    """The record with what was found of each move in its notes."""
    looks = analysis.looks
    found = {
        NOTE: list(analysis.marks()),
        VALUES: [round(look.value, 2) for look in looks],
        BEST: [look.knowable.best.move if look.lost else "" for look in looks],
        LOST: [round(look.lost, 2) for look in looks],
    }
    notes = {**record.notes, **found}
    return Record(record.setup, record.moves, record.date, record.event, record.seed, record.result, notes)


class MoveNote(NamedTuple):
    """What an analysis noted of a move.

    Attributes:
        mark: one of `MARKS`, or empty.
        value: what it was worth to its player, as far as that one could know, in points.
        best: the best move, where this one was not as good.
        lost: how many points better that one was.
    """

    mark: str = ""
    value: float | None = None
    best: str = ""
    lost: float = 0.0


def notes_of(record: Record) -> tuple[MoveNote, ...]:
    """What the notes of a record say of its moves; nothing where they make no sense."""
    moves = len(record.moves)
    # Notes may be anybody's: a column that is no list, or not as long as the moves, counts as empty.
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


def _look(state: State, move: str, thought: Thought, hindsight: Hindsight | None) -> Look:
    played = next(one for one in thought.moves if one.move == move)
    lost, error = thought.best.value - played.value, None
    if played.error is not None and thought.best.error is not None:
        error = 0.0 if move == thought.best.move else sqrt(played.error**2 + thought.best.error**2)
        if lost <= _SURE * error:  # the best of many that were tried out looks better than it is
            lost = 0.0
    levels = find_game(state.game).mistakes
    # One mark for each level that is reached: of 1, 2 and 4 points a loss of 3 reaches two, `?`.
    mark = MARKS[sum(lost >= level for level in levels) - 1] if lost >= levels[0] else ""
    return Look(state.to_move, move, thought, lost, error, mark, hindsight)


def _hidden_places(state: State, seat: int) -> Iterator[str]:
    for group in state.unseen(seat):
        yield from group.places


def _luck(looks: Sequence[Look], lead: int) -> tuple[float, float]:
    """What the draw gave the first seat, and what the deal was worth to it: with all that was given away the lead."""
    # Each move leads from the best value of its position down to its own; what the next position is worth beyond that,
    # the draw gave. So the final lead is the deal, less what the first seat gave away, plus what the other did, plus
    # luck.
    signs = [1 if look.seat == 0 else -1 for look in looks]
    before = [sign * (look.value + look.lost) for sign, look in zip(signs, looks, strict=True)]
    after = [sign * look.value for sign, look in zip(signs, looks, strict=True)]
    return sum(following - here for following, here in zip([*before[1:], lead], after, strict=True)), before[0]


def _hindsights(states: Sequence[State], moves: Sequence[str], clock: Clock) -> list[Hindsight | None]:
    """What is proved of every position but the last, with the move that was played there.

    It begins at the end, where proofs are short and what they found serves those before.
    """
    found: list[Hindsight | None] = [None] * len(moves)
    value: int | None = None
    if (searcher := _searcher(states)) is None:
        return found
    for place in reversed(range(len(states))):
        state, following, value = states[place], value, None
        try:
            # Raises where this position is not solved, though the game may be solved later on.
            if state.ending() is None:
                find_solver(state)
            value = Bounds(*searcher.reach(state)).close(state, searcher, clock)
            if following is not None:
                best = first_best(state, value, searcher, clock)[0]
                found[place] = Hindsight(best, value, _move_value(state, states[place + 1], following))
        except (OutOfTimeError, TooFarError):  # so is what lies before
            break
        except EngineError:  # is not solved, which earlier ones may be
            continue
    return found


def _move_value(state: State, after: State, value: int) -> int:
    """What the move between two positions is worth to who played it; the second one's value is known."""
    if after.ending() is not None:  # whose turn it would be means nothing then
        return lead_of(after, state.to_move)
    return value if after.to_move == state.to_move else -value


def _searcher(states: Sequence[State]) -> Searcher | None:
    """What searches below the first position of a game that is solved; None where none is."""
    for state in states:
        with suppress(EngineError):
            return find_solver(state).searcher(state)
    return None


_WORLDS: Final = 40
"""In so many worlds it is looked what the next player could do."""


@dataclass(frozen=True, slots=True)
class After:
    """What comes at once of a move: points for its player, and what the next player's best answer takes, on average.

    Attributes:
        gained: points of lead for who made it.
        taken: points of lead that the next player's best answer brings that player.
        answers: how often each move was such an answer that takes anything, of all worlds.
    """

    gained: float
    taken: float
    answers: dict[str, float]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one move was worse than another, as far as two moves show it.

    Attributes:
        look: the move that was made, and what all were worth.
        view: the position before it, as its player saw it.
        played, best: what came of the two.
        answer: the answer that costs most after the move that was made; None where none takes anything.
        state: a position in which that answer could be made.
        otherwise: how often it could be made after the best move, of all worlds.
        is_open: whether nothing was hidden from who moved.
    """

    look: Look
    view: State
    played: After
    best: After
    answer: str | None
    state: State | None
    otherwise: float
    is_open: bool

    @property
    def is_answer(self) -> bool:
        """Whether what the next player could do explains a good part of it."""
        return self.answer is not None and self.played.taken - self.best.taken >= max(1.0, self.look.lost / 3)

    @property
    def is_gain(self) -> bool:
        """Whether the points at once do."""
        return self.best.gained - self.played.gained >= max(1.0, self.look.lost / 3)


class DecisiveTurn(NamedTuple):
    """The turn of many moves that decided a game.

    Attributes:
        number: the turn's.
        first, last: the numbers, from 0, of its moves.
        words: what happened, and what could have been done against it.
    """

    number: int
    first: int
    last: int
    words: Words


Decisive = Callable[[Sequence[Any], Sequence[str]], DecisiveTurn | None]
"""Finds that turn, given all positions of a game that is over and the moves between them."""


@dataclass(frozen=True, slots=True)
class Review:
    """A game looked back at: all its moves, the number, from 0, of the one that turned it, if any did, and why.

    In a game whose turns have many moves, its part `decisive`, it is a whole turn.
    """

    analysis: Analysis
    turning_point: int | None
    reason: Reason | None
    turn: DecisiveTurn | None = None


def review(record: Record, analysis: Analysis) -> Review:
    """A game with its turning point, of which all moves were looked at."""
    decisive: Decisive | None = find_game(record.setup.game).part("decisive")
    if decisive is not None and (turn := decisive([*(ply.state for ply in record), record.final()], record.moves)):
        return Review(analysis, None, None, turn)
    number = turning_point(analysis)
    if number is None:
        return Review(analysis, None, None)
    state = Record(record.setup, record.moves[:number]).final()
    return Review(analysis, number, reason(state, analysis.looks[number], Dice(number)))


def turning_point(analysis: Analysis) -> int | None:
    """The number, from 0, of the move with a mark that gave most away; None where no move has one."""
    marked = [number for number, look in enumerate(analysis.looks) if look.mark]
    return max(marked, key=lambda number: analysis.looks[number].lost, default=None)


def reason(state: State, look: Look, dice: Dice) -> Reason:
    """Why the move that was made gave points away, in worlds that the player may have been in.

    Args:
        state: the position before the move; what its player could not see of it is not looked at.
        look: the move.
        dice: what the worlds are drawn with.
    """
    view = state.view(look.seat)
    is_open = view.is_open(look.seat)
    worlds = [sample_world(view, look.seat, dice) for _ in range(1 if is_open else _WORLDS)]
    best = look.knowable.best.move
    (played, costs, states), (other, _, _) = (_after(worlds, move) for move in (look.move, best))
    # Of equally dear answers the last by the alphabet, so that it is always the same.
    answer = max(costs, key=lambda move: (costs[move], move), default=None)
    otherwise = 0.0
    if answer is not None:
        following = [world.play_unchecked(best) for world in worlds]
        could = sum(one.to_move == states[answer].to_move and answer in one.legal_moves() for one in following)
        otherwise = could / len(worlds)
    return Reason(look, view, played, other, answer, states.get(answer or ""), otherwise, is_open)


def _after(worlds: list[State], move: str) -> tuple[After, Counter[str], dict[str, State]]:
    gained = taken = 0.0
    often: Counter[str] = Counter()
    costs: Counter[str] = Counter()
    states = {}
    for world in worlds:
        seat, state = world.to_move, world.play_unchecked(move)
        gained += lead_of(state, seat) - lead_of(world, seat)
        # Who moves again leaves nobody an answer.
        legal = () if state.to_move == seat else state.legal_moves()
        if not legal:
            continue
        before, other = lead_of(state, state.to_move), state.to_move
        # How much the answer adds to the lead that the other player has before it.
        gain, answer = max((lead_of(state.play_unchecked(one), other) - before, one) for one in legal)
        if gain > 0:
            taken += gain
            often[answer] += 1
            costs[answer] += gain
            states[answer] = state
    shares = {answer: count / len(worlds) for answer, count in often.items()}
    return After(gained / len(worlds), taken / len(worlds), shares), costs, states
