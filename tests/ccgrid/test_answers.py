"""Tests that the answers of `--json` have their declared types and published schemas, in all variants."""

import json
import os
import shlex
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.answer_keys import answer_keys
from helpers.catalogues import Shell, row, write_rows
from helpers.command_examples import command_called, words_of_commands
from helpers.everyday import slow_except
from helpers.used_folder import CAN_SCAN, in_copy, prepare

from ccgrid.answers import ANSWERS, schema
from ccgrid.browsing.serve import ServedCatalogue
from ccgrid.services.simulations import StartedWorkers
from ccgrid.view.output import json_line
from ccgrid.web.serve import ServedPages

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "schemas"

COMMANDS: dict[str, tuple[str, ...]] = {
    "import": ("import starter", "import file my.csv --layout my.toml --dry-run"),
    "sources": ("sources",),
    "search": ("search lightning", "search dragon --db none.db"),
    "show": (
        "show mtg:m10/146",
        "card edit mtg:m10/146 --top 3 --other 5 --attack 2",
        "show mtg:m10/146",
        "show dragon power --db none.db",
    ),
    "stats": (
        "stats",
        "stats name:bolt",
        "stats --plot",
        "stats --by rarity",
        *(f"stats {more} --db none.db" for more in ("", "--plot", "--by game")),
    ),
    "export": ("export", "export --db none.db", "export -o written.jsonl"),
    "card add": ("card add --game arcadia --name Wyrm --top 3",),
    "card edit": ("card edit mtg:m10/146 --name Lightning",),
    "card list": (
        *("card list", "card edit mtg:m10/146 --name Lightning --number-at bl", "card edit mtg:m10/1 --top 3"),
        *("import mtg changed.jsonl --force", "card list"),
    ),
    "card remove": ("card remove arcadia:hand/griffin",),
    "history": ("history", "card edit mtg:m10/1 --top 3", "undo", "history"),
    "undo": ("card edit mtg:m10/1 --top 3", "undo", "import mtg changed.jsonl --force", "undo --yes"),
    "redo": (
        *("card edit mtg:m10/1 --top 3", "undo", "redo"),
        *("import mtg changed.jsonl --force", "undo --yes", "redo"),
    ),
    "layout check": ("layout check my.toml", "layout check my.toml --data my.csv", "layout check wrong.toml"),
    "layout new": ("layout new my.csv --at Cost=top-left", "layout new my.csv --at Cost=top-left -o new.toml"),
    "collection import": (
        *("collection import moxfield.csv", "collection import moxfield.csv", "collection import owned.csv"),
        *("collection import more.csv --replace", "collection import owned.csv --replace --dry-run"),
    ),
    "collection add": ("collection add 4 Lightning Bolt (M10) *F*", "collection add"),
    "collection remove": ("collection remove lightning",),
    "collection list": ("collection list",),
    "collection edit": ("collection edit lightning --condition lp --note signed",),
    "collection export": ("collection export", "collection export -o mine.jsonl"),
    "collection doubts": ("collection import owned.csv", "collection doubts", "collection doubts --confirm"),
    "collection boxes": ("collection boxes",),
    "collection rename-box": ('collection rename-box "Attic 2" Cellar --yes',),
    "collection empty-box": ('collection empty-box "Attic 2" --yes',),
    "collection remove-box": ('collection remove-box "Attic 2" --yes',),
    "collection where": ("collection where Lightning Bolt",),
    "collection move": ("collection move lightning --to-box Cellar",),
    "collection pull": ("collection pull deck.toml", "collection pull list.txt"),
    "collection put-back": ("collection put-back Sunday deck",),
    "collection out": ("collection out",),
    "collection stats": ("collection stats", "collection stats --by rarity"),
    "collection sets": ("collection sets m10", "collection sets m10 --missing"),
    "collection wants": ("collection wants --set m10",),
    "collection spares": ("collection spares --keep 0",),
    "collection trade": ("collection trade moxfield.csv --keep 0",),
    "collection audit": ('collection audit "Attic 2"',),
    "collection verify": ("import mtg changed.jsonl --force", "collection verify"),
    "deck new": ("deck new --seed 3", "deck new tactics", "deck new --seed 3 --explain --players random"),
    "deck check": ("deck check deck.toml", "deck check list.txt", "deck check dead.json"),
    "deck show": ("deck show ninecard-deck.toml", "deck show nameless.json"),
    "deck edit": ("deck edit deck.toml --swap 1=mtg:m10/1 -o other.toml", "deck edit deck.toml --out 1 -o less.toml"),
    "deck rate": ("deck rate deck.toml -n 4 --workers 1", "deck rate tactics-deck.toml -n 4 --workers 1"),
    "faction list": ("faction list",),
    "faction show": ("faction show bastion",),
    "faction check": ("faction check elves.toml", "faction check wrong.toml"),
    "simulate": ("simulate grid -n 2 --workers 1", "simulate matrix -n 2 --best-of 3 --workers 1"),
    "arena": (
        "arena --players greedy,random --games 4 --workers 1 --sprt 0,10",
        "arena --players greedy,random,random --games 4 --workers 1",
        "arena --games 4 --workers 1 --against-option komi=3",
    ),
    "progress": ("progress",),
    "rules": ("rules grid", "rules ninecard"),
    "learn": ("learn matrix", "learn matrix --measure --games 2"),
    "validate": (
        *("simulate matrix -n 1 --best-of 2 --same-deal --workers 1 --records match.jsonl", "validate match.jsonl"),
        *("validate game.toml games.jsonl", "validate grid-illegal.toml grid-damaged.toml"),
    ),
    "score": (
        *("simulate matrix -n 1 --best-of 2 --same-deal --workers 1 --records match.jsonl", "score match.jsonl"),
        *("score game.toml", "score grid-match.jsonl", "score grid-illegal.toml grid-begun.toml"),
        *("score --piles piles.toml", "score grid-damaged.toml", "score matrix-four.toml"),
    ),
    "replay": ("replay game.toml", "replay grid-begun.toml"),
    "config": ("config", "config set players Ann,Bob", "config unset players"),
    "new-game": ("new-game summit",),
    "backup": ("backup all.zip",),
    "restore": ("backup all.zip", "restore all.zip --yes"),
    "doctor": ("doctor", "doctor --db none.db", "doctor --db wrong.toml"),
    "sheet": ("sheet deck.toml -o sheet.html",),
    "page": ("page game.toml -o replay.html",),
    "code": ("code game.toml", "code deck.toml"),
    "solve": ("solve game.toml --after 6", "solve game.toml --after 0 --think 0.001"),
    "advise": ("advise game.toml --after 4 --think 0.05", "advise game.toml --after 8 --open"),
    "analyze": ("analyze game.toml --think 0.01", "analyze matrix-four.toml --think 0.01"),
    "puzzle": ("puzzle --seed 7 --deck deck.toml", "puzzle --daily --date 2026-11-21"),
}
"""The command lines that are run for each command with --json; lines of other commands prepare its answers."""

