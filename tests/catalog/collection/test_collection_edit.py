"""Changes to the collection: adding, removing, moving and editing copies, boxes and decks, and their descriptions."""

import msgspec
import pytest
from collection_copies import owned_copies, put
from helpers.error_messages import error_of
from helpers.wanted_copies import deck_needs
from inline_snapshot import snapshot

from ccgrid.catalog.collection.boxes import count_boxes, empty_box, remove_box, rename_box
from ccgrid.catalog.collection.edit import (
    DetailEdit,
    Edit,
    add_copies,
    check_many,
    clean_text,
    copy_key,
    describe_holding,
    edit_copies,
    edit_holding,
    move_copies,
    remove_copies,
)
from ccgrid.catalog.collection.pulls import (
    deck_problems,
    draw_copies,
    find_in_boxes,
    out_in,
    put_back,
    stats,
    take_out,
)
from ccgrid.catalog.collection.selection import find_holdings, select_holdings
from ccgrid.catalog.collection.typed_cards import find_card
from ccgrid.catalog.errors import NotConfirmedError, NotFoundError
from ccgrid.catalog.holding import Holding, Place
from ccgrid.catalog.store.history import history, redo, undo
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.dice import Dice

# --- adding, removing, moving and editing copies ----------------------------------------------------------------------


def test_copies_are_added_removed_and_moved(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3, place=Place("A"))
    assert owned_copies(collection) == ["3 Brass Bellringer (mtg, dsk 2, en) in A"]
    taken = move_copies(collection, "mtg:dsk/2", Edit(box=" B "), 1)
    assert [(one.place.box, copies) for one, copies in taken] == [("A", 1)]
    assert owned_copies(collection) == [
        "2 Brass Bellringer (mtg, dsk 2, en) in A",
        "1 Brass Bellringer (mtg, dsk 2, en) in B",
    ]
    assert move_copies(collection, "mtg:dsk/2 box:B", Edit(box="B")) == []
    taken = remove_copies(collection, "mtg:dsk/2", 2)
    assert [(one.place.box, copies) for one, copies in taken] == [("A", 2)]
    move_copies(collection, "mtg:dsk/2", Edit(box="C"), 1)
    assert owned_copies(collection) == ["1 Brass Bellringer (mtg, dsk 2, en) in C"]
    remove_copies(collection, "", None)
    assert owned_copies(collection) == []


def test_change_label_describes_add_move_and_remove(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 4)
    move_copies(collection, "brass", Edit(box="A"), 1)
    move_copies(collection, "", Edit(box=""))
    remove_copies(collection, "brass", 1)
    remove_copies(collection, "", None)
    assert labels(collection) == [
        "add 4 Brass Bellringer",
        "move brass to A",
        "move cards to nowhere",
        "remove 1 brass",
        "remove all cards",
    ]


def test_remove_rejects_more_copies_than_owned(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3)
    few = "Only 3 available."
    assert error_of(lambda: remove_copies(collection, "brass", 4)) == few
    for copies in (0, -1, 1_000_001):
        words = f"{copies} copies: a number from 1 to 1,000,000 is needed."
        assert error_of(lambda copies=copies: remove_copies(collection, "brass", copies)) == words
        assert error_of(lambda copies=copies: put(collection, "mtg:dsk/2", copies)) == words
    assert owned_copies(collection) == ["3 Brass Bellringer (mtg, dsk 2, en)"]


