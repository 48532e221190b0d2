"""Files from which many games go on: one of every kind, who goes on with it, and what may come of it."""

import json
import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ccgrid.engine.decks import FixedDecks
from ccgrid.engine.insight.deck_rating import rate
from ccgrid.engine.many.arena import Arena, Contestant, play_arena
from ccgrid.engine.many.comparison import compare
from ccgrid.engine.many.runner import Runner
from ccgrid.engine.many.simulation import simulate
from ccgrid.engine.many.tally import Lineup, saved_seed
from ccgrid.engine.records.match import Match
from helpers.made_up import random_deck

_DECK: Final = tuple(random_deck(random.Random(1), 20))
_GRID: Final = Lineup("grid", ("greedy", "random"), FixedDecks((_DECK,)), 7)
_KOMI: Final = Lineup("grid", ("greedy", "random"), FixedDecks((_DECK,)), 7, {"komi": 5})
_THREE: Final = tuple(
    Contestant(f"{policy}-{seat}", policy) for seat, policy in enumerate(("greedy", "random", "random"))
)
_HERE: Final = Runner(1)

GAMES: Final = 12

RESUMED: Final[dict[str, Callable[[Path, int], dict[str, Any]]]] = {
    "simulate": lambda path, games: simulate(_GRID, games, runner=_HERE, resume=path).to_dict(),
    "simulate matches": lambda path, games: simulate(
        _GRID, games, plan=Match.best_of("grid", _GRID.players, 3), runner=_HERE, resume=path
    ).to_dict(),
    "arena": lambda path, games: play_arena(
        Arena("grid", _THREE, FixedDecks((_DECK,)), 7), games, runner=_HERE, resume=path
    ).to_dict(),
    "house rules": lambda path, games: compare(
        _GRID, _KOMI, ("none", "five"), games, runner=_HERE, resume=path
    ).to_dict(),
    "deck rate": lambda path, games: rate("grid", _DECK, games, 7, runner=_HERE, resume=path).to_dict(),
}
"""What goes on from a file, by its kind: so many games in all, and the summary of them as scripts see it."""


@cache
def resume_file(kind: str) -> bytes:
    """A good file of this kind."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "counts.json"
        RESUMED[kind](path, GAMES)
        return path.read_bytes()


def go_on(kind: str, path: Path) -> None:
    """Goes on from a file, with no game more and with some; whatever was counted, what is said of it is possible."""
    saved_seed(path)
    for games in (GAMES, GAMES + 4):
        check_possible(RESUMED[kind](path, games))


_NEVER_BELOW_0: Final = (
    *("games", "wins", "draws", "first_player_wins", "mean_moves", "mean_choices", "points", "matches", "stderr"),
    *("first_stderr", "games_per_second", "lead_changes", "used", "komi"),
)
_SHARES: Final = ("share", "first_share", "los", "met", "dead", "forced", "komi_share", "by_one", "decides")


def check_possible(summary: dict[str, Any]) -> None:
    """Whether a summary says what games can come to: shares from 0 to 1, no more games won than played, no infinity."""
    for table in _tables(summary):
        numbers = {key: value for key, value in table.items() if isinstance(value, int | float)}
        assert all(map(math.isfinite, numbers.values())), table
        assert all(numbers.get(key, 0) >= 0 for key in _NEVER_BELOW_0), table
        assert all(0 <= numbers.get(key, 0) <= 1 for key in _SHARES), table
    for table in (summary, summary.get("match", {})):
        games = table.get("matches", table.get("games"))
        assert games is None or table.get("first_player_wins", 0) <= games, table
        for player in [player for player in table.get("players", ()) if isinstance(player, dict)]:
            assert player["wins"] + player["draws"] <= player.get("games", games), table


def _tables(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _tables(inner)


def numbers_in(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every number in a document, and to every key that is one."""
    if isinstance(document, dict):
        yield from ((*path, key, KEY) for key in document if key.lstrip("-").isdigit())
    if isinstance(document, dict | list):
        for key, inner in document.items() if isinstance(document, dict) else enumerate(document):
            yield from numbers_in(inner, (*path, key))
    elif isinstance(document, int | float) and not isinstance(document, bool):
        yield path


KEY: Final = object()
"""The end of the way to a key."""


def with_number(data: bytes, path: tuple[Any, ...], number: float) -> bytes:
    """The document with another number at the end of a way."""
    document = inner = json.loads(data)
    *way, last = path[:-1] if path[-1] is KEY else path
    for key in way:
        inner = inner[key]
    if path[-1] is KEY:
        inner[str(number)] = inner.pop(last)
    else:
        inner[last] = number
    return json.dumps(document).encode()
