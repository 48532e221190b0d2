"""What a cell says of copies: often one fact, as `NM`, and sometimes several, as `Lightly Played Foil - German`."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from ccgrid.catalog.copy_terms import NORMAL, finish_word, named_finish, shines
from ccgrid.catalog.words import fold, vocabulary

Kind = Literal["finish", "condition", "language"]
Known = Callable[[Kind, str], str]
"""Returns the house word for a text of a kind, or ""."""

KINDS: Final[tuple[Kind, ...]] = ("condition", "finish", "language")
_APART: Final = (re.compile(r"\s*(?:[,;|\n]|\s[-–—]\s)\s*"), re.compile(r"\s*[/()\[\]{}【】（）「」·•:]+\s*"))
"""What parts facts: the first pattern, then within a piece the second."""
_NUMBERED: Final = re.compile(r"\d{1,4} ?[x×] ?(?=\D)")
"""As UrzaGatherer counts the copies of a condition: `4xNM`."""
_LONGEST_RUN: Final = 4  # words of one fact
_NOTHING: Final = frozenset(("ungraded", "unknown", "na", "normalcondition"))
"""What apps write where nothing is known."""


class Facts(NamedTuple):
    """The facts in a cell, in canonical terms; `marks` are those of `MARKS`, `rest` is not understood."""

    condition: str = ""
    finish: str = ""
    language: str = ""
    marks: tuple[str, ...] = ()
    rest: str = ""

    def of(self, kind: Kind) -> str:
        """Return the fact of one kind, or ""."""
        return self.finish if kind == "finish" else self.condition if kind == "condition" else self.language


class _Reading:
    """The facts of one cell while it is being read."""

    def __init__(self, kind: Kind, known: Known) -> None:
        self.kind, self.known = kind, known
        self.found: dict[Kind, list[str]] = {kind: [] for kind in KINDS}
        self.marks: list[str] = []
        self.rest: list[str] = []

    def fact(self, text: str) -> tuple[Kind | Literal["mark"], str] | None:
        """Return what a text is, and its house word, or None if it is no fact."""
        for kind in (self.kind, *KINDS):
            if found := self.known(kind, text):
                return kind, found
        mark = vocabulary().find("marks", fold(text))
        return ("mark", mark) if mark else None

    def note(self, fact: tuple[Kind | Literal["mark"], str]) -> None:
        """Note a fact."""
        kind, word = fact
        if kind == "mark":
            self.marks.append(word)
        else:
            self.found[kind].append(word)

    def split(self, text: str, depth: int = 0) -> None:
        """Split a text unless it is a fact as a whole."""
        if not text:
            return
        if fact := self.fact(text):
            self.note(fact)
            return
        if depth < len(_APART):
            pieces = [piece for piece in _APART[depth].split(text) if piece]
            for piece in pieces:
                self.split(piece, depth + 1)
            return
        words = text.split()
        facts: list[tuple[Kind | Literal["mark"], str]] = []
        start = 0
        while start < len(words):
            # Letters alone are facts only in a piece of their own.
            runs = (
                (end, " ".join(words[start:end])) for end in range(min(len(words), start + _LONGEST_RUN), start, -1)
            )
            found = next(((end, fact) for end, run in runs if len(fold(run)) > 1 and (fact := self.fact(run))), None)
            # An unknown word may change the meaning of the others: Very Good, not signed.
            if found is None:
                self.rest.append(text)
                return
            start = found[0]
            facts.append(found[1])
        for fact in facts:
            self.note(fact)


def _fact(kind: Kind, word: str) -> Facts:
    if kind == "finish":
        return Facts(finish=word)
    return Facts(condition=word) if kind == "condition" else Facts(language=word)


def read_facts(text: str, kind: Kind, known: Known) -> Facts:
    """Return the facts in a cell of a column of this kind."""
    text = text.strip()
    folded = fold(text)
    # Nearly every cell is one word of its column, or empty.
    if text and (found := known(kind, text)):
        return _fact(kind, found)
    truth = vocabulary().truth(folded)
    # A letter is a word of its column alone: E is no etched card among languages.
    if len(folded) == 1 and truth is None:
        return Facts(rest=text)
    if truth is False or folded in _NOTHING:
        return Facts(finish=NORMAL if kind == "finish" else "")
    if truth and kind == "finish":
        return Facts(finish="foil")
    reading = _Reading(kind, known)
    reading.split(_NUMBERED.sub("", text))
    facts: dict[str, str] = {}
    for one, said in reading.found.items():
        several = list(dict.fromkeys(said))
        fact = _one_finish(several) if one == "finish" else several[0] if len(several) == 1 else ""
        if fact:
            facts[one] = fact
        elif several:  # they contradict each other
            reading.rest = [text]
    marks = tuple(dict.fromkeys(reading.marks))
    if kind == "finish" and reading.rest and not marks and facts.keys() <= {"finish"} and named_finish(text):
        return Facts(finish=text)
    return Facts(**facts, marks=marks, rest=" ".join(reading.rest))


def _one_finish(finishes: list[str]) -> str:
    """Return the finish that several words say together, or "" if they contradict each other.

    >>> _one_finish(["foil", "etched"]), _one_finish(["1st Edition", "Cold Foil"]), _one_finish(["foil", "normal"])
    ('etched', '1st Edition Cold Foil', 'foil')
    """
    finishes = [one for one in finishes if one != NORMAL] or finishes
    special = [one for one in finishes if one != "foil"]
    if len(special) < 2:
        # An edition may be foil besides; etched is a kind of foil.
        is_both = len(finishes) == 2 and not shines(special[0])
        return finish_word(f"{special[0]} Foil") if is_both else "".join(special) or "".join(finishes)
    editions = [one for one in special if not shines(one)]
    others = [one for one in special if shines(one)]
    return f"{editions[0]} {others[0]}" if len(editions) == len(others) == 1 else ""


@lru_cache(1 << 12)
def merged(facts: tuple[Facts, ...]) -> Facts:
    """Return the merged facts of the cells of a row; earlier cells take precedence."""
    finish = _first_finish([one.finish for one in facts if one.finish])
    return Facts(
        next((one.condition for one in facts if one.condition), ""),
        finish,
        next((one.language for one in facts if one.language), ""),
        tuple(dict.fromkeys(mark for one in facts for mark in one.marks)),
    )


def _first_finish(finishes: list[str]) -> str:
    # The column of finishes says `Normal` where another one knows better.
    return _one_finish(list(dict.fromkeys(finishes))) or next((one for one in finishes if one != NORMAL), "")
