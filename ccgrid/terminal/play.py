"""Complete sessions of play at a terminal: new, unfinished and recorded games, rematches, and the demo."""

import sys
from collections.abc import Callable
from pathlib import Path

from ccgrid import services
from ccgrid.catalog.errors import CatalogError, UsageError
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import RecordError
from ccgrid.engine.games import find_game
from ccgrid.engine.options import RULES
from ccgrid.engine.players import prepare
from ccgrid.engine.records.files import read_games
from ccgrid.engine.records.record import Record
from ccgrid.services.choices import Choices
from ccgrid.services.demonstration import DEMO_DECK, DEMO_GAME, DEMO_RECORD, demonstration, next_steps
from ccgrid.services.files import is_file
from ccgrid.services.match_session import MatchSession
from ccgrid.services.real_records import is_refereed
from ccgrid.services.records import check_holds_match, read_unfinished
from ccgrid.services.rematch import Rematch, rematch
from ccgrid.services.requests import GameRequest
from ccgrid.services.saved_games import LAST, SavedGame, description, last_saved, records_of, resume, saved_with_record
from ccgrid.services.seats import near_policy
from ccgrid.services.session import Session
from ccgrid.services.tables import open_table, reopen
from ccgrid.terminal.checks import report_record_error, report_resignation
from ccgrid.terminal.choosing import interactive_chooser, show_choices
from ccgrid.terminal.confirming import agrees
from ccgrid.terminal.keyboard import PlayerQuit, play_game, play_match, read_line
from ccgrid.terminal.referee import referee_game
from ccgrid.view.card import show_card
from ccgrid.view.decks import show_deck_cards, warn_of_dull
from ccgrid.view.games import describe_move, draw_state, score_line
from ccgrid.view.output import remark, show
from ccgrid.view.pictures import player_name
from ccgrid.view.reports import show_score
from ccgrid.view.streams import can_ask, input_line
from ccgrid.view.text import third_person


def play_on(
    first: Session | MatchSession,
    record: Path | None,
    saved_game: SavedGame,
    seed: int,
    failed: Callable[[str], object],
    *,
    has_coach: bool = False,
) -> None:
    """Play a game or a match, and rematches for as long as the users at a terminal want to.

    Each game has its own file: `game-2.toml` follows `game.toml`.
    """
    play, number = first, 1
    while _play(play, record, saved_game, has_coach=has_coach):
        number += 1
        again = rematch(play, Dice(seed).fork(number).seed) if _has_people(play) else None
        if again is None or not _ask_for_rematch(again):
            return
        play = again.play
        record = None if record is None else next_file(record)
        if record is not None:
            remark(f"The game will be saved to {record}.")
        saved_game = SavedGame.begin(again.dealer.game, failed)
        if isinstance(play, MatchSession):
            saved_game.save_plan(play, again.dealer, record)


def _play(play: Session | MatchSession, record: Path | None, saved_game: SavedGame, *, has_coach: bool) -> bool:
    session = play.session if isinstance(play, MatchSession) else play
    prepare(session.computers.values(), session.setup.game, remark)
    if isinstance(play, MatchSession):
        return play_match(play, record, saved_game, has_coach=has_coach)
    return play_game(play, record, saved_game, has_coach=has_coach)


def _has_people(play: Session | MatchSession) -> bool:
    """Return whether a person plays and can answer a question."""
    table = play.session if isinstance(play, MatchSession) else play
    return can_ask() and len(table.computers) < len(table.setup.players)


def _ask_for_rematch(again: Rematch) -> bool:
    what = "match" if isinstance(again.play, MatchSession) else "game"
    decks = " with the same decks" if again.dealer.decks else ""
    starts = "" if again.starts is None else f" {third_person(player_name(again.starts), 'starts')}."
    show("", f"Another {what}{decks}?{starts} Type y to play.")
    try:
        return read_line("Again> ").strip().lower() in ("y", "yes")
    except PlayerQuit:
        return False


def next_file(path: Path) -> Path:
    """Return the file of the next game: `game-2.toml` after `game.toml`, or the next free number; a device stays.

    >>> next_file(Path("no-such-folder/game-2.toml")).name
    'game-3.toml'
    """
    if path.exists() and not is_file(path):
        return path
    stem, _, number = path.stem.rpartition("-")
    base, count = (stem, int(number)) if stem and number.isdecimal() and len(number) < 5 else (path.stem, 1)
    while True:
        count += 1
        other = path.with_name(f"{base}-{count}{path.suffix}")
        if not other.exists():
            return other


def ask_for_saved() -> SavedGame | None:
    """Return the unfinished game, if a user at a terminal wants to continue it, else None."""
    if not sys.stdin.isatty():
        return None
    saved_game = last_saved(remark)
    if saved_game is None:
        return None
    try:
        show(f"Unfinished: a {description(saved_game)}.")
        answer = read_line("Continue it? [Y/n] ").strip().lower()
    except PlayerQuit:
        raise CatalogError("No new game was started; the unfinished one is kept.") from None
    except CatalogError as error:  # it is damaged: start a new game instead
        remark(str(error))
        return None
    return None if answer.startswith("n") else saved_game


def intended_player(name: str) -> str:
    """Return a player's name, or that of the computer player that the user meant by it."""
    near = near_policy(name)
    if near is None:
        return name
    if not can_ask():
        remark(f"{name!r} plays as a person. For the computer player, write {near}.")
        return name
    question = f"{name!r} is a person's name. Is the computer player {near} meant? yes or no> "
    return near if agrees(question, f"yes: {near} plays. Anything else: a person called {name} does.") else name


