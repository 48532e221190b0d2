"""A game with real cards as its referee knows it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.matching.names import fold
from ccgrid.engine.cards import NamedCard, without
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, MoveError, UnknownCardError, harmless, quoted
from ccgrid.engine.game import Setup, State
from ccgrid.engine.games import find_game
from ccgrid.engine.notation import play, read_move, read_record_move
from ccgrid.engine.real_cards import AnyRealCards, find_real_cards, hides_hand
from ccgrid.engine.records.record import Ply, Record
from ccgrid.services.deck_editing import find_card, find_cards, matching_cards
from ccgrid.services.real_records import in_noted_order, pending_in, with_pending
from ccgrid.services.session import Session, hint_for, typed_move

if TYPE_CHECKING:
    from ccgrid.engine.search import Thought


@dataclass(slots=True)
class RealGame:
    """The known part of a game with real cards.

    Attributes:
        session: The game up to the first move that needs an unknown card.
        setup: The known cards, and the decks in the order that numbers their cards.
        pending: The move that waits for a card, and the moves after it in a record.
    """

    session: Session
    setup: Setup
    pending: tuple[str, ...] = ()

    @classmethod
    def of(cls, record: Record) -> Self:
        """Resume a game whose cards and moves may be known in part.

        Raises:
            CatalogError: If the record does not name the remaining cards.
            EngineError: If a move is not legal.
            UnknownCardError: If another card is needed before the first move.
        """
        setup, cards = record.setup, find_real_cards(record.setup.game)
        if not all(cards.deck(setup, seat) for seat in range(len(setup.players))):
            raise CatalogError(
                "The record does not name the cards not turned up yet. Add the deck: ccgrid table DECK --load RECORD"
            )
        setup = in_noted_order(record)
        start = with_pending(replace(record, setup=setup, moves=(), result=None), ())
        game = cls(Session(start, {}, Dice(0)), setup)
        pending = pending_in(record)
        try:
            game.take(setup, (*record.moves, *pending))
        except EngineError:
            if not pending:
                raise
            game.take(setup, record.moves)  # a note of the same name has another meaning
        return game

    @property
    def cards(self) -> AnyRealCards:
        """The rules for refereeing this game."""
        return find_real_cards(self.setup.game)

    @property
    def state(self) -> State:
        """The position before a move that waits for its card."""
        return self.session.state

    @property
    def possible(self) -> State:
        """The position in which the player to move holds every card that may be in that hand."""
        found: State = self.cards.possible(self.setup, self.state)
        return found

    @property
    def deck(self) -> tuple[NamedCard, ...]:
        """The cards of the player to move, in the order that numbers them."""
        return self.cards.deck(self.setup, self.state.to_move)

    @property
    def unseen(self) -> tuple[NamedCard, ...]:
        """The cards of the player to move that were never revealed."""
        return self.cards.unseen(self.setup, self.state.to_move)

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves, including those that wait for a card."""
        return (*self.session.moves, *self.pending)

    @property
    def possible_hand(self) -> tuple[NamedCard, ...]:
        """The cards that may be in the hand of the player to move."""
        return (*self.unseen, *self.cards.in_hand(self.state))

    def cards_from_hands(self) -> list[tuple[int, NamedCard]]:
        """Return the cards that moves revealed from hands, each with the index of its move."""
        found: list[tuple[int, NamedCard]] = []
        for index, (state, move) in enumerate(zip(self.session.states, self.session.moves, strict=False)):
            name = self.cards.revealed_card(move)
            if name is not None:
                deck = self.cards.deck(self.setup, state.to_move)
                found += [(index, card) for card in deck if card.name == name][:1]
        return found

    def before_move(self, number: int) -> tuple[Setup, State]:
        """Return setup and position before a move, without the cards that it and later moves revealed from hands.

        Cards that were turned up stay: they are on the table.
        """
        setup, moves = self.setup, self.session.moves
        for index in range(min(len(moves) - 1, len(self.moves) - 1), number - 1, -1):
            if self.cards.revealed_card(moves[index]) is not None:
                setup = self.cards.before(setup, self.session.states[index], moves[index])
        return setup, self._replay(setup, self.moves[:number])[-1]

    def state_by(self, setup: Setup) -> State:
        """Return the current position with the cards of a setup."""
        return self._replay(setup, self.session.moves)[-1]

    def _replay(self, setup: Setup, moves: Sequence[str]) -> list[State]:
        states = [setup.start()]
        for move in moves:
            states.append(states[-1].play_unchecked(move))
        return states

    def take(self, setup: Setup, moves: Sequence[str]) -> None:
        """Replace setup and moves; if the moves are impossible, leave the game unchanged.

        A card that a move reveals from a hand is known from then on.

        Raises:
            EngineError: If a move is not legal.
        """
        states: list[State] = [setup.start()]
        read: list[str] = []
        for text in moves:
            try:
                move = read_record_move(self.cards.possible(setup, states[-1]), text)
                known = self._setup_after(setup, states[-1], move)
                if known is not setup:  # the card was in that hand before: replay the earlier moves with it
                    setup, states = known, self._replay(known, read)
                read.append(move)
                states.append(play(states[-1], move))
            except UnknownCardError:  # this move waits for its card, and all later ones wait for this move
                break
            except MoveError as error:
                raise EngineError(f"Move {len(states)} would be against the rules. {error}") from None
        moves = (*read, *moves[len(read) :])
        pending = moves[len(states) - 1 :]
        left = self.cards.unseen(setup, states[-1].to_move)
        if pending and len(set(left)) == 1:  # the only remaining card
            self.take(self.cards.with_card(setup, states[-1], left[0]), moves)
            return
        self.setup, self.pending = setup, pending
        origin = with_pending(replace(self.session.origin, setup=setup), pending)
        self.session.correct(origin, states, moves[: len(states) - 1])

    def _setup_after(self, setup: Setup, state: State, move: str) -> Setup:
        """Return the setup with the card that a move reveals from a hand."""
        name = self.cards.revealed_card(move)
        if name is None or move in state.legal_moves():
            return setup
        card = next((card for card in self.cards.unseen(setup, state.to_move) if card.name == name), None)
        known: Setup = setup if card is None else self.cards.with_card(setup, state, card)
        return known


