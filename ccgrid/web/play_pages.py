"""The pages of games: opening a table, taking a seat, playing, watching, the rules."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ccgrid.catalog.card import CatalogError
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.players import LEVELS
from ccgrid.services import training
from ccgrid.services.deck_files import DeckShelf
from ccgrid.services.shared_tables import SharedTable
from ccgrid.view.games import lessons_page, tell
from ccgrid.view.insight import hint_line
from ccgrid.web.house import House, last
from ccgrid.web.table_pages import table_page

_REAL: Final = "real"
"""Cards that lie on a real table."""


class PlayPages:
    """The pages of games of a house."""

    def __init__(self, house: House) -> None:
        self._house, self._shelf = house, DeckShelf(house.decks, house.database)
        self._opening = asyncio.Lock()

    def routes(self) -> list[Route]:
        """What is asked by which address."""
        return [
            Route("/", self._home),
            Route("/rules/{game}", self._rules),
            Route("/learn/{game}", self._learn),
            Route("/play/{game}", self._new_table),
            Route("/tables", self._open_table, methods=["POST"]),
            Route("/table/{number:int}", self._table),
            Route("/table/{number:int}/board", self._board),
            Route("/table/{number:int}/part", self._part),
            Route("/table/{number:int}/moves", self._moves),
            Route("/table/{number:int}/events", self._events),
            Route("/table/{number:int}/why", self._why),
            Route("/table/{number:int}/{act}", self._act, methods=["POST"]),
        ]

    async def _home(self, request: Request) -> Response:
        return self._house.page(
            request, "home.html", games=list(GAMES), taught=GAMES.having("lessons"), tables=list(self._house.tables)
        )

    async def _rules(self, request: Request) -> Response:
        game = find_game(request.path_params["game"])
        return self._text(request, f"Rules: {game.title}", game.pictures.rules_page())

    async def _learn(self, request: Request) -> Response:
        game = find_game(request.path_params["game"])
        return self._text(request, game.title, lessons_page(game.title, training.saved_lessons(game.name)))

    def _text(self, request: Request, title: str, markdown: str) -> Response:
        """A page of our own, written in Markdown."""
        html = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
        return self._house.page(request, "text.html", title=title, text=Markup(html))  # noqa: S704  it has no HTML

    async def _new_table(self, request: Request) -> Response:
        game = find_game(request.path_params["game"])
        least, most = game.player_counts[0], game.player_counts[-1]
        needed = game.decks_needed(least)
        shelf = await asyncio.to_thread(list, self._shelf) if needed else []
        return self._house.page(
            request,
            "new.html",
            game=game,
            least=least,
            most=most,
            levels=LEVELS,
            options=game.options,
            factions=game.factions.bundled() if game.factions else (),
            own=[one for one in shelf if one.game == game.name and not one.problems],
            chosen=request.query_params.get("deck", ""),
            decks="" if not needed else "one" if needed == 1 < most else "each",
            is_real=request.query_params.get("cards") == _REAL,
        )

    async def _open_table(self, request: Request) -> Response:
        fields = await self._house.fields(request)
        game = find_game(last(fields, "game"))
        names = [name.strip() for name in fields.get("name", ())]
        computers = fields.get("computer", [""] * len(names))
        is_real = last(fields, "cards") == _REAL
        seats = [computer or name for name, computer in zip(names, computers, strict=False)]
        chosen = fields.get("faction", [])
        by_seat = len(chosen) == len(seats)
        taken = [number for number, seat in enumerate(seats) if seat]
        decks = [chosen[number] for number in taken] if by_seat else chosen
        if any(decks) and not all(decks):
            raise EngineError("Choose a deck for every player, or for none.")
        own = [self._shelf.file(int(deck)) for deck in decks if deck.isdecimal() and len(deck) < 7]
        if own and len(own) < len(decks):
            raise EngineError("Choose decks of your own for all players, or for none.")
        factions = [] if own else decks
        usual = {option.name: str(option.default).lower() for option in game.options}
        variants = [
            f"{name}={given[-1]}"
            for name in usual
            if (given := fields.get(f"option-{name}")) and given[-1].lower() != usual[name]
        ]
        players = tuple(seats[number] for number in taken)
        async with self._opening:
            if is_real:
                starts = last(fields, "first")
                if not own and not any(factions) and game.decks_needed(len(players)):
                    raise EngineError("Choose the deck on the table.")
                real = await asyncio.to_thread(
                    self._house.tables.open_real,
                    game.name,
                    players,
                    seats[int(starts) - 1] if starts in map(str, range(1, len(seats) + 1)) else None,
                    own or factions,
                    tuple(variants),
                    self._house.database,
                )
                self._house.watch(real)
                return RedirectResponse(f"/real/{real.number}", HTTPStatus.SEE_OTHER)
            table = await asyncio.to_thread(
                self._house.tables.open,
                game.name,
                players,
                tuple(factions) if any(factions) else (),
                tuple(variants),
                self._house.database,
                tuple(own),
            )
        people = table.people
        if people:
            table.take_seat(request.scope["guest"], people[0])
        self._house.watch(table)
        return RedirectResponse(f"/table/{table.number}", HTTPStatus.SEE_OTHER)

    def _shown(
        self, request: Request, template: str, *, is_board: bool = False, code: int = 200, said: str = ""
    ) -> Response:
        table = self._house.table(request)
        values = table_page(table, request.scope["guest"], self._house.pictures(), is_board=is_board)
        is_joined = bool(values["free"]) and self._house.is_open
        qr = self._house.qr(f"/table/{table.number}") if is_joined else ""
        return self._house.page(request, template, code, **values, qr=qr, message=said)

    async def _table(self, request: Request) -> Response:
        return self._shown(request, "table.html")

    async def _board(self, request: Request) -> Response:
        return self._shown(request, "table.html", is_board=True)

    async def _part(self, request: Request) -> Response:
        return self._shown(request, "part.html", is_board=request.query_params.get("board") == "1")

    async def _moves(self, request: Request) -> Response:
        table = self._house.any_table(request)
        told = [] if table.playing is None else tell(table.game, table.playing.plies())
        return self._house.page(request, "moves.html", table=table, told=told[::-1])

    async def _why(self, request: Request) -> Response:
        touched = request.query_params.getlist("touch")[:8]
        text = " ".join(touch.partition(":")[2] for touch in touched)
        return PlainTextResponse(self._house.table(request).why_not(request.scope["guest"], text[:4096]))

    async def _events(self, request: Request) -> Response:
        table = self._house.any_table(request)
        if self._house.is_crowded:
            return self._house.message(request, HTTPStatus.SERVICE_UNAVAILABLE, "Too many pages are open.")
        return StreamingResponse(self._house.news(table), media_type="text/event-stream")

    async def _act(self, request: Request) -> Response:
        table, guest = self._house.table(request), request.scope["guest"]
        fields = await self._house.fields(request)
        said, is_done = "", True
        async with self._house.turn_of(table):
            try:
                said = await self._done(table, guest, request.path_params["act"], fields)
            except (EngineError, CatalogError) as error:
                said, is_done = str(error), False
        self._house.think(table)
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse({"said": said})
        if is_done and not said:
            return RedirectResponse(f"/table/{table.number}", HTTPStatus.SEE_OTHER)
        return self._shown(request, "table.html", code=200 if is_done else HTTPStatus.CONFLICT, said=said)

    async def _done(self, table: SharedTable, guest: str, act: str, fields: Mapping[str, list[str]]) -> str:
        turn = last(fields, "turn")
        match act:
            case "seat":
                seat = last(fields, "seat")
                table.take_seat(guest, int(seat) if seat.isdecimal() and len(seat) < 3 else -1)
            case "leave":
                table.leave_seat(guest)
            case "move":
                table.move(guest, last(fields, "move"), turn)
            case "undo":
                table.ask_undo(guest)
                return "" if table.undo_request is None else "The others are asked."
            case "answer":
                table.answer_undo(guest, agrees=last(fields, "agrees") == "yes")
            case "resign":
                table.resign(guest, turn)
            case "again":
                table.play_again(guest, self._house.seed())
            case "hint":
                view = table.view_in_turn(guest, turn)
                return hint_line(await asyncio.to_thread(table.session.hint), view)
            case _:
                raise EngineError("This cannot be done here.")
        return ""
