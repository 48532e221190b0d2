"""The catalogue's store: cards are read as they were written, found by name, and explained."""

from pathlib import Path

import pytest
from helpers.catalogues import row, rows
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from stored import fill, printing

from ccgrid.catalog.card import Card
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.description import UNKNOWN, Description
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import CardReading, EvidenceReader
from ccgrid.catalog.holding import NOWHERE
from ccgrid.catalog.imports.run import ImportRequest, import_bundled
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.packed import pack, packing
from ccgrid.catalog.printing import Printing, SourceRow, UnreadRow
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.cards import ZONE_COLUMNS
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.custom_cards import add_card
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey
from ccgrid.catalog.store.imports import INSERT, READ, Provenance, card_row, import_rows
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.zones import ZONES

numbers = st.integers(0, 10)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)


@st.composite
def written_card(draw: st.DrawFn) -> Card:
    zones = draw(st.dictionaries(st.sampled_from(ZONES), numbers, min_size=1, max_size=8))
    face = draw(st.lists(numbers, max_size=4))
    return Card(
        id=f"dusk:{draw(texts)}",
        game="dusk",
        name=draw(texts),
        zones={zone: zones[zone] for zone in ZONES if zone in zones},
        score=sum(zones.values()) + sum(face),
        set_code=draw(texts),
        set_name=draw(texts),
        collector_number=draw(texts),
        face=tuple(face),
        attack=draw(st.none() | numbers),
        defense=draw(st.none() | numbers),
        released=draw(st.none() | texts),
        lang=draw(texts),
        printed_name=draw(st.none() | texts),
    )


@given(written_card())
def test_stored_card_equals_the_given_one(card: Card) -> None:
    with Store.in_memory() as store:
        import_rows(store, [printing(card)], EvidenceReader(), Provenance("dusk", "here", "1"))
        assert store.cards([card.id]) == [card]
        assert list(store.all_cards()) == [card]
        assert card in store.by_name(card.name)
        assert store.find(card.id) == card


def test_cards_are_returned_in_the_requested_order(store: Store, tmp_path: Path) -> None:
    fill(store, tmp_path, rows(1200))
    ids = [f"mtg:dsk/{number}" for number in range(1200, 0, -1)]
    assert [card.id for card in store.cards([*ids, "mtg:dsk/0", ids[0]])] == [*ids, ids[0]]
    assert store.cards([]) == []


@pytest.fixture
def printings(store: Store, tmp_path: Path) -> Store:
    return fill(
        store,
        tmp_path,
        [
            row(1, name="Lightning Bolt", set="lea", collector_number="161", released_at="1993-08-05", mana_cost="{R}"),
            row(2, name="Lightning Bolt", set="m10", collector_number="146", released_at="2009-07-17"),
            row(3, name="Lightning Bolt", set="m10", collector_number="146★", released_at="2009-07-17"),
            row(4, name="Lightning Bolt", set="fbb", collector_number="7", lang="fr", printed_name="Foudre"),
            row(5, name="Lim-Dûl's Vault", set="all", collector_number="107"),
            row(6, name="Fire // Ice", set="apc", collector_number="128"),
            row(7, name="Firefly", set="tmp", collector_number="9"),
        ],
    )


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (("mtg:m10/146",), "mtg:m10/146"),
        (("MTG:M10/146",), "mtg:m10/146"),
        (("Lightning Bolt",), "mtg:lea/161"),  # the earliest, even if it is not legal
        (("lightning bolt",), "mtg:lea/161"),
        (("Lightning Bolt", "LEA"), "mtg:lea/161"),
        (("Lightning Bolt", "m10", "146★"), "mtg:m10/146★"),
        (("Lightning Bolt", "m10", "0146"), "mtg:m10/146"),
        (("Foudre",), "mtg:fbb/7/fr"),
        (("Lim-Dul's Vault",), "mtg:all/107"),
        (("LIM DUL'S VAULT",), "mtg:all/107"),
        (("Fire",), "mtg:apc/128"),
        (("fire", "apc", "128a"), "mtg:apc/128"),
        (("Fire/Ice",), "mtg:apc/128"),
        (("Ice",), "mtg:apc/128"),
    ],
)
def test_find_returns_one_printing(printings: Store, asked: tuple[str, ...], found: str) -> None:
    assert printings.find(*asked).id == found


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("Lightening Bolt",), snapshot("No card matches 'Lightening Bolt'. Did you mean: Lightning Bolt?")),
        (("Qqqqqq",), snapshot("No card matches 'Qqqqqq'.")),
        (("",), snapshot("No card matches ''.")),
        (
            ("Lightning Bolt", "xxx"),
            snapshot(
                "'Lightning Bolt' not found: the catalogue has no set 'xxx'; other sets have it. Did you mean: "
                "Lightning Bolt (mtg, lea 161; mtg:lea/161), Lightning Bolt (mtg, m10 146; mtg:m10/146), "
                "Lightning Bolt (mtg, m10 146★; mtg:m10/146★)?"
            ),
        ),
        (
            ("Lightning Bolt", "m10", "7"),
            snapshot(
                "'Lightning Bolt' not found: m10 has 'Lightning Bolt' as number 146, not as 7. Did you mean: "
                "Lightning Bolt (mtg, m10 146; mtg:m10/146), Lightning Bolt (mtg, m10 146★; mtg:m10/146★)?"
            ),
        ),
    ],
)
def test_find_error_suggests_alternatives(printings: Store, asked: tuple[str, ...], words: str) -> None:
    with pytest.raises(CatalogError) as refusal:
        printings.find(*asked)
    assert str(refusal.value) == words


