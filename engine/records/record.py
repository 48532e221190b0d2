"""Game records: their content, validation of documents, and writing.

docs/records.md describes the schema. Nothing in a record is ever executed.
"""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.plugins import PluginError
from ccgrid.engine import schema
from ccgrid.engine.cards import UNKNOWN, label, no_lookup, zone_card, zone_card_table
from ccgrid.engine.errors import EngineError, MoveError, RecordError, UnknownCardError, quoted
from ccgrid.engine.game import AnyGame, Ending, Lookup, Outcome, Setup, State, read_seats
from ccgrid.engine.games import find_game
from ccgrid.engine.notation import play, read_record_move
from ccgrid.engine.schema import Schema, Table

if TYPE_CHECKING:
    from ccgrid.engine.records.answers import MatchStanding, RecordCheck, Replay

FORMAT: Final = 1
"""The format of records. It is increased if older programs cannot read newer records correctly."""

DeckLookup = Callable[[str, str], Sequence[Card]]
"""Finds the cards of a deck that a record names, legal in this game; raises `CatalogError` or `EngineError`."""


def no_decks(name: str, game: str) -> Sequence[Card]:
    """Raise CatalogError for every deck: the lookup used without a folder of decks."""
    raise CatalogError(f"there is no folder to look for {quoted(name)} in: add the cards to the record")


class SetupWithDeck(NamedTuple):
    """The setup of a record with all cards of its named deck written out, and the lookup for other cards."""

    table: Table
    lookup: Lookup


def with_decks(game: AnyGame, document: Table, lookup: Lookup, find: DeckLookup) -> SetupWithDeck:
    """Return the setup of a document with the cards of the decks that it names under `deck`, if any.

    Raises:
        RecordError: If there is no such deck, or a card of the setup is not in it.
    """
    table = document["setup"]
    if "deck" not in document:
        return SetupWithDeck(table, lookup)
    named = document["deck"]
    names = [named] if isinstance(named, str) else list(named)
    needed = game.decks_needed(len(document["players"]))
    # One name may stand for the decks of all players.
    if len(names) not in {1, needed} or not needed:
        wanted = "no deck" if not needed else "one deck" if needed == 1 else f"one deck for all, or {needed}"
        raise RecordError("deck", f"names {len(names)}, and {game.name} is played with {wanted}")
    decks = [_deck_cards(name, game, find) for name in names]
    if needed > 1:
        of_player = dict(zip(document["players"], zip(names * needed, decks * needed, strict=True), strict=False))
        return SetupWithDeck(_with_own_decks(table, of_player), lambda text: _card_of(text, lookup))
    # A shared deck also supplies the cards that the setup omits.
    return SetupWithDeck(_with_shared_deck(table, decks[0], names[0]), lookup)


def _deck_cards(name: str, game: AnyGame, find: DeckLookup) -> tuple[Card, ...]:
    try:
        return tuple(find(name, game.name))
    except (CatalogError, EngineError) as error:
        raise RecordError("deck", " ".join(str(error).split())) from None


class _NamedCard(str):
    """The text of a card in a setup, and the card of its player's deck that it stands for."""

    card: Card


def _card_of(text: str, lookup: Lookup) -> Card:
    return text.card if isinstance(text, _NamedCard) else lookup(text)


def _with_own_decks(table: Table, decks: Mapping[str, tuple[str, Sequence[Card]]]) -> Table:
    """Return the setup with each text in `decks` and `pile` as a card of its player's deck, none more often than there.

    Raises:
        RecordError: If a card is not in that deck, or not so often.
    """
    left = {player: _labelled(cards) for player, (_, cards) in decks.items()}

    def card(value: object, player: str, where: str) -> object:
        if not isinstance(value, str) or value == UNKNOWN or player not in decks:
            return value
        named = _NamedCard(value)
        named.card = _take_card(value, left[player], where, decks[player][0])
        return named

    lists = {
        key: {
            player: [card(value, player, f"{key}.{schema.key_name(player)}[{at}]") for at, value in enumerate(values)]
            for player, values in table[key].items()
        }
        for key in ("decks", "pile")
        if key in table
    }
    return {**table, **lists}


