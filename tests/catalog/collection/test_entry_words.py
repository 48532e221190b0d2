"""Commands and answers of the entry session: the chosen game and set, completion, suggestions and unknown cards."""

from collections.abc import Iterator

import msgspec
import pytest
from helpers.catalogues import Shell, row

from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.collection.entry_session import HELP, NUMBERS_HELP, EntrySession
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.custom_cards import add_card
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.terminal.prompts import matching_completions

CUSTOM_CARDS = (
    CustomCard("arcadia", "Griffin", "ARC", "1", {"top": "4"}),
    CustomCard("arcadia", "Amber Lance", "ARC", "2", {"top": "2,3"}),
    CustomCard("arcadia", "Undo", "ARC", "3", {"top": "1"}),
    CustomCard("arcadia", "Set Adrift", "ARC", "4", {"top": "1"}),
)


@pytest.fixture
def entry(shell: Shell) -> Iterator[EntrySession]:
    shell.import_rows([row(1, "Griffin", 2), row(2, "Amber Drake", 3), row(3, "Ambush", 4)])
    with Store(shell.database) as store:
        for card in CUSTOM_CARDS:
            add_card(store, card)
        yield EntrySession(CollectionStore(store), (), "", copy_key())


def owned_copies(session: EntrySession) -> list[str]:
    return [holding.card_id for holding in session.collection.holdings()]


def test_slash_distinguishes_command_from_card_name(entry: EntrySession) -> None:
    entry.enter("Amber Drake")
    with pytest.raises(CatalogError, match="is also a card: 1 adds Undo, /undo is the command"):
        entry.enter("undo")
    assert owned_copies(entry) == ["mtg:dsk/2"]
    assert "Undone" in entry.enter("/undo")
    assert owned_copies(entry) == []


def test_card_named_like_command_is_added_by_number(entry: EntrySession) -> None:
    with pytest.raises(CatalogError, match="Set Adrift"):
        entry.enter("set adrift")
    assert "1 Set Adrift" in entry.enter("1")
    assert owned_copies(entry) == ["arcadia:hand/set-adrift"]


def test_commands_are_whole_words_and_unknown_ones_are_reported(entry: EntrySession) -> None:
    assert "1 Amber Drake" in entry.enter("amber drake")
    with pytest.raises(CatalogError, match="/frobnicate is not a command"):
        entry.enter("/frobnicate")
    assert entry.enter("/set dsk") == "The next cards are of dsk."
    assert entry.enter("/end") == ""
    assert entry.is_over


def test_chosen_game_applies_to_next_cards_and_their_sets(entry: EntrySession) -> None:
    assert entry.enter("game arcadia") == "The next cards are of arcadia."
    assert entry.prompt == "arcadia any set"
    assert "Griffin (arcadia ARC 1)" in entry.enter("Griffin")
    with pytest.raises(CatalogError, match=r"no set 'dsk' of arcadia. It has: ARC\.$"):
        entry.enter("set dsk")
    with pytest.raises(CatalogError, match="no cards of the game 'nogame'"):
        entry.enter("game nogame")
    assert entry.enter("game mtg") == "The next cards are of mtg."
    assert "Griffin (mtg dsk 1)" in entry.enter("Griffin")
    assert entry.enter("game") == "The next cards are of any game."


def test_completion_is_limited_to_chosen_game(entry: EntrySession) -> None:
    assert sorted(entry.complete("amb")) == ["Amber Drake", "Amber Lance", "Ambush"]
    entry.enter("game arcadia")
    assert entry.complete("amb") == ["Amber Lance"]
    entry.enter("game mtg")
    assert sorted(entry.complete("AMB")) == ["Amber Drake", "Ambush"]


@pytest.mark.parametrize("line", ["amb", "AMBE", "æther", "aeth", "Lim-d", "o"])
def test_completion_never_deletes_typed_text(line: str) -> None:
    names = ["Æther Vial", "Aether Hub"]
    assert all(name.startswith(line) for name in matching_completions(line, names))
    assert matching_completions("aeth", names[:1]) == names[:1]


def test_number_adds_suggestion_once(entry: EntrySession) -> None:
    with pytest.raises(CatalogError, match=r"Type a number to add: 1 Amber Drake \(mtg dsk 2\)"):
        entry.enter("Ambr Drakke")
    assert "1 Amber Drake" in entry.enter("1")
    with pytest.raises(CatalogError):
        entry.enter("1")
    assert owned_copies(entry) == ["mtg:dsk/2"]


