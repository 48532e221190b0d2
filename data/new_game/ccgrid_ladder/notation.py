"""The notation of moves: the name of a card."""

from ccgrid.engine.cards import match_names
from ccgrid.engine.errors import quoted

from .rules import LadderState


class LadderNotation:
    """The notation of Ladder; the beginning of any word of the name is enough."""

    example = "Gate Warden: the card Gate Warden from your hand"

    def is_notation(self, state: LadderState, move: str) -> bool:
        """Return whether a text is the name of a card in this game."""
        return any(card is not None and card.name == move for deck in state.setup.decks for card in deck)

    def why_illegal(self, state: LadderState, move: str) -> str:
        """Return why a move is not legal."""
        return f"{quoted(state.players[state.to_move])} has no {quoted(move)} in hand"

    def moves_meant(self, state: LadderState, text: str) -> tuple[str, ...]:
        """Return the cards in hand whose names match a typed text."""
        return match_names(text.strip(), state.legal_moves()) if text.strip() else ()
