"""Collections exported in each format and imported again: every difference was reported as a loss."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from helpers.catalogues import make_catalogue, row, write_rows
from helpers.everyday import one_in, part_of, slow_except
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.collection.export import CatalogError, Loss, export, find_writer
from ccgrid.catalog.collection.formats import all_formats
from ccgrid.catalog.collection.imports import CollectionImport, import_file
from ccgrid.catalog.files import atomic_text_file
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.lookup import StoreLookup

PARTS: Final = 16
WRITERS: Final = [form.name for form in all_formats() if form.write is not None]
NAMES: Final = (
    *("Zer0", "4 Horsemen", "Etched Oracle", "Oracle", "B.F.M. (Left)", "B.F.M. (Right)", "Foil", "Fire // Ice"),
    *("1996 World Champion", '"Ach! Hans, Run!"', "Borrowing 100,000 Arrows", "+2 Mace", "_____", "Foil Oracle"),
    *("Erase (Not the Other One)", "Phyrexian Censor", "Censor", "Near Mint", "Hazmat Suit (Used)", "Signed Book"),
    *("Jötun Grunt", "Lim-Dûl's Vault", 'Kongming, "Sleeping Dragon"', "X", "Sideboard", "German Shepherd", "稲妻"),
    *("=1+4", "Deck", "3x3 Grid", "Bolt #2", "Bolt", "Who [Doctor]", "// Comment", "SB: Trick", "100", "Swamp *F*"),
)
"""Names in which a reader of lists might see copies, finishes, conditions, languages, sets, numbers or headings."""
NUMBERS: Final = ("7", "7a", "★7", "T-7", "7", "07")
TEXTS: Final = ("", "x", "3x, foil #tag", "[NM] (de)", 'a "b", c; d\te', "=1+1", "-", "Foil", "Größe", " a  b ", "0")
WHICH_CARD: Final = {"which printing it is", "the card itself", "how many copies"}
"""Reported losses after which a copy may come back as another card, or not at all."""
FIELD: Final = {
    "date acquired": "acquired",
    "price paid": "price",
    "for trade": "for_trade",
    "columns of your own": "own",
}
"""The fields of losses that are reported under another name."""

OWNED: Final = st.fixed_dictionaries(
    {
        "copies": st.integers(1, 5),
        "finish": st.sampled_from(("normal", "foil", "etched", "glossy")),
        "condition": st.sampled_from((None, "mint", "near mint", "lightly played", "heavily played", "damaged")),
        "language": st.sampled_from(("en", "de", "ja", "zht", "pt")),
        "box": st.sampled_from(TEXTS),
        "row": st.sampled_from(TEXTS),
        "note": st.sampled_from(TEXTS),
        "signed": st.booleans(),
        "altered": st.booleans(),
        "proxy": st.booleans(),
        "for_trade": st.booleans(),
        "price": st.sampled_from((None, "1.5", "1000")),
        "currency": st.sampled_from((None, "EUR", "USD")),
        "acquired": st.sampled_from((None, "2024-01-05", "last year")),
        "tags": st.lists(st.sampled_from(("a", "b c", "trade", "d;e")), unique=True, max_size=2),
        "grade": st.sampled_from((None, "9.5")),
        "rarity": st.sampled_from((None, "rare", "Mythic Rare")),
        "own": st.dictionaries(st.sampled_from(("Shelf", "Price")), st.sampled_from(("1", "x, y")), max_size=1),
    }
)


def values(holding: Holding) -> dict[str, Any]:
    """Return all fields of a holding except its card and its number of copies."""
    kind = {name: getattr(holding, name) for name in ("finish", "condition", "language", "rarity", "note")}
    return {**kind, "box": holding.place.box, "row": holding.place[1:], **holding.known._asdict()}


def lost_fields(losses: Sequence[Loss]) -> dict[int, set[str]]:
    """Return the lost fields of each holding by its id; a lost card is one of `WHICH_CARD`."""
    lost: dict[int, set[str]] = {}
    for loss in losses:
        what = "the card itself" if loss.is_left_out else loss.what.partition(" (")[0]
        fields = {"row and slot": ("row",), "grade": ("grader", "grade"), "price paid": ("price", "currency")}
        lost.setdefault(loss.holding.id, set()).update(fields.get(what, (FIELD.get(what, what),)))
    return lost


def is_same(known: dict[str, Any], back: dict[str, Any], one: Holding) -> bool:
    """Return whether the fields not lost are the same; an unknown finish or condition may be in the note instead."""
    words = [str(getattr(one, field)) for field in ("finish", "condition") if field not in known]
    note = str(back["note"])
    for word in words:
        note = re.sub(rf"(?:; |^)[^;:]+: {re.escape(word)}$", "", note)
    return all((note if key == "note" else back[key]) == value for key, value in known.items())


def unreported(name: str, source: Path, catalogue: Path, folder: Path, *, is_named: bool) -> list[object]:
    """Return the holdings that an export and import changed without a reported loss."""
    form, file, target = find_writer(name), folder / f"written.{name}", folder / "target.db"
    with Store(source) as store:
        owned = list(CollectionStore(store).holdings())
        try:
            written = export(form, owned, lookup=StoreLookup(store))
        except CatalogError:  # The format cannot represent any of these cards.
            return []
    with atomic_text_file(file) as lines:
        lines.writelines(written.lines())
    shutil.copy(catalogue, target)
    with Store(target) as store:
        collection = CollectionStore(store)
        order = CollectionImport(file, file.name, form if is_named else None)
        try:
            import_file(order, collection, lambda remark: None)
        except CatalogError as error:
            assert "matches a card" in str(error)  # noqa: PT017
        after = [(one.copies, one.card_id, values(one)) for one in collection.holdings()]
    file.unlink()
    lost = lost_fields(written.losses)
    kept = [one for one in written.holdings if WHICH_CARD.isdisjoint(lost.get(one.id, set()))]
    copies: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for place, (card_id, back) in enumerate((card_id, back) for number, card_id, back in after for _ in range(number)):
        copies.setdefault(card_id, []).append((place, back))
    fitting = []
    for one in (holding for holding in kept for _ in range(holding.copies)):
        known = {key: value for key, value in values(one).items() if key not in lost.get(one.id, ())}
        matching = [place for place, back in copies.get(one.card_id, ()) if is_same(known, back, one)]
        fitting.append((one, matching))
    return [(one, after) for one in unmatched(fitting)]


def unmatched(fitting: Sequence[tuple[Holding, Sequence[int]]]) -> list[Holding]:
    """Return the copies left over if as many as possible are assigned to different imported copies that fit."""
    taken: dict[int, int] = {}

    def find_place(number: int, tried: set[int]) -> bool:
        for place in fitting[number][1]:
            if place not in tried:
                tried.add(place)
                if place not in taken or find_place(taken[place], tried):
                    taken[place] = number
                    return True
        return False

    return [one for number, (one, _) in enumerate(fitting) if not find_place(number, set())]


@pytest.fixture(scope="module")
def odd_cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a catalogue of odd names, most of them in two sets, one with several printings in a set."""
    folder = tmp_path_factory.mktemp("odd")
    cards = [
        row(
            place, name=name, set=code, set_name=f"{code} Set", collector_number=f"{NUMBERS[place % 6]}{place}", id=None
        )
        for place, name in enumerate(NAMES)
        for code in (("dsk", "a25") if place % 3 else ("dsk",))
    ]
    cards += [
        row(1, name="Bolt", set="dsk", collector_number="500"),
        row(2, name="Bolt", set="dsk", collector_number="501"),
    ]
    return make_catalogue(folder / "odd.db", write_rows(folder / "cards.jsonl", cards))


