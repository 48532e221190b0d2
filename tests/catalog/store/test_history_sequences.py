"""Random sequences of all changes to a catalogue and the user's layouts, with undo and redo in between."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.catalogues import write_rows
from helpers.collection_catalogue import CARDS
from helpers.hypothesis_examples import EXAMPLES
from helpers.wanted_copies import deck_needs
from hypothesis import given
from hypothesis import strategies as st
from stored import printing

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection import audit, boxes, doubts, edit, pulls, upstream
from ccgrid.catalog.collection.doubts import DoubtFilter
from ccgrid.catalog.collection.edit import DetailEdit
from ccgrid.catalog.collection.entry_session import EntrySession
from ccgrid.catalog.collection.imports import CollectionImport, import_file
from ccgrid.catalog.collection.typed_cards import find_card
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import EvidenceReader
from ccgrid.catalog.holding import Place
from ccgrid.catalog.imports.run import ImportRequest, import_bundled
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store import card_edits, corrections, custom_cards, history, recording, scans
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.imports import Provenance, import_rows
from ccgrid.catalog.store.schema import TABLES

Snapshot = dict[str, list[Any]]
TIMES = {"imported", "made", "added", "changed"}
"""The columns with times of changes."""
BOXES = ("", "A", "B", "b")
GAMES = ("arcadia", "mtg")
MISSPELT = "Brass Belringer", "Cinder Cartografer", "Kestril", "Jade Gardner", "Nobody at all"


@dataclass
class World:
    """A catalogue in memory, the user's folder of layouts, and their state after each change."""

    store: Store
    folder: Path
    states: list[Snapshot] = field(default_factory=list)
    undone: list[Snapshot] = field(default_factory=list)

    @property
    def collection(self) -> CollectionStore:
        return CollectionStore(self.store)

    def snapshot(self, *, times: bool = True) -> Snapshot:
        """Return all rows of all tables except the history's, and all layouts; fail if the index of names is wrong."""
        found: Snapshot = {}
        for table in (*TABLES, "names"):
            columns = [name for _, name, *_ in self.store.connection.execute(f"PRAGMA table_info({table})")]
            wanted = ", ".join(f'"{name}"' for name in columns if times or name not in TIMES)
            found[table] = self.store.connection.execute(f"SELECT {wanted} FROM {table} ORDER BY 1").fetchall()
        words = "SELECT rowid FROM names_fts WHERE names_fts MATCH 'brass OR amber OR griffin OR lantern' ORDER BY 1"
        found["words"] = self.store.connection.execute(words).fetchall()
        self.store.connection.execute("INSERT INTO names_fts (names_fts, rank) VALUES ('integrity-check', 1)")
        found["layouts"] = sorted((path.name, path.read_text()) for path in self.folder.glob("*.toml"))
        return found

    def changes(self, *, undone: bool = False) -> list[int]:
        """Return the numbers of the changes that are in effect, or of the undone ones."""
        return [change.id for change in history.history(self.store) if change.undone == undone]

    def act(self, act: "Act", dice: Random) -> None:
        """Run an action, which may be rejected or change nothing."""
        before, undone = self.changes(), self.changes(undone=True)
        with suppress(CatalogError):
            act(self, dice)
        made = [number for number in self.changes() if number not in before]
        if made:
            # States between the changes of one command are not compared.
            self.states += [{} for _ in made[1:]]
            self.states.append(self.snapshot())
        else:
            assert self.snapshot() == self.states[-1]
        if self.changes(undone=True) != undone:
            self.undone = [{} for _ in self.changes(undone=True)]

    def undo(self) -> None:
        history.undo(self.store)
        self.undone.append(self.states.pop())
        self.check_state()

    def redo(self) -> None:
        history.redo(self.store)
        self.states.append(self.undone.pop())
        self.check_state()

    def check_state(self) -> None:
        now = self.snapshot()
        assert self.states[-1] in ({}, now)
        self.states[-1] = now


Act = Callable[[World, Random], None]


# --- actions that change a catalogue --------------------------------------------------------------------------------


def import_cards(world: World, dice: Random) -> None:
    """Import another edition of the cards: some are missing, some new, some have other numbers or names."""
    cards = []
    for number, card in enumerate(CARDS):
        if dice.random() < 0.1:
            continue
        new = dict(card)
        if dice.random() < 0.2:
            new["mana_cost"] = f"{{{dice.randrange(10)}}}"
        if dice.random() < 0.1:
            new["name"] = dice.choice(["Amber Griffin", "Brass Lantern", f"Lantern {number}"])
        cards.append(new)
    cards += [
        {**CARDS[0], "collector_number": str(number), "name": "New Ant"} for number in range(60, 60 + dice.randrange(3))
    ]
    file = write_rows(world.folder / "cards.jsonl", cards)
    keep, force, dry_run = (dice.random() < chance for chance in (0.3, 0.8, 0.1))
    order = ImportRequest(find_source("mtg"), file, keep_missing=keep, force=force, dry_run=dry_run)
    import_bundled(order, world.store)


