"""Positions of recorded games."""

from dataclasses import replace

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import counted
from ccgrid.engine.game import State
from ccgrid.engine.records.record import Record


def position_after(record: Record, after: int | None) -> State:
    """Return the position after a number of moves, or after all of them if it is None.

    Raises:
        CatalogError: If the record has fewer moves.
    """
    return Record(record.setup, _first_moves(record, after)).final()


def position_with_hand(record: Record, after: int | None, hand: str) -> State:
    """Return the position as the player to move sees it, with the hand named in a text: `gate, mill, tower`.

    Raises:
        CatalogError: If a card name is ambiguous, or the record has fewer moves.
        EngineError: If these cards cannot be in the hand, or the record does not contain the possible ones.
    """
    from ccgrid.services.real_records import with_pending
    from ccgrid.services.referee import Referee

    unfinished = replace(record, moves=_first_moves(record, after), result=None)
    return Referee.of(with_pending(unfinished, ())).view_with_hand(hand)


def _first_moves(record: Record, after: int | None) -> tuple[str, ...]:
    if after is None:
        return record.moves
    if after > len(record.moves):
        raise CatalogError(f"The record has only {counted(len(record.moves), 'move')}: --after {after} is too large.")
    return record.moves[:after]
