"""Tests that unknown names in lists, and options that exclude or need each other, are usage errors."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from helpers.catalogues import Shell, make_catalogue, rows, write_rows
from helpers.text_files import write
from helpers.used_folder import in_copy

from ccgrid import app
from ccgrid.catalog.store.catalogue import Store

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

from documentation import commands  # noqa: E402

NAMED = {
    *("game", "games", "card_game", "card_games", "source", "player", "players", "faction", "factions", "option"),
    *("options", "against", "form", "layout", "sort", "bulk"),
}
"""The names of parameters with a list of known values."""

WRONG = {
    **dict.fromkeys(("option", "options", "against"), "nosuch=1"),
    **{"players": "nosuch,greedy", "faction": "nosuch,nosuch", "factions": "nosuch,nosuch"},
}
FREE = {
    ("ccgrid card add", "game"): "a card may be the first of its game",
    ("ccgrid layout new", "game"): "a layout may be the first of its game",
    ("ccgrid scan", "game"): "pictures are read of games that nobody has data of",
    ("ccgrid play", "players"): "every other name is a person's",
    ("ccgrid table", "players"): "people",
    ("ccgrid scan", "players"): "people",
    ("ccgrid page", "record"): "a file",
    ("ccgrid deck new", "source"): "a query",
    ("ccgrid deck rate", "source"): "a query",
    ("ccgrid puzzle", "source"): "a query",
    ("ccgrid sheet", "source"): "a file, or a name",
    ("ccgrid sheet", "players"): "a number",
    ("ccgrid import", "bulk"): "the source knows which files it has",
}
"""Parameters that take any name, and why."""

GIVEN = {
    "record": "game.toml",
    "records": "game.toml",
    "file": "deck.toml",
    "deck": "deck.toml",
    "other": "my.csv",
    "data": "my.csv",
    "source": "deck.toml",
}
"""Values of required arguments by name; other arguments get a word of a card's name."""

NEEDED = {
    "ccgrid arena": ["tactics", "--players", "greedy,random"],
    "ccgrid code": ["deck.toml"],
    "ccgrid deck new player": ["--balanced"],
    "ccgrid import": ["file", "my.csv"],
    "ccgrid collection import": ["my.csv"],
    "ccgrid collection edit": ["Amber", "--condition", "nm"],
    "ccgrid collection move": ["Amber", "--to-box", "Attic"],
    "ccgrid deck rate": ["deck.toml"],
    "ccgrid table": ["deck.toml"],
    "ccgrid learn": ["grid", "--measure", "--games", "2"],
}
"""Further arguments that a command, or one of its options, needs to reach the check of the name."""


def cases() -> list[Any]:
    found = []
    for words, command in commands():
        needs = [parameter_needed for parameter_needed in command.params if parameter_needed.required]
        given = [
            GIVEN.get(parameter_needed.name, "Amber")
            for parameter_needed in needs
            if parameter_needed.param_type_name == "argument"
        ]
        given += [
            word
            for parameter_needed in needs
            if parameter_needed.param_type_name == "option"
            for word in (parameter_needed.opts[0], "made.html")
        ]
        for parameter in command.params:
            if parameter.name in NAMED and "--games" not in parameter.opts and (words, parameter.name) not in FREE:
                needed = (
                    ["tactics"] if parameter.name == "factions" and words not in NEEDED else NEEDED.get(words, given)
                )
                needed = NEEDED.get(f"{words} {parameter.name}", needed)
                option = [*needed, max(parameter.opts, key=len)] if parameter.param_type_name == "option" else []
                line = [*words.split()[1:], *option, WRONG.get(parameter.name, "nosuch")]
                found.append(pytest.param(line, id=f"{words} {parameter.name}"))
    return found


