"""The puzzle of the day: looked for while the page waits, answered by touching, and explained."""

import asyncio
from datetime import date

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ccgrid.catalog.card import CatalogError
from ccgrid.engine.errors import EngineError, MoveError
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.puzzles import Puzzle
from ccgrid.engine.notation import read_move
from ccgrid.services import training
from ccgrid.view.text import counted
from ccgrid.web.house import House
from ccgrid.web.pictures import Drawer
from ccgrid.web.table_pages import choices_in, touch_buttons, touches_in


class PuzzlePages:
    """The puzzles of a house: one of each game a day."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._searches: dict[str, tuple[date, asyncio.Task[Puzzle]]] = {}
        self._looking = asyncio.Lock()

    def routes(self) -> list[Route]:
        """What is asked by which address."""
        return [Route("/puzzle/{game}", self._puzzle), Route("/puzzle/{game}/why", self._why)]

    def _search(self, game: str) -> asyncio.Task[Puzzle]:
        """The search for today's puzzle of a game, which begins when it is first asked for."""
        today = date.today()
        found = self._searches.get(game)
        if found is None or found[0] != today or (found[1].done() and found[1].exception()):
            search = asyncio.create_task(self._looked_for(game, today))
            search.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may ask any more
            self._searches[game] = today, search
        return self._searches[game][1]

    async def _looked_for(self, game: str, today: date) -> Puzzle:
        request = training.PuzzleRequest(game, database=self._house.database)
        async with self._looking:  # one at a time: it takes all that a processor has
            found = await asyncio.to_thread(
                lambda: training.puzzles(
                    request,
                    1,
                    training.daily_seed(today),
                    progress=self._house.go_on,
                    remark=lambda line: None,
                    waiting=lambda: None,
                )
            )
        if not found:
            raise EngineError("No puzzle was found.")
        return found[0]

    async def _puzzle(self, request: Request) -> Response:
        game = find_game(request.path_params["game"])
        search = self._search(game.name)
        done, _ = await asyncio.wait({search}, timeout=1)
        if not done:
            return self._house.page(request, "puzzle.html", game=game, puzzle=None)
        if error := search.exception():
            said = str(error) if isinstance(error, EngineError | CatalogError) else "No puzzle was found."
            return self._house.page(request, "puzzle.html", game=game, puzzle=None, message=said)
        puzzle = search.result()
        state, answer = puzzle.state, request.query_params.get("move", "")
        choices = choices_in(state)
        if answer not in state.legal_moves():
            answer = ""
        drawer = Drawer(() if answer else touches_in(state))
        return self._house.page(
            request,
            "puzzle.html",
            game=game,
            puzzle=puzzle,
            player=puzzle.thought.player,
            difficulty=puzzle.difficulty,
            picture=drawer.draw(game.pictures.picture(state, None, None)),
            hidden=Drawer().draw(game.pictures.hidden(state)) if game.pictures.hidden else "",
            choices=choices,
            ways=[] if answer else [[choice.move, choice.ways] for choice in choices],
            bar=touch_buttons(drawer),
            answer=answer,
            said=_judged(puzzle, answer) if answer else "",
            best=puzzle.best,
            worth=puzzle.thought.moves if answer else (),
        )

    async def _why(self, request: Request) -> Response:
        search = self._search(find_game(request.path_params["game"]).name)
        if not search.done():
            raise EngineError("The puzzle is still being looked for.")
        touched = request.query_params.getlist("touch")[:8]
        try:
            said = read_move(search.result().state, " ".join(one.partition(":")[2] for one in touched))
        except MoveError as error:
            said = error.reason
        return PlainTextResponse(said)


def _judged(puzzle: Puzzle, answer: str) -> str:
    if answer == puzzle.best:
        return "Right: that is the one best move."
    given = next(one for one in puzzle.thought.moves if one.move == answer)
    lost = counted(int(puzzle.thought.best.value - given.value), "point")
    return f"Not the best: it gives {lost} away. The best move is {puzzle.best}."
