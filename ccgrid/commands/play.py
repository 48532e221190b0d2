"""The command to play at the keyboard: one game or a match, against other people or the computer."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ccgrid.commands.options import (
    BestOf,
    Database,
    Decks,
    Factions,
    GameName,
    Games,
    Seed,
    Variants,
    WholeMatch,
    any_seed,
    listed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from catalog.card import Card
    from ccgrid.services.session import Session
    from engine.match import Match
    from engine.players import Player

app = typer.Typer()

_PLAYERS = "You,greedy"


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
    deck: Decks = None,
    faction: Factions = None,
    card_game: Games = None,
    option: Variants = None,
    best_of: BestOf = None,
    match: WholeMatch = False,
    seed: Seed = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", "-o", help="Save the game here when it ends; a match as .jsonl.", show_default=False),
    ] = None,
    load: Annotated[
        Path | None, typer.Option("--load", help="Go on with the game in this record.", show_default=False)
    ] = None,
    database: Database = None,
) -> None:
    """Play at this keyboard, against other people or the computer.

    Example: ccgrid play tactics --players Ann,Bob --record game.toml
    """
    from ccgrid.services.dealing import dealt_with, match_plan

    if record is not None:
        _check_folder(record)
    if load is not None:
        if players or deck or faction or card_game or option or best_of or match:
            raise typer.BadParameter("the record has its players, cards and options: give it alone, or with --record")
        _play_game(_taken_up(load, any_seed(seed), database), record)
        return
    from datetime import date

    from ccgrid.services.session import Session
    from engine.dice import Dice
    from engine.games import find_game
    from engine.record import Record

    rules = find_game(game)
    names = listed(players or _PLAYERS)
    source, options = dealt_with(
        rules.name,
        len(names),
        files=deck or (),
        factions=listed(faction),
        card_games=card_game or (),
        variants=option or (),
        database=database,
    )
    labels = [f"{name}-{seat + 1}" if names.count(name) > 1 else name for seat, name in enumerate(names)]
    plan = match_plan(rules.name, labels, best_of, whole=match)
    if plan is not None:
        _check_lines(record)
    used = any_seed(seed)
    dice = Dice(used)
    decks = source(dice)
    computers = _computers(names)

    def deal(played: "Match | None" = None) -> "Session":
        if played is None:
            setup = rules.deal(labels, decks, dice, options=options)
        else:
            setup = played.deal(decks, dice, options=options)
        return Session(Record(setup, date=date.today(), seed=used), computers, dice)

    first = deal(plan)
    _say_factions(labels, decks)
    if plan is None:
        _play_game(first, record)
    else:
        _play_match(plan, first, deal, record)


def _play_game(table: "Session", record: Path | None) -> None:
    """Plays one game to its end, and saves it."""
    from ccgrid.view.output import show

    if not _sit(table, record):
        _leave(table, record)
        return
    _show_end(table)
    if record is not None:
        table.save(record)
        show(f"Saved to {record}. Check it with: ccgrid score {_as_argument(record)}")


def _play_match(match: "Match", table: "Session", deal: "Callable[[Match], Session]", record: Path | None) -> None:
    """Plays a match to its end; after every game all of its games so far are in the file."""
    from ccgrid.terminal.keyboard import LeftTable
    from ccgrid.terminal.voice import read_line
    from ccgrid.view.output import remark, show
    from ccgrid.view.scores import show_end, show_match

    while True:
        show("", f"Game {len(match.records) + 1} of {_length(match)}.")
        stays = _sit(table, None)
        if not stays or table.resigned is not None:
            _write_match(match, table, record)
            if stays:
                _show_end(table)
            where = "not saved" if record is None else f"in {record}"
            remark(f"The match is not over. Its games are {where}.")
            return
        match = match.add(table.record())
        _write_match(match, None, record)
        _show_end(table)
        outcome = match.outcome()
        if outcome is not None:
            show("", "The match:")
            show_end(match.players, outcome, "match")
            if record is not None:
                show(f"Saved to {record}. Check it with: ccgrid score {_as_argument(record)}")
            return
        show_match(match.players, match.scores(), adds_points=match.adds_points)
        if len(table.computers) < len(match.players):
            try:
                read_line("Enter begins the next game> ")
            except LeftTable:
                remark("The match is not over." + ("" if record is None else f" Its games are in {record}."))
                return
        table = deal(match)


def _length(match: "Match") -> str:
    return f"{match.length}" if match.adds_points else f"at most {match.length}"


def _write_match(match: "Match", unfinished: "Session | None", record: Path | None) -> None:
    """Writes the games of a match, a line each, the last one perhaps unfinished; none where none was begun."""
    from catalog.files import write_whole

    lines = match.to_json_lines()
    if unfinished is not None and unfinished.moves:
        lines += unfinished.record().to_json_line() + "\n"
    if record is not None and lines:
        write_whole(record, lines)


def _sit(table: "Session", record: Path | None) -> bool:
    """Lets people play a game; false where somebody leaves before its end."""
    from ccgrid.terminal.keyboard import LeftTable, sit_down
    from ccgrid.terminal.voice import voice
    from ccgrid.view.output import show
    from ccgrid.view.screen import other_screen

    show("Type help to see what can be typed.")
    try:
        with other_screen(table.is_secret):
            sit_down(table, voice(), record)
    except (LeftTable, KeyboardInterrupt):
        return False
    return True


def _check_folder(record: Path) -> None:
    """Refuse, before anybody plays, a place where the game cannot be saved."""
    import os

    from catalog.card import CatalogError

    if record.is_dir():
        raise CatalogError(f"{record} is a folder: name a file to save the game in.")
    if not os.access(record.parent, os.W_OK):
        raise CatalogError(f"{record.parent} is not a folder in which the game can be saved: name another.")


def _check_lines(record: Path | None) -> None:
    """Refuse, before anybody plays, a file that holds one game only."""
    from catalog.card import CatalogError
    from engine.record_files import JSON_LINES

    if record is not None and record.suffix not in JSON_LINES:
        raise CatalogError(f"{record} would hold one game: save a match in a file like {record.stem}.jsonl.")


def _as_argument(path: Path) -> str:
    """A path as it must be typed."""
    import shlex

    return shlex.quote(str(path))


def _computers(names: "Sequence[str]") -> "dict[int, Player]":
    from engine.players import PLAYERS

    policies = {player.name: player for player in PLAYERS}
    return {seat: policies[name] for seat, name in enumerate(names) if name in policies}


def _taken_up(load: Path, seed: int, database: Path | None) -> "Session":
    """A table at which a recorded game goes on; seats named like a policy, or with its number, are the computer's."""
    from ccgrid.commands.records import read_valid
    from ccgrid.services.session import take_up
    from engine.dice import Dice

    record = read_valid(load, database)
    return take_up(record, _computers([_policy(name) for name in record.setup.players]), Dice(seed))


