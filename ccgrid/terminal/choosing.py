"""Asks at a terminal which of several cards with one name is meant, and tells what was taken."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import NotConfirmedError
from ccgrid.catalog.runtime import place_in
from ccgrid.view.lists import show_candidates
from ccgrid.view.output import remark, show
from ccgrid.view.streams import can_ask, input_line

if TYPE_CHECKING:
    from ccgrid.catalog.matching.asking import Choose
    from ccgrid.services.choices import Choices


def person_chooser(*, as_json: bool = False) -> "Choose | None":
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
        if (place := place_in(answer, len(candidates))) is not None:
            return candidates[place]
        games = [card for card in candidates if answer.casefold() in (card.game.casefold(), card.id.casefold())]
        if len(games) == 1:
            return games[0]


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
