"""The referee of a game with real cards: asks which cards lie where, takes moves, and asks what was turned up."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from catalog.card import Card, CatalogError
from catalog.matching.search import fold
from ccgrid.services.kept_games import KeptGame
from ccgrid.services.referee import Referee
from ccgrid.services.table_cards import find_cards
from ccgrid.terminal.completing import complete_lines, kept_beginnings
from ccgrid.terminal.keyboard import LeftTable, Prompter, obey
from ccgrid.terminal.table import play_game
from ccgrid.terminal.voice import read_line
from ccgrid.view.output import show
from ccgrid.view.referee import show_deck, show_table, told_cards
from engine.cards import without
from engine.errors import EngineError, MalformedMoveError, UnknownCardError
from engine.game import State
from engine.games.grid.state import BOARD, GRID_SIZE, GridSetup
from engine.record import Record

HELP: Final = """A move is typed like a1xb2, or by its number; a card by its number, its name or a part of it. Besides:
  that was b2 not b3       the last move was another
  that was NAME not NAME   a card was taken for another
  b2 is NAME               another card lies on b2
  undo                     take back the last move and the card it turned up
  deck                     the cards that nobody has seen, with their numbers in the deck
  board, moves             draw the board, list the legal moves
  hint                     a good move, for who asks
  save FILE                write the game down so far
  rules, resign, quit      the rules; give the game up; leave the table"""

_OTHER_COMMANDS: Final = ("hint", "moves", "quit", "exit", "q", "resign", "rules", "save")
"""What is done as in every other game."""


def referee_game(record: Record, file: Path | None, kept: KeptGame) -> None:
    """Referees one game, from its first cards or from where its record ends, and saves it.

    Raises:
        CatalogError, EngineError: it cannot be taken up.
        LeftTable: somebody left before all cards that begin it were told.
    """
    referee = _dealt(record)
    kept.keep(referee.session)  # nobody types nine cards again
    play_game(referee.session, file, kept, lambda session, voice, path: _sit(referee, voice, path))


def _dealt(record: Record) -> Referee:
    """The game with the cards that lie on the grid, as people tell them."""
    setup = record.setup
    if not isinstance(setup, GridSetup) or len(setup.cards) >= GRID_SIZE:
        return Referee.of(record)
    show("Shuffle, and lay nine cards in three rows. The deck:", "")
    show_deck(setup.deck, setup.deck)
    show(
        "",
        "Type the cards row by row from the top left: names, parts of names or numbers, all in one line or in several.",
    )
    told: list[tuple[Card, ...]] = []
    while True:
        cards = tuple(card for line in told for card in line)
        if len(cards) >= GRID_SIZE:
            with suppress(UnknownCardError):  # no card takes another, and another is to be laid over them
                return Referee.of(replace(record, setup=replace(setup, cards=cards, moving=(), facing=())))
        places = BOARD.cells[len(cards) :] or ("the pile",)
        unseen = without(setup.deck, cards)
        line = _ask_cards(
            f"Cards on {places[0]} to {places[-1]}" if len(places) > 1 else f"Card on {places[0]}", unseen
        )
        try:
            if line.lower() == "undo":
                del told[-1:]
            elif not _shared(line, setup, unseen):
                found = find_cards(line, setup.deck, unseen, len(places))
                told.append(tuple(found))
                show(told_cards(places[: len(found)], found))
        except CatalogError as error:
            show(str(error))


def _shared(line: str, setup: GridSetup, unseen: Sequence[Card]) -> bool:
    """Whether a line is a command that there is before the game as well as in it, which is then done."""
    match line.lower():
        case "":
            return True
        case "help" | "?":
            show(HELP)
        case "deck":
            show_deck(setup.deck, unseen)
        case "quit" | "exit" | "q":
            raise LeftTable
        case _:
            return False
    return True


def _sit(referee: Referee, voice: Prompter, save_to: Path | None) -> None:
    """Referees a game to its end; raises LeftTable where somebody leaves."""
    drawn: tuple[GridSetup, State] | None = None
    session = referee.session
    try:
        while not session.is_over:
            if referee.pending:
                unseen = referee.unseen
                line = _ask_cards(f"Card turned up for {referee.hole}", unseen)
                is_card = fold(line) in [fold(card.name) for card in unseen]
            else:
                if drawn != (referee.setup, session.state):
                    drawn = referee.setup, session.state
                    show_table(referee.state, session.last_move)
                    voice.moves(session, False)
                line, is_card = voice.ask(session).strip(), False
            try:
                if is_card or not _obeyed(referee, voice, line, save_to):
                    _told(referee, line)
            except MalformedMoveError as error:
                show(f"{error}. Type help to see what else can be typed.")
            except (EngineError, CatalogError) as error:
                show(str(error))
    except (LeftTable, KeyboardInterrupt):
        if referee.pending:
            show(f"The move {referee.pending[0]} is not written down: nobody told which card it turned up.")
        raise


def _obeyed(referee: Referee, voice: Prompter, line: str, save_to: Path | None) -> bool:
    """Whether a line is a command or a correction, which is then done."""
    command = line.partition(" ")[0].lower()
    if command in _OTHER_COMMANDS:
        obey(referee.session, voice, line, save_to)
    elif line.lower() == "undo":
        show(referee.undo())
    elif line.lower() == "board":
        show_table(referee.state, referee.session.last_move)
    elif not _shared(line, referee.setup, referee.unseen):
        corrected = referee.correct(line)
        if corrected is None:
            return False
        show(corrected)
    return True


def _told(referee: Referee, line: str) -> None:
    """Takes a card that was turned up, or a move; says what was understood, where another is left to be told."""
    if not referee.pending:
        known = len(referee.setup.cards)
        referee.move(line)
        if len(referee.setup.cards) > known:
            show(f"{referee.setup.cards[-1].name} is the last card of the pile.")
        return
    hole = referee.hole or ""
    show(told_cards([hole], [referee.turn_up(line)]))


def _ask_cards(prompt: str, unseen: Sequence[Card]) -> str:
    """A line that somebody types; on a terminal the tabulator completes the names of cards."""
    if not sys.stdin.isatty():
        return read_line(f"{prompt}> ").strip()

    def ends(line: str) -> list[str]:
        start = max(line.rfind(mark) for mark in ",;") + 1
        start += len(line[start:]) - len(line[start:].lstrip())
        names = sorted({card.name for card in unseen if fold(card.name).startswith(fold(line[start:]))})
        return [line[:start] + name for name in kept_beginnings(line[start:], names)]

    complete_lines(ends)
    try:
        return read_line(f"{prompt}> ").strip()
    finally:
        complete_lines(None)
