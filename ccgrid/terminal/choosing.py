"""Questions about ambiguous cards at a terminal, and notices about the answers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ccgrid import view
from ccgrid.catalog.card import Card
from ccgrid.catalog.list_index import parse_list_index
from ccgrid.terminal.confirming import ask_line
from ccgrid.view.output import remark, show
from ccgrid.view.streams import can_ask

if TYPE_CHECKING:
    from ccgrid.catalog.collection.doubts import ReportRow
    from ccgrid.catalog.matching.asking import Choose
    from ccgrid.services.choices import Choices


def interactive_chooser(*, as_json: bool = False) -> "Choose | None":
    """Return the function that asks about ambiguous cards, or None without a terminal or for JSON."""
    if as_json or not can_ask():
        return None
    return choose


def choose(text: str, candidates: Sequence[Card]) -> Card | None:
    """Ask which card is meant and return it, or None if the user chooses none."""
    show(f"Cards of {len(candidates)} games match: {text}", "")
    view.lists.show_candidates(candidates)
    question = f"Which one? 1 to {len(candidates)}, Enter for none> "
    while answer := ask_line(question, "Type the number in the list, the game, or the card's id; Enter for none."):
        if (place := parse_list_index(answer, len(candidates))) is not None:
            return candidates[place]
        games = [card for card in candidates if answer.casefold() in (card.game.casefold(), card.id.casefold())]
        if len(games) == 1:
            return games[0]
    return None


def ask_about_rows(rows: Sequence[tuple["ReportRow", Sequence[Card]]]) -> dict[int, str]:
    """Ask which card each uncertain row of an import is.

    Returns:
        The card id, or "" for a row to forget, by the number of each row that the user resolved.
    """
    answers: dict[int, str] = {}
    explanation = "The number adds the copies of that card. Later: ccgrid collection doubts"
    for row, candidates in rows:
        assert row.doubt is not None  # noqa: S101  all rows here have a doubt
        show("", f"Line {row.line}: {row.raw.strip()}", f"{row.reason}.")
        view.lists.show_candidates(candidates)
        question = f"Is it one of these? 1 to {len(candidates)}, d to forget the row, Enter for later, q to stop> "
        while True:
            answer = ask_line(question, explanation)
            if answer is None or answer.casefold() in ("q", "quit"):
                return answers
            place = parse_list_index(answer, len(candidates))
            if place is not None or answer.casefold() in ("", "d"):
                break
            show(explanation)
        if answer:
            answers[row.doubt.id] = "" if place is None else candidates[place].id
    return answers


def show_choices(choices: "Choices") -> None:
    """Report how names were resolved, next to the result."""
    for line in choices.remarks():
        remark(line)
