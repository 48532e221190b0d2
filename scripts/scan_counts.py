"""Print the counts of a measurement of reading cards, game by game."""

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.table import Table


def rows(games: Mapping[str, Mapping[str, float]]) -> Iterator[tuple[str, ...]]:
    for game, found in games.items():
        printed, reported, cards = (max(1, found[key]) for key in ("printed", "reported", "cards"))
        yield (
            game,
            f"{found['cards']:.0f}",
            f"{found['printed']:.0f}",
            f"{found['found'] / printed:.1%}",
            f"{1 - found['found'] / reported:.1%}" if found["reported"] else "-",
            f"{found['right'] / cards:.1%}",
            f"{found['seconds'] / cards:.2f}",
        )


def show(games: Mapping[str, Mapping[str, float]]) -> None:
    table = Table("game", box=None, pad_edge=False)
    for heading in ("cards", "numbers", "found", "wrong", "whole", "seconds"):
        table.add_column(heading, justify="right")
    for row in rows(games):
        table.add_row(*row)
    Console(width=90).print(table)
