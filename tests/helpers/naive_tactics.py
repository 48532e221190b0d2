"""A naive implementation of the tactics game from the text of the rules, for comparison with the fast one.

It shares no code with the engine: a card is a (name, owner, {side: number}) triple, a board a dictionary of cells.
"""

ORDER = ["top", "right", "bottom", "left"]

FACES = {  # The direction of each side of a card on the table, by the seat that played it.
    "south": {"top": "up", "right": "right", "bottom": "down", "left": "left"},
    "north": {"top": "down", "right": "left", "bottom": "up", "left": "right"},  # a half turn
    "west": {"top": "right", "right": "down", "bottom": "left", "left": "up"},  # the top faces east
    "east": {"top": "left", "right": "up", "bottom": "right", "left": "down"},  # the top faces west
}
STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
ACROSS = {"up": "down", "down": "up", "left": "right", "right": "left"}

WORTH = {
    2: {"a1": 1, "b1": 2, "c1": 1, "a2": 2, "b2": 3, "c2": 2, "a3": 1, "b3": 2, "c3": 1},
    4: {
        **{"a1": 1, "b1": 2, "c1": 2, "d1": 1},
        **{"a2": 2, "b2": 3, "c2": 3, "d2": 2},
        **{"a3": 2, "b3": 3, "c3": 3, "d3": 2},
        **{"a4": 1, "b4": 2, "c4": 2, "d4": 1},
    },
}
SEATS = {2: ["south", "north"], 4: ["south", "west", "north", "east"]}


def start_of(setup):
    """Return the first position of an engine's setup."""
    decks = [[(card.name, seat, dict(card.zones)) for card in deck] for seat, deck in enumerate(setup.decks)]
    return {
        "board": {},
        "hands": [deck[:3] for deck in decks],
        "decks": [deck[3:] for deck in decks],
        "captured": [0] * len(decks),
        "turn": setup.first,
    }


def legal(position):
    cells = WORTH[len(position["hands"])]
    hand = position["hands"][position["turn"]]
    return sorted({f"{card[0]}@{cell}" for card in hand for cell in cells if cell not in position["board"]})


def points(position):
    worth = WORTH[len(position["hands"])]
    totals = list(position["captured"])
    for cell, (_, owner, _) in position["board"].items():
        totals[owner] += worth[cell]
    return totals


def play(position, move):
    cell, name = move[-2:], move[:-3]
    board = dict(position["board"])
    hands = [list(hand) for hand in position["hands"]]
    decks = [list(deck) for deck in position["decks"]]
    captured = list(position["captured"])
    turn, seats = position["turn"], SEATS[len(hands)]
    card = next(card for card in hands[turn] if card[0] == name)
    hands[turn].remove(card)
    board[cell] = card
    for side in ORDER:
        direction = FACES[seats[turn]][side]
        right, down = STEPS[direction]
        other = chr(ord(cell[0]) + right) + chr(ord(cell[1]) + down)
        if other not in board or board[other][1] == turn:
            continue
        _, owner, numbers = board[other]
        touching = [number for name, number in numbers.items() if FACES[seats[owner]][name] == ACROSS[direction]]
        if card[2][side] < touching[0]:
            break
        if card[2][side] > touching[0]:
            del board[other]
            captured[turn] += 1
    if decks[turn]:
        hands[turn].append(decks[turn].pop(0))
    if any(hands):
        turn = (turn + 1) % len(hands)
        while not hands[turn]:
            turn = (turn + 1) % len(hands)
    return {"board": board, "hands": hands, "decks": decks, "captured": captured, "turn": turn}


def count(position, depth):
    return 1 if depth == 0 else sum(count(play(position, move), depth - 1) for move in legal(position))
