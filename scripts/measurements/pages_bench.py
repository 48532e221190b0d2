"""Measures what a move costs the server of `ccgrid serve`, next to its start page."""

import asyncio
import random
from pathlib import Path

from phones import Phone, Server, open_table, running_server, until

WATCHERS = 5
MOVES = 30
"""Moves measured of each game; the start page is loaded as often."""


def bench_pages(folder: Path) -> None:
    """Print the processor time of a move with watchers as a multiple of one `GET /`, of each game."""
    with running_server(folder) as server:
        asyncio.run(_bench(server))


async def _bench(server: Server) -> None:
    print(f"processor time of a move with {WATCHERS} watchers, in units of GET / of the same run")
    for game in ("grid", "ninecard", "tactics", "matrix"):
        phones = [Phone(server) for _ in range(WATCHERS + 1)]
        for phone in phones:
            await phone.join()
        move, page, moves = 0.0, 0.0, 0
        choose, following = random.Random(1), list[asyncio.Task[None]]()
        while moves < MOVES:
            table = await open_table(game, phones[:2])
            for task in following:
                task.cancel()
            for phone in phones:
                await phone.show(table)
            following = [asyncio.create_task(phone.follow(table)) for phone in phones]
            await asyncio.sleep(0.2)
            while moves < MOVES and (mover := next((phone for phone in phones[:2] if phone.moves), None)):
                before, shown = server.seconds(), mover.shown
                await mover.move(table, choose)
                await until(lambda: all(phone.shown == mover.shown != shown for phone in phones))  # noqa: B023
                between = server.seconds()
                await phones[0].get("/")
                move, page, moves = move + between - before, page + server.seconds() - between, moves + 1
        for task in following:
            task.cancel()
        print(f"  {game}: {move / page:.2f} ({1000 * move / moves:.1f} ms and {1000 * page / moves:.2f} ms)")
