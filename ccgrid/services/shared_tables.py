"""Tables at which several people play, each at a screen of their own: who sits where, and what each of them may do."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ccgrid.catalog.card import LONGEST_NAME
from ccgrid.catalog.documents import DocumentError, Limits, load_json, read_text
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.files import remove
from ccgrid.engine.errors import EngineError, MoveError
from ccgrid.engine.game import State
from ccgrid.engine.players import LEVELS, ForfeitError, prepare
from ccgrid.engine.records.record import RESIGNED, read_document
from ccgrid.services.real_tables import RealTable, is_real_table, read_real_table, real_table
from ccgrid.services.rematch import rematch
from ccgrid.services.requests import GameRequest
from ccgrid.services.seats import is_computer
from ccgrid.services.session import Session
from ccgrid.services.table_files import MOST_GAMES, TABLE_FORMAT, TableFile
from ccgrid.services.tables import open_table, reopen

_LIMITS: Final = Limits(16 << 20, any_characters=True)
MOST_TABLES: Final = 100
"""So many tables there are at once; a new one takes the place of the oldest at which a game is over."""


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A player's wish to go back to their last decision; `agreed` are the seats that agreed to it."""

    seat: int
    agreed: frozenset[int]


@dataclass(slots=True)
class SharedTable(TableFile):
    """A game and the guests who sit at it. Guests are known by an id that each keeps secret.

    Attributes:
        session: the game that is played, or was played last.
        seats: the guests by the seats that they took.
        undo_request: the wish to take moves back that is not answered yet.
    """

    session: Session
    seats: dict[int, str] = field(default_factory=dict)
    undo_request: UndoRequest | None = None

    # --- what there is to know ---------------------------------------------------------------------------------

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
        """The game that is played, or was played last."""
        return self.session

    @property
    def turn(self) -> str:
        """Which move of which game is the next one: what was meant for another is refused."""
        return f"{len(self.games)}.{len(self.session.moves)}"

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people play."""
        return tuple(seat for seat in range(len(self.players)) if seat not in self.session.computers)

    @property
    def needs_computer(self) -> bool:
        """Whether a computer player is to move."""
        return not self.session.is_over and not self.session.is_person

    def seat_of(self, guest: str) -> int | None:
        """The seat that a guest took."""
        return next((seat for seat, who in self.seats.items() if who == guest), None)

    def public_view(self) -> State:
        """The position without anything that some seat may not see."""
        state = self.session.state
        for seat in range(len(self.players)):
            state = state.view(seat)
        return state

    # --- what guests do ----------------------------------------------------------------------------------------

    def take_seat(self, guest: str, seat: int) -> None:
        """Seats a guest; raises EngineError where somebody sits there, or the guest sits elsewhere."""
        if seat not in self.people:
            raise EngineError("There is no such seat for a person.")
        if self.seats.get(seat, guest) != guest:
            raise EngineError(f"Somebody else plays {self.players[seat]}.")
        if self.seat_of(guest) not in (None, seat):
            raise EngineError("You have a seat at this table. Leave it first.")
        self.seats[seat] = guest
        self._note()

    def leave_seat(self, guest: str) -> None:
        """Frees the seat of a guest: whoever takes it goes on with its cards."""
        seat = self._seat(guest)
        del self.seats[seat]
        if self.undo_request is not None and self.undo_request.seat == seat:
            self.undo_request = None
        self._note()

    def move(self, guest: str, text: str, turn: str) -> None:
        """Plays a guest's move, canonical or as people type it, at a turn.

        Raises:
            EngineError: it is not the guest's turn, or not that turn any more.
            MoveError: the text means no legal move, or several.
        """
        self._check(turn)
        self.session.submit(self._seat(guest), text)
        self._after_move()

    def play_computer_move(self, chosen: "str | ForfeitError") -> None:
        """Plays what a computer player chose."""
        if isinstance(chosen, ForfeitError):
            self.session.forfeit_game(chosen)
        else:
            self.session.play(chosen)
        self._after_move()

    def view_in_turn(self, guest: str, turn: str) -> State:
        """What a guest whose turn it is sees of the game; raises EngineError where it is not."""
        self._check(turn)
        seat = self._seat(guest)
        if self.session.is_over or seat != self.session.state.to_move:
            raise EngineError("It is not your turn.")
        return self.session.state.view(seat)

    def why_not(self, guest: str, text: str) -> str:
        """Why what a guest touched is no move."""
        if self._seat(guest) != self.session.state.to_move or self.session.is_over:
            return "It is not your turn."
        try:
            return f"This may be {self.session.read(text)}."
        except MoveError as error:
            return error.reason

    def ask_undo(self, guest: str) -> None:
        """A guest wants to go back to their last decision; it is done once all other people at the table agree.

        Raises:
            EngineError: there is nothing to undo.
        """
        seat = self._seat(guest)
        if self.session.resigned is not None or self.session.last_decision(seat) is None:
            raise EngineError("There is nothing to undo.")
        self.undo_request = UndoRequest(seat, frozenset({seat}))
        self._undo_if_agreed()

    def answer_undo(self, guest: str, *, agrees: bool) -> None:
        """A guest agrees to the wish to take moves back, or refuses it."""
        seat = self._seat(guest)
        if self.undo_request is None:
            raise EngineError("Nobody asks to take a move back.")
        if agrees:
            self.undo_request = replace(self.undo_request, agreed=self.undo_request.agreed | {seat})
            self._undo_if_agreed()
        else:
            self.undo_request = None
            self._note()

    def resign(self, guest: str, turn: str) -> None:
        """A guest, whose turn it is, gives the game up."""
        self._check(turn)
        self.session.resign(self._seat(guest))
        self._after_move()

    def play_again(self, guest: str, seed: int) -> None:
        """Deals the next game with the same decks; the next seat starts.

        Raises:
            EngineError: the game is not over, or cannot be dealt again.
        """
        self._seat(guest)
        if not self.session.is_over:
            raise EngineError("The game is not over.")
        again = rematch(self.session, seed)
        if again is None or not isinstance(again.play, Session):
            raise EngineError("This game cannot be dealt again.")
        self.games = [*self.games, self.session.record()][-MOST_GAMES:]
        self.session = again.play
        self._after_move()

    def _seat(self, guest: str) -> int:
        seat = self.seat_of(guest)
        if seat is None:
            raise EngineError("You have no seat at this table.")
        return seat

    def _check(self, turn: str) -> None:
        if turn != self.turn:
            raise EngineError("The game has moved on.")

    def _undo_if_agreed(self) -> None:
        request = self.undo_request
        # Seats that nobody took have no say: else a game with an empty seat could never go back.
        if request is not None and set(self.people) & self.seats.keys() <= request.agreed:
            self.session.undo(request.seat)
            self.undo_request = None
        self._note()

    def _after_move(self) -> None:
        """What is to be done after a move: whoever wished for the one before has to ask again."""
        self.undo_request = None
        self._note()

    def _document(self) -> dict[str, Any]:
        request = self.undo_request
        return {
            "seats": {str(seat): guest for seat, guest in self.seats.items()},
            "undo": None if request is None else [request.seat, *sorted(request.agreed)],
            "helped": self.session.is_helped,
            "game": self.session.record().to_document(),
        }


class SharedTables:
    """All tables of a folder."""

    def __init__(self, folder: Path, seed: Callable[[], int], remark: Callable[[str], object]) -> None:
        """Takes up the tables of the folder; `seed` throws for each game, `remark` hears of damaged files."""
        self._folder, self._seed = folder, seed
        self._tables: dict[int, SharedTable | RealTable] = {}
        for path in sorted(folder.glob("*.json")):
            if path.stem.isdecimal() and len(path.stem) < 7:
                try:
                    table = _read(path, seed())
                    self._tables[table.number] = table
                except (CatalogError, EngineError) as error:
                    remark(f"{path}: {error}")

    def __iter__(self) -> Iterator[SharedTable | RealTable]:
        """The tables, the newest first."""
        return iter(sorted(self._tables.values(), key=lambda table: -table.number))

    def find(self, number: int) -> SharedTable | RealTable | None:
        """The table with this number."""
        return self._tables.get(number)

    def open(self, request: GameRequest) -> SharedTable:
        """Open a table without guests.

        Players are people by any name, and computers by that of their level.

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
        prepare(seated.play.computers.values(), request.game)
        number, path = self._place()
        table = SharedTable(number, path, seated.play, remarks=tuple(remarks))
        self._tables[number] = table
        table.keep()
        return table

    def open_real(self, request: GameRequest) -> RealTable:
        """Open a table at which people play with real cards.

        Raises:
            CatalogError, EngineError: If the game cannot be played as requested.
        """
        for name in request.players:
            check_player(name)
        record = real_table(request)
        number, path = self._place()
        table = RealTable(number, path, record)
        self._tables[number] = table
        table.keep()
        return table

    def _place(self) -> tuple[int, Path]:
        """The number and the file of a new table; EngineError where there is room for none."""
        self._make_room()
        number = max(self._tables, default=0) + 1
        while (path := self._folder / f"{number}.json").exists():  # a damaged one stays where it is
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
    """Refuses names that nobody may give from a browser: too long ones, and those that would start a program."""
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise EngineError(f"A player's name has at most {LONGEST_NAME} letters.")
    if is_computer(name) and name not in [level.name for level in LEVELS]:
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
        undo = document["undo"] and UndoRequest(int(document["undo"][0]), frozenset(map(int, document["undo"][1:])))
        number, remarks = int(document["number"]), tuple(document["remarks"])
        table = SharedTable(number, path, session, seats, undo, games=games, remarks=remarks)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CatalogError(f"it cannot be continued: {error}") from None
    prepare(session.computers.values(), session.setup.game)
    return table
