"""The referee of a game with real cards at a terminal: cards on the table, moves, and cards that are revealed."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.matching.names import fold
from ccgrid.engine.cards import NamedCard
from ccgrid.engine.errors import EngineError, MalformedMoveError, UnknownCardError, harmless
from ccgrid.engine.game import Setup, State
from ccgrid.engine.games import find_game
from ccgrid.engine.real_cards import AnyRealCards, find_real_cards
from ccgrid.engine.records.record import Record
from ccgrid.services.deck_editing import find_cards
from ccgrid.services.referee import Referee
from ccgrid.services.saved_games import SavedGame
from ccgrid.services.session import LONGEST_LINE
from ccgrid.terminal.keyboard import PlayerQuit, Prompter, play_game, read_line, run_command
from ccgrid.terminal.prompts import line_completion, matching_completions
from ccgrid.view.games import (
    cards_in_words,
    meaning_lines,
    show_forecast,
    show_moves,
    show_position,
    show_unseen_cards,
)
from ccgrid.view.insight import hint_line
from ccgrid.view.output import show
from ccgrid.view.pictures import player_name

HELP: Final = """Also:
  that was b2 not b3       correct the last move
  that was NAME not NAME   correct a card
  b2 is NAME               correct the card on b2
  undo                     undo the last move and its card
  deck, deck PLAYER        the cards not seen yet, with their deck numbers
  board, moves             draw the board and all piles, list the moves
  hint                     a good move; if hands are hidden: hint NAME, NAME, …
  save FILE                save the game so far
  rules, resign, quit      the rules; give the game up; leave the table"""


_DEALING_HELP: Final = """Type what lies on the places of the prompt, all of it or the first ones. Also:
  undo                     undo the last line
  deck, deck PLAYER        the cards not seen yet, with their deck numbers
  quit                     leave the table"""

_LONGEST_PROMPT: Final = 50
"""Maximum width of a prompt, which may contain a player's name."""


def referee_game(record: Record, file: Path | None, saved: SavedGame) -> None:
    """Referee a game from its cards on the table, or from the end of its record, and save it in `file`.

    Without a file it is saved where it was saved before, if at all.

    Raises:
        CatalogError, EngineError: If the game cannot be continued.
        PlayerQuit: If the user quits before all cards on the table are named.
    """
    saved.record = file = file or saved.record
    referee = _deal(record)
    saved.save(referee.session)  # so that the cards need not be typed again
    play_game(referee.session, file, saved, lambda session, prompter, path: _sit(referee, prompter, path))


def _deal(record: Record) -> Referee:
    """Ask for the cards on the table before the first move, and return the game."""
    setup, cards = record.setup, find_real_cards(record.setup.game)
    if not cards.places(setup):
        if not record.moves and setup == cards.without_cards(setup):
            show(cards.beginning)
        return Referee.of(record)
    deck = cards.deck(setup, 0)
    what = "Card" if cards.numbers(deck[0]) else "Number"
    show(cards.beginning)
    if what == "Card":
        show("The deck:", "")
        _show_deck(cards, setup, 0)
        show("")
    show(f"Type the {what.lower()}s row by row from the top left, on one line or several.")
    setups: list[Setup] = [setup]
    while True:
        setup = setups[-1]
        places = cards.places(setup)
        if not places:
            with suppress(UnknownCardError):  # the layout has no capture, so a card must be covered
                return Referee.of(replace(record, setup=setup))
            places = (cards.cell_to_refill(setup, None, ""),)
        unseen = cards.unseen(setup, 0)
        if len(places) > 1:
            line = _ask_cards(f"{what}s on {places[0]} to {places[-1]}", unseen)
        else:
            line = _ask_cards(f"{what} on {places[0]}" if cards.places(setup) else cards.asks(setup, None, ""), unseen)
        try:
            if line.lower() == "undo":
                setups = setups[:-1] or setups
            elif line.lower() in ("help", "?"):
                show(_DEALING_HELP)
            elif not _do_common_command(line, cards, setup, 0):
                digits = "".join(line.split())
                spaced = " ".join(digits) if what == "Number" and digits.isdecimal() else line
                found = find_cards(spaced, deck, unseen, len(places), cards.numbers, what.lower())
                for card in found:
                    setup = cards.with_card(setup, None, card)
                setups.append(setup)
                show(cards_in_words(places[: len(found)], found))
        except CatalogError as error:
            show(str(error))


def _do_common_command(line: str, cards: AnyRealCards, setup: Setup, seat: int) -> bool:
    """Run a command that is valid before and during the game; return whether the line is one."""
    command, _, rest = line.partition(" ")
    match command.lower():
        case "":
            return True
        case "help" | "?" if not rest:
            show(cards.typing_help, HELP)
        case "deck" if not rest or _seat_of(setup, rest) is not None:
            _show_deck(cards, setup, seat if not rest else _seat_of(setup, rest))
        case "quit" | "exit" | "q" if not rest:
            raise PlayerQuit
        case _:
            return False
    return True


def _seat_of(setup: Setup, text: str) -> int | None:
    """Return the seat of the player whose name starts with a text, or None if there is not exactly one."""
    wanted = text.strip().casefold()
    seats = [seat for seat, player in enumerate(setup.players) if player.casefold().startswith(wanted)]
    return seats[0] if len(seats) == 1 else None


