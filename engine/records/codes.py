"""Codes: records and decks as one line of text.

A game with a shared deck takes at most 900 characters; other games are complete. A move is stored as its index among
the legal moves, so that every decoded game conforms to the rules.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from zlib import crc32

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_lines import from_lines, id_in_parts, shorten, to_lines
from ccgrid.catalog.codes import Code, CodeError, read_code
from ccgrid.catalog.letters import NumberReader, NumberWriter
from ccgrid.catalog.plugins import PluginError
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.cards import no_lookup, zone_card_table
from ccgrid.engine.errors import EngineError, RecordError
from ccgrid.engine.game import AnyGame
from ccgrid.engine.games import find_game
from ccgrid.engine.records.record import (
    Record,
)
from ccgrid.engine.schema import Table, parse_json, to_json_line

LONGEST_LINE: Final = 900
"""The maximum length, in characters, of the line of a game with one shared deck."""

# The numbers of letters of names to try, after complete names.
_LETTERS: Final = (20, 16, 12, 9, 6, 4, 2, 0)
_PLAYER_LETTERS: Final = 8
_TWO_PLAYERS: Final = 2
_SEAT_BASE: Final = 8
"""A number larger than the number of players of any game."""

_IN_NUMBERS: Final = ("game", "format", "players", "first", "moves", "setup")
_IDS: Final = "the ids of the cards"
_NOTES: Final = "the date, the seed and the notes"
_ENDS: Final = "the ends of names"
_UNPLAYABLE: Final = "the code is complete, but it holds no game that can be played: ask for another"


class WrittenCode(NamedTuple):
    """A code, and descriptions of the details that did not fit."""

    line: str
    left_out: tuple[str, ...] = ()


class _Detail(NamedTuple):
    """The level of detail of a code: letters of names (None for all), ids, notes, and letters of players' names."""

    letters: int | None = None
    ids: bool = True
    notes: bool = True
    players: int | None = None

    def left_out(self, record: Record) -> tuple[str, ...]:
        """Return descriptions of the details that are missing from a record."""
        cards = record.setup.to_table()["cards"]
        cut = ((self.letters, [card.get("name", "") for card in cards]), (self.players, record.setup.players))
        return tuple(
            words
            for words, is_missing in (
                (_IDS, not self.ids and any("id" in card for card in cards)),
                (_NOTES, not self.notes and bool(_metadata(record))),
                (_ENDS, any(most is not None and len(name) > most for most, names in cut for name in names)),
            )
            if is_missing
        )


# From complete to minimal: the first level that fits into a line is used.
_DETAILS: Final = (
    _Detail(),
    _Detail(ids=False),
    _Detail(ids=False, notes=False),
    *(_Detail(letters, ids=False, notes=False) for letters in _LETTERS),
    *(_Detail(letters, ids=False, notes=False, players=_PLAYER_LETTERS) for letters in _LETTERS),
    _Detail(0, ids=False, notes=False, players=0),
)


def record_code(record: Record) -> WrittenCode:
    """Return the record as a code. If a shared deck makes it too long, omit ids, then notes, then ends of names.

    Raises:
        MoveError: If a move is not legal.
        UnknownCardError: If a move reveals an unknown card.
        CodeError: If it is too long for any line.
    """
    table = record.setup.to_table()
    if not _has_shared_deck(table):
        setup = f"{record.setup.game}\n{to_json_line(table)}"
        numbers = _number_stream(record, setup, record.setup.players, (), is_variant=False)
        return WrittenCode(str(Code(setup, numbers, _extra_json(_metadata(record)))))
    for detail in _DETAILS:
        line = _shared_deck_line(record, table, detail)
        if len(line) <= LONGEST_LINE:
            return WrittenCode(line, detail.left_out(record))
    return WrittenCode(line, _DETAILS[-1].left_out(record))


def in_code_order(cards: Sequence[Card]) -> list[Card]:
    """Return the cards of a shared deck, with the fields that records store, in the order used by codes."""
    return sorted((_card(zone_card_table(card)) for card in cards), key=lambda card: to_lines((card,)))


