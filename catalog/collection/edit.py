"""The collection by hand: add copies, take them out, change what they are, move them, say where they are."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from ccgrid.catalog.collection.selection import named_holdings, no_match
from ccgrid.catalog.copy_terms import NORMAL, known_condition, known_finish, known_language
from ccgrid.catalog.details import FLAGS, parse_details
from ccgrid.catalog.errors import CatalogError, NotConfirmedError, UsageError
from ccgrid.catalog.holding import LONGEST_TEXT, MOST_COPIES, NOWHERE, Holding, Place
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey, key_of
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.typed_details import parse_grade, parse_price, parse_tags

MOST_UNASKED: Final = 20
"""How many entries a command may change, and how many copies a typed line may add, without a question."""
_DATE: Final = lazy_pattern(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


class DetailEdit(NamedTuple):
    """Changes of details: None keeps a field; an empty text or tuple clears it."""

    acquired: str | None = None
    price: str | None = None
    tags: tuple[str, ...] | None = None
    signed: bool | None = None
    altered: bool | None = None
    proxy: bool | None = None
    for_trade: bool | None = None
    grade: str | None = None
    own: tuple[str, ...] | None = None
    """Texts such as `Shelf=3`; without a text after the sign the column is removed."""

    def of(self, text: str) -> str:
        """Return stored details with these changes.

        Raises:
            CatalogError: If a price, a date or an own column is malformed.
        """
        if self == DetailEdit():
            return text
        details = parse_details(text)
        flags = {name: getattr(self, name) for name in FLAGS}
        changed: dict[str, Any] = {name: int(wanted) for name, wanted in flags.items() if wanted is not None}
        details = details._replace(**changed)
        if self.acquired is not None:
            if self.acquired and not _DATE.fullmatch(self.acquired):
                raise UsageError(f"{self.acquired!r} is not a date: write it year first, such as 2024-05-31.")
            details = details._replace(acquired=self.acquired)
        if self.price is not None:
            price = parse_price(self.price) if self.price else ("", "")
            if price is None:
                raise UsageError(f"{self.price!r} is not a price: write it as 1.50 or '1.50 EUR'.")
            details = details._replace(price=price[0], currency=price[1])
        if self.tags is not None:
            details = details._replace(tags=parse_tags(",".join(self.tags)))
        if self.grade is not None:
            grader, grade = parse_grade(self.grade)
            details = details._replace(grader=grader, grade=grade)
        own = dict(details.own)
        for pair in self.own or ():
            heading, sign, value = (part.strip() for part in pair.partition("="))
            if not heading or not sign:
                raise UsageError(f"{pair!r} names no column of your own: write HEADING=TEXT.")
            own[heading] = value
        return details._replace(own=tuple(sorted((name, value) for name, value in own.items() if value))).text()

    def __str__(self) -> str:
        words = []
        for name, wanted in zip(self._fields, self, strict=True):
            word = name.replace("_", " ")
            if isinstance(wanted, bool):
                words.append(word if wanted else f"not {word}")
            elif wanted is not None:
                words.append(f"{word} {wanted if isinstance(wanted, str) else ', '.join(wanted)}".strip() or "none")
        return ", ".join(words)


class Edit(NamedTuple):
    """Changes to copies. None keeps a field; "" clears it."""

    finish: str | None = None
    condition: str | None = None
    language: str | None = None
    note: str | None = None
    box: str | None = None
    row: str | None = None
    slot: str | None = None
    details: DetailEdit = DetailEdit()

    def checked(self) -> "Edit":
        """Return the same changes in canonical terms.

        Raises:
            NoSuchNameError: If the finish, the condition or the language is unknown.
        """
        return Edit(
            # None and an empty text pass: the property is not mentioned, or it is to be removed.
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
        """Return what the kind of a holding becomes; a new box clears row and slot, a new row clears the slot."""
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
    """Build a kind of copies from typed words; the language stays empty if it is not given.

    Raises:
        NoSuchNameError: If the finish, the condition or the language is unknown.
    """
    return CopyKey(
        known_finish(clean_text(finish)),
        known_condition(clean_text(condition)) if condition else "",
        known_language(clean_text(language)) if language else "",
        Place(*map(clean_text, place)),
    )


def clean_text(text: str) -> str:
    """Return a typed text without spaces at its ends and lone surrogates, cut to `LONGEST_TEXT`."""
    return replace_surrogates(text).strip()[:LONGEST_TEXT]


def _clean_value(wanted: object) -> Any:
    """Clean the texts in a value of a `DetailEdit`."""
    if isinstance(wanted, tuple):
        return tuple(map(clean_text, wanted))
    return clean_text(wanted) if isinstance(wanted, str) else wanted


def add_copies(collection: CollectionStore, card: Candidate, copies: int, kind: CopyKey) -> CopyKey:
    """Add copies of a card in one undoable change.

    Returns:
        The kind as stored; its language defaults to the card's.
    """
    check_copies(copies)
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
    """Remove copies in one undoable change.

    Args:
        collection: The collection.
        text: A query, possibly with a number of copies.
        copies: The number of copies.
        games: Only cards of these games, if any is given.
        unsaid: The number if neither `copies` nor `text` has one; None means all copies.
        yes: Whether many entries may change.

    Returns:
        The holdings, each with the number of copies removed.

    Raises:
        NotConfirmedError: If many entries would change and `yes` is not set.
        CatalogError: If there are too few copies, or the text is ambiguous.
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
    """Change the kind or the location of copies in one undoable change.

    Copies that become alike are merged into one holding.

    Args:
        collection: The collection.
        text: A query, possibly with a number of copies.
        wanted: The changes.
        copies: The number of copies; all if neither this nor `text` has one.
        games: Only cards of these games, if any is given.
        yes: Whether many entries may change.
        moves: Whether the history calls the change a move.

    Returns:
        The holdings, each with the number of copies changed.

    Raises:
        NotConfirmedError: If many entries would change and `yes` is not set.
        NoSuchNameError: If the finish, the condition or the language is unknown.
        CatalogError: If there are too few copies, or the text is ambiguous.
    """
    wanted = wanted.checked()
    place = Place(wanted.box or "", wanted.row or "", wanted.slot or "")
    cards = text or "cards"
    what = f"move {cards} to {place if any(place) else 'nowhere'}" if moves else f"edit {cards}: {wanted}"
    with collection.change(what):
        return _change(collection, text, copies, games, wanted, yes=yes)


