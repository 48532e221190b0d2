"""The matrix game: a board of the numbers 1 to 9 that every card rearranges, and a seat scores what lies before it."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, ClassVar, Final, Self

from catalog.card import Card
from engine import schema
from engine.board import AROUND_THE_TABLE
from engine.cards import no_lookup
from engine.game import EngineError, Lookup, Schema, State, UnknownCardError, check_seats, quoted
from engine.games.matrix.cards import (
    BOARD,
    CENTRE,
    KINDS,
    MOVES,
    MOVES_BY_CENTRE,
    NUMBERS,
    ROTATIONS,
    Numbers,
    arranged,
    is_notation,
    moves_typed,
    why_no_move,
)
from engine.schema import RecordError

ROUNDS: Final = 10
_CELLS: Final = {
    "south": ("a3", "b3", "c3"),
    "west": ("a1", "a2", "a3"),
    "north": ("a1", "b1", "c1"),
    "east": ("c1", "c2", "c3"),
}
_FRONT: Final = {side: itemgetter(*(BOARD.cells.index(cell) for cell in cells)) for side, cells in _CELLS.items()}
_FRONTS: Final = {players: tuple(_FRONT[side] for side in sides) for players, sides in AROUND_THE_TABLE.items()}
_COPIES: Final = {2: 2, 3: 4, 4: 4}
"""How many cards of each kind are shuffled, by the number of players."""

_KEEPING: Final = 3
_BEHIND: Final = 3
_WORTH: Final = {
    side: {"switch-corners": 7, "switch-edges": 5, "swap-odd": 4, "swap-even": 3, **dict.fromkeys(shifts, 6)}
    for side, shifts in {
        "south": ("shift-north", "shift-south"),
        "west": ("shift-west", "shift-east"),
        "north": ("shift-north", "shift-south"),
        "east": ("shift-west", "shift-east"),
    }.items()
}
"""The lead in points that one card of a kind gives a seat at the end, about; the other kinds give none on average."""


@dataclass(frozen=True, slots=True)
class MatrixSetup:
    """The players, the board, each seat's hand, sorted, and how far the rotate cards turn.

    In a view a hidden card is `None`.
    """

    players: tuple[str, ...]
    board: Numbers
    hands: tuple[tuple[str | None, ...], ...]
    rotate: str = ROTATIONS[0]
    game: ClassVar[str] = "matrix"
    first: ClassVar[int | None] = None

    def start(self) -> "MatrixState":
        """The board and hands as dealt; the highest score goes first, equal scores in seat order."""
        order = _order(self.board, tuple(range(len(self.players))))
        return MatrixState(self, self.board, self.hands, order, order[0])

    def to_table(self) -> dict[str, Any]:
        """The `[setup]` table of a record; `UnknownCardError` where a card is hidden."""
        if any(None in hand for hand in self.hands):
            raise UnknownCardError("a record needs every card of every hand, and some are hidden here")
        hands = {player: list(hand) for player, hand in zip(self.players, self.hands, strict=True)}
        rotate = {} if self.rotate == ROTATIONS[0] else {"rotate": self.rotate}
        return {"board": list(self.board), "hands": hands, **rotate}


@dataclass(frozen=True, slots=True)
class MatrixState(State):
    """A position: the numbers in the order of `BOARD.cells`, each seat's hand, this round's order, and who moves."""

    setup: MatrixSetup = field(repr=False)
    board: Numbers
    hands: tuple[tuple[str | None, ...], ...]
    order: tuple[int, ...]
    to_move: int
    notation: ClassVar[str] = (
        "switch-corners a1 c3, shift-north b, swap-even 4 or rotate-clockwise: a card and its places"
    )

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.setup.players

    @property
    def round(self) -> int:
        """The round that is being played, from 1; 11 after the last."""
        return ROUNDS + 1 - len(self.hands[self.order[-1]])

    def number_on(self, cell: str) -> int:
        """The number on a cell."""
        return self.board[BOARD.cells.index(cell)]

    def played(self, seat: int) -> tuple[str, ...]:
        """The cards that a seat has played, sorted; everybody saw them."""
        played = list(self.setup.hands[seat])
        for kind in self.hands[seat]:
            played.remove(kind)
        return tuple([kind for kind in played if kind is not None])

    def legal_moves(self) -> tuple[str, ...]:
        """Whatever the cards in hand can do; two cards of one kind do the same."""
        centre = self.board[CENTRE]
        moves: list[str] = []
        for kind in dict.fromkeys(self.hands[self.to_move]):
            if kind is not None:
                moves += MOVES_BY_CENTRE[kind][centre]
        return tuple(moves)

    def play_unchecked(self, move: str) -> Self:
        """Rearranges the board, lays the card away; after everybody's card, a new round in the order of the scores."""
        setup, seat, order = self.setup, self.to_move, self.order
        kind = move.partition(" ")[0]
        hand = self.hands[seat]
        if kind not in hand:
            raise UnknownCardError("this move plays a card that is not known")
        left = hand.index(kind)
        hands = (*self.hands[:seat], (*hand[:left], *hand[left + 1 :]), *self.hands[seat + 1 :])
        board = arranged(self.board, move, setup.rotate)
        following = order.index(seat) + 1
        if following == len(order):
            order, following = _order(board, order), 0
        return type(self)(setup, board, hands, order, order[following])

    def scores(self) -> tuple[int, ...]:
        """Each seat's sum of the three numbers in front of it."""
        return _scores(self.board, len(self.hands))

    def ending(self) -> str | None:
        """The game is over after ten rounds, when all cards are played."""
        return None if any(self.hands) else "all ten rounds are played"

    def view(self, seat: int) -> Self:
        """The other hands are hidden, but for what was played from them.

        With two players nothing is hidden: all cards are dealt, so whoever sees one hand knows the other.
        """
        if len(self.hands) == 2:
            return self
        seats = range(len(self.hands))
        hands = tuple(hand if one == seat else (None,) * len(hand) for one, hand in enumerate(self.hands))
        dealt = tuple(self.setup.hands[one] if one == seat else (*self.played(one), *hands[one]) for one in seats)
        setup = MatrixSetup(self.setup.players, self.setup.board, dealt, self.setup.rotate)
        return type(self)(setup, self.board, hands, self.order, self.to_move)

    def heuristic(self, move: str) -> float:
        """With the last card the lead over the best of the others; before, weak cards first, and a place just behind.

        Only the last board counts, and the lowest score has the last word on it.
        """
        seat, players = self.to_move, len(self.hands)
        scores = _scores(arranged(self.board, move, self.setup.rotate), players)
        lead = scores[seat] - max(scores[:seat] + scores[seat + 1 :])
        if len(self.hands[seat]) == 1:
            return lead
        worth = _WORTH[AROUND_THE_TABLE[players][seat]].get(move.partition(" ")[0], 0)
        return -abs(lead + _BEHIND) - _KEEPING * worth

    def is_notation(self, move: str) -> bool:
        """Whether the text is a kind of card and what that kind wants."""
        return is_notation(move)

    def why_illegal(self, move: str) -> str:
        """That the card cannot do this, or is not in hand; or that the number is in the centre already."""
        if move not in MOVES:
            return why_no_move(move)
        kind, _, place = move.partition(" ")
        hand = self.hands[self.to_move]
        if kind not in hand:
            left = ", ".join(one for one in dict.fromkeys(hand) if one)
            return f"{quoted(self.players[self.to_move])} has no {kind} in hand, but {left}"
        return f"{place} is in the centre already"

    def moves_meant(self, text: str) -> tuple[str, ...]:
        """`corners c1 a1`, `north b`, `swap 4`, `cw`; also a card or places alone, if nothing else can be meant."""
        return moves_typed(text) or ((text,) if is_notation(text) else ())


