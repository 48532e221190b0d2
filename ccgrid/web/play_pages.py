"""The pages of games: new tables, play, rules, daily puzzles and finished games."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Final, NamedTuple
from urllib.parse import quote

import msgspec
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from ccgrid.browsing import threads
from ccgrid.browsing.threads import run_in_thread
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import counted, sentence
from ccgrid.engine.errors import EngineError, MoveError, UnknownNameError
from ccgrid.engine.game import AnyGame, State
from ccgrid.engine.game_view import Touch, Way
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.insight.analysis import MoveAnalysis
from ccgrid.engine.insight.puzzles import Puzzle
from ccgrid.engine.notation import read_move
from ccgrid.engine.options import RULES
from ccgrid.engine.players import LEVELS
from ccgrid.engine.real_cards import hides_hand
from ccgrid.engine.records.codes import record_code
from ccgrid.engine.records.record import Ply, Record
from ccgrid.services import reviews, training
from ccgrid.services.requests import GameRequest
from ccgrid.services.seats import near_policy
from ccgrid.services.session import Session, hint_for
from ccgrid.services.shared_tables import SharedTable
from ccgrid.services.table_files import TableFile
from ccgrid.view.games import lessons_page, turn_lines
from ccgrid.view.insight import hint_line
from ccgrid.view.text import third_person
from ccgrid.web.app_state import AppState, is_host, last, parse_number, without_commands
from ccgrid.web.deck_shelf import DeckShelf
from ccgrid.web.jobs import Job, Jobs
from ccgrid.web.pictures import Drawer, touch_id, words_html

_MOST_DRAWN: Final = 200
"""Maximum number of cached views of tables; the oldest are dropped."""
_NOT_PLAYED: Final = "This deck cannot be played: it is not legal, or was removed. Choose another one."
_REAL: Final = "real"
"""The form value for a table with real cards."""


class DrawnPart(NamedTuple):
    """The changing part of a table's page, as HTML and as the data of an event; and what it depends on."""

    version: tuple[int, str]
    html: str
    event: str


