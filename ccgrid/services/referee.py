"""A grid game with real cards: the deck is known, and of its order what was turned up; what was said is corrected."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from catalog.card import Card, CatalogError
from ccgrid.services.session import Session
from ccgrid.services.table_cards import find_card
from ccgrid.services.tables import seated
from engine.cards import label, without, zone_card
from engine.deal_checks import check_seats
from engine.dice import Dice
from engine.errors import EngineError, MoveError, UnknownCardError, quoted
from engine.game import State
from engine.games import find_game
from engine.games.grid.options import Options
from engine.games.grid.state import BOARD, DECK_SIZE, GRID_SIZE, GridSetup, GridState
from engine.notation import read_recorded
from engine.record import Record

GAME: Final = "grid"
_DECK: Final = "deck"
"""The key in a record's notes under which stand the names of the deck's cards in their order."""

_RATHER: Final = re.compile(r"(?:no,? *)?(?:that|it) (?:was|is) (.+?),? not (.+)", re.IGNORECASE)
_IS: Final = re.compile(r"([a-c][1-3]) (?:is|was) (.+)", re.IGNORECASE)


@dataclass(slots=True)
class Referee:
    """What a referee knows of a game at a real table.

    Attributes:
        session: the game as far as every card that it needs is known.
        setup: the cards that were turned up, in their order, and the deck, whose order numbers the cards.
        pending: the move that waits for the card that it turned up, and what a record holds after it.
    """

    session: Session
    setup: GridSetup
    pending: tuple[str, ...] = ()

    @classmethod
    def of(cls, record: Record) -> "Referee":
        """Takes a game up whose cards and moves may be known in part.

        Raises:
            CatalogError: it is no game of grid, or it does not say which cards are left.
            EngineError: a move is not legal.
            UnknownCardError: the game does not begin before another card is known.
        """
        setup = record.setup
        if not isinstance(setup, GridSetup):
            raise CatalogError(f"{setup.game} is played on with: ccgrid play --load. Real cards are for grid only.")
        if not setup.deck:
            raise CatalogError(
                "The record does not say which cards were not turned up: name the deck, or write its pile."
            )
        if seated(setup.players):
            raise CatalogError("A computer player sits at this table: go on with ccgrid play --load.")
        setup = replace(setup, deck=_in_order(setup.deck, record.notes.get(_DECK)))
        referee = cls(Session(replace(record, moves=(), result=None), {}, Dice(0)), setup)
        referee._take(setup.cards, record.moves)
        return referee

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that nobody has turned up, in the order of the deck."""
        return without(self.setup.deck, self.setup.cards)

    @property
    def state(self) -> GridState:
        """The position now, before a move that waits for its card."""
        state = self.session.state
        assert isinstance(state, GridState)  # noqa: S101  as made by the setup
        return state

    @property
    def hole(self) -> str | None:
        """The cell for which a card is turned up; with `empty-pile` it may come to lie elsewhere. None for none."""
        return self.pending[0][:2] if self.pending else None

    # --- what people say -----------------------------------------------------------------------------------------

    def move(self, text: str) -> str:
        """Makes the move that somebody typed; raises MoveError where it is not one, in the players' words."""
        move = self.session.read(text)
        self._take(self.setup.cards, (*self.session.moves, move))
        return move

    def turn_up(self, text: str) -> Card:
        """Tells the card that was turned up; raises CatalogError where it is not plain which."""
        card = find_card(text, self.setup.deck, self.unseen)
        self._take((*self.setup.cards, card), self._moves)
        return card

    def undo(self) -> str:
        """Takes the last move back, with the card that it turned up.

        Raises:
            EngineError: there is none.
        """
        if not self._moves:
            raise EngineError("There is nothing to take back. A card taken for another: b2 is NAME")
        moves = self.session.moves[:-1] if not self.pending else self.session.moves
        before = self.session.states[len(moves)]
        assert isinstance(before, GridState)  # noqa: S101  as made by the setup
        taken = self._moves[len(moves)]
        self._take(self.setup.cards[: before.turned_up], moves)
        return f"Took {taken} back."

    def correct(self, text: str) -> str | None:
        """Corrects what was said, and tells what: `that was b2 not b3`, `that was Ring not Rod`, `b2 is Ring`.

        Returns None where the text is not such a thing.

        Raises:
            EngineError: the game could not have gone so.
            CatalogError: it is not plain which card is meant.
        """
        if found := _IS.fullmatch(text.strip()):
            return self._correct_cell(found[1].lower(), found[2])
        if not (found := _RATHER.fullmatch(text.strip())):
            return None
        right, wrong = found[1].strip(), found[2].strip()
        if right.lower() in BOARD.cells and wrong.lower() in BOARD.cells:
            return self._correct_move(right.lower(), wrong.lower())
        return self._exchange(find_card(wrong, self.setup.deck, self.setup.cards), right)

    def _correct_move(self, right: str, wrong: str) -> str:
        if not self._moves:
            first, second = (self.setup.cards[self.state.grid[BOARD.cells.index(cell)]] for cell in (right, wrong))
            self._swap(first, second)
            return f"{first.name} and {second.name} have changed places."
        last = self._moves[-1]
        if wrong not in last:
            raise EngineError(f"The last move is {last}; {wrong} is not in it.")
        rather = last.replace(wrong, right)
        self._take(self.setup.cards, (*self._moves[:-1], rather))
        return f"The last move is {rather}, not {last}."

    def _correct_cell(self, cell: str, text: str) -> str:
        place = self.state.grid[BOARD.cells.index(cell)]
        if place < 0:
            raise EngineError(f"There is no card on {cell}.")
        return self._exchange(self.setup.cards[place], text)

    def _exchange(self, wrong: Card, text: str) -> str:
        """Puts the card that a text means in the place of another; one that lies there changes places with it."""
        right = find_card(text, self.setup.deck, self.setup.deck)
        if right == wrong:
            raise EngineError(f"{quoted(right.name)} is what lies there.")
        self._swap(right, wrong)
        return f"{right.name}, not {wrong.name}."

    def _swap(self, right: Card, wrong: Card) -> None:
        cards = list(self.setup.cards)
        place = len(cards) - 1 - cards[::-1].index(wrong)
        if right not in self.unseen:
            cards[len(cards) - 1 - cards[::-1].index(right)] = wrong
        cards[place] = right
        self._take(tuple(cards), self._moves)

    # --- what follows --------------------------------------------------------------------------------------------

    @property
    def _moves(self) -> tuple[str, ...]:
        return (*self.session.moves, *self.pending)

    def _take(self, cards: Sequence[Card], moves: Sequence[str]) -> None:
        """Takes these cards and moves for what happened; where that cannot be, everything stays as it was."""
        setup = replace(self.setup, cards=tuple(cards), moving=(), facing=())
        states: list[State] = [setup.start()]
        read: list[str] = []
        for number, text in enumerate(moves, 1):
            try:
                read.append(read_recorded(states[-1], text))
                states.append(states[-1].play_unchecked(read[-1]))
            except UnknownCardError:
                break
            except MoveError as error:
                raise EngineError(f"Move {number} would be against the rules. {error}") from None
        moves = (*read, *moves[len(read) :])
        pending = moves[len(states) - 1 :]
        left = without(setup.deck, setup.cards)
        if pending and len(set(left)) == 1:  # it can be no other
            self._take((*setup.cards, left[0]), moves)
            return
        self.setup, self.pending = setup, pending
        self.session.correct(replace(self.session.origin, setup=setup), states, moves[: len(states) - 1])