def _scores(board: Numbers, players: int) -> tuple[int, ...]:
    return tuple([sum(front(board)) for front in _FRONTS[players]])


def _order(board: Numbers, before: tuple[int, ...]) -> tuple[int, ...]:
    """The seats by their scores, highest first; equal scores keep the order they had before."""
    scores = _scores(board, len(before))
    return tuple(sorted(before, key=scores.__getitem__, reverse=True))


class MatrixGame:
    """The matrix game as `engine.games` lists it."""

    name: Final = "matrix"
    title: Final = "3x3 Number Matrix"
    player_counts: Final = tuple(_COPIES)
    has_first: Final = False
    setup_schema: Final[Schema] = staticmethod(
        schema.table(
            {"board": schema.list_of(schema.whole), "hands": schema.table_of(schema.list_of(schema.text))},
            {"rotate": schema.text},
        )
    )
    ending_schema: Final[Schema] = staticmethod(
        schema.table({"players": schema.list_of(schema.text), "board": schema.list_of(schema.whole)})
    )

    def decks_needed(self, players: int) -> int:
        """None: the game has its own cards."""
        return 0

    def deal(
        self,
        players: Sequence[str],
        decks: Sequence[Sequence[Card]],
        rng: random.Random,
        *,
        first: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> MatrixSetup:
        """Shuffles the numbers and the cards; the option `rotate` is `quarter`, or `step` for the variant.

        Nobody can be said to start: the scores decide.
        """
        check_seats(self, players)
        if decks:
            raise EngineError(f"{self.name} has its own cards: play it without a deck")
        if first is not None:
            raise EngineError(f"in {self.name} the scores say who starts: leave it out")
        chosen = dict(options or {})
        rotate = _rotation(chosen.pop("rotate", ROTATIONS[0]))
        if chosen:
            raise EngineError(f"{self.name} has no option {quoted(next(iter(chosen)))}: there is rotate")
        pack = list(KINDS) * _COPIES[len(players)]
        board = list(NUMBERS)
        rng.shuffle(pack)
        rng.shuffle(board)
        hands = tuple(tuple(sorted(pack[seat * ROUNDS : (seat + 1) * ROUNDS])) for seat in range(len(players)))
        return MatrixSetup(tuple(players), tuple(board), hands, rotate)

    def read_setup(
        self, table: Mapping[str, Any], players: tuple[str, ...], first: int | None, lookup: Lookup = no_lookup
    ) -> MatrixSetup:
        """The board and the hands of a record: 1 to 9 each once, and ten cards each that can have been dealt."""
        board = _read_board(table["board"])
        copies = _COPIES[len(players)]
        counts: Counter[str] = Counter()
        hands = []
        for place, hand in schema.each_players(table, "hands", players, f"every player is dealt {ROUNDS} cards"):
            if len(hand) != ROUNDS:
                raise RecordError(place, f"must be {ROUNDS} cards, not {len(hand)}")
            for index, kind in enumerate(hand):
                if kind not in KINDS:
                    raise RecordError(f"{place}[{index}]", f"{quoted(kind)} is no card: there are {', '.join(KINDS)}")
                counts[kind] += 1
                if counts[kind] > copies:
                    there_are = f"there are {copies} of each card for {len(players)} players"
                    raise RecordError(f"{place}[{index}]", f"is one {kind} too many: {there_are}")
            hands.append(tuple(sorted(hand)))
        try:
            rotate = _rotation(table.get("rotate", ROTATIONS[0]))
        except EngineError as error:
            raise RecordError("rotate", str(error)) from None
        return MatrixSetup(players, board, tuple(hands), rotate)

    def score_ending(self, document: Mapping[str, Any], lookup: Lookup = no_lookup) -> dict[str, int]:
        """Each player's sum of the three numbers in front of it on the last board; `players` is in seat order."""
        players: Sequence[str] = document["players"]
        try:
            check_seats(self, players)
        except EngineError as error:
            raise RecordError("players", str(error)) from None
        return dict(zip(players, _scores(_read_board(document["board"]), len(players)), strict=True))


def _rotation(value: object) -> str:
    if value not in ROTATIONS:
        raise EngineError(f"must be {' or '.join(map(quoted, ROTATIONS))}, not {quoted(value)}")
    return str(value)


def _read_board(numbers: Sequence[int]) -> Numbers:
    if len(numbers) != len(NUMBERS):
        raise RecordError("board", f"must be {len(NUMBERS)} numbers, row by row, not {len(numbers)}")
    for index, number in enumerate(numbers):
        if number not in NUMBERS:
            raise RecordError(f"board[{index}]", f"must be {NUMBERS[0]} to {NUMBERS[-1]}, not {number}")
        if number in numbers[:index]:
            raise RecordError(f"board[{index}]", f"is a second {number}: each number is there once")
    return tuple(numbers)
