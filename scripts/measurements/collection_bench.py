"""Measure large collections: import files, list uncertain rows, find a deck in its boxes."""

import csv
import random
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from large_catalogue import A_MILLION, fill, misspelt

CARDS = 46_000
"""The least number of printings in the catalogue, about what a user with old cards imports."""
ROWS = 100_000
DOUBTS = 30_000
OWNED = 15_000
UNKNOWN_NAMES = 12_000
"""The number of different names in the rows that the catalogue does not have."""
HEADINGS = ("Count", "Tradelist Count", "Name", "Edition", "Condition", "Language", "Foil", "Collector Number")
MISSPELT = (300, 3_000)
GRADES = ("Near Mint", "Lightly Played", "Moderately Played", "Heavily Played", "Damaged", "Mint")

Card = dict[str, object]


class Measured(Protocol):
    """The measurements of a run: processor seconds and megabytes."""

    cpu: float
    memory: float


def bench_collection(cards: Sequence[Card], file: Path, folder: Path, run: Callable[..., Measured]) -> None:
    """Print the processor time of whole commands on a catalogue with the cards of a file."""
    empty, database = folder / "cards.db", folder / "collection.db"
    run(["import", "mtg", file, "--db", empty], 1)
    dice = random.Random(1)
    print(f"a collection, {len(cards):,} cards in the catalogue: processor seconds of whole commands")

    def measured(what: str, command: Sequence[str | Path], tries: int = 3) -> None:
        print(f"  {what}: {run([*command, '--db', database], tries).cpu:.2f} s")

    def imported(what: str, name: str, rows: Iterable[Sequence[object]]) -> None:
        table = folder / name
        with table.open("w", newline="", encoding="utf-8") as lines:
            csv.writer(lines).writerows([HEADINGS, *rows])
        database.write_bytes(empty.read_bytes())
        measured(what, ["collection", "import", table], 1)

    imported(f"import, {ROWS:,} rows that match", "match.csv", matching(cards, ROWS))
    imported(f"import, {ROWS:,} rows of which nine in ten are missed", "miss.csv", missing(cards, ROWS, dice))
    imported(f"import, {DOUBTS:,} such rows", "doubts.csv", missing(cards, DOUBTS, dice))
    measured(f"doubts, {DOUBTS:,} rows of which nine in ten are in doubt", ["collection", "doubts"])
    imported(f"import, {OWNED:,} rows that match", "owned.csv", matching(cards, OWNED))
    deck = folder / "deck.txt"
    names = [str(card["name"]) for card in dice.sample(list(cards[:OWNED]), 100)]
    deck.write_text("".join(f"1 {name}\n" for name in names), encoding="utf-8")
    measured(f"pull of 100 names, {OWNED:,} owned", ["collection", "pull", deck])
    names[::10] = [f"{name[::-1]} {number}" for number, name in enumerate(names[::10])]
    deck.write_text("".join(f"1 {name}\n" for name in names), encoding="utf-8")
    measured("pull of 100 names, of which 10 are unknown", ["collection", "pull", deck])


def bench_misspelt(folder: Path, run: Callable[..., Measured]) -> None:
    """Print the cost of a misspelt row in a catalogue of a million cards, and in one of a hundredth of that size."""
    costs = []
    for cards in (A_MILLION // 100, A_MILLION):
        made, database, table = folder / f"{cards}.db", folder / "misspelt.db", folder / "misspelt.csv"
        fill(made, cards)
        runs = []
        for count in MISSPELT:
            rows = [[1, 0, name, "", "Near Mint", "English", "", ""] for name in misspelt(made, count)]
            with table.open("w", newline="", encoding="utf-8") as lines:
                csv.writer(lines).writerows([HEADINGS, *rows])
            shutil.copyfile(made, database)
            runs.append(run(["collection", "import", table, "--game", "ants", "--db", database], 1))
        few, many = runs
        costs.append((many.cpu - few.cpu) / (MISSPELT[1] - MISSPELT[0]) * 1000)
        print(
            f"misspelt rows, {cards:,} cards: {MISSPELT[0]} in {few.cpu:.2f} s, {MISSPELT[1]:,} in {many.cpu:.2f} s,"
            f" {costs[-1]:.1f} ms a row; {many.memory:.0f} MB"
        )
    print(f"  a hundred times the cards: {costs[1] / costs[0]:.1f} times as much a row")


def matching(cards: Sequence[Card], count: int) -> Iterable[Sequence[object]]:
    """Return rows for cards of the catalogue; each repetition of a card has another condition."""
    for number in range(count):
        card, grade = cards[number % len(cards)], GRADES[number // len(cards) % len(GRADES)]
        yield 1, 0, card["name"], card["set"], grade, "English", "", card["collector_number"]


def missing(cards: Sequence[Card], count: int, dice: random.Random) -> Iterable[Sequence[object]]:
    """Return rows of known sets, nine in ten with unknown names."""
    words = sorted({word for card in cards for word in str(card["name"]).split()})
    unknown = [" ".join(dice.sample(words, dice.choice((2, 2, 3, 4)))) + "quex" for _ in range(UNKNOWN_NAMES)]
    for number in range(count):
        card = dice.choice(cards)
        name = dice.choice(unknown) if number % 10 else card["name"]
        own = dice.randrange(1, 300) if number % 10 else card["collector_number"]
        yield 1, 0, name, card["set"], "Near Mint", "English", "", own