def import_other_cards(world: World, dice: Random) -> None:
    """Import cards of another source, some of which the first one has as well."""
    numbers = dice.sample([1, 2, 3, 11, 70, 71], 3)
    names = dice.sample(["Bee", "Amber Bee", "Brass Bee"], 3)
    cards = [
        Card(f"mtg:dsk/{number}", "mtg", name, {"top": dice.randrange(10)}, 0)
        for number, name in zip(numbers, names, strict=True)
    ]
    origin = Provenance("other", "other.jsonl", "reader")
    yields = dice.random() < 0.5
    import_rows(world.store, map(printing, cards), EvidenceReader(), origin, force=True, is_secondary=yields)


def import_copies(world: World, dice: Random) -> None:
    """Import a file of the collection: the export of a month, with misspelt rows."""
    name = dice.choice(["a.csv", "b.csv"])
    cards = [CARDS[number] for number in dice.sample((0, 1, 2, 8, 9, 10, 11, 14, 17, 18), dice.randint(2, 6))]
    lines = [f"{card['name']},{card['set']},{card['collector_number']},{dice.choice(BOXES)}" for card in cards]
    lines += [f"{misspelt},,," for misspelt in dice.sample(MISSPELT, dice.randint(0, 3))]
    text = "Count,Name,Edition,Collector Number,Binder\n" + "".join(f"{dice.randint(1, 4)},{line}\n" for line in lines)
    (world.folder / name).write_text(text, encoding="utf-8")
    way = dice.choice([{}, {}, {"replace": True}, {"replace": True}, {"again": True}, {"any_printing": True}])
    order = CollectionImport(
        world.folder / name,
        name,
        place=Place(dice.choice(["", "", "A"])),
        everything=dice.random() < 0.5,
        partial=dice.random() < 0.5,
        dry_run=dice.random() < 0.1,
        **way,
    )
    import_file(order, world.collection, lambda text: None)


def settle(world: World, dice: Random) -> None:
    outcome = dice.choice(["", "fuzzy", "missed"])
    numbers = [doubt.id for doubt in world.collection.doubts()]
    match dice.randrange(3):
        case 0:
            doubts.confirm(world.collection, DoubtFilter(outcome=outcome), yes=True)
        case 1:
            doubts.dismiss(world.collection, DoubtFilter(outcome=outcome), yes=True)
        case _ if numbers:
            doubts.choose_cards(world.collection, {dice.choice(numbers): dice.choice(["mtg:dsk/3", "mtg:dsk/11", ""])})


def custom_card(dice: Random) -> CustomCard:
    printed = {dice.choice(["top", "left", "bottom-right"]): str(dice.randrange(10))}
    return CustomCard(dice.choice(GAMES), dice.choice(["Griffin", "Amber Griffin", "Wyvern"]), printed=printed)


def edit_card(world: World, dice: Random) -> None:
    entered = [card.id for card in custom_cards.entered_cards(world.store)]
    card_id = dice.choice([*entered, "mtg:dsk/1", "mtg:dsk/2", "mtg:dsk/046"])
    match dice.randrange(4):
        case 0:
            custom_cards.add_card(world.store, custom_card(dice))
        case 1 if entered:
            custom_cards.remove_card(world.store, dice.choice(entered))
        case 2 if corrections.corrections(world.store):
            corrections.forget_correction(world.store, dice.choice([*corrections.corrections(world.store)]))
        case _:
            given = custom_card(dice)
            card_edits.edit_card(
                world.store,
                card_id,
                lambda form: CustomCard(form.game, given.name, form.set_code, form.collector_number, given.printed),
            )


def accept(world: World, dice: Random) -> None:
    """Accept a card on a picture."""
    with recording.change(world.store, "accept a card on a picture"):
        card = custom_cards.add_card(world.store, custom_card(dice))
        scans.accept(world.store, dice.choice("ab") * 64, dice.randrange(2), 2, card.id)


def edit_copies(world: World, dice: Random) -> None:
    owned = list(world.collection.holdings())
    text = dice.choice(["brass", "dsk", "box:A", "isle", *(holding.card_id for holding in owned)])
    match dice.randrange(6):
        case 0:
            edit.remove_copies(world.collection, text, dice.choice([1, None]), yes=True)
        case 1:
            edit.move_copies(
                world.collection, text, edit.Edit(box=dice.choice(BOXES)), dice.choice([1, None]), yes=True
            )
        case 2:
            details = DetailEdit(price=dice.choice([None, "3.50"]))
            note = dice.choice(["signed", ""])
            edit.edit_copies(world.collection, text, edit.Edit(note=note, condition="nm", details=details), yes=True)
        case _:
            session = EntrySession(world.collection, (), "dsk", edit.copy_key(place=Place(dice.choice(BOXES))))
            session.enter(f"{dice.choice([1, 2, 3, 11, 13])} x{dice.randint(1, 3)}")
            if dice.random() < 0.3:
                session.enter("undo")


