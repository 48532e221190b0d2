"""Playable games for cards of dead card games: rules, records of games, computer players and simulations.

These are the public names of the package. Each is imported on first use, so that importing the package is fast.

>>> from ccgrid import engine
>>> setup = engine.find_game("matrix").deal(["Ann", "Bob"], [], engine.Dice(7))
>>> state = setup.start()
>>> state = engine.play(state, engine.read_move(state, state.legal_moves()[0]))
>>> engine.sample_world(state.view(0), 0, engine.Dice(1)).players
('Ann', 'Bob')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if __name__ != "ccgrid.engine":
    # Under another name every class would exist twice, and instances of one would not be instances of the other.
    raise ModuleNotFoundError("Import this package as ccgrid.engine.", name=__name__)

if TYPE_CHECKING:
    from ccgrid.engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
    from ccgrid.engine.dice import Dice
    from ccgrid.engine.errors import EngineError, MoveError, UnknownCardError
    from ccgrid.engine.game import Ending, Game, Outcome, Setup, State, Unseen
    from ccgrid.engine.games import GAMES, find_game
    from ccgrid.engine.insight.deck_rating import DeckRating
    from ccgrid.engine.insight.deck_rating import rate as rate_deck
    from ccgrid.engine.many.arena import Arena, ArenaSummary, Contestant, play_arena
    from ccgrid.engine.many.simulation import play_game, play_out, simulate
    from ccgrid.engine.many.tally import Lineup, SimulationSummary
    from ccgrid.engine.notation import play, read_move
    from ccgrid.engine.players import PLAYERS, Budget, PlainPlayer, Player, choose_move, find_player
    from ccgrid.engine.records.files import read_game, read_games, write_game
    from ccgrid.engine.records.match import Match
    from ccgrid.engine.records.record import Record
    from ccgrid.engine.worlds import Pool, sample_world

__all__ = [
    "GAMES",
    "PLAYERS",
    "Arena",
    "ArenaSummary",
    "Budget",
    "Contestant",
    "DeckRating",
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
    "PlainPlayer",
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
    "play_arena",
    "play_game",
    "play_out",
    "rate_deck",
    "read_game",
    "read_games",
    "read_move",
    "sample_world",
    "simulate",
    "write_game",
]

_PUBLIC_NAMES: Final = {
    "deck_sources": (
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
    "insight.deck_rating": (
        "DeckRating",
        "rate_deck=rate",
    ),
    "many.arena": (
        "Arena",
        "ArenaSummary",
        "Contestant",
        "play_arena",
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
        "PlainPlayer",
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
_LOCATIONS: Final = {
    shown: (module, own or shown)
    for module, names in _PUBLIC_NAMES.items()
    for shown, _, own in (name.partition("=") for name in names)
}
"""The module and the name in it of each public name; `public=internal` in `_PUBLIC_NAMES` if the two differ."""


def __getattr__(name: str) -> Any:
    if name not in _LOCATIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, own = _LOCATIONS[name]
    # Store the value as a global of the module, so that `__getattr__` runs once per name.
    value = globals()[name] = getattr(import_module(f"ccgrid.engine.{module}"), own)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