def test_copies_of_different_kinds_make_removal_ambiguous(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/11", 2)
    put(collection, "mtg:dsk/11", 1, finish="foil", place=Place("A"))
    words = error_of(lambda: remove_copies(collection, "isle", 1))
    first, second = words.splitlines()
    assert first in (
        "Several entries match: 2 Isle (mtg, dsk 11, en); 1 Isle (mtg, dsk 11, foil, en) in A.",
        "Several entries match: 1 Isle (mtg, dsk 11, foil, en) in A; 2 Isle (mtg, dsk 11, en).",
    )
    assert second == "Add an id, set:, finish:, cond:, lang:, note:, box:; or all."
    assert len(remove_copies(collection, "isle finish:foil", 1)) == 1


def test_edit_changes_copies_and_merges_equal_entries(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3, place=Place("A"))
    put(collection, "mtg:dsk/2", 1, condition="nm", place=Place("A"))
    edit_copies(collection, "brass", Edit(condition="NM", language="German"))
    assert owned_copies(collection) == ["4 Brass Bellringer (mtg, dsk 2, near-mint, de) in A"]
    edit_copies(collection, "brass", Edit(finish="f", note=" signed "), 1)
    assert sorted(owned_copies(collection)) == [
        "1 Brass Bellringer (mtg, dsk 2, foil, near-mint, de, signed) in A",
        "3 Brass Bellringer (mtg, dsk 2, near-mint, de) in A",
    ]
    edit_copies(collection, "note:signed", Edit(finish="normal", note=""))
    assert owned_copies(collection) == ["4 Brass Bellringer (mtg, dsk 2, near-mint, de) in A"]
    for _ in range(3):
        undo(collection.store)
    assert sorted(owned_copies(collection))[0] == "1 Brass Bellringer (mtg, dsk 2, near-mint, en) in A"


def test_copies_with_different_notes_are_separate_entries(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3)
    edit_copies(collection, "brass", Edit(note="signed"), 1)
    assert sorted(one.note for one in collection.holdings()) == ["", "signed"]
    put(collection, "mtg:dsk/2", 1)
    assert sorted((one.note, one.copies) for one in collection.holdings()) == [("", 3), ("signed", 1)]


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Edit(finish="fol"), snapshot("There is no finish 'fol'. Did you mean foil?")),
        (Edit(condition="nearmnt"), snapshot("There is no condition 'nearmnt'. Did you mean near-mint?")),
        (Edit(language="Germn"), snapshot("There is no language 'Germn'. Did you mean de?")),
    ],
)
def test_edit_rejects_unknown_words(collection: CollectionStore, wanted: Edit, words: str) -> None:
    put(collection, "mtg:dsk/2", 1)
    before = owned_copies(collection)
    assert error_of(lambda: edit_copies(collection, "brass", wanted)) == words
    assert owned_copies(collection) == before


def test_copies_are_moved_within_their_box(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1, place=Place("A", "1", "5"))
    put(collection, "mtg:dsk/7", 1, place=Place("B", "2"))
    move_copies(collection, "", Edit(slot="9"))
    assert [one.place for one in collection.of_cards(["mtg:dsk/2", "mtg:dsk/7"])] == [("A", "1", "9"), ("B", "2", "9")]
    move_copies(collection, "", Edit(row="3"))
    assert [one.place for one in collection.of_cards(["mtg:dsk/2", "mtg:dsk/7"])] == [("A", "3", ""), ("B", "3", "")]


def test_copies_out_in_deck_follow_edited_entry(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 3, place=Place("A"))
    take_out(collection, deck_needs(collection.store.cards(["mtg:dsk/1"])), "Sunday")
    edit_copies(collection, "amber", Edit(condition="lp"))
    (out,) = collection.decks_out()
    assert (out.copies, out.holding.condition, out.holding.copies) == (1, "lightly-played", 3)


# --- decks ------------------------------------------------------------------------------------------------------------


def test_cards_out_in_deck_are_not_taken_twice(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 3)
    put(collection, "mtg:dsk/2", 1)
    (amber,) = collection.store.cards(["mtg:dsk/1"])
    (brass,) = collection.store.cards(["mtg:dsk/2"])
    assert deck_problems(collection, deck_needs([amber, amber, brass]), "Sunday") == []
    taken = take_out(collection, deck_needs([amber, amber]), "Sunday")
    assert [(one.card_id, copies) for one, copies in taken.found] == [("mtg:dsk/1", 2)]
    assert find_in_boxes(collection, deck_needs([amber, amber]), "Sunday") == ([], [], {})
    assert deck_problems(collection, deck_needs([amber, amber]), "Sunday") == []
    problems = deck_problems(collection, deck_needs([amber, amber, brass, brass]), "Monday")
    assert [(one.card, one.reason) for one in problems] == [
        ("Amber Archivist", "2 needed, 3 owned; out in Sunday"),
        ("Brass Bellringer", "2 needed, 1 owned"),
    ]
    assert error_of(lambda: take_out(collection, deck_needs([amber, amber, brass, brass]), "Monday")) == (
        "The deck 'Monday' is not complete; nothing changed. Missing: 1 Amber Archivist, 1 Brass Bellringer."
    )
    few = "Only 1 available; copies out in decks: 2."
    assert error_of(lambda: remove_copies(collection, "amber", 2)) == few
    assert error_of(lambda: out_in(collection, "Monday")) == "The deck 'Monday' is not out. Decks that are out: Sunday."
    assert [(one.holding.card_id, one.copies) for one in put_back(collection, "Sunday")] == [("mtg:dsk/1", 2)]
    assert error_of(lambda: put_back(collection, "Sunday")) == "The deck 'Sunday' is not out. No deck is out."


