"""The command that draws decks, or searches for ones that play well."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ccgrid import services, view
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.commands.game_options import (
    GAMES_WITH_DECKS,
    GAMES_WITH_FACTIONS,
    From,
    Machines,
    check_game_name,
    complete_deck_game,
    complete_factions,
    complete_players,
    listed,
)
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Database, Games, Json, Output, Seed, check_name_length, seed_or_random, waiting
from ccgrid.commands.paths import is_stream, tell_written
from ccgrid.commands.signatures import Fill
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.services.files import check_free
from ccgrid.services.output_kinds import DECK
from ccgrid.view.output import progress, remark, show, show_json

if TYPE_CHECKING:
    from ccgrid.catalog.card import Card
    from ccgrid.catalog.decks import Deck
    from ccgrid.engine.many.runner import Runner

app = CommandModule()

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
    "decks": Annotated[
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
    if is_stream(output) and request.decks > 1:
        raise typer.BadParameter(f"standard output takes one deck, not {request.decks}: name a file with -o")
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
    called = name or title or f"Random deck {used}"
    if output is not None:
        _write(output, _deck(called, cards, used, request.game))
    view.decks.warn_of_dead(request.game, cards, lambda: services.deck_search.lively_command(request))
    if as_json:
        from ccgrid.catalog.card_answers import shown_deck

        show_json(shown_deck(_deck(called, cards, used, request.game)))
        return
    if output is not None:
        tell_written(output, f". To see it: ccgrid deck show {shell_word(output)}")
        return
    view.decks.show_deck(request.game, called, cards)


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
    files: Sequence[Path | None] = [None] * request.decks if output is None else _deck_files(output, request.decks)
    for path in filter(None, files):
        check_free(path, DECK, force=force)
    with progress(f"Searching for {counted(request.decks, 'deck')}") as report:
        search = services.deck_search.search_decks
        found = list(search(request, seed, runner=runner, waiting=waiting, progress=report, tell=remark))
    for number, (deck, file) in enumerate(zip(found, files, strict=True), start=1):
        title = name or f"{request.kind.capitalize()} deck {seed}"
        drawn = _deck(f"{title}-{number}" if request.decks > 1 else title, deck.cards, seed, request.game)
        if file is not None:
            _write(file, drawn)
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


def _deck(name: str, cards: "Sequence[Card]", seed: int, game: str) -> "Deck":
    from ccgrid.catalog.decks import Deck

    return Deck(name, tuple(cards), seed, game)


def _write(file: Path, deck: "Deck") -> None:
    from ccgrid.catalog.deck_writing import deck_toml

    write_atomically(file, deck_toml(deck))


def _deck_files(output: Path, count: int) -> list[Path]:
    """Return the files of several decks: `deck.toml` becomes `deck-1.toml`, `deck-2.toml` …."""
    if count == 1:
        return [output]
    return [output.with_name(f"{output.stem}-{number}{output.suffix}") for number in range(1, count + 1)]
