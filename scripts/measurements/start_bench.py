"""Measures how long frequent commands take to start, next to the import of Typer alone."""

from pathlib import Path
from statistics import median

from processes import CCGRID, PYTHON, measure, run_once

TRIES = 20
TYPER = [PYTHON, "-c", "import typer"]


def bench_start(folder: Path) -> None:
    """Print the processor time of small commands as multiples of `python -c "import typer"`.

    The commands run in turn, so that other work on the machine slows all of them alike; the medians are compared.
    """
    database, table = folder / "start.db", folder / "owned.csv"
    game = Path(__file__).parents[2] / "docs" / "examples" / "game.toml"
    where = ["--db", database]
    table.write_text("Count,Name,Edition\n1,Dragon Power,\n", encoding="utf-8")
    commands: dict[str, list[str | Path]] = {
        "--help": ["--help"],
        "collection list": ["collection", "list", *where],
        "score": ["score", game],
        "deck new": ["deck", "new", "--seed", "1", *where],
        "search": ["search", "dragon", *where],
        "validate": ["validate", game],
        "collection import": ["collection", "import", table, "--dry-run", *where],
    }
    measure([*CCGRID, "import", "starter", *where], 1)
    measure([*CCGRID, "collection", "import", table, *where], 1)
    times: dict[str, list[float]] = {name: [] for name in ("typer", *commands)}
    for _ in range(TRIES):
        times["typer"].append(run_once(TYPER).cpu)
        for name, words in commands.items():
            times[name].append(run_once([*CCGRID, *words]).cpu)
    unit = median(times.pop("typer"))
    print(f"processor time of commands, in units of 'import typer' ({unit:.3f} s)")
    for name, found in times.items():
        print(f"  ccgrid {name}: {median(found) / unit:.2f}")
