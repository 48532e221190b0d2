"""Tactics played on in compiled code, which does what `TacticsWorld` and its tree do, round for round."""

from itertools import accumulate
from typing import Any

from engine.dice import Dice
from engine.games.tactics.state import EMPTY, TacticsState
from engine.games.tactics.world import NOBODY, TacticsWorld
from engine.search.loading import compiled_search
from engine.search.proving import Clock
from engine.search.row_tree import CompiledTree


class TacticsTree(CompiledTree):
    """A tree over one position in which who is to move knows their own hand."""

    scale: float = TacticsWorld.scale
    exploring: float = TacticsWorld.exploring

    def __init__(self, view: TacticsState, dice: Dice, compiled: Any) -> None:
        """`view` is what a seat sees; `compiled` the module of the compiled search."""
        world = TacticsWorld(view, dice)
        decks = [deck or [NOBODY] for _, candidates in world.hidden for deck in candidates]
        labels = sorted({*world.known, *(label for deck in decks for label in deck)})
        ranks = {label: rank for rank, label in enumerate(labels)}
        cells = len(view.grid)
        world.begin(dice.fork(0))
        names = {ranks[label] * cells + place: world.name((label, place)) for label, place in world.legal()}
        super().__init__(names, len(ranks) * cells, compiled)
        longest = max(map(len, view.hands))
        ends = list(accumulate(map(len, view.setup.decks)))
        offsets = [end - len(deck) for end, deck in zip(ends, view.setup.decks, strict=True)]
        rows = (
            [ranks[label] for label in world.known],
            view.grid,
            view.setup.owners,
            [[len(hand), *hand, *[EMPTY] * (longest - len(hand))] for hand in view.hands],
            [[begin + drawn, end] for begin, drawn, end in zip(offsets, view.drawn, ends, strict=True)],
            list(map(len, view.captured)),
        )
        after = list(accumulate((len(cards) for cards, _ in world.hidden), initial=0))
        choices = list(accumulate((len(candidates) for _, candidates in world.hidden), initial=0))
        hidden = (
            [card for cards, _ in world.hidden for card in cards],
            list(zip(after, after[1:], choices, choices[1:], strict=False)),
            [ranks[label] for deck in decks for label in deck],
            list(accumulate(map(len, decks), initial=0)),
        )
        self._rows = (compiled.position([numbers for _, numbers in labels], rows, view.to_move, hidden),)
        self._throws = compiled.dice(dice.seed)
        self._search, self._play = compiled.Search, compiled.play_rounds


def tactics_tree(view: TacticsState, dice: Dice, rounds: int | None, clock: Clock) -> TacticsTree | None:
    """The tree of a position, if there is compiled code for it, and who is to move knows their own hand."""
    if None in view.hand(view.to_move) or (compiled := compiled_search("tactics", rounds, clock)) is None:
        return None
    return TacticsTree(view, dice, compiled)
