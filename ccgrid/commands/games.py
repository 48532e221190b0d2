"""Commands to play: at the keyboard, or a thousand games between computer players; and the rules."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ccgrid.commands.options import Database, Games, Json, Seed

if TYPE_CHECKING:
    from ccgrid.table import Table, Voice
    from engine.game import State
    from engine.players import Player

app = typer.Typer()

_PLAYERS = "You,greedy"

GameName = Annotated[str, typer.Argument(help="Which game: grid.")]
DeckFile = Annotated[
    Path | None, typer.Option("--deck", help="Play with this deck, not a random one.", show_default=False)
]


def _seed(given: int | None) -> int:
    import secrets

    return secrets.randbelow(1 << 31) if given is None else given


def _names(text: str) -> list[str]:
    """The players in `Ann,greedy`; two computer players of one policy get numbers behind their names."""
    return [name.strip() for name in text.split(",")]


@app.command()
def play(
    game: GameName = "grid",
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            help="Names in seat order, by default You,greedy; random and greedy are computers.",
            show_default=False,
        ),
    ] = None,
    deck: DeckFile = None,
    card_game: Games = None,
    seed: Seed = None,
    record: Annotated[
        Path | None, typer.Option("--record", "-o", help="Save the game here when it ends.", show_default=False)
    ] = None,
    load: Annotated[
        Path | None, typer.Option("--load", help="Go on with the game in this record.", show_default=False)
    ] = None,
    database: Database = None,
) -> None:
    """Play at this keyboard, against other people or the computer.

    Example: ccgrid play grid --players Ann,Bob --record game.toml
    """
    from ccgrid.table import LeftTable, sit_down
    from ccgrid.view.output import show

    if record is not None:
        _check_folder(record)
    if load is None:
        table = _dealt(game, players or _PLAYERS, deck, card_game, seed, database)
    elif players or deck or card_game:
        raise typer.BadParameter("the record has its players and cards: leave --players, --deck and --game out")
    else:
        table = _taken_up(load, _seed(seed), database)
    show("Type help to see what can be typed.")
    try:
        sit_down(table, _voice(), record)
    except (LeftTable, KeyboardInterrupt):
        _leave(table, record)
        return
    _show_end(table)
    if record is not None:
        table.save(record)
        show(f"Saved to {record}. Check it with: ccgrid score {_as_argument(record)}")


def _check_folder(record: Path) -> None:
    """Refuse, before anybody plays, a place where the game cannot be saved."""
    import os

    from catalog.card import CatalogError

    if record.is_dir():
        raise CatalogError(f"{record} is a folder: name a file to save the game in.")
    if not os.access(record.parent, os.W_OK):
        raise CatalogError(f"{record.parent} is not a folder in which the game can be saved: name another.")


def _as_argument(path: Path) -> str:
    """A path as it must be typed."""
    import shlex

    return shlex.quote(str(path))


def _computers(names: list[str]) -> "dict[int, Player]":
    from engine.players import PLAYERS

    policies = {player.name: player for player in PLAYERS}
    return {seat: policies[name] for seat, name in enumerate(names) if name in policies}


def _dealt(
    game: str, players: str, deck: Path | None, card_games: list[str] | None, seed: int | None, database: Path | None
) -> "Table":
    """A table with fresh cards."""
    from datetime import date
    from random import Random

    from ccgrid.dealing import deck_source
    from ccgrid.table import Table
    from engine.games import find_game
    from engine.record import Record

    rules = find_game(game)
    names = _names(players)
    computers = _computers(names)
    used = _seed(seed)
    rng = Random(used)
    decks = deck_source(game, len(names), deck, card_games or (), database)(rng)
    labels = [f"{name}-{seat + 1}" if names.count(name) > 1 else name for seat, name in enumerate(names)]
    setup = rules.deal(labels, decks, rng)
    return Table(Record(setup, date=date.today(), seed=used), computers, rng)


def _taken_up(load: Path, seed: int, database: Path | None) -> "Table":
    """A table at which a recorded game goes on; seats named like a policy, or with its number, are the computer's."""
    from random import Random

    from ccgrid.commands.records import read_valid
    from ccgrid.table import take_up

    record = read_valid(load, database)
    return take_up(record, _computers([_policy(name) for name in record.setup.players]), Random(seed))


