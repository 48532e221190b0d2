"""Average values of moves over all hidden cards, computed naively.

It shares no code with the engine. Grid has two players here, who know the cards of the pile but not their order, and
see the cards that are face up. In the last round of matrix each of the three or four players knows only their own card.
"""

from collections import Counter
from itertools import permutations

from helpers import naive_grid, naive_matrix


def values_of_moves(position):
    """Return the average final lead of the player to move after each legal move."""
    seat, values = position["turn"], _Values()
    ahead = position["points"][seat] - position["points"][1 - seat]
    return {move: ahead + values.of_move(position, move) for move in naive_grid.legal(position)}


class _Values:
    """Values of the remaining game; a position consists of the grid, the unordered pile and the player to move."""

    def __init__(self):
        self.known = {}

    def of_move(self, position, move):
        seat, values = position["turn"], []
        for pile in permutations(position["pile"]):
            after = naive_grid.play({**position, "pile": list(pile), "points": [0, 0]}, move)
            gained = after["points"][seat] - after["points"][1 - seat]
            values.append(gained + (self.of(after) if after["turn"] == seat else -self.of(after)))
        return sum(values) / len(values)

    def of(self, position):
        grid = tuple(sorted((cell, _numbers(card)) for cell, card in position["grid"].items()))
        key = grid, tuple(sorted(map(_numbers, position["pile"]))), position["turn"], position["in a row"]
        if key not in self.known:
            values = [self.of_move(position, move) for move in naive_grid.legal(position)]
            self.known[key] = max(values, default=0)
        return self.known[key]


def _numbers(card):
    """Return what the rest of the game can depend on: the card's numbers in its current orientation, and its score."""
    zones, score = card
    return tuple(sorted(zones.items())), score


def leads_in_the_last_round(position, unseen):
    """Return the average lead of the player to move over the best opponent after each legal move of matrix.

    Every player holds at most one card and maximises the average lead; the opponents hold any of the kinds in `unseen`.
    """
    seat, known = naive_matrix.turn(position), {}
    return {move: _leads_after(position, move, Counter(unseen), known)[seat] for move in naive_matrix.legal(position)}


def _leads_after(position, move, unseen, known):
    """Return the average leads of all seats after a move, if later players choose by their own information."""
    after = naive_matrix.play(position, move)
    if not any(after["hands"]):
        points = naive_matrix.points(after)
        return [own - max(points[:seat] + points[seat + 1 :]) for seat, own in enumerate(points)]
    key = str(after["rows"]), after["turns"], *sorted(unseen.items())
    if key not in known:
        seat, sums = naive_matrix.turn(after), [0] * len(after["hands"])
        for kind, count in unseen.items():
            hands = [[kind] if other == seat else hand for other, hand in enumerate(after["hands"])]
            held, rest = {**after, "hands": hands}, unseen - Counter([kind])
            leads = [_leads_after(held, answer, rest, known) for answer in naive_matrix.legal(held)]
            best = max(leads, key=lambda lead: lead[seat])
            sums = [before + count * lead for before, lead in zip(sums, best, strict=True)]
        known[key] = [lead / unseen.total() for lead in sums]
    return known[key]
