"""The ninecard game with real cards: the decks and the laid, played or shown cards are known."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ccgrid.engine.cards import UNKNOWN, match_names, without
from ccgrid.engine.errors import EngineError, UnknownCardError, quoted
from ccgrid.engine.games.ninecard.cards import GAP, BattleCard, Creature, Energy, known_cards
from ccgrid.engine.games.ninecard.combat import BOARD, Side, fast_replace
from ccgrid.engine.games.ninecard.game import NinecardSetup
from ccgrid.engine.games.ninecard.notation import describe, is_notation
from ccgrid.engine.games.ninecard.rules import NinecardState
from ccgrid.engine.picture import Name, Words, together
from ccgrid.engine.real_cards import DeckCards, missing_in_hand

_OF_CARDS: Final = ("energy", "sacrifice", "facedown", "discard")


class NinecardCards(DeckCards[NinecardSetup, NinecardState, Energy | Creature]):
    """The referee of the ninecard game."""

    game: Final = "ninecard"
    beginning: Final = (
        "Each player shuffles a deck and draws five cards. The starting player draws a sixth. By the usual "
        "opening, a player who could not play a creature in the first turn shuffles and draws again."
    )
    typing_help: Final = (
        "Type a move like energy forest, play drake b, move a1 b1, assault bob, attack a1, end; "
        "facedown alone lays a card that stays hidden. forecast bob shows the result of an assault."
    )

    def without_cards(self, setup: NinecardSetup) -> NinecardSetup:
        """Return the setup with the decks, without their order."""
        return replace(setup, decks=tuple((GAP,) * len(deck) for deck in setup.decks))

    def known(self, cards: Sequence[object]) -> tuple[Energy | Creature, ...]:
        """Return the cards without gaps."""
        return known_cards(cards)

    def numbers(self, card: Energy | Creature) -> str:
        """Return the card's attack and defense, or that it is energy."""
        return f"{card.attack}/{card.defense}" if isinstance(card, Creature) else "energy"

    def with_card(self, setup: NinecardSetup, state: NinecardState | None, card: Energy | Creature) -> NinecardSetup:
        """Return the setup in which the player to move holds this card, as the one drawn last.

        Face-down cards are then older.
        """
        if state is None:
            return setup
        seat = state.to_move
        deck = setup.decks[seat]
        drawn = len(deck) - len(state.sides[seat].deck)
        if GAP not in state.sides[seat].hand:
            player = quoted(state.names[seat])
            raise EngineError(
                f"All cards in the hand of {player} are known, and {quoted(card.name)} is not among them."
            )
        # The last gap among the cards drawn so far, counted from the front.
        place = drawn - 1 - deck[:drawn][::-1].index(GAP)
        return _with_deck(setup, seat, (*deck[:place], card, *deck[place + 1 :]))

    def asks(self, setup: NinecardSetup, state: NinecardState | None, move: str) -> str:
        """Return who must show cards."""
        return f"Cards that {state.names[state.to_move]} shows" if state else ""

    def most_shown(self, state: NinecardState) -> int:
        """Return the number of unknown cards in hand."""
        return state.side.hand.count(GAP)

    def why(self, state: NinecardState, move: str) -> str:
        """Return when a player with an empty grid is eliminated."""
        energy, seat = state.sides[state.to_move].all_energy, state.names[state.to_move]
        return (
            f"{quoted(seat)} has an empty grid and played no creature, and is out unless a creature in hand can be "
            f"played with the {energy} energy laid and the energy in hand. Show that creature and its energy; else "
            f"the whole hand."
        )

    def revealed_card(self, move: str) -> str | None:
        """Return the card that is laid, played or discarded."""
        verb, _, rest = move.partition(" ")
        if verb == "play":
            return rest[:-2]
        return rest if verb in _OF_CARDS and rest != UNKNOWN else None

    def with_card_replaced(self, move: str, name: str) -> str:
        """Return the move with another card."""
        verb, _, rest = move.partition(" ")
        return f"play {name}{rest[-2:]}" if verb == "play" else f"{verb} {name}"

    def names(self, state: NinecardState, text: str) -> str:
        """Return the text between the verb, if any, and the column."""
        verb, _, rest = text.strip().partition(" ")
        if not any(word.startswith(verb.casefold()) for word in (*_OF_CARDS, "play")):
            rest = text.strip()
            if is_notation(rest.casefold()):
                return ""  # the end of a turn, or a move of cards that lie on the table
        # "drake b" means drake; a name that ends in a single letter is found by its other words.
        name, _, column = rest.rpartition(" ")
        return name if column.casefold() in ("a", "b", "c") else rest

    def possible(self, setup: NinecardSetup, state: NinecardState) -> NinecardState:
        """Return the position in which the player to move may play any unseen card of the deck.

        If all cards in hand are known, return the position unchanged.
        """
        side = state.side
        if GAP not in side.hand:
            return state
        return _with_side(
            state, fast_replace(side, hand=(*known_cards(side.hand), *self.unseen(setup, state.to_move), GAP))
        )

    def before(self, setup: NinecardSetup, state: NinecardState, move: str) -> NinecardSetup:
        """Return the setup with the card unseen in hand again."""
        seat, name = state.to_move, self.revealed_card(move)
        deck = setup.decks[seat] if name else ()
        drawn = max(len(deck) - len(state.sides[seat].deck), 0)
        # With equal names, the card drawn last went back into the hand.
        named = [place for place in range(drawn) if getattr(deck[place], "name", None) == name]
        return setup if not named else _with_deck(setup, seat, (*deck[: named[-1]], GAP, *deck[named[-1] + 1 :]))

    def card_at(self, state: NinecardState, cell: str) -> tuple[int, Creature] | None:
        """Return the creature on this cell of the player to move, with its owner."""
        creature = state.side.grid[BOARD.cells.index(cell)] if cell in BOARD.cells else None
        return None if creature is None else (state.to_move, creature)

    def cards_to_draw(self, before: NinecardState, after: NinecardState) -> Sequence[tuple[int, int]]:
        """Return who draws how many cards."""
        sides = enumerate(zip(before.sides, after.sides, strict=True))
        return [(seat, count) for seat, (old, new) in sides if (count := len(old.deck) - len(new.deck))]

    def hidden_in_hand(self, state: NinecardState) -> int:
        """Return the number of unseen cards in hand."""
        return state.side.hand.count(GAP)

    def in_hand(self, state: NinecardState) -> tuple[Energy | Creature, ...]:
        """Return the cards in hand that were shown, or that a record names."""
        return known_cards(state.side.hand)

    def forecast(self, state: NinecardState, text: str) -> Sequence[Words]:
        """Return the result if every possible creature attacked: a line for each possible target, and for each attack.

        In an assault it is the result of its remaining part. `text` is the beginning of a player's name, or empty for
        all.
        """
        if state.discarding:
            raise EngineError("The assaults of this turn are over.")
        seats = state.opponents() if state.target is None else [state.target]
        if not (names := match_names(text, [state.names[seat] for seat in seats])):
            raise EngineError(f"{quoted(text)} cannot be assaulted now.")
        return [line for name in names for line in _against(state, name)]

    def with_hand(
        self, setup: NinecardSetup, state: NinecardState, cards: Sequence[Energy | Creature]
    ) -> NinecardState:
        """Return the view of the player to move with this hand."""
        seat, hand = state.to_move, state.side.hand
        named = missing_in_hand(state.names[seat], len(hand), known_cards(hand), cards)
        left = [card for card in without(self.unseen(setup, seat), named) if isinstance(card, Creature)]
        laid = tuple(left.pop() if card == GAP else card for card in state.side.facedown)  # any creature
        position = _with_side(state, fast_replace(state.side, hand=(*known_cards(hand), *named), facedown=laid))
        return position.view(seat)