class PlayPages:
    """The pages of tables, rules and lessons."""

    def __init__(self, app: AppState) -> None:
        self._app, self._shelf = app, DeckShelf(app.decks, app.database)
        self._pictures: Mapping[str, str] | None = None
        # By table, seat, board and host; the script of a page adds the token of its guest to forms.
        self._drawn: dict[tuple[int, int | None, bool, bool], DrawnPart] = {}

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        return [
            Route("/", self._home),
            Route("/events", self._tables_events),
            Route("/shoebox", self._shoebox),
            Route("/rules/{game}", self._rules),
            Route("/learn/{game}", self._learn),
            Route("/play/{game}", self._new_table),
            Route("/tables", self._open_table, methods=["POST"]),
            Route("/table/{number:int}", self._table),
            Route("/table/{number:int}/board", self._table),
            Route("/table/{number:int}/part", self._part),
            Route("/table/{number:int}/moves", self._moves),
            Route("/table/{number:int}/events", self._events),
            Route("/table/{number:int}/why", self._why),
            Route("/table/{number:int}/{act}", self._act, methods=["POST"]),
        ]

    async def _home(self, request: Request) -> Response:
        guest, tables = request.scope["guest"], self._app.tables

        def rank(table: TableFile) -> tuple[bool, ...]:
            """Return the place in the list: the guest's turns first, then their own tables, then free seats."""
            if not isinstance(table, SharedTable):
                return table.is_over, True, True, True
            seat = table.seat_of(guest)
            return table.is_over, seat != table.session.state.to_move, seat is None, not table.free

        return self._app.render(
            request,
            "tables.html" if request.query_params.get("part") else "home.html",
            games=list(GAMES),
            titles={game.name: game.title for game in GAMES},
            taught=GAMES.having("lessons"),
            tables=sorted(tables, key=rank),
            tables_version=tables.version,
            guest=guest,
        )

    async def _tables_events(self, request: Request) -> Response:
        return self._app.events(request, self._app.news(self._app.tables))

    async def _shoebox(self, request: Request) -> Response:
        return self._text(request, "Your shoebox", _SHOEBOX.replace("ROOT", request.scope["root"]))

    async def _rules(self, request: Request) -> Response:
        game = find_game(request.path_params["game"])
        return self._text(request, f"Rules: {game.title}", game.pictures.rules_page())

    async def _learn(self, request: Request) -> Response:
        game = find_game(request.path_params["game"])
        return self._text(request, game.title, lessons_page(game.title, training.saved_lessons(game.name)))

    def _text(self, request: Request, title: str, markdown: str) -> Response:
        """Return a page for one of the program's own Markdown texts."""
        html = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
        return self._app.render(request, "text.html", title=title, text=Markup(html))  # noqa: S704  it has no HTML

    async def _new_table(self, request: Request) -> Response:
        given = dict[str, list[str]]()
        for name, value in request.query_params.multi_items():
            given.setdefault("faction" if name == "deck" else name, []).append(value)
        game = find_game(request.path_params["game"])
        least, most = game.player_counts[0], game.player_counts[-1]
        needed = game.decks_needed(least)
        shelf = await run_in_thread(list, self._shelf) if needed else []
        own = [one for one in shelf if one.game == game.name and not one.problems]
        chosen = {parse_number(one) for one in given.get("faction", ())} - {-1}
        response = self._app.render(
            request,
            "new.html",
            given=given,
            game=game,
            least=least,
            most=most,
            levels=LEVELS,
            options=game.options,
            factions=game.factions.bundled() if game.factions else (),
            own=own,
            message="" if chosen <= {one.number for one in own} else _NOT_PLAYED,
            decks="" if not needed else "one" if needed == 1 < most else "each",
            is_real=last(given, "cards") == _REAL,
        )
        # Without `no-store` browsers keep what was typed when the user goes back.
        response.headers["cache-control"] = "no-cache"
        return response

    async def _open_table(self, request: Request) -> Response:
        fields = await self._app.read_fields(request)
        game = find_game(last(fields, "game"))
        try:
            return await self._open(request, game, fields)
        except (EngineError, CatalogError) as error:
            message = sentence(str(error)) if isinstance(error, EngineError) else str(error)
            return self._app.redirect_back(request, f"/play/{game.name}", fields, message)

    async def _open(self, request: Request, game: AnyGame, fields: Mapping[str, list[str]]) -> Response:
        names = [name.strip() for name in fields.get("name", ())]
        # The form has these fields once per seat, in seat order; a real table has no computer players.
        computers = fields.get("computer", [""] * len(names))
        is_real = last(fields, "cards") == _REAL
        # A computer player takes precedence over a name; a seat with neither is empty.
        seats = [computer or name for name, computer in zip(names, computers, strict=False)]
        # The form suggests "You" for the first seat. To other people, who see the name too, it would mean themselves.
        if sum(not computer and bool(name) for name, computer in zip(names, computers, strict=False)) > 1:
            seats = ["First" if seat == "You" else seat for seat in seats]
        # The form of a refused request sends its names as `asked`: opening the table again confirms them.
        for name in () if is_real else seats:
            if name not in fields.get("asked", ()) and (near := near_policy(name)):
                raise EngineError(
                    f"{name!r} would be the name of a person. Open the table again if that is right, or "
                    f"choose the computer player {near} next to the name."
                )
        chosen = fields.get("faction", [])
        # The form has either one deck choice per seat, or one for the whole table.
        by_seat = len(chosen) == len(seats)
        taken = [number for number, seat in enumerate(seats) if seat]
        if len(taken) < game.player_counts[0]:
            raise EngineError(f"This game needs at least {game.player_counts[0]} players.")
        decks = [chosen[number] for number in taken] if by_seat else chosen
        if any(decks) and not all(decks):
            raise EngineError("Choose a deck for every player, or for none.")
        # A number is a deck made on a phone; any other text is a faction.
        own = [self._shelf.file(number) for number in map(parse_number, decks) if number >= 0]
        if own and len(own) < len(decks):
            raise EngineError("Choose decks of your own for all players, or for none.")
        factions = [] if own else decks
        # Compare in the form's lower-case spelling; only values other than the default are variants.
        usual = {option.name: str(option.default).lower() for option in game.options}
        variants = [
            f"{name}={given[-1]}"
            for name in usual
            if (given := fields.get(f"option-{name}")) and given[-1].strip().lower() not in ("", usual[name])
        ]
        if named := last(fields, f"option-{RULES}"):
            variants.append(f"{RULES}={named}")
        players = tuple(seats[number] for number in taken)
        made = GameRequest(
            game=game.name,
            players=players,
            decks=tuple(own),
            factions=tuple(factions) if any(factions) else (),
            options=tuple(variants),
            database=self._app.database,
        )
        if is_real:
            starts = last(fields, "first")
            # The starting player's seat, from 1; any other value means none.
            first = seats[int(starts) - 1] if starts in map(str, range(1, len(seats) + 1)) else None
            if not own and not any(factions) and game.decks_needed(len(players)):
                raise EngineError("Choose the deck on the table.")
            real = await run_in_thread(self._app.tables.open_real, made._replace(first=first))
            self._app.watch_table(real)
            return self._app.redirect(request, f"/real/{real.number}")
        table = await run_in_thread(self._app.tables.open, made)
        people = table.people
        # The guest who opens a table gets its first seat; the others join with the QR code.
        if people:
            table.take_seat(request.scope["guest"], people[0])
            self._pass_device(table, request.scope["guest"])
        self._app.watch_table(table)
        return self._app.redirect(request, f"/table/{table.number}")

    async def _table(self, request: Request) -> Response:
        table = self._app.find_table(request, SharedTable)
        self._pictures = None  # opening a page shows new pictures of cards; a move need not look for them
        return self._app.render(request, "table.html", **self._values(request, table))

    def _values(self, request: Request, table: SharedTable) -> dict[str, object]:
        """Return the template values of a table for a guest, or for the board, which all may see."""
        is_board = shows_board(request)
        seat = None if is_board else table.seat_of(request.scope["guest"])
        next_seat = self._next_seat(table, seat)
        shown = seat if next_seat is None else None  # nobody's hand while the device is passed on
        if self._pictures is None:
            self._pictures = self._app.pictures(request)
        values = table_values(table, shown, self._pictures, is_board=is_board)
        if self._app.in_browser and seat is not None:
            # Seats are not taken and freed on the only device; it is passed from one to the next.
            values |= {"free": [], "taken": []}
        values["next_person"] = "" if next_seat is None else table.players[next_seat]
        values["your_move"] = self._your_move(request, table) if not is_board else None
        # Show the QR code only while a seat is free and other machines can connect.
        is_joined = bool(values["free"]) and self._app.is_open
        qr = self._app.qr(request, f"/table/{table.number}") if is_joined else ""
        code = self._app.join_code.letters if is_board and self._app.is_open else ""
        return {**values, "qr": qr, "code": code, "address": self._app.address, "host": is_host(request)}

    def _your_move(self, request: Request, table: SharedTable) -> dict[str, object] | None:
        """Return the link that opens the game in another browser, where the application runs as in this one.

        With it come the player to move, and whether it contains hidden hands.
        """
        session = table.session
        if not self._app.in_browser or session.is_over or not session.is_person or len(table.people) < 2:
            return None
        code, state = quote(record_code(session.record()).line, safe=""), session.state
        # The page around these pages opens what follows the `#`.
        address = f"{request.scope['root'].rpartition('/')[0]}/#/open?code={code}"
        others = (seat for seat in table.people if seat != state.to_move)
        has_hands = any(hides_hand(state.view(seat)) for seat in others)
        return {"player": session.player, "address": address, "has_hands": has_hands}

    def _next_seat(self, table: SharedTable, seat: int | None) -> int | None:
        """Return the seat of the person to whom the player at this seat passes the device, or None."""
        to_move = table.session.state.to_move
        is_passed = self._app.in_browser and seat not in (None, to_move) and not table.session.is_over
        return to_move if is_passed and to_move in table.people else None

    def _pass_device(self, table: SharedTable, guest: str) -> None:
        """Pass the only device on at once if no hand is hidden from the person who has it."""
        seat = table.seat_of(guest)
        next_seat = self._next_seat(table, seat)
        if seat is not None and next_seat is not None and not hides_hand(table.session.state.view(seat)):
            table.pass_device(guest, next_seat)

    def _draw(self, request: Request, table: SharedTable) -> DrawnPart:
        """Return the changing part of a table's page, drawn once per version for all guests with the same view."""
        is_board = shows_board(request)
        seat = None if is_board else table.seat_of(request.scope["guest"])
        key, version = (table.number, seat, is_board, is_host(request)), (table.version, self._app.join_code.letters)
        drawn = self._drawn.get(key)
        if drawn is None or drawn.version != version:
            html = self._app.render_text(request, "part.html", "", **self._values(request, table))
            drawn = self._drawn[key] = DrawnPart(version, html, msgspec.json.encode(html).decode())
            if len(self._drawn) > _MOST_DRAWN:
                del self._drawn[next(iter(self._drawn))]
        return drawn

    async def _part(self, request: Request) -> Response:
        return HTMLResponse(self._draw(request, self._app.find_table(request, SharedTable)).html)

    async def _moves(self, request: Request) -> Response:
        table = self._app.find_any_table(request)
        lines = [] if table.playing is None else turn_lines(table.game, table.playing.plies())
        return self._app.render(request, "moves.html", table=table, lines=lines[::-1])

    async def _why(self, request: Request) -> Response:
        table = self._app.find_table(request, SharedTable)
        return PlainTextResponse(table.why_not(request.scope["guest"], touched_text(request)))

    async def _events(self, request: Request) -> Response:
        table = self._app.find_any_table(request)
        draw = partial(self._draw, request, table) if isinstance(table, SharedTable) else None
        news = self._app.news(table, (lambda: draw().event) if draw else None)
        return self._app.events(request, self._board_news(table, news) if draw and shows_board(request) else news)

    async def _board_news(self, table: TableFile, news: AsyncIterator[str]) -> AsyncIterator[str]:
        """Yield news, and keep the code valid that the board shows meanwhile."""
        with self._app.join_code.shown_for(f"/{table.where}/{table.number}"):
            async for one in news:
                yield one

    async def _act(self, request: Request) -> Response:
        table = self._app.find_table(request, SharedTable)
        fields = await self._app.read_fields(request)
        async with self._app.lock_for(table):
            try:
                message = await self._perform(request, table, fields)
            except (EngineError, CatalogError) as error:
                message = without_commands(request, str(error))
            self._pass_device(table, request.scope["guest"])
        # The next turn may be a computer player's, after a move or after an accepted undo.
        self._app.start_computer_moves(table)
        if "application/json" in request.headers.get("accept", ""):
            part = msgspec.Raw(self._draw(request, table).event)
            return Response(msgspec.json.encode({"said": message, "part": part}), media_type="application/json")
        return self._app.redirect_back(request, f"/table/{table.number}", {}, message)

    async def _perform(self, request: Request, table: SharedTable, fields: Mapping[str, list[str]]) -> str:
        guest, turn, seat = request.scope["guest"], last(fields, "turn"), parse_number(last(fields, "seat"), 2)
        match request.path_params["act"]:
            case "seat":
                table.take_seat(guest, seat, last(fields, "name").strip())
            case "free":
                table.free_seat(guest, seat, is_host=is_host(request))
            case "leave":
                table.leave_seat(guest)
            case "move":
                table.move(guest, last(fields, "move"), turn)
            case "pass":
                if (next_seat := self._next_seat(table, table.seat_of(guest))) is not None:
                    table.pass_device(guest, next_seat)
            case "undo":
                if self._app.in_browser:
                    # The last decision of all who share the device.
                    table.pass_device(guest, max(table.people, key=lambda one: table.session.last_decision(one) or 0))
                table.ask_undo(guest, turn)
                return "" if table.undo_request is None else "The others have been asked."
            case "answer":
                table.answer_undo(guest, agrees=last(fields, "agrees") == "yes")
            case "resign":
                table.resign(guest, turn)
            case "again":
                table.play_again(guest, self._app.seed())
            case "hint":
                view = table.view_in_turn(guest, turn)
                session = table.session
                session.is_helped = True
                return hint_line(await threads.run_briefly(hint_for, session.state, len(session.moves)), view)
            case _:
                raise EngineError("This cannot be done here.")
        return ""


