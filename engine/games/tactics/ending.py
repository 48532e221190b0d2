"""Endings of the tactics game that people noted without a record: the last board and the captures, as they can be."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine import schema
from engine.errors import quoted
from engine.games.tactics.decks import SIZES
from engine.games.tactics.table import TABLES
from engine.schema import RecordError, Schema

USUAL_DECK: Final = 18
"""So many cards a deck has where nothing is said."""

ENDING: Final[Schema] = schema.table(
    {"board": schema.list_of(schema.text), "captures": schema.table_of(schema.whole)}, {"deck": schema.whole}
)


def score(document: Mapping[str, Any]) -> dict[str, int]:
    """Each player's captures and the cells it holds, of an ending that has passed `ENDING`; enough players have some.

    Raises:
        RecordError: no game can have ended so; with the place.
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
    held = dict.fromkeys(captures, 0)
    for player, value in zip(board, table.values, strict=True):
        if player:
            held[player] += value
    return {player: count + held[player] for player, count in captures.items()}


def _check_cards(captures: Mapping[str, int], board: Sequence[str], said: int | None) -> None:
    """Refuses more captures than the others had cards for, and fewer cards than fill a game that ended early."""
    if said is not None and said not in SIZES:
        raise RecordError("deck", f"must be {SIZES[0]} to {SIZES[-1]} cards, not {said}")
    deck = said or USUAL_DECK
    others = len(captures) - 1
    for player, count in captures.items():
        lying = sum(bool(holder) and holder != player for holder in board)
        most = others * deck - lying
        if not 0 <= count <= most:
            reason = f"the others have {others * deck} cards, and {lying} of them lie on the board"
            larger = "" if said or count < 0 else "; if decks had more than 18 cards, write how many: deck = 30"
            raise RecordError(f"captures.{schema.key_name(player)}", f"cannot be {count}: {reason}{larger}")
    played, cards = sum(map(bool, board)) + sum(captures.values()), len(captures) * deck
    if played > cards:
        raise RecordError("captures", f"and board come to {played} cards, and the decks have {cards}")
    if said is not None and "" in board and played < cards:
        raise RecordError(
            "board", f"has an open cell, so all {cards} cards were played, but {played} lie there or were captured"
        )
