"""Reads and writes tables of cards: those of the apps that are known, and any other whose columns are named."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import BinaryIO, Final
from urllib.parse import quote, unquote

from ccgrid.catalog.card import PLAYSET
from ccgrid.catalog.collection.formats.app import ID_FIELDS, App
from ccgrid.catalog.collection.formats.facts import Facts, Kind, merged
from ccgrid.catalog.collection.formats.format import (
    A_TOTAL,
    LONGEST_RAW,
    NO_COPIES,
    NOT_OWNED,
    SAYS,
    CollectionFile,
    FileRows,
    Rows,
    SkippedRow,
    detail_cell,
    is_beside,
    read_details,
    skip_part,
    truth_in,
)
from ccgrid.catalog.collection.formats.table_columns import (
    NO_COLUMN,
    TableColumns,
    all_are_known,
    columns_of,
    copies_in,
    held,
    known_fields,
    names_cards,
)
from ccgrid.catalog.copy_terms import NORMAL, REVERSE
from ccgrid.catalog.csv_lines import csv_line, formula_text
from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.holding import LONGEST_TEXT, MOST_COPIES, NOWHERE, Holding, Place
from ccgrid.catalog.lines import category_apart, heading_of, is_considered
from ccgrid.catalog.list_text import is_heading
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.printing import UnreadRow
from ccgrid.catalog.readers.streams import Warn, open_data
from ccgrid.catalog.readers.tables import Cells, TextTable
from ccgrid.catalog.readers.text_lines import survey
from ccgrid.catalog.words import WANTED, fold, heading_key, vocabulary

_SAMPLE: Final = 500
"""The number of objects that show what the keys of objects in JSON mean."""
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ID_FIELDS: Final = frozenset(ID_FIELDS)
_PLACE: Final = frozenset(Place._fields)
_WHOLE: Final = re.compile(r"\d{1,15}")
_CARD_CODE: Final = re.compile(r"[A-Z0-9]{2,6}-[A-Z]{0,3}\d{2,4}[a-z]?")
_MOST_UNKNOWN: Final = 10  # texts that are reported one by one
KINDS_IN_ORDER: Final[tuple[Kind, ...]] = ("finish", "condition", "language")
"""The columns of facts; where two say different things, the first counts."""


class _Unknown:
    """Words in cells that are not understood; they are stored as a note, and each is reported once."""

    def __init__(self, name: str, remark: Warn) -> None:
        self.name, self._remark = name, remark
        self._seen: set[tuple[str, str]] = set()

    def note(self, line: int, heading: str, text: str) -> str:
        """Return the note of a text, and report it if it is new."""
        text = text[:LONGEST_TEXT]
        if (heading, text) not in self._seen and len(self._seen) <= _MOST_UNKNOWN:
            self._seen.add((heading, text))
            if len(self._seen) > _MOST_UNKNOWN:
                self._remark(f"{self.name}: other unknown texts are kept as notes, too.")
            else:
                self._remark(f"{self.name}, line {line}: {text!r} under {heading!r} is unknown; kept as a note.")
        return f"{heading}: {text}"


def _plain_id(text: str) -> tuple[tuple[str, str], ...]:
    """Interpret an id under a heading without an owner: Scryfall's, the catalogue's, or Arena's."""
    # Told apart by their shapes: `e3285e6b-3e79-...`, `mtg:m10/146`, `64236`. Any other text is no id.
    if _UUID.fullmatch(text):
        return (("scryfall", text.casefold()),)
    if ":" in text:
        return (("card", text),)
    return (("id", text),) if _WHOLE.fullmatch(text) else ()


# --- reading ----------------------------------------------------------------------------------------------------


def sniff(file: CollectionFile) -> bool:
    """Return whether a file is a table of cards, by its headings, its ending or its number of columns."""
    if file.beginning().startswith(b"<"):
        return False
    header = _header(file)
    if names_cards(header) or (len(header) == 1 and known_fields(header) & {"name", "number", *ID_FIELDS}):
        return True
    # More than three columns are a table even where no heading is known: the error that follows names its columns.
    return bool({suffix.casefold() for suffix in file.path.suffixes} & {".csv", ".tsv"}) or (
        len(header) > 3 and not is_heading(", ".join(header))
    )


