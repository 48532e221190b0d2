"""Commands on games as such: thousands of them between computer players; and the rules."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ccgrid.commands.options import (
    BestOf,
    Database,
    Decks,
    Factions,
    GameName,
    Games,
    Json,
    Seed,
    Variants,
    WholeMatch,
    any_seed,
    listed,
)

app = typer.Typer()


@app.command()
def simulate(
    game: GameName = "grid",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games, or matches.")] = 1000,
    players: Annotated[str, typer.Option("--players", help="Policies in seat order, such as random,greedy.")] = (
        "random,random"
    ),
    deck: Decks = None,
    faction: Factions = None,
    card_game: Games = None,
    option: Variants = None,
    best_of: BestOf = None,
    match: WholeMatch = False,
    seed: Seed = None,
    records: Annotated[
        Path | None, typer.Option("--records", help="Write every game to this file, a line each.", show_default=False)
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="Cores to use; all by default, for matches one.", show_default=False),
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Let computer players play many games, and count.

    Example: ccgrid simulate tactics --games 1000 --players random,greedy
    """
    from ccgrid.services.dealing import dealt_with, match_plan
    from ccgrid.view.output import progress, show_json
    from ccgrid.view.scores import show_simulation
    from engine.games import find_game
    from engine.match_simulation import simulate_matches
    from engine.simulation import Lineup
    from engine.simulation import simulate as run

    policies = tuple(listed(players))
    rules = find_game(game)
    source, options = dealt_with(
        rules.name,
        len(policies),
        files=deck or (),
        factions=listed(faction),
        card_games=card_game or (),
        variants=option or (),
        database=database,
    )
    played = Lineup(rules.name, policies, source, any_seed(seed), options)
    plan = match_plan(rules.name, played.players, best_of, whole=match)
    done = 0
    with progress(f"Playing {rules.title}") as report, _lines_into(records) as write:

        def more(count: int) -> None:
            nonlocal done
            done += count
            report(done, games)

        summary: dict[str, Any]
        if plan is None:
            summary = run(played, games, workers=workers, write=write, progress=more).to_dict()
        else:
            summary = simulate_matches(played, plan, games, write=write, progress=more).to_dict()
    if as_json:
        show_json(summary)
        return
    show_simulation(summary)


@contextmanager
def _lines_into(path: Path | None) -> Iterator[Callable[[str], object] | None]:
    """A function that writes a line to a file, which is there when the block ends well; None without a file."""
    if path is None:
        yield None
        return
    from catalog.files import whole_file

    with whole_file(path) as file:
        yield file.write


@app.command()
def rules(game: GameName) -> None:
    """Print the rules of a game as this program plays it.

    Example: ccgrid rules grid
    """
    from ccgrid.view.rules import show_rules
    from engine.games import find_game

    show_rules(find_game(game).name)