def deck_code(game: str, cards: Sequence[Card], name: str = "", seed: int | None = None) -> WrittenCode:
    """Return a deck as a code. A shared deck is shortened as by `record_code`.

    Raises:
        CodeError: If it is too long for any line.
    """
    extra = {key: value for key, value in (("name", name), ("seed", seed)) if value not in ("", None)}
    # Each player has a deck, so that the deck is not shared: omit nothing.
    if find_game(game).decks_needed(_TWO_PLAYERS) != 1:
        return WrittenCode(str(Code(f"{game}\n{to_lines(cards)}", None, _extra_json(extra))))
    ordered = in_code_order(cards)
    for detail in _DETAILS:
        text = _deck_text(game, ordered, detail.letters, detail.ids)
        line = str(Code(text, None, _extra_json(extra) if detail.notes else ""))
        if len(line) <= LONGEST_LINE:
            break
    long = detail.letters is not None and any(len(card.name) > detail.letters for card in cards)
    left = ((_IDS, not detail.ids), ("the name of the deck", not detail.notes and bool(extra)), (_ENDS, long))
    return WrittenCode(line, tuple(words for words, is_missing in left if is_missing))


def code_document(text: str) -> dict[str, object]:
    """Decode a code into a document for `read_document`.

    Raises:
        RecordError: If the code cannot be read, or contains a deck instead of a game.
    """
    try:
        code = read_code(text)
    except CodeError as error:
        raise RecordError("file", str(error)) from None
    if code.game is None:
        raise RecordError("file", "this is the code of a deck, not of a game: ccgrid deck show CODE")
    try:
        return _document(code)
    except PluginError as error:
        raise RecordError("file", str(error)) from None
    except (EngineError, ValueError, KeyError, TypeError):
        raise RecordError("file", _UNPLAYABLE) from None


def _document(code: Code) -> dict[str, object]:
    name, _, deck = code.deck.partition("\n")
    more = parse_json(code.more.encode("utf-8", "surrogatepass")) if code.more else {}
    # The inverse of `_number_stream`, number by number.
    reader = NumberReader(code.game or b"")
    players = tuple(reader.take_text() for _ in range(reader.take(_SEAT_BASE)))
    first, claims = reader.take(_SEAT_BASE), reader.take(2)
    if first > len(players):
        raise ValueError("the starting player is not one of the players")
    # Not needed here: whether options differ from the defaults, and the deck's checksum, which identifies games of a
    # deck without unpacking.
    reader.take(2)
    reader.take()
    game = find_game(name)
    if deck.startswith("{"):
        table, _ = parse_json(deck.encode("utf-8", "surrogatepass")), reader.take()
    else:
        table = _read_shared_setup(game, list(from_lines(deck)), reader)
    table |= more.get("setup", {})
    game.setup_schema(table)
    state = game.read_setup(table, players, first - 1 if first else None, no_lookup).start()
    moves = []
    for _ in range(reader.take()):
        legal = state.legal_moves()
        # Without a legal move, the empty move is rejected below.
        moves.append(legal[reader.take(len(legal))] if legal else "")
        state = state.play_unchecked(moves[-1])
    if not reader.is_at_end:
        raise ValueError("there is more than a game")
    document = {"game": name, "players": list(players), "moves": moves, "setup": table}
    document |= {"first": players[first - 1]} if first else {}
    if claims and state.outcome() is not None:
        document["result"] = {"scores": dict(zip(players, state.scores(), strict=True))}
    return document | {key: value for key, value in more.items() if key != "setup"}


def _read_shared_setup(game: AnyGame, cards: list[Card], reader: NumberReader) -> dict[str, object]:
    """Return the setup of a game with a shared deck: the revealed cards, and the others if the game stores them."""
    # If more cards are claimed than exist, `take` fails, because no number is below 0.
    known = [zone_card_table(cards.pop(reader.take(len(cards)))) for _ in range(reader.take())]
    left = {"pile": [zone_card_table(card) for card in cards]} if cards else {}
    try:
        game.setup_schema({"cards": known, **left})
    except RecordError:
        left = {}
    return {"cards": known, **left}


