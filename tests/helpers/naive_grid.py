"""A naive implementation of the grid game from the text of the rules, for comparison with the fast one.

It shares no code with the engine: its positions are dictionaries of cells to plain (zones, score) pairs.
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


AROUND = ["top-left", "top", "top-right", "right", "bottom-right", "bottom", "bottom-left", "left"]  # clockwise


def start(cards, players, first, komi=0, order="1-1-1", empty_pile=False, turn="none"):
    """Return the first position; `cards` is a list of (zones, score) pairs in the order in which they are revealed."""
    return laid_over(
        {
            "grid": dict(zip(FILL_ORDER, cards, strict=False)),
            "pile": list(cards[9:]),
            "points": [0 if seat == first else komi for seat in range(players)],
            "turn": first,
            "in a row": 1,  # The remaining moves of the player to move, including this one.
            "each": 2 if order == "1-2-2" else 1,
            "empty pile": empty_pile,
            "turns": turn == "clockwise",
        }
    )


def laid_over(position):
    grid, pile = dict(position["grid"]), list(position["pile"])
    position = {**position, "grid": grid, "pile": pile}
    over = 0
    while position["empty pile"] and pile and not legal(position):
        grid[FILL_ORDER[over % 9]] = pile.pop(0)
        over += 1
    return position


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


def quarter_clockwise(card):
    """Return the card after a quarter turn: an eighth of a turn brings each number to the next zone, twice."""
    zones, score = card
    return {AROUND[(AROUND.index(zone) + 2) % 8]: number for zone, number in zones.items()}, score


def play(position, move):
    source, target = move.split("x")
    grid, pile, points = dict(position["grid"]), list(position["pile"]), list(position["points"])
    points[position["turn"]] += grid[target][1]
    mover = grid.pop(source)
    grid[target] = quarter_clockwise(mover) if position["turns"] else mover
    if pile:
        grid[source] = pile.pop(0)
    after = {**position, "grid": grid, "pile": pile, "points": points, "in a row": position["in a row"] - 1}
    if after["in a row"] == 0:
        after["turn"] = (position["turn"] + 1) % len(points)
        after["in a row"] = position["each"]
    return laid_over(after)


def count(position, depth):
    if depth == 0:
        return 1
    return sum(count(play(position, move), depth - 1) for move in legal(position))


def start_of(setup):
    """Return the first position of an engine's setup."""
    options = setup.options
    cards = [(dict(card.zones), card.score) for card in setup.cards]
    return start(cards, len(setup.players), setup.first, options.komi, options.order, options.empty_pile, options.turn)