INTERRUPTED = {
    "simulate": "simulate grid -n 100000 --workers 1",
    "arena": "arena --players greedy,random --games 100000 --workers 1",
    "arena of rules": "arena --games 100000 --workers 1 --against-option komi=3",
    "deck rate": "deck rate deck.toml -n 100000 --workers 1",
}
"""Command lines that are interrupted by Ctrl-C."""

SERVER_ANSWERS = {
    "browse": ServedCatalogue(address="http://localhost/"),
    "serve": ServedPages(address="http://localhost/", lan=False),
    "workers": StartedWorkers(address="tcp://here", workers=2),
}
"""Example answers of commands that run until they are stopped."""

UNTESTED_KEYS = {"collection stats": {"bundled"}, "deck edit": {"dead"}, "validate": {"scores", "piles"}}
"""Keys that a shared type has only for other commands."""

SCANNED = (
    "scan Pictures/rifts/1.png",
    "card add --game rifts --name 'Amber Griffin' --top-left 4 --bottom-right 7",
    "scan Pictures/rifts/1.png --yes --game rifts",
    "card edit rifts:hand/amber-griffin --top-left 5",
    "scan Pictures/rifts/1.png --check --game rifts",
    "scan grid.png --grid",
)


@pytest.fixture(scope="module")
def used_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a used catalogue, and with games and decks of all kinds."""
    folder = tmp_path_factory.mktemp("answers")
    for file in (ROOT / "tests" / "landed").iterdir():
        if file.suffix in (".toml", ".jsonl") and file.name != "grid.toml":
            shutil.copy(file, folder)
    prepare(folder)
    write_rows(folder / "changed.jsonl", [row(1, "Ajani Goldmane", 5, set="m10")])
    (folder / "wrong.toml").write_text('format = 1\nname = "x"\nodd = 1\n', encoding="utf-8")
    (folder / "list.txt").write_text("1 Lightning Bolt\n1 Nobody at all\n30 Ajani Goldmane\n", encoding="utf-8")
    header = "Count,Name,Edition,Collector Number\n"
    rows = (
        '4,"Lightning Bolt",m10,146',
        '2,"Lightning Bold",m10,146',
        '1,"Ajani Goldmane",m10,1',
        "1,Unknown,x,9",
        "x",
    )
    lines = "\n".join(rows)
    (folder / "owned.csv").write_text(header + lines, encoding="utf-8")
    (folder / "more.csv").write_text(header + lines.replace("4,", "5,"), encoding="utf-8")
    dead = [{"name": f"Card {number}", "zones": {"top": 5, "bottom": 5}, "score": 10} for number in range(20)]
    for name, more in (("dead", {"game": "grid"}), ("nameless", {})):
        (folder / f"{name}.json").write_text(json.dumps({"name": name, **more, "cards": dead}), encoding="utf-8")
    return folder


@pytest.fixture
def used(used_folder: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return in_copy(used_folder, shell, monkeypatch)


def documents_of(shell: Shell, line: str) -> list[str]:
    """Return the documents that a command prints or writes into a file."""
    result = shell(*shlex.split(line), "--json", typed="Lightning Bolt\nno such card\n")
    assert result.status != 2, result
    output = line.partition(" -o ")[2]
    text = Path(output).read_text("utf-8") if output.endswith(".jsonl") else result.out
    return text.splitlines()


def command_of(line: str) -> str:
    """Return the name of the command in a command line."""
    words = line.split()
    return next(called for called in (" ".join(words[:2]), words[0]) if called in ANSWERS)


def shape_of(words: str, document: str) -> Any:
    """Return the declared type of a command's answer; fail if it has none, or an undeclared key."""
    faults = []
    for shape in ANSWERS[words].shapes:
        try:
            undeclared = json.loads(document) != msgspec.to_builtins(msgspec.json.decode(document, type=shape))
        except msgspec.ValidationError as error:
            faults.append(f"{shape.__name__}: {error}")
        else:
            if not undeclared:
                return shape
            faults.append(f"{shape.__name__} declares fewer keys than there are")
    raise AssertionError(f"ccgrid {words} --json: {'; '.join(faults)}: {document}")


