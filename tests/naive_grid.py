"""The grid game a second time, slow and straight from the text of the rules, to be compared with the fast one.

It shares nothing with the engine: its positions are dictionaries of cells to plain (zones, score) pairs.
"""

FILL_ORDER = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]

FACES = [  # zone, the zone that faces it, columns to the right, rows down
    ("top-left", "bottom-right", -1, -1),
    ("top", "bottom", 0, -1),
    ("top-right", "bottom-left", 1, -1),
    ("left", "right", -1, 0),
    ("right", "left", 1, 0),
    ("bottom-left", "top-right", -1, 1),
    ("bottom", "top", 0, 1),
    ("bottom-right", "top-left", 1, 1),
]


def start(cards, players, first):
    """`cards` is a list of (zones, score) pairs in the order in which they are turned up."""
    return {
        "grid": dict(zip(FILL_ORDER, cards, strict=False)),
        "pile": list(cards[9:]),
        "points": [0] * players,
        "turn": first,
    }


def legal(position):
    moves = []
    for cell, (zones, _) in position["grid"].items():
        for zone, facing, right, down in FACES:
            other = chr(ord(cell[0]) + right) + chr(ord(cell[1]) + down)
            if zone not in zones or other not in position["grid"]:
                continue
            other_zones = position["grid"][other][0]
            if facing not in other_zones or other_zones[facing] < zones[zone]:
                moves.append(cell + "x" + other)
    return sorted(moves)


def play(position, move):
    source, target = move.split("x")
    grid, pile, points = dict(position["grid"]), list(position["pile"]), list(position["points"])
    points[position["turn"]] += grid[target][1]
    grid[target] = grid.pop(source)
    if pile:
        grid[source] = pile.pop(0)
    return {"grid": grid, "pile": pile, "points": points, "turn": (position["turn"] + 1) % len(points)}


def count(position, depth):
    if depth == 0:
        return 1
    return sum(count(play(position, move), depth - 1) for move in legal(position))


def start_of(setup):
    """The same start as a setup of the engine."""
    return start([(dict(card.zones), card.score) for card in setup.cards], len(setup.players), setup.first)