def _show_deck(cards: AnyRealCards, setup: Setup, seat: int | None) -> None:
    """Show the unseen cards of a player's deck, or of the deck that all players share."""
    seat = seat or 0
    if has_own_decks := find_game(setup.game).decks_needed(len(setup.players)) > 1:
        show(f"The cards of {player_name(setup.players[seat])} that no player has seen:")
    show_unseen_cards(
        cards.deck(setup, seat), cards.unseen(setup, seat), cards.numbers if has_own_decks else lambda _: ""
    )


def _sit(referee: Referee, prompter: Prompter, save_to: Path | None) -> None:
    """Referee a game to its end; raise PlayerQuit if the user quits."""
    try:
        _take_moves(referee, prompter, save_to)
    except (PlayerQuit, KeyboardInterrupt):
        if referee.pending:
            show(f"The move {harmless(referee.pending[0])} waits for its card, and is saved with the game.")
        raise


def _take_moves(referee: Referee, prompter: Prompter, save_to: Path | None) -> None:
    drawn: tuple[Setup, State] | None = None
    session, line, has_list = referee.session, "", False
    while not session.is_over:
        if referee.pending:
            unseen = referee.unseen
            line = _ask_cards(referee.cards.asks(referee.setup, referee.state, referee.pending[0]), unseen)
            is_card = fold(line) in [fold(card.name) for card in unseen]
        else:
            if drawn != (referee.setup, session.state):
                drawn = referee.setup, session.state
                _show_table(referee)
                # Otherwise the moves depend on a hidden hand.
                if has_list := referee.possible.legal_moves() == referee.state.legal_moves():
                    _show_moves(referee, whole=False)
            numbered = has_list or line.casefold() == "moves"
            line, is_card = _ask_cards(player_name(session.player), referee.possible_hand), False
            if line.isdecimal() and not numbered:
                show("Write the move, or type moves to list the moves with their numbers.")
                continue
        try:
            handle_line(referee, prompter, line, save_to, is_card=is_card)
        except MalformedMoveError as error:
            show(f"{error}. Type help for a list of commands.")
        except (EngineError, CatalogError) as error:
            show(str(error))


def handle_line(
    referee: Referee, prompter: Prompter, line: str, save_to: Path | None, *, is_card: bool = False
) -> None:
    """Handle a typed line: a command, unless `is_card` says that it is a card, a correction, a card or a move.

    Raises:
        EngineError, CatalogError: If it cannot be done; the message says why.
        PlayerQuit: If the user quits.
    """
    if is_card or not _do_command(referee, prompter, line, save_to):
        show(*meaning_lines(referee.state, referee.hear(line)))


def _do_command(referee: Referee, prompter: Prompter, line: str, save_to: Path | None) -> bool:
    """Run a command; return whether the line is one."""
    if len(line) > LONGEST_LINE:
        raise EngineError(f"This line has {len(line):,} characters, too many for a move or a card.")
    command, _, rest = line.partition(" ")
    match command.lower():
        case "undo" if not rest:
            show(referee.undo())
        case "board" if not rest:
            _show_table(referee, whole=True)
        case "moves" if not rest:
            _show_moves(referee, whole=True)
        case "hint":
            show(hint_line(*referee.hint(rest.strip())))
        case "forecast":
            show_forecast(referee.cards.forecast(referee.state, rest.strip()))
        case "save":
            run_command(referee.session, prompter, line, save_to)
        case "resign" | "rules" if not rest:
            run_command(referee.session, prompter, line, save_to)
        case _:
            return _do_common_command(line, referee.cards, referee.setup, referee.state.to_move)
    return True


def _show_table(referee: Referee, *, whole: bool = False) -> None:
    """Show the public position and the scores, all of it or as much as fits."""
    show("")
    show_position(referee.state.game, referee.state, referee.session.last_move, whole=whole)


def _show_moves(referee: Referee, *, whole: bool) -> None:
    """List the legal moves; if a hand is hidden, those with every card that it may contain."""
    state = referee.possible
    if state.legal_moves() == referee.state.legal_moves():
        state = referee.state  # the moves do not depend on the hidden hand
    show_moves(state.game, state, find_game(state.game).move_menu(state), whole=whole)


def _ask_cards(prompt: str, cards: Sequence[NamedCard]) -> str:
    """Prompt for a line; on a terminal the Tab key completes names of cards."""
    prompt = player_name(prompt, _LONGEST_PROMPT)
    if not sys.stdin.isatty():
        return read_line(f"{prompt}> ").strip()

    def ends(line: str) -> list[str]:
        starts = [0, *(place + 1 for place, mark in enumerate(line) if mark in " ,;")]
        for start in starts:
            beginning = line[start:].lstrip()
            names = sorted({card.name for card in cards if fold(card.name).startswith(fold(beginning))})
            if names:
                return [line[: len(line) - len(beginning)] + name for name in matching_completions(beginning, names)]
        return []

    line_completion(ends)
    try:
        return read_line(f"{prompt}> ").strip()
    finally:
        line_completion(None)
