"""Options of the commands that play games."""

from pathlib import Path
from typing import Annotated, Final

import typer

from ccgrid.commands.game_options import (
    GAMES_WITH_FACTIONS,
    check_game_name,
    complete_factions,
    listed,
    names_beginning_with,
    split_names,
)
from ccgrid.commands.options import Games, complete_decks, complete_records
from ccgrid.commands.paths import INPUT
from ccgrid.engine.games import GAMES
from ccgrid.engine.options import RULES
from ccgrid.services.files import is_file


def complete_game(incomplete: str) -> list[str]:
    """Return the games that the shell offers."""
    return names_beginning_with(GAMES.names, incomplete)


def complete_options(incomplete: str) -> list[tuple[str, str]]:
    """Return the options of all games that the shell offers, with their values if they are few, and a description."""
    offered = [
        (f"{RULES}={one.name}", f"{game}: {one.about}")
        for game, named in GAMES.parts("named_rules").items()
        for one in named
    ]
    for game, options in GAMES.parts("options").items():
        for option in options:
            about = f"{game}: {option.about}"
            if isinstance(option.default, bool):
                offered.append((option.name, about))
            else:
                values = [option.default] if isinstance(option.values, range) else option.values
                offered += [(f"{option.name}={value}", about) for value in values]
    return [(text, about) for text, about in offered if text.startswith(incomplete)]


def _example() -> str:
    """Return an option of the first game that has any, as typed, for help texts."""
    option = GAMES.part(GAMES.having("options")[0], "options")[0]
    return f"{option.name}={(option.samples or option.values)[-1]}"


def _split_factions(text: str | None) -> tuple[str, ...]:
    """Split the names of factions; raise WrongKindError if one is a file of another kind."""
    names = split_names(text)
    for path in filter(is_file, map(Path, names)):
        from ccgrid.catalog.file_kinds import DAMAGED, FileKind, check_kind

        check_kind(path, {FileKind.FACTION} | DAMAGED, FileKind.FACTION.value)
    return names


GameName = Annotated[
    str,
    typer.Argument(
        help=f"Which game: {listed(GAMES.names, 'or')}.", autocompletion=complete_game, callback=check_game_name
    ),
]
"""The game to play."""

Decks = Annotated[
    list[Path] | None,
    typer.Option(
        "--deck",
        **INPUT,
        metavar="FILE",
        help="Play with this deck; repeat it for one deck per player.",
        autocompletion=complete_decks,
        show_default=False,
    ),
]
"""The deck files in seat order; None for drawn decks."""

Factions = Annotated[
    str | None,
    typer.Option(
        "--faction",
        metavar="NAME,NAME",
        callback=_split_factions,
        help=f"The players' factions in {GAMES_WITH_FACTIONS}, in seat order; see 'ccgrid faction list'.",
        show_default=False,
        autocompletion=complete_factions,
    ),
]
"""The factions, separated by commas; None for any."""

Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help=f"A variant of the game, such as {_example()}; repeatable. 'ccgrid rules GAME' lists them.",
        show_default=False,
        autocompletion=complete_options,
    ),
]
"""The options of the game."""

BestOf = Annotated[
    int | None,
    typer.Option(
        "--best-of", metavar="NUMBER", min=1, help="Play a match of at most this many games.", show_default=False
    ),
]
"""The maximum number of games of a match that is won by games."""

WholeMatch = Annotated[bool, typer.Option("--match", help="Play a match of three games; points add up.")]
"""A match that is won by points."""

Load = Annotated[
    Path | None,
    typer.Option(
        "--load",
        **INPUT,
        help="Continue the game in this record; 'last': the unfinished one.",
        autocompletion=complete_records,
        show_default=False,
    ),
]
"""The record to continue, or `last`."""

SameDeal = Annotated[bool, typer.Option("--same-deal", help="In a match, play each deal twice, with seats swapped.")]
"""Whether a match plays every deal from every seat."""


CARDS: Final = {"decks": Decks, "factions": Factions, "card_games": Games, "options": Variants}
"""The options for the cards and rules of a `GameRequest`."""

MATCH: Final = {"best_of": BestOf, "whole_match": WholeMatch, "same_deal": SameDeal}
"""The options for the match of a `GameRequest`."""
