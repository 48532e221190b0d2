"""Tests of the signatures of commands: option groups, placeholders and checks of texts."""

import re
from pathlib import Path
from typing import Annotated, NamedTuple

import pytest
import typer
from typer.testing import CliRunner

from ccgrid.commands.signatures import Fill, flatten


class Place(NamedTuple):
    box: Annotated[str, typer.Option("--box", "-b", help="The box.")] = ""
    row: Annotated[str | None, typer.Option("--row")] = None


class Copy(NamedTuple):
    size: Annotated[int, typer.Option("--size", min=1)]
    place: Place = Place()


@pytest.fixture
def app() -> typer.Typer:
    typer_app = typer.Typer()

    @typer_app.command()
    @flatten
    def add(words: list[str], count: int = 1, *, copy: Copy) -> None:
        """Add a card."""
        print(words, count, copy)

    return typer_app


def test_option_group_has_given_options_and_defaults(app: typer.Typer) -> None:
    answer = CliRunner().invoke(app, ["Ring", "of", "Gix", "--size", "3", "-b", "Attic", "--count", "2"])
    assert answer.output.strip() == str(["Ring", "of", "Gix"]) + " 2 " + str(Copy(3, Place("Attic")))


@pytest.mark.parametrize("words", [["Ring"], ["Ring", "--size", "0"]])
def test_options_of_a_group_are_checked(app: typer.Typer, words: list[str]) -> None:
    assert CliRunner().invoke(app, words).exit_code == 2


def test_help_explains_each_option_of_a_group(app: typer.Typer) -> None:
    page = CliRunner().invoke(app, ["--help"]).output
    assert "--box" in page
    assert "The box." in page
    assert "--copy" not in page


def test_text_annotation_becomes_help_of_first_option() -> None:
    typer_app = typer.Typer()

    @typer_app.command()
    @flatten
    def pull(place: Annotated[Place, "The box to look in."]) -> None:
        """Pull cards."""
        print(place)

    page = CliRunner().invoke(typer_app, ["--help"]).output
    assert "The box to look in." in page
    assert "The box." not in page
    assert CliRunner().invoke(typer_app, ["--box", "Attic"]).output.strip() == str(Place("Attic"))


def test_placeholder_follows_the_type() -> None:
    typer_app = typer.Typer(rich_markup_mode=None)

    @typer_app.command()
    @flatten
    def sort(
        cards: Annotated[list[str] | None, typer.Argument()] = None,
        size: Annotated[int | None, typer.Option("--size")] = None,
        place: Annotated[Path | None, typer.Option("--place")] = None,
        box: Annotated[str, typer.Option("--box", metavar="NAME")] = "",
        fast: Annotated[bool, typer.Option("--fast")] = False,
    ) -> None: ...

    page = CliRunner().invoke(typer_app, ["--help"]).output
    for part in ("CARDS...", "--size NUMBER", "--place PATH", "--box NAME"):
        assert part in page
    assert re.search(r"--fast *$", page, re.MULTILINE)


def test_text_that_cannot_be_encoded_is_rejected_before_other_checks() -> None:
    typer_app = typer.Typer(rich_markup_mode=None)

    def check(text: str) -> str:
        assert "\udcff" not in text
        return text.upper()

    @typer_app.command()
    @flatten
    def name(
        box: Annotated[str, typer.Argument(callback=check)], player: Annotated[str, typer.Option("--player")] = ""
    ) -> None:
        print(box, ascii(player))

    assert CliRunner().invoke(typer_app, ["attic", "--player", "\udcff"]).output.strip() == r"ATTIC '\udcff'"
    rejected = CliRunner().invoke(typer_app, ["attic\udcff"])
    assert rejected.exit_code == 2
    assert "is not text in the encoding" in rejected.output


class Request(NamedTuple):
    game: str
    decks: tuple[str, ...] = ()
    best_of: int | None = None
    games: int = 1
    database: str | None = None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], Request(game="grid")),
        (["matrix", "--deck", "a", "--deck", "b"], Request(game="matrix", decks=("a", "b"))),
        (["--best-of", "3", "--count", "2", "--db", "c.db"], Request(game="grid", best_of=3, games=2, database="c.db")),
    ],
)
def test_options_fill_a_request_that_keeps_other_defaults(words: list[str], expected: Request) -> None:
    typer_app = typer.Typer(rich_markup_mode=None)
    options = {
        "game": (Annotated[str, typer.Argument()], "grid"),
        "decks": Annotated[list[str] | None, typer.Option("--deck")],
        "best_of": Annotated[int | None, typer.Option("--best-of")],
        "games": Annotated[int, typer.Option("--count")],
        "database": Annotated[str | None, typer.Option("--db")],
    }

    @typer_app.command()
    @flatten
    def play(
        wanted: Annotated[Request, Fill(options)], seed: Annotated[int | None, typer.Option("--seed")] = None
    ) -> None:
        print(wanted == expected, seed)

    assert CliRunner().invoke(typer_app, [*words, "--seed", "7"]).output.strip() == "True 7"
    page = CliRunner().invoke(typer_app, ["--help"]).output
    assert page.index("--best-of") < page.index("--seed") < page.index("--db"), "the catalogue comes last"
