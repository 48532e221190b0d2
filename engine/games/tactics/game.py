"""The tactics game, Play. Process. Draw.: dealing, the heuristic, and reading of setups and endings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from ccgrid.catalog.card import HIGHEST, Card
from ccgrid.catalog.formatting import counted
from ccgrid.engine import schema
from ccgrid.engine.cards import label, label_known, no_lookup, read_cards, read_piles, sorted_by_name
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError, RecordError, quoted
from ccgrid.engine.game import Game, Lookup, check_deal, level_table, read_seats
from ccgrid.engine.games.four_sides import (
    SIDED_CARD,
    SIDES,
    as_sided_card,
    read_sided_card,
)
from ccgrid.engine.games.tactics.decks import SIZES
from ccgrid.engine.games.tactics.notation import TacticsNotation
from ccgrid.engine.games.tactics.rules import EMPTY, TABLES, TacticsSetup, TacticsState
from ccgrid.engine.schema import Schema, Table

USUAL_DECK: Final = 18
"""The size of a deck if a file does not give it."""


def _check_deck(value: object) -> None:
    (schema.table_of(schema.whole) if isinstance(value, dict) else schema.whole)(value)


ENDING: Final[Schema] = schema.table(
    {"board": schema.list_of(schema.text), "captures": schema.table_of(schema.whole)}, {"deck": _check_deck}
)


def score(document: Table) -> dict[str, int]:
    """Return each player's captures plus the points of their cells, for a valid ending (`ENDING`).

    Raises:
        RecordError: If no game can have this ending; with the place in the document.
    """
    captures: Mapping[str, int] = document["captures"]
    board: Sequence[str] = document["board"]
    table = TABLES[len(captures)]
    if len(board) != len(table.values):
        raise RecordError("board", f"of {len(captures)} players has {len(table.values)} cells, not {len(board)}")
    for index, player in enumerate(board):
        if player and player not in captures:
            raise RecordError(f"board[{index}]", f"{quoted(player)} is not one of the players in captures")
    _check_cards(captures, board, document.get("deck"))
    counts = dict.fromkeys(captures, 0)
    for player, value in zip(board, table.values, strict=True):
        if player:
            counts[player] += value
    return {player: count + counts[player] for player, count in captures.items()}


def _deck_sizes(players: Sequence[str], said: int | Mapping[str, int] | None) -> dict[str, int]:
    """Return the size of each player's deck, given one size for all, a size for each player, or nothing."""
    if isinstance(said, Mapping):
        entries = schema.player_entries({"deck": said}, "deck", players, "every player has a deck")
    else:
        entries = [("deck", USUAL_DECK if said is None else said)] * len(players)
    for place, size in entries:
        if size not in SIZES:
            raise RecordError(place, f"must be {SIZES[0]} to {SIZES[-1]} cards, not {size}")
    return {player: size for player, (_, size) in zip(players, entries, strict=True)}


def _check_cards(captures: Mapping[str, int], board: Sequence[str], said: int | Mapping[str, int] | None) -> None:
    """Raise RecordError if no game with these decks ends with these captures and this board."""
    sizes = _deck_sizes(tuple(captures), said)
    larger = "" if said else f"; if decks had not {USUAL_DECK} cards, write how many: deck = 30"
    on_board = Counter(holder for holder in board if holder)
    for player, count in captures.items():
        others, lying = (sum(counts.values()) - counts[player] for counts in (Counter(sizes), on_board))
        if not 0 <= count <= others - lying:
            reason = (
                f"the others have {counted(others, 'card')}, and {lying} of them "
                f"{'is' if lying == 1 else 'are'} on the board"
            )
            raise RecordError(f"captures.{schema.key_name(player)}", f"cannot be {count}: {reason}{larger}")
    played, cards = on_board.total() + sum(captures.values()), sum(sizes.values())
    if played > cards:
        raise RecordError("captures", f"and board come to {counted(played, 'card')}, and the decks have {cards}")
    # A game ends with an open cell only if all hands and decks are empty.
    if "" in board and played < cards:
        raise RecordError(
            "board", f"has an open cell, so all {cards} cards were played, but {played} are there or captured{larger}"
        )
    if not any(_fits(captures, on_board, _turns(sizes, first, played)) for first in range(len(sizes))):
        raise RecordError(
            "captures", f"and board come to {counted(played, 'card')}, but not from players who took turns{larger}"
        )


def _turns(sizes: Mapping[str, int], first: int, played: int) -> list[str]:
    """Return the player of each card in a game of `played` cards; a player without cards is skipped."""
    seats = [*list(sizes)[first:], *list(sizes)[:first]]
    rounds = ((seat for seat in seats if sizes[seat] > number) for number in range(max(sizes.values())))
    return list(islice(chain.from_iterable(rounds), played))


def _fits(captures: Mapping[str, int], on_board: Mapping[str, int], turns: Sequence[str]) -> bool:
    """Return whether the players of these turns can have these captures, and these cards on the board."""
    # A card that was just played is still on the board.
    if on_board.get(turns[-1], 0) == 0:
        return False
    total, played = sum(captures.values()), Counter(turns)
    # Every captured card belongs to another player than its captor. Such an assignment exists exactly if no player has
    # lost or captured too many for that.
    lost = {player: played[player] - on_board.get(player, 0) for player in captures}
    return all(count >= 0 and count + captures[player] <= total for player, count in lost.items())


