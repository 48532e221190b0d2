"""Tables at which several people play, each with a browser: their seats and their moves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from ccgrid.catalog.card import LONGEST_NAME
from ccgrid.catalog.documents import DocumentError, Limits, load_json, read_text
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.files import remove
from ccgrid.catalog.formatting import sentence
from ccgrid.catalog.joiners import is_visible
from ccgrid.engine.errors import EngineError, MoveError, quoted
from ccgrid.engine.game import State, check_seats
from ccgrid.engine.games import find_game
from ccgrid.engine.players import LEVELS, MEDIUM, ForfeitError, prepare
from ccgrid.engine.records.match import with_players
from ccgrid.engine.records.record import RESIGNED, Record, read_document
from ccgrid.services.real_tables import RealTable, is_real_table, read_real_table, real_table
from ccgrid.services.rematch import rematch
from ccgrid.services.requests import GameRequest
from ccgrid.services.seats import is_computer
from ccgrid.services.session import Session
from ccgrid.services.table_files import TABLE_FORMAT, TableFile, read_won
from ccgrid.services.tables import open_table, reopen

_LIMITS: Final = Limits(16 << 20, any_characters=True)
MOST_TABLES: Final = 100
"""The maximum number of tables; a new one replaces the oldest finished one."""


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A player's request to return to their last decision, and the seats that agreed."""

    seat: int
    agreed: frozenset[int]


