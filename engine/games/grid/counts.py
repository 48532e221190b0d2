"""Counts how a deck of grid plays, on lanes in plain Python: the games that the grid kernel plays, move for move."""

from collections.abc import Sequence
from itertools import chain
from typing import Final

from catalog.card import ZONES, Card
from engine.board import OPPOSITE
from engine.cards import label, zone_card
from engine.deck_counts import DeckCounts, Lead, Use
from engine.games.grid.lanes import EMPTY_CELL, ENDS, LEGAL, SCORE, Row, position, row_of
from engine.games.grid.state import BOARD, DECK_SIZE, GRID_SIZE, MOVES
from engine.kernels import throws

_GAME: Final = throws.Row(2 * DECK_SIZE)
"""A game takes 19 throws to shuffle, 1 to say who starts, and at most 19 to play."""

_FACED: Final = dict(zip(ENDS, (OPPOSITE[BOARD.zone_towards(move[:2], move[3:]) or ""] for move in MOVES), strict=True))
"""By a move's bit the zone of the card to be taken that faces the mover."""

_FACED_BIT: Final = {bit: 1 << ZONES.index(zone) for bit, zone in _FACED.items()}


def count_games(cards: Sequence[Card], seed: int, numbers: range, greedy: Sequence[bool]) -> DeckCounts | None:
    """What is counted over the games with these numbers, `greedy` or random players in the seats.

    Nothing where some die would have to be thrown again: about once in 200,000 games the readable rules are asked.
    """
    deck = label([zone_card(card) for card in cards])
    rows = [row_of(card) for card in deck]
    printed = [sum(1 << ZONES.index(zone) for zone in card.zones) for card in deck]
    names = [card.name for card in deck]
    counts = DeckCounts()
    for game_seed in throws.fork_seeds(seed, numbers):
        high = _GAME.high(game_seed)
        if not throws.are_fair(high):
            return None
        _count(counts, rows, printed, names, high, greedy)
    return counts


def _count(
    counts: DeckCounts,
    rows: Sequence[Row],
    printed: Sequence[int],
    names: Sequence[str],
    high: Sequence[int],
    greedy: Sequence[bool],
) -> None:
    order, seats = list(range(DECK_SIZE)), len(greedy)
    for place in range(DECK_SIZE - 1):
        other = place + (high[place] * (DECK_SIZE - place) >> 32)
        order[place], order[other] = order[other], order[place]
    first = seat = high[DECK_SIZE - 1] * seats >> 32
    lying: list[int] = order[:GRID_SIZE]
    lanes = position([rows[card] for card in lying])
    scores, uses, lead = [0] * seats, [], Lead()
    pile = chain(order[GRID_SIZE:], (-1,) * GRID_SIZE)
    for thrown in high[DECK_SIZE:]:
        legal = lanes & LEGAL
        if not legal:
            break
        choices = legal.bit_count()
        if greedy[seat]:
            bit = _greediest(legal, rows, lying, thrown)
        else:
            for _ in range(thrown * choices >> 32):
                legal &= legal - 1
            bit = legal & -legal
        source, target, move = ENDS[bit]
        mover, taken, card = lying[source], lying[target], next(pile)
        turned_up = EMPTY_CELL if card < 0 else rows[card]
        lanes += turned_up[source] + rows[mover][move] - rows[taken][target]
        lying[source], lying[target] = card, mover
        worth = rows[taken][SCORE]
        scores[seat] += worth
        uses.append(Use(names[taken], seat, worth))
        lead.look(scores)
        counts.choices += choices
        counts.forced += choices == 1
        counts.met += (printed[taken] & _FACED_BIT[bit]) > 0
        seat = (seat + 1) % seats
    counts.turns += len(uses)
    counts.captures += len(uses)
    counts.dead += len(uses) < DECK_SIZE - GRID_SIZE
    counts.lead_changes += lead.changes
    counts.end_game(first, scores, uses)


def _greediest(legal: int, rows: Sequence[Row], lying: Sequence[int], thrown: int) -> int:
    best, found = -1, []
    while legal:
        bit = legal & -legal
        legal ^= bit
        worth = rows[lying[ENDS[bit][1]]][SCORE]
        if worth > best:
            best, found = worth, [bit]
        elif worth == best:
            found.append(bit)
    return found[thrown * len(found) >> 32]
