"""Counts how a deck of grid plays, on its core: the games that are played there, move for move."""

from collections.abc import Sequence
from typing import Final

from catalog.card import Card
from engine.board import OPPOSITE
from engine.cards import label, zone_card
from engine.dice import fork_seeds
from engine.games.grid import core
from engine.games.grid.options import USUAL
from engine.games.grid.state import BOARD, DECK_SIZE, GRID_SIZE
from engine.insight.deck_counts import DeckCounts, Lead, Use
from engine.rows.binding import bound
from engine.rows.bits import count_bits
from engine.rows.core import SEAT
from engine.rows.dealing import SHARED, draw_decks, pool_without_labels, room
from engine.rows.dice import dice_row

_CARD: Final = GRID_SIZE * core.IN_PLAIN_PYTHON["WORDS"]


def count_games(cards: Sequence[Card], seed: int, numbers: range, greedy: Sequence[bool]) -> DeckCounts:
    """What is counted over the games with these numbers, `greedy` or random players in the seats."""
    deck, seats = label([zone_card(card) for card in cards]), len(greedy)
    table = bound(core.table_of, core)(deck, range(DECK_SIZE), seats, USUAL)  # cards that play alike have names
    pool = pool_without_labels(SHARED, [DECK_SIZE], DECK_SIZE)
    dealt, dice, s = room(pool), dice_row(0), [0] * core.length(table)
    draw_decks(pool, dealt, dice)
    deal, play, throw, take = [bound(one, core) for one in (core.deal, core.play, core.random_move, core.greedy_move)]
    counts = DeckCounts()
    facing = {
        number: OPPOSITE[BOARD.zone_towards(move[:2], move[3:]) or ""]
        for number, move in bound(core.moves_by_number, core)().items()
    }
    for game_seed in fork_seeds(seed, numbers):
        dice[0] = game_seed
        deal(table, s, dealt, -1, dice)
        first, uses, lead = s[SEAT], list[Use](), Lead()
        while legal := s[core.LEGAL]:
            seat, choices = s[SEAT], count_bits(legal)
            move = take(table, s, [], [], dice) if greedy[seat] else throw(table, s, [], dice)
            taken = s[core.CELLS + table.target[move]]
            card = deck[(taken & core.PLACE) // _CARD - 1]
            play(table, s, move)
            uses.append(Use(card.name, seat, card.score))
            lead.look(s[core.POINTS : core.POINTS + seats])
            counts.choices += choices
            counts.forced += choices == 1
            counts.met += facing[move] in card.zones
        counts.turns += len(uses)
        counts.captures += len(uses)
        counts.dead += s[core.NEXT] < DECK_SIZE
        counts.lead_changes += lead.changes
        counts.end_game(first, s[core.POINTS : core.POINTS + seats], uses)
    return counts