def play_new(request: GameRequest, record: Path | None, seed: int, *, has_coach: bool = False) -> None:
    """Play a requested game or match, and write it to `record` if that is given.

    Raises:
        CatalogError: If the request is contradictory, a deck is not legal, or the file cannot hold a match.
        EngineError: If the game or a player is not valid.
    """
    if record is not None and request.is_match:
        check_holds_match(record)
    table = open_table(request, seed, remark, interactive_chooser())
    for player, title in table.factions.items():
        show(f"{player_name(player)}: {title}")
    for deck in table.dealer.decks[:1]:
        if request.decks:
            warn_of_dull(request.game, deck)
        else:
            warn_of_dull(request.game, deck, lambda: services.deck_search.lively_command(request.drawn))
    if sys.stdin.isatty() and not request.options:
        for named in find_game(request.game).named_rules:
            remark(named.advice(f"--option {RULES}={named.name}"))
    saved_game = SavedGame.begin(find_game(request.game).name, remark)
    if isinstance(table.play, MatchSession):
        saved_game.save_plan(table.play, table.dealer, record)
    play_on(table.play, record, saved_game, seed, remark, has_coach=has_coach)


def play_unfinished(record: Path | None, seed: int, *, has_coach: bool = False) -> bool:
    """Continue the unfinished game, if there is one and the user wants to; return whether it was continued."""
    if (saved_game := ask_for_saved()) is None:
        return False
    _take_up(saved_game, record, seed, has_coach=has_coach)
    return True


def play_recorded(
    load: Path, record: Path | None, seed: int, database: Path | None, *, game: str = "", has_coach: bool = False
) -> int:
    """Continue a recorded or the unfinished game; return the exit status, which reports an invalid record.

    Raises:
        CatalogError: If there is no unfinished game.
        UsageError: If it is not of this game.
    """
    saved_game = last_saved(remark) if str(load) == LAST and not load.exists() else saved_with_record(load, remark)
    if saved_game is not None:
        _check_game(load, records_of(saved_game)[-1], game)
        _take_up(saved_game, record, seed, has_coach=has_coach)
        return 0
    if str(load) == LAST and not load.exists():
        raise CatalogError("There is no unfinished game. To start one: ccgrid play")
    try:
        loaded = read_unfinished(load, database, choices := Choices(interactive_chooser()), is_refereed)
    except RecordError as error:
        return report_record_error(str(load), error)
    show_choices(choices)
    _check_game(load, loaded, game)
    report_resignation(loaded)
    new = SavedGame.begin(loaded.setup.game, remark)
    if is_refereed(loaded):
        referee_game(loaded, record, new)
    else:
        play_on(reopen(loaded, seed), record, new, seed, remark, has_coach=has_coach)
    return 0


def _check_game(load: Path, record: Record, game: str) -> None:
    """Raise UsageError if a record is not of this game; "" stands for any."""
    if game and record.setup.game != game:
        raise UsageError(f"{load} is a game of {record.setup.game}, not of {game}. Leave {game} out.")


def _take_up(saved_game: SavedGame, record: Path | None, seed: int, *, has_coach: bool) -> None:
    """Continue a stored game or match."""
    if is_refereed(last := records_of(saved_game)[-1]):
        referee_game(last, record, saved_game)
        return
    play = resume(saved_game, seed)
    is_match = isinstance(play, MatchSession)
    play_on(play, record or (saved_game.record if is_match else None), saved_game, seed, remark, has_coach=has_coach)


def _turn_page() -> None:
    """Wait for Enter at a terminal, one screen at a time."""
    if can_ask():
        input_line("Press Enter to continue> ")


def show_demo(seed: int, folder: Path, *, is_saved: bool) -> None:
    """Show the demonstration; its deck and game are written to a folder, which is temporary unless `is_saved`."""
    demo = demonstration(seed)
    stats, table = demo.stats, demo.session
    show(
        f"1. {stats.cards:,} cards come with ccgrid, {stats.legal:,} of them legal. This is one of them:",
        "",
    )
    show_card(demo.sample, demo.numbers)
    _turn_page()
    show("", f"2. Twenty legal cards, drawn at random (seed {seed}), are a deck. The first eight:", "")
    show_deck_cards(DEMO_GAME, demo.cards[:8])
    demo.write_deck(folder / DEMO_DECK, seed)

    _turn_page()
    show("", "3. Nine are dealt face up. Two computer players, Ann and Bob, take turns:", "")
    show(draw_state(DEMO_GAME, table.state), "")
    _turn_page()
    while not table.is_over:
        for ply in table.advance():
            described = describe_move(DEMO_GAME, ply.state, ply.move)
            show(f"{len(table.moves)}. {ply.player} plays {ply.move}: {described}")
    _turn_page()
    show("", draw_state(DEMO_GAME, table.state, table.last_move), score_line(table.state))
    _turn_page()

    record = folder / DEMO_RECORD
    table.save(record)
    written = f"is written to {record}" if is_saved else "can be written to a file"
    show("", f"4. No moves are left. The game {written}, checked and scored:", "")
    for reading in read_games(record):
        show_score(reading.check()._replace(file=str(record) if is_saved else DEMO_RECORD))
    steps = next_steps(folder if is_saved else None)
    width = max(len(step.command) for step in steps)
    show("", "Now you:", *(f"  {step.command:{width}}  {step.about}" for step in steps))
