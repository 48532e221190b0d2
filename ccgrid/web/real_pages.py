"""The pages of tables with real cards, for which the phone is the referee."""

from collections.abc import Mapping
from typing import Final

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from ccgrid.browsing.threads import run_in_thread
from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.game_view import Touch
from ccgrid.engine.games import find_game
from ccgrid.engine.picture import Tile, Tiles
from ccgrid.engine.real_cards import hides_hand
from ccgrid.services.real_tables import RealTable
from ccgrid.services.referee import LineMeaning
from ccgrid.view.games import meaning_lines, score_line
from ccgrid.view.insight import hint_line
from ccgrid.view.pictures import say
from ccgrid.web.app_state import AppState, last, without_commands
from ccgrid.web.pictures import Drawer, words_html
from ccgrid.web.play_pages import (
    MoveChoice,
    move_choices,
    shows_board,
    status,
    touch_buttons,
    touch_ids,
    touchable_parts,
    touched_text,
)

_COLUMNS: Final = 3
"""Number of columns of the cards dealt face up before the first move."""


class RealPages:
    """The pages of tables with real cards."""

    def __init__(self, app: AppState) -> None:
        self._app = app

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        return [
            Route("/real/{number:int}", self._table),
            Route("/real/{number:int}/board", self._table),
            Route("/real/{number:int}/part", self._table),
            Route("/real/{number:int}/why", self._why),
            Route("/real/{number:int}/{act}", self._act, methods=["POST"]),
        ]

    async def _table(self, request: Request) -> Response:
        table = self._app.find_table(request, RealTable)
        template = "real_part.html" if request.url.path.endswith("/part") else "table.html"
        values = real_table_values(table, self._app.pictures(request), is_board=shows_board(request))
        qr = self._app.qr(request, f"/real/{table.number}") if self._app.is_open else ""
        return self._app.render(request, template, **values, qr=qr, given=request.query_params)

    async def _why(self, request: Request) -> Response:
        return PlainTextResponse(self._app.find_table(request, RealTable).why_not(touched_text(request)))

    async def _act(self, request: Request) -> Response:
        table = self._app.find_table(request, RealTable)
        fields = await self._app.read_fields(request)
        message, is_done = "", True
        async with self._app.lock_for(table):
            try:
                message = await run_in_thread(_perform, table, request.path_params["act"], fields)
            except (EngineError, CatalogError) as error:
                # The second line says what to type at the terminal; the page shows it anyway.
                message, is_done = without_commands(request, str(error).partition("\n")[0]), False
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse({"said": message, "done": is_done})
        return self._app.redirect_back(request, f"/real/{table.number}", {} if is_done else fields, message)


def _perform(table: RealTable, act: str, fields: Mapping[str, list[str]]) -> str:
    """Perform an action at a table, and return the message for the page."""
    turn = last(fields, "turn")
    match act:
        case "say":
            line = last(fields, "move")
            # A question about the position, such as `forecast bob`, changes nothing.
            if table.referee is not None and line.lower().startswith("forecast "):
                lines = table.cards.forecast(table.referee.state, line[len("forecast ") :].strip())
                return "\n".join(map(say, lines))
            return _answer(table, table.hear(line, turn))
        case "undo":
            return table.undo(turn)
        case "resign":
            table.resign(turn)
        case "again":
            table.play_again()
        case "hint":
            return hint_line(*table.hint(last(fields, "hand"), turn))
        case _:
            raise EngineError("This cannot be done here.")
    return ""


def _answer(table: RealTable, heard: LineMeaning) -> str:
    """Return what the page of the table does not show about the interpreted line."""
    # Before the first move, the page shows each card when it is named.
    if table.referee is None:
        return ""
    # The page shows the move and its draws as news, so the message omits them.
    return " ".join(meaning_lines(table.referee.state, heard._replace(plies=(), draws=())))


def real_table_values(table: RealTable, pictures: Mapping[str, str], *, is_board: bool) -> dict[str, object]:
    """Return the template values of a table with real cards."""
    referee, cards = table.referee, table.cards
    choices: list[MoveChoice] = []
    # If the referee asks for a card, such as the card that was drawn, offer cards instead of moves.
    if table.question:
        choices = _cards_to_name(table)
    elif referee is not None and not table.is_over:
        choices = move_choices(referee.possible)
    # The board that all players look at has no buttons.
    drawer = Drawer(() if is_board else touchable_parts(choices), pictures)
    return {
        "table": table,
        "game": find_game(table.game),
        "part": "real_part.html",
        "is_board": is_board,
        "status": _status(table),
        "picture": _picture(table, drawer),
        "standing": _standing(None if referee is None else referee.state),
        "news": [cards.beginning] if referee is None else _news(table),
        "choices": choices,
        "ways": touch_ids(choices),
        "bar": touch_buttons(drawer),
        "typed": cards.typing_help,
        "unseen": [] if referee is None or is_board else _unseen(table),
        # Undo reverts a named card before the first move, then a move, and after the end a resignation.
        "can_undo": bool(table.laid_out) if referee is None else bool(referee.moves) or table.is_over,
        "can_hint": referee is not None and not referee.pending and not table.is_over,
        "hides_hand": referee is not None and hides_hand(referee.state),
        "over": len(table.finished),
    }


def _status(table: RealTable) -> str:
    if table.question:
        return f"{table.question}?"
    return "" if table.playing is None else status(table.playing, None)


def _picture(table: RealTable, drawer: Drawer) -> Markup:
    if table.referee is None:
        tiles = (
            Tile(name=card.name, zones=getattr(card, "zones", {}), family=getattr(card, "game", ""))
            for card in table.cards_on_table
        )
        return drawer.draw(Tiles(tuple(tiles), _COLUMNS))
    state = table.referee.state
    return drawer.draw(find_game(table.game).pictures.picture(state, None, table.referee.session.last_move))


def _standing(state: State | None) -> str:
    return "" if state is None or find_game(state.game).pictures.shows_scores else score_line(state)


def _news(table: RealTable) -> list[str]:
    """Return the last move, and the draws and discards that follow from it."""
    if table.referee is None or not table.referee.session.moves:
        return []
    session = table.referee.session
    draws = table.cards.cards_to_draw(*session.states[-2:])
    return meaning_lines(session.state, LineMeaning(plies=session.plies(len(session.moves) - 1), draws=draws))


def _cards_to_name(table: RealTable) -> list[MoveChoice]:
    """Return the cards that can be named, each name once, by deck number, because names can be ambiguous."""
    deck, unseen = table.deck, {card.name: card for card in table.unseen}
    return [
        MoveChoice(
            str(deck.index(card) + 1),
            ((Touch("card", name),),),
            words_html(f"{name} {table.cards.numbers(card)}".strip()),
        )
        for name, card in unseen.items()
    ]


def _unseen(table: RealTable) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the cards that no player has seen, per player, or once if all players share a deck."""
    if table.referee is None:
        return []
    setup = table.referee.setup
    # If each player has a deck, each has unseen cards; one shared deck is listed once.
    seats = range(len(setup.players)) if find_game(table.game).decks_needed(len(setup.players)) > 1 else [0]
    found = []
    for seat in seats:
        cards = table.cards.unseen(setup, seat)
        counts = {card.name: [one.name for one in cards].count(card.name) for card in cards}
        named = [
            (f"{card.name}{f' x{counts[card.name]}' if counts[card.name] > 1 else ''}", table.cards.numbers(card))
            for card in {card.name: card for card in cards}.values()
        ]
        found.append((setup.players[seat] if len(seats) > 1 else "", named))
    return found
