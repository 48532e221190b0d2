"""The grid game, 3x3 CCG Battle: dealing, the heuristic, and reading of setups and endings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final

from ccgrid.catalog.card import Card, short_reason
from ccgrid.catalog.formatting import counted
from ccgrid.engine import schema
from ccgrid.engine.cards import (
    SCORE_CARD,
    ZONE_CARD,
    CardEntry,
    label,
    no_lookup,
    read_cards,
    read_score_card,
    read_zone_card,
    zone_card,
)
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, RecordError, UnknownCardError, quoted
from ccgrid.engine.game import Game, Lookup, check_deal, level_table, read_seats
from ccgrid.engine.games.grid.moves import DECK_SIZE, GRID_SIZE
from ccgrid.engine.games.grid.notation import GridNotation
from ccgrid.engine.games.grid.options import OPTIONS, Options
from ccgrid.engine.games.grid.rules import GridSetup, GridState, NumberRows, number_rows
from ccgrid.engine.options import by_field_name, schemas, values_in
from ccgrid.engine.schema import Table


class GridGame(Game[GridState]):
    """The grid game."""

    name = "grid"
    title = "3x3 CCG Battle"
    player_counts = (2, 3, 4)
    mistakes = (2.0, 5.0, 10.0)
    levels = level_table(easy=("greedy", 73), fair=("greedy", 40), hard=("greedy", 5))
    notation = GridNotation()
    setup_schema = staticmethod(
        schema.table({"cards": schema.list_of(ZONE_CARD)}, {"pile": schema.list_of(ZONE_CARD), **schemas(OPTIONS)})
    )
    ending_schema = staticmethod(
        schema.table(
            {"piles": schema.table_of(schema.list_of(SCORE_CARD))},
            {"first": schema.text, **schemas(OPTIONS)},
        )
    )

    def heuristic(self, state: GridState, move: str) -> float:
        """Return the score of the captured card."""
        return state.card_taken(move).score

    def reveal(self, view: GridState, cards: Mapping[str, Card]) -> GridState:
        """Return the view with these cards in its draw pile."""
        known = view.setup.cards[: view.turned_up]
        # The names are those in `GridState.unseen`.
        pile = [cards[f"pile:{number}"] for number in range(view.pile)]
        return view.with_pile(label([*known, *pile])[len(known) :])

    def playable_card(self, card: Card) -> Card | None:
        """Return the card with its zones and its score, or None if it is not legal."""
        return zone_card(card) if card.legal and card.zones else None

    def decks_needed(self, players: int) -> int:
        """Return 1: all players share one deck."""
        return 1

    def deal(
        self,
        players: Sequence[str],
        decks: Sequence[Sequence[Card]],
        dice: Dice,
        *,
        first: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> GridSetup:
        """Shuffle one deck of exactly 20 legal cards."""
        check_deal(self, players, decks)
        chosen = Options(**by_field_name(self.option_values(options)))
        if len(decks[0]) != DECK_SIZE:
            raise EngineError(f"{self.name} is played with one deck of {DECK_SIZE} cards, not {len(decks[0])}")
        deck, moving, facing = _deck_rows(tuple(decks[0]))
        # Cards and their numbers are permuted alike; the empty cell stays last. `itemgetter` applies the permutation
        # faster than a loop.
        order = dice.permutation(DECK_SIZE)
        place = itemgetter(*order, DECK_SIZE)
        starts = dice.below(len(players)) if first is None else first
        cards = itemgetter(*order)(deck)
        return GridSetup(tuple(players), starts, cards, deck, place(moving), place(facing), chosen)

    def read_setup(
        self, table: Table, players: tuple[str, ...], first: int | None, lookup: Lookup = no_lookup
    ) -> GridSetup:
        """Read the cards of a record: 9 to 20 revealed cards in order, and optionally the others in any order."""
        options = _options(table)
        count, pile = len(table["cards"]), table.get("pile", ())
        if not GRID_SIZE <= count <= DECK_SIZE:
            raise RecordError("cards", f"must be {GRID_SIZE} to {DECK_SIZE} cards, not {count}")
        if "pile" in table and count + len(pile) != DECK_SIZE:
            there = "card that is" if DECK_SIZE - count == 1 else "cards that are"
            raise RecordError("pile", f"must be the {DECK_SIZE - count} {there} not in cards, not {len(pile)}")
        cards = read_cards(table["cards"], "cards", read_zone_card, lookup)
        deck = label([*cards, *read_cards(pile, "pile", read_zone_card, lookup)])
        setup = GridSetup(players, first or 0, deck[:count], deck if pile else (), options=options)
        try:
            setup.start()
        except UnknownCardError:
            where = f"no card can take another, and card {count + 1}, which is next, is not known"
            raise RecordError("cards", where) from None
        return setup

    def score_ending(self, document: Table, lookup: Lookup = no_lookup) -> dict[str, int]:
        """Return each player's score: the sum of the scores of their captured cards, of which there are at most 19.

        With the option `komi`, `first` names the starting player, who has none. If the starting player is known, each
        player must have captured as many cards as they had moves.
        """
        piles: Mapping[str, list[CardEntry]] = document["piles"]
        read_seats(self, piles, "piles")
        if (count := sum(map(len, piles.values()))) >= DECK_SIZE:
            raise RecordError("piles", f"hold {count} cards; at most {DECK_SIZE - 1} can be taken")
        options, first = _options(document), document.get("first")
        komi = options.komi
        if first is not None and first not in piles:
            raise RecordError("first", f"{quoted(first)} has no pile")
        # Without the starting player, the numbers of moves cannot be checked.
        if first is not None:
            _check_turns(piles, first, options)
        if komi and first is None:
            raise RecordError("first", "is missing: name the player who started, who gets no komi")
        return {
            player: sum(
                card.score for card in read_cards(pile, f"piles.{schema.key_name(player)}", read_score_card, lookup)
            )
            + (0 if player == first else komi)
            for player, pile in piles.items()
        }


def _options(table: Table) -> Options:
    return Options(**by_field_name(values_in(OPTIONS, table)))


def _check_turns(piles: Mapping[str, Sequence[CardEntry]], first: str, options: Options) -> None:
    """Raise RecordError if the sizes of the piles are impossible, because no player may pass.

    The order of the other seats is not known.
    """
    # How many moves each seat has in a game of this length; seat 0 starts.
    turns = Counter(options.turn_number(move) % len(piles) for move in range(sum(map(len, piles.values()))))
    started, *others = (turns[seat] for seat in range(len(piles)))
    if len(piles[first]) != started or sorted(len(piles[name]) for name in piles if name != first) != sorted(others):
        took = " and ".join(map(str, sorted(others, reverse=True)))
        raise RecordError(
            "piles",
            f"have impossible sizes, because no player may pass: of {counted(turns.total(), 'card')}, {first}, who "
            f"starts, takes {started}, and {'the others take' if len(others) > 1 else 'the other takes'} {took}",
        )


@lru_cache(maxsize=1 << 10)  # games share some hundreds of decks
def _deck_rows(deck: tuple[Card, ...]) -> tuple[tuple[Card, ...], NumberRows, NumberRows]:
    """Return the cards of a deck with unique names, and their numbers for comparison."""
    cards = label([zone_card(legal_card(card)) for card in deck])
    return (cards, *number_rows(cards))


def legal_card(card: Card) -> Card:
    """Return the card if it is legal in a deck.

    Raises:
        EngineError: If it is not legal; the message gives the reason.
    """
    if not card.legal or not card.zones:
        raise EngineError(
            f"{quoted(card.name)} is not playable: {short_reason(card.reason or 'it has no number in any zone')}"
        )
    return card


GAME: Final = GridGame()
