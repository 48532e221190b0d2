"""The page that replays a recorded game of any kind: every position as the game shows it, and no rules."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from catalog.codes.code import CodeError
from ccgrid.pages.assemble import page
from ccgrid.pages.nodes import Nodes, plain
from engine.game import State
from engine.games import find_game
from engine.record import Record
from engine.record_codes import record_code

_ANALYSIS: Final = "analysis"
"""The key in a record's notes under which its analysis stands: for each move its mark and its value."""


def replay_page(record: Record) -> str:
    """The page of a valid record; raises what replaying it raises."""
    data = replay_data(record)
    return page("replay.html", data["title"], data, ("cards.js", "replay.js"))


def replay_data(record: Record) -> dict[str, Any]:
    """All that the page shows: positions as numbers of pictures, moves with what they did, scores."""
    game = find_game(record.setup.game)
    view, nodes = game.pictures, Nodes()
    state = record.setup.start()
    positions = [nodes.add(view.picture(state, None, None))]
    scores = [state.scores()]
    moves = []
    analysis = _analysis(record)
    for number, ply in enumerate(record):
        state = ply.state.play_unchecked(ply.move)
        positions.append(nodes.add(view.picture(state, None, ply.move)))
        scores.append(state.scores())
        said = {"player": ply.player, "move": ply.move, "effect": plain(view.describe(ply.state, ply.move))}
        moves.append({**said, **(analysis[number] if number < len(analysis) else {})})
    return {
        "title": f"{', '.join(record.setup.players)} - {game.title}",
        "about": _about(record),
        "players": list(record.setup.players),
        "nodes": nodes.values,
        "positions": positions,
        "scores": scores,
        "moves": moves,
        "ending": _ending(state),
        "code": _code(record),
    }


def _about(record: Record) -> str:
    told = (record.event, record.date.isoformat() if record.date else None)
    return ", ".join(text for text in told if text)


def _ending(state: State) -> str:
    """How the game ended, in a sentence; nothing where it is not over."""
    outcome = state.outcome()
    if outcome is None:
        return ""
    winner = "A draw" if outcome.winner is None else f"{state.players[outcome.winner]} wins"
    return f"{winner}: {outcome.reason}."


def _code(record: Record) -> str:
    try:
        return record_code(record).line
    except CodeError:  # too long for any line
        return ""


def _analysis(record: Record) -> Sequence[Mapping[str, Any]]:
    """For each move its mark and its value, as far as the record was analysed."""
    noted = record.notes.get(_ANALYSIS)
    moves = noted.get("moves") if isinstance(noted, dict) else noted
    if not isinstance(moves, list):
        return ()
    return [
        {key: entry[key] for key in ("mark", "value") if isinstance(entry.get(key), str | int | float)}
        if isinstance(entry, dict)
        else {}
        for entry in moves
    ]
