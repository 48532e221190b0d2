"""Tests of games with real cards at a terminal: a known deck in an order that only the players know."""

import random
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.made_up import card, random_deck

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import label, zone_card
from ccgrid.engine.games.grid.moves import BOARD
from ccgrid.engine.games.grid.rules import GridSetup, GridState
from ccgrid.engine.records.files import read_game

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # Windows has none

from helpers.game_files import write_deck
from helpers.terminals import Terminal

CARD = r"Cards? [^>\r\n]+"
ANY = rf"Ann|Bob|{CARD}"

StartGame = Callable[..., Terminal]


class Cards:
    """The real cards of a test: a deck in a file, and the shuffled order."""

    def __init__(self, folder: Path, seed: int) -> None:
        rng = random.Random(seed)
        start_refereed_game = random_deck(rng)
        self.deck = label([zone_card(one) for one in start_refereed_game])
        self.file = write_deck(folder / "real.toml", start_refereed_game)
        self.order = rng.sample(self.deck, len(self.deck))
        self.state = GridSetup(("Ann", "Bob"), 0, tuple(self.order)).start()

    def number(self, wanted: Card) -> str:
        return str(self.deck.index(wanted) + 1)

    def text(self, wanted: Card) -> str:
        """Return the card's name, or its number if the name is not unique."""
        names = [other.name.partition(" #")[0] for other in self.deck]
        return wanted.name if names.count(wanted.name.partition(" #")[0]) == 1 else self.number(wanted)

    def nine(self) -> str:
        return " ".join(self.number(one) for one in self.order[:9])


@pytest.fixture
def cards(shell: Shell) -> Cards:
    return Cards(shell.folder, 4)


def start_refereed_game(start_table: StartGame, cards: Cards, *more: str) -> Terminal:
    game = start_table(cards.file, "--players", "Ann,Bob", "--record", "game.toml", *more)
    game.prompt(ANY)
    return game


def test_game_is_refereed_to_its_end(shell: Shell, start_table: StartGame, cards: Cards) -> None:
    rng, state = random.Random(1), cards.state
    game = start_refereed_game(start_table, cards)
    shown = game.answer(", ".join(map(cards.text, cards.order[:4])), ANY)
    assert shown.startswith(f"a1 {cards.order[0].name}, b1 ")
    shown = game.answer(" ".join(map(cards.number, cards.order[4:9])), ANY)
    while True:
        scores = ", ".join(f"{name} {score}" for name, score in zip(state.players, state.scores(), strict=True))
        assert f"\n{scores}\n" in shown
        assert f"Draw pile {state.pile}." in shown
        legal = state.legal_moves()
        illegal = next(move for move in ("a1xb1", "b1xa1", "c3xb3", "b3xc3", "a2xc2") if move not in legal)
        assert game.answer(illegal, "Ann|Bob").startswith(f'"{illegal}": ')
        move = rng.choice(legal)
        before, state = state, state.play_unchecked(move)
        game.child.sendline(f"{move[:2]} {move[3:]}".upper())
        if before.pile > 1:
            assert game.prompt(CARD).count("Draw pile") == 0
            game.child.sendline(cards.text(cards.order[before.turned_up]))
        if state.outcome() is not None:
            break
        shown = game.prompt("Ann|Bob")
    shown = game.rest()
    assert game.status == 0
    assert "The game is over: no card on the grid can take a neighbour" in shown
    record = read_game(shell.folder / "game.toml")
    assert record.result == state.scores()
    assert isinstance(record.setup, GridSetup)
    assert record.setup.cards == tuple(cards.order[: len(record.setup.cards)])
    shell.good("validate", shell.folder / "game.toml")
    assert shell.good("score", shell.folder / "game.toml", "--json").json["scores"] == dict(
        zip(state.players, state.scores(), strict=True)
    )
    assert not list(shell.folder.rglob("*-grid-*.jsonl"))


