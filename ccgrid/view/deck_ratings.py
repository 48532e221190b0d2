"""Shows how a deck plays: the human form of `deck rate --json`."""

from collections.abc import Mapping
from typing import Any, Final

from ccgrid.view.output import Column, show, show_table
from ccgrid.view.words import counted

Document = Mapping[str, Any]

_FIGURES: Final = (
    ("met", "captures in which two numbers meet", "%"),
    ("mean_choices", "choices a turn", ""),
    ("forced", "turns without a choice", "%"),
    ("mean_moves", "moves a game", ""),
    ("lead_changes", "lead changes a game", ""),
    ("draws", "drawn games", "%"),
    ("dead", "games that end with cards in the pile", "%"),
    ("by_one", "games that one card decides", "%"),
)
_SHOWN: Final = 5
"""So many of the best cards, and of the worst, are shown."""


def show_rating(rating: Document) -> None:
    """Show the verdict, the figures, and what the cards at both ends are worth."""
    players = " against ".join(rating["players"])
    show(f"{rating['name']}: {counted(rating['games'], 'game')} of {rating['game']}, {players}.", "")
    for sentence in rating["verdict"]:
        show(sentence)
    show("")
    first = f"{100 * rating['first_share']:.1f} ± {100 * rating['first_stderr']:.1f} %"
    rows = [("points of whoever starts", first)]
    for key, words, unit in _FIGURES:
        if rating[key] is not None:
            rows.append((words, f"{100 * rating[key]:.1f} %" if unit else f"{rating[key]:.1f}"))
    show_table([Column(""), Column("", "right")], rows)
    cards = rating["cards"]
    if not cards:
        return
    if rating["decider"] is not None:
        show("", f"The card that decides: {rating['decider']}.")
    verb = "takes" if rating["met"] is not None else "plays"
    show("", f"What a card is worth: how many points ahead whoever {verb} it is in the end.", "")
    ends = cards if len(cards) <= 2 * _SHOWN else [*cards[:_SHOWN], None, *cards[-_SHOWN:]]
    show_table(
        [Column("card", wrap=True), Column("worth", "right")],
        [
            ("…", "") if card is None else (card["name"], f"{card['worth']:+.1f} ± {card['stderr']:.1f}")
            for card in ends
        ],
    )