def copy_with_collection(catalogue: Path, lines: Sequence[dict[str, Any]], target: Path) -> Path:
    """Copy a catalogue, and add a collection from these lines in ccgrid's JSON Lines format."""
    shutil.copy(catalogue, target)
    file = target.with_suffix(".jsonl")
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with Store(target) as store:
        import_file(CollectionImport(file, file.name), CollectionStore(store), lambda remark: None)
    return target


def card_ids(catalogue: Path) -> list[str]:
    with Store(catalogue) as store:
        return [card.id for card in store.all_cards()]


@pytest.fixture(scope="module")
def owned_odd_cards(odd_cards: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a catalogue of odd names, with four owned copies of each card."""
    lines = [{"id": card_id, "copies": 4} for card_id in card_ids(odd_cards)]
    return copy_with_collection(odd_cards, lines, tmp_path_factory.mktemp("owned-odd") / "source.db")


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
@given(data=st.data())
def test_random_copies_of_odd_cards_are_read_back_or_reported(
    odd_cards: Path, tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    ids = card_ids(odd_cards)
    chosen = data.draw(st.lists(st.tuples(st.sampled_from(ids), OWNED), min_size=1, max_size=12))
    folder = tmp_path_factory.mktemp("trip")
    source = copy_with_collection(
        odd_cards, [{"id": card_id, **kind} for card_id, kind in chosen], folder / "source.db"
    )
    assert unreported(name, source, odd_cards, folder, is_named=data.draw(st.booleans())) == []


@pytest.mark.parametrize("is_named", slow_except([True, False], False))
@pytest.mark.parametrize("name", one_in(2, WRITERS))
def test_every_odd_name_is_read_back_or_reported(
    odd_cards: Path, owned_odd_cards: Path, tmp_path: Path, name: str, is_named: bool
) -> None:
    assert unreported(name, owned_odd_cards, odd_cards, tmp_path, is_named=is_named) == []


@pytest.fixture(scope="module")
def real_cards(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """Create a catalogue of 6,472 real printings, and copies of it that each own one part of the printings."""
    folder = tmp_path_factory.mktemp("real")
    catalogue = make_catalogue(folder / "real.db", shared_data / "scryfall" / "scryfall-2018-2019-slice.json.gz")
    ids = card_ids(catalogue)
    parts = [[{"id": card_id} for card_id in part_of(ids, place, PARTS)] for place in range(PARTS)]
    return catalogue, [
        copy_with_collection(catalogue, part, folder / f"source{place}.db") for place, part in enumerate(parts)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_real_cards_are_read_back_or_reported(real_cards: tuple[Path, list[Path]], tmp_path: Path, name: str) -> None:
    catalogue, sources = real_cards
    source = sources[WRITERS.index(name) % PARTS]
    assert unreported(name, source, catalogue, tmp_path, is_named=False) == []
