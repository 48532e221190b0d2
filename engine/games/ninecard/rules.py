"""Rules of the ninecard game: positions with the cards on the table, the legal moves, and their effects."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import ClassVar, Final

from ccgrid.engine.cards import UNKNOWN, sorted_by_name, without
from ccgrid.engine.errors import UnknownCardError, quoted
from ccgrid.engine.game import Ending, State, Unseen
from ccgrid.engine.games.ninecard.cards import GAP, HAND_SIZE, Creature, DeckList, Energy, HiddenCard, energy_allowed
from ccgrid.engine.games.ninecard.combat import (
    BOARD,
    COLUMNS,
    EMPTY_GRID,
    NEIGHBOURS,
    Side,
    clash,
    column_cells,
    fast_replace,
    landing,
    possible_attackers,
    slide,
    with_creatures,
)
from ccgrid.engine.games.ninecard.options import OPTIONS, Options
from ccgrid.engine.options import variant

# The cells at which creatures enter, one for each column: a column is full if its rear is occupied.
_REAR: Final = tuple(column_cells(column)[-1] for column in range(BOARD.size))
_STEPS: Final = tuple(
    # Computed once: every position of a search needs its moves.
    (BOARD.cells.index(a), BOARD.cells.index(b), f"move {a} {b}", f"move {b} {a}", f"swap {a} {b}")
    for a, b in NEIGHBOURS
)
"""Every two neighbours: their indices, and the moves between them."""


@dataclass(frozen=True, slots=True)
class NinecardState(State):
    """A position: every player's side, the player to move, and the actions of this turn so far.

    Attributes:
        turn: The number of the turn, from 1.
        spent: The energy used in this turn.
        moved: The cells, as indices, of creatures that have moved in this turn.
        target: The seat under assault, or None.
        last: The cell of the creature that attacked last, or None.
        discarding: Whether cards must be discarded at the end of the turn.
        lists: Each deck before shuffling, None if it is not public: in a view the other seats' decks.
    """

    names: tuple[str, ...] = field(compare=False)
    options: Options = field(repr=False, compare=False)
    sides: tuple[Side, ...]
    to_move: int
    turn: int = 1
    spent: int = 0
    moved: tuple[int, ...] = ()
    has_played: bool = False
    has_sacrificed: bool = False
    target: int | None = None
    last: int | None = None
    discarding: bool = False
    lists: tuple[DeckList | None, ...] = field(default=(), repr=False, compare=False)
    game: ClassVar[str] = "ninecard"

    @property
    def variant(self) -> Mapping[str, object]:
        """The options that differ from their defaults; how the game was opened no longer matters."""
        return variant(OPTIONS, asdict(self.options))

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.names

    @property
    def side(self) -> Side:
        """The side of the player to move."""
        return self.sides[self.to_move]

    @property
    def ready(self) -> int:
        """The energy that the player to move can still use."""
        return self.side.all_energy - self.spent

    def is_over(self) -> bool:
        """Return whether only one player is left, or all turns are over."""
        return self.turn > self.options.limit or [side.is_out for side in self.sides].count(False) == 1

    def opponents(self) -> list[int]:
        """Return the seats that may be assaulted: all remaining players except the player to move."""
        return [seat for seat, side in enumerate(self.sides) if seat != self.to_move and not side.is_out]

    def legal_moves(self) -> tuple[str, ...]:
        """Return the legal moves of this part of the turn: laying, playing and moving; the assault; or discarding."""
        if self.is_over():
            return ()
        if self.discarding:
            # A set, because copies are one move; unknown cards cannot be named.
            return tuple(
                sorted({f"discard {card.name}" for card in self.side.hand if not isinstance(card, HiddenCard)})
            )
        if self.target is not None:
            # "attack" sorts before "end", so that the whole list is sorted.
            attacks = [f"attack {BOARD.cells[cell]}" for cell in possible_attackers(self.side.grid, self.last)]
            return (*sorted(attacks), "end")
        moves = self._hand_moves() + self._steps() + [f"assault {self.names[seat]}" for seat in self.opponents()]
        return tuple(sorted(moves))

    def play_unchecked(self, move: str) -> "NinecardState":
        """Return the position after a move and its automatic effects: cleanup, drawing, the next first card."""
        verb, _, rest = move.partition(" ")
        return _DOING[verb](self, rest)

    def scores(self) -> tuple[int, ...]:
        """Return each player's life, 0 if eliminated."""
        return tuple([0 if side.is_out else side.life for side in self.sides])

    def ending(self) -> Ending | None:
        """Return the ending if only one player is left, or after the last turn."""
        if sum(not side.is_out for side in self.sides) == 1:
            return Ending("last-player", "only one player is left")
        limit = self.options.limit
        if self.turn > limit:
            return Ending("turn-limit", f"turn {limit}, the last one, has been played")
        return None

    def is_known(self) -> bool:
        """Return whether all cards of all sides are known."""
        zones = (zone for side in self.sides for zone in (side.deck, side.hand, side.facedown))
        return not any(isinstance(card, HiddenCard) for zone in zones for card in zone)

    def view(self, seat: int) -> "NinecardState":
        """Return the position without the decks, the other players' hands, and their face-down cards."""
        sides = tuple([side.masked(own=owner == seat) for owner, side in enumerate(self.sides)])
        lists = tuple([cards if owner == seat else None for owner, cards in enumerate(self.lists)])
        return fast_replace(self, sides=sides, lists=lists)

    def unseen(self, seat: int) -> tuple[Unseen[Energy | Creature], ...]:
        """Return every deck, and the other players' hands and face-down cards.

        A seat knows which cards remain in its deck.
        """
        groups = []
        for owner, side in enumerate(self.sides):
            places = [f"deck:{owner}:{number}" for number in range(len(side.deck))]
            for zone, cards in (("hand", side.hand), ("facedown", side.facedown)):
                # For other seats all cards; for the own seat the unknown ones.
                hidden = [number for number, card in enumerate(cards) if owner != seat or card == GAP]
                places = [f"{zone}:{owner}:{number}" for number in hidden] + places
            known = side.visible(own=owner == seat)
            # A seat knows the cards of its own deck, but not their order, and not the other players' cards.
            whole = self.lists[owner] if owner == seat and self.lists else None
            left = None if whole is None else sorted_by_name(without(whole, known))
            if places:
                groups.append(Unseen(tuple(places), left, known))
        return tuple(groups)

    def _hand_moves(self) -> list[str]:
        side, ready, options = self.side, self.ready, self.options
        open_columns = [name for name, rear in zip(COLUMNS, _REAR, strict=True) if side.grid[rear] is None]
        moves = []
        # Copies in hand make one move.
        for card in dict.fromkeys(side.hand):
            if isinstance(card, Energy):
                moves.append(f"energy {card.name}")
            elif isinstance(card, Creature):
                if card.cost <= ready:
                    moves += [f"play {card.name} {column}" for column in open_columns]
                if options.facedown:
                    moves.append(f"facedown {card.name}")
                if options.one_creature and not self.has_sacrificed:
                    moves.append(f"sacrifice {card.name}")
            elif options.facedown and card == GAP:
                moves.append(f"facedown {UNKNOWN}")
        return moves

    def _steps(self) -> list[str]:
        # There: from a to b. Back: from b to a. Swap: the two are exchanged.
        grid, moved, moves = self.side.grid, self.moved, []
        for a, b, there, back, swap in _STEPS:
            if grid[a] is None:
                if grid[b] is not None and b not in moved:
                    # One of two neighbours is open: the creature on the other may step there.
                    moves.append(back)
            elif grid[b] is None:
                if a not in moved:
                    moves.append(there)
            elif a not in moved and b not in moved:
                moves.append(swap)
        return moves

    def _with(self, side: Side, seat: int | None = None) -> tuple[Side, ...]:
        seat = self.to_move if seat is None else seat
        return (*self.sides[:seat], side, *self.sides[seat + 1 :])

    def _energy(self, name: str) -> "NinecardState":
        card, side = self.side.without_in_hand(name)
        return fast_replace(self, sides=self._with(fast_replace(side, energy=(*side.energy, card))))

    def _sacrifice(self, name: str) -> "NinecardState":
        return fast_replace(self._energy(name), has_sacrificed=True)

    def _facedown(self, name: str) -> "NinecardState":
        if name == UNKNOWN:
            hidden = self.side.without_gap()
            return fast_replace(self, sides=self._with(fast_replace(hidden, facedown=(*hidden.facedown, GAP))))
        card, side = self.side.without_in_hand(name)
        return fast_replace(self, sides=self._with(fast_replace(side, facedown=(*side.facedown, card))))

    def _play(self, rest: str) -> "NinecardState":
        # "Amber Drake b": the name without the space and the column after it.
        card, side = self.side.without_in_hand(rest[:-2])
        cell = landing(side.grid, COLUMNS.index(rest[-1]))
        if not isinstance(card, Creature) or cell is None:
            raise ValueError(f"not a legal move: play {rest}")
        sides = self._with(fast_replace(side, grid=with_creatures(side.grid, {cell: card})))
        return fast_replace(self, sides=sides, spent=self.spent + card.cost, has_played=True)

    def _move(self, cells: str) -> "NinecardState":
        source, target = map(BOARD.cells.index, cells.split(" "))
        grid = self.side.grid
        sides = self._with(fast_replace(self.side, grid=with_creatures(grid, {source: None, target: grid[source]})))
        # The creature is identified by its current cell; sorted, so that equal positions compare equal.
        return fast_replace(self, sides=sides, moved=tuple(sorted((*self.moved, target))))

    def _swap(self, cells: str) -> "NinecardState":
        a, b = map(BOARD.cells.index, cells.split(" "))
        grid = self.side.grid
        sides = self._with(fast_replace(self.side, grid=with_creatures(grid, {a: grid[b], b: grid[a]})))
        return fast_replace(self, sides=sides, moved=tuple(sorted((*self.moved, a, b))))

    def _assault(self, name: str) -> "NinecardState":
        return fast_replace(self, target=self.names.index(name))

    def _attack(self, name: str) -> "NinecardState":
        cell = BOARD.cells.index(name)
        attacker, seat = self.side.grid[cell], self.target
        if attacker is None or seat is None:
            raise ValueError(f"not a legal move: attack {name}")
        target = self.sides[seat]
        cells = [at for at in column_cells(cell % BOARD.size) if target.grid[at] is not None]
        result = clash(attacker, [creature for at in cells if (creature := target.grid[at]) is not None])
        # `fallen` are indices among the living defenders: convert them to cells.
        target = target.without_creatures([cells[place] for place in result.fallen])
        state = fast_replace(
            self, last=cell, sides=self._with(fast_replace(target, life=target.life - result.breach), seat)
        )
        if not result.attacker_lives:
            state = fast_replace(state, sides=state._with(state.side.without_creatures([cell])))
        return state._cleanup() if state.sides[seat].life <= 0 else state

    def _end(self, _: str) -> "NinecardState":
        return self._cleanup()

    def _discard(self, name: str) -> "NinecardState":
        card, side = self.side.without_in_hand(name)
        state = fast_replace(self, sides=self._with(fast_replace(side, discard=(*side.discard, card))))
        return state if len(side.hand) > HAND_SIZE else state._next_turn()

    def _cleanup(self) -> "NinecardState":
        # First creatures move up and players without life are eliminated; then the game may be over; then the player to
        # move may be eliminated as well.
        sides = [fast_replace(side, grid=slide(side.grid), is_out=side.is_out or side.life <= 0) for side in self.sides]
        state = fast_replace(self, sides=tuple(sides), target=None, last=None)
        if state.is_over():
            return state
        side = state.side
        if state.is_stuck():
            state = fast_replace(state, sides=state._with(fast_replace(side, is_out=True)))
            return state if state.is_over() else state._next_turn()
        # Draw up to five cards; a player with more discards instead, and draws none.
        side = side.draw(HAND_SIZE - len(side.hand))
        state = fast_replace(state, sides=state._with(side), discarding=len(side.hand) > HAND_SIZE)
        return state if state.discarding else state._next_turn()

    def is_stuck(self) -> bool:
        """Return whether the player to move is out at the end of this turn, with no creature to play.

        Raises:
            UnknownCardError: If that depends on unknown cards in hand.
        """
        side = self.side
        if self.has_played or side.grid != EMPTY_GRID:
            return False
        energy = side.all_energy + energy_allowed(side.hand, self.options, has_sacrificed=self.has_sacrificed)
        if any(card.cost <= energy for card in side.hand if isinstance(card, Creature)):
            return False
        # Each of them may be such a creature, or energy for one.
        if any(isinstance(card, HiddenCard) for card in side.hand):
            raise UnknownCardError(f"whether {quoted(self.names[self.to_move])} is out depends on cards not known")
        return True

    def _next_turn(self) -> "NinecardState":
        if self.turn == self.options.limit:
            # Turn `limit` + 1 is never played: it means that the game is over.
            return NinecardState(self.names, self.options, self.sides, self.to_move, self.turn + 1, lists=self.lists)
        seats = len(self.sides)
        order = [(self.to_move + step) % seats for step in range(1, seats)]
        seat = next(seat for seat in order if not self.sides[seat].is_out)
        return begin_turn(self.names, self.options, self.sides, seat, self.turn + 1, self.lists)


def begin_turn(
    names: tuple[str, ...],
    options: Options,
    sides: Sequence[Side],
    seat: int,
    turn: int,
    lists: tuple[DeckList | None, ...] = (),
) -> NinecardState:
    """Return the position at the start of a seat's turn: its energy is ready, and it has drawn a card.

    Raises:
        UnknownCardError: If that card is hidden.
    """
    drawn = tuple([side.draw(1) if owner == seat else side for owner, side in enumerate(sides)])
    return NinecardState(names, options, drawn, seat, turn, lists=lists)


_DOING: Final[Mapping[str, Callable[[NinecardState, str], NinecardState]]] = {
    "energy": NinecardState._energy,
    "facedown": NinecardState._facedown,
    "sacrifice": NinecardState._sacrifice,
    "play": NinecardState._play,
    "move": NinecardState._move,
    "swap": NinecardState._swap,
    "assault": NinecardState._assault,
    "attack": NinecardState._attack,
    "end": NinecardState._end,
    "discard": NinecardState._discard,
}