def has_card_columns(file: CollectionFile) -> bool:
    """Return whether several headings of a file are those of a table of cards."""
    header = _header(file)
    return len(header) > 1 and names_cards(header)


def _header(file: CollectionFile) -> list[str]:
    with open_data(file.path) as stream:
        found = survey(stream, file.name)
    with open_data(file.path) as stream:
        # `sure=False`: this may not be a table, so an odd one is no error.
        return list(TextTable(stream, found, file.name, lambda message: None, sure=False, is_header=names_cards).header)


def read(app: App, file: CollectionFile) -> FileRows:
    """Read the rows of a table: of this app if the user names it, else of the app with its headings.

    Raises:
        CatalogError: If the file is not a table.
    """
    found, wanted = file.survey(), file.columns
    # Places instead of headings, `copies=1,name=2`, say that the first line is a row.
    headless = wanted is not None and all(heading.isdecimal() for heading in wanted.values())
    is_header = None if headless else partial(_is_header, wanted)

    def table_in(stream: BinaryIO, remark: Warn) -> TextTable:
        return TextTable(stream, found, file.name, remark, is_header=is_header, is_known=all_are_known)

    with open_data(file.path) as stream:
        table = table_in(stream, lambda message: None)
        header, delimiter = list(table.header), table.delimiter
        sample = [cells.texts for cells in table.sample]
    # An app that was only detected is looked for again in `columns_of`, by the same headings.
    columns = columns_of(header, app if file.named else None, file.name, sample, wanted)
    shown = {"\t": "tab", ";": "semicolon", ",": "comma"}.get(delimiter, delimiter)

    def rows() -> Iterator[Row | SkippedRow]:
        unknown, section = _Unknown(file.name, file.remark), ""
        with open_data(file.path) as stream:
            table = table_in(stream, file.remark)
            # The reader's headings are the first row.
            if headless:
                yield from _rows(Cells(1, table.header), columns, delimiter, unknown)
            for cells in table:
                if isinstance(cells, UnreadRow):
                    # `where` ends with the line: `line 12`.
                    yield SkippedRow(int(cells.where.rpartition(" ")[2]), "", cells.why)
                else:
                    section = _heading_in(cells.texts) or section
                    for row in _rows(cells, columns, delimiter, unknown):
                        yield _considered(row, section) if is_considered(section) else row

    written = f"sheet {found.sheet!r}" if found.sheet else f"{shown}, {found.encoding}"
    return _file_rows(rows(), written, columns, file)


def read_objects(file: CollectionFile, objects: Callable[[], Iterable[tuple[int, str, object]]]) -> FileRows:
    """Read the objects of another program in JSON like the rows of a table: their keys are the headings.

    `objects` returns them with their lines and texts, each time from the first one on.

    Raises:
        CatalogError: If no key identifies the cards.
    """
    header = list(dict.fromkeys(key for _, _, found in objects() if isinstance(found, dict) for key in found))

    def cells() -> Iterator[Cells | SkippedRow]:
        for line, raw, found in objects():
            if isinstance(found, dict):
                yield Cells(line, [_json_text(found.get(key)) for key in header])
            else:
                yield SkippedRow(line, raw, "not a JSON object")

    sample = [one.texts for one in islice(cells(), _SAMPLE) if isinstance(one, Cells)]
    columns = columns_of(header, None, file.name, sample, file.columns)

    def rows() -> Iterator[Row | SkippedRow]:
        unknown = _Unknown(file.name, file.remark)
        for one in cells():
            yield from [one] if isinstance(one, SkippedRow) else _rows(one, columns, ",", unknown)

    return _file_rows(rows(), "JSON, utf-8", columns, file)


def _file_rows(rows: Rows, written: str, columns: TableColumns, file: CollectionFile) -> FileRows:
    """Return the rows of a file with these columns, and remark on how they are read."""
    for remark in columns.remarks:
        file.remark(remark)
    app = columns.app
    return FileRows(rows, written, app.name, app.title, tuple(columns.unused), fields=columns.fields())


