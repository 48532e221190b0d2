"""The command that draws a deck."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catalog.card import CatalogError, ContradictionError
from catalog.decks.deck import Deck, deck_toml
from catalog.files import write_whole
from ccgrid import services, view
from ccgrid.commands.game_options import (
    GAMES_WITH_DECKS,
    GAMES_WITH_FACTIONS,
    From,
    complete_deck_game,
    complete_factions,
    complete_players,
    listed,
)
from ccgrid.commands.many_games import Cluster, Workers
from ccgrid.commands.options import Database, Force, Games, Json, Seed, any_seed, bounded, waiting
from ccgrid.commands.paths import OUTPUT, is_stream, tell_written
from ccgrid.services.outputs import DECK, check_free
from ccgrid.view.output import progress, remark, show, show_json
from ccgrid.view.words import counted
from engine.dice import Dice
from engine.games import GAMES, find_game

if TYPE_CHECKING:
    from ccgrid.services.deck_finding import DeckWish, Runner

app = typer.Typer()

_SEARCHED = listed(GAMES.having("deck_search"), "or")
"""The games whose decks are searched for, for help texts."""


@app.command()
def new(
    game: Annotated[
        str, typer.Argument(help=f"The game to play: {GAMES_WITH_DECKS}.", autocompletion=complete_deck_game)
    ] = GAMES.having("decks")[0],
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
        int | None, typer.Option("--size", help="How many cards, where a game leaves that open.", show_default=False)
    ] = None,
    energy: Annotated[
        int | None,
        typer.Option("--energy", help="How many of them energy, in a game that has such.", show_default=False),
    ] = None,
    source: From = "all",
    lively: Annotated[
        bool,
        typer.Option("--lively", help=f"For {_SEARCHED}: search for a deck whose numbers meet."),
    ] = False,
    balanced: Annotated[
        bool,
        typer.Option("--balanced", help=f"For {_SEARCHED}: search for a deck that is even for who starts."),
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help=f"For {_SEARCHED}: say how the deck plays, and what each card does in it.")
    ] = False,
    count: Annotated[
        int, typer.Option("--count", min=1, max=100, help=f"For {_SEARCHED}: so many decks, which share no card.")
    ] = 1,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="POLICY",
            help="For --lively, --balanced, --explain: who plays, such as strong:200; usually greedy.",
            show_default=False,
            autocompletion=complete_players,
        ),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    name: Annotated[
        str | None, typer.Option("--name", help="What to call it.", show_default=False, callback=bounded)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", click_type=OUTPUT, help="Write the deck to this file.", show_default=False),
    ] = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Draw a random legal deck, or search for one that plays well.

    In a random deck every legal card is as likely as another, or what a game needs comes along a curve of costs. Where
    a game has factions it is one of these, unless --game or --from says of which cards. --from takes a query:
    'game:wyvern year<1998'.

    --lively and --balanced search for decks by playing games; what they say of a deck was measured in fresh
    ones. The seed decides what is found; a search takes a minute or so, and is begun anew rather than resumed. With
    --players strong:200 it matters little who starts between players who think, too; that takes some minutes.

    Example: ccgrid deck new --game mtg --seed 7 -o deck.toml
    """
    decks = services.deck_sources.find_decks(game)
    numbers = {key: value for key, value in (("size", size), ("energy", energy)) if value is not None}
    for key in numbers:
        if key not in decks.numbers:
            raise CatalogError(f"--{key} is not for decks of {game}: leave it out.")
    query = services.deck_sources.query_of(source)
    if faction is not None and (card_game or query or find_game(game).factions is None):
        raise CatalogError(
            f"--faction is for decks of {GAMES_WITH_FACTIONS}, without --game and --from: leave one of them out."
        )
    if is_stream(output) and count > 1:
        raise typer.BadParameter(f"standard output is one file, and {count} decks are {count}: name one with -o")
    if output is not None:
        check_free(output, DECK, force=force)
    used = any_seed(seed)
    if lively or balanced or explain or count > 1 or players is not None:
        if game not in GAMES.having("deck_search"):
            asked = "--lively, --balanced, --explain, --players and --count"
            raise CatalogError(f"{asked} are for {_SEARCHED}, not for {game}.")
        if lively and balanced:
            raise ContradictionError("--lively and --balanced look for different decks: leave one of them out.")
        kind = "lively" if lively else "balanced" if balanced else "random"
        if players is not None and kind == "random" and not explain:
            raise ContradictionError("--players is for --lively, --balanced and --explain: add one of them.")
        wish = services.deck_finding.DeckWish(
            game,
            kind,
            tuple(card_game or ()),
            query,
            services.deck_sources.from_collection(source),
            count,
            database,
            explain,
            "greedy" if players is None else players,
        )
        runner = services.deck_finding.Runner(workers, cluster)
        _search(wish, runner, used, name, output, force=force, as_json=as_json)
        return
    title: str | None = None
    owned = services.deck_sources.from_collection(source)
    with progress("Drawing a deck"):
        if owned:
            cards = services.owned_decks.draw_owned(game, card_game or (), Dice(used), database, waiting)
        else:
            request = services.deck_sources.DeckRequest(
                tuple(card_game or ()), (faction,) if faction else (), database, numbers, query
            )
            title, cards = services.deck_sources.draw_deck(game, request, Dice(used))
    drawn = Deck(name or title or f"Random deck {used}", tuple(cards), used, game)
    view.decks.warn_of_dead(game, drawn.cards)
    if output is not None:
        write_whole(output, deck_toml(drawn))
    if as_json:
        show_json(drawn.to_dict())
        return
    if output is not None:
        tell_written(output, f". Look at it with: ccgrid deck show {output}")
        return
    view.decks.show_deck(drawn.plays, drawn.name, drawn.cards)


def _search(
    wish: "DeckWish", runner: "Runner", seed: int, name: str | None, output: Path | None, *, force: bool, as_json: bool
) -> None:
    """Finds decks that play well, and writes or shows each as it is found."""
    files: Sequence[Path | None] = [None] * wish.count if output is None else _numbered(output, wish.count)
    for path in filter(None, files):
        check_free(path, DECK, force=force)
    with progress(f"Searching for {counted(wish.count, 'deck')}") as report:
        found = list(
            services.deck_finding.find_wished(wish, seed, runner=runner, waiting=waiting, progress=report, tell=remark)
        )
    for number, (deck, file) in enumerate(zip(found, files, strict=True), start=1):
        title = name or f"{wish.kind.capitalize()} deck {seed}"
        drawn = Deck(f"{title}-{number}" if wish.count > 1 else title, deck.cards, seed, wish.game)
        view.decks.warn_of_dead(wish.game, drawn.cards)
        if file is not None:
            write_whole(file, deck_toml(drawn))
        if as_json:
            rating = {} if deck.rating is None else {"rating": deck.rating}
            more = {"explanation": list(deck.explanation), "meets": list(deck.meets)} if wish.is_measured else {}
            show_json({**drawn.to_dict(), **rating, **more})
            continue
        if file is None:
            view.deck_finding.show_found(wish.game, drawn.name, drawn.cards, deck.promise)
        else:
            tell_written(file, f". Look at it with: ccgrid deck show {file}")
            show(*deck.promise)
        if wish.is_measured:
            view.deck_finding.show_explanation(deck.explanation, deck.cards, deck.meets)


def _numbered(output: Path, count: int) -> list[Path]:
    """The files of several decks: `deck.toml` becomes `deck-1.toml`, `deck-2.toml` …."""
    if count == 1:
        return [output]
    return [output.with_name(f"{output.stem}-{number}{output.suffix}") for number in range(1, count + 1)]