def _labelled(cards: Sequence[Card]) -> list[Card | None]:
    """Return the cards of a deck with unique names (`label`), as far as their numbers differ."""
    numbers = [Card("", "", card.name, card.zones, 0, attack=card.attack, defense=card.defense) for card in cards]
    return [replace(card, name=named.name) for card, named in zip(cards, label(numbers), strict=True)]


def _has_name_or_id(card: Card, text: str) -> bool:
    return text in (card.name, card.id)


def _has_name_or_id_ignoring_case(card: Card, text: str) -> bool:
    return text.casefold() in (card.name.casefold(), card.id.casefold())


def _with_shared_deck(table: Table, deck: Sequence[Card], name: str) -> Table:
    """Return the setup with its cards written out, and the rest of the deck as its pile."""
    left: list[Card | None] = list(label([zone_card(card) for card in deck]))

    def taken(key: str) -> list[Table]:
        cards = [(value, _take_card(value, left, f"{key}[{at}]", name)) for at, value in enumerate(table.get(key, ()))]
        return [value if isinstance(value, Mapping) else zone_card_table(card) for value, card in cards]

    # The pile is taken from the remaining cards, so that no card is both on the table and in the pile.
    known, pile = taken("cards"), taken("pile")
    # Without a pile, all remaining cards of the deck are the pile.
    rest = pile or [zone_card_table(card) for card in left if card is not None]
    return {**table, "cards": known, **({"pile": rest} if rest else {})}


def _take_card(value: str | Table, left: list[Card | None], where: str, name: str) -> Card:
    """Return the card of a deck that a value of the setup describes, and remove it from `left`.

    Raises:
        RecordError: If it is not in the deck, or not so often.
    """
    # An exact match first, then one that ignores case, then the card's number in the deck.
    for matches in (_matches, _matches_ignoring_case):
        for place, card in enumerate(left):
            if card is not None and matches(value, card):
                left[place] = None
                return card
    # At most three digits: no deck is larger, and `int` is slow for very long texts.
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 4 else 0
    if 0 < number <= len(left) and (numbered := left[number - 1]) is not None:
        left[number - 1] = None
        return numbered
    shown = value if isinstance(value, str) else value.get("name", value.get("id", "a card of these numbers"))
    raise RecordError(f"setup.{where}", f"{quoted(shown)} is not in {name}, or not so often; did the deck change?")


def _matches(value: str | Mapping[str, object], card: Card) -> bool:
    if isinstance(value, str):
        return _has_name_or_id(card, value)
    table = zone_card_table(card)
    return all(value[key] == table.get(key) for key in ("id", "name", "zones", "score") if key in value)


def _matches_ignoring_case(value: str | Mapping[str, object], card: Card) -> bool:
    return isinstance(value, str) and _has_name_or_id_ignoring_case(card, value)


LONGEST_MATCH: Final = 99
COUNTS: Final = ("points", "wins")
"""What is added up over the games of a match."""

RESIGNED: Final = "resigned"
"""The key in a record's notes for the player who resigned, or who lost without an ending by the rules."""

MATCH_GAME: Final[Schema] = schema.table(
    {"number": schema.whole, "counts": schema.text}, {"of": schema.whole, "same_deal": schema.truth}
)
"""The schema of a record's `match`."""


class MatchGame(NamedTuple):
    """A game's position in a match.

    Attributes:
        number: The number of the game in the match, from 1.
        counts: What is added up, points or wins.
        of: The number of games, a maximum if wins count; None if it is not known.
        same_deal: Whether each deal is played again with the seats exchanged.
    """

    number: int
    counts: str
    of: int | None = None
    same_deal: bool = False

    def to_table(self) -> dict[str, object]:
        """Return the `match` table of a record."""
        table = {"of": self.of, "number": self.number, "counts": self.counts, "same_deal": self.same_deal or None}
        return {key: value for key, value in table.items() if value is not None}

    def belongs_to_same_match(self, other: "MatchGame") -> bool:
        """Return whether both may be games of one match: equal in everything but their number."""
        return (self.of, self.counts, self.same_deal) == (other.of, other.counts, other.same_deal)