def shows_board(request: Request) -> bool:
    """Return whether a request is about the board that all see, instead of the page of a guest."""
    return bool(request.scope["path"].endswith("/board") or request.query_params.get("board") == "1")


def touched_text(request: Request) -> str:
    """Return the text of the touched parts: `Griffin b2` for `touch=card:Griffin&touch=cell:b2`."""
    return " ".join(touch.partition(":")[2] for touch in request.query_params.getlist("touch")[:8])[:4096]


_SHOEBOX: Final = """# From your shoebox to a game

1. [Photograph your cards](ROOT/scan), and check the results, or find them under [Cards](ROOT/cards) and add copies.
2. [Your boxes](ROOT/boxes) list all of them.
3. [Make a random deck](ROOT/decks) from your cards. If you own fewer than 20 legal cards, bundled cards complete it.
4. [Play with it on phones](ROOT/play/grid), or with real cards on a table.
"""


class MoveChoice(NamedTuple):
    """A choice with the ways to touch it, and its effect."""

    move: str
    ways: Sequence[Way]
    effect: Markup


def table_values(
    table: SharedTable, seat: int | None, pictures: Mapping[str, str], *, is_board: bool
) -> dict[str, object]:
    """Return the template values of a table for a seat, or for spectators and the board, which all may see."""
    session, game = table.session, find_game(table.session.setup.game)
    # Build everything from the guest's view, so that no hidden information is sent.
    view = table.public_view() if seat is None else session.state.view(seat)
    turn = seat == session.state.to_move and not session.is_over
    choices = move_choices(view) if turn else []
    drawer = Drawer(touchable_parts(choices), pictures)
    picture = drawer.draw(game.pictures.picture(view, seat, session.last_move))
    # News since the player's own last decision; a spectator sees the last move.
    since = session.last_decision(seat) if seat is not None else None
    news = turn_lines(game.name, session.plies(max(len(session.moves) - 1, 0) if since is None else since + 1))
    return {
        "table": table,
        "game": game,
        "part": "part.html",
        "seat": seat,
        "is_board": is_board,
        "is_turn": turn,
        "is_over": session.is_over,
        "status": status(session, seat),
        "scores": () if game.pictures.shows_scores else session.state.scores(),
        "picture": picture,
        "choices": choices,
        "ways": touch_ids(choices),
        "bar": touch_buttons(drawer),
        "news": news,
        # The number of the newest finished game, which can be replayed.
        "over": len(table.games) + session.is_over,
        "free": table.free,
        "taken": [one for one in table.seats if one != seat],
    }


