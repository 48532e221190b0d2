"""The page for playing the grid game with real cards, with a table of captures computed by the engine."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.cards import label, zone_card
from ccgrid.engine.games.grid.game import GAME
from ccgrid.engine.games.grid.options import Options
from ccgrid.engine.games.grid.state import BOARD, MOVES, GridSetup, GridState
from ccgrid.engine.options import by_field_name
from ccgrid.engine.real_cards import TablePage
from ccgrid.engine.records.files import deck_letters, in_code_order, variant_letters

_CENTRE: Final = "b2"


def table_data(name: str, deck: Sequence[Card], given: Mapping[str, object]) -> dict[str, Any]:
    """Return the page's data: cards, moves, captures, and variants.

    `takes` has a number for each pair of cards, row by row for the first card: bit n is set if the first captures the
    second that it faces with zone number n.
    """
    options = Options(**by_field_name(GAME.option_values(given)))
    in_deck = label([zone_card(card) for card in deck])
    cards = in_code_order(in_deck)
    return {
        "name": name,
        "cells": BOARD.cells,
        "zones": ZONES,
        "moves": [_move(move) for move in MOVES],
        "cards": [
            {key: value for key, value in _card(card, number).items() if value not in ("", None)}
            for card, number in zip(cards, _deck_numbers(cards, in_deck), strict=True)
        ],
        "takes": capture_directions(cards),
        "komi": options.komi,
        "inPairs": options.in_pairs,
        "emptyPile": options.empty_pile,
        "variant": " ".join(_variants(options)),
        "setup": [f"{key} = {json.dumps(value)}" for key, value in options.to_table().items()],
        "more": variant_letters(options.to_table()),
        "decks": deck_letters("grid", in_deck),
    }


def _variants(options: Options) -> Iterator[str]:
    """Yield a sentence for each option that differs from its default."""
    if options.komi:
        yield f"Whoever does not start has {options.komi} point{'' if options.komi == 1 else 's'} more."
    if options.in_pairs:
        yield "Who starts makes one move, then everybody makes two."
    if options.empty_pile:
        yield "Where no card takes another, cards of the pile are laid on the grid, from a1 on."


def capture_directions(cards: Sequence[Card]) -> list[int]:
    """Return for each pair of cards the directions in which the first captures the second, by the rules."""
    setup = GridSetup(("1", "2"), 0, tuple(cards))
    bits = {
        move: 1 << ZONES.index(zone)
        for zone, cell in BOARD.neighbours(_CENTRE).items()
        for move in [f"{_CENTRE}x{cell}"]
    }
    found = []
    for mover in range(len(cards)):
        for other in range(len(cards)):
            grid = tuple(mover if cell == _CENTRE else other for cell in BOARD.cells)
            legal = GridState(setup, grid, len(cards), 0, ((), ())).legal_moves()
            found.append(sum(bits.get(move, 0) for move in legal))
    return found


def _move(move: str) -> list[int]:
    """Return a move as numbers: the capturing cell, the captured cell, and the facing zone."""
    source, target = move.split("x")
    zone = BOARD.zone_towards(source, target)
    assert zone is not None  # noqa: S101  every move is to a neighbour
    return [BOARD.cells.index(source), BOARD.cells.index(target), ZONES.index(zone)]


def _deck_numbers(cards: Sequence[Card], deck: Sequence[Card]) -> list[int]:
    """Return the numbers of the cards in the deck's list, from 1; copies have different numbers."""
    left = {number: in_code_order((card,))[0] for number, card in enumerate(deck, 1)}
    numbers = []
    for card in cards:
        numbers.append(next(number for number, other in left.items() if other == card))
        del left[numbers[-1]]
    return numbers


def _card(card: Card, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "id": card.id,
        "name": card.name,
        "game": card.game,
        "set": card.set_code,
        "zones": dict(card.zones),
        "score": card.score,
    }


PAGE: Final = TablePage("ccgrid.engine.games.grid.page", table_data, options=("komi", "order", "empty-pile"))
