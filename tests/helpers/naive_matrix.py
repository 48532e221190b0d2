"""A naive implementation of the matrix game from the text of the rules, for comparison with the fast one.

It shares no code with the engine: a board is three lists, the top row first.
"""

SEATS = {2: ["south", "north"], 3: ["south", "west", "north"], 4: ["south", "west", "north", "east"]}


def start_of(setup):
    """Return the first position of an engine's setup."""
    numbers = list(setup.board)
    position = {
        "rows": [numbers[:3], numbers[3:6], numbers[6:]],
        "hands": [list(hand) for hand in setup.hands],
        "step": setup.rotate == "step",
        "order": list(range(len(setup.hands))),
        "turns": 0,
    }
    return new_order(position)


def points(position):
    rows = position["rows"]
    front = {
        "south": rows[2],
        "north": rows[0],
        "west": [row[0] for row in rows],
        "east": [row[2] for row in rows],
    }
    return [sum(front[seat]) for seat in SEATS[len(position["hands"])]]


def new_order(position):
    scores, before = points(position), position["order"]
    order = []
    for score in sorted(set(scores), reverse=True):
        order += [seat for seat in before if scores[seat] == score]
    return {**position, "order": order}


def turn(position):
    return position["order"][position["turns"] % len(position["order"])]


def at(cell):
    return int(cell[1]) - 1, "abc".index(cell[0])


def legal(position):
    corners, edges = ["a1", "a3", "c1", "c3"], ["a2", "b1", "b3", "c2"]
    centre = position["rows"][1][1]
    moves = set()
    for kind in position["hands"][turn(position)]:
        if kind == "switch-corners":
            moves |= {f"{kind} {a} {b}" for a in corners for b in corners if a < b}
        elif kind == "switch-edges":
            moves |= {f"{kind} {a} {b}" for a in edges for b in edges if a < b}
        elif kind in ("shift-north", "shift-south"):
            moves |= {f"{kind} {column}" for column in "abc"}
        elif kind in ("shift-west", "shift-east"):
            moves |= {f"{kind} {row}" for row in "123"}
        elif kind == "swap-even":
            moves |= {f"{kind} {number}" for number in (2, 4, 6, 8) if number != centre}
        elif kind == "swap-odd":
            moves |= {f"{kind} {number}" for number in (1, 3, 5, 7, 9) if number != centre}
        else:
            moves.add(kind)
    return sorted(moves)


def rearranged(rows, move, step):
    kind, *where = move.split()
    new = [list(row) for row in rows]
    if kind.startswith("switch"):
        (r, c), (s, d) = map(at, where)
        new[r][c], new[s][d] = rows[s][d], rows[r][c]
    elif kind in ("shift-north", "shift-south"):
        c = "abc".index(where[0])
        top, middle, bottom = (row[c] for row in rows)
        column = [middle, bottom, top] if kind == "shift-north" else [bottom, top, middle]
        for row, number in zip(new, column, strict=True):
            row[c] = number
    elif kind in ("shift-west", "shift-east"):
        r = int(where[0]) - 1
        left, middle, right = rows[r]
        new[r] = [middle, right, left] if kind == "shift-west" else [right, left, middle]
    elif kind.startswith("swap"):
        for r in range(3):
            for c in range(3):
                if rows[r][c] == int(where[0]):
                    new[r][c], new[1][1] = rows[1][1], rows[r][c]
    else:
        (a, b, c), (d, e, f), (g, h, i) = rows
        if kind == "rotate-clockwise":
            new = [[d, a, b], [g, e, c], [h, i, f]] if step else [[g, d, a], [h, e, b], [i, f, c]]
        else:
            new = [[b, c, f], [a, e, i], [d, g, h]] if step else [[c, f, i], [b, e, h], [a, d, g]]
    return new


def play(position, move):
    hands = [list(hand) for hand in position["hands"]]
    hands[turn(position)].remove(move.split()[0])
    after = {
        **position,
        "rows": rearranged(position["rows"], move, position["step"]),
        "hands": hands,
        "turns": position["turns"] + 1,
    }
    return new_order(after) if after["turns"] % len(hands) == 0 else after


def count(position, depth):
    return 1 if depth == 0 else sum(count(play(position, move), depth - 1) for move in legal(position))
