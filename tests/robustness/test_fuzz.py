"""Fuzz tests of all readers: they raise only errors with messages for users."""

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if sys.platform == "win32":
    pytest.skip("needs fork and limits of processes", allow_module_level=True)

from entry_points import ATTACKS
from fuzzing import CORPUS, inputs, is_find, mutated, seeds, tried
from limits import DONE, REFUSED, attempt
from readers import ORDINARY, READERS, warm

SHARE = 5
"""One in `SHARE` readers is tried on each stored file, in turn; with CCGRID_EVERY_READER all of them are."""
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(("10", "3/4", "½", "X", "1-3", "Ant", "Minion", "top", "-#", "{2}{R}", "2023-01-01")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        "id",
        "name",
        "set",
        "set_code",
        "number",
        "collector_number",
        "cards",
        "data",
        "printed",
        "zones",
        "score",
        "face",
        "game",
        "plays",
        "moves",
        "players",
        "result",
        "type",
        "cost",
        "attack",
        "health",
        "front",
        "code",
        "title",
        "attributes",
        "hp",
        "attacks",
        "desc",
        "level",
        "settles",
        "copies",
        "card_sets",
        "types",
    ]
)
DOCUMENTS = st.dictionaries(KEYS | st.text(max_size=6), VALUES, max_size=8)


@pytest.fixture(scope="module", autouse=True)
def warmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fuzz")
    warm(folder)
    return folder


@pytest.mark.slow
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(rows=st.lists(DOCUMENTS, max_size=3), whole=st.booleans())
@pytest.mark.parametrize("name", [name for name in ORDINARY if name.startswith(("source", "collection", "JSON"))])
def test_any_json_is_read_or_refused(name: str, rows: list[dict[str, Any]], whole: bool, warmed: Path) -> None:
    path = warmed / "input.json"
    path.write_text(json.dumps(rows) if whole else "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    how, report = attempt(lambda: READERS[name](path))
    assert how in (DONE, REFUSED), report


@pytest.mark.slow
@settings(max_examples=60)
@given(seed=st.integers(0, 2**40), name=st.sampled_from(sorted(READERS)))
def test_mutated_good_files_are_read_or_refused(seed: int, name: str, warmed: Path) -> None:
    outcome = tried(name, mutated(random.Random(seed), seeds()), warmed)
    assert not is_find(outcome), outcome.report


@pytest.mark.parametrize("file", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_readers_survive_the_corpus(file: Path, warmed: Path) -> None:
    turn = sorted(CORPUS.iterdir()).index(file) % SHARE
    for name in ORDINARY if os.environ.get("CCGRID_EVERY_READER") else ORDINARY[turn::SHARE]:
        path = warmed / file.name
        path.write_bytes(file.read_bytes())
        how, report = attempt(lambda name=name, path=path: READERS[name](path))  # type: ignore[misc]
        assert how in (DONE, REFUSED), (name, report)


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 30))])
def test_contradictory_file_is_refused_or_gives_a_possible_result(seed: int, tmp_path: Path) -> None:
    ATTACKS["resume files"](random.Random(seed), tmp_path)


@pytest.mark.slow
def test_same_seed_gives_the_same_inputs() -> None:
    first, second = inputs(7), inputs(7)
    assert [next(first) for _ in range(20)] == [next(second) for _ in range(20)]