def check_variants(words: str, found: list[tuple[Any, str]]) -> None:
    """Check that every type of answer occurs, and every optional key is present once and absent once."""
    for shape in ANSWERS[words].shapes:
        parsed = [json.loads(document) for one, document in found if one is shape]
        assert parsed, f"ccgrid {words} --json: no document is a {shape.__name__}"
        keys = {key for document in parsed for key in document}
        optional = {key for key, is_required in answer_keys(shape).items() if not is_required}
        assert optional - keys <= {"interrupted", *UNTESTED_KEYS.get(words, ())}, optional - keys
        assert not optional or any(optional - document.keys() for document in parsed)


def answers(shell: Shell, lines: tuple[str, ...]) -> Iterator[tuple[str, Any, str]]:
    """Yield each answer of a sequence of commands, with the words of its command and its type."""
    for line in lines:
        words = command_of(line)
        found = documents_of(shell, line)
        assert ANSWERS[words].lines or len(found) == 1, f"{line} is to print one document: {found}"
        yield from ((words, shape_of(words, document), document) for document in found)


@pytest.mark.parametrize("words", slow_except(COMMANDS, *COMMANDS.keys() - {"analyze", "deck new", "puzzle"}))
def test_answer_matches_its_declared_type(used: Shell, words: str) -> None:
    found = [(shape, text) for one, shape, text in answers(used, COMMANDS[words]) if one == words]
    check_variants(words, found)


