"""The page that replays a recorded game of any kind: every position as the game shows it, and no rules."""

from typing import Any

from catalog.codes.code import CodeError
from ccgrid.pages.assemble import asset, page
from ccgrid.pages.nodes import Nodes, plain
from engine.game import State
from engine.games import find_game
from engine.insight.analysis import marks_of, values_of
from engine.records.codes import record_code
from engine.records.record import Record


def replay_page(record: Record) -> str:
    """The page of a valid record; raises what replaying it raises."""
    data = replay_data(record)
    return page(asset("replay.html"), data["title"], data, [asset("cards.js"), asset("replay.js")])


def replay_data(record: Record) -> dict[str, Any]:
    """All that the page shows: positions as numbers of pictures, moves with what they did, scores."""
    game = find_game(record.setup.game)
    view, nodes = game.pictures, Nodes()
    state = record.setup.start()
    positions = [nodes.add(view.picture(state, None, None))]
    scores = [state.scores()]
    moves = []
    for ply, mark, value in zip(record, marks_of(record), values_of(record), strict=True):
        state = ply.state.play_unchecked(ply.move)
        positions.append(nodes.add(view.picture(state, None, ply.move)))
        scores.append(state.scores())
        effect = plain(view.describe(ply.state, ply.move))
        said: dict[str, Any] = {"player": ply.player, "move": ply.move, "effect": effect}
        moves.append(said | ({"mark": mark} if mark else {}) | ({} if value is None else {"value": value}))
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