def read_match_game(table: Table) -> MatchGame:
    """Return a game's position in a match, from a table that has passed `MATCH_GAME`.

    Raises:
        RecordError: If a value is out of range; with its location.
    """
    game = MatchGame(**table)
    if game.counts not in COUNTS:
        raise RecordError("counts", f"must be {' or '.join(map(quoted, COUNTS))}, not {quoted(game.counts)}")
    if game.of is not None and not 1 <= game.of <= LONGEST_MATCH:
        raise RecordError("of", f"must be 1 to {LONGEST_MATCH} games, not {game.of}")
    if not 1 <= game.number <= (game.of or LONGEST_MATCH):
        raise RecordError("number", f"must be 1 to {game.of or LONGEST_MATCH}, not {game.number}")
    return game


class Ply(NamedTuple):
    """A move of a game and the position before it."""

    state: State
    move: str

    @property
    def player(self) -> str:
        """The name of the player to move."""
        return self.state.players[self.state.to_move]


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded game: setup, moves and the players' notes. Iterating over it replays the game.

    `result` is the result that the players claim: each seat's score in points. `match` is the game's position in a
    match, or None.
    """

    setup: Setup
    moves: tuple[str, ...] = ()
    date: datetime.date | None = None
    event: str | None = None
    seed: int | None = None
    result: tuple[int, ...] | None = None
    notes: Table = field(default_factory=dict, hash=False)
    match: MatchGame | None = None

    def __iter__(self) -> Iterator[Ply]:
        """Yield the moves, each with the position before it.

        Raises:
            MoveError: If a move is not legal.
            UnknownCardError: If a move reveals a card that is unknown in the record.
        """
        state = self.setup.start()
        for move in self.moves:
            yield Ply(state, move)
            state = play(state, move)

    def final(self) -> State:
        """Return the position after the last move; raise the same errors as iterating."""
        return reduce(play, self.moves, self.setup.start())

    def outcome(self, final: State) -> Outcome | None:
        """Return the result of a game with this final position, or None if it is not over; who resigned has lost."""
        outcome, resigned = final.outcome(), self.notes.get(RESIGNED)
        if outcome is not None or resigned not in final.players:
            return outcome
        ending = Ending("resigned", f"{quoted(resigned)} resigned")
        return Outcome.lost(final.scores(), final.players.index(resigned), ending)

    def with_result(self) -> "Record":
        """Return the record with the computed result, or None as the result if the game is not over.

        Raises:
            MoveError: If a move is not legal.
            UnknownCardError: If a move reveals a card that is unknown in the record.
        """
        outcome = self.final().outcome()
        return replace(self, result=outcome.scores if outcome else None)

    def to_document(self) -> dict[str, object]:
        """Return the record as plain values, with keys in the documented order."""
        setup = self.setup
        result = None if self.result is None else {"scores": dict(zip(setup.players, self.result, strict=True))}
        document = {
            "game": setup.game,
            "format": FORMAT,
            "players": list(setup.players),
            "first": None if setup.first is None else setup.players[setup.first],
            "date": self.date,
            "event": self.event,
            "seed": self.seed,
            "match": None if self.match is None else self.match.to_table(),
            "moves": list(self.moves),
            "setup": setup.to_table(),
            "result": result,
            "notes": self.notes or None,
        }
        return {key: value for key, value in document.items() if value is not None}

    def to_toml(self) -> str:
        """Return the record as TOML."""
        return schema.to_toml(self.to_document())

    def to_json_line(self) -> str:
        """Return the record as one line of JSON, without the line break."""
        return schema.to_json_line(self.to_document())


class CheckedRecord(NamedTuple):
    """A record that was checked: its result, and its first error.

    Attributes:
        file: The location: `game.toml`, `games.jsonl:3`.
        game: The name of the game, or None if it is not known.
        players: The names of the players, empty if they could not be read.
        moves: The number of moves that could be played.
        points: The points of each seat, empty if they are not known.
        outcome: The outcome of the game, or None if it is not over.
        error: The first error, or None.
        piles: The cards with which each player ended, if the file contains only these.
        resigned: The player who gave up the game, or "".
    """

    file: str
    game: str | None
    players: tuple[str, ...]
    moves: int
    points: tuple[int, ...]
    outcome: Outcome | None
    error: RecordError | None
    piles: Mapping[str, tuple[Card, ...]] = MappingProxyType({})
    resigned: str = ""

    @property
    def scores(self) -> dict[str, int]:
        """Each player's points, as far as they are known."""
        return dict(zip(self.players, self.points, strict=False))

    @property
    def winner(self) -> str | None:
        """The name of the winner, or None if there is none."""
        return None if self.outcome is None or self.outcome.winner is None else self.players[self.outcome.winner]

    def answer(self, match: "MatchStanding | None" = None, *, scores: bool = True) -> "RecordCheck":
        """Return the check that `score --json` prints, or without scores that of `validate --json`."""
        from msgspec import UNSET

        from ccgrid.engine.records.answers import LocatedError, PileCard, RecordCheck

        piles = {
            player: [PileCard(id=card.id or None, name=card.name, score=card.score) for card in cards]
            for player, cards in self.piles.items()
        }
        return RecordCheck(
            file=self.file,
            game=self.game,
            players=list(self.players),
            over=self.outcome is not None,
            moves=self.moves,
            scores=self.scores if scores else UNSET,
            winner=self.winner,
            ending=None if self.outcome is None else self.outcome.ending.code,
            ok=self.error is None,
            errors=[] if self.error is None else [LocatedError(where=self.error.where, message=self.error.message)],
            piles=piles or UNSET,
            match=match or UNSET,
        )


