"""Commands on decks in files: check, show, edit and rate."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ccgrid import services, terminal, view
from ccgrid.catalog.errors import UsageError
from ccgrid.catalog.formatting import shell_word
from ccgrid.commands.asking import asked_choices
from ccgrid.commands.game_options import (
    GAMES_WITH_DECKS,
    FromOrNone,
    Machines,
    Resume,
    check_game_name,
    complete_deck_game,
    complete_players,
    listed,
    split_names,
)
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import (
    Database,
    DeckFile,
    Json,
    Output,
    Seed,
    complete_decks,
    end_interrupted,
    waiting,
)
from ccgrid.commands.paths import INPUT, is_stream, tell_written
from ccgrid.engine.games import GAMES
from ccgrid.services.output_kinds import DECK
from ccgrid.view.output import progress, remark, show_json
from ccgrid.view.streams import can_ask

if TYPE_CHECKING:
    from ccgrid.services.deck_editing import DeckEditing

app = CommandModule()


def _for_option(games: str) -> object:
    """Return the option that names one of these games for a deck."""
    return typer.Option(
        "--for",
        metavar="GAME",
        help=f"The game the deck is for, if the file does not say: {games}.",
        show_default=False,
        autocompletion=complete_deck_game,
        callback=check_game_name,
    )


For = Annotated[str | None, _for_option(GAMES_WITH_DECKS)]

ForRated = Annotated[str | None, _for_option(listed(GAMES.having("rating"), "or"))]
"""The same option for the games whose decks are rated."""

FromBoxes = Annotated[
    str,
    typer.Option(
        "--from", metavar="all|collection", help="collection: also check that you own the cards and none is out."
    ),
]


@app.command()
def check(
    file: DeckFile, game: For = None, source: FromBoxes = "all", database: Database = None, as_json: Json = False
) -> None:
    """Check whether a deck is legal, and list everything wrong.

    Example: ccgrid deck check deck.toml
    """
    if source not in ("all", "collection"):
        raise typer.BadParameter(f"{source!r} is neither 'all' nor 'collection'", param_hint="--from")
    with asked_choices(as_json=as_json) as choices:
        found, problems = services.decks.check_deck_file(file, database, game, choices)
        if source == "collection":
            problems += services.deck_files.missing_copies(file, database, waiting, choices)
    plays = game or found.plays or GAMES.default
    is_dead = not problems and view.decks.warn_of_dead(plays, found.cards)
    from ccgrid.catalog.card_answers import deck_check

    result = deck_check(found.cards, problems, is_dead=is_dead)
    if as_json:
        show_json(result)
    else:
        view.reports.show_deck_check(result)
    if problems:
        raise typer.Exit(1)


@app.command("show")
def show_deck(file: DeckFile, game: For = None, database: Database = None, as_json: Json = False) -> None:
    """Show a deck, card by card.

    Example: ccgrid deck show deck.toml
    """
    with asked_choices(as_json=as_json) as choices:
        found, problems = services.decks.check_deck_file(file, database, game, choices)
    if not problems:
        view.decks.warn_of_dead(game or found.plays or GAMES.default, found.cards)
    if as_json:
        from ccgrid.catalog.card_answers import checked_deck

        show_json(checked_deck(found, problems))
        return
    view.decks.show_deck(game or found.plays, found.name, found.cards)
    view.decks.show_missing(problems)
    if problems:
        remark(f"This deck is not legal: ccgrid deck check {shell_word(file)}" + (f" --for {game}" if game else ""))


@app.command()
def edit(
    file: DeckFile,
    swap: Annotated[
        list[str] | None,
        typer.Option("--swap", metavar="OLD=NEW", help="Replace one card with another.", show_default=False),
    ] = None,
    add: Annotated[
        list[str] | None, typer.Option("--add", metavar="CARD", help="Add a card.", show_default=False)
    ] = None,
    out: Annotated[
        list[str] | None, typer.Option("--out", metavar="CARD", help="Remove a copy of a card.", show_default=False)
    ] = None,
    game: For = None,
    *,
    to: Annotated[Output, "Write the deck to this .toml file."],
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Swap, add or remove cards, and re-check the deck.

    Name a card of the deck by its number, its name or a part of it, and a new card by its id or name. Options can be
    repeated; without them it asks at a terminal. The rest of the file stays. For files of other programs, write a new
    file with --output.

    Example: ccgrid deck edit deck.toml --swap 3=Thorvid
    """
    output = to.output
    if game is not None:
        services.drawn_decks.find_decks(game)
    wanted = [*(("swap", text) for text in swap or ()), *(("out", text) for text in out or ())]
    wanted += [("add", text) for text in add or ()]
    choices = services.choices.Choices(terminal.choosing.interactive_chooser(as_json=as_json))
    is_asked = not wanted and not as_json and can_ask()
    if not wanted and not is_asked:
        raise typer.BadParameter("name a change: --swap OLD=NEW, --add CARD or --out CARD")
    if is_stream(file) and output is None:
        raise typer.BadParameter("standard input cannot be changed: write the deck with -o FILE, or -o -")
    to.check(DECK)
    with services.deck_editing.edit_deck(file, database, game, choices) as deck:
        if is_asked:
            if not terminal.deck_editing.change_deck(deck, output):
                return
        else:
            _change(deck, wanted)
            deck.write(output)
        terminal.choosing.show_choices(choices)
        problems = deck.problems()
        path = output or file
        if as_json:
            show_json(deck.answer(path, problems))
        elif not is_asked:
            view.decks.show_deck_changes([(step.out, step.new) for step in deck.steps])
            view.decks.show_standing(deck.plays, deck.deck.cards, problems)
        if not as_json:
            tell_written(path)
    if problems:
        raise typer.Exit(1)