@dataclass(slots=True)
class SharedTable(TableFile):
    """A game and the guests at it, who are identified by secret ids.

    Attributes:
        session: The current game, or the last one.
        seats: The guests by seat.
        undo_request: The pending request for undo, or None.
        notice: What a person did besides moves, for all at the table, until the next move; or empty.
    """

    session: Session
    seats: dict[int, str] = field(default_factory=dict)
    undo_request: UndoRequest | None = None
    notice: str = ""

    # --- state -------------------------------------------------------------------------------------------------

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.session.setup.game

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.session.setup.players

    @property
    def playing(self) -> Session:
        """The current game, or the last one."""
        return self.session

    @property
    def _step(self) -> str:
        """The numbers of the game and of its next move."""
        return f"{len(self.games)}.{len(self.session.moves)}"

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat in range(len(self.players)) if seat not in self.session.computers)

    @property
    def free(self) -> tuple[int, ...]:
        """The seats of people that no guest has taken."""
        return tuple(seat for seat in self.people if seat not in self.seats)

    @property
    def can_rename(self) -> bool:
        """Whether a guest can give a seat another name: records and positions have names from the first move on."""
        return not self.session.moves and not self.games and not self.session.is_over

    @property
    def needs_computer(self) -> bool:
        """Whether a computer player is to move."""
        return not self.session.is_over and not self.session.is_person

    def seat_of(self, guest: str) -> int | None:
        """Return the seat of a guest, or None."""
        return next((seat for seat, who in self.seats.items() if who == guest), None)

    def public_view(self) -> State:
        """Return the position without anything that is hidden from some seat."""
        state = self.session.state
        for seat in range(len(self.players)):
            state = state.view(seat)
        return state

    # --- input -------------------------------------------------------------------------------------------------

    def take_seat(self, guest: str, seat: int, name: str = "") -> None:
        """Give a guest a seat, and a name before the first move; "" keeps the name.

        Raises:
            EngineError: If the seat is taken, the guest has another one, or the name cannot be used.
        """
        if seat not in self.people:
            raise EngineError("There is no such seat for a person.")
        if self.seats.get(seat, guest) != guest:
            raise EngineError(f"{self.players[seat]} plays on another device. The others or the host can free it.")
        if self.seat_of(guest) not in (None, seat):
            raise EngineError("You have a seat at this table. Leave it first.")
        if name and self.can_rename:
            self._rename(seat, name)
        self.seats[seat] = guest
        self._note()

    def _rename(self, seat: int, name: str) -> None:
        check_player(name)
        before, setup = self.players[seat], self.session.setup
        if is_computer(name):
            raise EngineError(f"{name!r} is the name of a computer player. Take another one.")
        players = (*self.players[:seat], name, *self.players[seat + 1 :])
        check_seats(find_game(setup.game), players)
        origin = replace(self.session.origin, setup=with_players(setup, players))
        self.session = Session(origin, self.session.computers, self.session.dice)
        self.remarks = tuple(
            f"{name}: {rest}" if who == before else f"{who}{colon}{rest}"
            for who, colon, rest in (line.partition(": ") for line in self.remarks)
        )

    def pass_device(self, guest: str, seat: int) -> None:
        """Move the only guest, whose device is passed around, from their seat to that of another person."""
        if self.seat_of(guest) is not None and seat in self.people:
            self.seats = {seat: guest}
            self._note()

    def leave_seat(self, guest: str) -> None:
        """Free the seat of a guest; the next guest plays on with its cards."""
        self._vacate(self._seat(guest), "")

    def free_seat(self, guest: str, seat: int, *, is_host: bool) -> None:
        """Free the seat of another guest, such as one who changed phones.

        Args:
            guest: A player at the table, or anybody if `is_host`.
            seat: The seat to free.
            is_host: Whether the guest uses the computer that runs the server.

        Raises:
            EngineError: If the guest may not do so, or the seat is free.
        """
        own = self.seat_of(guest)
        if own is None and not is_host:
            raise EngineError("Only players at this table and the host can free a seat.")
        if seat not in self.seats:
            raise EngineError("This seat is free.")
        who = "The host" if own is None else self.players[own]
        self._vacate(seat, f"{who} freed the seat of {self.players[seat]}.")

    def _vacate(self, seat: int, notice: str) -> None:
        del self.seats[seat]
        if self.undo_request is not None and self.undo_request.seat == seat:
            self.undo_request = None
        self.notice = notice
        self._undo_if_agreed()  # the others may have agreed already

    def move(self, guest: str, text: str, turn: str) -> None:
        """Play a guest's move, in canonical notation or as typed, for a turn.

        Raises:
            EngineError: If it is not the guest's turn, or another turn now.
            MoveError: If the text names no legal move, or several.
        """
        self._check(turn)
        self.session.submit(self._seat(guest), text)
        self._after_move()

    def play_computer_move(self, chosen: "str | ForfeitError") -> None:
        """Play the move of a computer player, or its forfeit."""
        if isinstance(chosen, ForfeitError):
            self.session.forfeit_game(chosen)
        else:
            self.session.play(chosen)
        self._after_move()

    def view_in_turn(self, guest: str, turn: str) -> State:
        """Return the view of the guest to move; raise EngineError if it is not their turn."""
        self._check(turn)
        seat = self._seat(guest)
        if self.session.is_over or seat != self.session.state.to_move:
            raise EngineError("It is not your turn.")
        return self.session.state.view(seat)

    def why_not(self, guest: str, text: str) -> str:
        """Return the reason why a guest's input is not a move."""
        if self._seat(guest) != self.session.state.to_move or self.session.is_over:
            return "It is not your turn."
        try:
            return f"This may be {self.session.read(text)}."
        except MoveError as error:
            return sentence(error.reason)

    def ask_undo(self, guest: str, turn: str) -> None:
        """Request undo of a guest's last decision; it is done if all other people at the table agree.

        Raises:
            EngineError: If there is nothing to undo, or it is another turn now.
        """
        self._check(turn)
        seat = self._seat(guest)
        if self.session.resigned is not None or self.session.last_decision(seat) is None:
            raise EngineError("There is nothing to undo.")
        self.undo_request, self.notice = UndoRequest(seat, frozenset({seat})), ""
        self._undo_if_agreed()

    def answer_undo(self, guest: str, *, agrees: bool) -> None:
        """Record that a guest agrees to the pending request for undo, or refuses it."""
        seat = self._seat(guest)
        if self.undo_request is None:
            raise EngineError("No player has asked to undo a move.")
        if agrees:
            self.undo_request = replace(self.undo_request, agreed=self.undo_request.agreed | {seat})
            self._undo_if_agreed()
        else:
            self.notice = f"{self.players[seat]} does not agree to undo the last moves."
            self.undo_request = None
            self._note()

    def resign(self, guest: str, turn: str) -> None:
        """Resign for a guest, whose turn it must be."""
        self._check(turn)
        self.session.resign(self._seat(guest))
        self._after_move()

    def play_again(self, guest: str, seed: int) -> None:
        """Deal the next game with the same decks; the next seat starts.

        Raises:
            EngineError: If the game is not over, or cannot be dealt again.
        """
        self._seat(guest)
        if not self.session.is_over:
            raise EngineError("The game is not over.")
        again = rematch(self.session, seed)
        if again is None or not isinstance(again.play, Session):
            raise EngineError("This game cannot be dealt again.")
        self._finish()
        self.session = again.play
        self._after_move()

    def _seat(self, guest: str) -> int:
        seat = self.seat_of(guest)
        if seat is None:
            raise EngineError("You have no seat at this table.")
        return seat

    def _undo_if_agreed(self) -> None:
        request = self.undo_request
        # Only taken seats must agree; otherwise a game with an empty seat could never undo.
        if request is not None and set(self.people) & self.seats.keys() <= request.agreed:
            self.session.undo(request.seat)
            self.undo_request = None
            self.undone += 1
        self._note()

    def _after_move(self) -> None:
        """Save the table after a move, which cancels a pending request for undo."""
        self.undo_request, self.notice = None, ""
        self._note()

    def _document(self) -> dict[str, object]:
        request = self.undo_request
        return {
            "seats": {str(seat): guest for seat, guest in self.seats.items()},
            "undo": None if request is None else [request.seat, *sorted(request.agreed)],
            "helped": self.session.is_helped,
            "game": self.session.record().to_document(),
        }


AnyTable = TypeVar("AnyTable", SharedTable, RealTable)