def test_by_name_returns_every_printing_oldest_first(printings: Store) -> None:
    ids = ["mtg:lea/161", "mtg:fbb/7/fr", "mtg:m10/146", "mtg:m10/146★"]
    assert [card.id for card in printings.by_name("Lightning Bolt")] == ids
    assert printings.by_name("LIGHTNING-BOLT") == printings.by_name("Lightning") == []


def test_name_is_found_in_every_spelling_and_by_its_halves(printings: Store) -> None:
    add_card(printings, CustomCard("arcadia", "LIGHTNING bolt", printed={"top": "1"}))
    lookup = StoreLookup(printings)
    assert lookup.spelled("lightning bolt") == ["LIGHTNING bolt", "Lightning Bolt"]
    assert [card.id for card in lookup.by_name("Foudre")] == ["mtg:fbb/7/fr"]
    assert lookup.names_with_half("fire") == lookup.names_with_half("ice") == lookup.spelled("fire") == ["Fire // Ice"]
    assert lookup.names_with_half("") == lookup.names_with_half("fire ice") == []


def test_owned_among_returns_only_owned_ids(printings: Store) -> None:
    card = StoreLookup(printings).card("mtg:apc/128")
    assert card is not None
    assert printings.owned_among([card.id]) == frozenset()
    collection = CollectionStore(printings)
    for kind in (CopyKey("normal", "", "en", NOWHERE), CopyKey("foil", "", "en", NOWHERE)):
        with collection.change("add"):
            collection.add(card, 2, kind)
    assert printings.owned_among(["x:y"] * 1200 + [card.id, "mtg:lea/161"]) == {card.id}


def test_near_ranks_all_names_including_printed_ones(printings: Store) -> None:
    assert printings.near("lightening bolt")[0].name == "Lightning Bolt"
    assert printings.near("fodre")[0].name == "Foudre"
    assert printings.near("") == []


def test_name_of_punctuation_is_found_only_by_its_exact_text(store: Store, tmp_path: Path) -> None:
    fill(store, tmp_path, [row(1, name="_____"), row(2)])
    assert store.find("_____").id == "mtg:dsk/1"
    with pytest.raises(CatalogError, match="No card matches"):
        store.find("?!")


def explained(store: Store, card_id: str) -> tuple[dict[str, int], list[int], int]:
    """Return zones, face and score of a card, computed from its explained numbers."""
    zones: dict[str, list[int]] = {}
    face: list[int] = []
    for number in store.explain(card_id):
        assert number.why
        if number.counts:
            (face if number.zone == "face" else zones.setdefault(number.zone, [])).append(number.value)
    single = {zone: found[0] for zone, found in zones.items() if len(found) == 1}
    return single, face, sum(map(sum, zones.values())) + sum(face)


def assert_all_explained(store: Store) -> None:
    count = 0
    for card in store.all_cards():
        zones, face, score = explained(store, card.id)
        assert (zones, face, score) == (dict(card.zones), list(card.face), card.score), card
        count += 1
    assert count >= 400


def test_explained_numbers_match_every_bundled_card(store: Store) -> None:
    import_bundled(ImportRequest(find_source("starter")), store)
    assert_all_explained(store)


@pytest.mark.slow
def test_explained_numbers_match_every_real_card(store: Store, shared_data: Path) -> None:
    file = shared_data / "scryfall" / "scryfall-2018-2019-slice.json.gz"
    import_bundled(ImportRequest(find_source("mtg"), file), store)
    assert_all_explained(store)


# --- Rows of cards ------------------------------------------------------------------------------------------------


EVERYTHING = CardReading({zone: [number] for number, zone in enumerate(ZONES, 3)}, [1, 0], 9, "oversized", 0, 10, [])
NOTHING = CardReading({}, [], 0, None, None, None, [])
SEVERAL = CardReading({"left": [2, 0], "bottom-right": [0]}, [], 2, "multiple-numbers:left", 0, None, [])


