"""Games of grid between random and greedy players, played on lanes in plain Python."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from catalog.card import Card
from engine.deal_checks import check_seats
from engine.deck_sources import FixedDecks, RandomDecks
from engine.dice import Dice
from engine.games.grid.game import GAME, legal_card
from engine.games.grid.lanes import EMPTY_CELL, ENDS, LEGAL, NAMES, SCORE, Row, greediest, position, row_of
from engine.games.grid.options import Options
from engine.games.grid.state import DECK_SIZE, GRID_SIZE, GridSetup
from engine.kernels import throws
from engine.kernels.alike import kinds
from engine.kernels.batch import Batch, Deals
from engine.options import as_fields
from engine.players import choose_move, find_player
from engine.tally import Lineup

_POLICIES: Final = ("random", "greedy")
_LOW: Final = (1 << 32) - 1
_GAME: Final = throws.Row(2 * DECK_SIZE)
"""A game takes 19 throws to shuffle, 1 to say who starts, and at most 19 to play."""

_DRAWN_GAME: Final = throws.Row(3 * DECK_SIZE)
_NO_PILE: Final = (EMPTY_CELL,) * GRID_SIZE

Deal = tuple[list[Row], tuple[int, ...]]
"""The cards before they are shuffled, and the high bits of all throws that follow."""

Dealer = Callable[[int], Deal | None]
"""Gives the deck of the game with a seed; nothing if a die may have to be thrown again."""

Played = tuple[int, int, list[int], list[int]]
"""The seat that started, how many moves there were, every seat's points, and the bits of the moves if wanted."""


class GridKernel:
    """Plays every variant, whatever decks it is given."""

    games_at_once: Final = 1_000
    is_compiled: Final = False

    def __init__(self) -> None:
        self._last: tuple[Lineup, Dealer] | None = None

    def fits(self, lineup: Lineup) -> bool:
        """Whether it is grid between random and greedy players."""
        return lineup.game == "grid" and all(name in _POLICIES for name in lineup.policies)

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers."""
        deals = Deals(list(throws.fork_seeds(lineup.seed, numbers)))
        return replace(self.run_dealt(lineup, deals, keep_moves=keep_moves), numbers=numbers)

    def run_dealt(self, lineup: Lineup, deals: Deals, *, keep_moves: bool = False) -> Batch:
        """Plays games with dice and starters of their own."""
        seats = len(lineup.policies)
        options = Options(**as_fields(GAME.chosen(lineup.options)))
        policies = [name == "greedy" for name in deals.seated(lineup.policies)]
        table = _Table.of(options, policies)
        dealt = self._dealer(lineup)
        first, plies, scores = [], [], []
        moves: list[tuple[str, ...]] = []
        numbers = range(len(deals.drawing))
        for number, seed in zip(numbers, deals.drawing, strict=True):
            deal = dealt(seed)
            if deal and (deals.dealing or deals.first):
                deal = _dealt_apart(deal, deals, number, seats)
            if deal:
                starts, count, points, bits = _play(*deal, table, keep_moves)
                first.append(starts)
                plies.append(count)
                scores.append(points)
                if keep_moves:
                    moves.append(tuple([NAMES[bit] for bit in bits]))
            else:  # some die has to be thrown again, which the readable rules see to
                setup, played, final = _play_readably(lineup, deals, number)
                first.append(setup.first)
                plies.append(len(played))
                scores.append([*final])
                moves.append(played)
        columns = tuple(zip(*scores, strict=True)) if scores else ((),) * seats
        return Batch(numbers, first, plies, columns, [0] * len(first), ("no-captures",), moves if keep_moves else None)

    def _dealer(self, lineup: Lineup) -> Dealer:
        last = self._last  # another thread may play another lineup
        if last is None or last[0] is not lineup:
            last = self._last = lineup, _dealer(lineup)
        return last[1]


def _dealer(lineup: Lineup) -> Dealer:
    source = lineup.decks
    if isinstance(source, FixedDecks):
        rows = _rows(lineup, source.decks)
        return lambda seed: (rows, high) if throws.are_fair(high := _GAME.high(seed)) else None
    if (
        isinstance(source, RandomDecks)
        and (source.size, source.count) == (DECK_SIZE, 1)
        and len(source.cards) > DECK_SIZE
    ):
        check_seats(GAME, lineup.players)
        Options(**as_fields(GAME.chosen(lineup.options)))
        return _Drawn(source.cards).deal

    def deal(seed: int) -> Deal | None:
        dice = Dice(seed)
        rows = _rows(lineup, source(dice))
        return (rows, high) if throws.are_fair(high := _GAME.high(dice.state)) else None

    return deal


def _rows(lineup: Lineup, decks: Sequence[Sequence[Card]]) -> list[Row]:
    GAME.deal(lineup.players, decks, Dice(0), options=lineup.options)  # refuses what cannot be played
    return [row_of(card) for card in decks[0]]


def _dealt_apart(deal: Deal, deals: Deals, number: int, seats: int) -> Deal | None:
    """A deal with the throws of other dice than those that drew the deck; nothing if some must be thrown again."""
    rows, high = deal
    dealing = _GAME.high(deals.dealing[number]) if deals.dealing else tuple(high)
    playing = _GAME.high(deals.playing[number]) if deals.playing else ()
    if not throws.are_fair(dealing + playing):
        return None
    shuffled, (starts, *moves) = dealing[: DECK_SIZE - 1], dealing[DECK_SIZE - 1 :]
    if deals.first:
        moves = [starts, *moves]  # nobody throws for who starts
        starts = -(-(deals.first[number] << 32) // seats)
    return rows, (*shuffled, starts, *(playing or moves))


class _Drawn:
    """Decks drawn from a pool, whose rows are made when they are first drawn, one for all cards that are alike."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._cards = cards
        self._kinds = kinds(cards)
        self._rows: list[Row | None] = [None] * (max(self._kinds) + 1)

    def deal(self, seed: int) -> Deal | None:
        high = _DRAWN_GAME.high(seed)
        if not throws.are_fair(high[DECK_SIZE:]):
            return None
        kinds, made = self._kinds, self._rows
        moved: dict[int, int] = {}
        rows = []
        sides = len(self._cards)
        for place, thrown in enumerate(high[:DECK_SIZE]):
            product = thrown * sides
            if product & _LOW < sides:
                return None
            other = place + (product >> 32)
            sides -= 1
            card = moved.get(other, other)
            moved[other] = moved.get(place, place)
            rows.append(made[kinds[card]] or self._row(card))
        return rows, high[DECK_SIZE:]

    def _row(self, place: int) -> Row:
        row = self._rows[self._kinds[place]] = row_of(legal_card(self._cards[place]))
        return row


