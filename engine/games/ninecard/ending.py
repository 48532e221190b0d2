"""Endings of the ninecard game that people noted without a record: each player's life, as it can be."""

from collections.abc import Mapping
from typing import Any, Final

from engine import schema
from engine.errors import quoted
from engine.games.ninecard.options import MOST, USUAL
from engine.schema import RecordError, Schema

ENDING: Final[Schema] = schema.table(
    {"life": schema.table_of(schema.whole)}, dict.fromkeys(("start", "turns", "limit"), schema.whole)
)


def score(document: Mapping[str, Any]) -> dict[str, int]:
    """Each player's life, 0 when out, of an ending that has passed `ENDING`.

    Raises:
        RecordError: no game can have ended so; with the place.
    """
    life: Mapping[str, int] = document["life"]
    start, limit, turns = document.get("start", USUAL.life), document.get("limit", USUAL.limit), document.get("turns")
    for key, value, most in (("start", start, MOST["life"]), ("limit", limit, MOST["limit"]), ("turns", turns, limit)):
        if value is not None and not 1 <= value <= most:
            raise RecordError(key, f"must be 1 to {most}, not {value}")
    for player, points in life.items():
        if points > start:
            said = "" if "start" in document else f"; with another life at the start, write it: start = {points}"
            message = f"cannot be {points}: everybody begins with {start}, and nobody gains any{said}"
            raise RecordError(f"life.{schema.key_name(player)}", message)
    left = [player for player, points in life.items() if points > 0]
    if not left:
        raise RecordError("life", "is 0 for everybody: the last player left wins, and has some")
    if len(left) > 1 and turns != limit:
        raise RecordError(
            "life",
            f"is left to {' and '.join(map(quoted, left))}: a game goes on until one player has some, or for {limit} "
            f"turns; write turns = {limit} if that was so, and 0 for a player who was out",
        )
    return {player: max(points, 0) for player, points in life.items()}
