"""Every command that reads a file, with every kind of file: it reads the right kinds and names the others."""

import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from helpers.answer_keys import answer_keys
from helpers.catalogues import Shell, rows
from helpers.everyday import one_in, slow_except

from ccgrid.answers import ANSWERS
from ccgrid.catalog.file_kinds import FileKind, detect_kind

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001e221bc33"
    "0000000049454e44ae426082"
)
CARD = '{ id = "mtg:dsk/1", name = "Dusk Drake", zones = { top = 3 }, score = 3 }'
PROSE = "# My cards\n\n" + "This sentence says at some length how I sort all of my cards into their boxes.\n" * 5


def archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("cards/a.csv", "Count,Name\n4,Negate\n")
    return file.getvalue()


WRITTEN: dict[str, bytes] = {
    "faction": b'format = 1\nname = "a"\ntitle = "The A"\nabout = "x"\ncards = [\n  { name = "Ant", top = 1 },\n]\n',
    "layout": b'format = 1\ngame = "wyvern"\nname = "Wyvern"\n[[printed]]\nfield = "No"\nzone = "top"\n',
    "app": b'format = 1\nname = "My app"\nneeds = ["Card"]\n[columns]\nCard = "name"\nNumber = "copies"\n',
    "piles": b'game = "grid"\n[piles]\nAnn = [{ score = 9 }]\nBob = [{ score = 6 }]\n',
    "scan": b'{"file": "a.jpg", "name": "Dusk Drake", "game": "mtg", "id": "mtg:dsk/1", "sure": true, "zones": {}}\n',
    "counts": b'{"ccgrid": 1, "work": {"game": "grid"}, "done": 3, "seconds": 1.0, "counts": []}\n',
    "settings": b'players = "Ann,Bob"\nthink = 5\n',
    "answer": b'{"ok": false, "cards": 3, "problems": []}\n',
    "cards": b'{"id": "mtg:dsk/1", "game": "mtg", "name": "Dusk Drake", "zones": {}, "score": 0, "legal": false}\n',
    "collection": b"Count,Name,Edition,Condition,Foil\n2,Dusk Drake,dsk,NM,\n",
    "list": b"2 mtg:dsk/1\n1 mtg:dsk/2\n",
    "ydke": b"ydke://o6lXBQ==!!!\n",
    "data": b'<?xml version="1.0"?>\n<cockatrice_carddatabase version="4"><cards/></cockatrice_carddatabase>\n',
    "database": b"SQLite format 3\0" + bytes(84),
    "picture": PNG,
    "pdf": b"%PDF-1.4\n%%EOF\n",
    "html": b"<!DOCTYPE html>\n<html><body><p>4 Dusk Drake</p></body></html>\n",
    "archive": archive(),
    "prose": PROSE.encode(),
    "wide-json": '[{"name": "Dusk Drake", "attack": 4}]'.encode("utf-16"),  # as PowerShell writes it
}
KINDS: dict[str, FileKind] = {
    **{"record": FileKind.RECORD, "begun": FileKind.RECORD, "games": FileKind.RECORD, "code": FileKind.GAME_CODE},
    **{"deck": FileKind.DECK, "deck-code": FileKind.DECK_CODE, "page": FileKind.PAGE, "faction": FileKind.FACTION},
    **{"layout": FileKind.LAYOUT, "app": FileKind.APP, "piles": FileKind.PILES},
    **{"scan": FileKind.SCAN, "counts": FileKind.COUNTS, "settings": FileKind.SETTINGS, "answer": FileKind.ANSWER},
    **{"cards": FileKind.CATALOGUE_CARDS, "collection": FileKind.COLLECTION, "list": FileKind.LIST},
    **{"ydke": FileKind.OTHER_PROGRAM, "data": FileKind.CARD_DATA, "database": FileKind.DATABASE},
    **{"picture": FileKind.PICTURE, "pdf": FileKind.PDF, "html": FileKind.HTML, "archive": FileKind.ARCHIVE},
    **{"prose": FileKind.PROSE, "wide-json": FileKind.WIDE_JSON},
}
RECORDS = {"record", "begun", "games", "code"}
DECKS = {"deck", "deck-code", "code", "faction", "list", "collection", "ydke"}
COLLECTIONS = {"deck", "deck-code", "list", "collection", "ydke"}
DATA = {"data", "cards", "archive"}
READERS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "validate": (("validate", "FILE"), RECORDS),
    "score": (("score", "FILE"), RECORDS),
    "score --piles": (("score", "--piles", "FILE"), {"piles"}),
    "replay": (("replay", "FILE"), RECORDS),
    "solve": (("solve", "FILE"), RECORDS),
    "advise": (("advise", "FILE", "--think", "0.01", "--seed", "1"), RECORDS),
    "analyze": (("analyze", "FILE", "--think", "0.01", "--seed", "1"), RECORDS),
    "puzzle": (("puzzle", "--from-games", "FILE"), RECORDS),
    "play --load": (("play", "--load", "FILE"), RECORDS),
    "table --load": (("table", "--load", "FILE"), RECORDS),
    "code": (("code", "FILE"), RECORDS | DECKS),
    "page": (("page", "FILE", "-o", "OUT.html"), RECORDS),
    "sheet": (("sheet", "FILE", "-o", "OUT.html"), DECKS),
    "deck check": (("deck", "check", "FILE"), DECKS),
    "deck show": (("deck", "show", "FILE"), DECKS),
    "deck edit": (("deck", "edit", "FILE", "--out", "1", "-o", "OUT.toml"), DECKS),
    "deck rate": (("deck", "rate", "FILE", "-n", "2", "--workers", "1"), DECKS),
    "play --deck": (("play", "grid", "--players", "random,random", "--deck", "FILE"), DECKS),
    "simulate --deck": (("simulate", "grid", "-n", "1", "--workers", "1", "--seed", "1", "--deck", "FILE"), DECKS),
    "table": (("table", "FILE"), DECKS),
    "pull": (("collection", "pull", "FILE"), DECKS),
    "wants": (("collection", "wants", "FILE"), DECKS),
    "trade": (("collection", "trade", "FILE"), COLLECTIONS),
    "collection import": (("collection", "import", "FILE"), COLLECTIONS | {"archive"}),
    "faction check": (("faction", "check", "FILE"), {"faction"}),
    "layout check": (("layout", "check", "FILE"), {"layout"}),
    "layout check --data": (("layout", "check", "wyvern", "--data", "FILE"), DATA),
    "layout new": (("layout", "new", "FILE", "--game", "ants", "--at", "Cost=top", "-o", "OUT.toml"), DATA),
    "import": (("import", "mtg", "FILE"), DATA),
    "import --layout": (("import", "file", "own.csv", "--layout", "FILE", "--dry-run"), {"layout"}),
    "scan": (("scan", "FILE"), {"picture"}),
    "arena --resume": (("arena", "grid", "--players", "random,random", "-n", "2", "--resume", "FILE"), {"counts"}),
    "verify": (("collection", "verify", "--migrations", "FILE"), set()),
    "stats --db": (("stats", "--db", "FILE"), {"database"}),
    "restore": (("restore", "FILE"), set()),
    "play --faction": (("play", "tactics", "--faction", "FILE.toml"), {"faction"}),
}
NAMING = (
    *("play", "simulate", "rules", "learn", "puzzle", "deck new", "show", "stats", "export", "card edit"),
    *("collection add", "collection list", "collection where", "collection audit", "collection sets", "history"),
)
"""Commands that take no file here, but a name, a query or nothing."""


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with a file of each kind; the first test that uses it fills it."""
    return tmp_path_factory.mktemp("kinds")


@pytest.fixture
def stocked(shell: Shell, stock: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(shell.folder)
    if not any(stock.iterdir()):
        shell.import_rows(rows(60))
        for name, content in WRITTEN.items():
            Path(name).write_bytes(content)
        Path("own.csv").write_text("Name,No\nAnt,3\n", encoding="utf-8")
        shell.good("deck", "new", "--seed", "1", "-o", "deck.toml")
        simulate = ("simulate", "grid", "--deck", "deck.toml", "--seed", "1", "--workers", "1", "-n")
        shell.good(*simulate, "2", "--records", "games.jsonl")
        shell.good(*simulate, "1", "--records", "one.jsonl")
        shell.good("page", "one.jsonl", "-o", "page.html")
        record = json.loads(Path("one.jsonl").read_text(encoding="utf-8"))
        begun = {**{key: value for key, value in record.items() if key != "result"}, "moves": record["moves"][:2]}
        Path("begun").write_text(json.dumps(begun) + "\n", encoding="utf-8")
        for source, name in (("one.jsonl", "code"), ("deck.toml", "deck-code")):
            Path(name).write_text(shell.good("code", source).out, encoding="utf-8")
        for source, name in (("deck.toml", "deck"), ("games.jsonl", "games"), ("one.jsonl", "record")):
            Path(source).rename(name)
        Path("page.html").rename("page")
        shutil.copytree(shell.folder, stock, dirs_exist_ok=True)
    else:
        shutil.copytree(stock, shell.folder, dirs_exist_ok=True)
    return shell


def test_every_kind_is_recognised_by_content(stocked: Shell) -> None:
    assert {name: detect_kind(Path(name)).kind for name in KINDS} == KINDS


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('game = "quads"\n[cards]\nAnn = 6\nBob = 4\n', FileKind.TOML),
        ('game = "quads"\n[[cards]]\nname = "Ant"\ntop = 1\n', FileKind.DECK),
        ('game = "quads"\ncards = [\n  "mtg:dsk/1",\n]\n', FileKind.DECK),
    ],
)
def test_only_a_list_of_cards_in_toml_is_a_deck(text: str, kind: FileKind, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text, encoding="utf-8")
    assert detect_kind(tmp_path / "file").kind is kind


@pytest.mark.parametrize("name", one_in(3, READERS))
def test_file_of_another_kind_is_reported_and_nothing_written(name: str, stocked: Shell) -> None:
    command, right = READERS[name]
    before = {path.name: path.read_bytes() for path in stocked.folder.iterdir() if path.is_file()}
    for kind in sorted(KINDS.keys() - right):
        result = run_with_kind(stocked, command, kind)
        assert result.status == 3, (kind, result)
        title = detect_kind(Path(kind)).title
        assert title in result.err, (kind, result)
        assert len([line for line in result.err.splitlines() if line]) <= 2, (kind, result)
        after = {path.name: path.read_bytes() for path in stocked.folder.iterdir() if path.is_file()}
        assert {**after, "kind.toml": b""} == {**before, "kind.toml": b""}, kind


@pytest.mark.parametrize("command", one_in(3, NAMING))
def test_file_instead_of_a_name_is_described(command: str, stocked: Shell) -> None:
    stocked.good("collection", "add", "mtg:dsk/1", "--box", "Attic")
    for kind in sorted(KINDS):
        result = stocked(*command.split(), kind)
        assert result.status in (1, 2), (kind, result)
        assert f"{kind} is {detect_kind(Path(kind)).title}." in result.err, (kind, result)
        assert len(result.err.splitlines()) == 2, (kind, result)


def run_with_kind(shell: Shell, command: tuple[str, ...], kind: str) -> Any:
    """Run a command with a file of a kind."""
    words = [word.replace("OUT", "out") for word in command]
    if "FILE.toml" in words:
        shutil.copy(kind, "kind.toml")
    return shell(*(kind if word == "FILE" else "kind.toml" if word == "FILE.toml" else word for word in words))


@pytest.mark.parametrize("name", slow_except(READERS, *READERS.keys() - {"puzzle", "analyze"}))
def test_file_of_the_right_kind_is_not_rejected_for_its_kind(name: str, stocked: Shell) -> None:
    command, right = READERS[name]
    for kind in sorted(right):
        result = run_with_kind(stocked, command, kind)
        assert ", not a" not in result.err, (kind, result)
        assert "defect" not in result.err, (kind, result)


OURS = {FileKind.ANSWER, FileKind.SCAN, FileKind.COLLECTION, FileKind.CATALOGUE_CARDS, FileKind.DECK}
# `browse` prints only an address, which does not identify its kind.
SHAPES = sorted(
    {(command, shape.__name__) for command, answer in ANSWERS.items() for shape in answer.shapes}
    - {("browse", "ServedCatalogue")}
)


@pytest.mark.parametrize(("command", "shape"), SHAPES)
def test_own_json_is_distinguished_from_other_files(command: str, shape: str, tmp_path: Path) -> None:
    keys = next(answer_keys(one) for one in ANSWERS[command].shapes if one.__name__ == shape)
    file = tmp_path / "answer"
    file.write_text(json.dumps(dict.fromkeys(keys)), encoding="utf-8")
    assert detect_kind(file).kind in OURS
