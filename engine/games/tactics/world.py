"""Games of tactics with hidden hands and decks drawn at random, played on quickly.

Of another's deck a seat knows the cards that it saw, and which factions have all of them: it may be any of these. If
none has, it is taken to be of such cards as were seen and as one has oneself.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from catalog.card import HIGHEST, Card
from engine.cards import in_no_order
from engine.dice import Dice
from engine.game import Unseen
from engine.games.four_sides.cards import Numbers, sides
from engine.games.tactics.factions import FACTIONS
from engine.games.tactics.state import EMPTY, TacticsState
from engine.games.tactics.table import Seating, turned

Label = tuple[str, Numbers]
"""A card by its name, and what it shows at the top, right, bottom and left of the table."""

NOBODY: Final[Label] = ("", (0, 0, 0, 0))
"""The label of a card of which nothing is known."""


class TacticsWorld:
    """A game of tactics; a move is a card's label and the place of a cell.

    Attributes:
        known: the labels of the cards that are known, by their place in all decks in a row.
        hidden: the places of those that are not, of one owner each time, and the decks, or what is left of them, of
            which they may be.
    """

    scale: float = 10.0
    exploring: float = 0.25

    def __init__(self, view: TacticsState, dice: Dice) -> None:
        """`view` is what a seat sees."""
        setup = view.setup
        self.seats = len(view.hands)
        self.seat = self._first = view.to_move
        self._view = view
        self._table = view.table
        self._owners = setup.owners
        self._offsets = [sum(map(len, setup.decks[:seat])) for seat in range(self.seats + 1)]
        self.known: list[Label] = [
            NOBODY if card is None else (card.name, lying or NOBODY[1])
            for card, lying in zip(setup.cards, setup.lying, strict=True)
        ]
        self.hidden = [
            ([view.hidden_card(place) for place in group.places], self._candidates(group))
            for group in view.unseen(self._first)
        ]

    def _candidates(self, group: Unseen) -> list[list[Label]]:
        """The decks, or what is left of them, of which what lies at these places may be."""
        owner = int(group.places[0].split(":")[1])
        turn = self._table.turns[owner]
        if group.cards is not None:
            return [[_label(card, turn) for card in group.cards]]
        seen = Counter([_plain(card) for card in group.seen])
        decks = [deck for deck in _factions() if seen <= deck]
        own = in_no_order(self._view.setup.lists[self._first] or ())
        is_faction = Counter(map(_plain, own)) in _factions()
        if decks and (seen or is_faction):
            return [[(name, turned(numbers, turn)) for name, numbers in (deck - seen).elements()] for deck in decks]
        return [[_label(card, turn) for card in (*in_no_order(group.seen), *own)]]

    def begin(self, dice: Dice) -> None:
        """Deals what is hidden."""
        view = self._view
        self._labels = self.known[:]
        for places, decks in self.hidden:
            deck = dice.shuffled(dice.choose(decks) if len(decks) > 1 else decks[0])
            for number, place in enumerate(places):
                self._labels[place] = deck[number % len(deck)] if deck else NOBODY
        self._grid = list(view.grid)
        self._hands = [list(hand) for hand in view.hands]
        self._drawn = list(view.drawn)
        self._captured = [len(cards) for cards in view.captured]
        self.seat = self._first

    def legal(self) -> list[tuple[Label, int]]:
        """Those that gain most at once, and risk least, first."""
        labels = self._labels
        found = {(labels[card], place): value for value, card, place in self._promises()}
        return sorted(found, key=lambda move: (-found[move], move))

    def name(self, move: tuple[Label, int]) -> str:
        """The move as records write it."""
        (name, _), place = move
        return f"{name}@{self._table.board.cells[place]}"

    def play(self, move: tuple[Label, int]) -> None:
        """Puts a card with this label on the cell."""
        label, place = move
        labels = self._labels
        self._put(next(card for card in self._hands[self.seat] if labels[card] == label), place)

    def finish(self, dice: Dice) -> list[int]:
        """Everybody plays what gains most at once and risks least; among equals any."""
        while promises := self._promises():
            best = max(promises)[0]
            found = [promise for promise in promises if promise[0] == best]
            _, card, place = found[0] if len(found) == 1 else found[dice.below(len(found))]
            self._put(card, place)
        points, values, owners = self._captured[:], self._table.values, self._owners
        for place, card in enumerate(self._grid):
            if card != EMPTY:
                points[owners[card]] += values[place]
        return points

    def _promises(self) -> list[tuple[int, int, int]]:
        """For each card in hand and each open cell how good that looks, as the heuristic says."""
        grid, seat, table = self._grid, self.seat, self._table
        open_places = [place for place, card in enumerate(grid) if card == EMPTY]
        found, seen = [], set()
        for card in self._hands[seat]:
            if (label := self._labels[card]) in seen:
                continue
            seen.add(label)
            numbers = label[1]
            for place in open_places:
                gain = value = table.values[place]
                lacking = 0
                losses = [*beaten(grid, self._labels, self._owners, table, seat, numbers, place)]
                for other in losses:
                    gain += 1 + table.values[other]
                for side, other in enumerate(table.neighbours[place]):
                    if other >= 0 and numbers[side] < HIGHEST - lacking and (grid[other] == EMPTY or other in losses):
                        lacking = HIGHEST - numbers[side]
                found.append((10 * gain - (1 + value) * lacking, card, place))
        return found

    def _put(self, card: int, place: int) -> None:
        seat, grid, hands = self.seat, self._grid, self._hands
        taken = [*beaten(grid, self._labels, self._owners, self._table, seat, self._labels[card][1], place)]
        for other in taken:
            grid[other] = EMPTY
        self._captured[seat] += len(taken)
        grid[place] = card
        hand = hands[seat]
        hand.remove(card)
        top = self._offsets[seat] + self._drawn[seat]
        if top < self._offsets[seat + 1]:
            hand.append(top)
            self._drawn[seat] += 1
        for step in range(1, self.seats + 1):
            if hands[(seat + step) % self.seats]:
                self.seat = (seat + step) % self.seats
                break


def beaten(
    grid: Sequence[int],
    labels: Sequence[tuple[Any, Numbers]],
    owners: Sequence[int],
    table: Seating,
    seat: int,
    numbers: Numbers,
    place: int,
) -> Iterator[int]:
    """The places of the cards that a seat captures with these numbers on an open cell."""
    neighbours, turn = table.neighbours[place], table.turns[seat]
    for side in (turn, (turn + 1) & 3, (turn + 2) & 3, (turn + 3) & 3):
        other = neighbours[side]
        if other < 0 or (facing := grid[other]) == EMPTY or owners[facing] == seat:
            continue
        number, opposed = numbers[side], labels[facing][1][side ^ 2]
        if number < opposed:
            return
        if number > opposed:
            yield other


@cache
def _factions() -> tuple[Counter[Label], ...]:
    return tuple([Counter(map(_plain, faction.cards)) for faction in FACTIONS.bundled()])


def _plain(card: Card) -> Label:
    return card.name, sides(card)


def _label(card: Card, turn: int) -> Label:
    return card.name, turned(sides(card), turn)
