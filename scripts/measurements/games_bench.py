"""Measure games a second: kernels compared with readable rules and plain C++, as medians of ratios in one run."""

import json
import math
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ccgrid.catalog.card import Card
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.deck_sources import FixedDecks, RandomDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.games.ninecard.decks import BattleDecks
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.many.kernels import can_compile, find_kernel
from ccgrid.engine.many.simulation import play_game, simulate
from ccgrid.engine.many.tally import Lineup
from ccgrid.services.catalogue import open_bundled

ROUNDS = 5
TURNS = 10
SEED = 7
BESIDE = {"one worker": "two workers", "compiled": "compiled, drawn decks"}
"""Runs that are compared with only one other run."""
LOOP = Path(__file__).parent / "grid_loop.cpp"
POOL = 50_000

Run = Callable[[], float]
"""A function that plays some games and returns games a second."""


def bench_games(folder: Path) -> None:
    """Measure all four games with random and greedy players; for grid also decks from a pool, two workers, and C++."""
    with open_bundled() as store:
        cards = list(store.all_cards(legal=True))
        fighters = list(store.all_cards())
    rng = random.Random(1)
    pool = tuple(rng.choice(cards) for _ in range(POOL))
    decks = {
        "of several games": FixedDecks((tuple(rng.sample(cards, 20)),)),
        "of Magic": FixedDecks((tuple(rng.sample([card for card in cards if card.game == "mtg"], 20)),)),
    }
    compiled_loop = compile_program(LOOP, folder)
    for name, source in decks.items():
        lineup = Lineup("grid", ("random",) * 2, source, SEED)
        runs = {"readable rules": _readable(lineup, 300), "plain Python": _kernel(lineup, 3_000, 1)}
        if can_compile():
            runs["compiled"] = _kernel(lineup, 300_000)
            runs["compiled, greedy"] = _kernel(Lineup("grid", ("greedy",) * 2, source, SEED), 200_000)
            runs["compiled, drawn decks"] = _kernel(
                Lineup("grid", ("random",) * 2, RandomDecks(pool, 20), SEED), 200_000
            )
            runs["one worker"], runs["two workers"] = (_simulated(lineup, 1_000_000, count) for count in (1, 2))
        if compiled_loop:
            runs["C++"] = _plain_loop(compiled_loop, source.decks[0], 100_000)
        compare(f"grid, a deck {name}", runs)
    battle = BattleDecks.of(fighters, 2)
    lineups = {
        "matrix": (FixedDecks(()), 300),
        "tactics": (FixedDecks(tuple(faction.cards for faction in FACTIONS.bundled()[:2])), 300),
        "ninecard": (FixedDecks(tuple(map(tuple, battle(Dice(1))))), 10),
    }
    for game, (source, games) in lineups.items():
        for policy in ("random", "greedy"):
            lineup = Lineup(game, (policy,) * 2, source, SEED)
            runs = {"readable rules": _readable(lineup, games if policy == "random" else max(games // 5, 3))}
            if find_kernel(lineup, 1):
                runs["plain Python"] = _kernel(lineup, games, 1)
            if can_compile():
                runs["compiled"] = _kernel(lineup, 100 * games if policy == "random" else 20 * games)
            compare(f"{game}, {policy}", runs)


def bench_workers(database: Path, cards: int) -> None:
    """Measure simulations with decks from a large catalogue, with one and two processes in turn: the best of each."""
    command = [sys.executable, "-m", "ccgrid", "simulate", "grid", "--seed", "1", "--json", "--db", str(database)]
    for games in (8_000, 25_000):  # for more the compiled kernel is taken
        playing, whole = {1: math.inf, 2: math.inf}, {1: math.inf, 2: math.inf}
        for workers in (1, 2) * TURNS:
            start = time.perf_counter()
            words = [*command, "--games", str(games), "--workers", str(workers)]
            answer = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
            whole[workers] = min(whole[workers], time.perf_counter() - start)
            playing[workers] = min(playing[workers], games / answer["games_per_second"])
        print(f"grid, {games:,} games with decks drawn from {cards:,} cards: seconds on the clock")
        for title, best in (("playing", playing), ("whole command", whole)):
            print(f"  {title}: one worker {best[1]:.2f}, two {best[2]:.2f}, {best[1] / best[2]:.2f} times")


def compare(title: str, runs: dict[str, Run]) -> None:
    """Print the medians of games a second and of the ratios to the first run and to C++, each taken in one round."""
    rounds = [{name: run() for name, run in runs.items()} for _ in range(ROUNDS)]
    print(f"{title}: games a second")
    for name in runs:
        line = f"  {name}: {statistics.median(row[name] for row in rounds):,.0f}"
        for other in ("readable rules", "C++", "one worker", "compiled"):
            if other in runs and other != name and BESIDE.get(other, name) == name:
                line += f", {statistics.median(row[name] / row[other] for row in rounds):.2f} times {other}"
        print(line)


def _readable(lineup: Lineup, games: int) -> Run:
    return _timed(games, lambda: [play_game(lineup, number) for number in range(1, games + 1)])


def _kernel(lineup: Lineup, games: int, known: int | None = None) -> Run:
    kernel = find_kernel(lineup, known)
    if kernel is None:
        raise SystemExit(f"no kernel plays {lineup.game}")
    kernel.run(lineup, range(1, 3))
    return _timed(games, lambda: kernel.run(lineup, range(1, games + 1)).tally())


def _timed(games: int, work: Callable[[], object]) -> Run:
    def run() -> float:
        start = time.process_time()
        work()
        return games / (time.process_time() - start)

    return run


def _simulated(lineup: Lineup, games: int, workers: int) -> Run:
    return lambda: games / simulate(lineup, games, workers=workers).seconds


def compile_program(source: Path, folder: Path) -> Path | None:
    """Compile a C++ program into a folder; return its path, or None if there is no compiler."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        print("there is no C++ compiler here: nothing is compared with C++")
        return None
    subprocess.run([compiler, "-O3", "-o", folder / source.stem, source], check=True)
    return folder / source.stem


def as_text(deck: Sequence[Card]) -> str:
    """Return the cards as input for these programs: the number of each zone (-1 if it has none) and the score."""
    return "\n".join(" ".join(str(card.zones.get(zone, -1)) for zone in ZONES) + f" {card.score}" for card in deck)


def _plain_loop(program: Path, deck: Sequence[Card], games: int) -> Run:
    text = as_text(deck)
    tally = simulate(Lineup("grid", ("random",) * 2, FixedDecks((tuple(deck),)), SEED), games, workers=1).tally

    def run() -> float:
        answer = subprocess.run(
            [program, str(games), str(SEED)], input=text, check=True, capture_output=True, text=True
        )
        plies, *points, seconds = answer.stdout.split()
        if [int(plies), *map(int, points)] != [tally.moves, *tally.points]:
            raise SystemExit("the C++ loop played other games")
        return games / float(seconds)

    return run
