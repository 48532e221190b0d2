"""Real exports of collection apps: every row is matched, skipped or reported, and exact matches are the right card."""

import csv
import gzip
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.catalogues import json_lines
from helpers.collection_catalogue import card

from ccgrid.catalog.collection.formats import open_rows
from ccgrid.catalog.collection.formats.table_columns import parse_map
from ccgrid.catalog.imports.run import ImportRequest, import_bundled
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.lookup import StoreLookup

HELVAULT = "copies=1,name=2,set_code=3,number=4,scryfall=5,language=6,finish=7"

# The file, its format, the numbers of rows for each outcome in `HOW` (matched with 60 sets), and the copies.
EXPORTS = [
    ("collections/MTGScryfallLookup/Collection102125.csv", "moxfield", (0, 954, 0, 4, 11826, 0), 21718),
    ("collections/mtg-deck-collection/ManaBox_Collection.csv", "manabox", (8, 0, 0, 0, 211, 0), 228),
    ("collections/MTGstuff/Inventory.csv", "deckbox", (0, 395, 0, 5, 437, 0), 2280),
    ("collections/MTG_DeckFind/all-folders.csv", "dragonshield", (0, 727, 0, 0, 3250, 0), 6167),
    ("collections/tcgtoarchidekt/TCGplayerBRODECK.csv", "tcgplayer", (0, 0, 0, 0, 35, 0), 40),
    ("collections/goldfish_to_moxfield/my_collection.csv", "mtggoldfish", (68, 129, 3, 1, 2067, 0), 3192),
    ("collections/MTGArenaCardCounter/collection.csv", "csv", (0, 993, 0, 0, 6906, 0), 21855),
    ("collections/MTGO-to-Moxfield/deck.csv", "mtgo", (0, 0, 0, 0, 147, 0), 147),
    ("collections/MTGBinder/collection.csv", "mtggoldfish", (0, 0, 239, 0, 593, 0), 2259),
    ("collections/MTGBinder/small-collection.csv", "mtggoldfish", (0, 0, 1, 0, 5, 0), 7),
    ("collections/riftbound-trainer-unofficial/collection.csv", "riftbound", (0, 0, 0, 0, 408, 0), 792),
    ("collections/helvault2archidekt/2024-10-05-failures.txt", "csv", (0, 0, 0, 0, 42, 212), 42),
    ("yugioh/YGOManager/all-folders.csv", "dragonshield", (0, 0, 0, 0, 1615, 0), 5711),
    ("yugioh/ygo-collection/collection.csv", "ygoprodeck", (0, 0, 0, 0, 2202, 0), 9946),
    ("decks/xmage-importer/testdeck.mtga", "arena", (0, 8, 1, 0, 3, 0), 15),
    ("decks/xmage-importer/testdeck.dek", "mtgo-dek", (2, 0, 0, 0, 4, 0), 8),
    ("decks/xmage-importer/testdeck.cod", "cockatrice", (0, 0, 2, 0, 3, 0), 22),
]
CURRENT_SET_CODES = {"dar": "dom", "in": "inv", "Magic 2015 Core Set": "m15"}
HOW = ("id", "number", "name", "fuzzy", "missed", "skipped")


