"""Cards entered by hand: by options and at a terminal, through imports, into decks; what is refused, and how."""

import os
import sys
from pathlib import Path

import pytest
from catalogues import Shell, row, rows

from catalog.store.catalogue import Store
from ccgrid.terminal.card_lines import read_places

GRIFFIN = ("card", "add", "--game", "arcadia", "--name", "Griffin", "--top-left", "4", "--bottom-right", "7")
ID = "arcadia:hand/griffin"
HOSTILE = (
    "[/red][bold]Ring",
    "\x1b[2J\x1b]0;title\x07Ring",
    "\u202egniR",
    "Ring\nof\r\nGix",
    "half \udcff",
    "宝石" * 90,
)


def test_a_card_is_entered_by_its_numbers(shell: Shell) -> None:
    card = shell.good(*GRIFFIN, "--other", "3,5", "--attack", "2", "--set", "A", "--number", "9", "--json").json
    assert (card["id"], card["game"], card["name"]) == (ID, "arcadia", "Griffin")
    assert card["zones"] == {"top-left": 4, "bottom-right": 7}
    assert (card["face"], card["score"], card["legal"], card["attack"], card["defense"]) == ([3, 5], 19, True, 2, None)
    assert (card["set_code"], card["collector_number"]) == ("A", "9")
    shown = shell.good("show", ID, "--json").json
    assert {key: shown[key] for key in card} == card


def test_numbers_are_read_by_the_house_rules_and_it_is_said_what_each_came_to(shell: Shell) -> None:
    result = shell.good(*GRIFFIN, "--top", "½", "--left", "12", "--right", "X", "--other", "10,000")
    assert "counts, rounded down (rule 5)" in result.out
    assert result.out.count("above 10 (rule 6)") == 2
    assert "No number in 'X' (right)." in result.err
    assert shell.good("show", ID, "--json").json["zones"] == {"top-left": 4, "top": 0, "bottom-right": 7}


def test_several_numbers_in_one_zone_bar_the_card_by_rule_9(shell: Shell) -> None:
    card = shell.good(*GRIFFIN, "--top", "2,3", "--json").json
    assert (card["legal"], card["reason"], card["score"]) == (False, "multiple-numbers:top", 16)
    assert "top" not in card["zones"]


def test_the_same_name_again_is_another_card(shell: Shell) -> None:
    ids = [shell.good(*GRIFFIN, "--json").json["id"] for _ in range(3)]
    assert ids == [ID, f"{ID}-2", f"{ID}-3"]


def test_an_edit_changes_what_is_given_and_keeps_the_rest(shell: Shell) -> None:
    shell.good(*GRIFFIN, "--other", "3,5", "--attack", "2")
    card = shell.good("card", "edit", ID, "--top-left", "", "--left", "1", "--attack", "", "--json").json
    assert (card["id"], card["zones"], card["face"]) == (ID, {"left": 1, "bottom-right": 7}, [3, 5])
    assert (card["attack"], card["score"]) == (None, 16)
    renamed = shell.good("card", "edit", ID, "--name", "Basilisk", "--json").json
    assert renamed == {**card, "name": "Basilisk"}
    assert [one["id"] for one in shell.good("search", "basilisk", "--json").json_lines] == [ID]
    assert shell.good("search", "griffin", "--json").out == ""


def test_a_removed_card_and_its_name_are_gone(shell: Shell) -> None:
    shell.import_rows(rows(3))
    shell.good(*GRIFFIN)
    assert shell.good("card", "remove", ID, "--json").json["id"] == ID
    shell("show", ID).refused()
    assert shell.good("search", "griffin", "--json").out == ""
    shell("card", "remove", ID).refused("There is no card")


