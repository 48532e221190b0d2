"""The view of the grid game: nine cards with their numbers and scores."""

from typing import TYPE_CHECKING, Final

from ccgrid.catalog.card import Card
from ccgrid.engine.game_view import GameView, ScoreTable, Sheet, Touch, Way, row_numbers
from ccgrid.engine.games.grid.moves import BOARD
from ccgrid.engine.picture import Line, Listing, Name, Spare, Stack, Tile, Tiles, Words, stacked

if TYPE_CHECKING:
    from ccgrid.engine.games.grid.rules import GridState


def _picture(state: "GridState", seat: int | None, last: str | None) -> Stack:
    """Return the grid with the cells of the last move marked, and the piles, newest card first."""
    changed = last.split("x") if last else ()
    tiles = Tiles(tuple(_tile(state, cell, cell in changed) for cell in BOARD.cells), BOARD.size)
    left = f"Draw pile {state.pile}."
    if seat is not None:
        return stacked([tiles, _pile(state, seat, f"{left} Your pile:")])
    piles = (_pile(state, one, ("Pile of ", Name(player), ":")) for one, player in enumerate(state.players))
    return stacked([tiles, Line(left), *map(Spare, piles)])


def _pile(state: "GridState", seat: int, heading: Words) -> Listing:
    """Return a seat's captured cards with their scores."""
    taken = tuple((Name(card.name), f" {card.score}") for card in reversed(state.cards_taken(seat)))
    return Listing(heading, taken or ("empty",), brief=True)


def _tile(state: "GridState", cell: str, marked: bool) -> Tile:
    card = state.card_on(cell)
    if card is None:
        return Tile(label=cell, captions=("empty",), marked=marked)
    return Tile(
        label=cell,
        name=card.name,
        zones=state.zones_on(cell),
        captions=(f"score {card.score}",),
        marked=marked,
        family=card.game,
        turns=state.turns_on(cell),
    )


def _describe(state: "GridState", move: str) -> Words:
    taken = state.card_on(move.split("x")[1])
    return "" if taken is None else (f"+{taken.score} ", Name(taken.name, None))


def _ways(state: "GridState", move: str) -> tuple[Way, ...]:
    source, target = move.split("x")
    return ((Touch("cell", source), Touch("cell", target)),)


def _draw_pile(state: "GridState") -> Listing:
    """Return the draw pile in its order."""
    cards = state.setup.cards[state.turned_up :] if state.pile else ()
    return Listing("Draw pile, the top card first:", tuple(map(_in_pile, cards)) or ("empty",))


def _in_pile(card: Card) -> Words:
    zones = ", ".join(f"{zone.replace('-', ' ')} {value}" for zone, value in card.zones.items())
    return (Name(card.name), f" ({zones}, score {card.score})")


_SHEET: Final = Sheet(
    scores=ScoreTable(2, row_numbers(11), "move", ("move", "card taken", "points")),
    shows_score=True,
)

VIEW: Final = GameView(
    "ccgrid.engine.games.grid", _picture, _describe, ways=_ways, shows_scores=False, hidden=_draw_pile, sheet=_SHEET
)
