"""Tests of the form in which custom cards are entered at a terminal."""

import os
import sys

import pytest
from helpers.catalogues import Shell, rows
from helpers.entered_card import GRIFFIN, ID
from helpers.forked_program import at_terminal


class Form:
    """The form at a terminal, with the output up to the next question."""

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
        self.end = pexpect.EOF
        self.child = at_terminal(("card", *arguments), environment, lines=50)

    def answer(self, prompt: str, line: str) -> str:
        """Answer a question, and return the output before it."""
        self.child.expect_exact(f"{prompt}> ")
        shown = str(self.child.before)
        self.child.sendline(line)
        return shown

    def rest(self) -> str:
        self.child.expect(self.end)
        self.child.close()
        return str(self.child.before)


def start_form(shell: Shell, number: str = "", at: str = "") -> Form:
    """Start the form, and answer its first questions."""
    form = Form(shell, "add")
    form.answer("Game, such as mtg", "no game!")
    assert "The card needs a game" in form.answer("Game, such as mtg", "Arcadia")
    form.answer("Name", "Griffin")
    form.answer("Set", "A")
    form.answer("Number", number)
    if number:
        form.answer("Zone of the collector number (tl … br, Enter for none)", at)
    return form


def finish_form(form: Form, copies: str = "", box: str = "") -> str:
    """Answer the last questions, and return the output before the end."""
    form.answer("Copies you own, Enter for none", copies)
    if copies:
        form.answer("Box, Enter for none", box)
    output = form.answer("Next card, its name; Enter ends", "")
    form.rest()
    assert form.child.exitstatus == 0
    return output


def test_form_confirms_each_line_and_draws_the_card(shell: Shell) -> None:
    form = start_form(shell)
    assert "tl t tr" in form.answer("Printed", "tl 4")
    output = form.answer("Printed", "br 2,3")
    assert "top left 4. Legal." in output
    assert "score" not in output, "it is not drawn"
    barred = "Not legal: two numbers in the bottom-right corner (rule 9)."
    assert barred in " ".join(form.answer("Printed", "br 7").split())
    form.answer("Printed", "draw")
    assert "score 11" in form.answer("Printed", "nonsense")
    assert "tl t tr" in form.answer("Printed", "face 3,5")
    assert "face 3,5. Legal." in form.answer("Printed", "attack eleven")
    assert "not a whole number from 0 to 10" in form.answer("Printed", "attack 2")
    assert "attack 2. Legal." in form.answer("Printed", "")
    assert "face 3 5" in form.answer("Copies you own, Enter for none", "")
    assert "Entered as arcadia:hand/griffin" in form.answer("Next card, its name; Enter ends", "")
    form.rest()
    card = shell.card(ID)
    assert (card["zones"], card["face"], card["attack"]) == ({"top-left": 4, "bottom-right": 7}, [3, 5], 2)


@pytest.mark.parametrize(
    "line", ["top left 4, bottom right 7", "tl 4 br 7", "4 top left, 7 bottom right", "top-left=4 bottom-right=7"]
)
def test_form_accepts_every_spelling_of_zones(shell: Shell, line: str) -> None:
    form = start_form(shell)
    form.answer("Printed", line)
    assert "top left 4, bottom right 7. Legal." in form.answer("Printed", "")
    finish_form(form)
    assert shell.card(ID)["zones"] == {"top-left": 4, "bottom-right": 7}


def test_collector_number_counts_in_its_zone(shell: Shell) -> None:
    form = start_form(shell, "9", "bl")
    form.answer("Printed", "tl 4")
    form.answer("Printed", "")
    finish_form(form)
    card = shell.card(ID)
    assert (card["zones"], card["score"]) == ({"top-left": 4, "bottom-left": 9}, 13)
    edited = shell.good("card", "edit", ID, "--number", "7", "--json").json
    assert edited["zones"] == {"top-left": 4, "bottom-left": 7}
    assert shell.good("card", "edit", ID, "--number-at", "", "--json").json["zones"] == {"top-left": 4}
    assert shell("card", "edit", ID, "--number-at", "middle").status == 2


def test_form_continues_with_same_set_and_boxes_copies(shell: Shell) -> None:
    form = start_form(shell)
    form.answer("Printed", "tl 4")
    form.answer("Printed", "")
    form.answer("Copies you own, Enter for none", "3")
    form.answer("Box, Enter for none", "Attic 2")
    assert "You own 3 of it, in Attic 2." in form.answer("Next card, its name; Enter ends", "Basilisk")
    form.answer("Number", "")
    form.answer("Printed", "br 7")
    form.answer("Printed", "")
    finish_form(form)
    cards = shell.good("card", "list", "--json").json_lines
    assert [(card["id"], card["set_code"]) for card in cards] == [("arcadia:hand/basilisk", "A"), (ID, "A")]
    [entry] = shell.entries()
    assert (entry["id"], entry["copies"], entry["location"]) == (ID, 3, "Attic 2")


def test_copies_are_added_in_the_same_step(shell: Shell) -> None:
    assert "You own 2 of it, in Attic." in shell.good(*GRIFFIN, "--own", "2", "--box", "Attic").err
    [entry] = shell.entries()
    assert (entry["id"], entry["copies"]) == (ID, 2)


def test_only_custom_cards_are_listed(shell: Shell) -> None:
    shell.import_rows(rows(3))
    assert "No card was entered" in shell.good("card", "list").out
    shell.good(*GRIFFIN)
    assert [card["id"] for card in shell.good("card", "list", "--json").json_lines] == [ID]
    assert "tl4 br7" in shell.good("card", "list").out


def test_edit_form_starts_with_current_card(shell: Shell) -> None:
    shell.good(*GRIFFIN)
    form = Form(shell, "edit", ID)
    assert "score 11" in form.answer("Printed", "tl")
    assert "top left cleared. Legal." in form.answer("Printed", "name Basilisk")
    assert "name Basilisk. Legal." in form.answer("Printed", "")
    form.rest()
    card = shell.card(ID)
    assert (card["name"], card["zones"]) == ("Basilisk", {"bottom-right": 7})


def test_cancelled_form_changes_nothing(shell: Shell) -> None:
    shell.good(*GRIFFIN)
    before = shell.good("export", "--json").out
    form = Form(shell, "edit", ID)
    form.answer("Printed", "tl 9")
    form.answer("Printed", "quit")
    assert "nothing changed" in form.rest()
    assert form.child.exitstatus == 0
    assert shell.good("export", "--json").out == before
