"""Commands that play many games between computer players."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from ccgrid import services, terminal, view
from ccgrid.catalog.files import ending_of
from ccgrid.commands.game_options import Machines, Resume, Workers, complete_players, split_names
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Database, Force, Json, Seed, end_interrupted, seed_or_random
from ccgrid.commands.paths import OUTPUT, is_stream
from ccgrid.commands.play_options import CARDS, MATCH, GameName
from ccgrid.commands.signatures import Fill
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.many.comparison import Sprt
from ccgrid.engine.records.files import JSON_LINES
from ccgrid.services.files import check_ending, check_free
from ccgrid.services.output_kinds import RECORD
from ccgrid.services.requests import GameRequest
from ccgrid.view.output import progress, remark, show_json
from ccgrid.view.streams import flush

app = CommandModule()


def _policies(about: str) -> object:
    """Return the option for computer players, with this help."""
    option = typer.Option("--players", help=about, autocompletion=complete_players, callback=split_names)
    return Annotated[str, option]


AgainstOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--against-option",
        metavar="NAME=VALUE",
        help="Compare house rules: replay the deals of --option with this. Repeatable.",
        show_default=False,
    ),
]
"""The options under which the same deals are replayed."""


@app.command("workers")
def start_workers(
    address: Annotated[str, typer.Argument(help="Address of the scheduler: tcp://host:8786.", show_default=False)],
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Lend this machine's cores to a Dask cluster, until Ctrl-C.

    Other commands use these workers with --cluster ADDRESS. To start a scheduler: dask scheduler. Needs the extra
    'cluster'.

    Example: ccgrid workers tcp://192.168.1.7:8786
    """

    def announce(count: int) -> None:
        if as_json:
            show_json(services.simulations.StartedWorkers(address=address, workers=count))
            flush()  # a program that reads the output needs it before the command ends
        else:
            remark(f"Workers for {address}, until Ctrl-C: {count}.")

    with suppress(KeyboardInterrupt):
        services.simulations.work(address, workers, announce)
    if not as_json:
        remark("Stopped.")


def resumed_seed(given: int | None, resume: Path | None) -> int:
    """Return the given seed, or else that of the games in the file to resume from, or else a random one."""
    found = services.simulations.seed_of_counts(resume)
    return seed_or_random(found if given is None else given)


@app.command()
def simulate(
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Number of games, or matches.")] = 1000,
    *,
    request: Annotated[
        GameRequest,
        Fill(
            {
                "game": (GameName, GAMES.default),
                "players": (_policies("Policies in seat order, such as random,greedy."), "random,random"),
                **CARDS,
                **MATCH,
                "database": Database,
            }
        ),
    ],
    seed: Seed = None,
    records: Annotated[
        Path | None,
        typer.Option(
            "--records",
            "-o",
            **OUTPUT,
            help="Write every game to this file, one per line (with --resume to NAME.part until done).",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    machines: Machines,
    resume: Resume = None,
    as_json: Json = False,
) -> None:
    """Play many games between computer players and count.

    Ctrl-C stops with a summary; with --resume the same command continues.

    'arena' finds out who is better, and 'deck rate' judges one deck.

    Example: ccgrid simulate --games 1000 --players random,greedy
    """
    if records is not None:
        _check_records(records, force=force, goes_on=resume is not None)
    wanted = services.simulations.simulation(
        request, resumed_seed(seed, resume), remark=remark, ask=terminal.choosing.interactive_chooser(as_json=as_json)
    )
    with progress(f"Playing {find_game(request.game).title}", total=games) as report:
        summary = services.simulations.run_simulation(
            wanted,
            games,
            runner=machines.runner(),
            records=records,
            resume=resume,
            force=force,
            progress=report,
            remark=remark,
        )
    if as_json:
        show_json(summary)
    else:
        view.reports.show_simulation(summary)
    end_interrupted(summary.interrupted)


def _check_records(records: Path, *, force: bool, goes_on: bool) -> None:
    """Raise an error for a file that cannot hold many games, or already exists."""
    if is_stream(records) and goes_on:
        raise typer.BadParameter("standard output cannot be continued: name a file", param_hint="--records")
    if ending_of(records) == ".toml":
        raise typer.BadParameter(
            f"{records} holds one game: for many, use a file like {records.stem}.jsonl", param_hint="--records"
        )
    check_ending(records, JSON_LINES, RECORD.value)
    if not goes_on or force:  # otherwise the counts show whether the file belongs to them
        check_free(records, RECORD, force=force)


@app.command()
def arena(
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Number of games for each pair.")] = 2000,
    *,
    request: Annotated[
        GameRequest,
        Fill(
            {
                "game": (GameName, GAMES.default),
                "players": (
                    _policies(
                        "Policies to compare, such as random,greedy; just one when comparing decks, factions or rules."
                    ),
                    "greedy",
                ),
                **CARDS,
                "against": AgainstOptions,
                "database": Database,
            }
        ),
    ],
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Stop once it is clear whether the first is better by ELO1 or by ELO0.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = None,
    machines: Machines,
    resume: Resume = None,
    as_json: Json = False,
) -> None:
    """Find out which player, deck, faction or rule is better.

    Every deal is played twice, with seats swapped or under both rules. Shares have their standard error, Elo a 95 %
    interval.

    'simulate' counts the games of one lineup, and 'deck rate' judges one deck.

    Example: ccgrid arena --players greedy,random --games 400 --seed 1
    """
    with progress(f"Playing {find_game(request.game).title}") as report:
        result = services.simulations.run_arena(
            request,
            games,
            resumed_seed(seed, resume),
            runner=machines.runner(),
            test=None if sprt is None else _test(sprt),
            resume=resume,
            progress=report,
            remark=remark,
        )
    if as_json:
        show_json(result)
    elif isinstance(result, services.simulations.ComparisonResult):
        view.insight.show_comparison(result)
    else:
        view.insight.show_arena(result)
    end_interrupted(result.interrupted)


def _test(text: str) -> Sprt:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter("write two Elos: 0,10", param_hint="--sprt") from None
    return Sprt(low, high)
