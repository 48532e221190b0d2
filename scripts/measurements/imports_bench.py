"""Measure imports of many cards, compared with reading alone and with sqlite-utils."""

import gzip
import json
import random
from pathlib import Path
from statistics import median

from processes import CCGRID, PYTHON, measure, run_once

WORDS = ("amber", "brook", "crown", "dusk", "ember", "fallow", "grove", "hollow", "iron", "jade", "kettle", "lantern")
AT_LEAST = 100_000
"""The least number of imported cards, about Scryfall's number; a smaller file is repeated under other ids."""
A_FILE = 45_000
"""The number of cards for the comparison with sqlite-utils: Scryfall's when this was first measured."""
ROUNDS = 5
FLOOR = """
import gzip, sqlite3, sys, msgspec
source, target, typed = sys.argv[1], sys.argv[2], sys.argv[3] == "typed"
KEYS = ("id", "name", "set", "collector_number", "lang", "layout", "released_at", "type_line", "mana_cost")
KEYS += ("oracle_text",)
Card = msgspec.defstruct("Card", [(key, str, "") for key in KEYS])
decode = msgspec.json.Decoder(Card).decode if typed else msgspec.json.Decoder().decode
take = (lambda card: [getattr(card, key) for key in KEYS]) if typed else (lambda card: [card.get(key) for key in KEYS])
connection = sqlite3.connect(target)
connection.execute("CREATE TABLE cards (id PRIMARY KEY, " + ", ".join(f'"{key}"' for key in KEYS[1:]) + ")")
with (gzip.open if source.endswith(".gz") else open)(source, "rb") as file, connection:
    rows = (line.rstrip(b",\\n") for line in file)
    cards = (take(decode(row)) for row in rows if len(row) > 1)
    connection.executemany("INSERT INTO cards VALUES (?,?,?,?,?,?,?,?,?,?)", cards)
"""


def made_up(count: int) -> list[dict[str, object]]:
    """Return made-up cards in Scryfall's format."""
    rng = random.Random(1)
    words = list(WORDS)
    return [
        {
            "object": "card",
            "id": f"{number:08x}-0000-4000-8000-000000000000",
            "lang": "en",
            "layout": "normal",
            "name": " ".join(rng.sample(words, 3)).title(),
            "released_at": f"20{rng.randrange(10, 26)}-03-01",
            "mana_cost": f"{{{rng.randrange(9)}}}{{G}}",
            "cmc": 3.0,
            "type_line": "Sorcery",
            "colors": ["G"],
            "oracle_text": " ".join([*rng.choices(words, k=25), str(rng.randrange(12)), *rng.choices(words, k=9)]),
            "legalities": dict.fromkeys(words, "not_legal"),
            "games": ["paper"],
            "oversized": False,
            "digital": False,
            "image_uris": {word: f"https://cards.example/{word}/{number}.jpg" for word in words[:6]},
            "set": f"s{number // 250}",
            "set_name": f"Set {number // 250}",
            "collector_number": str(number % 250 + 1),
            "flavor_text": " ".join(rng.choices(words, k=15)),
            "frame": "2015",
            "artist": "Nobody",
        }
        for number in range(count)
    ]


def rows_of(path: Path) -> list[dict[str, object]]:
    """Return the cards of a Scryfall file, an array or JSON Lines."""
    from ccgrid.catalog.readers.json_rows import json_rows
    from ccgrid.catalog.readers.streams import open_data

    with open_data(path) as stream:
        return [json.loads(bytes(row.body)) for row in json_rows(stream, path.name)]