def legal_after(state: GridState, move: str) -> GridState:
    assert move in state.legal_moves()
    return state.play_unchecked(move)


def test_referee_corrects_and_undoes_lines(shell: Shell, start_table: StartGame, cards: Cards) -> None:
    game, state = start_refereed_game(start_table, cards), cards.state
    game.answer(cards.nine(), ANY)
    pairs = [(one, other) for one in state.legal_moves() for other in state.legal_moves() if one[:2] == other[:2]]
    one, other = next(pair for pair in pairs if pair[0] != pair[1])
    assert game.answer(one, ANY) == ""
    tenth = cards.order[9]
    game.answer(cards.number(tenth), "Bob")
    shown = game.answer(f"that was {other[3:]} not {one[3:]}", "Bob")
    assert f"The last move is {other}, not {one}." in shown
    corrected = cards.order[10]
    assert f"{corrected.name}, not {tenth.name}." in game.answer(
        f"that was {cards.number(corrected)} not {cards.number(tenth)}", "Bob"
    )
    assert tenth.name in game.answer(f"{one[:2]} is {cards.number(tenth)}", "Bob")
    game.answer("save half.toml", "Bob")
    half = read_game(shell.folder / "half.toml")
    assert half.moves == (other,)
    assert isinstance(half.setup, GridSetup)
    assert half.setup.cards == tuple(cards.order[:10])
    assert len(half.to_document()["setup"]["pile"]) == 10
    assert f"Undone: {other}." in game.answer("undo", "Ann")
    assert "nothing to undo" in game.answer("undo", "Ann")
    assert re.search(r"Hint|[a-c][1-3]x[a-c][1-3]", game.answer("hint", "Ann"))
    game.answer(one, CARD)
    assert f"Undone: {one}." in game.answer("undo", "Ann")


def test_impossible_correction_changes_nothing(start_table: StartGame, cards: Cards) -> None:
    game, state = start_refereed_game(start_table, cards), cards.state
    game.answer(cards.nine(), ANY)
    move = state.legal_moves()[0]
    game.answer(move, CARD)
    game.answer(cards.number(cards.order[9]), "Bob")
    wrong = next(cell for cell in BOARD.cells if f"{move[:2]}x{cell}" not in state.legal_moves() and cell != move[:2])
    assert "would be against the rules" in game.answer(f"that was {wrong} not {move[3:]}", "Bob")
    assert f"{cards.order[9].name}" in game.answer("board", "Bob")


def test_unfinished_refereed_game_continues(start_table: StartGame, shell: Shell, cards: Cards) -> None:
    game, state = start_refereed_game(start_table, cards), cards.state
    game.answer(cards.nine(), ANY)
    for turn in range(2):
        move = state.legal_moves()[0]
        game.answer(move, CARD)
        game.answer(cards.number(cards.order[9 + turn]), "Ann|Bob")
        state = legal_after(state, move)
    move = state.legal_moves()[-1]
    game.answer(move, CARD)
    game.child.sendline("quit")
    shown = game.rest()
    assert f"The move {move} waits for its card" in shown
    assert "To continue: ccgrid table --load game.toml" in shown
    for source in ("last", "game.toml"):
        again = start_table("--load", source, "--record", "game.toml", "--force")
        again.prompt(CARD)
        assert f"Undone: {move}." in again.answer("undo", "Ann")
        assert f"Draw pile {state.pile}." in again.answer("board", "Ann")
        again.answer(move, CARD)
        again.child.sendline("quit")
        again.rest()
    again = start_table("--load", "game.toml", command="play")
    again.prompt(CARD)
    again.answer(cards.number(cards.order[11]), "Bob|Ann")