def test_it_is_in_search_stats_export_and_decks_like_any_other(shell: Shell) -> None:
    for number in range(20):
        shell.good("card", "add", "--game", "arcadia", "--name", f"Card {number}", "--top", str(number % 10))
    assert shell.good("search", "card 7", "--json").json_lines[0]["id"] == "arcadia:hand/card-7"
    assert shell.good("stats", "--json").json["legal"] == 20
    assert len(shell.good("export", "--game", "arcadia", "--json").json_lines) == 20
    deck = shell.folder / "deck.toml"
    shell.good("deck", "new", "--game", "arcadia", "--seed", "7", "-o", deck)
    assert shell.good("deck", "check", deck, "--json").json["ok"]
    assert "arcadia:hand/card-7" in deck.read_text(encoding="utf-8")


def test_it_survives_imports_and_imports_again(shell: Shell) -> None:
    before = shell.good(
        "card", "add", "--game", "mtg", "--name", "Proxy", "--set", "dsk", "--number", "1", "--top", "4"
    )
    kept = shell.good("show", "mtg:hand/proxy", "--json").json
    assert "mtg:hand/proxy" in before.err
    shell.good("import", "starter")
    assert shell.import_rows(rows(30))["added"] == 30
    assert shell.import_rows([*rows(29), row(31)])["removed"] == 1
    shell.good("import", "starter")
    assert shell.good("show", "mtg:hand/proxy", "--json").json == kept
    assert shell.good("show", "mtg:dsk/1", "--json").json["name"] != "Proxy"
    assert shell.good("search", "proxy", "--json").json_lines[0]["id"] == "mtg:hand/proxy"


def test_a_card_of_a_source_with_its_id_does_not_take_its_place(shell: Shell) -> None:
    shell.good("card", "add", "--game", "mtg", "--name", "Proxy", "--top", "4")
    kept = shell.good("show", "mtg:hand/proxy", "--json").json
    shell.import_rows([*rows(30), {**row(31), "set": "hand", "collector_number": "proxy"}])
    assert shell.good("show", "mtg:hand/proxy", "--json").json == kept
    shell.good("undo", "--yes")
    assert shell.good("show", "mtg:hand/proxy", "--json").json == kept


@pytest.mark.parametrize("command", ["edit", "remove"])
def test_a_card_of_a_source_is_neither_changed_nor_removed(shell: Shell, command: str) -> None:
    shell.import_rows(rows(3))
    before = shell.good("show", "mtg:dsk/1", "--json").out
    options = ("--top", "4") if command == "edit" else ()
    shell("card", command, "mtg:dsk/1", *options).refused("comes from the source 'mtg'", "ccgrid card add")
    assert shell.good("show", "mtg:dsk/1", "--json").out == before
    shell("card", command, "mtg:dsk/99", *options).refused("There is no card 'mtg:dsk/99'")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "--game and --name"),
        (("--name", "Griffin"), "The game is"),
        (("--game", "arcadia", "--top", "4"), "needs a name"),
        (("--game", "a/b", "--name", "x"), "The game is"),
        (("--game", "arcadia", "--name", "x" * 201), "201 characters"),
        (("--game", "arcadia", "--name", "x", "--top", "4" * 201), "201 characters"),
        (("--game", "arcadia", "--name", "x", "--attack", "11"), "from 0 to 10"),
        (("--game", "arcadia", "--name", "x", "--defense", "*"), "from 0 to 10"),
    ],
)
def test_what_is_no_card_is_a_wrong_command_line(shell: Shell, options: tuple[str, ...], words: str) -> None:
    result = shell("card", "add", *options)
    assert (result.status, result.out, len(result.err.splitlines())) == (2, "", 2)
    assert words in result.err
    assert shell.catalogue() == {}


def without_digits(text: str) -> str:
    return "".join(character for character in text if not character.isdecimal())


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_shown_and_never_obeyed(shell: Shell, name: str) -> None:
    result = shell.good("card", "add", "--game", "arcadia", "--name", name, "--top", f"4 {without_digits(name)}")
    for text in (result.out, result.err):
        assert not any(character in text for character in "\x1b\x07\r\u202e\udcff")
    with Store(shell.database) as store:
        [card] = store.all_cards()
        assert card.name == name.encode("utf-8", "replace").decode()
        assert card.id.startswith("arcadia:hand/")
        assert card.zones == {"top": 4}
        assert store.cards([card.id]) == [card]


