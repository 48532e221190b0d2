"""A table at which people play with real cards, and report cards and moves to a referee from their browsers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import sentence
from ccgrid.engine.cards import NamedCard
from ccgrid.engine.errors import EngineError, MoveError, UnknownCardError
from ccgrid.engine.game import Setup, State
from ccgrid.engine.real_cards import AnyRealCards, find_real_cards
from ccgrid.engine.records.record import RESIGNED, Record, read_document
from ccgrid.services.choices import Choices
from ccgrid.services.dealing import read_options
from ccgrid.services.deck_editing import find_cards
from ccgrid.services.real_decks import real_decks
from ccgrid.services.real_records import begin, in_noted_order, with_pending
from ccgrid.services.referee import LineMeaning, Referee
from ccgrid.services.requests import GameRequest
from ccgrid.services.session import LONGEST_LINE, Session
from ccgrid.services.table_files import TableFile, read_won

if TYPE_CHECKING:
    from ccgrid.engine.search import Thought


def real_table(request: GameRequest) -> Record:
    """Return a record of a game with real cards of which only the decks are known.

    Raises:
        CatalogError, EngineError: If the game cannot be played as requested.
    """
    options = read_options(request.game, request.options)
    named: list[str | Path] = [request.game, *request.decks, *request.factions]
    found = real_decks(named, len(request.players), request.database, Choices(None))
    return begin(request.game, request.players, request.first, options, found.decks)


@dataclass(slots=True)
class RealTable(TableFile):
    """The known part of a game with real cards.

    Attributes:
        beginning: The record of the game with nothing but its decks.
        laid_out: The names of the known cards on the table before the first move.
        referee: The referee, or None until all cards on the table are known.
    """

    beginning: Record
    laid_out: list[str] = field(default_factory=list, kw_only=True)
    referee: Referee | None = field(default=None, kw_only=True)

    where: ClassVar[str] = "real"

    def __post_init__(self) -> None:
        if self.referee is None:
            self._begin()

    # --- state -------------------------------------------------------------------------------------------------

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.beginning.setup.game

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.beginning.setup.players

    @property
    def playing(self) -> Session | None:
        """The game, or None before the cards on the table are known."""
        return None if self.referee is None else self.referee.session

    @property
    def cards(self) -> AnyRealCards:
        """The rules for refereeing this game."""
        return find_real_cards(self.game)

    @property
    def _step(self) -> str:
        """The numbers of the game, of the cards laid out, of the moves, and of the unseen cards."""
        moves = 0 if self.referee is None else len(self.referee.moves)
        return f"{len(self.games)}.{len(self.laid_out)}.{moves}.{len(self.unseen)}"

    @property
    def deck(self) -> tuple[NamedCard, ...]:
        """The cards of the table, or of the player to move, in the order that numbers them."""
        return self.cards.deck(self._setup, 0) if self.referee is None else self.referee.deck

    @property
    def unseen(self) -> tuple[NamedCard, ...]:
        """The cards of the table, or of the player to move, that were never revealed."""
        return self.cards.unseen(self._setup, 0) if self.referee is None else self.referee.unseen

    @property
    def cards_on_table(self) -> list[NamedCard]:
        """The cards on the table before the first move, row by row."""
        setup, found = self.beginning.setup, []
        for name in self.laid_out:
            card = self._card(setup, name)
            setup = self.cards.with_card(setup, None, card)
            found.append(card)
        return found

    @property
    def question(self) -> str:
        """The current question; empty if a move is expected, or the game is over."""
        if self.is_over:
            return ""
        if self.referee is not None:
            waiting = self.referee.pending
            return self.cards.asks(self.referee.setup, self.referee.state, waiting[0]) if waiting else ""
        places = self.cards.places(self._setup)
        return f"What is on {places[0]}" if places else self.cards.asks(self._setup, None, "")

    # --- input -------------------------------------------------------------------------------------------------

    def hear(self, line: str, turn: str) -> LineMeaning:
        """Process a card, a move or a correction for a turn.

        Raises:
            EngineError: If it is another turn now, or the game would be impossible.
            CatalogError: If a card name is unknown or ambiguous.
        """
        self._check(turn)
        line = line.strip()
        if len(line) > LONGEST_LINE:
            raise EngineError(f"This line has {len(line):,} characters, too many for a move or a card.")
        if self.referee is not None:
            heard = self.referee.hear(line)
        else:
            setup, cards = self._setup, self.cards
            most = max(len(cards.places(setup)), 1)
            found = find_cards(line, cards.deck(setup, 0), cards.unseen(setup, 0), most, cards.numbers)
            self.laid_out += [card.name for card in found]
            self._begin()
            heard = LineMeaning(cards=tuple(found))
        self._note()
        return heard

    def why_not(self, text: str) -> str:
        """Return the reason why a text is not a move."""
        if self.referee is None or self.referee.pending or self.is_over:
            return "No move can be made now."
        try:
            return f"This may be {self.referee.session.read(text)}."
        except MoveError as error:
            return sentence(error.reason)

    def undo(self, turn: str) -> str:
        """Undo the last input.

        Raises:
            EngineError: If there is none, or it is another turn now.
        """
        self._check(turn)
        if self.playing is not None and self.playing.resigned is not None:
            undone, self.playing.resigned = f"{self.playing.resigned} plays on.", None
        elif self.referee is not None:
            undone = self.referee.undo()
        elif self.laid_out:
            undone = f"Undone: {self.laid_out.pop()}."
        else:
            raise EngineError("There is nothing to undo.")
        self.undone += 1
        self._note()
        return undone

    def hint(self, line: str, turn: str) -> "tuple[Thought, State]":
        """Return the values of the moves for the player to move, whose hand the line names, and this player's view.

        Raises:
            EngineError, CatalogError: If there is no hint.
        """
        return self._in_game(turn).hint(line.strip())

    def resign(self, turn: str) -> None:
        """Resign for the player to move."""
        session = self._in_game(turn).session
        session.resign(session.state.to_move)
        self._note()

    def play_again(self) -> None:
        """Begin another game with the same decks; the next seat starts.

        Raises:
            EngineError: If the game is not over.
        """
        if not self.is_over:
            raise EngineError("The game is not over.")
        self._finish()
        setup = self.beginning.setup
        if setup.first is not None:
            setup = replace(setup, first=(setup.first + 1) % len(setup.players))
        self.beginning = replace(self.beginning, setup=setup, date=date.today())
        self.laid_out, self.referee = [], None
        self._begin()
        self._note()

    def _in_game(self, turn: str) -> Referee:
        self._check(turn)
        if self.referee is None or self.is_over:
            raise EngineError("No game is being played.")
        return self.referee

    # --- before the first move ---------------------------------------------------------------------------------

    @property
    def _setup(self) -> Setup:
        setup: Setup = self.beginning.setup
        for card in self.cards_on_table:
            setup = self.cards.with_card(setup, None, card)
        return setup

    def _card(self, setup: Setup, name: str) -> NamedCard:
        found: NamedCard | None = next((card for card in self.cards.unseen(setup, 0) if card.name == name), None)
        if found is None:
            raise CatalogError(f"{name!r} is not in the deck.")
        return found

    def _begin(self) -> None:
        """Begin the game if all cards on the table are known."""
        if not self.cards.places(self._setup):
            try:
                self.referee = Referee.of(replace(self.beginning, setup=self._setup))
            except UnknownCardError:  # no capture is possible: another card must be laid over them
                return

    def _document(self) -> dict[str, object]:
        record = self.beginning if self.referee is None else self.referee.session.record()
        if self.referee is None:  # a record contains all cards on the table: fill up with any cards of the deck
            setup = self._setup
            while self.cards.places(setup):
                setup = self.cards.with_card(setup, None, self.cards.unseen(setup, 0)[0])
            record = replace(record, setup=setup)
        return {"game": record.to_document(), "laid_out": self.laid_out, "has_begun": self.referee is not None}


_CARDS_KEYS: Final = ("laid_out", "told")
"""The key of the first cards in a file, and the one in files from before November 2026."""


def is_real_table(document: Mapping[str, Any]) -> bool:
    """Return whether a document is a table with real cards."""
    return any(key in document for key in _CARDS_KEYS)


def read_real_table(path: Path, document: Mapping[str, Any]) -> RealTable:
    """Read the table in a document.

    Raises:
        CatalogError, EngineError, KeyError, TypeError, ValueError: If the document is damaged.
    """
    record = read_document(document["game"]).require()
    setup: Setup = in_noted_order(record)
    games = [read_document(game).require() for game in document["games"]]
    notes = {key: value for key, value in record.notes.items() if key != RESIGNED}
    beginning = replace(
        record, setup=find_real_cards(setup.game).without_cards(setup), moves=(), result=None, notes=notes
    )
    beginning = with_pending(beginning, ())
    referee = Referee.of(record) if document["has_begun"] else None
    if referee is not None:
        referee.session.resigned = record.notes.get(RESIGNED)
    number, remarks = int(document["number"]), tuple(map(str, document["remarks"]))
    laid_out = [str(name) for name in next(document[key] for key in _CARDS_KEYS if key in document)]
    won = read_won(document, games)
    return RealTable(number, path, beginning, games=games, won=won, remarks=remarks, laid_out=laid_out, referee=referee)
