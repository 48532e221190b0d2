"""Reads and writes tables of cards: those of the apps that are known, and any other whose columns are named."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from ccgrid.catalog.card import UnreadRow
from ccgrid.catalog.collection.formats.app import ID_FIELDS, App
from ccgrid.catalog.collection.formats.apps import app_of
from ccgrid.catalog.collection.formats.format import (
    LONGEST_RAW,
    LONGEST_TEXT,
    MOST_COPIES,
    NO_COPIES,
    SAYS,
    CollectionFile,
    DetailColumn,
    FileRows,
    SkippedRow,
    detail_cell,
    is_beside,
    is_own,
    read_details,
    skip_part,
)
from ccgrid.catalog.documents import csv_line, formula_text
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.holding import (
    FINISHES,
    NO_DETAILS,
    NORMAL,
    NOWHERE,
    REVERSE,
    Holding,
    Place,
    condition_word,
    finish_word,
)
from ccgrid.catalog.lines import category_apart
from ccgrid.catalog.matching.asking import Row
from ccgrid.catalog.readers.streams import Remark, open_data, remark_survey, survey
from ccgrid.catalog.readers.tables import Cells, TextTable, headings_shown
from ccgrid.catalog.words import CONDITIONS, FIELDS, NORMAL_COPIES, heading_key, vocabulary

# A number of copies as tables write it: `3`, `x3`, `3x`, `3 ×`; spreadsheets make `3.0` or `3,00` of it. Not `1.5`.
_COPIES: Final = re.compile(r"[xX×]?\s*(\d{1,7})(?:[.,]0+)?\s*[xX×]?")
# A condition with a finish behind it: `Near Mint Foil`, `Near Mint 1st Edition Holofoil`. A finish alone is no match.
_FINISH_BEHIND: Final = re.compile(
    r"(?P<condition>[^()]*?\S) (?P<finish>(?:1st edition |unlimited )?(?:reverse )?holofoil|(?:etched )?foil)",
    re.IGNORECASE,
)
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ID_FIELDS: Final = frozenset(ID_FIELDS)
_PLACE: Final = frozenset(Place._fields)
_MANY: Final = ("flag", "own")
"""Fields of which a table may have several columns."""
_WHOLE: Final = re.compile(r"\d{1,15}")


def row_of_cells(
    line: int, raw: str, cell: Mapping[str, str], amounts: tuple[tuple[str, int], ...], app: App
) -> Row | SkippedRow:
    """A row out of its texts by field, which no spreadsheet has to be kept from running, and its copies by finish."""
    # Bound once: this runs for every row of a file of up to two million.
    get = cell.get
    name = (get("simple_name") or get("name") or "")[:LONGEST_TEXT]
    ids: tuple[tuple[str, str], ...] = ()
    # Most tables have no column of ids: one look at the keys spares a loop over all of them.
    if not _ID_FIELDS.isdisjoint(cell):
        ids = tuple((kind, text) for kind in ID_FIELDS if kind != "id" and (text := get(kind)))
        ids += _plain_id(get("id") or "")
    number = (get("number") or "").removeprefix("#")[:LONGEST_TEXT]
    if not name and not ids and not number:
        return SkippedRow(line, raw, "it names no card")
    part, categories = get("part") or "", get("categories") or ""
    if apart := category_apart(part) or category_apart(categories):
        return skip_part(line, raw, apart, sum(copies for _, copies in amounts))
    # A column that is called `Set` may hold codes or names: it stands for either, and the match tries both.
    own = get("set") or ""
    language, doubt = get("language"), get("doubt")
    place = NOWHERE
    if not _PLACE.isdisjoint(cell):
        place = Place(*((get(part) or "")[:LONGEST_TEXT] for part in Place._fields))
    return Row(
        line,
        raw,
        amounts,
        name,
        (get("set_code") or own)[:LONGEST_TEXT],
        (get("set_name") or own)[:LONGEST_TEXT],
        number,
        ids,
        _condition(cell, app),
        app.dialect.language_read(language)[:LONGEST_TEXT] if language else "",
        place,
        int(doubt) if doubt and _WHOLE.fullmatch(doubt) else None,
        rarity=(get("rarity") or "")[:LONGEST_TEXT],
        beside=is_beside(part) or is_beside(categories.split(",")[0]),
        note=(get("note") or categories)[:LONGEST_TEXT],
    )


def _plain_id(text: str) -> tuple[tuple[str, str], ...]:
    """An id under a heading that does not say whose it is: Scryfall's, the catalogue's, or Arena's."""
    # Told apart by their shapes: `e3285e6b-3e79-...`, `mtg:m10/146`, `64236`. Any other text is no id.
    if _UUID.fullmatch(text):
        return (("scryfall", text.casefold()),)
    if ":" in text:
        return (("card", text),)
    return (("id", text),) if _WHOLE.fullmatch(text) else ()