@pytest.fixture(scope="module")
def slice_of_60_sets(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Create a catalogue of 60 sets, which no test changes."""
    file = shared_data / "scryfall" / "scryfall-2018-2019-slice.json.gz"
    with Store(tmp_path_factory.mktemp("slice") / "catalogue.db", create=True) as store:
        import_bundled(ImportRequest(find_source("mtg"), file), store)
        yield store


@pytest.fixture(scope="module")
def in_slice(slice_of_60_sets: Store) -> Resolver:
    """Return a matcher for that catalogue, whose cache serves all files."""
    return Resolver(StoreLookup(slice_of_60_sets))


def read(path: Path) -> list[tuple[str, object]]:
    columns = parse_map(HELVAULT) if "failures" in path.name else None
    reading = open_rows(path, path.name, None, columns, lambda remark: None)
    return [(reading.name, row) for row in reading.rows]


@pytest.mark.parametrize(
    ("name", "form", "expected", "copies"),
    [pytest.param(*entry, id=entry[0], marks=[pytest.mark.slow] * (entry[3] > 20_000)) for entry in EXPORTS],
)
def test_every_row_of_a_real_export_has_one_outcome(
    in_slice: Resolver, shared_data: Path, name: str, form: str, expected: tuple[int, ...], copies: int
) -> None:
    outcomes: Counter[str] = Counter()
    found = read(shared_data / name)
    for output, row in found:
        assert output == form
        if not isinstance(row, Row):
            outcomes["skipped"] += 1
            continue
        match = in_slice.match(row)
        outcomes[match.how] += 1
        assert (match.card is None) == (match.how == "missed")
        assert bool(match.reason) == (match.how in ("fuzzy", "missed"))
        if match.card is not None and match.how != "fuzzy":
            assert_same_card(row, match.card)
    assert outcomes.total() == len(found)
    assert tuple(outcomes[how] for how in HOW) == expected
    assert sum(row.copies for _, row in found if isinstance(row, Row)) == copies


def assert_same_card(row: Row, card) -> None:
    """Assert that a row has the card's name or a half of it, its set's code or name, and its number."""
    assert fold(row.name) in {fold(card.name), *(fold(half) for half in card.name.split(" // "))}, (row, card)
    if row.set_code or row.set_name:
        names = {row.set_code.casefold(), fold(row.set_name)}
        today = CURRENT_SET_CODES.get(row.set_code.casefold()) or CURRENT_SET_CODES.get(row.set_name)
        assert names & {card.set_code.casefold(), fold(card.set_name)} or today == card.set_code, (row, card)
    if row.number:
        assert row.number.partition("/")[0].lstrip("0") == card.number.lstrip("0"), (row, card)


def test_every_line_of_a_deck_list_is_read(in_slice: Resolver, shared_data: Path) -> None:
    folder = shared_data / "decks" / "magic-preconstructed-decks"
    for path in sorted(folder.glob("*.txt")):
        copies = re.findall(r"^(?:[A-Z]+: )?(\d+) ", path.read_text("utf-8"), re.MULTILINE)
        found = [row for _, row in read(path)]
        assert [row.copies for row in found if isinstance(row, Row)] == [int(count) for count in copies], path.name
        for row in found:
            assert isinstance(row, Row)
            match = in_slice.match(row)
            if match.card is not None and match.how != "fuzzy":
                assert_same_card(
                    row._replace(number=row.number.rstrip("ab")),
                    match.card._replace(number=match.card.number.rstrip("ab")),
                )


@pytest.mark.slow
def test_every_row_of_an_export_matches_a_complete_catalogue(shared_data: Path, tmp_path: Path) -> None:
    """Match 12,784 rows, each with exactly the printing that it names."""
    path = shared_data / "collections" / "MTGScryfallLookup" / "Collection102125.csv"
    with path.open(encoding="utf-8", newline="") as file:
        printings = {(row["Edition"], row["Collector Number"]): row["Name"] for row in csv.DictReader(file)}
    cards = [card(set_code, number, name) for (set_code, number), name in printings.items()]
    cards_file = tmp_path / "cards.jsonl.gz"
    cards_file.write_bytes(gzip.compress(json_lines(cards), 1))
    with Store(tmp_path / "all.db", create=True) as store:
        import_bundled(ImportRequest(find_source("mtg"), cards_file), store)
        matcher = Resolver(StoreLookup(store))
        for _, row in read(path):
            match = matcher.match(row)
            assert (match.how, match.card.set_code, match.card.number) == ("number", row.set_code, row.number), (
                row,
                match,
            )
