"""A session of entering cards: each line a card by number or name, each kept at once, each taken back by `undo`."""

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from catalog.card import CatalogError
from catalog.collection.edit import add, meant, stored, typed_row
from catalog.collection.formats.row import MOST_COPIES
from catalog.matching.matcher import Matcher
from catalog.matching.search import fold
from catalog.matching.spellings import Candidate
from catalog.store.holdings import CollectionStore, CopyKey
from catalog.store.lookup import StoreLookup

HELP: Final = """\
210            the card with that number in the set
210x3          three copies of it; also: 3 Lightning Bolt, Lightning Bolt x3
210f           a foil; 210e an etched one; also: Lightning Bolt *F*
Lightning Bolt a card by its name; the tabulator completes it
set m10        go on with another set; set alone: with any
box Attic 2    put the cards there; so do row 3 and slot 4
foil, normal   what the next cards are, when nothing else is said
undo           take the last card back
end            end; so does an empty line at the keyboard"""

_COPIES_BEHIND: Final = re.compile(r"(?P<rest>\S*\d\S*?|.*\S(?= )) ?[xX×] ?(?P<copies>\d{1,6})")
_COPIES_BEFORE: Final = re.compile(r"(?P<copies>\d{1,6}) ?[xX×] ?(?P<rest>\S.*)")
_COPIES_OF_NAME: Final = re.compile(r"(?P<copies>\d{1,4}) (?P<rest>[^\W\d].*)")
_MARK: Final = re.compile(r"(?P<rest>.*\S) (?:\*(?P<mark>[FfEe])\*|\((?P<word>foil|etched)\))")
_COLLECTOR_NUMBER: Final = re.compile(r"\S*\d\S*")
_FINISHES: Final = {"f": "foil", "e": "etched"}
_COMPLETED: Final = 30
_MOST_OF_A_NUMBER: Final = 99


class Entered(NamedTuple):
    """One line that added cards."""

    change: int
    card: Candidate
    copies: int
    kind: CopyKey


