"""Games at one keyboard: prompts, commands, hidden hands, the coach, and what to do at the end."""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, MalformedMoveError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.analysis import analyze_move
from ccgrid.engine.records.record import Ply
from ccgrid.services.files import check_free
from ccgrid.services.match_session import MatchSession
from ccgrid.services.output_kinds import RECORD
from ccgrid.services.progress import count_game
from ccgrid.services.records import check_free_for
from ccgrid.services.reviews import review_game
from ccgrid.services.saved_games import LAST, SavedGame, delete_same_game
from ccgrid.services.session import LONGEST_LINE, Session
from ccgrid.view.games import (
    Window,
    alternate_screen,
    clear,
    show_moves,
    show_position,
    show_rules_in_short,
    turn_lines,
)
from ccgrid.view.insight import blunder_line, hint_line, show_review
from ccgrid.view.output import progress, remark, show
from ccgrid.view.pictures import player_name
from ccgrid.view.reports import rating_line, show_end, show_match
from ccgrid.view.streams import can_ask, input_line
from ccgrid.view.text import third_person

_ALL: Final = 2.5
_ONE: Final = 0.2
"""Maximum seconds of analysis per move after a game; `_ALL` is about the total."""

_LIVE: Final = 0.4
"""Seconds for which the coach thinks about a move."""


def coach(session: Session, before: State, move: str) -> str:
    """Return the coach's comment on a move, or "" if it loses little."""
    session.is_helped = True
    analysed = analyze_move(before, move, _LIVE, Dice(len(session.moves)))
    return blunder_line(analysed, before) if analysed.mark else ""


def after_game(session: Session) -> None:
    """Show the analysis of a game that a person played at a terminal, and update the ratings; an interrupt skips it."""
    if not can_ask() or len(session.computers) == len(session.setup.players) or not session.moves:
        return
    try:
        with progress("Looking at the game") as report:
            found = review_game(session.record(), min(_ONE, _ALL / len(session.moves)), report)
        show_review(found)
    except KeyboardInterrupt:
        show("")
    except EngineError as error:
        remark(str(error))
    try:
        for player, (old, new) in count_game(session).items():
            show(rating_line(player, session.setup.game, old, new))
    except CatalogError as error:
        remark(str(error))


HELP: Final = """Type a move as in the list, or its number. You can also type:
  moves       list the legal moves again
  board       draw the board again
  hint        a good move, and how much better it is than the next
  news        what happened since your last turn
  undo        undo your last move and all after it
  save FILE   save the game so far
  rules       the rules in short
  resign      give up the game
  quit        stop; you can continue later"""

_ANY_TIME: Final = ("help", "?", "quit", "exit", "q", "rules", "save")
"""Commands that are also valid while the keyboard is handed over, because they show no cards."""


class PlayerQuit(Exception):  # noqa: N818  not an error
    """Raised if a player quits or the input ends; the game stays unfinished."""


@dataclass(frozen=True, slots=True)
class Prompter:
    """The functions with which a game interacts with its players.

    Attributes:
        ask: prompts the player to move for a line; raises PlayerQuit.
        say: prints a message.
        board: shows the position as the player to move sees it.
        moves: shows the legal moves; True shows all, False a list that fits the screen.
        show_plies: describes the given moves of other players.
        rules: shows the rules in short.
        cover: clears the screen for the next player, and describes the given moves of other players.
        ready: prompts the player to move while no cards are on the screen; raises PlayerQuit.
        uncover: clears the screen for the position.
        resized: returns whether the window was resized since the position was shown.
        coach: returns a comment on a move, given the position before it, or "".
    """

    ask: Callable[[Session], str]
    say: Callable[[str], None]
    board: Callable[[Session], None]
    moves: Callable[[Session, bool], None]
    show_plies: Callable[[Session, list[Ply]], None]
    rules: Callable[[Session], None]
    cover: Callable[[Session, list[Ply]], None]
    ready: Callable[[Session], str]
    uncover: Callable[[], None]
    resized: Callable[[], bool] = lambda: False
    coach: Callable[[Session, State, str], str] = lambda session, before, move: ""


