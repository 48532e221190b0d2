"""Asks at a terminal which of several cards with one name is meant, and tells what was taken."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import NotConfirmedError
from ccgrid.catalog.list_index import parse_list_index
from ccgrid.view.lists import show_candidates
from ccgrid.view.output import remark, show
from ccgrid.view.streams import can_ask, input_line

if TYPE_CHECKING:
    from ccgrid.catalog.collection.doubts import ReportRow
    from ccgrid.catalog.matching.asking import Choose
    from ccgrid.services.choices import Choices


def interactive_chooser(*, as_json: bool = False) -> "Choose | None":
    """The question to a person at a terminal; None where nobody sits there, or a script wants JSON."""
    if as_json or not can_ask():
        return None
    return choose


def choose(text: str, candidates: Sequence[Card]) -> Card | None:
    """The card that a person chooses by its number in a list; None where they choose none."""
    show(f"Cards of {len(candidates)} games match: {text}", "")
    show_candidates(candidates)
    while True:
        try:
            answer = input_line(f"Which one? 1 to {len(candidates)}, Enter for none> ").strip()
        except (EOFError, KeyboardInterrupt):
            show("")
            return None
        if not answer:
            return None
        if answer == "?":
            show("Type the number in the list, the game, or the card's id; Enter for none.")
            continue
        if (place := parse_list_index(answer, len(candidates))) is not None:
            return candidates[place]
        games = [card for card in candidates if answer.casefold() in (card.game.casefold(), card.id.casefold())]
        if len(games) == 1:
            return games[0]


def ask_about_rows(rows: Sequence[tuple["ReportRow", Sequence[Card]]]) -> dict[int, str]:
    """Ask at a terminal which card each row in doubt is.

    Returns:
        The id of the card, or nothing for a row to forget, by the number of each row that the person settled.
    """
    answers: dict[int, str] = {}
    for row, candidates in rows:
        assert row.doubt is not None  # noqa: S101  only rows in doubt are asked about
        show("", f"Line {row.line}: {row.raw.strip()}", f"{row.reason}.")
        show_candidates(candidates)
        question = f"Is it one of these? 1 to {len(candidates)}, d to forget the row, Enter for later, q to stop> "
        while True:
            try:
                answer = input_line(question).strip().casefold()
            except (EOFError, KeyboardInterrupt):
                show("")
                return answers
            if answer in ("q", "quit"):
                return answers
            place = parse_list_index(answer, len(candidates))
            if place is not None or answer in ("", "d"):
                break
            show("The number adds the copies of that card. Later: ccgrid collection doubts")
        if answer:
            answers[row.doubt.id] = "" if place is None else candidates[place].id
    return answers


def show_choices(choices: "Choices") -> None:
    """Says what was taken for names, beside the result."""
    for line in choices.remarks():
        remark(line)


def ask_to_confirm(refused: NotConfirmedError) -> bool:
    """Whether a person wants it done."""
    show(f"{str(refused).partition(';')[0]}.")
    return agrees("Do it? yes or no> ", "yes changes them, ccgrid undo takes that back; anything else changes nothing.")


def agrees(question: str, explanation: str, *, usual: bool = False) -> bool:
    """Whether a person says yes to a question; Enter says what is `usual`, a question mark asks for `explanation`."""
    try:
        while (answer := input_line(question).strip().casefold()) == "?":
            show(explanation)
    except (EOFError, KeyboardInterrupt):
        show("")
        return False
    return answer in ("y", "yes") or (usual and not answer)