def _condition(cell: Mapping[str, str], app: App) -> str:
    """The condition in house words, which may be under the heading of a grade."""
    text = _condition_and_finish((cell.get("condition") or "").strip())[0]
    if text:
        return app.dialect.condition_read(text)[:LONGEST_TEXT]
    # `Grade` holds `Near Mint` in some tables, and `PSA 9` in others, which is a detail and no condition.
    grade = condition_word(cell["grade"]) if "grade" in cell else ""
    return grade if grade in CONDITIONS else ""


@lru_cache(1 << 10)
def _condition_and_finish(text: str) -> tuple[str, str]:
    """A condition, and the finish behind it: TCGplayer's sellers write Near Mint Foil."""
    match = _FINISH_BEHIND.fullmatch(text)
    return (text, "") if match is None else (match["condition"], match["finish"])


def _finish(cell: Mapping[str, str], app: App) -> str:
    """The finish in house words; of several that are named, `foil/altered`, the one that is a finish."""
    text = cell.get("finish") or ""
    # The finish in the condition counts only where the column of finishes says none, or that it is a normal one.
    if (
        (condition := cell.get("condition"))
        and (behind := _condition_and_finish(condition)[1])
        and finish_word(text) == NORMAL
    ):
        text = behind
    if (reverse := cell.get("reverse")) and finish_word(reverse) != NORMAL:
        return REVERSE
    # `finish_read` gives an unknown text back as it was: only then is it worth taking apart.
    found = app.dialect.finish_read(text)
    if found == text and "/" in text:
        known = [app.dialect.finish_read(part.strip()) for part in text.split("/") if part.strip()]
        found = next((one for one in known if one in FINISHES), found)
    return found[:LONGEST_TEXT]


def amounts_of(cell: Mapping[str, str], app: App) -> tuple[tuple[tuple[str, int], ...], str]:
    """The copies by finish in a row, or why there are none."""
    finish = _finish(cell, app)
    if "all_copies" in cell and "copies" not in cell:
        cell = {**cell, "copies": _without_foils(cell["all_copies"], cell.get("foil_copies", ""))}
    # A table has one column of copies, whose finish is in another, or one of normal copies and one of foils:
    #
    #     copies, finish       ((finish, copies),)
    #     copies, foil_copies  (("normal", copies), ("foil", foil_copies)), without those of which there are none
    found = []
    for field, kind in (("copies", finish or NORMAL), ("foil_copies", "foil")):
        text = cell.get(field)
        # No column of copies at all means one; beside a column of foils it means none that is not a foil.
        if text is None and (field == "foil_copies" or "foil_copies" in cell):
            continue
        copies = 1 if text is None else _copies(text)
        if copies is not None:
            found.append((kind, copies))
        # An empty cell is no copies, which is no mistake where the other column has some.
        elif text:
            return (), f"{text[:40]!r} is not a number of copies"
    amounts = tuple([(kind, copies) for kind, copies in found if copies])
    if not amounts:
        return (), NO_COPIES
    if max(amounts, key=itemgetter(1))[1] > MOST_COPIES:
        return (), f"over {MOST_COPIES:,} copies"
    return amounts, ""


@lru_cache(1 << 10)
def _copies(text: str) -> int | None:
    """How many copies a cell says; None where it says no number."""
    match = _COPIES.fullmatch(text)
    return None if match is None else int(match[1])


def _without_foils(together: str, foils: str) -> str:
    """How many copies are no foils, of a number that counts them in."""
    both, foil = _copies(together), _copies(foils)
    return together if both is None or foil is None else str(max(both - foil, 0))