class Reading(NamedTuple):
    """The result of reading a record: the record and its last position, up to the first error.

    Attributes:
        file: The location: `game.toml`, `games.jsonl:3`.
        game: The name of the game, or None if it could not be read.
        players: The names of the players, empty if they could not be read.
        record: Setup and moves, or None if the setup could not be read. After an error, its moves may be illegal.
        state: The position after the moves that could be played.
        plies: The number of moves that could be played.
        error: The first error in the documented order of the checks, or None.
    """

    file: str
    game: str | None = None
    players: tuple[str, ...] = ()
    record: Record | None = None
    state: State | None = None
    plies: int = 0
    error: RecordError | None = None

    def require(self) -> Record:
        """Return the record.

        Raises:
            RecordError: If the record has an error.
        """
        if self.error is not None or self.record is None:
            raise self.error or RecordError("file", "holds no game")
        return self.record

    def check(self) -> CheckedRecord:
        """Return the result of the check."""
        points = self.state.scores() if self.state else ()
        outcome = self.state.outcome() if self.state else None
        resigned = str(self.record.notes.get(RESIGNED, "")) if self.record is not None else ""
        return CheckedRecord(
            self.file, self.game, self.players, self.plies, tuple(points), outcome, self.error, resigned=resigned
        )


def replay(record: Record, begin: int = 0) -> "Replay":
    """Return what `replay --json` prints: moves from index `begin`, each with the legal moves, and the final scores.

    Raises:
        MoveError: If a move is not legal.
        UnknownCardError: If a move reveals a card that is unknown in the record.
    """
    from ccgrid.engine.records.answers import Replay, ReplayedMove

    plies = [ReplayedMove(player=ply.player, move=ply.move, legal=list(ply.state.legal_moves())) for ply in record]
    final = record.final()
    scores = dict(zip(final.players, final.scores(), strict=True))
    return Replay(plies=plies[begin:], over=final.ending() is not None, scores=scores)


def read_document(
    document: Table, lookup: Lookup = no_lookup, *, file: str = "record", decks: DeckLookup = no_decks
) -> Reading:
    """Check a document of plain values up to the first error, which the reading contains."""
    # Updated after each check: if one fails, the reading keeps the game, players and moves known until then.
    reading = Reading(file)
    try:
        # The format first: nothing else of a newer format can be interpreted. Then the game, which has the schema of
        # the rest.
        _check_format(document)
        game = document_game(document)
        reading = reading._replace(game=game.name)
        _record_schema(game)(document)
        players = _players(game, document)
        reading = reading._replace(players=players)
        table, lookup = with_decks(game, document, lookup, decks)
        record = _record(game, {**document, "setup": table}, players, lookup)
        record, state, plies, error = _replay(record)
        # An illegal move still leaves a record and a position; the result is then not checked.
        reading = reading._replace(record=record, state=state, plies=plies, error=error)
        if error is None and "result" in document:
            check_result(document["result"]["scores"], state)
    except RecordError as failure:
        return reading._replace(error=failure)
    return reading


