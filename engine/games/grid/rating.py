"""The rating of grid decks: what is counted, and what the figures mean."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.formatting import percent
from ccgrid.engine.board import OPPOSITE
from ccgrid.engine.cards import label, zone_card
from ccgrid.engine.dice import Dice, fork_seeds
from ccgrid.engine.games.grid import core
from ccgrid.engine.games.grid.moves import BOARD, DECK_SIZE, GRID_SIZE
from ccgrid.engine.games.grid.options import USUAL
from ccgrid.engine.games.grid.rules import GridState
from ccgrid.engine.insight.deck_rating import DeckCounts, Lead, RatingRules, Use
from ccgrid.engine.many.tally import Lineup
from ccgrid.engine.rows.binding import bound
from ccgrid.engine.rows.core import SEAT
from ccgrid.engine.rows.dealing import FIXED_DECKS, dice_row, draw_decks, pool_without_labels, room
from ccgrid.engine.rows.row import count_bits

# The length of a card's part of `Table.lanes` in plain Python, in which games are counted.
_CARD: Final = GRID_SIZE * core.IN_PLAIN_PYTHON["WORDS"]


def count_games(cards: Sequence[Card], seed: int, numbers: range, greedy: Sequence[bool]) -> DeckCounts:
    """Count the games with these numbers, between greedy and random players."""
    deck, seats = label([zone_card(card) for card in cards]), len(greedy)
    # A kind for each card: names stay distinct, although cards may be interchangeable.
    table = bound(core.table_of, core)(deck, range(DECK_SIZE), seats, USUAL)
    pool = pool_without_labels(FIXED_DECKS, [DECK_SIZE], DECK_SIZE)
    seat_decks, dice, s = room(pool), dice_row(0), [0] * core.length(table)
    draw_decks(pool, seat_decks, dice)
    deal, play = bound(core.deal, core), bound(core.play, core)
    random_move, greedy_move = bound(core.random_move, core), bound(core.greedy_move, core)
    counts = DeckCounts()
    # The zone of the captured card: two numbers meet if the card has one there.
    facing = {
        number: OPPOSITE[BOARD.zone_towards(move[:2], move[3:]) or ""]
        for number, move in bound(core.moves_by_number, core)().items()
    }
    for game_seed in fork_seeds(seed, numbers):
        dice[0] = game_seed
        deal(table, s, seat_decks, -1, dice)
        first, uses, lead = s[SEAT], list[Use](), Lead()
        # Like `rows.games`, but with access to each move, because a core does not count for ratings.
        while legal := s[core.LEGAL]:
            seat, choices = s[SEAT], count_bits(legal)
            move = greedy_move(table, s, [], [], dice) if greedy[seat] else random_move(table, s, [], dice)
            taken = s[core.CELLS + table.target[move]]
            # A card on a cell contains the start of its lanes: `_CARD` numbers per kind, after those of no card.
            card = deck[(taken & core.PLACE) // _CARD - 1]
            play(table, s, move)
            # Names instead of kinds: interchangeable cards are counted separately.
            uses.append(Use(card.name, seat, card.score))
            lead.update(s[core.POINTS : core.POINTS + seats])
            counts.choices += choices
            counts.forced += choices == 1
            counts.met += facing[move] in card.zones
        counts.turns += len(uses)
        counts.captures += len(uses)
        counts.dead += s[core.NEXT] < DECK_SIZE
        counts.lead_changes += lead.changes
        counts.end_game(first, s[core.POINTS : core.POINTS + seats], uses)
    return counts


_FEW_MEET: Final = 0.25
_MANY_MEET: Final = 0.4
_FEW_CHOICES: Final = 3.5
_MANY_CHOICES: Final = 4.5
MOST_OF_POINTS: Final = 0.15
"""The share of a deck's points above which a single card decides too many games."""
_NUMBERS: Final = 2.0


class GridRating(RatingRules[GridState]):
    """Counts captures, and how often two numbers meet."""

    default_games = 10_000
    default_games_slow_players = 1_000
    has_captures = True
    has_pile = True
    evens = "komi"

    def use(self, state: GridState, move: str) -> Use:
        """Return the captured card."""
        card = state.card_taken(move)
        return Use(card.name, state.to_move, card.score)

    def meets(self, state: GridState, move: str) -> bool:
        """Return whether the captured card has a number in the facing zone."""
        return OPPOSITE[BOARD.zone_towards(move[:2], move[3:]) or ""] in state.zones_on(move[3:])

    def is_dead(self, state: GridState) -> bool:
        """Return whether cards remain in the draw pile."""
        return state.pile > 0

    def count_quickly(self, lineup: Lineup, numbers: range) -> DeckCounts | None:
        """Count games on the core, without variants."""
        [deck] = lineup.decks(Dice(0))
        return count_games(deck, lineup.seed, numbers, [name == "greedy" for name in lineup.policies])

    def verdict(
        self, cards: Sequence[Card], figures: Mapping[str, float], to_mix_in: Callable[[str], str]
    ) -> Sequence[str]:
        """Return sentences about how often numbers meet, the number of choices, and dominant cards."""
        sentences = []
        met, choices = figures["met"], figures["mean_choices"]
        numbers = sum(len(card.zones) for card in cards) / len(cards)
        if met < _FEW_MEET:
            zone, share = _usual_zone(cards)
            words = f"Numbers meet in only {percent(met)} of captures"
            if share >= 0.5:
                words += f": mostly {zone}"
                if mixed := to_mix_in(OPPOSITE[zone]):
                    words += f"; mix in {mixed} cards, with numbers at the {OPPOSITE[zone]}"
            sentences.append(f"{words}.")
        elif met >= _MANY_MEET and choices >= _MANY_CHOICES:
            sentences.append(f"Lively: two numbers meet in {percent(met)} of captures, {choices:.1f} choices a turn.")
        else:
            sentences.append(f"Two numbers meet in {percent(met)} of captures, {choices:.1f} choices a turn.")
        if choices < _FEW_CHOICES:
            sentences.append(f"Only {choices:.1f} choices a turn, {percent(figures['forced'])} of turns are forced.")
        if numbers < _NUMBERS:
            sentences.append(f"{numbers:.1f} numbers per card; good decks have about 2.3, in opposite corners.")
        points = sum(card.score for card in cards)
        best = max(cards, key=lambda card: card.score)
        if points and best.score / points > MOST_OF_POINTS:
            sentences.append(f"{best.name} alone has {percent(best.score / points)} of the points: use a lower card.")
        if figures["dead"] > 0.05:
            sentences.append(f"{percent(figures['dead'])} of games end with cards in the pile.")
        return sentences


def _usual_zone(cards: Sequence[Card]) -> tuple[str, float]:
    zone, count = Counter(zone for card in cards for zone in card.zones).most_common(1)[0]
    return zone, count / len(cards)


RATING: Final = GridRating()
