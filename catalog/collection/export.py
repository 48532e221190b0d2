"""Writes the collection in the formats of other apps, and says what each of them loses.

What is lost is not thought out but looked up: what was written is read back, and compared with what is owned.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ccgrid.catalog.collection.formats import Format, all_formats, find_format, games_of
from ccgrid.catalog.collection.formats.apps import find_app
from ccgrid.catalog.collection.formats.format import CollectionFile, SkippedRow
from ccgrid.catalog.copy_terms import finish_word
from ccgrid.catalog.csv_lines import csv_line
from ccgrid.catalog.details import Details, parse_details, split_for_trade
from ccgrid.catalog.errors import CatalogError, UsageError
from ccgrid.catalog.files import atomic_binary_file, atomic_text_file
from ccgrid.catalog.holding import Holding, Place
from ccgrid.catalog.lines import known_reading
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row, with_reading
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.temporary import temporary_folder

_IDS: Final = {"mtgo-dek": "mtgo", "mtgo": "mtgo", "tcgplayer": "tcgplayer", "cardmarket": "cardmarket"}
"""Whose ids a format needs, so that its app finds the card for certain."""
_IN_WORDS: Final = {
    "acquired": "date acquired",
    "price": "price paid",
    "for_trade": "for trade",
    "grader": "grade",
    "grade": "grade",
    "own": "columns of your own",
}
"""What is lost of details, in words, where their own name does not say it."""
HEADINGS: Final = ("Lost", "Copies", "Name", "Game", "Set code", "Number", "Card id")


class Loss(NamedTuple):
    """A loss of an export: what the file does not keep of a holding; `is_left_out` if the card is missing."""

    what: str
    holding: Holding
    is_left_out: bool = False


class Export(NamedTuple):
    """What is written of a collection in a format, and what is lost on the way."""

    form: Format
    holdings: list[Holding]
    losses: list[Loss]

    def lines(self) -> Iterator[str]:
        """Yield the text of the file in pieces."""
        return _lines_of(self.form, self.holdings)

    def write(self, output: Path) -> None:
        """Write the file whole.

        Raises:
            CatalogError: If the extra that writes the format is not installed, or it cannot hold so much.
        """
        if self.form.pack is None:
            with atomic_text_file(output) as file:
                file.writelines(self.lines())
        else:
            with atomic_binary_file(output) as packed:
                self.form.pack(self.lines(), packed)

    def check_text(self) -> None:
        """Raise CatalogError if the format is no text, which needs a file."""
        if self.form.pack is not None:
            raise UsageError(f"{self.form.title} is written to a file: name it with -o.")

    def lost(self) -> list[str]:
        """Return what the file does not keep, with numbers of copies."""
        return in_words(loss for loss in self.losses if not loss.is_left_out)

    def left_out(self) -> list[str]:
        """Return why cards are not in the file, with numbers of copies."""
        return in_words(loss for loss in self.losses if loss.is_left_out)


def find_writer(name: str) -> Format:
    """Return the format of this name.

    Raises:
        CatalogError: If there is none, or it cannot be written.
    """
    found = find_format(name)
    if found.write is None:
        known = ", ".join(one.name for one in all_formats() if one.write is not None)
        raise UsageError(f"{found.title} can be read but not written. Formats that can be written: {known}.")
    return found


def export(
    form: Format, holdings: Sequence[Holding], games: Sequence[str] = (), lookup: StoreLookup | None = None
) -> Export:
    """Return what is written of these holdings, and what is lost on the way.

    Cards of other games than those of the format are written only if `games` names theirs. With `lookup`, each card is
    looked up in the catalogue as an import of the file would.

    Raises:
        CatalogError: If there are holdings, and none of them can be written.
    """
    out = [loss for one in holdings if (loss := _losses(form, one, games)) is not None]
    # Holdings are compared by their ids: equal ones are different entries.
    ids = {loss.holding.id for loss in out}
    allowed = [one for one in holdings if one.id not in ids]
    if out and not allowed:
        raise CatalogError(f"Nothing written: {form.title} can take none of these cards. {'; '.join(in_words(out))}.")
    return Export(form, allowed, [*out, *losses(form, allowed, lookup)])


def _losses(form: Format, holding: Holding, games: Sequence[str]) -> Loss | None:
    """Return why a format cannot represent a holding, or None if it can."""
    if form.games and holding.game not in (*form.games, *games):
        return Loss(f"cards of games other than {' and '.join(form.games)} (to write them: --game)", holding, True)
    app = find_app(form.name)
    if app is not None and "name" not in app.fields and not holding.source_id(_IDS[form.name]):
        return Loss(f"cards without an id at {form.title}", holding, True)
    return None


def _lines_of(form: Format, holdings: Iterable[Holding]) -> Iterator[str]:
    assert form.write is not None  # noqa: S101  `find_writer` gives no other
    return form.write(holdings)


def in_words(losses: Iterable[Loss]) -> list[str]:
    """Return the losses as text, each with its number of copies."""
    counts: Counter[str] = Counter()
    for loss in losses:
        counts[loss.what] += loss.holding.copies
    return [f"{what}: {copies:,} {'copy' if copies == 1 else 'copies'}" for what, copies in counts.items()]


def losses(form: Format, holdings: Sequence[Holding], lookup: StoreLookup | None = None) -> list[Loss]:
    """Return what a file of this format does not keep of these holdings."""
    if not holdings:
        return []
    with temporary_folder() as folder:
        path = folder / "written"
        with atomic_text_file(path) as file:
            file.writelines(_lines_of(form, holdings))
        # Read back with its format named: nothing is guessed.
        rows = form.read(CollectionFile(path, form.title, lambda message: None, named=True)).rows
        read = list(_side_by_side(holdings, rows))
        resolver = None if lookup is None else Resolver(lookup, app=games_of(form.name, path), prefer_owned=False)
    # Rarity does not distinguish holdings: of otherwise equal copies the last rarity remains.
    # What the last copies of a kind say of rarity: the others lose theirs.
    merged = {_as_read(one, row): row.rarity for one, row in read if isinstance(row, Row) and row.rarity}
    found = []
    for one, row in read:
        found += [Loss(what, one) for what in _lost(form, one, row, resolver)]
        if isinstance(row, Row) and row.rarity == one.rarity != merged.get(_as_read(one, row), ""):
            found.append(Loss("rarity (copies that differ only in rarity become one)", one))
    return found


def _as_read(holding: Holding, row: Row) -> tuple[str, str, str, str, Place, str, str]:
    """Return the values that distinguish copies of a card after reading; equal copies become one holding."""
    return holding.card_id, row.amounts[0][0], row.condition, row.language, row.place, row.note, row.details


def _side_by_side(
    holdings: Iterable[Holding], rows: Iterator[Row | SkippedRow]
) -> Iterator[tuple[Holding, Row | SkippedRow]]:
    """Yield each holding with what was read back of it; some tables have a row for each copy."""
    for one in holdings:
        row = next(rows)
        # A line of a list has all copies; their number is known only together with the existing names.
        copies = one.copies if isinstance(row, SkippedRow) or row.written else row.copies
        yield one, row
        # A format without counts has a row for each copy.
        while copies < one.copies:
            again = next(rows)
            copies += again.copies if isinstance(again, Row) else 1


def _lost(form: Format, holding: Holding, row: Row | SkippedRow, resolver: Resolver | None) -> Iterator[str]:
    """Yield what of a holding is not as it was in what was read back of it."""
    if isinstance(row, SkippedRow):
        yield "the card itself"
        return
    language, is_found = "en", True
    if resolver is not None:
        row, match = resolver.find(row)
        is_found = match.card is not None and match.card.id == holding.card_id and match.how != "fuzzy"
        language = match.card.lang if match.card else language
    # An id tells the card for certain: then nothing else has to.
    known = any(value == (holding.card_id if kind == "card" else holding.source_id(kind)) for kind, value in row.ids)
    name = " ".join(holding.name.split())
    # Without a catalogue lists are read without knowing names; here the name is known.
    if resolver is None and row.written and (read := known_reading(row.written, name.__eq__)):
        row = with_reading(row, read)
    if not known and row.name != name:
        yield "the name as it is"
    if not is_found or (not known and not _has_set(holding, row)):
        yield "which printing it is"
    elif not known and holding.number != row.number:
        yield "collector number"
    if form.name in _IDS and not holding.source_id(_IDS[form.name]):
        yield f"the id at {_IDS[form.name]} (the name is written)"
    if row.written and row.copies != holding.copies:
        yield "how many copies"
    if row.amounts[0][0] != finish_word(holding.finish):
        yield "finish"
    if row.condition != holding.condition:
        yield "condition (the nearest grade is written)" if row.condition else "condition"
    if (row.language or language) != holding.language:
        yield "language"
    if row.place.box != holding.place.box:
        yield "box"
    if row.place[1:] != holding.place[1:]:
        yield "row and slot"
    if row.rarity != holding.rarity:
        yield "rarity"
    # A finish or a condition that tables do not know comes back at the end of the note.
    if holding.note and row.note != holding.note and not row.note.startswith(f"{holding.note}; "):
        yield "note"
    read_details = next(split_for_trade(row.details, holding.copies))[0]
    if read_details != holding.details:
        pairs = zip(Details._fields, parse_details(read_details), holding.known, strict=True)
        lost = {_IN_WORDS.get(name, name) for name, read, owned in pairs if read != owned}
        yield from (word for word in dict.fromkeys(_IN_WORDS.values()) if word in lost)
        yield from sorted(lost - set(_IN_WORDS.values()))


def _has_set(holding: Holding, row: Row) -> bool:
    # Its code or its name: one of them has to be there.
    own = {fold(holding.set_code), fold(holding.set_name)} - {""}
    return not own.isdisjoint((fold(row.set_code), fold(row.set_name))) or not own


def write_losses(path: Path, losses: Iterable[Loss]) -> None:
    """Write the losses atomically as a table, card by card."""
    with atomic_text_file(path) as file:
        file.write(csv_line(HEADINGS))
        for what, one, _ in losses:
            file.write(csv_line((what, one.copies, one.name, one.game, one.set_code, one.number, one.card_id)))
