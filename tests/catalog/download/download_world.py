"""A client with a simulated clock, a server that fails on demand, and the files in a folder."""

import random
from pathlib import Path
from typing import Any

from helpers.scryfall_server import (
    ScryfallServer,
)

from ccgrid.catalog.download import Client

CHANCE = random.Random(20)
ROWS = [{"object": "card", "id": f"{n:08}", "noise": CHANCE.randbytes(400).hex()} for n in range(400)]
NOW = 1_800_000_000.0
API = "/bulk-data"
ALTERNATIVE = "download it yourself: https://elsewhere.example"
ALTERNATIVE_ADVICE = f"\nTry again later, or {ALTERNATIVE}"


class FakeTime:
    """A clock that advances only by sleeping, and records the sleeps."""

    def __init__(self) -> None:
        self.now = NOW
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class NoChance(random.Random):
    """Randomness that always gives the longest back-off."""

    def random(self) -> float:
        return 1.0


def make_client(folder: Path, time: FakeTime, **settings: Any) -> Client:
    world: dict[str, Any] = {"clock": time.clock, "now": time.clock, "sleep": time.sleep, "random": NoChance()}
    return Client(ALTERNATIVE, cache=folder, **(world | settings))


def address(server: ScryfallServer) -> str:
    return str(server.bulk_object()["jsonl_download_uri"])


def files_left(target: Path) -> set[str]:
    """Return the names of all files in the folder except the lock."""
    return {path.name for path in target.parent.iterdir() if path.suffix != ".lock"}


UNFINISHED = {"cards.jsonl.gz.part", "cards.jsonl.gz.part.manifest.json"}