@dataclass(frozen=True, slots=True)
class _Table:
    """Who plays how, in which order, and by which variants.

    Attributes:
        seats: the seat that makes each move, by the seat that starts.
        greedy: whether that is a greedy player's.
        komi: the points of everybody but who starts.
        in_turn: whether everybody makes one move after the other.
        to_the_end: whether the pile is used up.
    """

    seats: tuple[tuple[int, ...], ...]
    greedy: tuple[tuple[bool, ...], ...]
    komi: int
    in_turn: bool
    to_the_end: bool

    @classmethod
    def of(cls, options: Options, policies: Sequence[bool]) -> "_Table":
        count = len(policies)
        seats = tuple(
            tuple([(first + options.turn(moves)) % count for moves in range(DECK_SIZE)]) for first in range(count)
        )
        greedy = tuple(tuple([policies[seat] for seat in row]) for row in seats)
        return cls(seats, greedy, options.komi, not options.in_pairs, options.empty_pile)


def _play(deck: Sequence[Row], high: Sequence[int], table: _Table, keep_moves: bool) -> Played:
    cards, seats = [*deck], len(table.seats)
    for place in range(DECK_SIZE - 1):
        other = place + (high[place] * (DECK_SIZE - place) >> 32)
        cards[place], cards[other] = cards[other], cards[place]
    first = high[DECK_SIZE - 1] * seats >> 32
    grid = cards[:GRID_SIZE]
    lanes = position(grid)
    worth, bits = [], []
    pile = chain(cards[GRID_SIZE:], _NO_PILE)
    for card, thrown, is_greedy in zip(pile, high[DECK_SIZE:], table.greedy[first], strict=False):
        legal = lanes & LEGAL
        if not legal:
            if not table.to_the_end:
                break
            lanes, card = _covered(grid, lanes, card, pile)
            legal = lanes & LEGAL
            if not legal:
                break
        if is_greedy:
            bit = _greediest(legal, grid, thrown)
        else:
            for _ in range(thrown * legal.bit_count() >> 32):
                legal &= legal - 1
            bit = legal & -legal
        source, target, move = ENDS[bit]
        mover, taken = grid[source], grid[target]
        lanes += card[source] + mover[move] - taken[target]
        grid[source], grid[target] = card, mover
        worth.append(taken[SCORE])
        if keep_moves:
            bits.append(bit)
    if table.in_turn:
        points = [sum(worth[turn::seats]) for turn in range(seats)]
        points = points[seats - first :] + points[: seats - first]
    else:
        points = [0] * seats
        for seat, score in zip(table.seats[first], worth, strict=False):
            points[seat] += score
    if table.komi:
        points = [score + (table.komi if seat != first else 0) for seat, score in enumerate(points)]
    return first, len(worth), points, bits


def _covered(grid: list[Row], lanes: int, card: Row, pile: Iterator[Row]) -> tuple[int, Row]:
    """The lanes after cards were laid over those on the grid until one takes another, and the next card of the pile."""
    place = 0
    while card is not EMPTY_CELL and not lanes & LEGAL:
        lanes += card[place] - grid[place][place]
        grid[place] = card
        card = next(pile)
        place = (place + 1) % GRID_SIZE
    return lanes, card


def _greediest(legal: int, grid: Sequence[Row], thrown: int) -> int:
    found = greediest(legal, grid)
    return found[thrown * len(found) >> 32]


def _play_readably(lineup: Lineup, deals: Deals, number: int) -> tuple[GridSetup, tuple[str, ...], tuple[int, ...]]:
    players = [find_player(name) for name in deals.seated(lineup.policies)]
    dice = Dice(deals.drawing[number])
    decks = lineup.decks(dice)
    if deals.dealing:
        dice = Dice(deals.dealing[number])
    first = deals.first[number] if deals.first else None
    setup = GAME.deal(deals.seated(lineup.players), decks, dice, first=first, options=lineup.options)
    if deals.playing:
        dice = Dice(deals.playing[number])
    state, moves = setup.start(), []
    while state.legal_moves():
        moves.append(choose_move(players[state.to_move], state, dice))
        state = state.play_unchecked(moves[-1])
    return setup, tuple(moves), state.scores()


KERNEL: Final = GridKernel()
