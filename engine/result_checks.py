"""The result that the players of a record claim, held against the one that its moves give."""

from collections.abc import Mapping

from engine import schema
from engine.errors import quoted
from engine.game import State
from engine.schema import RecordError


def check_result(claimed: Mapping[str, int], state: State) -> None:
    """Compares the scores that players claim with those of a position.

    Raises:
        RecordError: the game is not over, or a score is missing, wrong or nobody's; with its place.
    """
    outcome = state.outcome()
    if outcome is None:
        legal = state.legal_moves()
        more = f"{quoted(legal[0])} can still be played" if legal else "whoever is to move holds cards not known"
        raise RecordError("result", f"there is none yet: the game is not over, {more}")
    for name in claimed:
        if name not in state.players:
            raise RecordError(f"result.scores.{schema.key_name(name)}", "is not one of the players")
    for player, score in zip(state.players, outcome.scores, strict=True):
        place = f"result.scores.{schema.key_name(player)}"
        if player not in claimed:
            raise RecordError(place, f"is missing: {quoted(player)} has {score}")
        if claimed[player] != score:
            raise RecordError(place, f"is {claimed[player]}, but {quoted(player)} has {score}")
