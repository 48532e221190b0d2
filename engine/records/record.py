"""Game records: what a record holds, how a document is checked and becomes one, and how one is written.

The schema is that of docs/records.md. Nothing in a record is ever executed.
"""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Final, Literal, NamedTuple, NotRequired, TypedDict, cast, get_args

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.engine import schema
from ccgrid.engine.cards import label, no_lookup, zone_card, zone_card_table
from ccgrid.engine.errors import EngineError, MoveError, RecordError, UnknownCardError, quoted
from ccgrid.engine.game import Game, Lookup, Outcome, Setup, State, check_seats
from ccgrid.engine.games import find_game
from ccgrid.engine.notation import play, read_record_move
from ccgrid.engine.schema import Schema

FORMAT: Final = 1
"""The format of records: the number rises when an older program could not read, or would misread, a newer record."""

DeckLookup = Callable[[str, str], Sequence[Card]]
"""Finds the cards of the deck that a record names, legal in this game; raises `CatalogError` or `EngineError`."""


def no_decks(name: str, game: str) -> Sequence[Card]:
    """The lookup of whoever knows of no folder: no deck is found."""
    raise CatalogError(f"there is no folder to look for {quoted(name)} in: add the cards to the record")


class SetupWithDeck(NamedTuple):
    """The setup of a record, with the cards that it names from a deck written out, and where to look up the others."""

    table: Mapping[str, Any]
    lookup: Lookup


def with_decks(game: Game, document: Mapping[str, Any], lookup: Lookup, find: DeckLookup) -> SetupWithDeck:
    """The setup of a document, in which the cards are those of the decks that it names under `deck`, if it does.

    Raises:
        RecordError: there is no such deck, or it does not hold a card of the setup.
    """
    table = document["setup"]
    if "deck" not in document:
        return SetupWithDeck(table, lookup)
    named = document["deck"]
    names = [named] if isinstance(named, str) else list(named)
    needed = game.decks_needed(len(document["players"]))
    # One name stands for the decks of all players.
    if len(names) not in {1, needed} or not needed:
        wanted = "no deck" if not needed else "one deck" if needed == 1 else f"one deck for all, or {needed}"
        raise RecordError("deck", f"names {len(names)}, and {game.name} is played with {wanted}")
    decks = [_cards(name, game, find) for name in names]
    if needed > 1:
        # With a deck for each player the cards of the setup are looked up in the decks; one shared deck also says what
        # the setup leaves out.
        return SetupWithDeck(table, lambda text: _in_any(text, names, decks))
    return SetupWithDeck(_with_shared_deck(table, decks[0], names[0]), lookup)


def _cards(name: str, game: Game, find: DeckLookup) -> tuple[Card, ...]:
    try:
        return tuple(find(name, game.name))
    except (CatalogError, EngineError) as error:
        raise RecordError("deck", " ".join(str(error).split())) from None


def _in_any(text: str, names: Sequence[str], decks: Sequence[Sequence[Card]]) -> Card:
    """The card that a text means in the decks of all players; raises CatalogError where it is in none or not plain."""
    # As it is written, then in any case.
    for fits in (_is_called, _is_alike):
        found = [card for deck in decks for card in deck if fits(card, text)]
        if found and any(_printed_numbers(card) != _printed_numbers(found[0]) for card in found):
            raise CatalogError(f"{quoted(text)} has other numbers in each deck: write it with its numbers")
        if found:
            return found[0]
    raise CatalogError(f"{quoted(text)} is not in {' or '.join(names)}; did the deck change?")


def _printed_numbers(card: Card) -> tuple[Any, ...]:
    return dict(card.zones), card.attack, card.defense


def _is_called(card: Card, text: str) -> bool:
    return text in (card.name, card.id)


def _is_alike(card: Card, text: str) -> bool:
    return text.casefold() in (card.name.casefold(), card.id.casefold())


def _with_shared_deck(table: Mapping[str, Any], deck: Sequence[Card], name: str) -> Mapping[str, Any]:
    """The setup with its cards written out, and the rest of the deck in its pile."""
    left: list[Card | None] = list(label([zone_card(card) for card in deck]))
    known = [_take_card(value, left, f"cards[{place}]", name) for place, value in enumerate(table["cards"])]
    # Taken out of what is left after the cards on the table: no card is in both.
    pile = [_take_card(value, left, f"pile[{place}]", name) for place, value in enumerate(table.get("pile", ()))]
    # Without a pile all that is left of the deck is the pile.
    rest = pile or [zone_card_table(card) for card in left if card is not None]
    return {**table, "cards": known, **({"pile": rest} if rest else {})}


