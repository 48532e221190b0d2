"""The pages of decks: making, checking, rating, changing and pulling them."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ccgrid.browsing import threads
from ccgrid.browsing.threads import run_in_thread
from ccgrid.catalog.card import LONGEST_NAME
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.picture import Tile, Tiles
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.services.deck_search import RatedDeck
from ccgrid.view.reasons import reason_text
from ccgrid.web.app_state import AppState
from ccgrid.web.deck_shelf import KINDS, RANDOM, DeckShelf, ShelvedDeck
from ccgrid.web.jobs import Job, Jobs
from ccgrid.web.pictures import Drawer

_MOST_RATED: Final = 50
"""Maximum number of cached ratings; the oldest are dropped."""


class DeckPages:
    """The pages of decks."""

    def __init__(self, app: AppState, jobs: Jobs) -> None:
        self._app, self._jobs, self._shelf = app, jobs, DeckShelf(app.decks, app.database)
        self._ratings: dict[str, RatedDeck] = {}
        self._work: Job | None = None

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        return [
            Route("/decks", self._decks),
            self._app.form_route("/decks/new", self._new, lambda *_: "/decks"),
            Route("/deck/{number:int}", self._deck),
            Route("/deck/{number:int}/file", self._file),
            Route("/deck/{number:int}/pull", self._pull),
            self._app.form_route("/deck/{number:int}/{act}", self._act, _page_of),
        ]

    async def _decks(self, request: Request) -> Response:
        return self._app.render(
            request,
            "decks.html",
            decks=await run_in_thread(list, self._shelf),
            games=[game for game in GAMES if game.decks is not None],
            kinds=KINDS,
            work=None if self._work is None or self._work.task.done() else self._work,
            given=request.query_params,
            searched=", ".join(find_game(name).title for name in GAMES.having("deck_search")),
        )

    async def _new(self, request: Request, fields: dict[str, str]) -> Response:
        game, kind = find_game(fields.get("game", "")).name, fields.get("kind", "")
        query = fields.get("query", "").strip()[:400]
        source = query or "all"
        if fields.get("owned") == "yes":
            source = f"is:owned ({query})" if query else "collection"
        made = DeckRequest(
            game=game, source=source, lively=kind == "lively", balanced=kind == "balanced", good=kind == "good"
        )

        async def make(report: Callable[..., None]) -> str:
            run = run_in_thread if kind == RANDOM else threads.run_long
            deck, promise = await run(self._shelf.make, made, fields.get("name", ""), self._app.seed(), progress=report)
            number = await run_in_thread(self._shelf.write, deck)
            return f"/deck/{number}?{urlencode({'said': ' '.join(promise)})}"

        return self._start_job(request, f"Making a {kind} deck for {find_game(game).title}", "/decks", fields, make)

    def _start_job(
        self,
        request: Request,
        what: str,
        page: str,
        given: Mapping[str, str],
        work: Callable[[Callable[..., None]], Coroutine[object, object, str]],
    ) -> Response:
        """Start a job and redirect to its page; raise EngineError if another one is running."""
        if self._work is not None and not self._work.task.done():
            raise EngineError("The server is working on another deck. Wait until it has finished, or stop it.")
        self._work = self._jobs.start(what, page, given, work)
        return self._jobs.show(request, self._work)

    async def _deck(self, request: Request) -> Response:
        found = await run_in_thread(self._shelf.find, request.path_params["number"])
        cards = [(card, f"/card?{urlencode({'id': card.id})}" if card.id else "") for card in found.deck.cards]
        tiles = tuple(
            Tile(name=card.name, zones=card.zones, captions=(f"score {card.score}",), family=card.game)
            for card in found.deck.cards
        )
        return self._app.render(
            request,
            "deck.html",
            number=found.number,
            name=found.deck.name,
            game=find_game(found.game),
            cards=cards,
            drawn=Drawer(pictures=self._app.pictures(request)).draw(Tiles(tiles, 5)),
            problems=[(one.card, reason_text(one.reason)) for one in found.problems],
            rating=self._ratings.get(_rating_key(found)),
            can_be_rated=found.game in GAMES.having("rating") and not found.problems,
            given=request.query_params,
        )

    async def _file(self, request: Request) -> Response:
        found = await run_in_thread(self._shelf.find, request.path_params["number"])
        return self._app.send_file(deck_toml(found.deck), f"deck-{found.number}.toml", "text/plain")

    async def _pull(self, request: Request) -> Response:
        number = request.path_params["number"]
        found = await run_in_thread(self._shelf.pull, number)
        unknown = [(one.card, reason_text(one.reason)) for one in found.unknown]
        return self._app.render(
            request, "pull.html", number=number, name=found.deck, cards=found.cards, unknown=unknown
        )

    async def _act(self, request: Request, fields: dict[str, str]) -> Response:
        number, here = request.path_params["number"], _page_of(request, fields)
        match request.path_params["act"]:
            case "swap":
                old, new = (fields.get(name, "")[:LONGEST_NAME] for name in ("out", "in"))
                await run_in_thread(self._shelf.swap, number, old, new)
            case "out":
                await run_in_thread(self._shelf.pull, number, out=True)
                here = f"{here}/pull"
            case "rate":
                return await self._start_rating(request, number, here)
            case "remove":
                await run_in_thread(self._shelf.remove, number)
                here = "/decks"
            case _:
                raise EngineError("This cannot be done here.")
        return self._app.redirect(request, here)

    async def _start_rating(self, request: Request, number: int, page: str) -> Response:
        found = await run_in_thread(self._shelf.find, number)

        async def rate(report: Callable[..., None]) -> str:
            rating = await threads.run_long(self._shelf.rate, number, progress=report)
            # Keep the newest ratings: dicts are ordered by insertion.
            self._ratings = dict([*self._ratings.items(), (_rating_key(found), rating)][-_MOST_RATED:])
            return page

        return self._start_job(request, f"Rating {found.deck.name}", page, {}, rate)


def _page_of(request: Request, _: Mapping[str, str]) -> str:
    """Return the address of the page of the deck that a request names."""
    return f"/deck/{request.path_params['number']}"


def _rating_key(found: ShelvedDeck) -> str:
    """Return the cache key of a deck's rating, which changes with the deck."""
    return deck_toml(found.deck)
