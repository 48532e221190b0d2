"""Commands on decks: draw one, check one, look at one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from catalog.card import Card, CatalogError
from catalog.decks.deck import Deck, deck_toml
from catalog.files import write_whole
from ccgrid.commands.game_options import GAMES_WITH_DECKS, GAMES_WITH_FACTIONS, complete_deck_game, complete_factions
from ccgrid.commands.options import Database, Force, Games, Json, Seed, any_seed, bounded, waiting
from ccgrid.services.choices import Choices
from ccgrid.services.deck_checks import DEFAULT_GAME, checked_deck
from ccgrid.services.deck_sources import DeckRequest, draw_deck, find_decks
from ccgrid.services.outputs import DECK, check_free
from ccgrid.services.owned_decks import draw_owned, from_collection, not_there
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.decks import show_deck
from ccgrid.view.output import remark, show_json
from ccgrid.view.scores import show_deck_check
from engine.dice import Dice
from engine.meeting import why_dead

app = typer.Typer()

DeckFile = Annotated[Path, typer.Argument(help="A deck: TOML, '1 Lightning Bolt (M10) 146', .dek, .cod, .ydk …")]

For = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="GAME",
        help=f"The game that it is for, if the file does not say: {GAMES_WITH_DECKS}.",
        show_default=False,
        autocompletion=complete_deck_game,
    ),
]

From = Annotated[
    str,
    typer.Option("--from", metavar="all|collection", help="collection: only cards that you own and that are not out."),
]


@app.command()
def new(
    game: Annotated[
        str, typer.Argument(help=f"The game to play: {GAMES_WITH_DECKS}.", autocompletion=complete_deck_game)
    ] = "grid",
    seed: Seed = None,
    card_game: Games = None,
    faction: Annotated[
        str | None,
        typer.Option(
            "--faction",
            metavar="NAME",
            help=f"For {GAMES_WITH_FACTIONS}: this faction's cards.",
            show_default=False,
            autocompletion=complete_factions,
        ),
    ] = None,
    size: Annotated[
        int | None, typer.Option("--size", help="For ninecard: how many cards; usually 60.", show_default=False)
    ] = None,
    energy: Annotated[
        int | None,
        typer.Option("--energy", help="For ninecard: how many of them energy; usually 24.", show_default=False),
    ] = None,
    source: From = "all",
    name: Annotated[
        str | None, typer.Option("--name", help="What to call it.", show_default=False, callback=bounded)
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the deck to this file.", show_default=False)
    ] = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Draw a random legal deck; every legal card is as likely as another.

    For ninecard, creatures along a curve of costs and energy; for tactics a faction, or, with --game, cards of that
    card game with a number on every side.

    Example: ccgrid deck new --game mtg --seed 7 -o deck.toml
    """
    decks = find_decks(game)
    numbers = {key: value for key, value in (("size", size), ("energy", energy)) if value is not None}
    for key in numbers:
        if key not in decks.numbers:
            raise CatalogError(f"--{key} is not for decks of {game}: leave it out.")
    if faction is not None and (card_game or decks.ready is None):
        raise CatalogError(
            f"--faction is for decks of {GAMES_WITH_FACTIONS}, and goes without --game: leave one of them out."
        )
    if output is not None:
        check_free(output, DECK, force=force)
    used = any_seed(seed)
    title: str | None = None
    if from_collection(source):
        cards = draw_owned(game, card_game or (), Dice(used), database, waiting)
    else:
        request = DeckRequest(tuple(card_game or ()), (faction,) if faction else (), database, numbers)
        title, cards = draw_deck(game, request, Dice(used))
    drawn = Deck(name or title or f"Random deck {used}", tuple(cards), used, game)
    _warn_of_dead(game, drawn.cards)
    if output is not None:
        write_whole(output, deck_toml(drawn))
    if as_json:
        show_json(drawn.to_dict())
        return
    if output is not None:
        remark(f"Written to {output}. Look at it with: ccgrid deck show {output}")
        return
    show_deck(drawn.plays, drawn.name, drawn.cards)


@app.command()
def check(
    file: DeckFile, game: For = None, source: From = "all", database: Database = None, as_json: Json = False
) -> None:
    """Say whether a deck is legal, or everything wrong with it.

    Example: ccgrid deck check deck.toml
    """
    choices = Choices(asking(as_json=as_json))
    found, problems = checked_deck(file, database, game, choices)
    if from_collection(source):
        problems += not_there(file, database, waiting, choices)
    tell_choices(choices)
    result = {
        "ok": not problems,
        "cards": len(found.cards),
        "problems": [problem.to_dict() for problem in problems],
    }
    if not problems and _warn_of_dead(game or found.plays or DEFAULT_GAME, found.cards):
        result["dead"] = True
    if as_json:
        show_json(result)
    else:
        show_deck_check(result)
    if problems:
        raise typer.Exit(1)


@app.command()
def show(file: DeckFile, game: For = None, database: Database = None, as_json: Json = False) -> None:
    """Draw a deck, card by card.

    Example: ccgrid deck show deck.toml
    """
    choices = Choices(asking(as_json=as_json))
    found, problems = checked_deck(file, database, game, choices)
    tell_choices(choices)
    if not problems:
        _warn_of_dead(game or found.plays or DEFAULT_GAME, found.cards)
    if as_json:
        show_json(found.to_dict())
        return
    show_deck(game or found.plays, found.name, found.cards)
    if problems:
        remark(f"This deck is not legal: ccgrid deck check {file}" + (f" --for {game}" if game else ""))


def _warn_of_dead(game: str, cards: Sequence[Card]) -> bool:
    """Says where nothing can happen in a game with a deck that is legal all the same."""
    reason = why_dead(game, cards)
    if reason is not None:
        remark(f"A dead deck: {reason}.")
    return reason is not None
