"""After the game: every position again, who was ahead, what was best, and the game as one line to be shared."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ccgrid.engine.errors import UnknownNameError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.analysis import Look
from ccgrid.engine.records.files import record_code
from ccgrid.engine.records.record import Ply, Record
from ccgrid.services import positions
from ccgrid.services.saved_games import TableFile
from ccgrid.view.games import tell
from ccgrid.web.house import House, whole_number
from ccgrid.web.pictures import Drawer

_LONGEST_LOOK: Final = 10.0
_LOOK: Final = 0.2
"""Seconds that an analysis takes in all, about, and the most for one move."""
_MOST_ANALYSED: Final = 50
"""So many analyses are remembered, the newest ones."""
_CHART: Final = (600, 120)
"""The width and height of the chart, in units of its own."""


class ReplayPages:
    """The pages of games that are over."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._looks: dict[Record, tuple[Look, ...]] = {}
        self._looking = asyncio.Lock()

    def routes(self) -> list[Route]:
        """What is asked by which address."""
        return [
            Route("/table/{number:int}/games/{game:int}", self._replay),
            Route("/table/{number:int}/games/{game:int}/record", self._record),
            Route("/table/{number:int}/games/{game:int}/analyze", self._analyze, methods=["POST"]),
        ]

    def _found(self, request: Request) -> tuple[TableFile, int, Record]:
        table, number = self._house.any_table(request), request.path_params["game"]
        records = table.finished
        if not 1 <= number <= len(records):
            raise UnknownNameError("There is no such game, or it is not over: then it would show what is hidden.")
        return table, number, records[number - 1]

    async def _replay(self, request: Request) -> Response:
        table, number, record = self._found(request)
        last, asked = len(record.moves), whole_number(request.query_params.get("at", ""))
        at = last if asked is None else min(asked, last)
        return self._house.page(
            request, "replay.html", **await asyncio.to_thread(self._values, table, number, record, at)
        )

    def _values(self, table: TableFile, number: int, record: Record, at: int) -> dict[str, Any]:
        plies = list(record)
        states = [*(ply.state for ply in plies), record.final()]
        game, looks = find_game(record.setup.game), self._looks.get(record, ())
        sentences = [" ".join(tell(game.name, [ply])) for ply in plies]
        marks = [look.mark for look in looks] or [""] * len(plies)
        return {
            "table": table,
            "game": game,
            "number": number,
            "at": at,
            "last": len(plies),
            "picture": Drawer(pictures=self._house.pictures()).draw(
                game.pictures.picture(states[at], None, record.moves[at - 1] if at else None)
            ),
            "sentence": sentences[at - 1] if at else "Before the first move.",
            "look": _in_words(looks[at - 1], plies[at - 1]) if looks and at else "",
            "moves": list(zip(range(1, len(plies) + 1), sentences, marks, strict=True)),
            "is_analysed": bool(looks),
            "chart": chart(states, at),
            "players": record.setup.players,
            "code": record_code(record).line,
        }

    async def _record(self, request: Request) -> Response:
        table, number, record = self._found(request)
        name = f"{record.setup.game}-table-{table.number}-game-{number}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(record.to_json_line() + "\n", media_type="application/jsonl", headers=headers)

    async def _analyze(self, request: Request) -> Response:
        table, number, record = self._found(request)
        await self._house.fields(request)
        async with self._looking:
            if record not in self._looks:
                seconds = min(_LOOK, _LONGEST_LOOK / max(len(record.moves), 1))
                found = await asyncio.to_thread(positions.looked_back, record, seconds, self._house.go_on)
                self._looks = dict([*self._looks.items(), (record, found.analysis.looks)][-_MOST_ANALYSED:])
        marked = [place for place, look in enumerate(self._looks[record], 1) if look.mark]
        at = max(marked, key=lambda place: self._looks[record][place - 1].lost, default=0)
        return RedirectResponse(f"/table/{table.number}/games/{number}?at={at}", HTTPStatus.SEE_OTHER)


def _in_words(look: Look, ply: Ply) -> str:
    """What was best, where the move that was made was not."""
    best = look.knowable.best
    if not look.lost or best.move == look.move:
        return "That was best, or as good as the best." if not look.lost else ""
    what = " ".join(tell(ply.state.game, [Ply(ply.state, best.move)]))
    how = "" if look.error is None else " about"
    return f"{look.mark} This gave{how} {look.lost:.1f} points away. Best was: {what}".strip()


def chart(states: Sequence[State], at: int) -> Markup:
    """The players' points after every move as lines, one for each, with a mark at the position that is shown."""
    width, height = _CHART
    scores = [state.scores() for state in states]
    highest = max(max(points) for points in scores)
    lowest = min(min(points) for points in scores)
    across = width / max(len(scores) - 1, 1)
    scale = (height - 8) / max(highest - lowest, 1)
    lines = Markup("").join(
        Markup('<polyline class="of-seat-{}" points="{}"/>').format(
            seat,
            " ".join(
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