def move_choices(view: State) -> list[MoveChoice]:
    """Return the choices of a position in menu order."""
    pictures, listed = find_game(view.game).pictures, find_game(view.game).move_menu(view)
    return [MoveChoice(move, pictures.ways(view, move), words_html(pictures.describe(view, move))) for move in listed]


def touchable_parts(choices: Iterable[MoveChoice]) -> list[Touch]:
    """Return the touchable parts of a position."""
    return [touch for choice in choices for way in choice.ways for touch in way]


def touch_ids(choices: Iterable[MoveChoice]) -> list[tuple[str, list[list[str]]]]:
    """Return each move with the ids of the parts touched for it, in each of its ways."""
    return [(choice.move, [[touch_id(touch) for touch in way] for way in choice.ways]) for choice in choices]


def touch_buttons(drawer: Drawer) -> list[tuple[str, str]]:
    """Return the ids and texts of buttons for the touchable parts that were not drawn."""
    return [(touch_id(touch), touch.text[:1].upper() + touch.text[1:]) for touch in drawer.left]


def status(session: Session, seat: int | None) -> str:
    """Return whose turn it is, or how the game ended, from the point of view of a seat (None: a spectator)."""
    if session.resigned is not None:
        return (
            f"{third_person(session.resigned, 'loses')}: {session.forfeit}."
            if session.forfeit
            else f"{session.resigned} resigned."
        )
    outcome = session.state.outcome()
    if outcome is not None:
        winner = (
            "" if outcome.winner is None else "You" if outcome.winner == seat else session.setup.players[outcome.winner]
        )
        return f"The game is over: {outcome.reason}. {third_person(winner, 'wins') if winner else 'A draw'}."
    if seat == session.state.to_move:
        return "Your turn."
    return f"{third_person(session.player, 'is')} {'to move' if session.is_person else 'thinking'}."