class SharedTables:
    """The tables of a folder."""

    def __init__(self, folder: Path, seed: Callable[[], int], remark: Callable[[str], object]) -> None:
        """Read the tables of the folder; `seed` returns a new seed, `remark` gets notices about damaged files."""
        self._folder, self._seed = folder, seed
        self._adding = Lock()
        self._tables: dict[int, SharedTable | RealTable] = {}
        for path in sorted(folder.glob("*.json")):
            if path.stem.isdecimal() and len(path.stem) < 7:
                try:
                    table = _read(path, seed())
                    self._tables[table.number] = table
                except (CatalogError, EngineError) as error:
                    remark(f"{path}: {error}")

    def __iter__(self) -> Iterator[SharedTable | RealTable]:
        """Yield the tables, the newest first."""
        return iter(sorted(self._tables.values(), key=lambda table: -table.number))

    @property
    def version(self) -> int:
        """A number that changes with every visible change to a table."""
        return sum(table.version for table in self)

    def find(self, number: int) -> SharedTable | RealTable | None:
        """Return the table with this number, or None."""
        return self._tables.get(number)

    def open(self, request: GameRequest) -> SharedTable:
        """Open a table without guests.

        The names of computer players are those of their levels; all others are people.

        Raises:
            CatalogError, EngineError: If the game cannot be played as requested.
        """
        for name in request.players:
            check_player(name)
        remarks: list[str] = []
        seated = open_table(request, self._seed(), remarks.append)
        if not isinstance(seated.play, Session):
            raise EngineError("A table has one game at a time.")
        if len(seated.play.computers) == len(request.players):
            raise EngineError("At least one seat must be for a person.")
        remarks += [f"{player}: {title}" for player, title in seated.factions.items()]
        return self._set_up(seated.play, remarks)

    def open_record(self, record: Record) -> SharedTable:
        """Open a table without guests that continues a recorded game.

        Raises:
            CatalogError: If some cards are unknown.
            EngineError: If a name may not be given to a player.
        """
        for name in record.setup.players:
            check_player(name)
        return self._set_up(reopen(record, self._seed()), ())

    def _set_up(self, session: Session, remarks: Sequence[str]) -> SharedTable:
        prepare(session.computers.values(), session.setup.game)
        with self._adding:
            return self._add(SharedTable(*self._place(), session, remarks=tuple(remarks)))

    def open_real(self, request: GameRequest) -> RealTable:
        """Open a table at which people play with real cards.

        Raises:
            CatalogError, EngineError: If the game cannot be played as requested.
        """
        for name in request.players:
            check_player(name)
        record = real_table(request)
        with self._adding:
            return self._add(RealTable(*self._place(), record))

    def _add(self, table: AnyTable) -> AnyTable:
        self._tables[table.number] = table
        table.save()
        return table

    def _place(self) -> tuple[int, Path]:
        """Return the number and the file of a new table; raise EngineError if there are too many tables."""
        self._make_room()
        number = max(self._tables, default=0) + 1
        while (path := self._folder / f"{number}.json").exists():  # never overwrite a damaged file
            number += 1
        return number, path

    def _make_room(self) -> None:
        if len(self._tables) < MOST_TABLES:
            return
        over = next((table for number, table in sorted(self._tables.items()) if table.is_over), None)
        if over is None:
            raise EngineError(f"There are {MOST_TABLES} unfinished games. End one of them first.")
        remove(over.path)
        del self._tables[over.number]


def check_player(name: str) -> None:
    """Raise EngineError for a name that a browser may not give: too long, unreadable, or one that starts a program."""
    if len(name) > LONGEST_NAME:
        raise EngineError(f"A player's name has at most {LONGEST_NAME} characters; this one has {len(name):,}.")
    if not is_visible(name):
        raise EngineError(f"The name {quoted(name)} has invisible characters. Leave them out.")
    if is_computer(name) and name not in [level.name for level in (*LEVELS, MEDIUM)]:
        raise EngineError(f"{name!r} is the name of a computer player. Take another one.")


def _read(path: Path, seed: int) -> SharedTable | RealTable:
    try:
        with path.open("rb") as file:
            document = load_json(read_text(file.read(_LIMITS.size + 1), _LIMITS), _LIMITS)
    except DocumentError as error:
        raise CatalogError(f"it {error}.") from None
    except OSError as error:
        raise CatalogError(str(error.strerror or error)) from None
    if not isinstance(document, Mapping) or document.get("format") != TABLE_FORMAT:
        raise CatalogError("another version of ccgrid wrote it.")
    try:
        if is_real_table(document):
            return read_real_table(path, document)
        record = read_document(document["game"]).require()
        games = [read_document(game).require() for game in document["games"]]
        session = reopen(record, seed)
        session.resigned, session.forfeit = record.notes.get(RESIGNED), record.notes.get("reason", "")
        session.is_helped = bool(document["helped"])
        seats = {int(seat): str(guest) for seat, guest in document["seats"].items()}
        undo = document["undo"]
        undo = None if undo is None else UndoRequest(int(undo[0]), frozenset(map(int, undo[1:])))
        number, remarks = int(document["number"]), tuple(document["remarks"])
        won = read_won(document, games)
        table = SharedTable(number, path, session, seats, undo, games=games, won=won, remarks=remarks)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise CatalogError(f"it cannot be continued: {error}") from None
    prepare(session.computers.values(), session.setup.game)
    return table