def test_suggestion_keeps_copies_finish_and_condition_of_line(entry: EntrySession) -> None:
    with pytest.raises(CatalogError, match="Type a number to add"):
        entry.enter("4 Ambr Drakke *F* NM")
    assert entry.enter("1").startswith("4 foil Amber Drake (mtg dsk 2)")
    assert [(one.copies, one.finish, one.condition) for one in entry.collection.holdings()] == [
        (4, "foil", "near-mint")
    ]
    assert entry.failed == 0, "the line must not count as failed"


def test_entry_reports_cards_that_are_not_legal(entry: EntrySession) -> None:
    assert entry.enter("Amber Lance").endswith("score 5, not legal (two numbers, top). 1 in all.")
    assert "Barred" not in entry.enter("Amber Drake")


def check_answers(entry: EntrySession, *lines: tuple[str, str]) -> None:
    """Enter lines in sequence, and assert that each has exactly the expected answer or error."""
    for line, expected in lines:
        try:
            answer = entry.enter(line)
        except CatalogError as error:
            answer = f"{type(error).__name__}: {error}"
        assert (line, answer) == (line, expected)


def test_entry_session_answers_every_line(entry: EntrySession) -> None:
    check_answers(
        entry,
        *(("", ""), ("# a note", ""), ("// another", "")),
        ("/undo", "CatalogError: There is nothing to undo in this session."),
        ("set dsk", "The next cards are of dsk."),
        ("Griffin", "1 Griffin (mtg dsk 1): top-right 2, bottom 1, face 2, score 5, legal. 1 in all."),
        ("99", "CatalogError: dsk has no number 99."),
        ("2x2f", "2 foil Amber Drake (mtg dsk 2): top-right 3, bottom 2, face 2, score 7, legal. 3 in all."),
        ("etched", "The next cards are etched."),
        ("1", "1 etched Griffin (mtg dsk 1): top-right 2, bottom 1, face 2, score 5, legal. 4 in all."),
        ("/normal", "The next cards are normal."),
        ("3", "1 Ambush (mtg dsk 3): top-right 4, bottom 3, face 2, score 9, legal. 5 in all."),
        ("/undo", "Undone: 1 Ambush. 4 in all."),
        *((word, HELP) for word in ("help", "?", "/help")),
        ("quit", ""),
    )
    assert entry.is_over
    assert msgspec.to_builtins(entry.report()) == {
        "lines": 3,
        "copies": 4,
        "undone": 1,
        "failed": 2,
        "cards": [
            {"id": "mtg:dsk/1", "name": "Griffin", "copies": 1, "finish": "normal"},
            {"id": "mtg:dsk/2", "name": "Amber Drake", "copies": 2, "finish": "foil"},
            {"id": "mtg:dsk/1", "name": "Griffin", "copies": 1, "finish": "etched"},
        ],
    }


def test_place_of_next_cards_is_confirmed_and_shown_until_cleared(entry: EntrySession) -> None:
    prompts = []
    for line, place in [
        ("box Attic 2", "Attic 2"),
        ("row 3", "Attic 2, row 3"),
        ("slot 4", "Attic 2, row 3, slot 4"),
        ("box", "row 3, slot 4"),
        ("row", "slot 4"),
        ("slot", "no place"),
    ]:
        check_answers(entry, (line, f"The next cards go to {place}."))
        prompts.append(entry.prompt)
    assert prompts[1:3] == ["any set Attic 2, row 3", "any set Attic 2, row 3, slot 4"]
    assert prompts[-1] == "any set"
    check_answers(entry, (f"slot {'x' * 201}", "CatalogError: The slot has 201 characters; the maximum is 200."))
    check_answers(entry, (f"slot {'x' * 200}", f"The next cards go to slot {'x' * 200}."))


def test_unknown_set_is_reported_with_known_sets(entry: EntrySession) -> None:
    unknown = "NotFoundError: The catalogue has no set 'nowhere'"
    add_card(entry.collection.store, CustomCard("moths", "Moon Moth", "", "1", {"top": "4"}))
    check_answers(
        entry,
        ("set nowhere", f"{unknown}. It has: ARC, dsk."),
        ("game mtg", "The next cards are of mtg."),
        ("set nowhere", f"{unknown} of mtg. It has: dsk."),
        ("game moths", "The next cards are of moths."),
        ("set nowhere", f"{unknown} of moths. Its cards have no sets."),
        ("game mtg", "The next cards are of mtg."),
        ("set dsk", "The next cards are of dsk."),
        ("set", "The next cards are of any set."),
        ("game", "The next cards are of any game."),
    )


