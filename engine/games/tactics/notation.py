"""Moves of the tactics game as text: the interpretation of typed moves, and why a move is not legal."""

from typing import Final

from ccgrid.engine.cards import hand_suffix, match_names, read_place
from ccgrid.engine.errors import quoted
from ccgrid.engine.games.tactics.rules import TacticsState


class TacticsNotation:
    """The notation `Gate Warden@b2`: the card Gate Warden from the hand onto b2."""

    example: Final = "Gate Warden@b2"

    def is_notation(self, state: TacticsState, move: str) -> bool:
        """Return whether the text is a name, an `@` and a cell of this board."""
        name, _, cell = move.rpartition("@")
        return bool(name.strip()) and cell in state.table.places

    def why_illegal(self, state: TacticsState, move: str) -> str:
        """Return that the cell is occupied, and by whom; or that the card is not in hand, and the cards in hand."""
        name, _, cell = move.rpartition("@")
        hand = [card.name for card in state.hand(state.to_move) if card]
        if name not in hand:
            player = quoted(state.players[state.to_move])
            suffix = hand_suffix(map(quoted, hand), state.hand(state.to_move).count(None))
            return f"{player} has no {quoted(name)} in hand{suffix}"
        seat = state.setup.owners[state.grid[state.table.places[cell]]]
        return f"{cell} is taken, by a card of {quoted(state.players[seat])}"

    def moves_meant(self, state: TacticsState, text: str) -> tuple[str, ...]:
        """Return the moves that a text may mean: `gate warden b2`, `gate on B2`.

        The beginning of a word of the name is enough; so is a card or a cell alone.
        """
        names = tuple(dict.fromkeys(card.name for card in state.hand(state.to_move) if card))
        name, cell = read_place(text.strip(), state.table.places, names)
        if not name and not cell:
            return ()
        cells = (cell,) if cell else state.table.board.cells
        # A card that was played does not match others.
        cards = (name,) if name in _own(state) else match_names(name, names)
        moves = tuple(f"{one}@{other}" for one in cards for other in cells)
        return moves or ((f"{name}@{cell}",) if name and cell else ())


def _own(state: TacticsState) -> set[str]:
    """Return the names of the known cards of the player to move."""
    setup, seat = state.setup, state.to_move
    return {card.name for card in (*(setup.lists[seat] or ()), *setup.decks[seat]) if card}
