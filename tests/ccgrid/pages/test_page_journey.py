"""A game that moves between terminal, page and code has the same result everywhere."""

import random

import pytest
from helpers.browsers import PHONE, open_page
from helpers.catalogues import Shell
from helpers.table_pages import EXAMPLES

from ccgrid.engine.records.files import code_document, read_game
from ccgrid.engine.records.record import read_document

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # which Windows has none of

import pexpect
from helpers.terminals import Terminal

ASKED = r"Ann|Bob|Cards? [^>\r\n]+"


def test_game_continued_on_a_page_has_the_same_result(browser, table, shell: Shell) -> None:
    order = random.Random(4).sample(range(1, 21), 20)
    terminal = Terminal(shell, EXAMPLES / "deck.toml", "--players", "Ann,Bob", "--record", "half.toml", command="table")
    terminal.prompt(ASKED)
    terminal.answer(" ".join(map(str, order[:9])), ASKED)
    for card in order[9:11]:
        terminal.answer("1", ASKED)
        terminal.answer(str(card), ASKED)
    terminal.child.sendline("quit")
    terminal.rest()
    half = read_game(shell.folder / "half.toml")
    code = shell.good("code", shell.folder / "half.toml").out.strip()

    with open_page(browser, f"{table}#{code}", PHONE) as page:
        assert page.locator("#moves li").count() == len(half.moves) == 2
        while page.locator("#grid .can").count():
            page.locator("#grid .can").first.tap()
            page.locator("#grid .lit").first.tap()
            if page.locator("#chooser[open]").count():
                page.locator("#unseen button").last.tap()
        points = tuple(int(text) for text in page.locator("#players .points").all_inner_texts())
        ended, text = page.locator("#code").input_value(), page.locator("#record").input_value()

    (shell.folder / "page.toml").write_text(text, encoding="utf-8")
    game = read_document(code_document(ended)).require()
    assert game.moves[:2] == half.moves
    scores = [shell.good("score", one, "--json").json for one in (ended, shell.folder / "page.toml")]
    again = Terminal(shell, "--load", code, "--record", "whole.toml", command="table")
    names, moves = [card.name for card in game.setup.cards[len(half.setup.cards) :]], list(game.moves[2:])
    while again.child.expect([rf"\r\n(?:\x1b\[\?2004h)?({ASKED})> ", pexpect.EOF]) == 0:
        again.child.sendline((names if again.child.match[1].startswith("Card") else moves).pop(0))
    assert "The game is over" in again.child.before
    again.child.close()
    scores.append(shell.good("score", shell.folder / "whole.toml", "--json").json)
    for score in scores:
        assert (score["over"], score["ok"], tuple(score["scores"].values())) == (True, True, points)