def _take_card(value: str | Mapping[str, Any], left: list[Card | None], where: str, name: str) -> Mapping[str, Any]:
    """The table of a card of the setup, which is taken out of those that are left."""
    # As it is written, then in any case, then by its number in the deck.
    for fits in (_fits, _fits_alike):
        for place, card in enumerate(left):
            if card is not None and fits(value, card):
                left[place] = None
                return value if isinstance(value, Mapping) else zone_card_table(card)
    # Up to three digits: decks are not longer, and `int` is not asked for endless ones.
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 4 else 0
    if 0 < number <= len(left) and (numbered := left[number - 1]) is not None:
        left[number - 1] = None
        return zone_card_table(numbered)
    said = value if isinstance(value, str) else value.get("name", value.get("id", "a card of these numbers"))
    raise RecordError(f"setup.{where}", f"{quoted(said)} is not in {name}, or not so often; did the deck change?")


def _fits(value: str | Mapping[str, Any], card: Card) -> bool:
    if isinstance(value, str):
        return _is_called(card, value)
    table = zone_card_table(card)
    return all(value[key] == table.get(key) for key in ("id", "name", "zones", "score") if key in value)


def _fits_alike(value: str | Mapping[str, Any], card: Card) -> bool:
    return isinstance(value, str) and _is_alike(card, value)


LONGEST_MATCH: Final = 99
CountedInMatch = Literal["points", "wins"]
COUNTS: Final[tuple[str, ...]] = get_args(CountedInMatch)
"""What is added up over the games of a match."""

RESIGNED: Final = "resigned"
"""The key in a record's notes under which stands who gave the game up, or lost it without an ending by the rules."""

MATCH_GAME: Final[Schema] = schema.table(
    {"number": schema.whole, "counts": schema.text}, {"of": schema.whole, "same_deal": schema.truth}
)
"""The keys and types of a record's `match`."""


@dataclass(frozen=True, slots=True)
class MatchGame:
    """One game's place in a match.

    Attributes:
        number: which game it is, from 1.
        counts: what is added up, points or wins.
        of: of how many games, or of at most how many where wins count; None where nobody has said.
        same_deal: whether each deal is played again with the seats exchanged.
    """

    number: int
    counts: str
    of: int | None = None
    same_deal: bool = False

    def to_table(self) -> dict[str, Any]:
        """The `match` table of a record."""
        table = {"of": self.of, "number": self.number, "counts": self.counts, "same_deal": self.same_deal or None}
        return {key: value for key, value in table.items() if value is not None}

    def is_of_same_match(self, other: "MatchGame") -> bool:
        """Whether both may be games of one match: of as many games, which count alike."""
        return (self.of, self.counts, self.same_deal) == (other.of, other.counts, other.same_deal)


def read_match_game(table: Mapping[str, Any]) -> MatchGame:
    """A game's place in a match, of a table that has passed `MATCH_GAME`.

    Raises:
        RecordError: a value cannot be; with its place.
    """
    game = MatchGame(**table)
    if game.counts not in COUNTS:
        raise RecordError("counts", f"must be {' or '.join(map(quoted, COUNTS))}, not {quoted(game.counts)}")
    if game.of is not None and not 1 <= game.of <= LONGEST_MATCH:
        raise RecordError("of", f"must be 1 to {LONGEST_MATCH} games, not {game.of}")
    if not 1 <= game.number <= (game.of or LONGEST_MATCH):
        raise RecordError("number", f"must be 1 to {game.of or LONGEST_MATCH}, not {game.number}")
    return game


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a game, and the position before it."""

    state: State
    move: str

    @property
    def player(self) -> str:
        """The name of who moves."""
        return self.state.players[self.state.to_move]


@dataclass(frozen=True, slots=True)
class Record:
    """A game as written down: setup and moves, and what the players noted. Iterating it replays it.

    `result` is what the players claim: each seat's score in points. `match` is its place in a match, if it is of one.
    """

    setup: Setup
    moves: tuple[str, ...] = ()
    date: datetime.date | None = None
    event: str | None = None
    seed: int | None = None
    result: tuple[int, ...] | None = None
    notes: Mapping[str, Any] = field(default_factory=dict, hash=False)
    match: MatchGame | None = None

    def __iter__(self) -> Iterator[Ply]:
        """The moves, each with the position before it.

        Raises:
            MoveError: a move is not legal.
            UnknownCardError: a move turns up a card that the record does not know.
        """
        state = self.setup.start()
        for move in self.moves:
            yield Ply(state, move)
            state = play(state, move)

    def final(self) -> State:
        """The position after the last move; raises what iterating raises."""
        return reduce(play, self.moves, self.setup.start())

    def with_result(self) -> "Record":
        """The same with the computed result claimed, where the game is over; raises what iterating raises."""
        outcome = self.final().outcome()
        return replace(self, result=outcome.scores if outcome else None)

    def to_document(self) -> dict[str, Any]:
        """The record as plain values, its keys in the documented order."""
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
        """The record as a person reads it."""
        return schema.to_toml(self.to_document())

    def to_json_line(self) -> str:
        """The record as one line of JSON Lines, without the line's end."""
        return schema.to_json_line(self.to_document())