def sit_down(session: Session, prompter: Prompter, save_to: Path | None) -> None:
    """Play a game until it ends or a player resigns.

    If hands are hidden, the keyboard is handed over between players, and each sees the moves since the own last turn.
    Otherwise the moves of computer players are shown at once.

    Raises:
        PlayerQuit: If a player quits.
    """
    secret = session.is_secret
    seated: int | None = None
    shown: State | None = None
    while not session.is_over:
        if not session.is_person:
            plies = session.advance()
            if plies and not secret:
                prompter.show_plies(session, plies)
            continue
        seat = session.state.to_move
        if secret and seat != seated:
            if not _hand_over(session, prompter, save_to):
                seated = None
                continue
            seated, shown = seat, None
        if shown is not session.state:  # positions are immutable, so the same object has the same picture
            shown = session.state
            prompter.board(session)
            prompter.moves(session, False)
        line = prompter.ask(session).strip()
        if not line and prompter.resized():
            shown = None  # an empty line redraws the board for the resized window
        if line:
            try:
                run_command(session, prompter, line, save_to)
            except MalformedMoveError as error:
                prompter.say(f"{error}. Type help for a list of commands.")
            except (EngineError, CatalogError) as error:
                prompter.say(str(error))


def _hand_over(session: Session, prompter: Prompter, save_to: Path | None) -> bool:
    """Hand the keyboard to the player to move; return False if the previous player undoes a move instead."""
    prompter.cover(session, session.news())
    while True:
        line = prompter.ready(session).strip()
        command = line.partition(" ")[0].lower()
        try:
            if command == "undo":
                session.undo()
                return False
            if not line:
                prompter.uncover()
                return True
            if command in _ANY_TIME:
                run_command(session, prompter, line, save_to)
            else:
                prompter.say("Press Enter alone to see your cards.")
        except (EngineError, CatalogError) as error:
            prompter.say(str(error))


def run_command(session: Session, prompter: Prompter, line: str, save_to: Path | None) -> None:
    """Run a typed command or move; raise EngineError if it is not valid."""
    seat = session.state.to_move
    if (
        len(line) > LONGEST_LINE or line in session.state.legal_moves()
    ):  # a move, even if a card has the name of a command
        _submit(session, prompter, seat, line)
        return
    command, _, rest = line.partition(" ")
    match command.lower():
        case "help" | "?":
            prompter.say(HELP)
        case "quit" | "exit" | "q":
            raise PlayerQuit
        case "moves":
            prompter.moves(session, True)
        case "board":
            prompter.board(session)
        case "rules":
            prompter.rules(session)
        case "news":
            prompter.show_plies(session, session.news())
        case "undo":
            taken = session.undo(seat if session.is_secret else None)
            prompter.say(f"Undid {counted(taken, 'move')}.")
        case "hint":
            prompter.say(hint_line(session.hint(), session.state.view(seat)))
        case "resign":
            session.resign(seat)
        case "save":
            text = rest.strip()
            force, text = text.endswith(" --force"), text.removesuffix(" --force").strip()
            path = _path(text) if text else save_to
            if path is None:
                raise EngineError("Name a file: save game.toml")
            if path != save_to:
                check_free_for(path, session.record(), force=force)
            session.save(path)
            prompter.say(f"Saved to {path}")
        case _:
            _submit(session, prompter, seat, line)


def _submit(session: Session, prompter: Prompter, seat: int, line: str) -> None:
    before, number = session.state, len(session.moves)
    session.submit(seat, line)
    if comment := prompter.coach(session, before, session.moves[number]):
        prompter.say(comment)


def _path(text: str) -> Path:
    """Return the typed path with `~` expanded."""
    try:
        return Path(text).expanduser()
    except RuntimeError:  # `~name`: no such user
        return Path(text)


