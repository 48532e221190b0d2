"""Tests of cards entered with options: their numbers, ids, edits, imports and use in decks."""

import pytest
from helpers.catalogues import Shell, row, rows
from helpers.entered_card import GRIFFIN, ID

from ccgrid.catalog.store.catalogue import Store

HOSTILE = (
    "[/red][bold]Ring",
    "\x1b[2J\x1b]0;title\x07Ring",
    "\u202egniR",
    "Ring\nof\r\nGix",
    "宝石" * 90,
)


def test_a_card_is_entered_by_its_numbers(shell: Shell) -> None:
    card = shell.good(*GRIFFIN, "--other", "3,5", "--attack", "2", "--set", "A", "--number", "9", "--json").json
    assert (card["id"], card["game"], card["name"]) == (ID, "arcadia", "Griffin")
    assert card["zones"] == {"top-left": 4, "bottom-right": 7}
    assert (card["face"], card["score"], card["legal"], card["attack"], card["defense"]) == ([3, 5], 19, True, 2, None)
    assert (card["set_code"], card["collector_number"]) == ("A", "9")
    shown = shell.card(ID)
    assert {key: shown[key] for key in card} == card


def test_numbers_follow_house_rules_and_each_is_explained(shell: Shell) -> None:
    result = shell.good(*GRIFFIN, "--top", "½", "--left", "12", "--other", "10,000")
    assert "counts, rounded down (rule 5)" in result.out
    assert result.out.count("above 10 (rule 6)") == 2
    assert shell.card(ID)["zones"] == {"top-left": 4, "top": 0, "bottom-right": 7}


def test_text_without_a_number_is_refused_and_nothing_changed(shell: Shell) -> None:
    message = "'X' (right) has no number. Type one, or leave the place empty."
    assert message in shell(*GRIFFIN, "--right", "X").err
    shell.good(*GRIFFIN, "--right", "5")
    assert message in shell("card", "edit", ID, "--right", "X").err
    assert shell.card(ID)["zones"]["right"] == 5


def test_several_numbers_in_one_zone_make_the_card_not_legal_by_rule_9(shell: Shell) -> None:
    card = shell.good(*GRIFFIN, "--top", "2,3", "--json").json
    assert (card["legal"], card["reason"], card["score"]) == (False, "multiple-numbers:top", 16)
    assert "top" not in card["zones"]


def test_equal_name_with_other_numbers_or_set_is_another_card(shell: Shell) -> None:
    others = ((), ("--top-left", "5"), ("--set", "A"), ("--attack", "2"))
    messages = [shell.good(*GRIFFIN, *other).err for other in others]
    assert [card["id"] for card in shell.good("card", "list", "--json").json_lines] == [
        *(ID, f"{ID}-2", f"{ID}-3", f"{ID}-4")
    ]
    assert f"Entered as {ID}." in messages[0]
    assert f"Entered as {ID}-2. It has the same name as {ID}, but other numbers or another set." in messages[1]
    assert f"Entered as {ID}-4. It has the same name as {ID}, {ID}-2, {ID}-3 (A)," in messages[3]


def test_reentered_card_stays_one_card(shell: Shell) -> None:
    entry = (*GRIFFIN, "--other", "3,5", "--number", "9")
    shell.good(*entry)
    rejected = shell(*entry, "--own", "99999999")
    again = shell.good(*entry, "--own", "2")
    assert rejected.status == 2
    assert f"This card exists already: {ID}. You own 2 more of it." in again.err
    assert [card["id"] for card in shell.good("card", "list", "--json").json_lines] == [ID]
    assert [entry_of_collection["copies"] for entry_of_collection in shell.entries()] == [2]


def test_reentered_card_is_recognised_by_numbered_id(shell: Shell) -> None:
    for top in ("4", "5"):
        shell.good(*GRIFFIN, "--top-left", top)
    shell.good("card", "remove", ID)
    assert shell.good(*GRIFFIN, "--top-left", "5", "--json").json["id"] == f"{ID}-2"


