"""Drawing and counting of many cards, and texts that look like SQL."""

from collections import Counter
from copy import deepcopy
from itertools import permutations
from pathlib import Path

import pytest
from helpers.catalogues import row, rows
from hypothesis import given
from hypothesis import strategies as st
from stored import fill, printing

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import EvidenceReader
from ccgrid.catalog.queries import name_query
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.imports import Provenance, import_rows
from ccgrid.catalog.store.queries import answer
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.deck_sources import RandomDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.many.tally import digest

INJECTIONS = (
    "'; DROP TABLE cards; --",
    "' OR '1'='1",
    '" OR 1=1 --',
    "x') UNION SELECT * FROM imports --",
    "%",
    "_",
    "\\",
    "cards",
    "\0",
    "\udcff",
)


# --- many cards -------------------------------------------------------------------------------------------------


def import_cards(store: Store, *cards: Card) -> Store:
    import_rows(store, map(printing, cards), EvidenceReader(), Provenance("made up", "here", "1"))
    return store


def ant(number: int, game: str = "ants", **zones: int) -> Card:
    zones = zones or {"top": number % 10}
    return Card(f"{game}:{number}", game, f"Ant {number}", zones, sum(zones.values()))


def test_pool_contains_legal_cards_and_builds_them_on_access(store: Store) -> None:
    full = {
        "set_code": 'a"b',
        "set_name": "Drake, ünd",
        "collector_number": "7",
        "face": (3, 4),
        "attack": 2,
        "defense": 0,
    }
    import_cards(
        store,
        *(ant(number, game) for game in ("bees", "ants") for number in range(5)),
        Card("ants:barred", "ants", "Queen", {}, 0),
        Card(
            "ants:full",
            "ants",
            "Full",
            {"top": 2, "bottom-right": 0},
            9,
            **full,
            released="1999-01-02",
            printed_name="Voll",
        ),
    )
    for games in ([], ["ants"], ["ants", "bees"]):
        pool = store.legal_pool(games)
        assert list(pool) == list(store.all_cards(games, legal=True))
        assert (len(pool), pool[-1], pool[1:3]) == (len(list(pool)), [*pool][-1], tuple(pool)[1:3])
    assert len({pool.kinds[pool.index(ant(number, game))] for game in ("ants", "bees") for number in range(5)}) == 5
    assert digest(RandomDecks(pool, 5)) == digest(
        RandomDecks(tuple(pool), 5)
    )  # The digest must match equal cards of a tuple.
    assert list(deepcopy(pool)) == list(pool)  # A pool can be copied, and therefore sent to other processes.


def test_every_draw_is_equally_likely(store: Store) -> None:
    import_cards(store, *(ant(number) for number in range(4)))
    draws = Counter(tuple(card.id for card in store.draw(2, Dice(seed))) for seed in range(2400))
    assert set(draws) == set(permutations([f"ants:{number}" for number in range(4)], 2))
    assert all(
        140 <= count <= 260 for count in draws.values()
    )  # the expected 200, plus or minus four standard deviations


@given(st.integers(), st.integers(0, 30))
def test_draw_returns_different_legal_cards_determined_by_the_seed(seed: int, count: int) -> None:
    with Store.in_memory() as store:
        import_cards(store, *(ant(number) for number in range(30)), Card("ants:barred", "ants", "Queen", {}, 0))
        drawn = store.draw(count, Dice(seed))
        assert len({card.id for card in drawn}) == count
        assert all(card.legal for card in drawn)
        assert store.draw(count, Dice(seed)) == drawn


def test_draw_does_not_depend_on_the_order_of_imports() -> None:
    drawn = []
    for order in (1, -1):
        with Store.in_memory() as store:
            import_cards(store, *[ant(number) for number in range(50)][::order])
            drawn.append(store.draw(20, Dice(3)))
    assert drawn[0] == drawn[1]


def test_draw_may_be_restricted_to_games(store: Store) -> None:
    import_cards(store, *(ant(number, game) for game in ("ants", "bees", "wasps") for number in range(10)))
    assert {card.game for card in store.draw(20, Dice(1), ["ants", "wasps"])} == {"ants", "wasps"}
    assert {card.game for card in store.all_cards(["bees"])} == {"bees"}
    assert len(store.legal_ids(["bees", "ants"])) == 20
    with pytest.raises(CatalogError, match=r"no cards of the game 'moths'. It has: ants, bees, wasps\."):
        store.draw(1, Dice(1), ["ants", "moths"])
    with pytest.raises(CatalogError, match="has 10 legal cards of bees, and 11 are needed"):
        store.draw(11, Dice(1), ["bees"])


def test_stats_match_the_cards(store: Store, tmp_path: Path) -> None:
    fill(store, tmp_path, [*rows(30), *(row(n, power="1", toughness="1") for n in range(100, 105))])
    import_cards(store, ant(1), ant(2, top=3, left=4), Card("ants:barred", "ants", "Queen", {}, 0))
    stats, cards = store.stats(), list(store.all_cards())
    assert stats.cards == len(cards) == 38
    assert stats.legal == sum(card.legal for card in cards) == sum(game.legal for game in stats.games)
    assert [game.game for game in stats.games] == ["ants", "mtg"]
    for game in stats.games:
        own = [card for card in cards if card.game == game.game]
        assert game.cards == len(own) == game.legal + sum(game.barred.values())
        assert game.barred == Counter(card.reason for card in own if not card.legal)
        assert game.zones == {zone: sum(zone in card.zones for card in own if card.legal) for zone in ZONES}


def test_sources_are_counted_with_their_last_import(store: Store, tmp_path: Path) -> None:
    fill(store, tmp_path, rows(5))
    fill(store, tmp_path, rows(6))
    assert store.sources()["mtg"]["cards"] == 6
    assert list(store.sources()) == ["mtg"]


# --- texts that look like SQL -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", INJECTIONS)
def test_text_is_never_executed_as_sql(store: Store, tmp_path: Path, text: str) -> None:
    name = text.encode("utf-8", "replace").decode()
    fill(store, tmp_path, [*rows(30), row(31, name=name or "x", set=name, collector_number=name)])
    for call in (
        lambda: store.cards([text]),
        lambda: store.by_name(text),
        lambda: store.near(text),
        lambda: answer(store, name_query(name), [name], forgiving=True),
        lambda: store.explain(text.encode("utf-8", "replace").decode()),
        lambda: list(store.all_cards([name], legal=True)),
        lambda: store.legal_ids([name]),
        lambda: list(store.legal_pool([name])),
    ):
        call()
    for refused in (
        lambda: store.find(f"{text} qqq", text, text),
        lambda: store.draw(1, Dice(1), [text]),
        lambda: store.check_game(text),
    ):
        with pytest.raises(CatalogError):
            refused()
    assert store.stats().cards == 31
    assert [card.name for card in store.cards([f"mtg:{name}/{name}"])] == [name]
    assert name in {card.name for card in store.by_name(name)}