class EntrySession:
    """Cards that are entered one after the other; `prompt` is what the next line goes to."""

    def __init__(self, collection: CollectionStore, games: Sequence[str], set_code: str, kind: CopyKey) -> None:
        self.collection, self.games, self.kind = collection, tuple(games), kind
        self.entered: list[Entered] = []
        self.undone = 0
        self.failed = 0
        self.is_over = False
        self._lookup = StoreLookup(collection.store)
        self._matcher = Matcher(self._lookup, games=self.games)
        self.set_code = self._known_set(set_code) if set_code else ""

    @property
    def copies(self) -> int:
        """How many copies were added so far."""
        return sum(entered.copies for entered in self.entered)

    @property
    def prompt(self) -> str:
        """The set and the place that the next cards are of."""
        return " ".join(part for part in (self.set_code or "any set", str(self.kind.place)) if part)

    def enter(self, line: str) -> str:
        """Does what a line says, and says what that was; raises CatalogError, and changes nothing, where it cannot."""
        text = " ".join(stored(line).split())
        command, _, rest = text.partition(" ")
        try:
            if text.startswith(("#", "//")) or not text:
                return ""
            if command in ("set", "box", "row", "slot"):
                return self._change(command, rest)
            if text in ("undo", "help", "?", "end", "quit", "foil", "etched", "normal"):
                return self._obey(text)
            return self._add(text)
        except CatalogError:
            self.failed += 1
            raise

    def _obey(self, command: str) -> str:
        if command == "undo":
            return self._undo()
        if command in ("help", "?"):
            return HELP
        if command in ("end", "quit"):
            self.is_over = True
            return ""
        self.kind = self.kind._replace(finish=command)
        return f"The next cards are {command}."

    def _change(self, what: str, value: str) -> str:
        if what == "set":
            self.set_code = self._known_set(value) if value else ""
            return f"The next cards are of {self.set_code or 'any set'}."
        self.kind = self.kind._replace(place=self.kind.place._replace(**{what: value}))
        return f"The next cards go to {self.kind.place or 'no place'}."

    def _known_set(self, text: str) -> str:
        """The code of a set that is named by its code or its name; CatalogError where there is none."""
        if (code := self._matcher.find_set(text)) is None:
            known = sorted({code for code, _ in self._lookup.sets()})
            raise CatalogError(f"The catalogue has no set {text!r}. It has: {', '.join(known[:30])}.")
        return code

    def _undo(self) -> str:
        if not self.entered:
            raise CatalogError("There is nothing to undo in this session.")
        last = self.entered[-1]
        self.collection.undo(last.change)
        self.entered.pop()
        self.undone += 1
        return f"Taken back: {last.copies} {last.card.name}. {self.copies} in all."

    def _add(self, text: str) -> str:
        whole, copies, finish = text, 1, self.kind.finish
        if mark := _MARK.fullmatch(text):
            text, finish = mark["rest"], mark["word"] or _FINISHES[mark["mark"].casefold()]
        for pattern in (_COPIES_BEHIND, _COPIES_BEFORE, _COPIES_OF_NAME):
            if match := pattern.fullmatch(text):
                text, copies = match["rest"], int(match["copies"])
                break
        if text.isdecimal() and copies > _MOST_OF_A_NUMBER:
            raise CatalogError(f"{copies} copies of number {text}? Number first: 210x3 is three of number 210.")
        if not 0 < copies <= MOST_COPIES:
            raise CatalogError(f"{copies} copies: a number from 1 to {MOST_COPIES:,} is needed.")
        card, own = self._find(text, whole)
        kind = self.kind._replace(finish=own or finish)
        kind = add(self.collection, card, copies, kind)
        last = self.collection.last_change()
        self.entered.append(Entered(last[0] if last else 0, card, copies, kind))
        shown = "" if kind.finish == "normal" else f" {kind.finish}"
        return f"{copies}{shown} {card.name} ({card.set_code} {card.number}). {self.copies} in all."

    def _find(self, text: str, whole: str) -> tuple[Candidate, str]:
        """The card that a line names, and the finish where a letter behind the number says it."""
        language = self.kind.language
        if self.set_code and _COLLECTOR_NUMBER.fullmatch(text):
            tries = [(text, "")]
            if text[-1:].casefold() in _FINISHES and text[-2:-1].isdigit():
                tries.append((text[:-1], _FINISHES[text[-1].casefold()]))
            for number, finish in tries:
                match = self._matcher.match(typed_row("", self.set_code, number, language))
                if match.card is not None and match.how == "number":
                    return match.card, finish
        for name in dict.fromkeys((whole, text)):  # a name may end in x3
            match = self._matcher.match(typed_row(name, self.set_code, "", language))
            if match.card is not None and match.how != "fuzzy":
                return match.card, ""
        if self.set_code and _COLLECTOR_NUMBER.fullmatch(text):
            raise CatalogError(f"{self.set_code} has no number {text}.")
        match = meant(self._matcher, self.collection, typed_row(text, self.set_code, "", language))
        assert match.card is not None  # noqa: S101  `meant` raises where there is none
        return match.card, ""

    def complete(self, text: str) -> list[str]:
        """The names that a line may become, those of the set where there is one."""
        start = fold(text)
        if not start:
            return []
        pairs = self._lookup.names_in(self.set_code) if self.set_code else self._lookup.names_from(start)
        return [name for name, folded in pairs if folded.startswith(start)][:_COMPLETED]

    def to_dict(self) -> dict[str, Any]:
        """What the session did, for scripts."""
        return {
            "lines": len(self.entered),
            "copies": self.copies,
            "undone": self.undone,
            "failed": self.failed,
            "cards": [
                {"id": one.card.id, "name": one.card.name, "copies": one.copies, "finish": one.kind.finish}
                for one in self.entered
            ],
        }
