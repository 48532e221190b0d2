"""The walk through a box at a keyboard or from a pipe: shows each pocket, takes an answer, can be left."""

import sys
from collections.abc import Callable

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.collection.audit import HELP, Audit
from ccgrid.catalog.collection.session import find_card
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.matching.spellings import Candidate
from ccgrid.terminal.choosing import agrees, asking
from ccgrid.view.collection import kind_in_words
from ccgrid.view.output import remark, show
from ccgrid.view.streams import input_line


def walk(audit: Audit, keep: Callable[[Audit], None], *, as_json: bool) -> bool:
    """Asks about each pocket, and keeps every answer; whether the end of the box was reached."""
    talks = sys.stdin is not None and sys.stdin.isatty() and not as_json

    def find(words: str) -> Candidate:
        return find_card(audit.collection, words, choose=asking(as_json=as_json)).card

    if talks:
        show(HELP)
        if audit.answers:
            show(f"{len(audit.answers)} of {len(audit.pockets)} pockets are done: continuing.")
    while (pocket := audit.pocket) is not None:
        try:
            line = input_line(f"{_shown(audit, pocket)}> " if talks else "")
        except EOFError:
            return False
        word = line.strip().casefold()
        if word in ("q", "quit"):
            return False
        try:
            if word == "b":
                audit.back()
            elif word in ("?", "help"):
                show(HELP)
            else:
                audit.answer(line, find)
            keep(audit)
        except CatalogError as error:
            remark(str(error))
    return True


def agreed(audit: Audit) -> bool:
    """Whether a person at a terminal wants the collection changed; yes where nothing would be, or nobody sits there."""
    report = audit.report()
    if not (report.missing or report.moved or report.found) or not sys.stdin.isatty():
        return True
    told = "Enter changes the collection to match the box. n leaves it, and the same command asks again."
    return agrees("Record this in the collection? [Enter] yes, [n] not yet: ", told, usual=True)


def _shown(audit: Audit, pocket: Holding) -> str:
    number = audit.pockets.index(pocket) + 1
    place = str(pocket.place._replace(box=""))
    kind = kind_in_words(pocket)
    of_set = f"{pocket.set_code} {pocket.number}".strip()
    told = " ".join(filter(None, (str(pocket.copies - pocket.out), pocket.name, f"({of_set})" if of_set else "", kind)))
    return f"{number}/{len(audit.pockets)} {f'{place}: ' if place else ''}{told}"
