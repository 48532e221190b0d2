"""What a game teaches as a page: the advice, and under each piece of it the experiment that it comes from."""

from collections.abc import Sequence
from typing import TypedDict

from ccgrid.engine.game import Game
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.lessons import MeasuredLesson
from ccgrid.engine.options import OptionJson
from ccgrid.view.output import show_markdown


def show_lessons(title: str, lessons: Sequence[MeasuredLesson], *, here: bool) -> None:
    """Print the page; `here` where the figures were measured now, with the cards that are at hand."""
    ending = "Measured now." if here else "Measured on the bundled cards; --measure uses yours."
    show_markdown(f"{lessons_page(title, lessons)}\n{ending}\n")


def lessons_page(title: str, lessons: Sequence[MeasuredLesson]) -> str:
    """The page in Markdown."""
    lines = [f"# What wins at {title}", ""]
    for number, one in enumerate(lessons, start=1):
        errors = [one.figures[name].stderr for name in one.lesson.shares()]
        how_sure = f"; shares ± {100 * max(errors):.1f} %" if errors else ""
        lines += [f"{number}. {one.text}", ""]
        lines += [f"   *{one.games:,} games {one.lesson.experiment.about}{how_sure}*"]
        lines += [f"   **Not borne out here: {doubt}.**" for doubt in one.doubts]
        lines.append("")
    return "\n".join(lines)


def show_rules(game: str) -> None:
    """Print the rules of a game."""
    show_markdown(find_game(game).pictures.rules_page())


class RulesJson(TypedDict):
    """The rules of a game as a page in Markdown, and its options."""

    game: str
    title: str
    markdown: str
    options: list[OptionJson]


def rules_json(game: Game) -> RulesJson:
    """The rules of a game in the documented shape of `rules --json`."""
    options = [option.to_dict() for option in game.options]
    return {"game": game.name, "title": game.title, "markdown": game.pictures.rules_page(), "options": options}
