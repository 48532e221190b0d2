"""Test files that people bring: the collection afterwards is what the file says, or the difference is reported."""

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.input_files import CARDS, INPUTS, SOURCES, Input, copies, read_inputs

from ccgrid import app

EXAMPLES = [one for path in sorted(INPUTS.glob("*.toml")) for one in read_inputs(path)]


@pytest.fixture(scope="session")
def catalogue_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[tuple[str, ...]], Path]:
    """A catalogue of the cards of some games, from which tests copy."""
    made: dict[tuple[str, ...], Path] = {}

    def make(games: tuple[str, ...]) -> Path:
        if games not in made:
            made[games] = tmp_path_factory.mktemp("inputs") / "catalogue.db"
            for game in games:
                source, file = SOURCES[game]
                assert app.run(["-q", "import", source, str(CARDS / file), "--db", str(made[games])]) == 0
        return made[games]

    return make


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(
            one,
            id=f"{one.kind}-{one.name}",
            marks=[pytest.mark.xfail(reason="not read yet", strict=False)] if one.pending else [],
        )
        for one in EXAMPLES
    ],
)
def test_file_is_read_as_its_owner_means_it(
    one: Input, shell: Any, tmp_path: Path, catalogue_of: Callable[[tuple[str, ...]], Path]
) -> None:
    shutil.copy(catalogue_of(one.games), shell.database)
    path = one.write(tmp_path)
    for text in one.before:
        shell.good(*one.words(tmp_path, text))
    options = [word for option in one.options for word in one.words(tmp_path, shlex.quote(option))]
    result = shell(*one.command.split(), path, *options)
    entries = shell.entries()
    assert sorted(map(copies, entries)) == sorted(one.right), result
    assert result.status == one.status, result
    for pattern in one.says:
        assert re.search(pattern, result.out + result.err), (pattern, result)
    assert {heading for entry in entries for heading in entry["own"]} == set(one.custom)
    if one.command == "collection import" and result.status in (0, 1):
        shutil.copy(catalogue_of(one.games), shell.database)
        for text in one.before:
            shell.good(*one.words(tmp_path, text))
        again = shell(*one.command.split(), path, *options, "--json")
        report = again.json["report"]
        _assert_rows(report, ("fuzzy", "missed"), one.doubts)
        if one.skipped is not None:
            _assert_rows(report, ("skipped",), one.skipped)


def _assert_rows(report: list[dict[str, Any]], outcomes: tuple[str, ...], parts: tuple[str, ...]) -> None:
    """Assert that each part is found in a row of its own with one of these outcomes, and that no other has one."""
    rows = [row["raw"] for row in report if row["outcome"] in outcomes]
    for part in parts:
        found = next((row for row in rows if part in row), None)
        assert found is not None, (part, report)
        rows.remove(found)
    assert not rows, report
