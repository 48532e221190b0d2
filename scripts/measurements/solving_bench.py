"""Measure the time to solve whole games of grid: dense decks compared with plain C++, and decks of real cards."""

import random
import resource
import statistics
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from games_bench import as_text, compile_program

from ccgrid.catalog.card import Card
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.cards import zone_card
from ccgrid.engine.games.grid import solving
from ccgrid.engine.games.grid.moves import DECK_SIZE, GRID_SIZE
from ccgrid.engine.games.grid.rules import GridSetup, GridState
from ccgrid.engine.many.kernels import can_compile
from ccgrid.engine.search.core_search import CoreSearcher
from ccgrid.engine.search.proving import Proof, prove
from ccgrid.services.catalogue import open_bundled

DENSE_DECKS = 20
REAL_DECKS = 50
ENDGAMES = 200
NUMBERS = 3
"""The number of zones with a number on a card of a dense deck; most real cards have one or two."""
PATIENCE = 3.0
"""C++ is stopped when it takes this many times as long."""
STOPPED = 3
SOLVER = Path(__file__).parent / "grid_solver.cpp"


def dense_deck(seed: int, numbers: int = NUMBERS) -> tuple[Card, ...]:
    """Return twenty cards with `numbers` random numbers from 0 to 10 each; a card's score is their sum."""
    rng = random.Random(seed)
    cards = []
    for place in range(DECK_SIZE):
        zones = {zone: rng.randint(0, 10) for zone in rng.sample(ZONES, numbers)}
        cards.append(zone_card(Card(f"dense:{place}", "dense", f"Card {place}", zones, sum(zones.values()))))
    return tuple(cards)


def bench_solving(folder: Path) -> None:
    """Measure dense decks compiled and in C++, real decks compiled and in Python, and endgames in plain Python."""
    with open_bundled() as store:
        cards = [zone_card(card) for card in store.all_cards(legal=True)]
    if can_compile():
        solved(start_of(dense_deck(0, 1)), compiled=True)
        _dense(compile_program(SOLVER, folder))
    magic = [card for card in cards if card.game == "mtg"]
    rng = random.Random(1)
    decks = [rng.sample(pool, DECK_SIZE) for _ in range(REAL_DECKS // 2) for pool in (cards, magic)]
    _real([start_of(deck) for deck in decks])
    _endgames([start_of(rng.sample(cards, DECK_SIZE)) for _ in range(ENDGAMES)], rng)


def start_of(deck: Sequence[Card]) -> GridState:
    """Return a game with the deck in the given order."""
    return GridSetup(("Ann", "Bob"), 0, tuple(deck)).start()


def solved(state: GridState, *, compiled: bool) -> tuple[float, Proof]:
    """Solve a position; return the processor seconds and the proof with its line."""
    start = time.process_time()
    proof = prove(state, CoreSearcher(solving, state, is_compiled=compiled))
    return time.process_time() - start, proof


def _dense(program: Path | None) -> None:
    print(f"solved, {DENSE_DECKS} dense decks, {NUMBERS} numbers on each card: processor seconds")
    times, ratios, nodes = [], [], []
    for seed in range(1, DENSE_DECKS + 1):
        deck = dense_deck(seed)
        seconds, proof = solved(start_of(deck), compiled=True)
        times.append(seconds)
        nodes.append(proof.nodes)
        line = f"  seed {seed}: {seconds:.2f} s, {proof.nodes:,} positions"
        if program is not None:
            ratio, longer = _beside(program, deck, seconds, proof)
            ratios.append(ratio)
            line += f"; C++ {longer}"
        print(line, flush=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    line = f"  median {statistics.median(times):.2f} s, longest {max(times):.2f} s and {max(nodes):,} positions"
    beside = f"; C++ at least {statistics.median(ratios):.1f} times as long" if ratios else ""
    print(f"{line}, {memory:.0f} MB{beside}")


def _beside(program: Path, deck: Sequence[Card], seconds: float, proof: Proof) -> tuple[float, str]:
    """Return C++'s time as a multiple of ours (a lower bound if it was stopped), and as text."""
    command = [str(program), str(PATIENCE * seconds)]
    answer = subprocess.run(command, input=as_text(deck), capture_output=True, text=True, check=False)
    if answer.returncode == STOPPED:
        return PATIENCE, f"more than {PATIENCE} times as long"
    value, nodes, took = answer.stdout.split()
    if int(value) != proof.value:
        raise SystemExit(f"C++ says that a deck is worth {value}, not {proof.value}")
    return float(
        took
    ) / seconds, f"{float(took):.2f} s, {int(nodes):,} positions: {float(took) / seconds:.1f} times as long"


def _real(states: Sequence[GridState]) -> None:
    for name, compiled in (("plain Python", False), *([("compiled", True)] if can_compile() else [])):
        times = [solved(state, compiled=compiled)[0] for state in states]
        print(f"solved, {len(states)} decks of real cards, {name}: median {statistics.median(times):.3f} s,", end=" ")
        print(f"longest {max(times):.3f} s")


def _endgames(states: Sequence[GridState], rng: random.Random) -> None:
    times = []
    for state in states:
        while state.pile and (moves := state.legal_moves()):
            state = state.play_unchecked(rng.choice(moves))
        if state.legal_moves():
            times.append(solved(state, compiled=False)[0])
    slow = sorted(times)[int(0.95 * len(times))]
    print(f"solved, {len(times)} endgames of {GRID_SIZE} cards, plain Python: {1000 * slow:.1f} ms for 95 of 100")