def write(source: Path | None, path: Path, least: int) -> int:
    """Write cards as an array or JSON Lines, plain or gzipped, depending on the file name; return their number.

    There are at least `least` cards: a smaller file is repeated under other ids.
    """
    rows = rows_of(source) if source else made_up(min(least, AT_LEAST))
    times = -(-least // len(rows))
    is_array = path.suffix == ".json"
    with gzip.open(path, "wt") if path.suffix == ".gz" else path.open("w") as file:
        file.write("[\n" if is_array else "")
        for turn in range(times):
            for row in rows:
                again = {} if not turn else {"set": f"{row['set']}{turn}", "id": f"{turn}{row['id']}"}
                comma = "," if is_array and not (turn == times - 1 and row is rows[-1]) else ""
                file.write(json.dumps({**row, **again}, separators=(",", ":"), ensure_ascii=False) + comma + "\n")
        file.write("]\n" if is_array else "")
    return len(rows) * times


def bench_imports(source: Path | None, folder: Path) -> None:
    """Print the cost of imports: compared with sqlite-utils and with reading alone, of a large file, of a table."""
    _beside_sqlite_utils(source, folder)
    _beside_reading(source, folder)
    _history(folder)
    _any_table(folder)


def _beside_sqlite_utils(source: Path | None, folder: Path) -> None:
    """Print medians over rounds for an import, and for the same cards in a table that sqlite-utils creates."""
    database, file = folder / "bench.db", folder / "cards.json"
    count = write(source, file, A_FILE)
    ours = [*CCGRID, "import", "mtg", file, "--db", database]
    other = [PYTHON, "-m", "sqlite_utils", "insert", database, "cards", file, "--pk", "id", "--alter"]
    rounds = [tuple(run_once(command, [database]) for command in (ours, other)) for _ in range(ROUNDS)]
    print(f"import, {count:,} cards, {file.stat().st_size / 1e6:.0f} MB of JSON: medians of {ROUNDS} rounds")
    for name, runs in zip(("ccgrid import", "sqlite-utils insert"), zip(*rounds, strict=True), strict=True):
        cpu, wall = median(run.cpu for run in runs), median(run.wall for run in runs)
        print(f"  {name}: {cpu:.2f} s, {wall:.2f} s on the clock, {max(run.memory for run in runs):.0f} MB")
    ratios = [theirs.cpu / mine.cpu for mine, theirs in rounds]
    print(f"  {median(ratios):.1f} times less ({min(ratios):.1f} to {max(ratios):.1f})")


def _beside_reading(source: Path | None, folder: Path) -> None:
    database = folder / "bench.db"
    for name in ("cards.json", "cards.jsonl.gz"):
        file = folder / name
        count = write(source, file, AT_LEAST)
        ours = measure([*CCGRID, "import", "mtg", file, "--db", database], before=[database])
        print(
            f"import {name}, {count:,} cards: {ours.cpu:.2f} s, {count / ours.cpu:,.0f} cards/s, {ours.memory:.0f} MB"
        )
        for kind in ("plain", "typed"):
            floor = measure([PYTHON, "-c", FLOOR, file, database, kind], before=[database])
            print(f"  {ours.cpu / floor.cpu:.2f} times the floor ({kind} msgspec, ten columns: {floor.cpu:.2f} s)")
    write(source, folder / "four.jsonl.gz", 4 * AT_LEAST)
    again = measure([*CCGRID, "import", "mtg", folder / "four.jsonl.gz", "--db", database], 1, before=[database])
    print(f"  four times the file: {again.memory:.0f} MB, {again.memory / ours.memory:.2f} times as much")


def _history(folder: Path) -> None:
    """Print what it costs to change every card, and to undo and redo that."""
    database, file = folder / "history.db", folder / "history.jsonl"
    for cost in (3, 4):
        cards = ({**card, "mana_cost": f"{{{cost}}}"} for card in made_up(AT_LEAST))
        file.write_text("".join(f"{json.dumps(card)}\n" for card in cards), encoding="utf-8")
        size = database.stat().st_size if database.exists() else 0
        run = run_once([*CCGRID, "import", "mtg", file, "--db", database], [])
        grown = (database.stat().st_size - size) / 1e6
        print(f"history: {'changing' if size else 'adding'} {AT_LEAST:,} cards: {run.cpu:.2f} s, {grown:.0f} MB")
    for words in (["undo", "--yes"], ["redo"]):
        print(f"  {words[0]}: {run_once([*CCGRID, *words, '--db', database], []).cpu:.2f} s")


ANY_LAYOUT = """
game = "rows"
[[printed]]
field = "Cost"
zone = "top-left"
[[printed]]
field = "Number"
zone = "bottom-right"
read = "collector"
[[printed]]
field = "Text"
zone = "face"
"""


def _any_table(folder: Path) -> None:
    """Print the cost of a million rows, and of a tenth of them, of an unknown game read with a layout."""
    database, layout = folder / "rows.db", folder / "rows.toml"
    layout.write_text(ANY_LAYOUT)
    memory = []
    for count in (100_000, 1_000_000):
        file = folder / "rows.csv"
        with file.open("w") as table:
            table.write("Name,Set,Number,Cost,Text\n")
            for number in range(count):
                words = f"Row {number} deals {number % 12} damage to each of {number % 7} others."
                table.write(f"Row {number},Set {number // 250},{number % 250 + 1}/250,{number % 9},{words}\n")
        run = measure([*CCGRID, "import", "csv", file, "--layout", layout, "--db", database], 1, before=[database])
        memory.append(run.memory)
        print(f"import csv, {count:,} rows: {run.cpu:.2f} s, {count / run.cpu:,.0f} rows/s, {run.memory:.0f} MB")
    print(f"  ten times the rows: {memory[1] / memory[0]:.2f} times the memory")
