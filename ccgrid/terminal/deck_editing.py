"""Interactive deck editing: one change per line, each with its effect."""

from pathlib import Path
from typing import Final

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.errors import EngineError
from ccgrid.services.deck_editing import DeckChange, DeckEditing
from ccgrid.terminal.keyboard import PlayerQuit, read_line
from ccgrid.view.decks import show_deck, show_deck_changes, show_standing
from ccgrid.view.output import remark, show
from ccgrid.view.streams import paged

HELP: Final = """Type what to change; a card of the deck is its number, its name or a part of it.
  swap OLD = NEW   replace one card with another
  add CARD         add a card: an id, or a name as in decks
  out CARD         remove a copy of a card
  undo             undo the last change
  show             show the deck
  check            is it legal?
  save             write the deck, and finish
  quit             leave the file as it is"""


def change_deck(deck: DeckEditing, output: Path | None) -> bool:
    """Edit a deck line by line; return whether the user saved it."""
    _show(deck)
    show(HELP)
    while True:
        try:
            line = read_line("Deck> ").strip()
        except PlayerQuit:
            line = "quit"
        command, _, rest = line.partition(" ")
        if command in ("quit", "q", "exit"):
            remark(f"{deck.file} is unchanged.")
            return False
        try:
            if command == "save":
                deck.write(output)
                return True
            _run_command(deck, command, rest.strip())
        except (CatalogError, EngineError, OSError) as error:
            show(str(error))


def _show(deck: DeckEditing) -> None:
    with paged():
        show_deck(deck.plays, deck.deck.name, deck.deck.cards)


def _run_command(deck: DeckEditing, command: str, rest: str) -> None:
    """Run a command line; raise CatalogError if it is not valid."""
    match command:
        case "":
            return
        case "show":
            _show(deck)
        case "check":
            show_standing(deck.plays, deck.deck.cards, deck.problems())
        case "undo":
            step = deck.undo()
            _show_change(deck, DeckChange(step.new, step.out))
        case "add":
            _show_change(deck, deck.add(rest))
        case "out":
            _show_change(deck, deck.take_out(rest))
        case "swap":
            old, sign, new = (part.strip() for part in rest.partition("="))
            if not sign or not old or not new:
                raise CatalogError("Write it as swap OLD = NEW, such as swap 3 = Thorvid.")
            _show_change(deck, deck.swap(old, new))
        case _:
            show(HELP)


def _show_change(deck: DeckEditing, step: DeckChange) -> None:
    show_deck_changes([(step.out, step.new)])
    show_standing(deck.plays, deck.deck.cards, deck.problems())