def _against(state: NinecardState, name: str) -> Sequence[Words]:
    seat, lines = state.names.index(name), list[Words]()
    before = state.sides[seat].life
    if state.target is None:
        state = state.play_unchecked(f"assault {name}")
    life = before
    # `legal_moves` has the attacks in order, and `end` last: every possible creature attacks.
    while state.target == seat and (attack := state.legal_moves()[0]) != "end":
        lines.append(together("  ", attack.removeprefix("attack "), ": ", describe(state, attack)))
        try:
            state = state.play_unchecked(attack)
            life = max(state.sides[seat].life, 0)
        except UnknownCardError:  # the attack ends the turn, which continues with unseen cards
            life = 0
            break
    changes = f"life {before} to {life}" if life != before else f"life stays {before}"
    return [(Name(name), f": {changes}" if lines else ": nothing can attack"), *lines]


def _with_deck(setup: NinecardSetup, seat: int, deck: tuple[BattleCard, ...]) -> NinecardSetup:
    return replace(setup, decks=(*setup.decks[:seat], deck, *setup.decks[seat + 1 :]))


def _with_side(state: NinecardState, side: Side) -> NinecardState:
    """Return the position with another side of the player to move."""
    seat = state.to_move
    return fast_replace(state, sides=(*state.sides[:seat], side, *state.sides[seat + 1 :]))


REFEREE: Final = NinecardCards()