class PuzzlePages:
    """The pages of puzzles: one per game and day."""

    def __init__(self, app: AppState, jobs: Jobs) -> None:
        self._app, self._jobs = app, jobs
        self._searches: dict[str, Job] = {}
        self._found: dict[str, tuple[date, Puzzle]] = {}
        self._looking = asyncio.Lock()

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        return [Route("/puzzle/{game}", self._puzzle), Route("/puzzle/{game}/why", self._why)]

    def _search(self, game: AnyGame) -> Job:
        """Return the search for today's puzzle of a game; start it on the first request."""
        today = date.today()

        async def find(report: Callable[..., None]) -> str:
            request = GameRequest(game=game.name, database=self._app.database)
            async with self._looking:  # one at a time: a search uses a whole core
                found = await threads.run_long(_puzzles, request, training.daily_seed(today), progress=report)
            if not found:
                raise EngineError("No puzzle was found.")
            self._found[game.name] = today, found[0]
            return f"/puzzle/{game.name}"

        search = self._searches.get(game.name)
        # Search again on another day, or after a failure.
        if search is None or search.task.done():
            search = self._jobs.start(f"Looking for the puzzle of the day: {game.title}", "/", {}, find)
            self._searches[game.name] = search
        return search

    async def _puzzle(self, request: Request) -> Response:
        game = find_game(request.path_params["game"])
        found = self._found.get(game.name)
        if found is None or found[0] != date.today():
            return self._jobs.show(request, self._search(game))
        puzzle = found[1]
        state, answer = puzzle.state, request.query_params.get("move", "")
        choices = move_choices(state)
        if answer not in state.legal_moves():
            answer = ""
        open_choices = [] if answer else choices
        drawer = Drawer(touchable_parts(open_choices))
        return self._app.render(
            request,
            "puzzle.html",
            game=game,
            player=puzzle.thought.player,
            difficulty=puzzle.difficulty,
            picture=drawer.draw(game.pictures.picture(state, None, None)),
            hidden=Drawer().draw(game.pictures.hidden(state)) if game.pictures.hidden else "",
            choices=choices,
            ways=touch_ids(open_choices),
            bar=touch_buttons(drawer),
            answer=answer,
            said=_judgement(puzzle, answer) if answer else "",
            best=puzzle.best,
            worth=puzzle.thought.moves if answer else (),
        )

    async def _why(self, request: Request) -> Response:
        found = self._found.get(request.path_params["game"])
        if found is None:
            raise EngineError("This page is out of date. Reload it.")
        try:
            answer = read_move(found[1].state, touched_text(request))
        except MoveError as error:
            answer = sentence(error.reason)
        return PlainTextResponse(answer)


