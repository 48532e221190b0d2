"""Commands on decks: draw one, check one, look at one."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid.commands.options import Database, Games, Json

app = typer.Typer(name="deck", help="Draw, check and look at decks.")

DeckFile = Annotated[Path, typer.Argument(help="A deck: TOML, or lines such as '1 Lightning Bolt (M10) 146'.")]


@app.command()
def new(
    game: Annotated[str, typer.Argument(help="The game to play: grid.")] = "grid",
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed draws the same deck.")] = None,
    card_game: Games = None,
    name: Annotated[str | None, typer.Option("--name", help="What to call it.", show_default=False)] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the deck to this file.", show_default=False)
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Draw a random legal deck, every legal card as likely as any other.

    Example: ccgrid deck new --game mtg --seed 7 -o deck.toml
    """
    import random
    import secrets

    from catalog.card import CatalogError
    from catalog.decks import GRID_DECK, Deck, deck_toml
    from catalog.files import write_whole
    from ccgrid.shelf import open_catalogue
    from ccgrid.view.board import draw_deck
    from ccgrid.view.output import remark, show, show_json

    if game != "grid":
        raise CatalogError(f"There are no decks for the game {game!r}. There are decks for: grid.")
    used = secrets.randbelow(1 << 31) if seed is None else seed
    with open_catalogue(database) as store:
        cards = store.draw(GRID_DECK, random.Random(used), card_game or ())
    drawn = Deck(name or f"Random deck {used}", tuple(cards), used)
    if output is not None:
        write_whole(output, deck_toml(drawn))
    if as_json:
        show_json(drawn.to_json())
        return
    if output is not None:
        remark(f"Written to {output}. Look at it with: ccgrid deck show {output}")
        return
    show(drawn.name, "", draw_deck(drawn.cards))


@app.command()
def check(file: DeckFile, database: Database = None, as_json: Json = False) -> None:
    """Say whether a deck is legal, or everything wrong with it.

    Example: ccgrid deck check deck.toml
    """
    from ccgrid.dealing import checked_deck
    from ccgrid.view.output import show_json
    from ccgrid.view.scores import show_deck_check

    found, problems = checked_deck(file, database)
    result = {
        "ok": not problems,
        "cards": len(found.cards),
        "problems": [problem.to_json() for problem in problems],
    }
    if as_json:
        show_json(result)
    else:
        show_deck_check(result)
    if problems:
        raise typer.Exit(1)


@app.command()
def show(file: DeckFile, database: Database = None, as_json: Json = False) -> None:
    """Draw a deck, card by card.

    Example: ccgrid deck show deck.toml
    """
    from ccgrid.dealing import checked_deck
    from ccgrid.view import output as view
    from ccgrid.view.board import draw_deck

    found, problems = checked_deck(file, database)
    if as_json:
        view.show_json(found.to_json())
        return
    view.show(found.name, "", draw_deck(found.cards))
    if problems:
        view.remark(f"This deck is not legal: ccgrid deck check {file}")
