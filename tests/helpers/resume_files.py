"""Files of counts, one of every kind, and functions that resume from them."""

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from ccgrid.engine.deck_sources import FixedDecks
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
    "simulate": lambda path, games: msgspec.to_builtins(simulate(_GRID, games, runner=_HERE, resume=path).answer()),
    "simulate matches": lambda path, games: msgspec.to_builtins(
        simulate(_GRID, games, plan=Match.best_of("grid", _GRID.players, 3), runner=_HERE, resume=path).answer()
    ),
    "arena": lambda path, games: msgspec.to_builtins(
        play_arena(Arena("grid", _THREE, FixedDecks((_DECK,)), 7), games, runner=_HERE, resume=path).answer()
    ),
    "house rules": lambda path, games: msgspec.to_builtins(
        compare(_GRID, _KOMI, ("none", "five"), games, runner=_HERE, resume=path).answer()
    ),
    "deck rate": lambda path, games: msgspec.to_builtins(
        rate("grid", _DECK, games, 7, runner=_HERE, resume=path).figures()
    ),
}
"""Functions that play a total number of games from a file, by the kind of file, and return the summary as JSON."""


@cache
def resume_file(kind: str) -> bytes:
    """Return an undamaged file of this kind."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "counts.json"
        RESUMED[kind](path, GAMES)
        return path.read_bytes()


def resume(kind: str, path: Path) -> None:
    """Resume from a file, first without and then with additional games."""
    saved_seed(path)
    for games in (GAMES, GAMES + 4):
        RESUMED[kind](path, games)


def numbers_in(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every number in a document, and to every key that is a number."""
    if isinstance(document, dict):
        yield from ((*path, key, KEY) for key in document if key.lstrip("-").isdigit())
    if isinstance(document, dict | list):
        for key, inner in document.items() if isinstance(document, dict) else enumerate(document):
            yield from numbers_in(inner, (*path, key))
    elif isinstance(document, int | float) and not isinstance(document, bool):
        yield path


KEY: Final = object()
"""The last element of a path to a key."""


def with_number(data: bytes, path: tuple[Any, ...], number: float) -> bytes:
    """Return the document with another number at the end of a path."""
    document = inner = json.loads(data)
    *way, last = path[:-1] if path[-1] is KEY else path
    for key in way:
        inner = inner[key]
    if path[-1] is KEY:
        inner[str(number)] = inner.pop(last)
    else:
        inner[last] = number
    return json.dumps(document, separators=(",", ":")).encode()