@pytest.mark.parametrize("reading", [EVERYTHING, NOTHING, SEVERAL])
@pytest.mark.parametrize(("released", "printed_name"), [(None, None), ("", ""), ("1998-06-15", "0")])
def test_row_read_from_the_table_equals_the_bound_one(
    reading: CardReading, released: str | None, printed_name: str | None
) -> None:
    details = ("rare", "", Description(text="Draw.")) if printed_name else ("", "Ann", UNKNOWN)
    printing = Printing("made:1/1", "Fog", {}, "1", "One", "1", released, "en", printed_name, "scryfall:x", *details)
    row = card_row(printing, pack(reading), lambda description, game: len(description.text), "made", 7)
    with Store.in_memory() as store:
        store.connection.execute(INSERT, row)
        assert (*store.connection.execute(f"SELECT {READ} FROM cards").fetchone(), 7) == row
        (card,) = store.tables["cards"].rows
    zones = [found[0] if len(found := reading.zones.get(zone, [])) == 1 else None for zone in ZONES]
    assert [card[column] for column in ZONE_COLUMNS] == zones
    assert (card["legal"], card["reason"]) == (reading.reason is None, reading.reason)
    assert (card["attack"], card["defense"]) == (reading.attack, reading.defense)
    assert (card["released"], card["printed_name"]) == (released, printed_name)
    assert (card["import_id"], card["game"]) == (7, "made")


def test_layout_packs_numbers_like_the_general_reader() -> None:
    layout = find_layout("mtg").compiled()
    fields = {"mana_cost": "{2}{W}", "power": "3", "toughness": "13", "text": "Draw 2, or 1.", "frame": "2015"}
    fields |= {"name": "Fog of 9", "collector_number": "7", "released_at": "2015-01-01", "layout": "normal"}
    for absent in ([], ["power"], ["mana_cost", "text", "name"], list(fields)):
        shown = {name: text for name, text in fields.items() if name not in absent}
        assert packing(layout)(shown) == pack(layout.read(shown))


def test_recorded_numbers_are_packed() -> None:
    fields = {"printed": [("top", "cost", "stats", "4")], "attack": 1, "defense": None}
    assert packing(EvidenceReader())(fields) == pack(EvidenceReader().read(fields))


# --- repeated ids -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number_versions", [False, True])
def test_repeated_ids_are_treated_alike_in_first_and_later_imports(number_versions: bool) -> None:
    cards = [Card(f"ants:a/{number}", "ants", f"Ant {number}", {"top": number % 9}, 0) for number in range(1200)]
    others = [Card(f"ants:a/{number}", "ants", f"Ant {number}", {"left": 3}, 0) for number in range(0, 1200, 50)]
    given = [*cards[:700], *others[:20], cards[3], *cards[700:], *others, cards[1199]]
    outcomes = []
    for earlier in ([], [Card("bees:b/1", "bees", "Bee", {"top": 1}, 0)]):
        with Store.in_memory() as store:
            if earlier:
                import_rows(store, map(printing, earlier), EvidenceReader(), Provenance("bees", "here", "1"))
            summary = import_rows(
                store,
                map(printing, given),
                EvidenceReader(),
                Provenance("ants", "here", "1"),
                number_versions=number_versions,
            )
            stored = store.connection.execute(
                "SELECT number - ?, id, printed FROM cards WHERE game = 'ants'", (len(earlier),)
            )
            outcomes.append((summary, stored.fetchall()))
    assert outcomes[0] == outcomes[1]
    # Numbered versions: only those that are equal to a card are skipped.
    assert (summary.read, summary.skipped) == (1246, 22 if number_versions else 46)


# --- Indexes of the cards -----------------------------------------------------------------------------------------


ORIGIN = Provenance("made", "cards.jsonl", "reader")
CARDS = [printing(Card(f"made:{n}", "made", f"Card {n}", {"top": n}, n)) for n in range(9)]


def indexes(store: Store) -> list[tuple[str, str]]:
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name <> 'imports' ORDER BY name"
    return store.connection.execute(query).fetchall()


@pytest.mark.parametrize("rows", [CARDS, [*CARDS, *CARDS], []])
def test_import_rebuilds_every_index(rows: list[SourceRow]) -> None:
    with Store.in_memory() as store:
        before = indexes(store)
        store.connection.execute("CREATE INDEX mine ON cards (score)")
        mine = indexes(store)
        if rows:
            import_rows(store, rows, EvidenceReader(), ORIGIN)
        else:
            with pytest.raises(CatalogError):
                import_rows(store, [UnreadRow("line 1", "no card")], EvidenceReader(), ORIGIN)
        assert indexes(store) == mine
        assert len(mine) == len(before) + 1
        assert store.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        plan = "EXPLAIN QUERY PLAN SELECT id FROM cards WHERE name = 'Card 1'"
        assert "cards_by_name" in str(store.connection.execute(plan).fetchall())


def test_path_of_catalogue_may_be_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Store("cards.db", create=True) as store:
        assert store.path == Path("cards.db")
    with Store(tmp_path / "cards.db") as store:
        assert store.is_empty()
