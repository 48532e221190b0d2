"""Small things that a newcomer meets: each says what happened and what to do."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.catalogues import Shell

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

from documentation import commands  # noqa: E402


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """What is typed while the next command runs."""
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_you_resign(shell: Shell, typed: Callable[[str], None]) -> None:
    typed("resign\n")
    assert "\nYou resign.\n" in shell.good("play", "--players", "You,easy", "--seed", "1").out


def test_a_game_without_a_move_says_that_its_record_is_not_written(shell: Shell, typed: Callable[[str], None]) -> None:
    record = shell.folder / "game.toml"
    typed("quit\n")
    said = shell.good("play", "--players", "You,Ann", "--seed", "1", "--record", record).err
    assert f"No move was made, so {record} is not written." in said
    assert not record.exists()


def test_a_result_alone_is_called_so(shell: Shell) -> None:
    piles = shell.folder / "piles.toml"
    piles.write_text('game = "grid"\n[piles]\nAnn = [{ score = 9 }]\nBob = [{ score = 6 }]\n', encoding="utf-8")
    assert "Valid: " in (said := shell.good("score", "--piles", piles).out)
    assert "grid, final result only." in said


@pytest.mark.parametrize(
    ("command", "name", "own"),
    [(("deck", "new"), "q.json", ".toml"), (("page", "deck.toml"), "p.csv", ".html"), (("stats",), "p.gif", ".svg")],
)
def test_a_name_that_says_another_kind_of_file_is_refused(
    shell: Shell, command: tuple[str, ...], name: str, own: str
) -> None:
    shell.good("deck", "new", "--seed", "1", "-o", shell.folder / "deck.toml")
    words = [str(shell.folder / word) if word == "deck.toml" else word for word in command]
    shell(*words, "-o", shell.folder / name).fails(f"is not written as {Path(name).suffix}", f"ending in {own}")
    assert not (shell.folder / name).exists()


@pytest.mark.parametrize(("typed", "meant"), [("magic", "mtg"), ("wyvrn", "wyvern")])
def test_a_source_of_another_name_is_suggested(shell: Shell, typed: str, meant: str) -> None:
    shell("import", typed).names_unknown(f"Did you mean {meant}", "ccgrid sources")


def test_cards_without_numbers_are_reported_with_what_adds_them(shell: Shell) -> None:
    layout, data = shell.folder / "whi.toml", shell.folder / "whi.csv"
    layout.write_text(
        'format = 1\ngame = "whi"\nname = "Whi"\n[[printed]]\nfield = "Cost"\nzone = "top-left"\n', encoding="utf-8"
    )
    data.write_text("Name,Cost\nAsh,-\nBo,-\nCy,3\n", encoding="utf-8")
    said = shell.good("import", "file", data, "--layout", layout).err
    assert "no number for 2 cards. To add numbers: ccgrid scan, or ccgrid card edit" in said


def test_a_drafted_layout_names_no_other_file(shell: Shell) -> None:
    data = shell.folder / "whi.csv"
    data.write_text("Name,Cost\nAsh,3\nBo,4\n", encoding="utf-8")
    layout = shell.folder / "other.toml"
    shell.good("layout", "new", data, "--at", "Cost=top-left", "-o", layout)
    assert "whi.toml" not in layout.read_text("utf-8")


def test_a_faction_is_named_wherever_one_is_read(shell: Shell) -> None:
    assert "Legal: " in shell.good("faction", "check", "cinder").out
    shell("page", "cinder", "-o", shell.folder / "cinder.html").fails("this deck is for tactics")


def test_one_letter_means_one_thing_in_every_command() -> None:
    meant: dict[str, set[str]] = {}
    for _, command in commands():
        for option in getattr(command, "params", ()):
            letters = [one for one in getattr(option, "opts", ()) if len(one) == 2]
            words = [one for one in getattr(option, "opts", ()) if len(one) > 2]
            for letter in letters:
                meant.setdefault(letter, set()).update(words)
    assert meant["-y"] == {"--yes"}
    assert meant["-o"] == {"--output", "--record", "--records"}  # what is written
    assert meant["-n"] == {"--games", "--limit", "--copies", "--count"}  # how many


def test_a_file_that_is_written_is_named(shell: Shell) -> None:
    shell.good("import", "starter")
    shell.good("collection", "add", "Pidgeot")
    for command in (("export", "legal"), ("collection", "export")):
        assert "Written to " in shell.good(*command, "-o", shell.folder / f"{command[0]}.jsonl").err


def test_sources_are_a_line_each_and_one_shows_its_details(shell: Shell) -> None:
    listed = shell.good("sources", "--json").json_lines
    lines = shell.good("sources").out.splitlines()
    assert len(lines) == len(listed) + 3  # the heading, an empty line, and what is imported
    (one,) = shell.good("sources", "wyvern", "--json").json_lines
    assert one["address"] in shell.good("sources", "wyvern").out
    shell("sources", "wyvrn").names_unknown("Did you mean wyvern")


def test_a_deck_whose_numbers_hardly_meet_is_reported_with_the_way_to_another(
    shell: Shell, typed: Callable[[str], None]
) -> None:
    deck = shell.folder / "deck.toml"
    cards = ",".join(f'{{name="Card {n}", zones={{"top-right"={n % 9}}}, score=9}}' for n in range(20))
    deck.write_text(f"cards = [{cards}]", encoding="utf-8")
    assert "in only 0 % of pairs" in shell.good("deck", "show", deck).err
    typed("resign\n")
    assert "in only 0 % of pairs" in shell.good("play", "--deck", deck, "--players", "You,easy").err
    lively = cards.replace('"top-right"=3', '"top-right"=3, "bottom-left"=2').replace("=4", '=4, "bottom-left"=1')
    deck.write_text(f"cards = [{lively}]", encoding="utf-8")
    assert "ccgrid deck new --lively" not in shell.good("deck", "show", deck).err


@pytest.mark.parametrize("cells", [60, 80])
def test_an_id_stands_on_one_line_of_a_table(shell: Shell, monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    monkeypatch.setenv("COLUMNS", str(cells))
    monkeypatch.setenv("FORCE_COLOR", "1")
    shell.good("import", "starter")
    found = [card["id"] for card in shell.good("search", "game:onepiece", "--json").json_lines]
    table = shell.good("search", "game:onepiece").out
    assert len(found) == 20
    assert all(one in table for one in found)
