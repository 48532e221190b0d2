"""The legal cards that a search for decks goes through: all of them, or of very many a part that stands for them."""

from typing import Final

from catalog.card import Card
from catalog.sampling import Sampler
from catalog.store.catalogue import ALL_CARDS, Selection, Store, chosen

_RARE: Final = 100
"""All cards of a score that no more cards have are taken: high scores are rare, and matter most."""


def sampled_pool(
    store: Store, most: int, dice: Sampler, games: tuple[str, ...] = (), only: Selection = ALL_CARDS
) -> list[Card]:
    """The legal cards of these games or of all, in the order of their ids; of more than so many a sample.

    The catalogue and the dice decide it. It is drawn uniformly, and every card of a rare score is added.
    """
    where, values = chosen(games, only, legal=True)
    query = f"SELECT score, count(*) FROM cards {where} GROUP BY score"  # noqa: S608  only marks
    counts = dict(store.connection.execute(query, values).fetchall())
    count = sum(counts.values())
    if count <= most:
        return list(store.all_cards(games, legal=True, only=Selection(only.test, only.values)))
    drawn = frozenset(dice.sample(count, most))
    rows = store.connection.execute(f"SELECT id FROM cards {where} ORDER BY id", values)  # noqa: S608  only marks
    ids = {card_id for place, (card_id,) in enumerate(rows) if place in drawn}
    rare = [score for score, cards in counts.items() if cards <= _RARE]
    query = f"SELECT id FROM cards {where} AND score IN ({','.join('?' * len(rare))})"  # noqa: S608  the same
    ids.update(card_id for (card_id,) in store.connection.execute(query, (*values, *rare)))
    return store.cards(sorted(ids))
