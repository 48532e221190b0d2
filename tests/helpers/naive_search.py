"""What a position is worth, a second time: every game played out to its end, on the games that are slow and plain.

It shares nothing with the engine; `rules` is `naive_grid`, `naive_matrix` or `naive_tactics`, and two play.
"""

from helpers import naive_grid, naive_matrix, naive_tactics


def turn(rules, position):
    return naive_matrix.turn(position) if rules is naive_matrix else position["turn"]


def moves(rules, position):
    if rules is naive_matrix:
        return rules.legal(position) if any(position["hands"]) else []
    if rules is naive_tactics and len(position["board"]) == 9:
        return []
    return rules.legal(position)


def points(rules, position):
    return position["points"] if rules is naive_grid else rules.points(position)


def value(rules, position):
    """The points of who is to move less those of the other, in the end, when both always take the best of all games."""
    seat = turn(rules, position)
    values = list(values_of_moves(rules, position).values())
    own, other = points(rules, position)[seat], points(rules, position)[1 - seat]
    return max(values) if values else own - other


def values_of_moves(rules, position):
    """What each legal move is worth to who makes it."""
    seat = turn(rules, position)
    values = {}
    for move in moves(rules, position):
        after = rules.play(position, move)
        values[move] = value(rules, after) if turn(rules, after) == seat else -value(rules, after)
    return values


def size(rules, position, most):
    """How many positions follow, counted no further than beyond `most`."""
    count = 0
    for move in moves(rules, position):
        if count > most:
            break
        count += 1 + size(rules, rules.play(position, move), most - count)
    return count