@pytest.mark.skipif(not CAN_SCAN, reason="needs the extra that reads pictures")
def test_answer_of_scan_matches_its_declared_type(used: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from helpers.made_up_pictures import draw, packed
    from PIL import Image

    from ccgrid.catalog.scan import reading

    card = draw("Amber Griffin", {"top-left": "4", "bottom-right": "7"})
    page = Image.new("RGB", (card.width * 3 + 160, card.height * 3 + 160), "grey")
    for place in range(9):
        page.paste(card, (40 + place % 3 * (card.width + 40), 40 + place // 3 * (card.height + 40)))
    Path("grid.png").write_bytes(packed(page))
    monkeypatch.setattr(reading, "_LOOKS", ((320, "plain"), (400, "plain")))
    all_answers = list(answers(used, SCANNED))
    found = [(shape, text) for words, shape, text in all_answers if words == "scan"]
    assert len(found) == 12, "one for each picture of a card, and nine for the grid"
    check_variants("scan", found)


@pytest.mark.parametrize("name", INTERRUPTED)
def test_answer_of_interrupted_command_matches_its_type(
    used: Shell, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    @contextmanager
    def interrupted_progress(*_: Any, **__: Any) -> Iterator[Callable[..., None]]:
        yield lambda *_: os.kill(os.getpid(), signal.SIGINT)

    line = INTERRUPTED[name]
    module = "decks" if name == "deck rate" else "simulate"
    monkeypatch.setattr(f"ccgrid.commands.{module}.progress", interrupted_progress)
    [document] = documents_of(used, line)
    shape_of(command_of(line), document)
    assert json.loads(document)["interrupted"] is True


@pytest.mark.parametrize("words", SERVER_ANSWERS)
def test_answer_of_server_matches_its_type(words: str) -> None:
    shape_of(words, json_line(SERVER_ANSWERS[words]))


def test_every_command_with_json_is_declared_and_tested() -> None:
    with_json = {
        words
        for words in words_of_commands()
        if any("--json" in parameter.opts for parameter in command_called(words).params)
    }
    declared, tested = set(ANSWERS), {*COMMANDS, *SERVER_ANSWERS, "scan"}
    for names, advice in (
        (with_json - declared, "add a line to ANSWERS in ccgrid/answers.py, and run scripts/schemas, for"),
        (declared - with_json, "no command that takes --json is called, as ANSWERS in ccgrid/answers.py has it"),
        (declared - tested, "add command lines to COMMANDS in this file for"),
        (tested - declared, "no command that takes --json is called, as this file has it"),
    ):
        assert not names, f"{advice}: {', '.join(sorted(names))}"


def test_published_schemas_are_current() -> None:
    expected = {f"{words.replace(' ', '-')}.json": schema(words) for words in ANSWERS}
    published = {file.name: file.read_text("utf-8") for file in SCHEMAS.iterdir()}
    differing = sorted(
        {name for name in expected.keys() | published.keys() if expected.get(name) != published.get(name)}
    )
    assert not differing, f"docs/schemas differs from ccgrid/answers.py: run scripts/schemas ({differing})"


def test_answer_types_have_unique_names() -> None:
    named: dict[str, Any] = {}
    for words in ANSWERS:
        for name, definition in json.loads(schema(words))["$defs"].items():
            assert named.setdefault(name, definition) == definition, f"two shapes are called {name}"
