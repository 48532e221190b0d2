"""A naive implementation of the ninecard game from the text of the rules, for comparison with the fast one.

It shares no code with the engine: a card is a (name, attack, defense) triple or a (name,) single, a grid a dictionary
of cells, a position a dictionary that is copied completely for every move.
"""

import copy
import itertools

ROWS = {"a": ["a1", "a2", "a3"], "b": ["b1", "b2", "b3"], "c": ["c1", "c2", "c3"]}


def start_of(setup):
    """Return the first position of an engine's setup."""
    decks = [[plain(card) for card in deck] for deck in setup.decks]
    position = {
        "names": list(setup.players),
        "players": [
            {
                "life": setup.options.life,
                "deck": deck[5:],
                "hand": deck[:5],
                "energy": [],
                "grid": {},
                "pile": [],
                "out": False,
            }
            for deck in decks
        ],
        "facedown": setup.options.facedown,
        "one_creature": setup.options.one_creature,
        "limit": setup.options.limit,
        "who": setup.first,
        "turns": 0,
        "over": False,
    }
    begin(position)
    return position


def plain(card):
    return (card.name, card.attack, card.defense) if hasattr(card, "attack") else (card.name,)


def begin(position):
    position["turns"] += 1
    position.update(part="main", used=0, tired=set(), came=False, laid=False, target=None, order=None)
    draw(position["players"][position["who"]])


def draw(player):
    if player["deck"]:
        player["hand"].append(player["deck"].pop(0))


def are_adjacent(cell, other):
    return abs(ord(cell[0]) - ord(other[0])) + abs(int(cell[1]) - int(other[1])) == 1


def attackers(position):
    """Return the cells that may attack next, by trying: the order of attacks is a list of cells, column by column."""
    mine, done = position["order"], position["done"]
    found = []
    for column in "abc":
        line = mine[column]  # From front to back when the assault began.
        if any(cell[0] > column for cell in done):
            continue
        behind = [cell for cell in line if cell not in done]
        in_front = line[: len(line) - len(behind)]
        if behind and all(cell in done for cell in in_front) and position["strength"][behind[0]] > 0:
            found.append(behind[0])
    return found


def legal(position):
    me = position["players"][position["who"]]
    if position["over"]:
        return []
    if position["part"] == "discard":
        return sorted({"discard " + card[0] for card in me["hand"]})
    if position["part"] == "assault":
        return sorted(["end"] + ["attack " + cell for cell in attackers(position)])
    moves = set()
    for card in me["hand"]:
        if len(card) == 1:
            moves.add("energy " + card[0])
        else:
            if card[1] + card[2] <= len(me["energy"]) - position["used"]:
                moves |= {f"play {card[0]} {column}" for column in "abc" if column + "3" not in me["grid"]}
            if position["facedown"]:
                moves.add("facedown " + card[0])
            if position["one_creature"] and not position["laid"]:
                moves.add("sacrifice " + card[0])
    for cell, other in itertools.permutations(itertools.chain(*ROWS.values()), 2):
        if are_adjacent(cell, other) and cell in me["grid"] and cell not in position["tired"]:
            if other not in me["grid"]:
                moves.add(f"move {cell} {other}")
            elif other not in position["tired"] and cell < other:
                moves.add(f"swap {cell} {other}")
    for name, player in zip(position["names"], position["players"], strict=True):
        if player is not me and not player["out"]:
            moves.add("assault " + name)
    return sorted(moves)


def take(hand, name):
    return hand.pop([card[0] for card in hand].index(name))


def play(position, move):
    position = copy.deepcopy(position)
    me = position["players"][position["who"]]
    word, _, rest = move.partition(" ")
    if word in ("energy", "facedown", "sacrifice"):
        me["energy"].append(take(me["hand"], rest))
        position["laid"] |= word == "sacrifice"
    elif word == "play":
        card = take(me["hand"], rest[:-2])
        row = 3
        while row > 1 and f"{rest[-1]}{row - 1}" not in me["grid"]:
            row -= 1
        me["grid"][f"{rest[-1]}{row}"] = card
        position["used"] += card[1] + card[2]
        position["came"] = True
    elif word in ("move", "swap"):
        one, two = rest.split()
        first, second = me["grid"].pop(one), me["grid"].pop(two, None)
        me["grid"][two] = first
        position["tired"].add(two)
        if second:
            me["grid"][one] = second
            position["tired"].add(one)
    elif word == "assault":
        position.update(part="assault", target=position["names"].index(rest), done=[])
        position["order"] = {column: [cell for cell in ROWS[column] if cell in me["grid"]] for column in "abc"}
        position["strength"] = {cell: card[1] for cell, card in me["grid"].items()}
    elif word == "attack":
        position["done"].append(rest)
        fight(me, position["players"][position["target"]], rest)
        if position["players"][position["target"]]["life"] <= 0:
            clean_up(position)
    elif word == "end":
        clean_up(position)
    elif word == "discard":
        me["pile"].append(take(me["hand"], rest))
        if len(me["hand"]) <= 5:
            pass_on(position)
    return position


def fight(me, target, cell):
    _, strength, toughness = me["grid"][cell]
    taken = 0
    for row in ROWS[cell[0]]:
        if row not in target["grid"]:
            continue
        _, attack, defense = target["grid"][row]
        taken += attack
        if strength >= defense:
            target["pile"].append(target["grid"].pop(row))
        if taken >= toughness:
            me["pile"].append(me["grid"].pop(cell))
            return
        if strength <= defense:
            return
        strength -= defense
    target["life"] -= strength


def clean_up(position):
    for player in position["players"]:
        for column in "abc":
            line = [player["grid"].pop(cell) for cell in ROWS[column] if cell in player["grid"]]
            player["grid"].update(zip(ROWS[column], line, strict=False))
        if player["life"] <= 0:
            player["out"] = True
    me = position["players"][position["who"]]
    if is_last(position):
        return
    if (
        not me["grid"]
        and not position["came"]
        and not any(could_play(position, me, place) for place in range(len(me["hand"])))
    ):
        me["out"] = True
        if not is_last(position):
            pass_on(position)
        return
    while len(me["hand"]) < 5 and me["deck"]:
        draw(me)
    if len(me["hand"]) > 5:
        position["part"] = "discard"
    else:
        pass_on(position)


def could_play(position, me, place):
    card = me["hand"][place]
    if len(card) == 1:
        return False
    others = me["hand"][:place] + me["hand"][place + 1 :]
    energy = len(me["energy"]) + sum(len(other) == 1 for other in others)
    creatures = sum(len(other) == 3 for other in others)
    if position["facedown"]:
        energy += creatures
    elif position["one_creature"] and not position["laid"]:
        energy += min(creatures, 1)
    return card[1] + card[2] <= energy


def is_last(position):
    position["over"] = sum(not player["out"] for player in position["players"]) == 1
    return position["over"]


def pass_on(position):
    if position["turns"] == position["limit"]:
        position["over"] = True
        return
    while True:
        position["who"] = (position["who"] + 1) % len(position["players"])
        if not position["players"][position["who"]]["out"]:
            break
    begin(position)


def scores(position):
    return [0 if player["out"] else player["life"] for player in position["players"]]


def count(position, depth):
    if depth == 0:
        return 1
    return sum(count(play(position, move), depth - 1) for move in legal(position))
