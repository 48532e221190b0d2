"""One example of every view, and malicious names."""

import unicodedata
from collections.abc import Collection, Sequence
from typing import Any, Literal

import msgspec

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import PrintedNumber, deck_check
from ccgrid.catalog.decks import Problem
from ccgrid.catalog.joiners import joiners_in
from ccgrid.catalog.store.imports import ImportSummary
from ccgrid.catalog.store.statistics import CatalogueStats, GameStats
from ccgrid.catalog.zones import Zone
from ccgrid.engine.errors import RecordError
from ccgrid.engine.game import Ending, Outcome
from ccgrid.engine.many.tally import SimulatedPlayer, SimulationResult
from ccgrid.engine.picture import (
    Cell,
    Divider,
    GridRow,
    Line,
    Listing,
    Name,
    Picture,
    PictureTable,
    Spare,
    Stack,
    Standings,
    TableColumn,
    TextGrid,
    Tile,
    Tiles,
    deck_tiles,
)
from ccgrid.engine.records.record import CheckedRecord
from ccgrid.view import reports
from ccgrid.view.card import show_card
from ccgrid.view.output import OutputColumn, show, show_table
from ccgrid.view.pictures import draw, show_picture

HOSTILE = {
    "markup": "[/red] [bold]Ring[/] [link=file:///etc/passwd]x[/link]",
    "clears the screen": "\x1b[2J\x1b]0;title\x07Ring",
    "8-bit controls": "\x9b2J Ring \x85\x7f",
    "turns the direction": "\u202egniR\u2066 of \u200fGix",
    "lines": "Ring\nof\r\nGix\u2028\u2029\x0b\x0c\t.",
    "invisible": "Ri\u200bng\ufeff \u200d\U000e0041\xad",
    "long": "Ring of Gix " * 1000,
    "one long word": "x" * 10_000,
    "wide": "宝石の指輪" * 40,
    "combining": "R" + "\u0301" * 10_000,
    "only combining": "\u0301" * 10_000,
    "emoji": "❤️👩\u200d👩\u200d👧 Ring 🃏",
    "half a pair": "Ring \ud83d of Gix",
    "percent and braces": "%s {0} {name} \\x1b",
    "empty": "",
}
CARD = Card(
    id="mtg:ori/60",
    game="mtg",
    name="Jace, Vryn's Prodigy",
    zones={"top-left": 4, "top": 0, "right": 10, "left": 3, "bottom": 2},
    score=29,
    set_code="ori",
    set_name="Magic Origins",
    collector_number="60",
    face=(3, 0, 3),
    legal=False,
    reason="multiple-numbers:bottom-right",
    attack=2,
    defense=2,
)


def number(zone: Zone | Literal["face"], field: str, raw: str, value: int, why: str, **other: Any) -> PrintedNumber:
    return PrintedNumber(
        **{"zone": zone, "field": field, "raw": raw, "value": value, "why": why, "counts": True, "confidence": "high"}
        | other
    )


NUMBERS = [
    number("top-left", "cost", "{4}", 4, "rule 2"),
    number("bottom-right", "power", "2/2", 2, "rule 4"),
    number("bottom-right", "toughness", "2/2", 2, "rule 4"),
    number("face", "text", "3000", 3000, "above 10 (rule 6)", counts=False),
]


def named(name: str) -> Card:
    return Card(id="x:1", game="x", name=name, zones={"left": 10, "right": 0}, score=10, set_code=name, reason=name)


def assert_harmless(text: str) -> None:
    kept = joiners_in(text)
    bad = {
        c
        for place, c in enumerate(text)
        if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and place not in kept
    }
    bad -= {"\n"}
    assert not bad


def board(cards: Sequence[Card | None], columns: int = 3, marked: Collection[str] = ()) -> Tiles:
    """Return tiles of cards with their scores; cells are named by letter and number, and None is an open cell."""
    tiles = []
    for index, card in enumerate(cards):
        cell = f"{'abcde'[index % columns]}{index // columns + 1}"
        caption = "empty" if card is None else f"score {card.score}"
        name, zones = ("", {}) if card is None else (card.name, card.zones)
        tiles.append(Tile(label=cell, name=name, zones=zones, captions=(caption,), marked=cell in marked))
    return Tiles(tuple(tiles), columns)


