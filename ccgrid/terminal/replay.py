"""A recorded game stepped through at a terminal: one position on the screen, back and forth by keys, or one by one."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from ccgrid.catalog.formatting import counted
from ccgrid.engine.errors import quoted
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.analysis import MoveNote, read_move_notes
from ccgrid.engine.notation import play
from ccgrid.engine.records.record import Ply, Reading, Record
from ccgrid.terminal.prompts import DELETE, END, ENTER, HOME
from ccgrid.view.games import clear, describe_move, draw_state, other_screen, score_line, show_position
from ccgrid.view.insight import best_line, lead_line
from ccgrid.view.output import Drawing, can_draw, show
from ccgrid.view.pictures import player_name
from ccgrid.view.streams import input_line
from ccgrid.view.text import third_person

_FORTH: Final = ("right", "down", " ", ENTER, "n")
_BACK: Final = ("left", "up", DELETE, "b", "p")
_KEYS: Final = "{} one move, Home and End first and last, q quits"


@dataclass(frozen=True, slots=True)
class Replay:
    """What there is to see of a recorded game: the positions up to the first wrong move, if there is one.

    Attributes:
        game: its name.
        plies: the moves, each with the position before it.
        notes: what an analysis noted of each move.
        last: the position after the last of them.
        fault: what is wrong there, in words; nothing where all is well.
        is_whole: whether there are no more moves.
    """

    game: str
    plies: tuple[Ply, ...]
    notes: tuple[MoveNote, ...]
    last: State
    fault: str
    is_whole: bool

    @classmethod
    def of(cls, reading: Reading, record: Record, end: int) -> "Replay":
        """The first moves of a game that was read, so many of them; a fault behind them is not there."""
        states = [record.setup.start()]
        for move in record.moves[:end]:
            states.append(play(states[-1], move))
        is_whole = end == len(record.moves)
        plies = tuple(map(Ply, states, record.moves[:end]))
        fault = _fault(reading, record) if end == reading.plies else ""
        return cls(record.setup.game, plies, read_move_notes(record), states[-1], fault, is_whole)

    def state(self, place: int) -> State:
        """The position after so many moves."""
        return self.plies[place].state if place < len(self.plies) else self.last

    def last_move(self, place: int) -> str | None:
        """The move that led there."""
        return self.plies[place - 1].move if place else None

    def words(self, place: int) -> str:
        """What happened last, in a sentence."""
        if place == 0:
            return "The start."
        ply, mark = self.plies[place - 1], self.notes[place - 1].mark
        what = describe_move(self.game, ply.state, ply.move)
        return (
            f"{place}. {third_person(player_name(ply.player), 'plays')} {ply.move}{f' {mark}' if mark else ''}: {what}"
        )

    def judgement(self, place: int) -> Iterator[str]:
        """What would have been best, and how far the first of two players is ahead, where that was noted."""
        if place == 0:
            return
        ply, note = self.plies[place - 1], self.notes[place - 1]
        if note.best in ply.state.legal_moves():
            yield best_line(ply.state, note.best, note.lost)
        found = [_lead(ply, note) for ply, note in zip(self.plies, self.notes, strict=False)]
        leads = [lead for lead in found if lead is not None]
        if len(self.last.players) == 2 and len(leads) == len(found):
            yield lead_line(self.last.players[0], leads, place - 1)

    def ending(self) -> str:
        """How it ended; nothing where more moves follow."""
        outcome = self.last.outcome()
        if outcome is None:
            return "The game is not over." if self.is_whole else ""
        winner = (
            "A draw" if outcome.winner is None else third_person(player_name(self.last.players[outcome.winner]), "wins")
        )
        return f"{winner}: {outcome.reason}."


def _lead(ply: Ply, note: MoveNote) -> float | None:
    """How many points the first player was ahead after a move."""
    return note.value if note.value is None or ply.state.to_move == 0 else -note.value


def _fault(reading: Reading, record: Record) -> str:
    """What is wrong at the last position that could be played; nothing where all is well."""
    error = reading.error
    if error is None or reading.plies == len(record.moves):  # then it is the result, which the board does not show
        return "" if error is None else f"Wrong: {error}"
    return f"Mistake at move {reading.plies + 1}, {quoted(record.moves[reading.plies])}: {error.message}"


def step_through(replay: Replay, begin: int, *, waits: bool) -> None:
    """Shows the positions from one on, one after the other; `waits` for Enter before each."""
    for place in range(begin, len(replay.plies) + 1):
        if place > begin:
            if waits and not _goes_on():
                return
            show("")
        show(f"Before move {place + 1}." if 0 < place == begin < len(replay.plies) else replay.words(place))
        show_position(replay.game, replay.state(place), replay.last_move(place))
        show(*replay.judgement(place))
    if not replay.fault and (ending := replay.ending()):
        show("", ending)


def _goes_on() -> bool:
    """Waits until the person presses Enter; False where they want to see no more."""
    try:
        return not input_line("Enter continues, q quits. ").strip().lower().startswith("q")
    except EOFError:
        show("")  # the prompt's line has no end
        return False


# --- by keys ----------------------------------------------------------------------------------------------------


def turn_pages(replay: Replay, begin: int, at: int, key: Callable[[], str]) -> None:
    """Shows one position at a time, at first that after `at` moves; `key` is the next key, nothing at the end."""
    place, end = at, len(replay.plies)
    with other_screen(True):
        while True:
            clear()
            show(*_page(replay, place))
            pressed = _next_key(key)
            if pressed in _FORTH:
                place = min(place + 1, end)
            elif pressed in _BACK:
                place = max(place - 1, begin)
            elif pressed == HOME:
                place = begin
            elif pressed == END:
                place = end
            elif pressed in ("q", "Q", ""):
                return


def _page(replay: Replay, place: int) -> Iterator[str | Drawing]:
    """The lines of a page: what happened, the board, the scores, how it ended, the keys."""
    state, end = replay.state(place), len(replay.plies)
    yield replay.words(place) if place else f"The start of {counted(end, 'move')}."
    yield draw_state(replay.game, state, replay.last_move(place))
    if not find_game(replay.game).pictures.shows_scores:
        yield score_line(state)
    yield from replay.judgement(place)
    if place == end and (ending := replay.fault or replay.ending()):
        yield ending
    yield _KEYS.format("← →" if can_draw() else "arrows:")


class _ResizedError(Exception):
    """The window has another size: what it shows is drawn anew."""


def _next_key(key: Callable[[], str]) -> str:
    """The next key; `?`, as for one that does nothing, where the window gets another size instead."""
    try:
        with _size_changes():
            return key()
    except _ResizedError:
        return "?"
    except KeyboardInterrupt:
        return ""


@contextmanager
def _size_changes() -> Iterator[None]:
    """While the block runs, another size of the window interrupts it."""

    def interrupt(number: int, frame: object) -> None:
        raise _ResizedError

    number = getattr(signal, "SIGWINCH", None)  # which Windows has none of
    before = None if number is None else signal.signal(number, interrupt)
    try:
        yield
    finally:
        if number is not None:
            signal.signal(number, before)
