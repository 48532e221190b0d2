"""Games in progress, saved in the state folder until they are over."""

import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.documents import DocumentError, Limits, load_json, read_text
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.files import make_folder, remove, rename, write_atomically
from ccgrid.catalog.formatting import counted
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.records.files import read_games
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import Record
from ccgrid.services.match_session import MatchSession
from ccgrid.services.real_records import is_refereed
from ccgrid.services.seats import computer_seats
from ccgrid.services.session import Session
from ccgrid.services.state_folder import state_folder
from ccgrid.services.tables import Dealer, reopen

LAST: Final = "last"
"""The name that stands for the last unfinished game where a record is expected."""


_NAME: Final = re.compile(r"\d{4}-\d\d-\d\d-\d{6}-[a-z0-9_]+-[0-9a-f]{4}\.jsonl")
"""The names of files of games: the time of their beginning, the game, and four digits to distinguish them."""


_FORMAT: Final = 1


_FILE: Final = "file"
"""The note of a stored game that names the file in which the user wants it."""


_LIMITS: Final = Limits(4 << 20, any_characters=True)


_MOST_FINISHED: Final = 100
"""The maximum number of finished games that are kept; older ones are deleted."""


def games_folder() -> Path:
    """Return the folder of games in progress."""
    return state_folder() / "games"


@dataclass(slots=True)
class SavedGame:
    """The file that stores a game, or the games of a match, while it is played.

    Attributes:
        path: The file, with one record per line.
        failed: Called once with a sentence if the file cannot be written; the game continues.
        record: The file in which the user wants the games of a match, or a game with real cards.
    """

    path: Path
    failed: Callable[[str], object] = field(repr=False)
    record: Path | None = None
    _is_failure_reported: bool = False

    @classmethod
    def begin(cls, game: str, failed: Callable[[str], object]) -> "SavedGame":
        """Return a file with a new name; it is created after the first move."""
        name = f"{datetime.now():%Y-%m-%d-%H%M%S}-{game}-{secrets.token_hex(2)}.jsonl"
        return cls(games_folder() / name, failed)

    def save(self, session: Session) -> None:
        """Save the game atomically; before the first move only if it is played with real cards."""
        record = session.record()
        if self.record is not None:
            record = replace(record, notes={**record.notes, _FILE: str(self.record.absolute())})
        if session.moves or session.resigned or is_refereed(record):
            self._write(self.path, record.to_json_line() + "\n")
        else:
            self._try_file_operation(lambda: remove(self.path))

    def save_match(self, match: MatchSession) -> None:
        """Save the games of a match."""
        self._try_file_operation(lambda: match.write(self.path))

    def save_plan(self, match: MatchSession, dealer: Dealer, record: Path | None) -> None:
        """Save how a match is played, so that its next games can be dealt."""
        self.record = record
        plan = {
            "format": _FORMAT,
            "game": match.match.game,
            "players": match.match.players,
            "length": match.match.length,
            "adds_points": match.match.adds_points,
            "same_deal": match.match.same_deal,
            "seed": dealer.seed,
            "options": dealer.options,
            "decks": [[asdict(card) for card in deck] for deck in dealer.decks],
            "record": None if record is None else str(record.absolute()),
        }
        self._write(self._plan, json.dumps(plan, ensure_ascii=True))

    def finish(self, *, saved: bool) -> None:
        """Remove a finished game; move it to the finished games unless it was `saved` elsewhere."""

        def move() -> None:
            remove(self._plan)
            if saved:
                remove(self.path)
            elif self.path.exists():
                finished = self.path.parent / "finished"
                make_folder(finished)
                rename(self.path, finished / self.path.name)
                remove(*sorted(_files_in(finished))[:-_MOST_FINISHED])

        self._try_file_operation(move)

    def leave(self) -> None:
        """Delete the plan of a match without moves."""
        if not self.path.exists():
            self._try_file_operation(lambda: remove(self._plan))

    @property
    def is_saved(self) -> bool:
        """Whether the file exists."""
        return self.path.exists()

    @property
    def _plan(self) -> Path:
        return self.path.with_suffix(".match.json")

    def _write(self, path: Path, text: str) -> None:
        def write() -> None:
            make_folder(path.parent, private=True)
            write_atomically(path, text)

        self._try_file_operation(write)

    def _try_file_operation(self, work: Callable[[], object]) -> None:
        """Run a file operation, and report the first OSError instead of aborting the game."""
        try:
            work()
        except OSError as error:
            if not self._is_failure_reported:
                self._is_failure_reported = True
                self.failed(f"The game cannot be saved in {self.path.parent}: {error.strerror or error}.")


def _files_in(folder: Path) -> list[Path]:
    """Return the files of games in a folder of this program; other files and links are ignored."""
    return [path for path in folder.glob("*.jsonl") if _NAME.fullmatch(path.name) and not path.is_symlink()]


