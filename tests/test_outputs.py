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
    "game.toml": ("play", "matrix", "--players", "greedy,greedy", "--seed", "1", "--record"),
}


@pytest.fixture
def stocked(shell: Shell) -> Shell:
    shell.import_rows(rows(60))
    return shell


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_is_there_stays_and_force_writes_over_one_of_the_same_kind(name: str, stocked: Shell) -> None:
    file = stocked.folder / name
    stocked.good(*WRITERS[name], file)
    written = file.read_bytes()
    assert written
    changed = written + b"\n"
    file.write_bytes(changed)
    stocked(*WRITERS[name], file).refused("exists already", "--force")
    assert file.read_bytes() == changed
    stocked.good(*WRITERS[name], file, "--force")
    assert undated(file.read_bytes()) == undated(written)


def undated(written: bytes) -> bytes:
    """What was written without its day: the next one may have begun."""
    return re.sub(rb"(?m)^date = .*\n", b"", written)


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize(
    "content", [b"SQLite format 3\0" + bytes(80), b'title = "My letters"\n', b"\x89PNG\r\n\x1a\n\0"]
)
def test_a_file_of_another_kind_is_never_overwritten(name: str, content: bytes, stocked: Shell) -> None:
    file = stocked.folder / name
    file.write_bytes(content)
    stocked(*WRITERS[name], file, "--force").refused("is not a", "same kind")
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
