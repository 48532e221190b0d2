"""The matrix game: dealing, when a search pays, and reading of setups and endings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine import schema
from ccgrid.engine.cards import UNKNOWN, no_lookup
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, RecordError, quoted
from ccgrid.engine.game import Game, Lookup, check_deal, level_table, read_seats
from ccgrid.engine.games.matrix.cards import KINDS, NUMBERS, Numbers
from ccgrid.engine.games.matrix.heuristic import heuristic
from ccgrid.engine.games.matrix.notation import MatrixNotation
from ccgrid.engine.games.matrix.options import OPTIONS
from ccgrid.engine.games.matrix.rules import COPIES, ROUNDS, MatrixSetup, MatrixState, board_scores
from ccgrid.engine.options import schemas, values_in
from ccgrid.engine.schema import Table

SEARCHED_ROUNDS: Final = 3
"""The number of last rounds that are searched with three or four players."""

COUNTS_FOR: Final = 5
"""The number of playouts of a search for which one of these counts."""


class MatrixGame(Game[MatrixState]):
    """The matrix game."""

    name = "matrix"
    title = "3x3 Number Matrix"
    player_counts = tuple(COPIES)
    levels = level_table(easy=("greedy", 43), fair=("strong:50", 28), hard=("strong:50", 7))
    has_first = False
    notation = MatrixNotation()
    heuristic = staticmethod(heuristic)
    setup_schema = staticmethod(
        schema.table(
            {"board": schema.list_of(schema.whole), "hands": schema.table_of(schema.list_of(schema.text))},
            schemas(OPTIONS),
        )
    )
    ending_schema = staticmethod(
        schema.table({"players": schema.list_of(schema.text), "board": schema.list_of(schema.whole)})
    )

    def rounds_for(self, view: MatrixState, asked: int | None) -> int | None:
        """Return fewer playouts in the last rounds of three or four players, which greedy players evaluate slowly."""
        is_late = len(view.hands) > 2 and not self.is_too_early(view)
        # A playout of such a search plays games whose last rounds are evaluated by `TRIES` playouts each.
        return max(asked // COUNTS_FOR, 1) if asked is not None and is_late else asked

    def is_too_early(self, view: MatrixState) -> bool:
        """Return whether three or four players are before the last rounds: until then only the kept cards matter."""
        return len(view.hands) > 2 and len(view.hands[view.to_move]) > SEARCHED_ROUNDS

    def reveal(self, view: MatrixState, cards: Mapping[str, str]) -> MatrixState:
        """Return the view with these cards in the other hands."""
        hands: dict[int, list[str]] = {}
        for place, kind in cards.items():
            zone, seat, *_ = place.split(":")
            if zone == "hand":
                hands.setdefault(int(seat), []).append(kind)
        return view.with_hands(hands)

    def deal(
        self,
        players: Sequence[str],
        decks: Sequence[Sequence[Card]],
        dice: Dice,
        *,
        first: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> MatrixSetup:
        """Shuffle the numbers and the cards; the scores determine the starting player."""
        check_deal(self, players, decks)
        if first is not None:
            raise ContradictionError(f"in {self.name} the scores decide who starts: leave it out")
        chosen = self.option_values(options)
        pack = dice.shuffled(KINDS * COPIES[len(players)])
        board = dice.shuffled(NUMBERS)
        # Sorted, so that the order of dealing is not visible.
        hands = tuple(tuple(sorted(pack[seat * ROUNDS : (seat + 1) * ROUNDS])) for seat in range(len(players)))
        return MatrixSetup(tuple(players), tuple(board), hands, **chosen)

    def read_setup(
        self, table: Table, players: tuple[str, ...], first: int | None, lookup: Lookup = no_lookup
    ) -> MatrixSetup:
        """Read the board and the hands of a record: 1 to 9 each once, and ten possible cards per player."""
        board = _read_board(table["board"])
        copies = COPIES[len(players)]
        counts: Counter[str] = Counter()
        hands: list[tuple[str | None, ...]] = []
        for place, hand in schema.player_entries(table, "hands", players, f"every player is dealt {ROUNDS} cards"):
            if len(hand) != ROUNDS:
                raise RecordError(place, f"must be {ROUNDS} cards, not {len(hand)}")
            for index, kind in enumerate(hand):
                if kind == UNKNOWN:
                    continue
                if kind not in KINDS:
                    known = f"the cards are {', '.join(KINDS)}"
                    raise RecordError(f"{place}[{index}]", f"{quoted(kind)} is not a card; {known}")
                counts[kind] += 1
                if counts[kind] > copies:
                    there_are = f"there are {copies} of each card for {len(players)} players"
                    raise RecordError(f"{place}[{index}]", f"is one {kind} too many: {there_are}")
            known_kinds = sorted(kind for kind in hand if kind != UNKNOWN)
            # Unknown cards come after the known ones, as in `MatrixSetup`.
            hands.append((*known_kinds, *(None,) * (ROUNDS - len(known_kinds))))
        hands = _fill_gaps(hands, counts)
        return MatrixSetup(players, board, tuple(hands), **values_in(OPTIONS, table))

    def score_ending(self, document: Table, lookup: Lookup = no_lookup) -> dict[str, int]:
        """Return each player's sum of the three numbers in front of them on the last board.

        `players` is in seat order.
        """
        players = read_seats(self, document["players"], "players")
        return dict(zip(players, board_scores(_read_board(document["board"]), len(players)), strict=True))


def _fill_gaps(hands: list[tuple[str | None, ...]], known: Counter[str]) -> list[tuple[str | None, ...]]:
    """Return the hands of two players; a hand with gaps has the cards that the other does not have."""
    with_gaps = [seat for seat, hand in enumerate(hands) if None in hand]
    if len(hands) != 2 or len(with_gaps) != 1:
        return hands
    [seat] = with_gaps
    # Two players are dealt all cards: each card is in one of the hands.
    missing = [kind for kind in KINDS for _ in range(COPIES[2] - known[kind])]
    whole = tuple(sorted((*(kind for kind in hands[seat] if kind is not None), *missing)))
    return [whole, hands[1]] if seat == 0 else [hands[0], whole]


def _read_board(numbers: Sequence[int]) -> Numbers:
    if len(numbers) != len(NUMBERS):
        raise RecordError("board", f"must be {len(NUMBERS)} numbers, row by row, not {len(numbers)}")
    for index, number in enumerate(numbers):
        if number not in NUMBERS:
            raise RecordError(f"board[{index}]", f"must be {NUMBERS[0]} to {NUMBERS[-1]}, not {number}")
        if number in numbers[:index]:
            raise RecordError(f"board[{index}]", f"repeats the number {number}: each number must occur exactly once")
    return tuple(numbers)


GAME: Final = MatrixGame()
