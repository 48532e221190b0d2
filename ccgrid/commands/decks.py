"""Commands on decks: check, show, edit, draw, search and rate."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ccgrid import services, terminal, view
from ccgrid.catalog.decks import Deck
from ccgrid.catalog.errors import UsageError
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.commands.game_options import (
    GAMES_WITH_DECKS,
    GAMES_WITH_FACTIONS,
    From,
    FromOrNone,
    Machines,
    Resume,
    check_game_name,
    complete_deck_game,
    complete_factions,
    complete_players,
    end_interrupted,
    listed,
    split_names,
)
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import (
    Database,
    DeckFile,
    Games,
    Json,
    Output,
    Seed,
    check_name_length,
    complete_decks,
    seed_or_random,
    waiting,
)
from ccgrid.commands.paths import INPUT, is_stream, tell_written
from ccgrid.commands.signatures import Fill
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.services.files import check_free
from ccgrid.services.output_kinds import DECK
from ccgrid.view.output import progress, remark, show, show_json
from ccgrid.view.streams import can_ask

if TYPE_CHECKING:
    from ccgrid.engine.many.runner import Runner
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
    choices = services.choices.Choices(terminal.choosing.interactive_chooser(as_json=as_json))
    found, problems = services.decks.check_deck_file(file, database, game, choices)
    if source == "collection":
        problems += services.deck_files.missing_copies(file, database, waiting, choices)
    terminal.choosing.show_choices(choices)
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
    choices = services.choices.Choices(terminal.choosing.interactive_chooser(as_json=as_json))
    found, problems = services.decks.check_deck_file(file, database, game, choices)
    terminal.choosing.show_choices(choices)
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


_SEARCHED = listed(GAMES.having("deck_search"), "or")
"""The games whose decks can be searched for, for help texts."""


NewDeckGame = Annotated[
    str,
    typer.Argument(
        help=f"The game to play: {GAMES_WITH_DECKS}.", autocompletion=complete_deck_game, callback=check_game_name
    ),
]

Faction = Annotated[
    str | None,
    typer.Option(
        "--faction",
        metavar="NAME",
        help=f"For {GAMES_WITH_FACTIONS}: this faction's cards.",
        show_default=False,
        autocompletion=complete_factions,
        callback=lambda name: None if name is None else (name,),
    ),
]

_SEARCH_OPTIONS: Final = {
    "lively": Annotated[bool, typer.Option("--lively", help=f"For {_SEARCHED}: search for a deck whose numbers meet.")],
    "balanced": Annotated[
        bool, typer.Option("--balanced", help=f"For {_SEARCHED}: search for a deck that is fair to both players.")
    ],
    "good": Annotated[
        bool,
        typer.Option(
            "--good", help=f"For {_SEARCHED}: lively and fair, and no card decides most games (takes minutes)."
        ),
    ],
    "explain": Annotated[
        bool, typer.Option("--explain", help=f"For {_SEARCHED}: explain how the deck plays and what each card adds.")
    ],
    "count": Annotated[
        int, typer.Option("--count", min=1, max=100, help=f"For {_SEARCHED}: as many decks that share no card.")
    ],
    "player": Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="POLICY",
            help="For --lively, --balanced, --good, --explain: who plays, such as strong:200 (default: greedy).",
            show_default=False,
            autocompletion=complete_players,
        ),
    ],
}
"""The options of a search for decks, by the field of the request."""


@app.command()
def new(
    seed: Seed = None,
    *,
    request: Annotated[
        DeckRequest,
        Fill(
            {
                "game": (NewDeckGame, GAMES.default),
                "card_games": Games,
                "factions": Faction,
                "source": From,
                "size": Annotated[
                    int | None,
                    typer.Option(
                        "--size", help="Number of cards, if the game allows several sizes.", show_default=False
                    ),
                ],
                "energy": Annotated[
                    int | None,
                    typer.Option(
                        "--energy", help="Number of energy cards, in games that have them.", show_default=False
                    ),
                ],
                "fill": Annotated[
                    bool,
                    typer.Option("--fill", help="With --from collection: complete the deck with bundled cards."),
                ],
                **_SEARCH_OPTIONS,
                "database": Database,
            }
        ),
    ],
    machines: Machines,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the deck.", show_default=False, callback=check_name_length)
    ] = None,
    to: Annotated[Output, "Write the deck to this .toml file."],
    as_json: Json = False,
) -> None:
    """Draw a random legal deck, or search for one that plays well.

    A random deck draws from all legal cards alike, or by a curve of costs where the game needs one. In a game with
    factions it is one of these, unless you choose cards with --game or --from. --from takes a query:
    'game:wyvern year<1998'.

    --lively, --balanced and --good search for decks by playing games. The figures come from games not used in the
    search. --good is both at once, reports what it missed, and is checked with strong players. A search takes about a
    minute and cannot be resumed; the seed decides the result. With --players strong:200 the deck is also fair between
    strong players; that takes minutes.

    Example: ccgrid deck new --game mtg --seed 7 -o deck.toml
    """
    output = to.output
    services.drawn_decks.check_request(request)
    if is_stream(output) and request.count > 1:
        raise typer.BadParameter(f"standard output takes one deck, not {request.count}: name a file with -o")
    to.check(DECK)
    used = seed_or_random(seed)
    if request.is_search:
        _search(request, machines.runner(), used, name, output, force=to.force, as_json=as_json)
        return
    with progress("Drawing a deck"):
        if request.is_owned:
            title, cards = None, services.deck_search.draw_owned(request, Dice(used), waiting, remark)
        else:
            title, cards = services.drawn_decks.draw_deck(request, Dice(used), remark)
    drawn = Deck(name or title or f"Random deck {used}", tuple(cards), used, request.game)
    if output is not None:
        from ccgrid.catalog.deck_writing import deck_toml

        write_atomically(output, deck_toml(drawn))
    view.decks.warn_of_dead(request.game, drawn.cards, lambda: services.deck_search.lively_command(request))
    if as_json:
        from ccgrid.catalog.card_answers import shown_deck

        show_json(shown_deck(drawn))
        return
    if output is not None:
        tell_written(output, f". To see it: ccgrid deck show {shell_word(output)}")
        return
    view.decks.show_deck(drawn.plays, drawn.name, drawn.cards)


def _search(
    request: DeckRequest,
    runner: "Runner",
    seed: int,
    name: str | None,
    output: Path | None,
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Search for decks, and write or show each of them."""
    files: Sequence[Path | None] = [None] * request.count if output is None else _deck_files(output, request.count)
    for path in filter(None, files):
        check_free(path, DECK, force=force)
    with progress(f"Searching for {counted(request.count, 'deck')}") as report:
        search = services.deck_search.search_decks
        found = list(search(request, seed, runner=runner, waiting=waiting, progress=report, tell=remark))
    for number, (deck, file) in enumerate(zip(found, files, strict=True), start=1):
        title = name or f"{request.kind.capitalize()} deck {seed}"
        drawn = Deck(f"{title}-{number}" if request.count > 1 else title, deck.cards, seed, request.game)
        if file is not None:
            from ccgrid.catalog.deck_writing import deck_toml

            write_atomically(file, deck_toml(drawn))
        view.decks.warn_of_dead(request.game, drawn.cards)
        if as_json:
            show_json(deck.answer(drawn, explained=request.explain))
            continue
        if file is None:
            view.decks.show_found(request.game, drawn.name, drawn.cards, deck.promise)
        else:
            tell_written(file, f". To see it: ccgrid deck show {shell_word(file)}")
            show(*deck.promise)
        if request.explain:
            view.decks.show_explanation(deck.explanation, deck.cards, deck.meets)


def _deck_files(output: Path, count: int) -> list[Path]:
    """Return the files of several decks: `deck.toml` becomes `deck-1.toml`, `deck-2.toml` …."""
    if count == 1:
        return [output]
    return [output.with_name(f"{output.stem}-{number}{output.suffix}") for number in range(1, count + 1)]


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
    choices = services.choices.Choices(terminal.choosing.interactive_chooser(as_json=as_json))
    with progress("Playing") as report:
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
    terminal.choosing.show_choices(choices)
    if as_json:
        show_json(rating)
    else:
        view.decks.show_rating(rating)
    end_interrupted(rating.interrupted)