def _policy(name: str) -> str:
    """The policy that a seat's name stands for: `greedy-2` for greedy, any other for itself."""
    policy, _, number = name.rpartition("-")
    return policy if policy and number.isdecimal() else name


def _leave(table: "Table", record: Path | None) -> None:
    from ccgrid.view.output import remark

    if table.moves and record is not None:
        table.save(record)
    if table.saved_to is None:
        remark("The game is not over, and not saved.")
    else:
        remark(f"The game is not over. Go on with: ccgrid play --load {_as_argument(table.saved_to)}")


def _voice() -> "Voice":
    """Speaks through the terminal."""
    from ccgrid.table import LeftTable, Voice
    from ccgrid.view.games import describe_move, draw_state, player_name, show_moves, standing
    from ccgrid.view.output import show
    from ccgrid.view.rules import show_rules

    if sys.stdin.isatty():
        import contextlib

        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  line editing at the prompt

    def ask(table: "Table") -> str:
        try:
            return input(f"{player_name(table.player)}> ")
        except (EOFError, KeyboardInterrupt):
            print()  # the prompt's line has no end
            raise LeftTable from None

    def board(table: "Table") -> None:
        show("", draw_state(table.setup.game, table.state.view(table.state.to_move), table.last_move))
        show(standing(table.state))

    def played(table: "Table", before: "State", move: str) -> None:
        who = player_name(before.players[before.to_move])
        show(f"{who} plays {move}: {describe_move(table.setup.game, before, move)}")

    return Voice(
        ask=ask,
        say=show,
        played=played,
        board=board,
        moves=lambda table: show_moves(table.setup.game, table.state, table.state.legal_moves()),
        rules=lambda table: show_rules(table.setup.game),
    )


def _show_end(table: "Table") -> None:
    from ccgrid.view.games import draw_state, player_name, standing
    from ccgrid.view.output import show
    from ccgrid.view.scores import show_end

    show("", draw_state(table.setup.game, table.state, table.last_move))
    outcome = table.state.outcome()
    if outcome is None:
        show(standing(table.state), "", f"{player_name(table.resigned or table.player)} resigns.")
        return
    show_end(table.state.players, outcome)


@app.command()
def simulate(
    game: GameName = "grid",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 1000,
    players: Annotated[str, typer.Option("--players", help="Policies in seat order, such as random,greedy.")] = (
        "random,random"
    ),
    deck: DeckFile = None,
    card_game: Games = None,
    seed: Seed = None,
    records: Annotated[
        Path | None, typer.Option("--records", help="Write every game to this file, a line each.", show_default=False)
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Cores to use; all by default.", show_default=False)
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Let computer players play many games, and count.

    Example: ccgrid simulate grid --games 1000 --players random,greedy
    """
    from ccgrid.dealing import deck_source
    from ccgrid.view.output import progress, show_json
    from ccgrid.view.scores import show_simulation
    from engine.games import find_game
    from engine.simulation import Match
    from engine.simulation import simulate as run

    policies = tuple(_names(players))
    rules = find_game(game)
    source = deck_source(rules.name, len(policies), deck, card_game or (), database)
    done = 0
    with progress(f"Playing {rules.title}") as report, _lines_into(records) as write:

        def more(count: int) -> None:
            nonlocal done
            done += count
            report(done, games)

        match = Match(rules.name, policies, source, _seed(seed))
        summary = run(match, games, workers=workers, write=write, progress=more).to_json()
    if as_json:
        show_json(summary)
        return
    show_simulation(summary)


@contextmanager
def _lines_into(path: Path | None) -> "Iterator[Callable[[str], object] | None]":
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
