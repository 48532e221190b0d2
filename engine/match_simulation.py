"""Matches between computer players, many of them, with a summary of the matches and of the games in them."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.dice import Dice
from engine.game import EngineError
from engine.match import Match
from engine.players import find_player
from engine.record import Record
from engine.simulation import Lineup, SimulationSummary, Tally, play_out


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """The outcome of many matches: what a match is, and what was counted over the games and over the matches."""

    plan: Match
    games: SimulationSummary
    matches: Tally

    def to_dict(self) -> dict[str, Any]:
        """The summary of all games as `simulate --json` gives it, and under `match` that of the matches."""
        summary = self.games.to_dict()
        tally = self.matches
        players = [
            {
                "name": player["name"],
                "wins": tally.wins[seat],
                "draws": tally.shared[seat],
                "mean_score": tally.points[seat] / max(tally.games, 1),
            }
            for seat, player in enumerate(summary["players"])
        ]
        match = {
            "matches": tally.games,
            "length": self.plan.length,
            "counts": "points" if self.plan.adds_points else "wins",
            "players": players,
            "draws": tally.draws,
        }
        return {**summary, "match": match}


def simulate_matches(
    match: Lineup,
    plan: Match,
    matches: int,
    *,
    write: Callable[[str], object] | None = None,
    progress: Callable[[int], object] | None = None,
) -> MatchSummary:
    """Plays matches, in this process, each with decks of its own that its games share.

    Args:
        match: what is played; the seed of each match follows from its seed and the match's number.
        plan: a match of which nothing is played yet, between the players of `match`.
        matches: how many, at least one.
        write: is given every record as a line of JSON Lines with its end, match by match.
        progress: is told after each match that one more is done.

    Raises:
        EngineError: the game, a player, a deck or a number is not as it must be.
    """
    if matches < 1:
        raise EngineError(f"the number of matches is at least 1, not {matches}")
    players = [find_player(name) for name in match.policies]
    games, counted, start = Tally(len(players)), Tally(len(players)), time.perf_counter()
    for number in range(1, matches + 1):
        dice = Dice(match.seed).fork(number)
        decks, played = match.decks(dice), plan
        while played.ending() is None:
            setup = played.deal(decks, dice, options=match.options)
            moves, _ = play_out(setup.start(), players, dice)
            record = Record(setup, tuple(moves), seed=dice.seed).with_result()
            played = played.add(record)
            games.count(played.outcomes[-1], setup.start().to_move, len(moves))
            if write:
                write(record.to_json_line() + "\n")
        outcome = played.outcome()
        if outcome is None:
            raise EngineError(f"{match.game}: a match ended without an outcome (seed {dice.seed})")
        counted.count(outcome, played.records[0].setup.start().to_move, len(played.records))
        if progress:
            progress(1)
    return MatchSummary(plan, SimulationSummary(match, games, time.perf_counter() - start), counted)
