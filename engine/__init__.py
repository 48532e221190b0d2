"""Games for dead cards: how they are dealt and played, written down, and played many times by computer players.

What is listed here is what programs may rely on. A name is loaded when it is first used, so that importing this costs
next to nothing.

>>> from ccgrid import engine
>>> setup = engine.find_game("matrix").deal(["Ann", "Bob"], [], engine.Dice(7))
>>> state = setup.start()
>>> state = engine.play(state, engine.read_move(state, state.legal_moves()[0]))
>>> engine.sample_world(state.view(0), 0, engine.Dice(1)).players
('Ann', 'Bob')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ccgrid.engine.decks import DifferentDecks, FixedDecks, RandomDecks
    from ccgrid.engine.dice import Dice
    from ccgrid.engine.errors import EngineError, MoveError, UnknownCardError
    from ccgrid.engine.game import Ending, Game, Outcome, Setup, State, Unseen
    from ccgrid.engine.games import GAMES, find_game
    from ccgrid.engine.many.simulation import play_game, play_out, simulate
    from ccgrid.engine.many.tally import Lineup, SimulationSummary
    from ccgrid.engine.notation import play, read_move
    from ccgrid.engine.players import PLAYERS, Budget, Player, choose_move, find_player
    from ccgrid.engine.records.files import read_game, read_games, write_game
    from ccgrid.engine.records.match import Match
    from ccgrid.engine.records.record import Record
    from ccgrid.engine.worlds import Pool, sample_world

__all__ = [
    "GAMES",
    "PLAYERS",
    "Budget",
    "Dice",
    "DifferentDecks",
    "Ending",
    "EngineError",
    "FixedDecks",
    "Game",
    "Lineup",
    "Match",
    "MoveError",
    "Outcome",
    "Player",
    "Pool",
    "RandomDecks",
    "Record",
    "Setup",
    "SimulationSummary",
    "State",
    "UnknownCardError",
    "Unseen",
    "choose_move",
    "find_game",
    "find_player",
    "play",
    "play_game",
    "play_out",
    "read_game",
    "read_games",
    "read_move",
    "sample_world",
    "simulate",
    "write_game",
]

_WHERE: Final = {
    "decks": (
        "DifferentDecks",
        "FixedDecks",
        "RandomDecks",
    ),
    "dice": ("Dice",),
    "errors": (
        "EngineError",
        "MoveError",
        "UnknownCardError",
    ),
    "game": (
        "Ending",
        "Game",
        "Outcome",
        "Setup",
        "State",
        "Unseen",
    ),
    "games": (
        "GAMES",
        "find_game",
    ),
    "many.simulation": (
        "play_game",
        "play_out",
        "simulate",
    ),
    "many.tally": (
        "Lineup",
        "SimulationSummary",
    ),
    "notation": (
        "play",
        "read_move",
    ),
    "players": (
        "PLAYERS",
        "Budget",
        "Player",
        "choose_move",
        "find_player",
    ),
    "records.files": (
        "read_game",
        "read_games",
        "write_game",
    ),
    "records.match": ("Match",),
    "records.record": ("Record",),
    "worlds": (
        "Pool",
        "sample_world",
    ),
}
_MODULES: Final = {name: module for module, names in _WHERE.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"ccgrid.engine.{_MODULES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
