"""Options that belong together come to a command as one value."""

from typing import Annotated, NamedTuple

import pytest
import typer
from typer.testing import CliRunner

from ccgrid.commands.lazy import spread


class Place(NamedTuple):
    box: Annotated[str, typer.Option("--box", "-b", help="The box.")] = ""
    row: Annotated[str | None, typer.Option("--row")] = None


class Copy(NamedTuple):
    size: Annotated[int, typer.Option("--size", min=1)]
    place: Place = Place()


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()

    @made.command()
    @spread
    def add(words: list[str], count: int = 1, *, copy: Copy) -> None:
        """Add a card."""
        print(words, count, copy)

    return made


def test_a_value_holds_what_was_typed_and_defaults_for_the_rest(app: typer.Typer) -> None:
    answer = CliRunner().invoke(app, ["Ring", "of", "Gix", "--size", "3", "-b", "Attic", "--count", "2"])
    assert answer.output.strip() == str(["Ring", "of", "Gix"]) + " 2 " + str(Copy(3, Place("Attic")))


@pytest.mark.parametrize("words", [["Ring"], ["Ring", "--size", "0"]])
def test_the_checks_of_an_option_hold_in_a_value(app: typer.Typer, words: list[str]) -> None:
    assert CliRunner().invoke(app, words).exit_code == 2


def test_help_explains_each_option_of_a_value(app: typer.Typer) -> None:
    page = CliRunner().invoke(app, ["--help"]).output
    assert "--box" in page
    assert "The box." in page
    assert "--copy" not in page


def test_a_text_beside_a_value_is_the_help_of_its_first_option() -> None:
    made = typer.Typer()

    @made.command()
    @spread
    def pull(place: Annotated[Place, "The box to look in."]) -> None:
        """Pull cards."""
        print(place)

    page = CliRunner().invoke(made, ["--help"]).output
    assert "The box to look in." in page
    assert "The box." not in page
    assert CliRunner().invoke(made, ["--box", "Attic"]).output.strip() == str(Place("Attic"))


def test_a_command_without_values_stays_itself() -> None:
    def plain(word: str) -> None: ...

    assert spread(plain) is plain
