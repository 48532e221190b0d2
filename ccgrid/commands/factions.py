"""Commands on factions, the ready-made decks of games."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid import services, view
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.commands.game_options import complete_factions
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Json
from ccgrid.commands.paths import INPUT
from ccgrid.exit_statuses import NOT_VALID
from ccgrid.view.output import OutputColumn, remark, show_json, show_json_lines, show_table
from ccgrid.view.output import show as say

app = CommandModule()


@app.command("list")
def list_factions(as_json: Json = False) -> None:
    """List the bundled factions.

    Example: ccgrid faction list
    """
    factions = services.factions.bundled_factions()
    if as_json:
        show_json_lines(faction.answer() for faction in factions)
        return
    show_table(
        [
            OutputColumn("faction"),
            OutputColumn("game"),
            OutputColumn("title", wrap=True),
            OutputColumn("cards", "right", spare=1),
            OutputColumn("character", wrap=True),
        ],
        [(deck.name, game, deck.title, len(deck.cards), deck.about) for game, deck in factions],
    )
    games = {faction.game for faction in factions}
    game = "GAME" if len(games) > 1 else games.pop()
    say("", f"To see one: ccgrid faction show NAME. To play: ccgrid play {game} --faction NAME,NAME")


@app.command()
def show(
    faction: Annotated[
        str,
        typer.Argument(help="Name of a faction, or your own faction file (.toml).", autocompletion=complete_factions),
    ],
    as_json: Json = False,
) -> None:
    """Show the cards of a faction.

    Example: ccgrid faction show bastion
    """
    game, found = services.factions.find_faction(faction)
    if as_json:
        show_json(found.answer())
        return
    say(f"{found.title} ({found.name})", *filter(None, [found.about]), "")
    view.decks.show_deck_cards(game, found.cards)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(**INPUT, help="A faction file, or the name of a bundled faction.")],
    as_json: Json = False,
) -> None:
    """Check a faction file, and list everything wrong.

    Example: ccgrid faction check elves.toml
    """
    checked = services.factions.check_faction(file)
    if as_json:
        show_json(checked.answer(file))
    elif checked.faction is None:
        say("Not legal:", *(f"  {problem}" for problem in checked.problems))
    else:
        game, deck = checked.faction
        say(f"Legal: {deck.title}, {counted(len(deck.cards), 'card')} for {game}.")
        if rival := checked.larger_rival():
            remark(
                f"The bundled factions have {len(rival.cards)} cards or more, and are likely to win. To measure: "
                f"ccgrid arena {game} --players greedy --faction {shell_word(file)},{rival.name}"
            )
    if checked.faction is None:
        raise typer.Exit(NOT_VALID)