def _puzzles(request: GameRequest, seed: int, progress: Callable[[int], object]) -> list[Puzzle]:
    return training.puzzles(request, 1, seed, progress=progress, remark=lambda line: None, waiting=lambda: None)


def _judgement(puzzle: Puzzle, answer: str) -> str:
    if answer == puzzle.best:
        return "Right: that is the one best move."
    given = next(one for one in puzzle.thought.moves if one.move == answer)
    lost = counted(int(puzzle.thought.best.value - given.value), "point")
    return f"Not the best: it loses {lost}. The best move is {puzzle.best}."


# --- after the game ---

_LONGEST_LOOK: Final = 10.0
_LOOK: Final = 0.2
"""Maximum seconds of analysis per move; `_LONGEST_LOOK` is about the total."""
_MOST_ANALYSED: Final = 50
"""Maximum number of cached analyses; the oldest are dropped."""
_CHART: Final = (600, 120)
"""Width and height of the chart, in its own units."""


class ReplayPages:
    """The pages of finished games."""

    def __init__(self, app: AppState, jobs: Jobs) -> None:
        self._app, self._jobs = app, jobs
        self._analyses: dict[Record, tuple[MoveAnalysis, ...]] = {}
        self._looking = asyncio.Lock()

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        return [
            Route("/table/{number:int}/games/{game:int}", self._replay),
            Route("/table/{number:int}/games/{game:int}/record", self._record),
            self._app.form_route("/table/{number:int}/games/{game:int}/analyze", self._analyze, _replay_address),
        ]

    def _find_game(self, request: Request) -> tuple[TableFile, int, Record]:
        table, number = self._app.find_any_table(request), request.path_params["game"]
        records = table.finished
        if not 1 <= number <= len(records):
            raise UnknownNameError("There is no such game, or it is not over, and a replay would show hidden cards.")
        return table, number, records[number - 1]

    async def _replay(self, request: Request) -> Response:
        table, number, record = self._find_game(request)
        last, asked = len(record.moves), parse_number(request.query_params.get("at", ""))
        at = min(asked, last) if asked >= 0 else last
        return self._app.render(
            request, "replay.html", **await run_in_thread(self._values, request, table, number, record, at)
        )

    def _values(self, request: Request, table: TableFile, number: int, record: Record, at: int) -> dict[str, object]:
        plies = list(record)
        states = [*(ply.state for ply in plies), record.final()]
        game, analyses = find_game(record.setup.game), self._analyses.get(record, ())
        sentences = [" ".join(turn_lines(game.name, [ply])) for ply in plies]
        marks = [analysed.mark for analysed in analyses] or [""] * len(plies)
        return {
            "table": table,
            "game": game,
            "number": number,
            "at": at,
            "last": len(plies),
            "picture": Drawer(pictures=self._app.pictures(request)).draw(
                game.pictures.picture(states[at], None, record.moves[at - 1] if at else None)
            ),
            "sentence": sentences[at - 1] if at else "Before the first move.",
            "look": _comment_on(analyses[at - 1], plies[at - 1]) if analyses and at else "",
            "moves": list(zip(range(1, len(plies) + 1), sentences, marks, strict=True)),
            "is_analysed": bool(analyses),
            "chart": chart(states, at),
            "players": record.setup.players,
            "code": record_code(record).line,
        }

    async def _record(self, request: Request) -> Response:
        table, number, record = self._find_game(request)
        name = f"{record.setup.game}-table-{table.number}-game-{number}.jsonl"
        return self._app.send_file(record.to_json_line() + "\n", name, "application/jsonl")

    async def _analyze(self, request: Request, fields: Mapping[str, str]) -> Response:
        table, number, record = self._find_game(request)
        here = _replay_address(request, fields)

        async def analyse(report: Callable[..., None]) -> str:
            async with self._looking:
                if record not in self._analyses:
                    # Long games get less time per move.
                    seconds = min(_LOOK, _LONGEST_LOOK / max(len(record.moves), 1))
                    found = await threads.run_long(reviews.review_game, record, seconds, progress=report)
                    self._analyses = dict([*self._analyses.items(), (record, found.analysis.moves)][-_MOST_ANALYSED:])
                analyses = self._analyses[record]
            marked = [place for place, analysed in enumerate(analyses, 1) if analysed.mark]
            # Open the page at the move that lost most, or at the start if none is marked.
            at = max(marked, key=lambda place: analyses[place - 1].lost, default=0)
            return f"{here}?at={at}"

        what = f"Looking for the best moves of game {number} of table {table.number}"
        return self._jobs.show(request, self._jobs.start(what, here, {}, analyse))