def change_boxes(world: World, dice: Random) -> None:
    def found(_: str) -> Any:
        return find_card(world.collection, "mtg:dsk/17").card

    box = dice.choice([box.name for box in boxes.count_boxes(world.collection) if box.name] or ["A"])
    match dice.randrange(4):
        case 0:
            boxes.rename_box(world.collection, box, dice.choice(["A", "B", "b", "C"]), yes=True)
        case 1:
            boxes.empty_box(world.collection, box, yes=True)
        case 2:
            boxes.remove_box(world.collection, box, yes=True)
        case _:
            looked = audit.begin(world.collection, box)
            while looked.pocket is not None:
                looked.answer(
                    dice.choice(["", "", "m", "0", "Mint Hare"]),
                    lambda _: find_card(world.collection, "mtg:dsk/17").card,
                )
            looked.apply()


def use_decks(world: World, dice: Random) -> None:
    deck = dice.choice(["Sunday", "Monday"])
    owned = [*world.collection.owned_ids(available=True)]
    if owned and dice.random() < 0.6:
        ids = dice.sample(owned, min(2, len(owned)))
        pulls.take_out(world.collection, deck_needs(world.store.cards(ids)), deck)
    else:
        pulls.put_back(world.collection, deck)


def note_changes(world: World, dice: Random) -> None:
    """Update the owned cards to the sources' current data."""
    upstream.note_changes(world.collection, {f"mtg:dsk/{dice.randrange(4)}": None})


def write_layout(world: World, dice: Random) -> None:
    path = world.folder / f"{dice.choice('xy')}.toml"
    with history.write_on_success(path, f"# {dice.random()}\n"):
        recording.note_layout(world.store, path)


ACTS: tuple[Act, ...] = (
    *(import_cards, import_cards, import_other_cards, import_copies, import_copies, import_copies, settle, settle),
    *(edit_card, accept, edit_copies, edit_copies, change_boxes, use_decks, note_changes, write_layout),
)
IMPORTS: tuple[Act, ...] = (import_cards, import_copies, import_other_cards)


# --- sequences of actions -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a catalogue of cards."""
    folder = tmp_path_factory.mktemp("history")
    with Store.in_memory() as store:
        import_bundled(ImportRequest(find_source("mtg"), write_rows(folder / "cards.jsonl", CARDS)), store)
        (folder / "catalogue.db").write_bytes(store.content())
    return folder / "catalogue.db"


@contextmanager
def begun(cards: Path) -> Iterator[World]:
    with tempfile.TemporaryDirectory() as folder, Store.in_memory(cards.read_bytes()) as store:
        world = World(store, Path(folder))
        world.states.append(world.snapshot())
        yield world


steps = st.lists(st.sampled_from([*range(len(ACTS)), "undo", "undo", "redo"]), min_size=3, max_size=14)


@pytest.mark.timeout(300 + EXAMPLES)
@given(steps, st.integers(0, 1 << 32))
def test_undo_and_redo_restore_every_row(cards: Path, steps: list[Any], seed: int) -> None:
    dice = Random(seed)
    with begun(cards) as world:
        for step in steps:
            if step == "undo":
                if len(world.states) > 1:
                    world.undo()
            elif step == "redo":
                if world.undone:
                    world.redo()
            else:
                world.act(ACTS[step], dice)
        changes = len(world.states) - 1
        for _ in range(changes):
            world.undo()
        for _ in range(changes):
            world.redo()
        check_a_later_import(world, changes, seed)


def check_a_later_import(world: World, changes: int, seed: int) -> None:
    """Fail if an import after undo and redo differs from one without them."""
    content, found = world.store.content(), []
    for times in (0, min(changes, 3)):
        with Store.in_memory(content) as store:
            later = World(store, world.folder)
            for _ in range(times):
                history.undo(store)
            for _ in range(times):
                history.redo(store)
            dice = Random(seed)
            report: Any = None
            try:
                report = dice.choice(IMPORTS)(later, dice)
            except CatalogError as error:
                report = str(error)
            found.append((report, later.snapshot(times=False), later.changes()))
    for one, other in pairwise(found):
        assert one == other


def test_every_table_is_covered_by_the_history_or_part_of_it(cards: Path) -> None:
    with Store(cards) as store:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        tables = {name for (name,) in store.connection.execute(query) if "_fts" not in name}
        assert tables == {*history.KEYS, "changes", "journal"}
        for table, key in history.KEYS.items():
            keys = store.connection.execute("SELECT name, type FROM pragma_table_info(?) WHERE pk", (table,)).fetchall()
            assert keys == [(key, "INTEGER")]
