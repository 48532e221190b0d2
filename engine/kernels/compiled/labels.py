"""How cards of one name are told apart in compiled games, as `engine.cards.label` does, and how their names sort.

Different cards of one name in a deck are `Name`, `Name #2`, `Name #3` in the order in which they are in it before it is
shuffled, and moves are sorted by these names.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final

import numpy as np

from catalog.card import Card
from engine.kernels.compiled.compiler import compiled

_U: Final = np.uint64


class Labels:
    """The names of cards, as numbers: cards with equal `look` and name are copies.

    Attributes:
        name: for each card a number for its name.
        look: for each card a number for its name and its looks.
        begins: for each name where its texts begin: `Name`, `Name #2` and so on, one for each look that there is.
        texts: all texts.
    """

    def __init__(self, cards: Sequence[Card], look: Callable[[Card], Hashable]) -> None:
        names: dict[str, dict[Hashable, int]] = {}
        looks = 0
        numbers = []
        for card in cards:
            there = names.setdefault(card.name, {})
            key = look(card)
            if key not in there:
                there[key] = looks
                looks += 1
            numbers.append(there[key])
        order = {name: number for number, name in enumerate(names)}
        self.name = np.array([order[card.name] for card in cards], np.uint32)
        self.look = np.array(numbers, np.uint32)
        self.texts: list[str] = []
        begins = []
        for name, there in names.items():
            begins.append(len(self.texts))
            self.texts += [name if count == 1 else f"{name} #{count}" for count in range(1, len(there) + 1)]
        self.begins = np.array(begins, np.uint32)
        self.are_plain = len(set(self.texts)) == len(self.texts)

    def ranks(self, endings: Sequence[str]) -> Any:
        """For each text and each ending, in that order, where the two together stand when all are sorted."""
        whole = [text + ending for text in self.texts for ending in endings]
        ranks = np.zeros(len(whole), np.uint32)
        ranks[sorted(range(len(whole)), key=whole.__getitem__)] = np.arange(len(whole))
        return ranks.reshape(len(self.texts), len(endings))


@compiled("void(uint32[::1], uint32[::1], uint32[::1], uint32[::1], uint32[::1])", borrows=True)
def label(deck: Any, name: Any, look: Any, begins: Any, labelled: Any) -> None:
    """The place of each card's text, for a deck of places of cards, in the order in which they lie in it."""
    for place in range(len(deck)):
        card = deck[place]
        count = _U(0)
        for earlier in range(place):
            other = deck[earlier]
            if name[other] != name[card]:
                continue
            if look[other] == look[card]:
                count = labelled[earlier] - begins[name[card]]
                break
            count = max(count, _U(labelled[earlier] - begins[name[card]] + _U(1)))
        labelled[place] = begins[name[card]] + count