def _replay_address(request: Request, _: Mapping[str, str]) -> str:
    return f"/table/{request.path_params['number']}/games/{request.path_params['game']}"


def _comment_on(analysed: MoveAnalysis, ply: Ply) -> str:
    """Return the judgement of a move, with the best move if it was better."""
    best = analysed.knowable.best
    if not analysed.lost or best.move == analysed.move:
        return "This was the best move, or one just as good." if not analysed.lost else ""
    what = " ".join(turn_lines(ply.state.game, [Ply(ply.state, best.move)]))
    about = f"{'' if analysed.error is None else 'about '}{analysed.lost:.1f}"
    return f"{analysed.mark} This lost {about} points. The best move was: {what}".strip()


def chart(states: Sequence[State], at: int) -> Markup:
    """Draw the players' points after every move as lines, with a mark at the current position."""
    width, height = _CHART
    scores = [state.scores() for state in states]
    highest = max(max(points) for points in scores)
    lowest = min(min(points) for points in scores)
    # At least 1, for a game without moves or with constant points.
    across = width / max(len(scores) - 1, 1)
    # A margin of four units, so that lines at the edges are fully visible.
    scale = (height - 8) / max(highest - lowest, 1)
    lines = Markup("").join(
        Markup('<polyline class="of-seat-{}" points="{}"/>').format(
            seat,
            " ".join(
                # y grows downwards in SVG
                f"{place * across:.1f},{height - 4 - (points[seat] - lowest) * scale:.1f}"
                for place, points in enumerate(scores)
            ),
        )
        for seat in range(len(scores[0]))
    )
    now = Markup('<line class="now" x1="{0}" x2="{0}" y1="0" y2="{1}"/>').format(f"{at * across:.1f}", height)
    label = f"Points after each move: from {lowest} to {highest}"
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>').format(
        width, height, label, lines, now
    )