def test_too_few_cards_for_deck_are_reported_with_their_games(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 3)
    help_line = "To add more: ccgrid collection import, or ccgrid collection add"
    assert error_of(lambda: draw_copies(collection, 4, Dice(1))) == (
        f"You own 3 usable cards; a deck needs 4.\n{help_line}"
    )
    assert error_of(lambda: draw_copies(collection, 1, Dice(1), ["pokemon", "fab"])) == (
        f"You own 0 usable cards of pokemon, fab; a deck needs 1.\n{help_line}"
    )
    assert len(draw_copies(collection, 3, Dice(1), ["mtg"])) == 3


def test_stats_count_copies_by_game_and_zone(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 2)
    put(collection, "mtg:dsk/2", 1)
    put(collection, "mtg:dsk/2", 1, finish="foil")
    put(collection, "mtg:dsk/16", 3)
    put(collection, "mtg:dsk/3", 5)
    collection.store.connection.execute("DELETE FROM cards WHERE id = 'mtg:dsk/3'")
    zones = {**dict.fromkeys(ZONES, 0), "top-right": 4, "bottom": 4}
    barred = {"digital": 3, "gone": 5}
    games = [{"game": "mtg", "copies": 12, "cards": 3, "legal": 4, "barred": barred, "zones": zones}]
    assert msgspec.to_builtins(stats(collection)) == {
        "copies": 12,
        "cards": 4,
        "legal": 4,
        "legal_cards": 2,
        "decks": 0,
        "zones": zones,
        "rare_zones": ["top-left", "top", "left"],
        "games": games,
    }


def test_stats_of_empty_collection_are_zero(collection: CollectionStore) -> None:
    zones = dict.fromkeys(ZONES, 0)
    nothing = {"copies": 0, "cards": 0, "legal": 0, "legal_cards": 0, "decks": 0, "rare_zones": [], "games": []}
    assert msgspec.to_builtins(stats(collection)) == {**nothing, "zones": zones}


def test_checking_out_and_returning_a_deck_are_recorded(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 1)
    take_out(collection, deck_needs(collection.store.cards(["mtg:dsk/1"])), "Sunday")
    put_back(collection, "Sunday")
    assert labels(collection) == ["add 1 Amber Archivist", "take out Sunday", "put back Sunday"]


def test_unowned_card_is_deck_problem(collection: CollectionStore) -> None:
    (amber,) = collection.store.cards(["mtg:dsk/1"])
    (problem,) = deck_problems(collection, deck_needs([amber]), "Sunday")
    assert (problem.card, problem.reason) == ("Amber Archivist", "1 needed, none owned")


def test_bulk_additions_can_be_undone_and_redone(collection: CollectionStore) -> None:
    card, own = find_card(collection, "mtg:dsk/1").card, copy_key(language="en")
    assert card is not None
    with collection.change("two at first"):
        collection.add(card, 2, own)
    with collection.change("many, one kind twice"):
        first = next(collection.holdings())
        collection.take(first, 2)
        collection.add_all((card, 1, own._replace(language=language), "") for language in ("de", "en", "fr", "de"))
    owned_copies = {one.language: one.copies for one in collection.holdings()}
    assert owned_copies == {"de": 2, "en": 1, "fr": 1}
    undo(collection.store)
    assert list(collection.holdings()) == [first]
    redo(collection.store)
    assert {one.language: one.copies for one in collection.holdings()} == owned_copies
    with collection.change("one more"):
        collection.add(card, 1, own)
    undo(collection.store)
    assert {one.language: one.copies for one in collection.holdings()} == owned_copies


