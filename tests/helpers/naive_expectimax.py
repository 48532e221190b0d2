"""What moves of the grid game are worth on average, slow and plain: the pile in every order it can have.

It shares nothing with the engine. Two play, who know which cards the pile has and not their order, and see what is
turned up.
"""

from itertools import permutations

from helpers import naive_grid


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
