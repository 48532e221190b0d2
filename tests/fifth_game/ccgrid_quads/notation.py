"""The notation of moves, `Stone Well@b2`; the beginning of any word of the name is enough."""

from ccgrid.engine.cards import match_names, read_place
from ccgrid.engine.errors import quoted

from .rules import BOARD, QuadsState


class QuadsNotation:
    """The notation of Quads."""

    example = "Stone Well@b2"

    def is_notation(self, state: QuadsState, move: str) -> bool:
        """Return whether a text is a name, an `@` and a cell."""
        name, _, cell = move.rpartition("@")
        return bool(name.strip()) and cell in BOARD.cells

    def why_illegal(self, state: QuadsState, move: str) -> str:
        """Return why a move is not legal."""
        name, _, cell = move.rpartition("@")
        if name in state.hand(state.to_move):
            return f"{cell} is taken"
        return f"{quoted(state.players[state.to_move])} has no {quoted(name)} in hand"

    def moves_meant(self, state: QuadsState, text: str) -> tuple[str, ...]:
        """Return the moves that a text may mean: `stone b2`, `well on B2`, or a card or a cell alone."""
        hand = tuple(state.hand(state.to_move))
        name, cell = read_place(text.strip(), BOARD.cells, hand)
        if not name and not cell:
            return ()
        cells = (cell,) if cell else BOARD.cells
        moves = tuple(f"{one}@{other}" for one in match_names(name, hand) for other in cells)
        return moves or ((f"{name}@{cell}",) if name and cell else ())