class MatchStandingJson(TypedDict):
    """How a match stands after a game of it: the game's `number` of so many, null where nobody said of how many.

    Attributes:
        counts: what is added up, points or games won.
        same_deal: so many games are played with the same cards, where they are.
        totals: each player's points, or games won; null where not all games up to this one were read. Not in
            `validate`, nor are `over` and `winner`.
    """

    of: int | None
    number: int
    counts: CountedInMatch
    same_deal: NotRequired[bool]
    totals: NotRequired[dict[str, int] | None]
    over: NotRequired[bool]
    winner: NotRequired[str | None]


class RecordErrorJson(TypedDict):
    """What is wrong with a record, and where."""

    where: str
    message: str


class PileCardJson(TypedDict):
    """A card of a pile; `id` is null where it was not looked up."""

    id: str | None
    name: str
    score: int


class ReadingJson(TypedDict):
    """What became of a record that was read: how it ended, and the first thing that is wrong with it.

    Attributes:
        game: null where it is not known.
        moves: how many could be played.
        ending: a word for how the game ended, null while it is not over.
        match: how its match stands, where the game is one of a match.
    """

    file: str
    game: str | None
    players: list[str]
    over: bool
    moves: int
    winner: str | None
    ending: str | None
    ok: bool
    errors: list[RecordErrorJson]
    match: NotRequired[MatchStandingJson]


class ScoredReadingJson(ReadingJson):
    """What became of a record that was read, with each player's points as far as known.

    Attributes:
        piles: the cards that each player ended with, where the file tells these alone.
    """

    scores: dict[str, int]
    piles: NotRequired[dict[str, list[PileCardJson]]]


class PlyJson(TypedDict):
    """A move, whose it was, and all that were legal before it, sorted."""

    player: str
    move: str
    legal: list[str]