ANY: Final = App("csv", "a table", (), (), writes=False)
"""A table of no app that is known."""
# Headings that surely are of no name: a number that stands beside these alone may still tell the cards.
_NO_NAME: Final = re.compile(
    r"price|date|added|cost|value|note|tag|url|image|trade|market|low|mid|high|total|signed|alter"
)


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Which column of a table holds which field, `details` those that go into the details; `unused` are the others.

    `calls` are the columns in which an app calls printings what nobody else does, each with its app.
    """

    app: App
    places: Mapping[str, int]
    unused: tuple[str, ...] = ()
    details: tuple[DetailColumn, ...] = ()
    calls: tuple[tuple[str, int], ...] = ()

    def fields(self) -> frozenset[str]:
        """What the table can say of the kind of copies."""
        kinds = {"condition", "language", "note"} & set(self.places)
        place = {"place"} if "box" in self.places else set[str]()
        return frozenset(kinds | place | {name for one in self.details for name in SAYS[one.field]} | {"finish"})


# --- reading ----------------------------------------------------------------------------------------------------


def parse_map(text: str) -> dict[str, str]:
    """A column map such as `name=Card,copies=Qty`, or with places for a table without headings: `copies=1,name=2`.

    Raises CatalogError where a field is unknown.
    """
    found = {}
    for part in text.split(","):
        field, _, heading = (piece.strip() for piece in part.partition("="))
        if field not in FIELDS or not heading:
            raise CatalogError(
                f"{part.strip()!r} matches no column: write FIELD=HEADING with a field of {', '.join(FIELDS)}."
            )
        found[field] = heading
    return found


def columns_by_map(header: list[str], wanted: Mapping[str, str], name: str) -> TableColumns:
    """The columns that a person named, by heading or by place; CatalogError where there is no such column."""
    # Of two columns with one heading the last is meant.
    keys = {heading_key(heading): place for place, heading in enumerate(header)}
    places = {}
    for field, heading in wanted.items():
        # A heading comes first: a column that is called `2` is meant before the second one. Places count from 1.
        place = keys.get(heading_key(heading), int(heading) - 1 if heading.isdecimal() else -1)
        if not 0 <= place < len(header):
            known = headings_shown(map(repr, header[:20]))
            raise CatalogError(f"{name} has no column {heading!r}; it has: {known}.")
        places[field] = place
    used = set(places.values())
    # What goes into the details is no field of a row: it is taken out of the places here.
    details = tuple(DetailColumn(places.pop(field), field, wanted[field]) for field in SAYS if field in places)
    unused = tuple(heading for place, heading in enumerate(header) if place not in used)
    return TableColumns(ANY, places, unused, details)


def columns_of(header: list[str], app: App | None, name: str) -> TableColumns:
    """The columns of a table, by the app that it is from, else by the usual headings.

    Raises CatalogError where no column tells what the cards are.
    """
    found = app or app_of(header) or ANY
    own = found.field_of()
    places: dict[str, int] = {}
    unused: list[str] = []
    details: list[DetailColumn] = []
    calls: list[tuple[str, int]] = []
    keys = {heading_key(heading) for heading in header}
    known = vocabulary()
    counted = any(known.headings.get(key) == NORMAL_COPIES for key in keys)
    for place, heading in enumerate(header):
        key = heading_key(heading)
        if known.weaker.get(key) in keys:
            unused.append(heading)
            continue
        # What the app means by a heading comes before what others mean. Where an app lets its users add columns,
        # a heading that it does not have is such a column, whatever it is called.
        field = own[key] if key in own else "" if found.free_columns else known.headings.get(key, "")
        # `Foil` mostly says yes or no. Beside a count of those that are no foils it is a count, too.
        if key == "foil" and key not in own and counted:
            field = "foil_copies"
        if field == NORMAL_COPIES:
            field = "copies"
        if field in SAYS and (field in _MANY or field not in {one.field for one in details}):
            details.append(DetailColumn(place, field, heading))
            if field == "grade":  # it may be a condition
                places[field] = place
        # Of two columns for one field the first counts; the other falls through and is unused, as a field that is
        # known.
        elif field in FIELDS and field not in places and field not in SAYS:
            places[field] = place
        # An app's own word for a printing, `@` and the app: it is kept for files that go back to that app.
        elif field.startswith("@"):
            calls.append((field, place))
        elif field or key in own or not is_own(heading):
            unused += [heading] if heading else []
        elif heading:
            details.append(DetailColumn(place, "own", heading))
    named = ({"name", "simple_name", *ID_FIELDS} - {"id"}) & set(places)
    others = (*unused, *(one.heading for one in details if one.field == "own"))
    maybe_names = [heading for heading in others if not _NO_NAME.search(heading.casefold())]
    if not named and ("number" not in places or maybe_names):  # a number alone is never sure beside a name unread
        shown = headings_shown(map(repr, header[:20]))
        raise CatalogError(
            f"{name}: no column names the cards. It has: {shown}.\n"
            "Name the columns: --map 'name=HEADING,copies=HEADING', or without headings --map 'copies=1,name=2'"
        )
    return TableColumns(found, places, tuple(unused), tuple(details), tuple(calls))


def sniff(file: CollectionFile) -> bool:
    """Whether a file is a table of cards, by its headings, else by the end of its name or its many columns."""
    if file.beginning().startswith(b"<"):
        return False
    header = _header(file)
    if _names_cards(header) or (len(header) == 1 and _fields(header) & {"name", "number", *ID_FIELDS}):
        return True
    # More than three columns are a table even where no heading is known: the error that follows names its columns.
    return bool({suffix.casefold() for suffix in file.path.suffixes} & {".csv", ".tsv"}) or len(header) > 3


def has_card_columns(file: CollectionFile) -> bool:
    """Whether a file is a table of cards by its headings alone, of which there are several."""
    header = _header(file)
    return len(header) > 1 and _names_cards(header)


def _header(file: CollectionFile) -> list[str]:
    with open_data(file.path) as stream:
        found = survey(stream, file.name)
    with open_data(file.path) as stream:
        # `sure=False`: nobody has said yet that this is a table, so an odd one is no error.
        return list(TextTable(stream, found, file.name, lambda message: None, sure=False).header)


def _fields(header: list[str]) -> set[str]:
    return {vocabulary().headings.get(heading_key(heading), "") for heading in header} - {""}


def _names_cards(header: list[str]) -> bool:
    fields = _fields(header)
    return app_of(header) is not None or (bool(fields & {"name", "number", *ID_FIELDS}) and len(fields) > 1)


def read(app: App, file: CollectionFile) -> FileRows:
    """The rows of a table: of this app where a person has said so, else of the one whose headings it has."""
    # An app that was only detected is looked for again in `columns_of`, by the same headings.
    known = app if file.named and file.columns is None else None
    used, written, rows = read_table(file.path, file.name, known, file.columns, file.remark)
    return FileRows(rows, written, used.app.name, used.app.title, used.unused, fields=used.fields())


def read_table(
    path: Path, name: str, app: App | None, wanted: Mapping[str, str] | None, remark: Remark
) -> tuple[TableColumns, str, Iterator[Row | SkippedRow]]:
    """The columns of a table, how it is written, and its rows, read as they are asked for.

    Raises CatalogError where the file is not a table.
    """
    with open_data(path) as stream:
        found = survey(stream, name)
    remark_survey(found, name, remark)
    with open_data(path) as stream:
        table = TextTable(stream, found, name, lambda message: None)
        header, delimiter = list(table.header), table.delimiter
    # Places instead of headings, `copies=1,name=2`, say that the first line is a row.
    headless = wanted is not None and all(heading.isdecimal() for heading in wanted.values())
    columns = columns_by_map(header, wanted, name) if wanted is not None else columns_of(header, app, name)
    # Where every column is used, nothing can be the missing count, and the remark would only disturb.
    if (columns.unused or columns.details) and {"copies", "foil_copies", "all_copies"}.isdisjoint(columns.places):
        remark(f"{name}: no column has the number of copies, so each row is one. To name it: --map copies=HEADING")
    shown = {"\t": "tab", ";": "semicolon", ",": "comma"}.get(delimiter, delimiter)

    def rows() -> Iterator[Row | SkippedRow]:
        with open_data(path) as stream:
            table = TextTable(stream, found, name, remark)
            # What the reader took for the headings is the first row.
            if headless:
                yield _row(Cells(1, table.header), columns, delimiter)
            for cells in table:
                if isinstance(cells, UnreadRow):
                    # `where` ends with the line: `line 12`.
                    yield SkippedRow(int(cells.where.rpartition(" ")[2]), "", cells.why)
                else:
                    yield _row(cells, columns, delimiter)

    return columns, f"sheet {found.sheet!r}" if found.sheet else f"{shown}, {found.encoding}", rows()


def _row(cells: Cells, columns: TableColumns, delimiter: str) -> Row | SkippedRow:
    line, texts = cells
    width = len(texts)
    raw = delimiter.join(texts)
    # As many delimiters as texts, instead of one fewer: one is inside of a text. Then texts that have one are quoted.
    if raw.count(delimiter) >= width:
        raw = delimiter.join([f'"{text}"' if delimiter in text else text for text in texts])
    # Rows may be shorter than the headings: spreadsheets leave empty cells at the end out.
    cell = {field: texts[place] for field, place in columns.places.items() if place < width}
    # An apostrophe may be one of ours, which keeps a spreadsheet from running the cell.
    if "'" in raw:
        cell = {field: formula_text(text) for field, text in cell.items()}
    raw = raw[:LONGEST_RAW]
    amounts, problem = amounts_of(cell, columns.app)
    if problem:
        return SkippedRow(line, raw, problem)
    row = row_of_cells(line, raw, cell, amounts, columns.app)
    if isinstance(row, SkippedRow):
        return row
    if columns.calls:
        words = [(app, texts[place].strip()[:LONGEST_TEXT]) for app, place in columns.calls if place < width]
        # Holdings keep ids apart by blanks, so the words of an app are quoted as in an address.
        row = row._replace(called=" ".join(f"{app}:{quote(word, '')}" for app, word in words if word))
    if not columns.details:
        return row
    details = read_details(list(map(formula_text, texts)) if "'" in raw else texts, columns.details)
    return row if details == NO_DETAILS else row._replace(details=details)


# --- writing ----------------------------------------------------------------------------------------------------


def write_table(app: App, holdings: Iterable[Holding]) -> Iterator[str]:
    """The text of a table, a line at a time."""
    columns = app.columns
    if app.free_columns:
        # The headings of people's own columns are known only when all holdings were seen.
        holdings = list(holdings)
        own = sorted({heading for one in holdings for heading, _ in one.known.own})
        columns += tuple((heading, "own") for heading in own)
    yield csv_line((heading for heading, _ in columns), app.delimiter)
    for holding in holdings:
        yield csv_line((_cell(app, heading, field, holding) for heading, field in columns), app.delimiter)


def _cell(app: App, heading: str, field: str, holding: Holding) -> str:
    # Columns that nothing is known for are empty; `=text` is a column that has this text in every row.
    if not field or field.startswith("="):
        return field[1:]
    if field.startswith("@"):
        return unquote(holding.source_id(field))
    if field in SAYS:
        return detail_cell(field, heading, holding.known, holding.copies, app.dialect)
    # With a column for foils each holding has its copies in one of the two, and 0 in the other.
    if field in ("copies", "foil_copies") and "foil_copies" in app.fields:
        return str(holding.copies if (holding.finish == NORMAL) == (field == "copies") else 0)
    if field in ("copies", "all_copies"):
        return str(holding.copies)
    if field in ("name", "simple_name"):
        return holding.name
    if field in ("set", "set_code"):
        return holding.set_code.upper() if app.dialect.capitals and holding.game == "mtg" else holding.set_code
    if field == "reverse":
        return "1" if holding.finish == REVERSE else ""
    if field == "finish":
        return app.dialect.finish(holding.finish)
    if field == "condition":
        return app.dialect.condition(holding.condition) if holding.condition else ""
    if field == "language":
        return app.dialect.language(holding.language)
    if field in Place._fields:
        return str(getattr(holding.place, field))
    if field == "card":
        return holding.card_id
    if field == "set_name":
        return holding.set_name or holding.set_code
    if field == "number":
        return holding.number
    if field == "rarity":
        return holding.rarity
    if field == "note":
        return holding.note
    if field == "part":  # what is in no sideboard
        return "No" if app.name == "mtgo" else "main"
    return holding.source_id(field)