def picture_of(name: str) -> Picture:
    """Return pictures of every kind with an untrusted text in every place."""
    tile = Tile(label=name, owner=name, name=name, zones={"left": name, "top": 1}, captions=(name,), marked=True)
    cells = (Cell(name, name, marked=True), Cell("1/2", name), Cell())
    grid = (Divider(("a", "b", "c")), GridRow("1", cells), GridRow("2", cells, spare=True), Divider(("f",) * 3, True))
    sides = {side: (f"{side} ", Name(name, 12), " 7") for side in ("north", "west", "east", "south")}
    return Stack(
        (
            Line(("about ", Name(name)), style="caption"),
            Line(("  ", Name(name, None)), "1 2 3"),
            Listing((Name(name), " holds"), ((Name(name, 26),), ("2 ", Name(name, 26)))),
            Standings(((Name(name, None), ": 3 points"), ("N ", Name(name, None), ": 4 points"), "5 points")),
            Tiles((tile,) * 5, 3),
            TextGrid(grid, holds_names=True),
            TextGrid((Divider(), GridRow("1", (Cell("7"), Cell("8", marked=True))), Divider()), around=sides),
            Spare(Line((Name(name, 60),))),
        )
    )


def everything(card: Card) -> None:
    """Show a card, and its name everywhere else that a view displays names."""
    name = card.name
    show(name, draw(board([card, None, *[card] * 7], marked=["a1"])), draw(picture_of(name)))
    show_picture(Stack((deck_tiles([card] * 3), PictureTable((TableColumn("name", wraps=True),), ((name,),)))))
    show_card(card, [number("face", name, name, 1, name)])
    show_table([OutputColumn("name"), OutputColumn("why", wrap=True)], [(name, name)], title=name)
    reports.show_import(ImportSummary(**{**IMPORT, "source": name, "version": name, "barred": {name: 1}}))
    games = [msgspec.structs.replace(STATS.games[0], game=name, barred={name: 2})]
    reports.show_catalogue_stats(msgspec.structs.replace(STATS, games=games))
    reports.show_deck_check(deck_check([CARD], [Problem(name, name)]))
    won = Outcome.of((1,), NO_MOVE)
    reports.show_score(SCORE._replace(file=name, game=name, players=(name,), points=(1,), outcome=won))
    reports.show_validity(SCORE._replace(file=name, error=RecordError(name, name)))
    player = msgspec.structs.replace(SIMULATION.players[0], name=name, policy=name)
    reports.show_simulation(msgspec.structs.replace(SIMULATION, game=name, players=[player]))


IMPORT: dict[str, Any] = {
    "source": "mtg",
    "version": "2026-11-20",
    "read": 100,
    "added": 90,
    "changed": 4,
    "unchanged": 3,
    "removed": 2,
    "skipped": 3,
    "legal": 60,
    "remarks": [],
    "barred": {"no-number": 7, "multiple-numbers:bottom-right": 30},
    "seconds": 1.25,
}
STATS = CatalogueStats(
    cards=1200,
    legal=60,
    games=[GameStats(game="mtg", cards=1200, legal=60, barred={"no-number": 1140}, zones={"bottom": 54})],
)
NO_MOVE = Ending("no-move", "there is no move left")
SCORE = CheckedRecord(
    file="evening.toml",
    game="grid",
    players=("Ann", "Bob"),
    moves=23,
    points=(57, 61),
    outcome=Outcome.of((57, 61), NO_MOVE),
    error=None,
)
SIMULATION = SimulationResult(
    game="grid",
    games=1000,
    seed=7,
    players=[
        SimulatedPlayer(name="south", policy="random", wins=500, draws=10, mean_score=45.678),
        SimulatedPlayer(name="north", policy="greedy", wins=490, draws=10, mean_score=44.1),
    ],
    first_player_wins=510,
    draws=10,
    mean_moves=13.25,
    games_per_second=12345.6,
)