def _json_text(value: object) -> str:
    """Return a value in JSON as the text of a cell."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    if value is None or isinstance(value, dict):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_header(wanted: Mapping[str, str] | None, texts: Sequence[str]) -> bool:
    """Return whether a line has the headings of a table, or those that a person has named."""
    if wanted is None:
        return names_cards(texts)
    keys = {heading_key(text) for text in texts}
    return all(heading_key(heading) in keys for heading in wanted.values() if heading != NO_COLUMN)


def _rows(cells: Cells, columns: TableColumns, delimiter: str, unknown: _Unknown) -> Iterator[Row | SkippedRow]:
    """Yield the rows that a line of a table is: one, or one for each set that has a column of its own."""
    line, texts = cells
    width = len(texts)
    raw = delimiter.join(texts)
    # As many delimiters as texts, instead of one fewer: one is inside of a text. Then texts that have one are quoted.
    if raw.count(delimiter) >= width:
        raw = delimiter.join([f'"{text}"' if delimiter in text else text for text in texts])
    # An apostrophe may be one of ours, which keeps a spreadsheet from running the cell; ="146" is a text, too.
    if "'" in raw or '="' in raw:
        texts = list(map(formula_text, texts))
    # Rows may be shorter than the headings: spreadsheets leave empty cells at the end out.
    cell = {field: texts[place] for field, place in columns.places.items() if place < width}
    raw = raw[:LONGEST_RAW]
    if _is_total(cell, texts):
        yield SkippedRow(line, raw, A_TOTAL)
        return
    if "held" in columns.places and (why := _not_held(cell.get("held", ""))):
        yield SkippedRow(line, raw, why)
        return
    if truth_in(cell.get(WANTED, "")):
        yield SkippedRow(line, raw, NOT_OWNED)
        return
    notes: list[str] = []
    facts = _facts(line, cell, texts, columns, unknown, notes)
    if (playset := cell.get("playset", "")) and truth_in(playset) is None:
        notes.append(unknown.note(line, columns.header[columns.places["playset"]], playset))
    finish = facts.finish or NORMAL
    amounts: tuple[tuple[str, int], ...] = ()
    if not columns.sets:
        amounts, problem = _amounts(cell, texts, columns, finish)
        if problem:
            yield SkippedRow(line, raw, problem)
            return
    apart = columns.has_parts and (category_apart(cell.get("part", "")) or category_apart(cell.get("categories", "")))
    # A box, or a list of the app, may also be named Wishlist; a box of our own holds cards.
    if not apart and not columns.app.free_columns:
        own = (texts[one.place] for one in columns.details if one.field == "own" and one.place < width)
        apart = next((text for text in (cell.get("box", ""), *own) if text and is_considered(text)), "")
    if apart:
        yield skip_part(line, raw, apart, sum(copies for _, copies in amounts))
        return
    details = NO_DETAILS
    if columns.details or facts.marks:
        details, rest = read_details(texts, columns.details, facts.marks)
        notes += [unknown.note(line, heading, text) for heading, text in rest]
    called = ""
    if columns.calls:
        words = [(app, texts[place].strip()[:LONGEST_TEXT]) for app, place in columns.calls if place < width]
        # Holdings keep ids apart by blanks, so the words of an app are quoted as in an address.
        called = " ".join(f"{app}:{quote(word, '')}" for app, word in words if word)
        # MTGGoldfish calls some printings by their numbers.
        numbers = [word for app, word in words if app == "@mtggoldfish" and word.isdecimal()]
        if numbers and not cell.get("number"):
            cell["number"] = numbers[0]
    row = _row_of_cells(line, raw, cell, amounts, facts, notes, details, called)
    if isinstance(row, SkippedRow) or not columns.sets:
        yield row
        return
    counted = [(heading, copies_in(texts[place])) for place, heading in columns.sets if place < width]
    owned = [(heading, copies) for heading, copies in counted if copies]
    for heading, copies in owned:
        yield row._replace(set_code=heading, set_name=heading, amounts=((finish, copies),))
    if not owned:
        yield SkippedRow(line, raw, NO_COPIES)


def _heading_in(texts: Sequence[str]) -> str:
    """Return the words of a heading that is alone in its row, such as `Wishlist`, or ""."""
    alone = "".join(texts).strip() if len(texts) - texts.count("") == 1 else ""
    # Among several columns, no card is a name and nothing else.
    return heading_of(alone) or (alone if len(texts) > 1 else "")


def _considered(row: Row | SkippedRow, section: str) -> SkippedRow:
    """Return a row below a heading of cards that are not owned as a skipped one."""
    if isinstance(row, SkippedRow):
        return row
    return skip_part(row.line, row.raw, section.capitalize(), sum(copies for _, copies in row.amounts))


def _is_total(cell: Mapping[str, str], texts: Sequence[str]) -> bool:
    """Return whether a row is a total below the data: it says so, and names no set and no number."""
    if any(cell.get(field) for field in ("number", "set", "set_code", "set_name")):
        return False
    first = next(filter(None, texts), "")
    return vocabulary().has("totals", fold(first.rstrip(":"))) or vocabulary().has("totals", fold(cell.get("name", "")))


def _not_held(text: str) -> str:
    """Return why a row is left out whose card is not owned, or ""."""
    is_held = held(text)
    if is_held is None:
        return f"{text[:40]!r} does not say whether it is owned"
    return "" if is_held else NOT_OWNED


def _facts(
    line: int, cell: Mapping[str, str], texts: Sequence[str], columns: TableColumns, unknown: _Unknown, notes: list[str]
) -> Facts:
    """Return what the cells of a row state about the kind of copies, and collect words that are not understood."""
    read = columns.app.dialect.read
    found: list[Facts] = []
    for place, finish in columns.flags:
        text = texts[place] if place < len(texts) else ""
        if not text:
            continue
        truth = truth_in(text)
        facts = Facts(finish=finish if truth else "") if truth is not None else read("finish", text)
        found.append(facts)
        if facts.rest:
            notes.append(unknown.note(line, columns.header[place], facts.rest))
    for kind in KINDS_IN_ORDER:
        if text := cell.get(kind, ""):
            facts = read(kind, text)
            found.append(facts)
            if facts.rest:
                notes.append(unknown.note(line, columns.header[columns.places[kind]], facts.rest))
    # `Grade` holds `Near Mint` in some tables, and `PSA 9` in others, which is a detail and no condition.
    if (grade := cell.get("grade")) and (condition := columns.app.dialect.known("condition", grade)):
        found.append(Facts(condition=condition))
    return merged(tuple(found))


def _row_of_cells(
    line: int,
    raw: str,
    cell: Mapping[str, str],
    amounts: tuple[tuple[str, int], ...],
    facts: Facts,
    notes: Sequence[str],
    details: str,
    called: str,
) -> Row | SkippedRow:
    """Build a row from its texts by field, without the protection against formulas, and its other facts."""
    # Bound once: this runs for every row of a file of up to two million.
    get = cell.get
    name = (get("simple_name") or get("name") or "")[:LONGEST_TEXT]
    ids: tuple[tuple[str, str], ...] = ()
    # Most tables have no column of ids: one look at the keys spares a loop over all of them.
    if not _ID_FIELDS.isdisjoint(cell):
        ids = tuple((kind, text) for kind in ID_FIELDS if kind != "id" and (text := get(kind)))
        ids += _plain_id(get("id") or "")
    # Programs that take numbers for decimal ones write 146.0.
    number = (get("number") or "").removeprefix("#").removesuffix(".0")[:LONGEST_TEXT]
    set_code = (get("set_code") or "")[:LONGEST_TEXT]
    # Yu-Gi-Oh! calls a number such as MAGO-EN022 a set code.
    if not number and _CARD_CODE.fullmatch(set_code):
        number, set_code = set_code, ""
    if not name and not ids and not number:
        return SkippedRow(line, raw, "it names no card")
    # A column that is called `Set` may hold codes or names: it stands for either, and the match tries both.
    own = get("set") or ""
    doubt, part, categories = get("doubt"), get("part"), get("categories") or ""
    note = get("note") or categories
    if notes:
        note = "; ".join(filter(None, (note, *notes)))
    place = NOWHERE
    if not _PLACE.isdisjoint(cell):
        place = Place(*((get(part) or "")[:LONGEST_TEXT] for part in Place._fields))
    return Row(
        line,
        raw,
        amounts,
        name,
        set_code or own[:LONGEST_TEXT],
        (get("set_name") or own)[:LONGEST_TEXT],
        number,
        ids,
        facts.condition,
        facts.language,
        place,
        int(doubt) if doubt and _WHOLE.fullmatch(doubt) else None,
        rarity=(get("rarity") or "")[:LONGEST_TEXT],
        beside=bool(part or categories) and (is_beside(part or "") or is_beside(categories.split(",")[0])),
        note=note[:LONGEST_TEXT],
        details=details,
        called=called,
        game=(get("game") or "")[:LONGEST_TEXT],
        maybe_number=(get("maybe_number") or "")[:LONGEST_TEXT],
    )


def _amounts(
    cell: Mapping[str, str], texts: Sequence[str], columns: TableColumns, finish: str
) -> tuple[tuple[tuple[str, int], ...], str]:
    """Return the copies by finish in a row, or why there are none."""
    # A table has one column of copies, whose finish is in another, or one for each finish, or also their total:
    #
    #     copies, finish            ((finish, copies),)
    #     copies, foil_copies       (("normal", copies), ("foil", foil_copies)), without those of which there are none
    #     all_copies, foil_copies   (("normal", all_copies - foil_copies), ("foil", foil_copies))
    counts = [(finish, cell["copies"])] if "copies" in cell else []
    counts += [(finish if one == NORMAL else one, texts[at]) for at, one in columns.counts if at < len(texts)]
    found: dict[str, int] = {}
    for kind, text in counts:
        copies = copies_in(text)
        # A tick in a checklist is a word: a number such as -1 would lose its sign.
        if copies is None and not any(map(str.isdigit, text)) and (truth := truth_in(text)) is not None:
            copies = int(truth)
        # An empty cell is no copies, which is no mistake where another column has some.
        if copies is None and text:
            return (), f"{text[:40]!r} is not a number of copies"
        found[kind] = found.get(kind, 0) + (copies or 0)
    if total := cell.get("all_copies", ""):
        whole, listed = copies_in(total), sum(found.values())
        if whole is None:
            return (), f"{total[:40]!r} is not a number of copies"
        has_all = "copies" in cell or any(one == NORMAL for _, one in columns.counts)
        if listed > whole or (has_all and listed != whole):
            return (), f"its copies by finish are {listed:,}, and all together {whole:,}"
        found = {finish: 0, **found}
        found[finish] += whole - listed
    elif not counts and "all_copies" not in columns.places:
        # No column of copies at all means one.
        found[finish] = 1
    amounts = tuple([(kind, copies) for kind, copies in found.items() if copies])
    if not amounts:
        return (), NO_COPIES
    if truth_in(cell.get("playset", "")):
        amounts = tuple([(kind, PLAYSET * copies) for kind, copies in amounts])
    if max(amounts, key=itemgetter(1))[1] > MOST_COPIES:
        return (), f"over {MOST_COPIES:,} copies"
    return amounts, ""


# --- writing ----------------------------------------------------------------------------------------------------


def write_table(app: App, holdings: Iterable[Holding]) -> Iterator[str]:
    """Yield the text of a table line by line."""
    columns = app.columns
    if app.free_columns:
        # The headings of users' own columns are known only after all holdings.
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
    if field == "playset":  # copies are always written one by one
        return app.dialect.no
    if field.startswith("finish:"):
        return (app.dialect.yes or field) if field.removeprefix("finish:") in holding.finish else app.dialect.no
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
