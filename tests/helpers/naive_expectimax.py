"""What moves are worth on average over all that may be hidden, slow and plain.

It shares nothing with the engine. In grid two play, who know which cards the pile has and not their order, and see what
is turned up. In the last round of matrix three or four play, each of whom knows the own card alone.
"""

from collections import Counter
from itertools import permutations

from helpers import naive_grid, naive_matrix


def values_of_moves(position):
    """The points of who is to move less those of the other that each legal move comes to in the end, on average."""
    seat, values = position["turn"], _Values()
    ahead = position["points"][seat] - position["points"][1 - seat]
    return {move: ahead + values.of_move(position, move) for move in naive_grid.legal(position)}


class _Values:
    """What is still to come; a position is what lies on the grid and in the pile, in no order, and whose turn it is."""

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
        grid = tuple(sorted((cell, id(card)) for cell, card in position["grid"].items()))
        key = grid, tuple(sorted(map(id, position["pile"]))), position["turn"], position["in a row"]
        if key not in self.known:
            values = [self.of_move(position, move) for move in naive_grid.legal(position)]
            self.known[key] = max(values, default=0)
        return self.known[key]


def leads_in_the_last_round(position, unseen):
    """What the moves of a position of matrix are worth to who is to move: points ahead of the best of the others.

    Everybody holds one card at most, those who follow any of the kinds in `unseen`, and wants to be ahead on average.
    """
    seat, known = naive_matrix.turn(position), {}
    return {move: _leads_after(position, move, Counter(unseen), known)[seat] for move in naive_matrix.legal(position)}


def _leads_after(position, move, unseen, known):
    """What all seats are ahead by on average after a move, if those who follow play best by what they know."""
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