class Form:
    """The form on a terminal; what is shown is read up to the next question."""

    def __init__(self, shell: Shell, *arguments: str) -> None:
        pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
        if not hasattr(pexpect, "spawn"):
            pytest.skip("needs a pseudo-terminal")
        environment = {
            **shell.environment(),
            "TERM": "dumb",
            "PYTHONUTF8": "1",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        command = ["-m", "ccgrid", "card", *arguments]
        self.end = pexpect.EOF
        self.child = pexpect.spawn(
            sys.executable, command, env=environment, cwd=Path.cwd(), dimensions=(50, 80), encoding="utf-8", timeout=30
        )

    def answer(self, prompt: str, line: str) -> str:
        """What was shown before a question, which is then answered."""
        self.child.expect_exact(f"{prompt}> ")
        shown = str(self.child.before)
        self.child.sendline(line)
        return shown

    def rest(self) -> str:
        self.child.expect(self.end)
        self.child.close()
        return str(self.child.before)


def begun(shell: Shell, number: str = "", at: str = "") -> Form:
    """The form with its first questions answered."""
    form = Form(shell, "add")
    form.answer("Game, such as mtg", "no game!")
    assert "The game is a short name" in form.answer("Game, such as mtg", "Arcadia")
    form.answer("Name", "Griffin")
    form.answer("Set", "A")
    form.answer("Number", number)
    if number:
        form.answer("The number is printed at (tl … br, Enter for nowhere)", at)
    return form


def ended(form: Form, copies: str = "", box: str = "") -> str:
    form.answer("Copies that you own, Enter for none", copies)
    if copies:
        form.answer("Box, Enter for none", box)
    said = form.answer("Next card, its name; Enter ends", "")
    form.rest()
    assert form.child.exitstatus == 0
    return said


def test_the_form_says_what_it_understood_and_draws_at_the_end_or_when_asked(shell: Shell) -> None:
    form = begun(shell)
    assert "tl t tr" in form.answer("Printed", "tl 4")
    said = form.answer("Printed", "br 2,3")
    assert "top left 4. Legal." in said
    assert "score" not in said, "it is not drawn"
    barred = "Barred: more than one number in the bottom-right corner (rule 9)."
    assert barred in " ".join(form.answer("Printed", "br 7").split())
    form.answer("Printed", "draw")
    assert "score 11" in form.answer("Printed", "nonsense")
    assert "tl t tr" in form.answer("Printed", "face 3,5")
    assert "face 3,5. Legal." in form.answer("Printed", "attack eleven")
    assert "not a whole number from 0 to 10" in form.answer("Printed", "attack 2")
    assert "attack 2. Legal." in form.answer("Printed", "")
    assert "face 3 5" in form.answer("Copies that you own, Enter for none", "")
    assert "Entered as arcadia:hand/griffin" in form.answer("Next card, its name; Enter ends", "")
    form.rest()
    card = shell.good("show", ID, "--json").json
    assert (card["zones"], card["face"], card["attack"]) == ({"top-left": 4, "bottom-right": 7}, [3, 5], 2)


@pytest.mark.parametrize(
    "line", ["top left 4, bottom right 7", "tl 4 br 7", "4 top left, 7 bottom right", "top-left=4 bottom-right=7"]
)
def test_the_form_understands_what_people_type(shell: Shell, line: str) -> None:
    form = begun(shell)
    form.answer("Printed", line)
    assert "top left 4, bottom right 7. Legal." in form.answer("Printed", "")
    ended(form)
    assert shell.good("show", ID, "--json").json["zones"] == {"top-left": 4, "bottom-right": 7}


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("tl", {"top-left": ""}),
        ("top 3 left 4", {"top": "3", "left": "4"}),
        ("4 in the top left corner and 7 at the bottom right", {"top-left": "4", "bottom-right": "7"}),
        ("2,3 br", {"bottom-right": "2,3"}),
        ("TL: {4}, BR: 2/3", {"top-left": "{4}", "bottom-right": "2/3"}),
        ("face Draw 2 cards left", {"face": "Draw 2 cards left"}),
        ("upper left 4", {"top-left": "4"}),
        ("nonsense", {}),
        ("4", {}),
        ("4 nowhere", {}),
    ],
)
def test_places_are_read_in_every_order(line: str, places: dict[str, str]) -> None:
    assert read_places(line) == places


