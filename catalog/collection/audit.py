"""A walk through a box, pocket by pocket: what is there, what is missing, what else was found, and one change of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from ccgrid.catalog.answer_fields import with_fields
from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.collection.owned_copies import some_copies
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.holding import Holding, Place
from ccgrid.catalog.holding_answers import ShownHolding, shown_holding
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.store.holdings import CollectionStore, key_of, walking_order
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.surrogates import replace_surrogates

HELP = """Enter: it is there. m: it is missing. A number: that many copies are there.
A name: another card is there. b: back. q: quit; the same command continues here."""


class PocketCount(NamedTuple):
    """How many of the copies of a pocket are there, and the id of another card that is there in their place."""

    there: int
    other: str = ""


class MovedCopies(ShownHolding, frozen=True, kw_only=True):
    """Copies that are in another pocket than was known, and where."""

    to: str


class FoundCopies(msgspec.Struct, frozen=True, kw_only=True):
    """Copies that were not known, and where they are."""

    id: str
    name: str
    copies: int
    location: str


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found: how many copies are there, and those that are missing, elsewhere, or new."""

    there: int
    missing: list[ShownHolding]
    moved: list[MovedCopies]
    found: list[FoundCopies]


class _Findings(NamedTuple):
    """The copies that an audit found or missed, as the collection stores them."""

    there: int
    missing: list[tuple[Holding, int]]
    moved: list[tuple[Holding, int, Place]]
    found: list[tuple[Candidate, int, Place]]

    def report(self) -> AuditReport:
        return AuditReport(
            there=self.there,
            missing=some_copies(self.missing),
            moved=[
                with_fields(shown_holding(one, copies), MovedCopies, to=str(place)) for one, copies, place in self.moved
            ],
            found=[
                FoundCopies(id=card.id, name=card.name, copies=copies, location=str(place))
                for card, copies, place in self.found
            ],
        )


@dataclass(slots=True)
class Audit:
    """An audit of a box that is being made: its pockets in walking order, and the answers so far by their ids.

    Copies that are out in decks are not looked for.
    """

    collection: CollectionStore
    box: str
    pockets: list[Holding]
    answers: dict[int, PocketCount] = field(default_factory=dict)

    @property
    def pocket(self) -> Holding | None:
        """The first pocket without an answer, or None at the end."""
        return next((one for one in self.pockets if one.id not in self.answers), None)

    def answer(self, text: str, find: Callable[[str], Candidate]) -> None:
        """Record the user's answer for the current pocket, as `HELP` describes it.

        Args:
            text: The answer.
            find: Looks up a card by name.

        Raises:
            CatalogError: If the answer is not understood.
        """
        pocket, word = self.pocket, text.strip()
        assert pocket is not None  # noqa: S101  callers check `pocket` first
        expected = pocket.copies - pocket.out
        if not word:
            self.answers[pocket.id] = PocketCount(expected)
        elif word.casefold() in ("m", "missing"):
            self.answers[pocket.id] = PocketCount(0)
        elif word.isascii() and word.isdecimal():
            # Nine digits are enough to be too many, and `int` takes long for endless ones.
            if int(word[:9]) > expected:
                raise CatalogError(f"There should be {expected}; to add more: ccgrid collection add")
            self.answers[pocket.id] = PocketCount(int(word))
        else:
            # A name alone means the printing that should be here, or else one of this box, and not the earliest.
            named = (one.card_id for one in (pocket, *self.pockets) if fold(one.name) == fold(word))
            card_id = next(named, None) or find(word).id
            is_there = card_id == pocket.card_id
            self.answers[pocket.id] = PocketCount(expected) if is_there else PocketCount(0, card_id)

    def back(self) -> None:
        """Forget the last answer, if there is one."""
        done = [one for one in self.pockets if one.id in self.answers]
        if done:
            del self.answers[done[-1].id]

    def report(self) -> AuditReport:
        """Return what was found so far."""
        return self._findings().report()

    def _findings(self) -> _Findings:
        """Compare the answers with the collection; a card missing in one pocket and found in another has moved."""
        lookup = StoreLookup(self.collection.store)
        there, missing, others = 0, list[tuple[Holding, int]](), list[tuple[str, Place]]()
        for pocket in self.pockets:
            if (answer := self.answers.get(pocket.id)) is not None:
                there += answer.there
                if lacks := pocket.copies - pocket.out - answer.there:
                    missing.append((pocket, lacks))
                if answer.other:
                    others.append((answer.other, pocket.place))
        moved, found = list[tuple[Holding, int, Place]](), list[tuple[Candidate, int, Place]]()
        # A card found where another was missing: if it is missing elsewhere, it has moved.
        for card_id, place in others:
            # One copy at a time: the pocket where it was may miss more of them.
            at = next((at for at, (one, _) in enumerate(missing) if one.card_id == card_id), None)
            if at is not None:
                holding, copies = missing.pop(at)
                moved.append((holding, 1, place))
                if copies > 1:
                    missing.insert(at, (holding, copies - 1))
            elif (card := lookup.card(card_id)) is not None:
                found.append((card, 1, place))
        return _Findings(there, missing, moved, found)

    def apply(self) -> None:
        """Apply the audit's findings to the collection in one undoable change.

        Raises:
            CatalogError: If a copy that it moves or removes is no longer available.
        """
        with self.collection.change(f"audit {self.box}"):
            # Worked out anew within the change: the collection may be another one by now.
            findings = self._findings()
            for holding, copies in findings.missing:
                self.collection.take(holding, copies)
            for holding, copies, place in findings.moved:
                self.collection.take(holding, copies)
                self.collection.put(holding, copies, key_of(holding)._replace(place=place))
            for card, copies, place in findings.found:
                self.collection.add(card, copies, copy_key(language=card.lang, place=place))

    def to_dict(self) -> dict[str, object]:
        """Return the answers so far in the form that `begin` resumes."""
        return {
            "box": self.box,
            "answers": [
                [one.id, one.card_id, one.copies, *self.answers[one.id]]
                for one in self.pockets
                if one.id in self.answers
            ],
        }


def begin(collection: CollectionStore, box: str, before: Mapping[str, Any] | None = None) -> Audit:
    """Start an audit of a box, or resume one.

    Args:
        collection: The collection.
        box: The name of the box.
        before: Saved answers. Answers about pockets that changed since are dropped.

    Raises:
        NotFoundError: If there is no such box.
    """
    name = collection.place(Place(replace_surrogates(box))).box
    pockets = [one for one in collection.holdings("WHERE box = ?", (name,)) if one.copies > one.out]
    if not pockets:
        raise NotFoundError(f"There is no box {box!r}. Your boxes: ccgrid collection boxes", kind="box", name=box)
    audit = Audit(collection, name, sorted(pockets, key=walking_order))
    by_id = {one.id: one for one in pockets}
    # Only where the pocket still holds the same card, and as many copies.
    for number, card_id, copies, there, other in (before or {}).get("answers", ()):
        one = by_id.get(number)
        if one is not None and (one.card_id, one.copies) == (card_id, copies) and there <= copies - one.out:
            audit.answers[number] = PocketCount(there, other)
    return audit