def _shared_deck_line(record: Record, table: Table, detail: _Detail) -> str:
    known, left = ([_card(card) for card in table.get(key, ())] for key in ("cards", "pile"))
    ordered = sorted([*known, *left], key=lambda card: to_lines((card,)))
    lines = to_lines(ordered).split("\n")
    order = []
    for card in known:
        # An index among the remaining cards: every such number is valid, so that every code is an order of the deck.
        # `index` finds the first of equal cards; copies are interchangeable.
        order.append(lines.index(to_lines((card,))))
        lines.pop(order[-1])
    rest = {key: value for key, value in table.items() if key not in ("cards", "pile")}
    extra = (_metadata(record) if detail.notes else _rules_metadata(record)) | ({"setup": rest} if rest else {})
    players = _shorten_names(record.setup.players, detail.players)
    deck = _deck_text(record.setup.game, ordered, detail.letters, detail.ids)
    return str(Code(deck, _number_stream(record, deck, players, order, is_variant=bool(rest)), _extra_json(extra)))


def _deck_text(game: str, ordered: Sequence[Card], letters: int | None, ids: bool) -> str:
    return f"{game}\n{to_lines(shorten(card, letters, with_id=ids) for card in ordered)}"


def _card(table: Table) -> Card:
    zones = {zone: table["zones"][zone] for zone in ZONES if zone in table["zones"]}
    card_id = table.get("id", "")
    number = id_in_parts(card_id)[2]  # a record stores no number besides the id
    return Card(card_id, "", table.get("name", ""), zones, table["score"], table.get("set", ""), "", number)


def _has_shared_deck(table: Table) -> bool:
    """Return whether a setup has one shared deck of cards with zones, all of them known."""
    cards = [*table.get("cards", ()), *table.get("pile", ())]
    return bool(cards) and all(isinstance(card, dict) and "zones" in card for card in cards)


def _deck_number(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"))


def _number_stream(
    record: Record, deck: str, players: Sequence[str], order: Sequence[int], *, is_variant: bool
) -> bytes:
    """Encode players, starting player, order of the cards, and moves; `is_variant`: options differ from defaults."""
    # The numbers, in sequence:
    #
    #     players, names   starting   result?   variant?   checksum   cards, indices   moves, indices
    #                      player                         of the     among cards      among legal
    #                      (0: none)                      deck       not revealed     moves
    writer = NumberWriter()
    writer.put(len(players))
    for player in players:
        writer.put_text(player)
    first = record.setup.first
    writer.put(0 if first is None else first + 1)
    writer.put(0 if record.result is None else 1)
    writer.put(1 if is_variant else 0)
    writer.put(_deck_number(deck))
    writer.put(len(order))
    for place in order:
        writer.put(place)
    writer.put(len(record.moves))
    for ply in record:
        writer.put(ply.state.legal_moves().index(ply.move))
    return bytes(writer.data)


def _metadata(record: Record) -> dict[str, object]:
    """Return the content of a record besides the game itself."""
    document = replace(record, moves=(), result=None).to_document()
    return {key: value for key, value in document.items() if key not in _IN_NUMBERS}


def _rules_metadata(record: Record) -> dict[str, object]:
    """Return the part of the metadata that the rules may need."""
    return {key: value for key, value in _metadata(record).items() if key not in ("date", "event", "seed", "notes")}


def _extra_json(extra: Mapping[str, object]) -> str:
    return to_json_line(extra) if extra else ""


def _shorten_names(players: Sequence[str], letters: int | None) -> Sequence[str]:
    """Shorten the players' names and keep them different."""
    cut = [player if letters is None else player[:letters].strip() for player in players]
    # Names that would be empty or equal become the numbers of the seats.
    return cut if all(cut) and len(set(cut)) == len(cut) else [str(seat) for seat in range(1, len(cut) + 1)]
