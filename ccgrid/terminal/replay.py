"""Replay of a recorded game at a terminal: one position at a time, by keys or in sequence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from ccgrid.catalog.formatting import counted
from ccgrid.engine.errors import quoted
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.analysis import MoveNote, read_move_notes
from ccgrid.engine.notation import play
from ccgrid.engine.records.record import RESIGNED, Ply, Reading, Record
from ccgrid.terminal.prompts import DELETE, END, ENTER, HOME
from ccgrid.view.games import alternate_screen, clear, describe_move, draw_state, score_line, show_position
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
    """The positions of a recorded game, up to its first wrong move.

    Attributes:
        game: the name of the game.
        plies: the moves, each with the position before it.
        notes: the notes of an analysis, per move.
        last: the position after the last move.
        fault: the error at that position, or "".
        is_whole: whether the record has no further moves.
        resigned: the player who gave up the game, or "".
    """

    game: str
    plies: tuple[Ply, ...]
    notes: tuple[MoveNote, ...]
    last: State
    fault: str
    is_whole: bool
    resigned: str = ""

    @classmethod
    def of(cls, reading: Reading, record: Record, end: int) -> "Replay":
        """Return the first `end` moves of a game that was read, and its error, if it is at their end."""
        states = [record.setup.start()]
        for move in record.moves[:end]:
            states.append(play(states[-1], move))
        is_whole = end == len(record.moves)
        plies = tuple(map(Ply, states, record.moves[:end]))
        fault = _fault(reading, record) if end == reading.plies else ""
        resigned = str(record.notes.get(RESIGNED, ""))
        return cls(record.setup.game, plies, read_move_notes(record), states[-1], fault, is_whole, resigned)

    def state(self, place: int) -> State:
        """Return the position after `place` moves."""
        return self.plies[place].state if place < len(self.plies) else self.last

    def last_move(self, place: int) -> str | None:
        """Return the last of `place` moves, or None at the start."""
        return self.plies[place - 1].move if place else None

    def words(self, place: int) -> str:
        """Return the last of `place` moves as a sentence."""
        if place == 0:
            return "The start."
        ply, mark = self.plies[place - 1], self.notes[place - 1].mark
        what = describe_move(self.game, ply.state, ply.move)
        return (
            f"{place}. {third_person(player_name(ply.player), 'plays')} {ply.move}{f' {mark}' if mark else ''}: {what}"
        )

    def judgement(self, place: int) -> Iterator[str]:
        """Yield the best move and the lead of the first of two players, if the notes contain them."""
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
        """Return how the game ended, or "" if moves follow."""
        outcome = self.last.outcome()
        if outcome is None:
            ended = f"{third_person(self.resigned, 'resigns')}." if self.resigned else "The game is not over."
            return ended if self.is_whole else ""
        winner = (
            "A draw" if outcome.winner is None else third_person(player_name(self.last.players[outcome.winner]), "wins")
        )
        return f"{winner}: {outcome.reason}."


def _lead(ply: Ply, note: MoveNote) -> float | None:
    """Return the lead of the first player after a move, or None if it is unknown."""
    return note.value if note.value is None or ply.state.to_move == 0 else -note.value


def _fault(reading: Reading, record: Record) -> str:
    """Return the error at the last position that could be played, or ""."""
    error = reading.error
    if error is None or reading.plies == len(record.moves):  # then the result is wrong, which the board does not show
        return "" if error is None else f"Wrong: {error}"
    return f"Mistake at move {reading.plies + 1}, {quoted(record.moves[reading.plies])}: {error.message}"


def step_through(replay: Replay, begin: int, *, waits: bool) -> None:
    """Show the positions from `begin` in sequence; with `waits`, wait for Enter before each."""
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
    """Wait for Enter; return False if the user quits."""
    try:
        return not input_line("Enter continues, q quits. ").strip().lower().startswith("q")
    except EOFError:
        show("")  # end the line of the prompt
        return False


# --- by keys ----------------------------------------------------------------------------------------------------


def turn_pages(replay: Replay, begin: int, at: int, key: Callable[[], str]) -> None:
    """Show one position at a time, starting after `at` moves; `key` reads a key, "" at the end of the input."""
    place, end = at, len(replay.plies)
    with alternate_screen(True):
        while True:
            clear()
            show(*_page(replay, place))
            try:
                pressed = key()
            except KeyboardInterrupt:
                return
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
    """Yield the parts of a page: the move, the board, the scores, the ending, the keys."""
    state, end = replay.state(place), len(replay.plies)
    yield replay.words(place) if place else f"The start of {counted(end, 'move')}."
    yield draw_state(replay.game, state, replay.last_move(place))
    if not find_game(replay.game).pictures.shows_scores:
        yield score_line(state)
    yield from replay.judgement(place)
    if place == end and (ending := replay.fault or replay.ending()):
        yield ending
    yield _KEYS.format("← →" if can_draw() else "arrows:")