def document_game(document: Table) -> AnyGame:
    """Return the game named in a document.

    Raises:
        RecordError: If the name is missing, no game has it, or the game is a plug-in that cannot be loaded.
    """
    if "game" not in document:
        raise RecordError("game", "is missing: name the game")
    try:
        schema.text(document["game"])
        return find_game(document["game"])
    except RecordError as error:
        raise error.under("game") from None
    except (EngineError, PluginError) as error:
        raise RecordError("game", str(error)) from None


def _check_format(document: Table) -> None:
    """Raise RecordError if a record has another format; a record without a format has the first."""
    if "format" not in document:
        return
    try:
        schema.whole(document["format"])
    except RecordError as error:
        raise error.under("format") from None
    if document["format"] != FORMAT:
        words = f"is {document['format']}, but this ccgrid reads format {FORMAT}: a newer one is needed"
        raise RecordError("format", words)


def _record_schema(game: AnyGame) -> Schema:
    first: dict[str, Schema] = {"first": schema.text} if game.has_first else {}
    return schema.table(
        {
            "game": schema.text,
            "players": schema.list_of(schema.text),
            **first,
            "moves": schema.list_of(schema.text),
            "setup": game.setup_schema,
        },
        {
            "format": schema.whole,
            "date": schema.day,
            "event": schema.text,
            "seed": schema.whole,
            "deck": schema.text_or(schema.list_of(schema.text)),
            "match": MATCH_GAME,
            "result": schema.table({"scores": schema.table_of(schema.whole)}),
            "notes": schema.notes,
        },
    )


def _players(game: AnyGame, document: Table) -> tuple[str, ...]:
    players = read_seats(game, document["players"], "players")
    if game.has_first and document["first"] not in players:
        raise RecordError("first", f"{quoted(document['first'])} is not one of the players")
    return players


def _record(game: AnyGame, document: Table, players: tuple[str, ...], lookup: Lookup) -> Record:
    try:
        first = players.index(document["first"]) if game.has_first else None
        setup = game.read_setup(document["setup"], players, first, lookup)
    except RecordError as error:
        raise error.under("setup") from None
    try:
        match = read_match_game(document["match"]) if "match" in document else None
    except RecordError as error:
        raise error.under("match") from None
    claimed: Mapping[str, int] = document.get("result", {}).get("scores", {})
    return Record(
        setup=setup,
        moves=tuple(document["moves"]),
        date=schema.read_day(document["date"]) if "date" in document else None,
        event=document.get("event"),
        seed=document.get("seed"),
        # A result for other players is reported later, with its location; here it only has to be a tuple.
        result=tuple(claimed[player] for player in players) if claimed.keys() == set(players) else None,
        notes=schema.read_notes(document.get("notes", {})),
        match=match,
    )


def _replay(record: Record) -> tuple[Record, State, int, RecordError | None]:
    """Replay a record.

    Returns:
        The record with its moves in canonical notation, the position before the first error, the number of moves
        played, and the error or None.
    """
    state, moves = record.setup.start(), list(record.moves)
    for index, text in enumerate(record.moves):
        try:
            # Loosely written moves become canonical, so that every reader finds one form.
            moves[index] = read_record_move(state, text)
            state = state.play_unchecked(moves[index])
        except (MoveError, UnknownCardError) as error:
            reason = error.reason if isinstance(error, MoveError) else str(error)
            return (
                replace(record, moves=tuple(moves)),
                state,
                index,
                RecordError(f"moves[{index}] {quoted(text)}", reason),
            )
    return replace(record, moves=tuple(moves)), state, len(moves), None


def check_result(claimed: Mapping[str, int], state: State) -> None:
    """Compare claimed scores with those of a position.

    Raises:
        RecordError: If the game is not over, or a score is missing, wrong or not a player's; with its location.
    """
    outcome = state.outcome()
    if outcome is None:
        legal = state.legal_moves()
        more = f"{quoted(legal[0])} can still be played" if legal else "the player to move holds unknown cards"
        raise RecordError("result", f"there is none yet: the game is not over, {more}")
    for name in claimed:
        if name not in state.players:
            raise RecordError(f"result.scores.{schema.key_name(name)}", "is not one of the players")
    for player, score in zip(state.players, outcome.scores, strict=True):
        place = f"result.scores.{schema.key_name(player)}"
        if player not in claimed:
            raise RecordError(place, f"is missing: {quoted(player)} has {score}")
        if claimed[player] != score:
            raise RecordError(place, f"is {claimed[player]}, but {quoted(player)} has {score}")