def terminal_prompter(*, has_coach: bool = False) -> Prompter:
    """Return a prompter for the terminal, with line editing."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import_module("readline")  # importing it enables line editing

    window = Window()
    return Prompter(
        ask=lambda session: read_line(f"{player_name(session.player)}> "),
        say=show,
        board=lambda session: _show_board(session, window),
        moves=_show_moves,
        show_plies=_show_plies,
        rules=lambda session: show_rules_in_short(session.setup.game),
        cover=_cover,
        ready=lambda session: read_line("Press Enter to continue> "),
        uncover=clear,
        resized=window.is_resized,
        **({"coach": coach} if has_coach else {}),
    )


def read_line(prompt: str) -> str:
    """Prompt for a line and return it; raise PlayerQuit if the input ends."""
    try:
        return input_line(prompt)
    except (EOFError, KeyboardInterrupt):
        show("")  # end the line of the prompt
        raise PlayerQuit from None


def _show_board(session: Session, window: Window) -> None:
    window.remember_size()
    show("")
    seat = session.state.to_move
    show_position(session.setup.game, session.state.view(seat), session.last_move, seat)


def _show_moves(session: Session, whole: bool) -> None:
    view = session.state.view(session.state.to_move)
    show_moves(session.setup.game, view, find_game(view.game).move_menu(session.state), whole=whole)


def _show_plies(session: Session, plies: list[Ply]) -> None:
    show(*(turn_lines(session.setup.game, plies) or ["No other player has moved yet."]))


def _cover(session: Session, plies: list[Ply]) -> None:
    clear()
    show(f"{player_name(session.player)}, it is your turn. Press Enter when nobody else can see the screen.")
    if plies:
        show("", "Since your last turn:", *turn_lines(session.setup.game, plies))
    show("", "To undo the last move, type undo." if session.last_decision() is not None else "")


def save_anywhere(save: Callable[[Path], object], file: Path, text: Callable[[], str], *, asks: bool) -> Path | None:
    """Save a game in its file or, if that fails, in another file that the user names, or else print it.

    Args:
        save: writes the game to a file.
        file: the file.
        text: returns the content of the file.
        asks: whether a user can be asked for another file.

    Returns:
        The file, or None if the game was printed.
    """
    path = file
    while True:
        try:
            save(path)
        except (EngineError, CatalogError, OSError) as error:
            remark(f"Not saved: {error}")
        else:
            return path
        other = _other_file() if asks else None
        if other is None:
            remark("Here is the game; copy it into a file:")
            show(text().rstrip("\n"))
            return None
        path = other


def _other_file() -> Path | None:
    """Ask for a file that does not exist yet; return None if the user names none."""
    while True:
        try:
            line = read_line("Another file (Enter prints the game)> ").strip()
            if not line:
                return None
            path = Path(line).expanduser()
            check_free(path, RECORD, force=False)
        except (PlayerQuit, KeyboardInterrupt):
            return None
        except (CatalogError, OSError, RuntimeError) as error:
            remark(str(error))
        else:
            return path


Sit = Callable[[Session, Prompter, Path | None], None]
"""A function that plays a game with its players, or raises PlayerQuit; the file is the default of `save`."""


def play_game(
    session: Session, record: Path | None, saved_game: SavedGame, sit: Sit = sit_down, *, has_coach: bool = False
) -> bool:
    """Play a game to its end and save it; it is also stored after every move. `sit` plays the game.

    Returns:
        False if a player quits.
    """
    session.on_change, again = saved_game.save, "play" if sit is sit_down else "table"
    try:
        stays = _sit(session, record, sit, has_coach=has_coach)
    except SystemExit:  # a signal asks the process to end
        with suppress(OSError):  # the terminal may be gone
            _leave(session, record, saved_game, again)
        raise
    if not stays:
        _leave(session, record, saved_game, again)
        return False
    _show_end(session)
    saved = None
    if record is not None:
        is_watched = len(session.computers) < len(session.setup.players)
        saved = save_anywhere(session.save, record, lambda: session.record().to_toml(), asks=is_watched)
    if saved is not None:
        _say_saved(saved)
    saved_game.finish(saved=saved is not None)
    delete_same_game(session.record())
    if sit is sit_down:
        after_game(session)
    return True


def play_match(match: MatchSession, record: Path | None, saved_game: SavedGame, *, has_coach: bool = False) -> bool:
    """Play a match to its end; its games are stored after every move, and written to the file after every game.

    Returns:
        False if a player quits.
    """
    try:
        return _play_games(match, record, saved_game, has_coach=has_coach)
    except SystemExit:
        with suppress(OSError):
            _leave_match(match, record, saved_game)
        raise


def _play_games(match: MatchSession, record: Path | None, saved_game: SavedGame, *, has_coach: bool) -> bool:
    while True:
        show("", f"Game {match.number} of {_length(match)}.")
        session = match.session
        session.on_change = lambda _: saved_game.save_match(match)
        if not _sit(session, None, has_coach=has_coach):
            _leave_match(match, record, saved_game)
            return False
        outcome = match.end_game()
        _show_end(session)
        after_game(session)
        if record is not None:
            record = save_anywhere(match.write, record, lambda: match.match.to_json_lines(), asks=match.has_people)
        players = match.match.players
        if outcome is not None:
            show("", "The match:")
            show_end(players, outcome, "match")
            if record is not None:
                _say_saved(record)
            saved_game.finish(saved=record is not None)
            return True
        show_match(players, match.match.scores(), adds_points=match.match.adds_points)
        if match.has_people:
            try:
                read_line("Press Enter for the next game> ")
            except PlayerQuit:
                _leave_match(match, record, saved_game)
                return False
        match.next_game()


def _length(match: MatchSession) -> str:
    plan = match.match
    return f"{plan.length}" if plan.adds_points else f"at most {plan.length}"


def _sit(session: Session, record: Path | None, sit: Sit = sit_down, *, has_coach: bool = False) -> bool:
    """Play a game; return False if a player quits."""
    show("Type help for a list of commands.")
    try:
        with alternate_screen(session.is_secret):
            sit(session, terminal_prompter(has_coach=has_coach), record)
    except (PlayerQuit, KeyboardInterrupt):
        return False
    return True


def _leave(session: Session, record: Path | None, saved_game: SavedGame, again: str) -> None:
    if record is not None and not session.moves:
        remark(f"No move was made, so {record} is not written.")
    saved_game.save(session)  # the last save may have been interrupted
    if session.moves and record is not None:
        save_anywhere(session.save, record, lambda: session.record().to_toml(), asks=False)
    if session.saved_to is not None:
        remark(f"The game is not over. To continue: ccgrid {again} --load {shell_word(session.saved_to)}")
    elif saved_game.is_saved:
        remark(f"The game is not over. To continue: ccgrid {again} --load {LAST}")
    else:
        remark("The game is not over, and not saved.")


def _leave_match(match: MatchSession, record: Path | None, saved_game: SavedGame) -> None:
    saved_game.save_match(match)
    if record is not None:
        record = save_anywhere(match.write, record, lambda: match.match.to_json_lines(), asks=False)
    saved_game.leave()
    where = f" Its games are in {record}." if record is not None and record.exists() else ""
    if record is not None and not where:
        remark(f"No move was made, so {record} is not written.")
    goes_on = f" To continue: ccgrid play --load {LAST}" if saved_game.is_saved else ""
    remark(f"The match is not over.{where}{goes_on}")


def _say_saved(record: Path) -> None:
    show(f"Saved to {record}. Check it with: ccgrid score {shell_word(record)}")


def _show_end(session: Session) -> None:
    if session.is_secret and session.resigned is None:
        show("", *turn_lines(session.setup.game, session.last_plies()))
    show("")
    show_position(session.setup.game, session.state, session.last_move)
    outcome = session.state.outcome()
    if outcome is None:
        name = player_name(session.resigned or session.player)
        show(
            "",
            f"{third_person(name, 'loses')}: {session.forfeit}."
            if session.forfeit
            else f"{third_person(name, 'resigns')}.",
        )
        return
    show_end(session.state.players, outcome)