def left_games(failed: Callable[[str], object] = str) -> list[SavedGame]:
    """Return the unfinished games, the last played one at the end."""
    try:
        found = sorted(_files_in(games_folder()), key=lambda path: (path.stat().st_mtime_ns, path.name))
    except OSError:
        return []
    return [SavedGame(path, failed) for path in found]


def last_saved(failed: Callable[[str], object]) -> SavedGame | None:
    """Return the last played unfinished game, or None if there is none."""
    found = left_games(failed)
    return found[-1] if found else None


def saved_with_record(record: Path, failed: Callable[[str], object]) -> SavedGame | None:
    """Return the saved match whose games are also written to this file, or None."""
    for plan in sorted(games_folder().glob("*.match.json"), reverse=True):
        saved = SavedGame(plan.with_name(plan.name.replace(".match.json", ".jsonl")), failed)
        try:
            if saved.is_saved and _read_plan(saved).get("record") == str(record.absolute()):
                return saved
        except CatalogError:
            continue
    return None


def records_of(saved: SavedGame) -> list[Record]:
    """Read the games in the file and the file in which the user wants the game; the last game may be unfinished.

    Raises:
        CatalogError: If the file is damaged.
    """
    try:
        found = [reading.require() for reading in read_games(saved.path)]
    except EngineError as error:
        raise CatalogError(f"{saved.path} cannot be continued: {error}") from None
    for number, record in enumerate(found):
        notes = dict(record.notes)
        if (file := notes.pop(_FILE, None)) is not None:
            saved.record, found[number] = Path(str(file)), replace(record, notes=notes)
    return found


def description(saved: SavedGame) -> str:
    """Return the game, its players and its progress in a few words."""
    records = records_of(saved)
    last = records[-1]
    moves = counted(len(last.moves), "move")
    what = f"match of {last.setup.game}" if saved._plan.exists() else f"game of {last.setup.game}"
    when = f"{datetime.fromtimestamp(saved.path.stat().st_mtime):%Y-%m-%d %H:%M}"
    number = f"game {len(records)}, " if saved._plan.exists() else ""
    return f"{what}, {', '.join(last.setup.players)}: {number}{moves}, left {when}"


def resume(saved: SavedGame, seed: int) -> Session | MatchSession:
    """Return the game or match in a file, to be continued; raise CatalogError if the file is damaged."""
    records = records_of(saved)
    if not saved._plan.exists():
        session = reopen(records[-1], seed)
        session.on_change = saved.save
        return session
    plan = _read_plan(saved)
    try:
        plays = plan["game"], tuple(plan["players"]), int(plan["length"])
        make = Match.by_points if plan["adds_points"] else Match.best_of
        match = make(*plays, same_deal=bool(plan.get("same_deal", False)))
        finished = [record for record in records if record.outcome(record.final()) is not None]
        match = match.add_all(finished)
        decks = [[_card(card) for card in deck] for deck in plan["decks"]]
        own, dealt_from = int(plan["seed"]), computer_seats(match.players)
        dealer = Dealer(match.game, match.players, decks, plan["options"], dealt_from, own, Dice(own))
        unfinished = records[len(finished) :]
        session = reopen(unfinished[-1], seed) if unfinished else dealer.deal(match)
        saved.record = Path(plan["record"]) if plan.get("record") else None
    except (AttributeError, KeyError, TypeError, ValueError, EngineError) as error:
        raise CatalogError(f"{saved.path} cannot be continued: {error}") from None
    return MatchSession(match, session, dealer.deal)


def _read_plan(saved: SavedGame) -> Mapping[str, Any]:
    try:
        with saved._plan.open("rb") as file:
            plan = load_json(read_text(file.read(_LIMITS.size + 1), _LIMITS), _LIMITS)
    except DocumentError as error:
        raise CatalogError(f"{saved._plan} cannot be continued: it {error}.") from None
    except OSError as error:
        raise CatalogError(f"{saved._plan} cannot be continued: {error.strerror or error}.") from None
    if not isinstance(plan, dict) or plan.get("format") != _FORMAT:
        raise CatalogError(f"{saved._plan} cannot be continued: another version of ccgrid wrote it.")
    return plan


def _card(fields: Mapping[str, Any]) -> Card:
    return Card(**{**fields, "face": tuple(fields["face"])})


def delete_same_game(record: Record) -> None:
    """Delete the saved games of which this finished record is a continuation."""
    for path in _single_games():
        try:
            found = [reading.require() for reading in read_games(path)]
        except EngineError:
            continue
        if found and found[-1].setup == record.setup and record.moves[: len(found[-1].moves)] == found[-1].moves:
            remove(path)


def _single_games() -> Sequence[Path]:
    return [path for path in _files_in(games_folder()) if not path.with_suffix(".match.json").exists()]