def test_refereed_game_continues_after_kill_in_its_file(start_table: StartGame, shell: Shell, cards: Cards) -> None:
    game, state = start_refereed_game(start_table, cards), cards.state
    game.answer(cards.nine(), ANY)
    game.child.kill(signal.SIGKILL)
    again = start_table("--load", "last")
    assert "Draw pile 11." in again.prompt("Ann")
    again.answer(state.legal_moves()[0], CARD)
    again.child.kill(signal.SIGKILL)
    again = start_table("--load", "last")
    again.prompt(CARD)  # the move was saved, and its card is still missing
    assert "Draw pile 10." in again.answer(cards.number(cards.order[9]), "Bob")
    again.child.sendline("quit")
    assert "ccgrid table --load" in again.rest()
    assert not [*shell.folder.glob("table-*")]
    written = read_game(shell.folder / "game.toml")
    assert (len(written.moves), "file" in written.notes) == (1, False)


def test_moves_beyond_known_cards_are_continued(start_table: StartGame, shell: Shell, cards: Cards) -> None:
    game, state = start_refereed_game(start_table, cards), cards.state
    game.answer(cards.nine(), ANY)
    game.answer("save begun.toml", "Ann")
    move = state.legal_moves()[0]
    file = shell.folder / "begun.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("moves = []", f'moves = ["{move}"]'), encoding="utf-8")
    again = start_table("--load", "begun.toml", command="play")
    again.prompt(CARD)
    assert f"Draw pile {state.pile - 1}." in again.answer(cards.text(cards.order[9]), "Bob")


def test_variants_ask_for_covering_cards(start_table: StartGame, shell: Shell) -> None:
    deck = [card(f"Card {chr(65 + number)}", top=0, bottom=0, score=9) for number in range(20)]
    deck[9] = card("Card J", right=9, top=0, bottom=0)
    options = [word for text in ("komi=5", "order=1-2-2", "empty-pile") for word in ("--option", text)]
    file = write_deck(shell.folder / "deck.toml", deck)
    game = start_table(file, "--players", "Ann,Bob", *options, "--record", "game.toml")
    game.prompt(CARD)
    game.answer(" ".join(map(str, range(1, 10))), CARD)
    assert game.child.match[1] == "Card laid over a1"
    game.answer("card j", "Ann")
    game.answer("a1 b1", CARD)
    assert game.child.match[1] == "Card turned up for a1"
    assert "Ann 9, Bob 5" in game.answer("card k", "Bob")
    game.answer("b1 c1", CARD)
    assert game.child.match[1] == "Card turned up for b1"
    game.answer("card l", CARD)
    assert game.child.match[1] == "Card laid over a1"
    assert "a1 Card M." in game.answer("card m", CARD)
    assert game.child.match[1] == "Card laid over b1"
    game.child.sendline("quit")
    game.rest()
    again = start_table("--load", "last", command="play", lines=24)
    again.prompt(CARD)
    assert again.child.match[1] == "Card laid over b1"
    shown = again.answer("undo", "Bob")
    assert "Undone: b1xc1." in shown
    assert "Pile of Ann" not in shown  # a low terminal has too few lines for it
    assert "Pile of Ann: Card B 9" in again.answer("board", "Bob")
    assert "Ann 9, Bob 5" in again.answer("board", "Bob")


def test_tab_completes_unseen_cards(shell: Shell, start_table: StartGame) -> None:
    deck = [card(f"Card {chr(65 + number)}{number}", right=number % 10, left=1) for number in range(20)]
    game = start_table(write_deck(shell.folder / "deck.toml", deck), "--players", "Ann,Bob")
    game.prompt(CARD)
    game.child.send("Card C\t, card d\t\r")
    assert "a1 Card C2, b1 Card D3." in game.prompt(CARD)


def test_table_needs_deck_and_people(shell: Shell, cards: Cards) -> None:
    assert shell("table").status == 2
    shell("table", cards.file, "--players", "Ann,greedy").misuses("greedy is a computer player")
    shell("table", cards.file, "--players", "Ann,Bob", "--first", "Cid").misuses("Cid does not play")
    shell("table", "--load", "last").fails("There is no unfinished game")