def test_many_copies_are_added_after_immediate_yes(entry: EntrySession) -> None:
    many = "UnsureError: Is '25 Ambush' 25 Ambush (mtg dsk 3)? yes adds them; 210x3 is three copies of number 210."
    unknown = "NoSuchCardError: No card matches 'yes'."
    check_answers(
        entry,
        ("25 Ambush", many),
        ("YES", "25 Ambush (mtg dsk 3): top-right 4, bottom 3, face 2, score 9, legal. 25 in all."),
        ("yes", unknown),
    )
    assert entry.failed == 1
    check_answers(
        entry,
        ("25 Ambush", many),
        ("Ambush", "1 Ambush (mtg dsk 3): top-right 4, bottom 3, face 2, score 9, legal. 26 in all."),
        ("yes", unknown),
    )
    assert entry.failed == 3


def test_similar_name_is_suggested_for_next_line_only(entry: EntrySession) -> None:
    near = "CatalogError: 'Ambsh' has no exact match: it could be 'Ambush'. Type a number to add: 1 Ambush (mtg dsk 3)."
    check_answers(
        entry,
        ("Ambsh", near),
        ("1", "1 Ambush (mtg dsk 3): top-right 4, bottom 3, face 2, score 9, legal. 1 in all."),
        ("Ambsh", near),
        *((far, f"NoSuchCardError: No card matches '{far}'.") for far in ("2", "1", "Zzyzx Qwrt")),
    )


def test_blanks_after_slash_are_ignored(entry: EntrySession) -> None:
    check_answers(entry, ("/ set dsk", "The next cards are of dsk."), ("/  foil", "The next cards are foil."))


def test_completion_prefers_game_of_last_card(shell: Shell) -> None:
    shell.import_rows([row(1, "Grey Wolf", 2), row(2, "Ant", 3)])
    shell.good("card", "add", "--game", "wyvern", "--name", "Green Dragon", "--top", "3")
    with Store(shell.database) as store:
        session = EntrySession(CollectionStore(store), (), "", copy_key())
        assert session.complete("gre") == ["Green Dragon", "Grey Wolf"]
        session.enter("Ant")
        assert session.complete("gre") == ["Grey Wolf"]
        assert session.complete("green") == ["Green Dragon"], "other games if this one has no match"


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("am dr", ["Amber Drake"]),
        ("AM D", ["Amber Drake"]),
        ("la", []),
        ("lan", ["Amber Lance"]),
        ("am", ["Amber Drake", "Amber Lance", "Ambush"]),
        ("dr am", []),
        ("a l", ["Amber Lance"]),
        ("3x am dr", ["3x Amber Drake"]),
        ("2 amb", ["2 Amber Drake", "2 Amber Lance", "2 Ambush"]),
        ("7 days", ["7 Days"]),
        ("7 drak", ["7 Amber Drake"]),
    ],
)
def test_only_name_with_matching_word_starts_completes_line(shell: Shell, typed: str, completed: list[str]) -> None:
    names = ("Amber Drake", "Amber Lance", "Ambush", "Iron Ladle", "7 Days", "Ant of Ants")
    shell.import_rows([row(number, name, 2) for number, name in enumerate(names, 1)])
    with Store(shell.database) as store:
        session = EntrySession(CollectionStore(store), (), "", copy_key())
        assert sorted(session.complete(typed)) == completed
        session.enter("set dsk")
        assert sorted(session.complete(typed)) == completed


def test_up_to_30_names_complete_a_line(shell: Shell) -> None:
    shell.import_rows([row(number, f"Beast {number:02}", 2) for number in range(1, 33)])
    with Store(shell.database) as store:
        names = EntrySession(CollectionStore(store), (), "", copy_key()).complete("beast")
    assert len(set(names)) == 30


def test_30_unknown_cards_are_entered_in_one_session(entry: EntrySession) -> None:
    for number in range(30):
        name = f"Qzyx Rider {'abcdef'[number // 5] * 3}{'uvwxy'[number % 5] * 3}"
        with pytest.raises(CatalogError, match=r"No card matches|has no exact match|not found"):
            entry.enter(f"2 {name} NM")
        assert entry.asks
        assert entry.prompt == f"Numbers of {name} (e.g. tl 4 br 7), or ? for help"
        answer = entry.enter("game wyvern tl 4 br 7 face 3")
        assert answer.endswith(
            f"(wyvern): top-left 4, bottom-right 7, face 3, score 14, legal. {2 * number + 2} in all."
        )
        assert not entry.asks
    assert (entry.copies, entry.failed) == (60, 0)
    assert sum(holding.copies for holding in entry.collection.holdings()) == 60
    assert {holding.condition for holding in entry.collection.holdings()} == {"near-mint"}