class TacticsGame(Game[TacticsState]):
    """The tactics game."""

    name = "tactics"
    title = "Play. Process. Draw."
    player_counts = tuple(TABLES)
    levels = level_table(easy=("greedy", 19), hard=("strong:100", 3))
    notation = TacticsNotation()
    setup_schema = staticmethod(
        schema.table(
            {"decks": schema.table_of(schema.list_of(SIDED_CARD))},
            {"pile": schema.table_of(schema.list_of(SIDED_CARD))},
        )
    )
    ending_schema = staticmethod(ENDING)

    def heuristic(self, state: TacticsState, move: str) -> float:
        """Return the points gained and captured, in tenths, minus the risk at the card's weakest exposed side."""
        card, place = state.meaning(move)
        table, grid = state.table, state.grid
        values, numbers, beaten = table.values, state.lying(card), tuple(state.capture_places(card, place))
        gain, weakest = values[place] + len(beaten), HIGHEST
        for other in beaten:
            gain += values[other]
        # The weakest exposed side: next to a cell that is open, or becomes open.
        for number, other in zip(numbers, table.neighbours[place], strict=True):
            if number < weakest and other >= 0 and (grid[other] == EMPTY or other in beaten):
                weakest = number
        return 10 * gain - (1 + values[place]) * (HIGHEST - weakest)

    def reveal(self, view: TacticsState, cards: Mapping[str, Card]) -> TacticsState:
        """Return the view with these cards in hands and decks; hidden cards with a name of another card are renamed."""
        setup = view.setup
        hidden = {view.hidden_card(place): card for place, card in cards.items()}
        for owner in range(len(setup.players)):
            known = [card for card, seat in zip(setup.cards, setup.owners, strict=True) if card and seat == owner]
            places = [place for place in sorted(hidden) if setup.owners[place] == owner]
            named = label([*known, *(hidden[place] for place in places)])[len(known) :]
            hidden.update(zip(places, named, strict=True))
        return view.with_hidden(hidden)

    def playable_card(self, card: Card) -> Card | None:
        """Return the card with its four numbers, or None if a side has no number."""
        return as_sided_card(card) if all(side in card.zones for side in SIDES) else None

    def decks_needed(self, players: int) -> int:
        """Return the number of players: each has a deck."""
        return players

    def deal(
        self,
        players: Sequence[str],
        decks: Sequence[Sequence[Card]],
        dice: Dice,
        *,
        first: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> TacticsSetup:
        """Shuffle each player's deck of cards with a number on every side."""
        check_deal(self, players, decks)
        self.option_values(options)
        lists: list[tuple[Card, ...]] = []
        shuffled = []
        for deck in decks:
            _check_size(len(deck))
            lists.append(_label_deck(tuple(deck)))
            shuffled.append(tuple(dice.shuffled(lists[-1])))
        starts = dice.below(len(players)) if first is None else first
        return TacticsSetup(tuple(players), starts, tuple(shuffled), tuple(lists))

    def read_setup(
        self, table: Table, players: tuple[str, ...], first: int | None, lookup: Lookup = no_lookup
    ) -> TacticsSetup:
        """Read the decks of a record: one for each player, with at least three cards, known or not."""
        decks: list[tuple[Card | None, ...]] = []
        lists: list[tuple[Card, ...] | None] = []
        piles = read_piles(table, read_sided_card, lookup)
        for player, (place, cards) in zip(
            players, schema.player_entries(table, "decks", players, "every player has a deck"), strict=True
        ):
            try:
                _check_size(len(cards))
            except EngineError as error:
                raise RecordError(place, str(error)) from None
            deck = read_cards(cards, place, read_sided_card, lookup)
            named = label_known([*deck, *piles.get(player, ())])
            decks.append(named[: len(deck)])
            whole = sorted_by_name([card for card in named if card])
            lists.append(whole if len(whole) == len(deck) else None)
        return TacticsSetup(
            players, first or 0, tuple(decks), tuple(lists), has_gaps=any(None in deck for deck in decks)
        )

    def score_ending(self, document: Table, lookup: Lookup = no_lookup) -> dict[str, int]:
        """Return each player's captures plus the points of their cells.

        `captures` names the players in seat order; `board` has the player who holds each cell, row by row, and `""` for
        an open one. `deck` is the size of all decks, or of each player's, if it is not 18.
        """
        read_seats(self, document["captures"], "captures")
        return score(document)


@lru_cache(maxsize=1 << 8)  # games share some hundreds of decks
def _label_deck(deck: tuple[Card, ...]) -> tuple[Card, ...]:
    return label([as_sided_card(card) for card in deck])


def _check_size(size: int) -> None:
    if size not in SIZES:
        raise ContradictionError(f"a deck has {SIZES[0]} to {SIZES[-1]} cards, not {size}")


GAME: Final = TacticsGame()