move_copies: Final = partial(edit_copies, moves=True)


def edit_holding(collection: CollectionStore, holding: Holding, wanted: Edit) -> None:
    """Change the kind or the location of all copies of a holding in one undoable change.

    Raises:
        NoSuchNameError: If the finish, the condition or the language is unknown.
    """
    wanted = _with_box_name(collection, wanted.checked())
    with collection.change(f"edit {holding.name}: {wanted}"):
        collection.carry(holding, wanted.of(holding))


def _with_box_name(collection: CollectionStore, wanted: Edit) -> Edit:
    """Replace the name of the box by that of an existing box that differs only in case."""
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
    """Check that a command changes few entries or that the user confirmed it.

    Raises:
        NotConfirmedError: If neither holds.
    """
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
    """Return from which holdings how many copies are taken; copies that `becomes` would not change come last."""
    found, typed_copies = named_holdings(collection, text, games)
    # Both the text and the option give a number, and different ones.
    if None not in (typed_copies, copies) and typed_copies != copies:
        raise UsageError(f"Conflicting numbers of copies: {typed_copies} in {text!r}, {copies} in the option.")
    copies = next((count for count in (copies, typed_copies, unsaid) if count is not None), None)
    if not found:
        raise no_match(collection, text, games)
    if copies is None:
        return [(holding, holding.copies) for holding in found]
    check_copies(copies)
    # Copies in decks are not there to be taken.
    free = [(holding, holding.copies - holding.out) for holding in found if holding.copies > holding.out]
    available, out = sum(count for _, count in free), sum(holding.out for holding in found)
    if available < copies:
        raise CatalogError(f"Only {available} available{f'; copies out in decks: {out}' if out else ''}.")
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
    """Describe a holding in one line.

    >>> describe_holding(Holding(1, "a:1", 3, "foil", "good", "en", Place("Attic"), "a", "Ant", "x", "X", "7", ""))
    '3 Ant (a, x 7, foil, good, en) in Attic'
    """
    printed = f"{holding.set_code} {holding.number}".strip()
    kind = [holding.game, printed, holding.finish, holding.condition, holding.language, holding.note]
    inside = ", ".join(part for part in (*kind, str(holding.known)) if part and part != NORMAL)
    where = f" in {holding.place}" if any(holding.place) else ""
    return f"{holding.copies} {holding.name} ({inside}){where}"


def check_copies(copies: int) -> None:
    """Raise UsageError if this is not a valid number of copies."""
    if not 0 < copies <= MOST_COPIES:
        raise UsageError(f"{copies} copies: a number from 1 to {MOST_COPIES:,} is needed.")