def begin(players: Sequence[str], first: str | None, options: dict[str, object], deck: Sequence[Card]) -> Record:
    """A record of a game of which nothing but the deck is known: its cards are to come.

    Raises:
        EngineError: so many cannot play, an option cannot be, or the deck has not twenty cards.
        CatalogError: who starts does not play, or a computer would.
    """
    names = tuple(players)
    check_seats(find_game(GAME), names)
    if computers := seated(names):
        raise CatalogError(f"{names[min(computers)]} is a computer player; at a real table people play.")
    if first is not None and first not in names:
        raise CatalogError(f"{first} does not play; --first is one of: {', '.join(names)}.")
    if len(deck) != DECK_SIZE:
        raise EngineError(f"{GAME} is played with one deck of {DECK_SIZE} cards, not {len(deck)}")
    cards = label([zone_card(card) for card in deck])
    setup = GridSetup(names, names.index(first) if first else 0, (), cards, options=Options.chosen(options))
    return Record(setup, date=date.today(), notes=_noted(cards))


def is_refereed(record: Record) -> bool:
    """Whether a record is of people with real cards: which are left is known, and not their order."""
    setup = record.setup
    return (
        isinstance(setup, GridSetup)
        and bool(setup.deck)
        and GRID_SIZE <= len(setup.cards) < DECK_SIZE
        and not seated(setup.players)
    )


def with_deck(record: Record, deck: Sequence[Card]) -> Record:
    """The record with the cards of this deck in its pile, where it does not say which are left.

    Raises:
        CatalogError: a card that was turned up is not in the deck.
    """
    setup = record.setup
    if not isinstance(setup, GridSetup):
        return record
    cards = label([zone_card(card) for card in deck])
    if strange := without(setup.cards, cards):
        raise CatalogError(f"{quoted(strange[0].name)} lies on the table, and is not in the deck.")
    return replace(record, setup=replace(setup, deck=cards), notes={**record.notes, **_noted(cards)})


def _noted(deck: Sequence[Card]) -> dict[str, list[str]]:
    """What notes say of a deck: its cards' names in the order that numbers them, which setups do not hold."""
    return {_DECK: [card.name for card in deck]}


def _in_order(deck: tuple[Card, ...], noted: object) -> tuple[Card, ...]:
    """The deck in the order that was noted, or as it is where none was, or that of another deck."""
    names = [str(name) for name in noted] if isinstance(noted, list | tuple) else []
    if Counter(names) != Counter(card.name for card in deck):
        return deck
    return tuple(sorted(deck, key=lambda card: names.index(card.name)))