def _policy(name: str) -> str:
    """The policy that a seat's name stands for: `greedy-2` for greedy, any other for itself."""
    policy, _, number = name.rpartition("-")
    return policy if policy and number.isdecimal() else name


def _say_factions(players: "Sequence[str]", decks: "Sequence[Sequence[Card]]") -> None:
    """Say who plays which of the bundled factions."""
    from ccgrid.view.names import player_name
    from ccgrid.view.output import show
    from engine.games.tactics.factions import bundled_factions

    titles = {faction.cards: faction.title for faction in bundled_factions()}
    for player, deck in zip(players, decks, strict=False):
        if title := titles.get(tuple(deck)):
            show(f"{player_name(player)}: {title}")


def _leave(table: "Session", record: Path | None) -> None:
    from ccgrid.view.output import remark

    if table.moves and record is not None:
        table.save(record)
    if table.saved_to is None:
        remark("The game is not over, and not saved.")
    else:
        remark(f"The game is not over. Go on with: ccgrid play --load {_as_argument(table.saved_to)}")


def _show_end(table: "Session") -> None:
    from ccgrid.view.games import show_position, tell
    from ccgrid.view.names import player_name
    from ccgrid.view.output import show
    from ccgrid.view.scores import show_end

    if table.is_secret and table.resigned is None:
        show("", *tell(table.setup.game, table.last_plies()))
    show("")
    show_position(table.setup.game, table.state, table.last_move)
    outcome = table.state.outcome()
    if outcome is None:
        show("", f"{player_name(table.resigned or table.player)} resigns.")
        return
    show_end(table.state.players, outcome)