_RATHER: Final = re.compile(r"(?:no,? *)?(?:that|it) (?:was|is) (.+?),? not (.+)", re.IGNORECASE)


_WAS: Final = re.compile(r"(?:no,? *)?that was (.+)", re.IGNORECASE)


_IS: Final = re.compile(r"([a-d][1-4]) (?:is|was) (.+)", re.IGNORECASE)


_CELL: Final = re.compile(r"[a-d][1-4]")


class LineMeaning(NamedTuple):
    """The meaning of a line of input, and its consequences.

    Attributes:
        corrected: The correction that it made, as a sentence.
        place: The cell of the named card; empty if it has none.
        cards: The named cards.
        why: The reason why the move waits for a card.
        last: The name of the last card of the draw pile, which is revealed by elimination.
        plies: The moves that were made.
        draws: The number of cards that each of these seats draws now.
        instruction: What else to do with the cards on the table, as a sentence.
    """

    corrected: str = ""
    place: str = ""
    cards: tuple[NamedCard, ...] = ()
    why: str = ""
    last: str = ""
    plies: Sequence[Ply] = ()
    draws: Sequence[tuple[int, int]] = ()
    instruction: str = ""


class Referee(RealGame):
    """A game with real cards that processes the input of its players."""

    __slots__ = ()

    def hear(self, line: str) -> LineMeaning:
        """Process a correction, a card or a move. An exact name of an expected card is never read as a correction.

        Raises:
            MoveError: If the text is not a move.
            CatalogError: If a card name is unknown or ambiguous.
            EngineError: If the game would be impossible.
        """
        if not self.pending or fold(line) not in [fold(card.name) for card in self.unseen]:
            corrected = self.correct(line)
            if corrected is not None:
                return LineMeaning(corrected=corrected)
        made, state, unseen = len(self.session.moves), self.state, self.unseen
        heard = LineMeaning()
        if self.pending:
            place = self.cards.cell_to_refill(self.setup, self.state, self.pending[0])
            heard = LineMeaning(place=place, cards=self.turn_up(line))
        else:
            instruction = self.cards.instruction(state, self.move(line))
            if self.pending:
                return LineMeaning(why=self.cards.why(self.state, self.pending[0]), instruction=instruction)
            left = without(unseen, self.cards.unseen(self.setup, state.to_move))
            is_last = bool(left) and self.cards.revealed_card(self.session.moves[-1]) is None
            last = left[0].name if is_last else ""
            heard = LineMeaning(last=last, plies=self.session.plies(made), instruction=instruction)
        states = self.session.states[made:]
        draws = [one for before, after in pairwise(states) for one in self.cards.cards_to_draw(before, after)]
        return heard._replace(draws=draws)

    # --- input ---------------------------------------------------------------------------------------------------

    def move(self, text: str) -> str:
        """Make the move that a text names.

        Raises:
            MoveError: If the text is not a move.
            CatalogError: If a card name is unknown or ambiguous.
        """
        move = self._read(text)
        self.take(self.setup, (*self.session.moves, *find_game(self.state.game).steps(self.state, move)))
        return move

    def turn_up(self, line: str) -> tuple[NamedCard, ...]:
        """Add the cards for which a move waits; the line may also name known cards of the same hand.

        Raises:
            CatalogError: If a card name is unknown or ambiguous.
            EngineError: If the game would be impossible.
        """
        numbers, known = self.cards.numbers, self.cards.in_hand(self.state)
        among, most = (*self.unseen, *known), self.cards.most_shown(self.state) + len(known)
        if most == 1:
            named = [find_card(line, self.deck, among, numbers)]
        else:
            named = find_cards(line, self.deck, among, most, numbers)
        found = without(named, known)
        if not found:
            raise CatalogError("These cards are known already. Name the others, too.")
        setup = self.setup
        for card in found:
            setup = self.cards.with_card(setup, self.state_by(setup), card)
        self.take(setup, self.moves)
        return found

    def undo(self) -> str:
        """Undo the last move, with the card that it revealed.

        Raises:
            EngineError: If there is none.
        """
        if not self.moves:
            raise EngineError("There is nothing to undo. To correct a card: b2 is NAME")
        earlier = self.session.moves if self.pending else self.session.moves[:-1]
        taken = self.moves[len(earlier)]
        self.take(self.cards.before(self.setup, self.session.states[len(earlier)], taken), earlier)
        return f"Undone: {harmless(taken)}."

    def hint(self, line: str) -> "tuple[Thought, State]":
        """Return the values of the moves for the player to move, and the position as this player sees it.

        `line` names the cards in the player's hand if it is hidden.

        Raises:
            CatalogError: If a card name is unknown or ambiguous.
            EngineError: If these cards cannot be in the hand, or a move waits for a card.
        """
        if self.pending:
            raise EngineError("Name the card first: the position depends on it.")
        if not line and hides_hand(self.state):
            raise EngineError(
                f"The hand of {quoted(self.session.player)} is not known. Name all cards: hint NAME, NAME"
            )
        view = self.view_with_hand(line)
        return hint_for(view, len(self.session.moves)), view

    def view_with_hand(self, line: str) -> State:
        """Return the position as the player to move sees it, with the cards named in a line in this player's hand.

        Raises:
            CatalogError: If a card name is unknown or ambiguous.
            EngineError: If these cards cannot be in the hand.
        """
        among = self.possible_hand
        named = find_cards(line, self.deck, among, max(1, len(among)), self.cards.numbers) if line else []
        view: State = self.cards.with_hand(self.setup, self.state, named)
        return view

    def _read(self, text: str) -> str:
        """Return the possible move that a text names; a number may stand for a card of the deck."""
        possible = self.possible
        if text in possible.legal_moves():
            return text
        try:
            return typed_move(possible, text)
        except MoveError:
            name = self.cards.names(possible, text)
            if not name:
                raise
            card = find_card(name, self.deck, self.possible_hand, self.cards.numbers)
            if card.name == name:
                raise
            whole = rf"(?<!\w){re.escape(name)}(?!\w)"  # not as a part of another word
            return read_move(possible, re.sub(whole, lambda _: card.name, text, count=1))

    # --- corrections ---------------------------------------------------------------------------------------------

    def correct(self, text: str) -> str | None:
        """Correct an earlier input, and return a sentence about it; return None if the text is not a correction.

        Corrections: `that was b2 not b3`, `that was Ring not Rod`, `b2 is Ring`.

        Raises:
            EngineError: If the game would be impossible.
            CatalogError: If a card name is unknown or ambiguous.
        """
        text = text.strip()
        if found := _IS.fullmatch(text):
            return self._correct_cell(found[1].lower(), found[2])
        if found := _RATHER.fullmatch(text):
            return self._correct_word(found[1].strip(), found[2].strip())
        if (found := _WAS.fullmatch(text)) and self.moves:
            return self._correct_move(found[1].strip())
        return None

    def _correct_cell(self, cell: str, text: str) -> str:
        lying = self.cards.card_at(self.state, cell)
        if lying is None:
            raise EngineError(f"There is no card on {cell}.")
        return self._exchange(lying[1], text, lying[0])

    def _correct_word(self, right: str, wrong: str) -> str:
        if is_cell := bool(_CELL.fullmatch(wrong.lower()) and _CELL.fullmatch(right.lower())):
            right, wrong = right.lower(), wrong.lower()
        if is_cell and not self.moves:
            return self._correct_places(right, wrong)
        last = self.moves[-1] if self.moves else ""
        places = [found.start() for found in re.finditer(re.escape(wrong), last, re.IGNORECASE)]
        if is_cell and not places:
            raise EngineError(f"The last move is {harmless(last)}; {wrong} is not in it.")
        if places:
            rather = last[: places[-1]] + right + last[places[-1] + len(wrong) :]
            if is_cell or self._is_move(rather):
                return self._correct_move(rather)
        seat = self.session.states[max(len(self.session.moves) - 1, 0)].to_move
        known = [card for _, card in self.cards_from_hands()] or without(self.deck, self.unseen)
        deck = self.cards.deck(self.setup, seat)
        if not matching_cards(wrong, deck, known):
            in_move = f" in the last move, {harmless(last)}, nor" if last else ""
            raise EngineError(f"{quoted(wrong)} is not{in_move} a card on the table.")
        return self._exchange(find_card(wrong, deck, known, self.cards.numbers), right, None)

    def _correct_places(self, right: str, wrong: str) -> str:
        """Swap two cards that were laid out before the first move."""
        first, second = (self.cards.card_at(self.state, cell) for cell in (right, wrong))
        if first is None or second is None:
            raise EngineError(f"There is no card on {wrong if first else right}.")
        self.take(self.cards.exchange(self.setup, second[1], first[1]), ())
        return f"{harmless(first[1].name)} and {harmless(second[1].name)} have swapped places."

    def _correct_move(self, text: str) -> str:
        number = len(self.moves) - 1
        last = self.moves[number]
        setup, state = self.before_move(number)
        try:
            rather = read_move(self.cards.possible(setup, state), text)
        except MoveError:
            rather = text.lower()
        self.take(setup, (*self.moves[:number], rather))
        return f"The last move is {harmless(rather)}, not {harmless(last)}."

    def _is_move(self, text: str) -> bool:
        setup, state = self.before_move(len(self.moves) - 1)
        try:
            read_move(self.cards.possible(setup, state), text)
        except MoveError:
            return False
        return True

    def _exchange(self, wrong: NamedCard, text: str, seat: int | None) -> str:
        """Replace a card by the card that a text names, in the move that revealed it or on the table."""
        index = next(
            (
                index
                for index, card in reversed(self.cards_from_hands())
                if card == wrong and seat in (None, self.session.states[index].to_move)
            ),
            None,
        )
        setup, state = (self.setup, self.state) if index is None else self.before_move(index)
        if index is None:
            deck = among = self.cards.candidate_cards(setup, state.to_move)
        else:
            deck, among = self.cards.deck(setup, state.to_move), self.cards.unseen(setup, state.to_move)
        right = find_card(text, deck, among, self.cards.numbers)
        if right == wrong:
            raise EngineError(f"{quoted(right.name)} is already there.")
        if index is None:
            self.take(self.cards.exchange(setup, wrong, right), self.moves)
        else:
            move = self.cards.with_card_replaced(self.moves[index], right.name)
            self.take(setup, (*self.moves[:index], move, *self.moves[index + 1 :]))
        return f"{harmless(right.name)}, not {harmless(wrong.name)}."
