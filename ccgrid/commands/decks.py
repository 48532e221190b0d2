"""Commands on decks: draw one, check one, look at one."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid.commands.options import Database, Games, Json, Seed, any_seed

app = typer.Typer()

DeckFile = Annotated[Path, typer.Argument(help="A deck: TOML, or lines such as '1 Lightning Bolt (M10) 146'.")]

For = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="GAME",
        help="The game that it is for, if the file does not say: grid, ninecard or tactics.",
        show_default=False,
    ),
]

From = Annotated[
    str,
    typer.Option("--from", metavar="all|collection", help="collection: only cards that you own and that are not out."),
]


@app.command()
def new(
    game: Annotated[str, typer.Argument(help="The game to play: grid, ninecard or tactics.")] = "grid",
    seed: Seed = None,
    card_game: Games = None,
    faction: Annotated[
        str | None,
        typer.Option("--faction", metavar="NAME", help="For tactics: this faction's cards.", show_default=False),
    ] = None,
    size: Annotated[
        int | None, typer.Option("--size", help="For ninecard: how many cards; usually 60.", show_default=False)
    ] = None,
    energy: Annotated[
        int | None,
        typer.Option("--energy", help="For ninecard: how many of them energy; usually 24.", show_default=False),
    ] = None,
    source: From = "all",
    name: Annotated[str | None, typer.Option("--name", help="What to call it.", show_default=False)] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the deck to this file.", show_default=False)
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Draw a random legal deck; every legal card is as likely as another.

    For ninecard, creatures along a curve of costs and energy; for tactics a faction, or, with --game, cards of that
    card game with a number on every side.

    Example: ccgrid deck new --game mtg --seed 7 -o deck.toml
    """
    from catalog.card import CatalogError
    from catalog.decks.deck import Deck, deck_toml
    from catalog.files import write_whole
    from ccgrid.services.deck_kinds import DeckRequest, find_kind
    from ccgrid.services.deck_sources import draw_owned, from_collection
    from ccgrid.view.decks import show_deck
    from ccgrid.view.output import remark, show_json
    from engine.dice import Dice

    kind = find_kind(game)
    numbers = {key: value for key, value in (("size", size), ("energy", energy)) if value is not None}
    for key in numbers:
        if key not in kind.numbers:
            raise CatalogError(f"--{key} is not for decks of {kind.game}: leave it out.")
    if faction is not None and (card_game or not kind.takes_factions):
        raise CatalogError("--faction is for decks of tactics, and goes without --game: leave one of them out.")
    used = any_seed(seed)
    wish = DeckRequest(tuple(card_game or ()), (faction,) if faction else (), database, bundled=False, numbers=numbers)
    title: str | None = None
    if from_collection(source):
        cards = draw_owned(kind.game, card_game or (), used, database)
    else:
        title, cards = kind.draw(wish, Dice(used))
    drawn = Deck(name or title or f"Random deck {used}", tuple(cards), used, kind.game)
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
    from ccgrid.services.dealing import checked_deck
    from ccgrid.services.deck_sources import from_collection, not_there
    from ccgrid.view.output import show_json
    from ccgrid.view.scores import show_deck_check

    found, problems = checked_deck(file, database, game)
    if from_collection(source):
        problems += not_there(file, database)
    result = {
        "ok": not problems,
        "cards": len(found.cards),
        "problems": [problem.to_dict() for problem in problems],
    }
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
    from ccgrid.services.dealing import checked_deck
    from ccgrid.view import output as view
    from ccgrid.view.decks import show_deck

    found, problems = checked_deck(file, database, game)
    if as_json:
        view.show_json(found.to_dict())
        return
    show_deck(game or found.plays, found.name, found.cards)
    if problems:
        view.remark(f"This deck is not legal: ccgrid deck check {file}" + (f" --for {game}" if game else ""))