def test_move_takes_copies_from_other_boxes_first(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1, place=Place("A"))
    put(collection, "mtg:dsk/2", 3, place=Place("B"))
    taken = move_copies(collection, "mtg:dsk/2", Edit(box="A"), 1)
    assert [(one.place.box, copies) for one, copies in taken] == [("B", 1)]
    assert owned_copies(collection) == [
        "2 Brass Bellringer (mtg, dsk 2, en) in A",
        "2 Brass Bellringer (mtg, dsk 2, en) in B",
    ]


# --- descriptions of changes, and selection of entries ----------------------------------------------------------------


def labels(collection: CollectionStore) -> list[str]:
    """Return the descriptions of the changes since the import of the cards."""
    return [change.what for change in history(collection.store)[1:]]


def add_in_boxes(collection: CollectionStore, count: int) -> None:
    """Add `count` entries of one card, each in a box of its own: Box 1, Box 2 and so on."""
    for number in range(1, count + 1):
        put(collection, "mtg:dsk/11", 1, place=Place(f"Box {number}"))


def test_edit_label_lists_changed_fields(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1, place=Place("Attic"))
    edit_copies(collection, "brass", Edit(finish="f", note=""))
    edit_copies(collection, "", Edit(condition="nm", box="attic", slot="3"))
    (holding,) = collection.holdings()
    edit_holding(collection, holding, Edit(language="German", box="ATTIC", details=DetailEdit(signed=True)))
    assert labels(collection)[1:] == [
        "edit brass: finish foil, note none",
        "edit cards: condition near-mint, box attic, slot 3",
        "edit Brass Bellringer: language de, box Attic, signed",
    ]
    assert owned_copies(collection) == ["1 Brass Bellringer (mtg, dsk 2, foil, near-mint, de, signed) in Attic"]


def test_label_of_removal_has_requested_number(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 9)
    for text, copies, unsaid in (("brass", None, 1), ("2 brass", None, 1), ("brass", 3, 1), ("brass", None, None)):
        remove_copies(collection, text, copies, unsaid=unsaid)
    assert labels(collection)[1:] == ["remove brass", "remove 2 brass", "remove 3 brass", "remove all brass"]
    undo(collection.store)
    assert owned_copies(collection) == ["3 Brass Bellringer (mtg, dsk 2, en)"]


def test_label_of_move_has_box_row_and_slot(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1)
    place = Place("B", "2", "7")
    move_copies(collection, "brass", Edit(box="B", row="2", slot="7"))
    assert labels(collection)[1:] == [f"move brass to {place}"]
    assert [one.place for one in collection.holdings()] == [place]


def test_move_to_row_keeps_box_and_move_to_box_clears_row_and_slot(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1, place=Place("A", "1", "5"))
    move_copies(collection, "brass", Edit(row="2", slot="8"))
    assert [one.place for one in collection.holdings()] == [("A", "2", "8")]
    move_copies(collection, "brass", Edit(box="B"))
    assert [one.place for one in collection.holdings()] == [("B", "", "")]


def test_box_keeps_its_existing_spelling(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1, place=Place("Attic"))
    put(collection, "mtg:dsk/11", 1)
    put(collection, "mtg:dsk/12", 1, place=Place("ATTIC"))
    assert len(move_copies(collection, "", Edit(box="attic"))) == 1
    assert {one.place.box for one in collection.holdings()} == {"Attic"}


def test_typed_text_is_stripped_repaired_and_cut_to_300_characters() -> None:
    assert clean_text(" Attic \n") == "Attic"
    assert clean_text("x" * 301) == "x" * 300
    assert clean_text("a\ud800") == "a?"
    assert copy_key(" F ", " NM ", " German ", Place(" A ", " 1 ", " 2 ")) == copy_key(
        "foil", "near-mint", "de", Place("A", "1", "2")
    )


