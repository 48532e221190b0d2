"""Shows who or what was better in an arena: the human form of `arena --json`."""

from collections.abc import Mapping
from typing import Any, Final

from ccgrid.view.output import Column, show, show_table
from ccgrid.view.words import counted

Document = Mapping[str, Any]

_MEASURES: Final = {
    "first_share": ("whoever starts takes", 100, " %"),
    "draws": ("draws", 100, " %"),
    "mean_moves": ("moves a game", 1, ""),
    "mean_choices": ("legal moves a turn", 1, ""),
}
"""What is compared between house rules: words, the factor, the unit."""


def show_arena(result: Document) -> None:
    """Show the standings, or how two house rules differ."""
    show(f"{counted(result['games'], 'game')} of {result['game']}, seed {result['seed']}.", "")
    if "rules" in result:
        _show_rules(result)
        return
    show_table(
        [
            Column("player", wrap=True),
            Column("games", "right", spare=1),
            Column("wins", "right", spare=1),
            Column("draws", "right", spare=2),
            Column("share of points", "right", wrap=True),
            Column("Elo", "right"),
            Column("95 % of them", wrap=True),
        ],
        [
            (
                player["name"],
                player["games"],
                player["wins"],
                player["draws"],
                f"{100 * player['share']:.1f} ± {100 * player['stderr']:.1f} %",
                _elo(player["elo"]),
                f"{_elo(player['elo_low'])} to {_elo(player['elo_high'])}",
            )
            for player in result["players"]
        ],
    )
    if len(result["meetings"]) > 1:
        _show_meetings(result)
    if result["los"] is not None:
        one, other = (player["name"] for player in result["players"])
        show("", f"{one} is better than {other} with a likelihood of {100 * result['los']:.1f} %.")
    if result["sprt"] is not None:
        _show_test(result["sprt"])


def _show_meetings(result: Document) -> None:
    show("")
    show_table(
        [Column("meeting", wrap=True), Column("games", "right"), Column("share of the first", "right", wrap=True)],
        [
            (
                " – ".join(meeting["players"]),
                meeting["games"],
                f"{100 * meeting['share']:.1f} ± {100 * meeting['stderr']:.1f} %",
            )
            for meeting in result["meetings"]
        ],
    )


def _show_test(test: Document) -> None:
    between = f"between {test['elo0']:g} and {test['elo1']:g} Elo"
    if test["decided"] is None:
        show(f"The test {between} is not decided ({test['llr']:.2f} of ±{test['upper']:.2f}): play more games.")
    else:
        show(f"The test {between} is decided: rather {test[test['decided']]:g} Elo ({test['llr']:.2f}).")


def _show_rules(result: Document) -> None:
    one, other = result["rules"]
    rows = []
    for measure, (words, factor, unit) in _MEASURES.items():
        difference = result["differences"][measure]
        low, high = factor * difference["low"], factor * difference["high"]
        rows.append(
            (
                words,
                f"{factor * one[measure]:.2f}{unit}",
                f"{factor * other[measure]:.2f}{unit}",
                f"{factor * difference['value']:+.2f}{unit}",
                f"{low:+.2f} to {high:+.2f}",
            )
        )
    show_table(
        [
            Column(""),
            Column(one["rule"], "right", wrap=True),
            Column(other["rule"], "right", wrap=True),
            Column("difference", "right"),
            Column("95 % of them", wrap=True),
        ],
        rows,
    )


def _elo(value: float | None) -> str:
    return "-" if value is None else f"{value:+.0f}"
