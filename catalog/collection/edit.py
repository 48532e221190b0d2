"""The collection by hand: add copies, take them out, change what they are, move them, say where they are."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from ccgrid.catalog.collection.selection import named_holdings, no_match
from ccgrid.catalog.copy_terms import NORMAL, known_condition, known_finish, known_language
from ccgrid.catalog.details import DetailEdit
from ccgrid.catalog.errors import CatalogError, NotConfirmedError
from ccgrid.catalog.holding import LONGEST_TEXT, MOST_COPIES, NOWHERE, Holding, Place
from ccgrid.catalog.matching.names import Candidate
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey, key_of

MOST_UNASKED: Final = 20
"""How many entries a command may change without a question."""


class Edit(NamedTuple):
    """What becomes otherwise of copies: None leaves it as it is, an empty text takes away what was said."""

    finish: str | None = None
    condition: str | None = None
    language: str | None = None
    note: str | None = None
    box: str | None = None
    row: str | None = None
    slot: str | None = None
    details: DetailEdit = DetailEdit()

    def checked(self) -> "Edit":
        """The same in house words; NoSuchNameError where a finish, condition or language is none."""
        return Edit(
            # None and an empty text pass: nothing is said, or it is to be taken away.
            self.finish and known_finish(clean_text(self.finish)),
            self.condition and known_condition(clean_text(self.condition)),
            self.language and known_language(clean_text(self.language)),
            note=_clean_value(self.note),
            box=_clean_value(self.box),
            row=_clean_value(self.row),
            slot=_clean_value(self.slot),
            details=DetailEdit(*map(_clean_value, self.details)),
        )

    def of(self, holding: Holding) -> CopyKey:
        """What a holding becomes; whoever names a box leaves the row, and whoever names a row the slot."""
        place = holding.place
        if self.box is not None:
            # Another box: the row of the old one means nothing in it.
            place = Place(self.box)
        if self.row is not None:
            place = Place(place.box, self.row)
        if self.slot is not None:
            place = place._replace(slot=self.slot)
        kind = key_of(holding)
        finish = kind.finish if self.finish is None else self.finish or NORMAL
        condition = kind.condition if self.condition is None else self.condition
        note = kind.note if self.note is None else self.note
        details = self.details.of(kind.details)
        return CopyKey(finish, condition, self.language or kind.language, place, note, details)

    def __str__(self) -> str:
        # All but the details, which say themselves what they change.
        named = zip(self._fields[:-1], self[:-1], strict=True)
        words = [f"{name} {text or 'none'}" for name, text in named if text is not None]
        return ", ".join((*words, *filter(None, [str(self.details)])))


def copy_key(finish: str = "", condition: str = "", language: str = "", place: Place = NOWHERE) -> CopyKey:
    """A kind of copies from what a person typed, in house words; a language that is not said is left empty.

    Raises NoSuchNameError for a finish, a condition or a language that there is not.
    """
    return CopyKey(
        known_finish(clean_text(finish)),
        known_condition(clean_text(condition)) if condition else "",
        known_language(clean_text(language)) if language else "",
        Place(*map(clean_text, place)),
    )


def clean_text(text: str) -> str:
    """What is kept of a text that somebody typed: no more than fits, no half characters, no blanks at its ends."""
    return text.encode("utf-8", "replace").decode().strip()[:LONGEST_TEXT]


def _clean_value(wanted: Any) -> Any:
    """What is kept of one part of a `DetailEdit`."""
    if isinstance(wanted, tuple):
        return tuple(map(clean_text, wanted))
    return clean_text(wanted) if isinstance(wanted, str) else wanted


def add_copies(collection: CollectionStore, card: Candidate, copies: int, kind: CopyKey) -> CopyKey:
    """Adds copies of a card as one change, and returns the kind with the language that was taken."""
    _check_copies(copies)
    whole = kind._replace(language=kind.language or card.lang, place=collection.place(kind.place))
    with collection.change(f"add {copies} {card.name}"):
        collection.add(card, copies, whole)
    return whole


def remove_copies(
    collection: CollectionStore,
    text: str,
    copies: int | None,
    games: Sequence[str] = (),
    *,
    unsaid: int | None = None,
    yes: bool = False,
) -> list[tuple[Holding, int]]:
    """Takes copies out as one change, and returns from where how many.

    Where neither `copies` nor the text says how many, it is as many as `unsaid`, and all of them where that is None.

    Raises:
        NotConfirmedError: it would be many entries, without `yes`.
        CatalogError: there are not so many, or it is not plain which are meant.
    """
    count = "all " if copies is None and unsaid is None else f"{copies or ''} ".lstrip()
    with collection.change(f"remove {count}{text or 'cards'}"):
        plan = _plan(collection, text, copies, games, unsaid=unsaid)
        check_many(len(plan), yes=yes)
        for holding, taken in plan:
            collection.take(holding, taken)
    return plan


def edit_copies(
    collection: CollectionStore,
    text: str,
    wanted: Edit,
    copies: int | None = None,
    games: Sequence[str] = (),
    *,
    yes: bool = False,
    moves: bool = False,
) -> list[tuple[Holding, int]]:
    """Changes what copies are and where, as one change, and returns of which holdings how many.

    All of them where `copies` is None; copies that become of one kind are one holding. The history calls it a move
    where it `moves`; a row without a box is then one of their own box. Raises:
        NotConfirmedError: it would be many entries, without `yes`.
        NoSuchNameError: a finish, a condition or a language is none.
        CatalogError: there are not so many, or it is not plain which are meant.
    """
    wanted = wanted.checked()
    place = Place(wanted.box or "", wanted.row or "", wanted.slot or "")
    cards = text or "cards"
    what = f"move {cards} to {place if any(place) else 'nowhere'}" if moves else f"edit {cards}: {wanted}"
    with collection.change(what):
        return _change(collection, text, copies, games, wanted, yes=yes)


move_copies: Final = partial(edit_copies, moves=True)


def edit_holding(collection: CollectionStore, holding: Holding, wanted: Edit) -> None:
    """Changes what the copies of one holding are and where, as one change; raises as `edit_copies` does."""
    wanted = _with_box_name(collection, wanted.checked())
    with collection.change(f"edit {holding.name}: {wanted}"):
        collection.carry(holding, wanted.of(holding))


def _with_box_name(collection: CollectionStore, wanted: Edit) -> Edit:
    """The same with the box as it is written where there is one of that name."""
    return wanted._replace(box=collection.place(Place(wanted.box)).box) if wanted.box else wanted


def _change(
    collection: CollectionStore, text: str, copies: int | None, games: Sequence[str], wanted: Edit, *, yes: bool
) -> list[tuple[Holding, int]]:
    wanted = _with_box_name(collection, wanted)
    found = _plan(collection, text, copies, games, wanted.of)
    # What is so already is no change.
    plan = [(holding, taken) for holding, taken in found if wanted.of(holding) != key_of(holding)]
    check_many(len(plan), yes=yes)
    for holding, taken in plan:
        # All copies: the entry itself changes, and stays one. Else some leave it, and join others.
        if taken == holding.copies:
            collection.carry(holding, wanted.of(holding))
            continue
        collection.take(holding, taken)
        collection.put(holding, taken, wanted.of(holding))
    return plan


def check_many(count: int, *, yes: bool, what: str = "entries") -> None:
    """Raises NotConfirmedError where a command would change many entries, and nobody has said yes."""
    if count > MOST_UNASKED and not yes:
        raise NotConfirmedError(f"This changes {count:,} {what}; nothing changed yet. To do it, add --yes.")


def _plan(
    collection: CollectionStore,
    text: str,
    copies: int | None,
    games: Sequence[str],
    becomes: Callable[[Holding], CopyKey] | None = None,
    *,
    unsaid: int | None = None,
) -> list[tuple[Holding, int]]:
    """From which holdings how many copies are taken; from those that are as they are to become, only the last."""
    found, said = named_holdings(collection, text, games)
    # Both said a number, and different ones.
    if None not in (said, copies) and said != copies:
        raise CatalogError(f"{text!r} says {said}, and an option says {copies}.")
    copies = next((count for count in (copies, said, unsaid) if count is not None), None)
    if not found:
        raise no_match(collection, text, games)
    if copies is None:
        return [(holding, holding.copies) for holding in found]
    _check_copies(copies)
    # Copies in decks are not there to be taken.
    free = [(holding, holding.copies - holding.out) for holding in found if holding.copies > holding.out]
    if sum(count for _, count in free) < copies:
        raise CatalogError(f"There are only {sum(count for _, count in free)} such copies not out in decks.")
    # They differ in more than the place: which are meant a person has to say.
    if len({(one.card_id, *key_of(one)[:3], one.note, one.details) for one, _ in free}) > 1:
        several = "; ".join(describe_holding(one) for one, _ in free[:4])
        raise CatalogError(
            f"Several entries match: {several}.\nAdd an id, set:, finish:, cond:, lang:, note:, box:; or all."
        )
    plan = []
    # `False` sorts first: those that are not as they are to become.
    for holding, count in sorted(free, key=lambda one: becomes is not None and becomes(one[0]) == key_of(one[0])):
        taken = min(copies, count)
        copies -= taken
        plan += [(holding, taken)] if taken else []
    return plan


def describe_holding(holding: Holding) -> str:
    """A holding in a few words.

    >>> describe_holding(Holding(1, "a:1", 3, "foil", "good", "en", Place("Attic"), "a", "Ant", "x", "X", "7", ""))
    '3 Ant (a, x 7, foil, good, en) in Attic'
    """
    printed = f"{holding.set_code} {holding.number}".strip()
    kind = [holding.game, printed, holding.finish, holding.condition, holding.language, holding.note]
    inside = ", ".join(part for part in (*kind, str(holding.known)) if part and part != NORMAL)
    where = f" in {holding.place}" if any(holding.place) else ""
    return f"{holding.copies} {holding.name} ({inside}){where}"


def _check_copies(copies: int) -> None:
    if not 0 < copies <= MOST_COPIES:
        raise CatalogError(f"{copies} copies: a number from 1 to {MOST_COPIES:,} is needed.")
