"""Measure the search for decks: how well found decks do in games with other seeds, and the seconds it takes."""

import time
from pathlib import Path

from large_catalogue import A_MILLION, fill
from processes import CCGRID, measure

from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.games.grid.deck_search import GridDeckSearch
from ccgrid.engine.insight.deck_rating import rate
from ccgrid.engine.many.simulation import Lineup, simulate
from ccgrid.services.catalogue import open_bundled

SEEDS = (1, 2, 3, 4, 5)
FRESH = 100_000
GREEDY = ("greedy", "greedy")


def bench_large(folder: Path) -> None:
    """Measure whole commands that find a balanced deck among a million cards, and among a hundredth of them."""
    for cards in (A_MILLION // 100, A_MILLION):
        database = folder / f"{cards}.db"
        fill(database, cards)
        for seed in SEEDS[:2]:
            run = measure([*CCGRID, "deck", "new", "--balanced", "--seed", str(seed), "--db", database], 1)
            print(
                f"deck new --balanced --seed {seed}, {cards:,} cards: {run.wall:.1f} s on the clock,"
                f" {run.cpu:.1f} s of processor time, {run.memory:.0f} MB",
                flush=True,
            )


def bench_decks() -> None:
    """Measure lively and balanced decks of the bundled cards of twelve games; print a line for each seed."""
    with open_bundled() as store:
        pool = tuple(store.all_cards(legal=True))
    for kind in ("lively", "balanced"):
        print(f"decks of twelve games, {kind}")
        for seed in SEEDS:
            wall, busy = time.perf_counter(), time.process_time()
            search = GridDeckSearch(pool, seed)
            found = search.lively() if kind == "lively" else search.balanced()
            wall, busy = time.perf_counter() - wall, time.process_time() - busy
            rating = rate("grid", found.cards, 5_000, 1_000 + seed).figures()
            tally = simulate(Lineup("grid", GREEDY, FixedDecks((found.cards,)), 2_000 + seed), FRESH).tally
            usual = found.usual
            choices = rating.mean_choices / usual.per_turn(usual.choices)
            first = (tally.first_player_wins + tally.draws / 2) / FRESH
            print(
                f"  seed {seed}: numbers met in {rating.met:.1%} of captures (random decks {usual.met_share:.1%}), "
                f"choices {choices:.2f} times, games ended with a pile {rating.dead:.2%}, who starts {first:.2%}; "
                f"{wall:.0f} s, {busy:.0f} s of processor time",
                flush=True,
            )