def test_typed_details_are_stripped(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1)
    edit_copies(collection, "brass", Edit(details=DetailEdit(price=" 1.50 EUR ", tags=(" red ", "old"), altered=True)))
    (holding,) = collection.holdings()
    known = holding.known
    assert (known.price, known.currency, known.tags, known.altered) == ("1.50", "EUR", ("red", "old"), 1)


def test_whole_name_is_preferred_over_partial_matches(collection: CollectionStore) -> None:
    for card_id in ("mtg:dsk/046", "mtg:tdsk/1", "mtg:tmp/9"):
        put(collection, card_id, 1)
    assert [one.name for one in find_holdings(collection, "drake")] == ["Drake"]
    assert {one.name for one in find_holdings(collection, "drak")} == {"Drake", "Ember Drake", "Frost Drake"}
    assert len(find_holdings(collection, "is:owned")) == 3
    assert [one.name for one, _ in remove_copies(collection, "drake", None)] == ["Drake"]


def test_finish_after_name_selects_copies_of_that_finish(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1)
    put(collection, "mtg:dsk/2", 2, finish="foil")
    assert [one.copies for one in find_holdings(collection, "Brass Bellringer *F*")] == [2]
    assert [one.copies for one in select_holdings(collection, "Brass Bellringer *F*")] == [2]


def test_find_reports_missing_copies_but_lists_do_not(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3)
    remarks: list[str] = []
    for text in ("2 brass bellringer", "3 brass bellringer", "4 brass bellringer", "7 brass bellringer", "brass"):
        assert [one.copies for one in find_holdings(collection, text, remark=remarks.append)] == [3]
    assert remarks == ["1 of 4 copies is missing.", "4 of 7 copies are missing."]
    assert find_holdings(collection, "7 brass bellringer")
    assert select_holdings(collection, "2 brass bellringer") == []


def test_conflicting_counts_in_text_and_option_are_rejected(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 5)
    message = "Conflicting numbers of copies: 2 in '2 brass bellringer', 3 in the option."
    assert error_of(lambda: remove_copies(collection, "2 brass bellringer", 3)) == message
    assert [copies for _, copies in remove_copies(collection, "2 brass bellringer", 2)] == [2]
    assert [copies for _, copies in remove_copies(collection, "2 brass bellringer", None, unsaid=1)] == [2]


def test_entries_fully_out_in_decks_cause_no_ambiguity(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1, finish="foil")
    take_out(collection, deck_needs(collection.store.cards(["mtg:dsk/2"])), "Sunday")
    put(collection, "mtg:dsk/2", 1)
    assert [(one.finish, copies) for one, copies in remove_copies(collection, "brass", 1)] == [("normal", 1)]


def test_ambiguous_entry_error_names_first_four(collection: CollectionStore) -> None:
    for finish in ("", "foil", "etched"):
        for condition in ("", "nm"):
            put(collection, "mtg:dsk/2", 1, finish=finish, condition=condition)
    message = error_of(lambda: remove_copies(collection, "brass", 1))
    assert message.startswith("Several entries match: 1 Brass Bellringer (mtg, dsk 2, ")
    assert message.count("1 Brass Bellringer") == 4


def test_entry_description_lists_known_fields() -> None:
    holding = Holding(1, "a:1", 3, "normal", "", "", Place(), "a", "Ant", "", "", "7", "", note="torn")
    assert describe_holding(holding) == "3 Ant (a, 7, torn)"
    assert describe_holding(holding._replace(number="", set_code="x", language="en")) == "3 Ant (a, x, en, torn)"


