"""Nothing is overwritten: files that are there stay, but for --force and files of the same kind."""

import re

import pytest
from catalogues import Shell, rows
from devices import Device

SIMULATE = ("simulate", "matrix", "-n", "1", "--workers", "1", "--seed", "1", "--records")
WRITERS = {
    "deck.toml": ("deck", "new", "--seed", "1", "-o"),
    "games.jsonl": SIMULATE,
    "cards.csv": ("export", "--format", "csv", "-o"),
    "owned.csv": ("collection", "export", "--format", "moxfield", "-o"),
    "doubts.csv": ("collection", "doubts", "-o"),
    "exported.jsonl": ("export", "--format", "jsonl", "-o"),
    "owned.txt": ("collection", "export", "--format", "text", "-o"),
    "owned.dek": ("collection", "export", "--format", "lackey", "-o"),
    "table.csv": ("collection", "export", "--format", "csv", "-o"),
    "owned.jsonl": ("collection", "export", "--format", "jsonl", "-o"),
    "lost.csv": ("collection", "export", "--format", "text", "--losses"),
    "sheet.html": ("sheet", "grid", "-o"),
    "mtg.toml": ("layout", "new", "plain.csv", "--game", "plain", "--at", "Cost=top", "-o"),
    "game.toml": ("play", "matrix", "--players", "greedy,greedy", "--seed", "1", "--record"),
}

FOREIGN = {
    "database": b"SQLite format 3\0" + bytes(80),
    "settings": b'title = "My letters"\n',
    "picture": b"\x89PNG\r\n\x1a\n\0",
    "letter": "Dear Ann,\n\n3 weeks have gone by since … and\nyours, Jötun\n".encode(),
    "program": b'"""A deck of cards."""\n\ncards = [\n    1,\n]\ngame = "grid"\nplayers = ["Ann"]\nprint(cards)\n',
    "notes": b"# To do\n\n- buy milk\n- call Bob\n",
    "addresses": b"Name,Street,City,Copies\nAnn,Elm Road 3,York,1\n",
    "log": b'{"name": "started", "count": 3}\n{"name": "ended", "count": 4}\n',
    "configuration": b'game = "grid"\n[server]\nport = 80\n',
    "web page": b"<!doctype html>\n<html><head><title>Ann</title></head><body>My page</body></html>\n",
    "XML": b'<?xml version="1.0"?>\n<letter>Dear Ann</letter>\n',
    "PDF": b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n",
}


@pytest.fixture
def stocked(shell: Shell) -> Shell:
    shell.import_rows(rows(60))
    shell.good("collection", "add", "mtg:dsk/1", "--condition", "lp")
    (shell.folder / "plain.csv").write_text("Name,Cost\nAnt,3\n", encoding="utf-8")
    return shell


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_is_there_stays_and_force_writes_over_one_of_the_same_kind(name: str, stocked: Shell) -> None:
    file = stocked.folder / name
    command = [stocked.folder / word if word == "plain.csv" else word for word in WRITERS[name]]
    stocked.good(*command, file)
    written = file.read_bytes()
    assert written
    changed = written + b"\n"
    file.write_bytes(changed)
    stocked(*command, file).refused("exists already", "--force")
    assert file.read_bytes() == changed
    stocked.good(*command, file, "--force")
    assert undated(file.read_bytes()) == undated(written)


def undated(written: bytes) -> bytes:
    """What was written without its day: the next one may have begun."""
    return re.sub(rb"(?m)^date = .*\n", b"", written)


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_of_another_kind_is_never_overwritten(name: str, stocked: Shell) -> None:
    file = stocked.folder / name
    for what, content in FOREIGN.items():
        file.write_bytes(content)
        result = stocked(*WRITERS[name], file, "--force")
        assert result.status == 3, (what, result)
        assert "same kind" in result.err, (what, result)
        assert file.read_bytes() == content


def test_a_record_is_not_a_deck_and_a_deck_not_a_record(stocked: Shell) -> None:
    deck, game = stocked.folder / "deck.toml", stocked.folder / "game.toml"
    stocked.good(*WRITERS["deck.toml"], deck)
    stocked.good(*WRITERS["game.toml"], game)
    stocked(*WRITERS["deck.toml"], game, "--force").refused("is not a deck")
    stocked(*WRITERS["game.toml"], deck, "--force").refused("is not a record")


def test_many_games_are_refused_a_file_for_one_and_the_right_ending_is_told(stocked: Shell) -> None:
    result = stocked(*SIMULATE, stocked.folder / "x.toml")
    assert result.status == 2
    assert "x.jsonl" in result.err
    assert len(result.err.splitlines()) <= 2
    assert not (stocked.folder / "x.toml").exists()


@pytest.mark.parametrize("name", ["deck.toml", "games.jsonl", "cards.csv"])
def test_a_device_is_written_as_it_is(name: str, stocked: Shell, device: Device) -> None:
    stocked.good(*WRITERS[name], device.path)
    assert device.path.is_char_device()
    assert device.written()


@pytest.mark.parametrize(
    "command",
    [
        ("play", "matrix", "--players", f"{'x' * 201},Bob"),
        ("deck", "new", "--name", "x" * 201),
        ("collection", "add", "Amber Drake", "--box", "x" * 201),
        ("card", "add", "--game", "arcadia", "--name", "x" * 201),
    ],
)
def test_names_have_at_most_200_characters_where_they_come_in(command: tuple[str, ...], stocked: Shell) -> None:
    result = stocked(*command)
    assert result.status == 2
    assert "201 characters; 200 is the most" in result.err
