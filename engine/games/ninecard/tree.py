"""Ninecard as `engine.search` thinks about it: `engine.numeric` on rows, in plain Python or compiled."""

from typing import Any, Final

from engine.dice import Dice
from engine.games.ninecard.rows import rules, search
from engine.games.ninecard.rows.position import fits, numbers, pools, position
from engine.games.ninecard.state import NinecardState
from engine.search.loading import compiled_search
from engine.search.proving import Clock
from engine.search.row_tree import RowTree

TURNS: Final = 4
"""So many turns after this one are played on before the position is judged."""

_MOVES: Final = 10 * rules.VERB
_ENERGY: Final = rules.VERB * rules.ENERGY


class NinecardTree(RowTree):
    """A tree over one position; moves that play alike, with cards of other names, are one."""

    scale: float = 30.0

    def __init__(self, view: NinecardState, dice: Dice, compiled: Any = None) -> None:
        """`view` is what a seat sees; `compiled` the module of the compiled search, if it is to be used."""
        legal = view.legal_moves()
        names = numbers(view, legal)
        super().__init__(names, _MOVES, compiled)
        listed = ((move, names[number]) for move in legal for number in numbers(view, [move]))
        self.alike = {move: other for move, other in listed if move != other}
        self.only = names.get(_ENERGY)
        self._play: Any = search.play_rounds if compiled is None else compiled.play_rounds
        self._last = view.turn + TURNS
        start = position(view)
        cards, hidden = pools(view)
        decks, room = [0] * rules.DEPTH * len(view.sides), [0] * search.ALL_ROOM
        rows = (start, start, decks, cards, cards, hidden)
        if compiled is None:
            self.rows = (*map(list, rows), [0, dice.seed], room)
            self._results: Any = [0.0] * 2 * search.MOST_SEATS
        else:
            self.rows = (*map(compiled.ints, rows), compiled.dice(dice.seed), compiled.ints(room))
            self._results = compiled.floats([0.0] * 2 * search.MOST_SEATS)

    def play(self, rounds: int, first: int, number: int, exploring: float, by_lead: bool) -> float:
        """Plays so many rounds, and gives the lead that the last one ended with."""
        lead: float = self._play(
            *self.rows,
            self.links,
            self.sums,
            self.nodes_of,
            self._results,
            rounds,
            first,
            number,
            self._last,
            exploring,
            self.scale,
            int(by_lead),
        )
        return lead


def ninecard_tree(view: NinecardState, dice: Dice, rounds: int | None, clock: Clock) -> NinecardTree | None:
    """The tree of a position; none where more cards are held than in games, or some are not known."""
    if not fits(view):
        return None
    return NinecardTree(view, dice, compiled_search(view.game, rounds, clock))