class ReplayJson(TypedDict):
    """The moves of a game, whether it is over, and each player's points."""

    plies: list[PlyJson]
    over: bool
    scores: dict[str, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one record that was read: the record and its last position, or as much of it as could be read.

    Attributes:
        file: where it is: `game.toml`, `games.jsonl:3`.
        game, players: as far as known.
        record: setup and moves; `None` where the setup could not be read. With an error, its moves need not be legal.
        state: the position after the moves that could be played.
        plies: how many moves could be played.
        error: the first thing that is wrong, in the documented order of the checks, or `None`.
    """

    file: str
    game: str | None = None
    players: tuple[str, ...] = ()
    record: Record | None = None
    state: State | None = None
    plies: int = 0
    error: RecordError | None = None

    def require(self) -> Record:
        """The record.

        Raises:
            RecordError: something is wrong with it.
        """
        if self.error is not None or self.record is None:
            raise self.error or RecordError("file", "holds no game")
        return self.record

    def to_dict(self) -> ScoredReadingJson:
        """The reading as scripts see it: `score --json`."""
        points = self.state.scores() if self.state else ()
        outcome = self.state.outcome() if self.state else None
        return reading_json(self.file, self.game, self.players, self.plies, points, outcome, self.error)


def reading_json(
    file: str,
    game: str | None,
    players: tuple[str, ...],
    moves: int,
    points: tuple[int, ...],
    outcome: Outcome | None,
    error: RecordError | None,
) -> ScoredReadingJson:
    """What was read as scripts see it, whatever kind of file it came from; no points where none are known."""
    return {
        "file": file,
        "game": game,
        "players": list(players),
        "over": outcome is not None,
        "moves": moves,
        "scores": dict(zip(players, points, strict=False)),
        "winner": None if outcome is None or outcome.winner is None else players[outcome.winner],
        "ending": None if outcome is None else outcome.ending.code,
        "ok": error is None,
        "errors": [] if error is None else [{"where": error.where, "message": error.message}],
    }


def without_scores(answer: ScoredReadingJson) -> ReadingJson:
    """The same as `validate --json` shows it, which counts nothing."""
    return cast("ReadingJson", {key: value for key, value in answer.items() if key != "scores"})


def replay_json(record: Record, begin: int = 0) -> ReplayJson:
    """A record as `replay --json` shows it: the moves from `begin` on with all that were legal, and where it ends.

    Raises:
        MoveError: a move is not legal.
        UnknownCardError: a move turns up a card that the record does not know.
    """
    plies: list[PlyJson] = [
        {"player": ply.player, "move": ply.move, "legal": list(ply.state.legal_moves())} for ply in record
    ]
    final = record.final()
    scores = dict(zip(final.players, final.scores(), strict=True))
    return {"plies": plies[begin:], "over": final.ending() is not None, "scores": scores}


def read_document(
    document: Mapping[str, Any], lookup: Lookup = no_lookup, *, file: str = "record", decks: DeckLookup = no_decks
) -> Reading:
    """Checks a document of plain values, one thing after the other, up to the first failure; the reading carries it."""
    # Filled in as far as it goes: where a check fails the reading keeps the game, the players and the moves until then.
    reading = Reading(file)
    try:
        # The format first: of a newer one nothing else may be believed. Then the game, which knows the shape of the
        # rest.
        _check_format(document)
        game = document_game(document)
        reading = replace(reading, game=game.name)
        _record_shape(game)(document)
        players = _players(game, document)
        reading = replace(reading, players=players)
        table, lookup = with_decks(game, document, lookup, decks)
        record = _record(game, {**document, "setup": table}, players, lookup)
        record, state, plies, error = _replay(record)
        # A wrong move leaves a record and a position all the same; the result is then not looked at.
        reading = replace(reading, record=record, state=state, plies=plies, error=error)
        if error is None and "result" in document:
            check_result(document["result"]["scores"], state)
    except RecordError as failure:
        return replace(reading, error=failure)
    return reading


def document_game(document: Mapping[str, Any]) -> Game:
    """The game that a document says it is of.

    Raises:
        RecordError: it says none, or one that nobody knows.
    """
    if "game" not in document:
        raise RecordError("game", "is missing: name the game")
    try:
        schema.text(document["game"])
        return find_game(document["game"])
    except RecordError as error:
        raise error.under("game") from None
    except EngineError as error:
        raise RecordError("game", str(error)) from None


def _check_format(document: Mapping[str, Any]) -> None:
    """Raises RecordError where a record is of another format; one that names none is of the first."""
    if "format" not in document:
        return
    try:
        schema.whole(document["format"])
    except RecordError as error:
        raise error.under("format") from None
    if document["format"] != FORMAT:
        words = f"is {document['format']}, but this ccgrid reads format {FORMAT}: a newer one is needed"
        raise RecordError("format", words)


def _record_shape(game: Game) -> Schema:
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


def _players(game: Game, document: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        check_seats(game, players := tuple(document["players"]))
    except EngineError as error:
        raise RecordError("players", str(error)) from None
    if game.has_first and document["first"] not in players:
        raise RecordError("first", f"{quoted(document['first'])} is not one of the players")
    return players


def _record(game: Game, document: Mapping[str, Any], players: tuple[str, ...], lookup: Lookup) -> Record:
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
        # A result for other players is found wrong later, with its place; here it only has to be a tuple.
        result=tuple(claimed[player] for player in players) if claimed.keys() == set(players) else None,
        notes=schema.read_notes(document.get("notes", {})),
        match=match,
    )


def _replay(record: Record) -> tuple[Record, State, int, RecordError | None]:
    """The record with its moves as the rules write them, and the position, up to the first that is wrong; and why."""
    state, moves = record.setup.start(), list(record.moves)
    for index, text in enumerate(record.moves):
        try:
            # What a person wrote loosely becomes the move as the rules write it, so that every reader sees one
            # spelling.
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
    """Compares the scores that players claim with those of a position.

    Raises:
        RecordError: the game is not over, or a score is missing, wrong or nobody's; with its place.
    """
    outcome = state.outcome()
    if outcome is None:
        legal = state.legal_moves()
        more = f"{quoted(legal[0])} can still be played" if legal else "whoever is to move holds cards not known"
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
