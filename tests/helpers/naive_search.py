"""Exact values of positions by exhaustive search, on the naive implementations of the games.

It shares no code with the engine; `rules` is `naive_grid`, `naive_matrix` or `naive_tactics`, with two players.
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
    """Return the final lead of the player to move if both players play optimally."""
    seat = turn(rules, position)
    values = list(values_of_moves(rules, position).values())
    own, other = points(rules, position)[seat], points(rules, position)[1 - seat]
    return max(values) if values else own - other


def values_of_moves(rules, position):
    """Return the value of each legal move for the player to move."""
    seat = turn(rules, position)
    values = {}
    for move in moves(rules, position):
        after = rules.play(position, move)
        values[move] = value(rules, after) if turn(rules, after) == seat else -value(rules, after)
    return values


def size(rules, position, most):
    """Return the number of positions that follow; counting stops once it exceeds `most`."""
    count = 0
    for move in moves(rules, position):
        if count > most:
            break
        count += 1 + size(rules, rules.play(position, move), most - count)
    return count
