"""The command that draws a deck."""

from pathlib import Path
from typing import Annotated

import typer

from catalog.card import CatalogError
from catalog.decks.deck import Deck, deck_toml
from catalog.files import write_whole
from ccgrid.commands.game_options import (
    GAMES_WITH_DECKS,
    GAMES_WITH_FACTIONS,
    From,
    complete_deck_game,
    complete_factions,
)
from ccgrid.commands.options import Database, Force, Games, Json, Seed, any_seed, bounded, waiting
from ccgrid.services.deck_sources import DeckRequest, draw_deck, find_decks, from_collection
from ccgrid.services.outputs import DECK, check_free
from ccgrid.view.decks import show_deck, warn_of_dead
from ccgrid.view.output import progress, remark, show_json
from engine.dice import Dice

app = typer.Typer()


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
    owned = from_collection(source)
    with progress("Drawing a deck"):
        if owned:
            from ccgrid.services.owned_decks import draw_owned  # only whoever draws from a collection needs its rooms

            cards = draw_owned(game, card_game or (), Dice(used), database, waiting)
        else:
            request = DeckRequest(tuple(card_game or ()), (faction,) if faction else (), database, numbers)
            title, cards = draw_deck(game, request, Dice(used))
    drawn = Deck(name or title or f"Random deck {used}", tuple(cards), used, game)
    warn_of_dead(game, drawn.cards)
    if output is not None:
        write_whole(output, deck_toml(drawn))
    if as_json:
        show_json(drawn.to_dict())
        return
    if output is not None:
        remark(f"Written to {output}. Look at it with: ccgrid deck show {output}")
        return
    show_deck(drawn.plays, drawn.name, drawn.cards)
