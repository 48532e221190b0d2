"""What a game teaches as a page: the advice, and under each piece of it the experiment that it comes from."""

from collections.abc import Sequence

from ccgrid.view.output import show_markdown
from engine.games import find_game
from engine.insight.lessons import MeasuredLesson


def show_lessons(title: str, lessons: Sequence[MeasuredLesson], *, here: bool) -> None:
    """Print the page; `here` where the figures were measured now, with the cards that are at hand."""
    lines = [f"# What wins at {title}", ""]
    for number, one in enumerate(lessons, start=1):
        errors = [one.figures[name].stderr for name in one.lesson.shares()]
        how_sure = f"; shares ± {100 * max(errors):.1f} %" if errors else ""
        lines += [f"{number}. {one.text}", ""]
        lines += [f"   *{one.games:,} games {one.lesson.experiment.about}{how_sure}*"]
        lines += [f"   **Not borne out here: {doubt}.**" for doubt in one.doubts]
        lines.append("")
    ending = "Measured now." if here else "Measured with the cards that come with the program: --measure asks yours."
    show_markdown("\n".join([*lines, ending, ""]))


def show_rules(game: str) -> None:
    """Print the rules of a game."""
    show_markdown(find_game(game).pictures.rules_page())