def test_unowned_card_is_rejected_with_suggestions(collection: CollectionStore) -> None:
    none = "No card in the collection matches"
    with pytest.raises(NotFoundError):
        find_holdings(collection, "brass belringer")
    assert error_of(lambda: find_holdings(collection, "brass belringer")) == (
        f"{none} 'brass belringer'.\nThe catalogue has: Brass Bellringer."
    )
    put(collection, "mtg:dsk/2", 3)
    put(collection, "mtg:old/4", 3)
    suggestion = f"{none} 'brass belringer'. Did you mean: Brass Bellringer?"
    assert error_of(lambda: find_holdings(collection, "brass belringer")) == suggestion
    assert error_of(lambda: remove_copies(collection, "brass belringer", 1)) == suggestion
    assert error_of(lambda: find_holdings(collection, "brass belringer", ["mtg"])) == suggestion
    assert error_of(lambda: find_holdings(collection, "brass bellringer", ["pokemon"])) == (
        f"{none} 'brass bellringer'.\nThe catalogue has: Brass Bellringer."
    )
    assert error_of(lambda: find_holdings(collection, "2x brass belringer")) == (
        f"{none} '2x brass belringer'. Did you mean: Brass Bellringer?"
    )
    assert error_of(lambda: find_holdings(collection, "Herald")) == (
        f"{none} 'Herald'.\nThe catalogue has: Gale Herald, Iron Herald."
    )
    assert error_of(lambda: find_holdings(collection, "qqqqqqq")) == f"{none} 'qqqqqqq'."
    assert error_of(lambda: find_holdings(collection, "box:Brass")) == f"{none} 'box:Brass'."


def test_up_to_three_names_are_suggested(collection: CollectionStore) -> None:
    drake = find_card(collection, "mtg:tdsk/1").card
    assert drake is not None
    for number, first in enumerate(("Amber", "Cedar", "Ember", "Frost")):
        add_copies(collection, drake._replace(id=f"mtg:own/{number}", name=f"{first} Drake"), 1, copy_key())
    assert error_of(lambda: find_holdings(collection, "Darke")) == (
        "No card in the collection matches 'Darke'. Did you mean: Amber Drake, Cedar Drake, Ember Drake?"
    )


# --- many entries, and boxes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "act",
    [
        lambda collection, **yes: remove_copies(collection, "isle", None, **yes),
        lambda collection, **yes: edit_copies(collection, "isle", Edit(note="x"), **yes),
        lambda collection, **yes: move_copies(collection, "isle", Edit(row="2"), **yes),
    ],
)
def test_changing_over_20_entries_needs_confirmation(collection: CollectionStore, act) -> None:
    add_in_boxes(collection, 21)
    before = owned_copies(collection)
    with pytest.raises(NotConfirmedError) as caught:
        act(collection)
    assert str(caught.value) == "This changes 21 entries; nothing changed yet. To do it, add --yes."
    assert owned_copies(collection) == before
    assert len(act(collection, yes=True)) == 21
    assert owned_copies(collection) != before


@pytest.mark.parametrize(
    "act",
    [
        lambda collection, **yes: rename_box(collection, "attic", "Loft", **yes),
        lambda collection, **yes: empty_box(collection, "attic", **yes),
        lambda collection, **yes: remove_box(collection, "attic", **yes),
    ],
)
@pytest.mark.parametrize("count", [20, 21])
def test_changing_box_of_over_20_entries_needs_confirmation(collection: CollectionStore, act, count: int) -> None:
    for number in range(count):
        put(collection, "mtg:dsk/11", 1, place=Place("Attic", str(number)))
    if count > 20:
        with pytest.raises(NotConfirmedError, match=r"^This changes 21 entries; nothing changed yet\. .*--yes\.$"):
            act(collection)
        assert [one.place.box for one in collection.holdings()] == ["Attic"] * 21
        assert len(act(collection, yes=True)) == 21
    else:
        assert len(act(collection)) == 20
    assert {one.place.box for one in collection.holdings()} <= {"Loft", ""}


def test_confirmation_message_names_changed_things() -> None:
    check_many(20, yes=False)
    check_many(1_000, yes=True)
    message = "This changes 1,000 rows; nothing changed yet. To do it, add --yes."
    assert error_of(lambda: check_many(1_000, yes=False, what="rows"), NotConfirmedError) == message


