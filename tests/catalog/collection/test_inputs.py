"""Collection and deck files as users write them: each gives the expected collection and report."""

import re
import shlex
import shutil
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from helpers.everyday import one_in
from helpers.input_files import ALL_GAMES, INPUTS, Answer, Input, copies, read_inputs

from ccgrid import app
from ccgrid.catalog.list_text import list_lines
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.lookup import StoreLookup

EXAMPLES = [one for path in sorted(INPUTS.glob("*.toml")) for one in read_inputs(path)]


@pytest.fixture(scope="session")
def catalogue_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Input], Path]:
    """Return a function that creates a catalogue of the cards that an input needs, once for all tests."""
    made: dict[tuple[tuple[str, ...], ...], Path] = {}

    def make(one: Input) -> Path:
        imports = one.imports
        if imports not in made:
            path = tmp_path_factory.mktemp("inputs") / "catalogue.db"
            for words in imports:
                assert app.run(["-q", "import", *words, "--db", str(path)]) == 0
            made[imports] = path
        return made[imports]

    return make


def _tests(*, shared: bool) -> list[Any]:
    return [
        pytest.param(
            one,
            id=f"{one.kind}-{one.name}",
            marks=[pytest.mark.xfail(reason="not read yet", strict=False)] if one.pending else [],
        )
        for one in EXAMPLES
        if (one.data is None) is shared
    ]


@pytest.mark.parametrize("one", one_in(5, _tests(shared=False)))
def test_input_gives_expected_collection(
    one: Input, shell: Any, tmp_path: Path, catalogue_of: Callable[[Input], Path]
) -> None:
    _assert_read(one, shell, tmp_path, catalogue_of(one))


@pytest.mark.slow
def test_line_with_name_set_and_number_finds_every_card(catalogue_of: Callable[[Input], Path], tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue.db"
    shutil.copy(
        catalogue_of(next(one for one in EXAMPLES if one.games == ALL_GAMES and one.data is not None)), catalogue
    )
    with Store(catalogue) as store:
        lookup, wrong = StoreLookup(store), []
        cards = [
            card for (card_id,) in store.connection.execute("SELECT id FROM cards") if (card := lookup.card(card_id))
        ]
        resolvers = {
            game: Resolver(lookup, games=(game,), prefer_owned=False) for game in {card.game for card in cards}
        }
        for card in cards:
            lines = [f"4 {card.name}", f"4x {card.name} ({card.set_code.upper()}) {card.number}".rstrip()]
            for line in lines[: 2 if card.set_code else 1]:
                listed = next(list_lines([(1, line)]))
                row, found = resolvers[card.game].find(Row(written=listed.text, heading=listed.doubt))
                is_same = found.card is not None and found.card.name == card.name and row.copies == 4
                if listed.role != "card" or not (is_same or found.reason.startswith("it does not say which card")):
                    wrong.append((line, found))
        assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("one", _tests(shared=True))
def test_sample_file_gives_expected_collection(
    one: Input, shell: Any, tmp_path: Path, shared_data: Path, catalogue_of: Callable[[Input], Path]
) -> None:
    if not (shared_data / "files").is_dir():
        pytest.skip("no folder of samples among the shared data")
    _assert_read(one, shell, tmp_path, catalogue_of(one))


def _assert_read(one: Input, shell: Any, folder: Path, catalogue: Path) -> None:
    """Assert that the command for an input has one of the correct answers."""
    path = one.write(folder)
    options = [word for option in one.options for word in one.words(folder, shlex.quote(option))]

    def run(*more: str) -> Any:
        shutil.copy(catalogue, shell.database)
        for text in one.before:
            shell.good(*one.words(folder, text))
        return shell(*one.command.split(), path, *options, *more)

    is_import = one.command == "collection import"
    reads_report = is_import and all(answer.status in (0, 1) and not answer.says for answer in one.answers)
    result = run("--json") if reads_report else run()
    entries = shell.entries()
    later = [shell(*one.words(folder, text)) for text in one.then]
    output = "".join(each.out + each.err for each in (result, *later))
    report = None
    if is_import and result.status in (0, 1):
        report = (result if reads_report else run("--json")).json["report"]
    wrong = []
    for answer in one.answers:
        try:
            _assert_answer(answer, result, output, entries, report)
        except AssertionError as error:
            wrong.append(error)
        else:
            return
    raise wrong[0]


def _assert_answer(answer: Answer, result: Any, output: str, entries: list[dict[str, Any]], report: Any) -> None:
    _assert_copies(entries, answer.right, result)
    assert result.status == answer.status, result
    for pattern in answer.says:
        assert re.search(pattern, output), (pattern, output)
    if answer.custom is not None:
        assert {heading for entry in entries for heading in entry["own"]} == set(answer.custom)
    if report is not None:
        _assert_rows(report, ("fuzzy", "missed"), answer.doubts)
        if answer.skipped is not None:
            _assert_rows(report, ("skipped",), answer.skipped)


def _assert_copies(entries: list[dict[str, Any]], right: tuple[str, ...], result: Any) -> None:
    """Assert that each entry of the correct collection exists once, and no other entry."""
    found = [(copies(entry), copies(entry, by_name=True)) for entry in entries]
    missing = []
    for text in sorted(right, key=lambda text: "*" in text):
        match = next((pair for pair in found if text in pair), None) or next(
            (pair for pair in found if any(fnmatchcase(own, text) for own in pair)), None
        )
        if match is None:
            missing.append(text)
        else:
            found.remove(match)
    assert (missing, found) == ([], []), result


def _assert_rows(report: list[dict[str, Any]], outcomes: tuple[str, ...], parts: tuple[str, ...]) -> None:
    """Assert that each part is in a different row with one of these outcomes, and that no other row has one."""
    rows = [row["raw"] for row in report if row["outcome"] in outcomes]
    for part in parts:
        found = next((row for row in rows if part in row), None)
        assert found is not None, (part, report)
        rows.remove(found)
    assert not rows, report