@pytest.fixture(scope="module")
def used_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a catalogue, a list of cards, a deck and a game."""
    folder = tmp_path_factory.mktemp("evening")
    make_catalogue(folder / "catalogue.db", write_rows(folder / "cards.jsonl", rows(60)))
    (folder / "my.csv").write_text("Name,Set\nAmber Drake,dsk\n", encoding="utf-8")
    assert app.run(["deck", "new", "--db", str(folder / "catalogue.db"), "-o", str(folder / "deck.toml")]) == 0
    shutil.copy(ROOT / "docs" / "examples" / "game.toml", folder)
    return folder


@pytest.fixture
def used(used_folder: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return in_copy(used_folder, shell, monkeypatch)


@pytest.mark.parametrize("line", cases())
def test_unknown_name_has_status_2_and_is_quoted(used: Shell, line: list[str]) -> None:
    result = used(*line)
    assert (result.status, result.out) == (2, ""), result
    assert "nosuch" in result.err
    assert 1 <= len(result.err.splitlines()) <= 2


def test_exceptions_for_unknown_names_exist() -> None:
    existing = {
        (words, parameter.name) for words, command in commands() for parameter in getattr(command, "params", ())
    }
    assert set(FREE) <= existing


def test_game_without_cards_is_not_a_usage_error(used: Shell) -> None:
    used("search", "Amber", "--game", "vtes").fails("no cards of the game 'vtes'")
    used("export", "--game", "vtes").fails("no cards of the game 'vtes'")


def test_unknown_name_in_file_is_not_a_usage_error(used: Shell) -> None:
    text = Path("deck.toml").read_text(encoding="utf-8")
    Path("deck.toml").write_text(text.replace('game = "grid"', 'game = "chess"'), encoding="utf-8")
    used("deck", "check", "deck.toml").fails("chess", "grid, ninecard, tactics")


def test_games_of_owned_cards_remain_known(used: Shell) -> None:
    used.good("collection", "add", "mtg:dsk/3")
    with Store(used.database) as store:
        store.connection.execute("DELETE FROM cards")
    assert len(used.good("collection", "list", "--game", "mtg", "--json").json_lines) == 1


@pytest.mark.parametrize(("typed", "suggestion"), [("gathering", "mtg"), ("wyvrn", "wyvern")])
def test_source_is_suggested_by_another_name(shell: Shell, typed: str, suggestion: str) -> None:
    shell("import", typed).names_unknown(f"Did you mean {suggestion}", "ccgrid sources")


@pytest.mark.parametrize(
    "words",
    [
        ("deck", "new", "--size", "30"),
        ("arena",),
        ("play", "--players", "Ann"),
        ("play", "--option", "komi=many"),
        ("play", "--best-of", "3", "--same-deal"),
        ("table", "--first", "Zed", "deck.toml"),
        ("rules", "grid", "--nonsense"),
        ("collection", "add", "0 Pidgeot"),
        ("collection", "add", "2 Griffin", "-n", "3"),
        ("collection", "export", "--format", "nosuch"),
        ("puzzle", "--date", "2026-11-21"),
        ("simulate", "--players", "fair:many,greedy"),
        ("import", "starter", "--url", "https://example.org"),
    ],
    ids=" ".join,
)
def test_mistake_on_the_command_line_has_status_2(shell: Shell, starter: Path, words: tuple[str, ...]) -> None:
    shell.good("deck", "new", "--db", starter, "-o", shell.folder / "deck.toml")
    shell.import_starter()
    words = tuple(str(shell.folder / word) if word == "deck.toml" else word for word in words)
    shell(*words).misuses()


@pytest.mark.parametrize(
    ("words", "game"),
    [
        (("search", "is:legal", "--game", "Magic"), "mtg"),
        (("search", "is:legal", "-g", "MAGIC: The Gathering"), "mtg"),
        (("search", "game:Pokémon"), "pokemon"),
        (("search", "game:Yu-Gi-Oh!"), "yugioh"),
        (("export", "--game", "ygo"), "yugioh"),
        (("show", "Pidgeot (Pokémon)"), "pokemon"),
        (("show", "Erg Raiders(MAGIC)"), "mtg"),
        (("layout", "check", "Pokémon"), "pokemon"),
        (("card", "add", "--game", "Wyvern", "--name", "Lone Wolf", "--top", "3"), "wyvern"),
        (("rules", "Matrix"), "matrix"),
        (("rules", "3x3 Number Matrix"), "matrix"),
        (("simulate", "Tactics", "-n", "1"), "tactics"),
        (("deck", "new", "9 Card"), "ninecard"),
    ],
    ids=str,
)
def test_game_is_found_by_title_or_alias_in_any_case(shell: Shell, words: tuple[str, ...], game: str) -> None:
    shell.import_starter()
    found = shell.good(*words, "--json").json_lines[0]
    assert game in (found.get("game"), found.get("name"))


def test_ambiguous_start_of_a_title_is_rejected(shell: Shell) -> None:
    shell.import_starter()
    shell("search", "is:legal", "--game", "Star Trek").names_unknown("no cards of the game 'star trek'")


TYPER_CHECKS = pytest.mark.skipif(typer.__version__ >= "0.29", reason="pydantic explains wrong numbers in Typer 0.29")
NUMBERS = [
    ("search bolt --limit many", "'many' is not a whole number"),
    ("search bolt --limit 0", "0 is less than 1"),
    ("advise game.toml --think soon", "'soon' is not a number"),
    ("serve --port 99999", "99999 is not between 0 and 65535"),
]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        *(pytest.param(*line, marks=TYPER_CHECKS) for line in NUMBERS),
        ("history old", "Unexpected argument: old"),
        ("play --player Ann,Bob", "No such option: --player. Did you mean '--players'?"),
        ("play --vs hard", "No such option: --vs\n"),
        ("--json search bolt", "Options of a command come after it: ccgrid search --json"),
        ("search bolt -n", "ccgrid search --help"),
        ("search bolt -n 3 --all", "--limit or --all, not both"),
        ("collection remove bolt --copies 1 --all", "--copies or --all, not both"),
        ("-q search number>3", "number cannot be compared with < or >: write number:146"),
        ("demo -o deck.toml", "deck.toml is a file: name a folder"),
        ("import mtg --url nowhere", "not an http or https address: 'nowhere'"),
        ("rules Magic", "'Magic' is a card game; its cards are for grid, ninecard, tactics or matrix"),
        ("deck rate --resume game.toml", "; the file of --resume keeps counts, and is not the deck"),
    ],
)
def test_mistakes_on_the_command_line_are_explained(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, line: str, words: str
) -> None:
    write(shell.folder / "deck.toml", "")
    monkeypatch.chdir(shell.folder)
    result = shell(*line.split())
    assert result.status == 2
    assert words in result.err
    assert len(result.err.splitlines()) == 2


def test_game_to_play_is_rejected_as_a_card_game(shell: Shell) -> None:
    shell.import_starter()
    assert "no cards of the game 'chess'" in shell("simulate", "--game", "chess").misuses().err
    result = shell("simulate", "--game", "tactics").misuses("no cards of the game 'tactics'")
    assert result.err.splitlines()[1] == "'tactics' is a game to play: name it without --game."


def test_layout_check_of_a_missing_file_is_an_error_not_a_finding(shell: Shell) -> None:
    shell("layout", "check", "missing.toml").fails("missing.toml: No such file or directory.")


@pytest.mark.parametrize("words", [("0", "Pidgeot"), ("0 Pidgeot",), ("0x Pidgeot",)])
def test_zero_copies_are_rejected_also_without_catalogue(shell: Shell, words: tuple[str, ...]) -> None:
    shell("collection", "add", *words).misuses("0 copies: a number from 1 to 1,000,000 is needed.")


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("collection edit Dragon", "name a change, such as --condition near-mint or --to-box Attic"),
        ("collection doubts --outcome exact", "'exact' is neither fuzzy nor missed"),
        ("collection doubts --confirm --dismiss", "--confirm or --dismiss, not both"),
        ("collection import my.csv --on-error wait", "'wait' is neither skip nor stop"),
        ("collection import my.csv --again --replace", "--again adds the file, --replace replaces: choose one"),
        ("deck check deck.toml --from attic", "'attic' is neither 'all' nor 'collection'"),
        ("deck edit deck.toml", "name a change: --swap OLD=NEW, --add CARD or --out CARD"),
        ("layout new my.csv --game x --keep -o x.toml", "give --keep or --output, not both"),
        ("learn matrix --games 30", "--games needs --measure"),
        ("replay game.toml --from 5 --to 3", "--from 5 comes after --to 3"),
        ("arena grid --players greedy,random --sprt 5", "write two Elos: 0,10"),
        ("puzzle --date 2026-01-01", "--date needs --daily"),
        ("puzzle --from-games games.jsonl --daily", "With --from-games leave --daily"),
        ("table --load game.toml --players A,B", "the record sets players and options"),
        ("play --load game.toml --players A,B", "the record sets players, cards and options"),
        ("simulate grid --option komi=3 --option komi=4", "--option komi is given twice"),
    ],
)
def test_options_that_exclude_or_need_each_other_are_usage_errors(shell: Shell, words: str, advice: str) -> None:
    for name in ("deck.toml", "game.toml", "games.jsonl"):
        shutil.copy(ROOT / "docs" / "examples" / name, shell.folder)
    write_rows(shell.folder / "my.csv", rows(3))
    found = [shell.folder / word if "." in word and "=" not in word else word for word in words.split()]
    result = shell(*found)
    assert result.status == 2, result.err
    assert advice in result.err
    assert len(result.err.splitlines()) <= 2