def test_edit_changes_given_fields_and_keeps_the_rest(shell: Shell) -> None:
    shell.good(*GRIFFIN, "--other", "3,5", "--attack", "2")
    card = shell.good("card", "edit", ID, "--top-left", "", "--left", "1", "--attack", "", "--json").json
    assert (card["id"], card["zones"], card["face"]) == (ID, {"left": 1, "bottom-right": 7}, [3, 5])
    assert (card["attack"], card["score"]) == (None, 16)
    renamed = shell.good("card", "edit", ID, "--name", "Basilisk", "--json").json
    assert renamed == {**card, "name": "Basilisk"}
    assert [one["id"] for one in shell.good("search", "basilisk", "--json").json_lines] == [ID]
    assert shell("search", "griffin", "--json").status == 1


def test_removed_card_and_its_name_are_deleted(shell: Shell) -> None:
    shell.import_rows(rows(3))
    shell.good(*GRIFFIN)
    assert shell.good("card", "remove", ID, "--json").json["id"] == ID
    shell("show", ID).finds_none()
    assert shell("search", "griffin", "--json").status == 1
    shell("card", "remove", ID).finds_none("There is no card")


def test_entered_card_appears_in_search_stats_export_and_decks(shell: Shell) -> None:
    for number in range(20):
        shell.good("card", "add", "--game", "arcadia", "--name", f"Card {number}", "--top", str(number % 10))
    assert shell.good("search", "card 7", "--json").json_lines[0]["id"] == "arcadia:hand/card-7"
    assert shell.good("stats", "--json").json["legal"] == 20
    assert len(shell.good("export", "--game", "arcadia", "--json").json_lines) == 20
    deck = shell.folder / "deck.toml"
    shell.good("deck", "new", "--game", "arcadia", "--seed", "7", "-o", deck)
    assert shell.good("deck", "check", deck, "--json").json["ok"]
    assert "arcadia:hand/card-7" in deck.read_text(encoding="utf-8")


def test_entered_card_survives_repeated_imports(shell: Shell) -> None:
    before = shell.good(
        "card", "add", "--game", "mtg", "--name", "Proxy", "--set", "dsk", "--number", "1", "--top", "4"
    )
    shown = shell.card("mtg:hand/proxy")
    assert "mtg:hand/proxy" in before.err
    shell.good("import", "starter")
    assert shell.import_rows(rows(30))["added"] == 30
    assert shell.import_rows([*rows(29), row(31)])["removed"] == 1
    shell.good("import", "starter")
    assert shell.card("mtg:hand/proxy") == shown
    assert shell.card("mtg:dsk/1")["name"] != "Proxy"
    assert shell.good("search", "proxy", "--json").json_lines[0]["id"] == "mtg:hand/proxy"


def test_imported_card_with_equal_id_does_not_replace_it(shell: Shell) -> None:
    shell.good("card", "add", "--game", "mtg", "--name", "Proxy", "--top", "4")
    shown = shell.card("mtg:hand/proxy")
    shell.import_rows([*rows(30), {**row(31), "set": "hand", "collector_number": "proxy"}])
    assert shell.card("mtg:hand/proxy") == shown
    shell.good("undo", "--yes")
    assert shell.card("mtg:hand/proxy") == shown


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "--game and --name"),
        (("--name", "Griffin"), "The card needs a game"),
        (("--game", "arcadia", "--top", "4"), "needs a name"),
        (("--game", "a/b", "--name", "x"), "The card needs a game"),
        (("--game", "arcadia", "--name", "x" * 201), "201 characters"),
        (("--game", "arcadia", "--name", "x", "--top", "4" * 201), "201 characters"),
        (("--game", "arcadia", "--name", "x", "--attack", "11"), "from 0 to 10"),
        (("--game", "arcadia", "--name", "x", "--defense", "*"), "from 0 to 10"),
    ],
)
def test_invalid_card_options_are_usage_errors(shell: Shell, options: tuple[str, ...], words: str) -> None:
    result = shell("card", "add", *options)
    assert (result.status, result.out, len(result.err.splitlines())) == (2, "", 2)
    assert words in result.err
    assert shell.catalogue() == {}


def without_digits(text: str) -> str:
    return "".join(character for character in text if not character.isdecimal())


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_escaped(shell: Shell, name: str) -> None:
    result = shell.good("card", "add", "--game", "arcadia", "--name", name, "--top", f"4 {without_digits(name)}")
    for text in (result.out, result.err):
        assert not any(character in text for character in "\x1b\x07\r\u202e")
    with Store(shell.database) as store:
        [card] = store.all_cards()
        assert card.name == name
        assert card.id.startswith("arcadia:hand/")
        assert card.zones == {"top": 4}
        assert store.cards([card.id]) == [card]
