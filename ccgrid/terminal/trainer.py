"""What a game teaches who played it: a word live, and after the game its marks, its turning point, and the rating."""

from typing import Final

from ccgrid.catalog.card import CatalogError
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.services.progress import count_game
from ccgrid.services.session import Session
from ccgrid.services.solving import looked_at, looked_back
from ccgrid.view.insight import blunder_line, show_looked_back
from ccgrid.view.output import progress, remark, show
from ccgrid.view.reports import rating_line
from ccgrid.view.streams import can_ask

_ALL: Final = 2.5
_ONE: Final = 0.2
"""So many seconds all moves of a game are looked at together, about, and one move at most."""

_LIVE: Final = 0.4
"""So many seconds the coach thinks about a move that was made."""


def coach(session: Session, before: State, move: str) -> str:
    """What the coach says of a move that was just made; nothing where it gives little away."""
    session.is_helped = True
    look = looked_at(before, move, _LIVE, len(session.moves))
    return blunder_line(look, before) if look.mark else ""


def after_game(session: Session) -> None:
    """Shows what a game teaches, and counts it, where a person played it at a terminal; an interrupt passes it over."""
    if not can_ask() or len(session.computers) == len(session.setup.players) or not session.moves:
        return
    try:
        with progress("Looking at the game") as report:
            found = looked_back(session.record(), min(_ONE, _ALL / len(session.moves)), report)
        show_looked_back(found)
    except KeyboardInterrupt:
        show("")
    except EngineError as error:
        remark(str(error))
    try:
        for player, (old, new) in count_game(session).items():
            show(rating_line(player, session.setup.game, old, new))
    except CatalogError as error:
        remark(str(error))
