"""How moves of Ladder are written: the name of a card; the beginning of a word of it will do."""

from ccgrid.engine.cards import match_names
from ccgrid.engine.errors import quoted
from ccgrid.engine.games.ladder.state import LadderState


class LadderNotation:
    """The words of Ladder's moves."""

    example = "Gate Warden: the card Gate Warden from your hand"

    def is_notation(self, state: LadderState, move: str) -> bool:
        """Whether some card of the game is called so."""
        return any(card is not None and card.name == move for deck in state.setup.decks for card in deck)

    def why_illegal(self, state: LadderState, move: str) -> str:
        """That the card is not in hand."""
        return f"{quoted(state.players[state.to_move])} has no {quoted(move)} in hand"

    def moves_meant(self, state: LadderState, text: str) -> tuple[str, ...]:
        """The cards in hand that are called so."""
        return match_names(text.strip(), state.legal_moves()) if text.strip() else ()