def test_question_mark_shows_help_despite_card_named_in_signs(entry: EntrySession) -> None:
    add_card(entry.collection.store, CustomCard("arcadia", "_____", "ARC", "5", {"top": "1"}))
    assert entry.enter("?") == HELP


def test_help_fits_into_80_columns() -> None:
    assert max(map(len, (*HELP.splitlines(), *NUMBERS_HELP.splitlines()))) <= 80


def test_unknown_card_needs_its_game_before_its_numbers(entry: EntrySession) -> None:
    with pytest.raises(CatalogError, match="No card matches"):
        entry.enter("Qzyx Rider")
    assert entry.enter("?") == NUMBERS_HELP
    with pytest.raises(CatalogError, match=r"^Which game is 'Qzyx Rider' from\? Name it before the numbers"):
        entry.enter("tl 4 br 7")
    assert entry.enter("game wyvern tl 4 bottom-right 3 of 25").startswith(
        "1 Qzyx Rider (wyvern): top-left 4, bottom-right 3, score 7, legal."
    )
    assert "Undone: 1 Qzyx Rider." in entry.enter("/undo")
    assert entry.collection.store.by_name("Qzyx Rider") == []
    assert owned_copies(entry) == []


def test_new_card_takes_game_written_after_name(entry: EntrySession) -> None:
    with pytest.raises(CatalogError):
        entry.enter("2 Griffin Rider (arcadia) (ARC) 12")
    assert entry.enter("tl 4 br 7").startswith("2 Griffin Rider (arcadia ARC 12): top-left 4, bottom-right 7")


def test_unknown_set_in_line_is_reported(entry: EntrySession) -> None:
    with pytest.raises(CatalogError, match=r"the catalogue has no set 'binder'.*Type a number to add: 1 Ambush"):
        entry.enter("Ambush (binder)")


def test_unknown_card_may_be_abandoned(entry: EntrySession) -> None:
    with pytest.raises(CatalogError, match="No card matches"):
        entry.enter("Qzyx Rider")
    assert "1 Ambush" in entry.enter("Ambush")
    assert owned_copies(entry) == ["mtg:dsk/3"]


def test_printing_command_reports_card_without_other_printings(entry: EntrySession) -> None:
    entry.enter("Ambush")
    assert entry.enter("printing").endswith(". It has no other printing.")


def test_suggestions_are_limited_to_chosen_game(entry: EntrySession) -> None:
    entry.enter("game arcadia")
    with pytest.raises(CatalogError) as error:
        entry.enter("Amber Lanze Rider")
    assert "Amber Lance" in str(error.value)
    assert "Amber Drake" not in str(error.value)


def test_changing_printing_keeps_box_of_copies(entry: EntrySession) -> None:
    entry.enter("box Attic")
    entry.enter("2 Ambush")
    entry.enter("box Cellar")
    entry.enter("printing 1")
    assert [holding.place.box for holding in entry.collection.holdings()] == ["Attic"]


@pytest.mark.parametrize("number", ["00001", "0001", "9" * 5000, "²"])
def test_number_outside_list_is_read_as_new_line(entry: EntrySession, number: str) -> None:
    with pytest.raises(CatalogError, match="Type a number to add: 1 Ambush"):
        entry.enter("Ambush (binder)")
    with pytest.raises(CatalogError):
        entry.enter(number)
    entry.enter("Ambush")
    with pytest.raises(CatalogError, match="has no printing"):
        entry.enter(f"printing {number}")


def test_printing_command_changes_printing_of_last_card(entry: EntrySession) -> None:
    check_answers(entry, ("printing", "CatalogError: No card was entered yet."))
    entry.enter("2 Ambush *F*")
    assert entry.enter("printing").startswith("Ambush is 1 dsk 3: top-right 4")
    assert entry.enter("printing dsk 3").startswith("2 foil Ambush (mtg dsk 3)")
    check_answers(entry, ("printing 9", "CatalogError: Ambush has no printing '9'; printing lists them."))
    assert owned_copies(entry) == ["mtg:dsk/3"]
