"""What one person sees of a shared table: their seat's view of the game, what they may touch, what happened."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from ccgrid.engine.game import State
from ccgrid.engine.game_view import Touch
from ccgrid.engine.games import find_game
from ccgrid.services.session import Session
from ccgrid.services.shared_tables import SharedTable
from ccgrid.view.games import standing, tell
from ccgrid.web.pictures import Drawer, touch_id, words_html


class MoveChoice(NamedTuple):
    """A legal move as it is offered: the ways to touch it, each a list of what is touched, and what it would do."""

    move: str
    ways: list[list[str]]
    effect: Markup


class TouchButton(NamedTuple):
    """What may be touched and is not in the picture."""

    touch: str
    text: str


def table_page(
    table: SharedTable, guest: str, pictures: Mapping[str, str], *, is_board: bool = False
) -> dict[str, Any]:
    """What the page of a table holds for a guest, with pictures of cards; `is_board` is what everybody may see."""
    session, game = table.session, find_game(table.session.setup.game)
    seat = None if is_board else table.seat_of(guest)
    view = table.public_view() if seat is None else session.state.view(seat)
    turn = seat == session.state.to_move and not session.is_over
    choices = choices_in(view) if turn else []
    drawer = Drawer(touches_in(view) if turn else (), pictures)
    picture = drawer.draw(game.pictures.picture(view, seat, session.last_move))
    since = session.decided(seat) if seat is not None else None
    news = tell(game.name, session.plies(max(len(session.moves) - 1, 0) if since is None else since + 1))
    return {
        "table": table,
        "game": game,
        "seat": seat,
        "is_board": is_board,
        "is_turn": turn,
        "status": status(session, seat),
        "standing": "" if game.pictures.shows_scores else standing(session.state),
        "picture": picture,
        "choices": choices,
        "ways": [[choice.move, choice.ways] for choice in choices],
        "bar": touch_buttons(drawer),
        "news": news,
        "over": len(table.games) + session.is_over,
        "free": [one for one in table.people if one not in table.seats],
    }


def choices_in(view: State) -> list[MoveChoice]:
    """The legal moves of a position, in the order in which people are shown them."""
    pictures, listed = find_game(view.game).pictures, find_game(view.game).listed(view)
    return [
        MoveChoice(
            move,
            [[touch_id(touch) for touch in way] for way in pictures.ways(view, move)],
            words_html(pictures.describe(view, move)),
        )
        for move in listed
    ]


def touches_in(view: State) -> list[Touch]:
    """All that may be touched in a position."""
    ways = find_game(view.game).pictures.ways
    return [touch for move in view.legal_moves() for way in ways(view, move) for touch in way]


def touch_buttons(drawer: Drawer) -> list[TouchButton]:
    """Buttons for what may be touched and was not drawn."""
    return [TouchButton(touch_id(touch), touch.text) for touch in drawer.left]


def status(session: Session, seat: int | None) -> str:
    """Whose turn it is, or how the game ended, in words for who has this seat or none."""
    players = session.setup.players
    if session.resigned is not None:
        why = f" {session.forfeit}" if session.forfeit else ""
        return f"{session.resigned} gave the game up.{why}"
    outcome = session.state.outcome()
    if outcome is not None:
        ended = f"The game is over: {outcome.reason}."
        if outcome.winner is None:
            return f"{ended} A draw."
        return f"{ended} {'You win' if outcome.winner == seat else f'{players[outcome.winner]} wins'}."
    if seat == session.state.to_move:
        return "Your turn."
    return f"{session.player} is {'to move' if session.is_person else 'thinking'}."