def test_a_collector_number_counts_where_it_is_printed(shell: Shell) -> None:
    form = begun(shell, "9", "bl")
    form.answer("Printed", "tl 4")
    form.answer("Printed", "")
    ended(form)
    card = shell.good("show", ID, "--json").json
    assert (card["zones"], card["score"]) == ({"top-left": 4, "bottom-left": 9}, 13)
    edited = shell.good("card", "edit", ID, "--number", "7", "--json").json
    assert edited["zones"] == {"top-left": 4, "bottom-left": 7}
    assert shell.good("card", "edit", ID, "--number-at", "", "--json").json["zones"] == {"top-left": 4}
    assert shell("card", "edit", ID, "--number-at", "middle").status == 2


def test_the_form_offers_the_next_card_of_the_same_game_and_set_and_puts_copies_into_a_box(shell: Shell) -> None:
    form = begun(shell)
    form.answer("Printed", "tl 4")
    form.answer("Printed", "")
    form.answer("Copies that you own, Enter for none", "3")
    form.answer("Box, Enter for none", "Attic 2")
    assert "You own 3 of it, in Attic 2." in form.answer("Next card, its name; Enter ends", "Basilisk")
    form.answer("Number", "")
    form.answer("Printed", "br 7")
    form.answer("Printed", "")
    ended(form)
    cards = shell.good("card", "list", "--json").json_lines
    assert [(card["id"], card["set_code"]) for card in cards] == [("arcadia:hand/basilisk", "A"), (ID, "A")]
    [held] = shell.good("collection", "list", "--json").json_lines
    assert (held["id"], held["copies"], held["location"]) == (ID, 3, "Attic 2")


def test_copies_are_owned_in_the_same_step(shell: Shell) -> None:
    assert "You own 2 of it, in Attic." in shell.good(*GRIFFIN, "--own", "2", "--box", "Attic").err
    [held] = shell.good("collection", "list", "--json").json_lines
    assert (held["id"], held["copies"]) == (ID, 2)


def test_cards_entered_by_hand_are_listed_and_no_others(shell: Shell) -> None:
    shell.import_rows(rows(3))
    assert "No card was entered" in shell.good("card", "list").out
    shell.good(*GRIFFIN)
    assert [card["id"] for card in shell.good("card", "list", "--json").json_lines] == [ID]
    assert "tl4 br7" in shell.good("card", "list").out


def test_the_form_of_an_edit_begins_with_the_card_as_it_is(shell: Shell) -> None:
    shell.good(*GRIFFIN)
    form = Form(shell, "edit", ID)
    assert "score 11" in form.answer("Printed", "tl")
    assert "top left taken back. Legal." in form.answer("Printed", "name Basilisk")
    assert "name Basilisk. Legal." in form.answer("Printed", "")
    form.rest()
    card = shell.good("show", ID, "--json").json
    assert (card["name"], card["zones"]) == ("Basilisk", {"bottom-right": 7})


def test_a_form_that_is_left_changes_nothing(shell: Shell) -> None:
    shell.good(*GRIFFIN)
    before = shell.good("export", "--json").out
    form = Form(shell, "edit", ID)
    form.answer("Printed", "tl 9")
    form.answer("Printed", "quit")
    assert "nothing is changed" in form.rest()
    assert form.child.exitstatus == 0
    assert shell.good("export", "--json").out == before