def test_boxes_count_entries_cards_and_copies_with_unboxed_last(
    collection: CollectionStore,
) -> None:
    put(collection, "mtg:dsk/2", 3)
    put(collection, "mtg:dsk/11", 3, place=Place("Box 10"))
    put(collection, "mtg:dsk/11", 2, place=Place("Box 9"))
    put(collection, "mtg:dsk/11", 1, finish="foil", place=Place("Box 9", "1"))
    put(collection, "mtg:dsk/1", 4, place=Place("Box 9"))
    amber = collection.store.cards(["mtg:dsk/1"])
    take_out(collection, deck_needs(amber * 3), "Sunday")
    assert msgspec.to_builtins(count_boxes(collection)) == [
        {"box": "Box 9", "entries": 3, "cards": 2, "copies": 7, "out": 3},
        {"box": "Box 10", "entries": 1, "cards": 1, "copies": 3, "out": 0},
        {"box": None, "entries": 1, "cards": 1, "copies": 3, "out": 0},
    ]


def test_renaming_a_box_is_one_change(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3, place=Place("Attic", "2"))
    put(collection, "mtg:dsk/11", 1, place=Place("Cellar"))
    assert [(one.name, copies) for one, copies in rename_box(collection, "attic", " Loft ")] == [
        ("Brass Bellringer", 3)
    ]
    assert owned_copies(collection) == [
        "1 Isle (mtg, dsk 11, en) in Cellar",
        "3 Brass Bellringer (mtg, dsk 2, en) in Loft, row 2",
    ]
    assert labels(collection)[-1] == "rename the box attic to Loft"
    rename_box(collection, "loft", "LOFT")
    assert {one.place.box for one in collection.holdings()} == {"LOFT", "Cellar"}
    rename_box(collection, "LOFT", "LOFT")
    undo(collection.store)
    assert {one.place.box for one in collection.holdings()} == {"Loft", "Cellar"}


def test_rename_box_rejects_duplicate_and_blank_names(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3, place=Place("Attic"))
    put(collection, "mtg:dsk/11", 1, place=Place("Cellar"))
    before = owned_copies(collection)
    assert error_of(lambda: rename_box(collection, "attic", "cellar")) == (
        "There is a box 'cellar' already; nothing changed.\n"
        'To move all cards into it: ccgrid collection move \'box:"attic"\' --to-box "cellar"'
    )
    assert error_of(lambda: rename_box(collection, "attic", "CELLAR")).startswith("There is a box 'CELLAR' already;")
    assert error_of(lambda: rename_box(collection, "attic", " ")) == (
        "A box needs a name. To take the cards out of it: ccgrid collection empty-box"
    )
    assert owned_copies(collection) == before


def test_cards_of_emptied_box_are_still_owned(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3, finish="foil", place=Place("Attic", "2"))
    put(collection, "mtg:dsk/11", 1, place=Place("Cellar"))
    assert [(one.name, copies) for one, copies in empty_box(collection, "ATTIC")] == [("Brass Bellringer", 3)]
    assert sorted(owned_copies(collection)) == [
        "1 Isle (mtg, dsk 11, en) in Cellar",
        "3 Brass Bellringer (mtg, dsk 2, foil, en)",
    ]
    assert labels(collection)[-1] == "empty the box ATTIC"


def test_removing_a_box_removes_its_cards_in_box_order(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3, place=Place("Attic", "10"))
    put(collection, "mtg:dsk/7", 2, place=Place("Attic", "9"))
    put(collection, "mtg:dsk/11", 1, place=Place("Cellar"))
    put(collection, "mtg:dsk/12", 1)
    assert [(one.card_id, copies) for one, copies in remove_box(collection, "ATTIC")] == [
        ("mtg:dsk/7", 2),
        ("mtg:dsk/2", 3),
    ]
    assert [one.card_id for one in collection.holdings()] == ["mtg:dsk/11", "mtg:dsk/12"]
    assert labels(collection)[-1] == "remove the box ATTIC"


@pytest.mark.parametrize("name", ["Loft", ""])
def test_unknown_box_is_rejected(collection: CollectionStore, name: str) -> None:
    put(collection, "mtg:dsk/2", 3, place=Place("Attic"))
    put(collection, "mtg:dsk/11", 1)
    for act in (
        lambda: rename_box(collection, name, "Cellar"),
        lambda: empty_box(collection, name),
        lambda: remove_box(collection, name),
    ):
        with pytest.raises(NotFoundError) as caught:
            act()
        assert str(caught.value) == f"There is no box {name!r}. To list them: ccgrid collection boxes"
