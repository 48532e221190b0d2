"""Commands on factions, the ready-made decks of the tactics game: list them, look at one, check one's own."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid.commands.options import Json

app = typer.Typer()

NOT_VALID = 1


@app.command(name="list")
def list_factions(as_json: Json = False) -> None:
    """List the factions that come with the program.

    Example: ccgrid faction list
    """
    from ccgrid.view.output import Column, show, show_json, show_table
    from engine.games.tactics.factions import bundled_factions

    factions = bundled_factions()
    if as_json:
        for faction in factions:
            about = {"name": faction.name, "title": faction.title, "about": faction.about}
            show_json({**about, "cards": len(faction.cards)})
        return
    show_table(
        [Column("faction"), Column("title", wrap=True), Column("cards", "right"), Column("character", wrap=True)],
        [(faction.name, faction.title, len(faction.cards), faction.about) for faction in factions],
    )
    show("", "Look at one with: ccgrid faction show NAME. Play with: ccgrid play tactics --faction NAME,NAME")


@app.command()
def show(
    faction: Annotated[str, typer.Argument(help="Its name, or a faction file of your own, ending in .toml.")],
    as_json: Json = False,
) -> None:
    """Draw a faction's cards.

    Example: ccgrid faction show bastion
    """
    from ccgrid.services.deck_kinds import faction_called
    from ccgrid.view.decks import show_cards
    from ccgrid.view.output import show as say
    from ccgrid.view.output import show_json
    from engine.games.tactics.cards import side_card_table

    found = faction_called(faction)
    if as_json:
        cards = [side_card_table(card) for card in found.cards]
        show_json({"name": found.name, "title": found.title, "about": found.about, "cards": cards})
        return
    say(f"{found.title} ({found.name})", *filter(None, [found.about]), "")
    show_cards("tactics", found.cards)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A faction file of your own.")],
    as_json: Json = False,
) -> None:
    """Say everything that is wrong with a faction file.

    Example: ccgrid faction check elves.toml
    """
    from ccgrid.view.output import show as say
    from ccgrid.view.output import show_json
    from engine.games.tactics.factions import check_faction, faction_bytes, parse_faction

    data = faction_bytes(file)
    problems = check_faction(data, file.name)
    if as_json:
        show_json({"ok": not problems, "file": str(file), "problems": [problem.to_dict() for problem in problems]})
    elif problems:
        say("Not legal:", *(f"  {problem}" for problem in problems))
    else:
        faction = parse_faction(data, file.name)
        say(f"Legal: {faction.title}, {len(faction.cards)} cards.")
    if problems:
        raise typer.Exit(NOT_VALID)