def _change(deck: "DeckEditing", wanted: list[tuple[str, str]]) -> None:
    """Make all changes, or none if one fails."""
    for kind, text in wanted:
        if kind == "add":
            deck.add(text)
        elif kind == "out":
            deck.take_out(text)
        else:
            old, sign, new = (part.strip() for part in text.partition("="))
            if not sign or not old or not new:
                raise UsageError(f"--swap {text!r}: write it as OLD=NEW, such as 3=Thorvid.")
            deck.swap(old, new)


_SEED: Final = 1
"""The default seed, so that a deck gets the same rating twice."""


@app.command()
def rate(
    file: Annotated[
        Path | None,
        typer.Argument(
            **INPUT,
            help="A deck file; without one, --from names the cards to draw from.",
            autocompletion=complete_decks,
        ),
    ] = None,
    game: ForRated = None,
    source: FromOrNone = None,
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=1, help="Number of games (default: enough for ±1 %).", show_default=False),
    ] = None,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            help="One policy for both seats, or two, such as greedy,strong:500.",
            autocompletion=complete_players,
        ),
    ] = "greedy",
    seed: Seed = None,
    *,
    machines: Machines,
    resume: Resume = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Measure how a deck plays: do its numbers meet?

    It also finds whether starting matters, and what each card is worth.

    With --from it rates a random deck of such cards, for example 'game:wyvern tl:any'.

    'arena' compares decks, and 'simulate' counts games with them.

    Example: ccgrid deck rate deck.toml
    """
    if (file is None) is (source is None):
        also = "; the file of --resume keeps counts, and is not the deck" if resume else ""
        raise typer.BadParameter(f"name a deck, or with --from the cards to draw one from{also}")
    with asked_choices(as_json=as_json) as choices, progress("Playing") as report:
        rating = services.deck_search.rate_deck(
            file,
            game=game,
            source=source or "all",
            games=games,
            players=split_names(players),
            seed=_SEED if seed is None else seed,
            runner=machines.runner(),
            database=database,
            choices=choices,
            waiting=waiting,
            progress=report,
            resume=resume,
            tell=remark,
        )
    if as_json:
        show_json(rating)
    else:
        view.decks.show_rating(rating)
    end_interrupted(rating.interrupted)
