"""Which column of a table holds what: by the headings, and where they leave it open by what is below them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final

from ccgrid.catalog.collection.formats.app import ID_FIELDS, App
from ccgrid.catalog.collection.formats.apps import app_of
from ccgrid.catalog.collection.formats.format import SAYS, DetailColumn, is_own, truth_in
from ccgrid.catalog.copy_terms import NORMAL, REVERSE
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.readers.tables import headings_shown
from ccgrid.catalog.typed_details import is_month_first
from ccgrid.catalog.words import FIELDS, NORMAL_COPIES, WANTED, fold, heading_key, vocabulary

# A number of copies as tables write it: `3`, `x3`, `3x`, `3 ×`, `3 pcs`; spreadsheets make `3.0` or `3,00` of it. Not
# `1.5`, and not `1,000`, which may be one or a thousand.
_COPIES: Final = re.compile(
    r"[xX×]?\s*(\d{1,7})(?:[.,]0{1,2})?\s*(?:[xX×]|(?:pcs?|ea|copies|copy|cards?|st|stk|stück|szt|ks|kpl|шт)\.?|[枚张張個장])?",
    re.IGNORECASE,
)
_MOST_OF_A_ROW: Final = 999
"""A column with a larger number counts no copies unless its heading says so: years, ids."""
_MANY: Final = frozenset(("flag", "own"))
"""Fields of which a table may have several columns."""
_NAMING: Final = frozenset(("name", "simple_name", *ID_FIELDS)) - {"id"}
_COUNTS: Final[Mapping[str, str]] = {"foil_copies": "foil"}
"""Fields of columns that count the copies of one finish."""
_FLAGS: Final[Mapping[str, str]] = {"reverse": REVERSE}
"""Fields of columns that say whether copies have a finish."""
_LETTERS: Final = re.compile(r"[^\W_]+")
# Headings that are certainly not of names: next to these alone a number may identify the cards.
_NO_NAME: Final = re.compile(
    r"price|date|added|cost|value|note|tag|url|image|trade|market|low|mid|high|total|signed|alter|color|colour|rarity"
)
ANY: Final = App("csv", "a table", (), (), writes=False)
"""A table of no app that is known."""
_BELOW: Final[Mapping[str, str]] = {"condition": "conditions", "finish": "finishes", "language": "languages"}
"""Fields that a column has if all cells below an unknown heading are words of a table."""
_FILLERS: Final = frozenset(("of", "the", "in", "de", "di", "d", "von", "del", "des", "van", "no"))
_PLAYSETS: Final = frozenset(("playset", "playsets"))
_MAYBE_GAMES: Final = frozenset(("category", "franchise", "productline"))
"""Headings that name games in some tables, and anything else in others."""
_MAYBE_COPIES: Final = frozenset(("nombre",))
"""Headings that name the cards in Spanish, and count copies in French."""
_MAYBE_NUMBERS: Final = frozenset(("setnumber", "setno", "set#", "setnr", "setnum", "setnummer"))
"""Headings of the codes of sets, or of the numbers of cards in a set that another heading names."""
_NUMBER_SIGN: Final = "#"
"""The heading of collector numbers in some tables, and of the numbers of rows in others."""
_SETS: Final = frozenset(("set", "set_code", "set_name"))
_COUNTED: Final = frozenset(("copies", "all_copies", "foil_copies", "held", NORMAL_COPIES))
NO_COLUMN: Final = "-"
"""What stands for a heading in a column map if no column holds the field."""


class UnclearCopiesError(CatalogError):
    """Raised if a column may hold the number of copies and its heading does not say so.

    Attributes:
        headings: Those of the columns that may.
    """

    def __init__(self, message: str, headings: tuple[str, ...]) -> None:
        super().__init__(message)
        self.headings = headings


@lru_cache(1 << 10)
def copies_in(text: str) -> int | None:
    """Return the number of copies in a cell, or None if it is no number."""
    match = _COPIES.fullmatch(text)
    return None if match is None else int(match[1])


@dataclass(slots=True)
class TableColumns:
    """Which column of a table holds which field, `details` those that go into the details; `unused` are the others.

    `counts` are the columns that count copies of one finish, each with it; `flags` say whether copies have a finish.
    `sets` are columns of which each counts the copies of one set, its heading. `calls` are the columns in which an app
    calls printings what nobody else does, each with its app.
    """

    app: App
    header: Sequence[str]
    places: dict[str, int] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)
    details: list[DetailColumn] = field(default_factory=list)
    calls: list[tuple[str, int]] = field(default_factory=list)
    counts: list[tuple[int, str]] = field(default_factory=list)
    flags: list[tuple[int, str]] = field(default_factory=list)
    sets: list[tuple[int, str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What a person should know of how the columns are read."""

    @property
    def has_parts(self) -> bool:
        """Whether the rows have parts of a deck."""
        return "part" in self.places or "categories" in self.places

    def fields(self) -> frozenset[str]:
        """Return the fields of copies that the table can state."""
        kinds = {"condition", "language", "note"} & set(self.places)
        place = {"place"} if "box" in self.places else set[str]()
        return frozenset(kinds | place | {name for one in self.details for name in SAYS[one.field]} | {"finish"})


def parse_map(text: str) -> dict[str, str]:
    """Parse a column map such as `name=Card,copies=Qty`, or with positions if there are no headings: `copies=1,name=2`.

    Raises:
        CatalogError: If a field is unknown.
    """
    found = {}
    for part in text.split(","):
        field, _, heading = (piece.strip() for piece in part.partition("="))
        field = field.casefold().replace(" ", "_")
        if field not in FIELDS or not heading:
            raise CatalogError(
                f"{part.strip()!r} matches no column: write FIELD=HEADING with a field of {', '.join(FIELDS)}."
            )
        found[field] = heading
    return found


def columns_by_map(
    header: list[str], wanted: Mapping[str, str], name: str, sample: Iterable[Sequence[str]] = ()
) -> TableColumns:
    """Return the columns that a person named, by heading or by place; what names no cards adds to the usual columns.

    Raises:
        CatalogError: If there is no such column.
    """
    # If two columns have one heading, the last counts.
    keys = {heading_key(heading): place for place, heading in enumerate(header)}
    places = {}
    for field_name, heading in wanted.items():
        if heading == NO_COLUMN:
            continue
        # A heading comes first: a column that is called `2` is meant before the second one. Places count from 1.
        place = keys.get(heading_key(heading), int(heading) - 1 if heading.isdecimal() else -1)
        if not 0 <= place < len(header):
            known = headings_shown(map(repr, header[:20]))
            raise CatalogError(f"{name} has no column {heading!r}; it has: {known}.")
        places[field_name] = place
    if not (_NAMING | {"number", "id"}) & set(places):
        fields = {place: field_name for field_name, place in places.items()}
        return _Columns(header, None, name, sample, fields, frozenset(wanted)).columns()
    used = set(places.values())
    counts = [(places.pop(one), finish) for one, finish in _COUNTS.items() if one in places]
    flags = [(places.pop(one), finish) for one, finish in _FLAGS.items() if one in places]
    # What goes into the details is no field of a row: it is taken out of the places here.
    details = [DetailColumn(places.pop(one), one, wanted[one]) for one in SAYS if one in places]
    unused = [heading for place, heading in enumerate(header) if place not in used]
    return TableColumns(ANY, header, places, unused, details, counts=counts, flags=flags)


def columns_of(
    header: list[str],
    app: App | None,
    name: str,
    sample: Iterable[Sequence[str]] = (),
    wanted: Mapping[str, str] | None = None,
) -> TableColumns:
    """Return the columns of a table, by the app that it is from, or by the usual headings; `sample` are some rows.

    `wanted` are the columns that a person has named, which come before all.

    Raises:
        CatalogError: If no column identifies the cards.
        UnclearCopiesError: If it is not clear which column counts the copies.
    """
    if wanted is not None:
        return columns_by_map(header, wanted, name, sample)
    return _Columns(header, app, name, sample, {}, frozenset()).columns()


def names_cards(header: Sequence[str]) -> bool:
    """Return whether headings are those of a table of cards."""
    # Few headings are those of an app, and those of an app need no other language.
    if sum(map(bool, header)) > 1 and app_of(list(header)) is not None:
        return True
    fields = known_fields(header)
    return bool(fields & {"name", "number", *ID_FIELDS}) and len(fields) > 1


def known_fields(header: Sequence[str]) -> set[str]:
    """Return the fields that usual headings name."""
    return {vocabulary().find("headings", heading_key(heading)) for heading in header} - {"", WANTED}


def all_are_known(header: Sequence[str]) -> bool:
    """Return whether every heading is known, so that none can be a part of one with a separator in it."""
    app = app_of(list(header))
    own = app.field_of() if app is not None else {}
    return all(
        (key := heading_key(heading)) in own or vocabulary().find("headings", key) or _is_no_count(heading)
        for heading in header
        if heading
    )


@dataclass
class _Columns:
    """The columns of a table while they are found."""

    header: list[str]
    app: App | None
    name: str
    sample: Iterable[Sequence[str]]
    fields: Mapping[int, str]
    """The fields of columns that a person has named."""
    named: frozenset[str]
    """The fields that a person has spoken of."""

    def columns(self) -> TableColumns:
        header = self.header
        self.found = TableColumns(self.app or app_of(header) or ANY, header)
        self.own = self.found.app.field_of()
        self.rows = list(self.sample)
        self.keys = [heading_key(heading) for heading in header]
        fields = [self._field(place) for place in range(len(header))]
        self.own_fields = set(fields)
        counted = self._counts_finishes(fields)
        for place, heading in enumerate(header):
            self._take(place, heading, fields[place], counted=counted)
        self._check_names()
        if not self.named & {"copies", "all_copies"}:
            self._find_copies()
        self._find_total()
        return self.found

    def _field(self, place: int) -> str:
        """Return the field that the heading of a column names: "count:FINISH" and "flag:FINISH" for one finish."""
        key, heading = self.keys[place], self.header[place]
        if place in self.fields:
            return self.fields[place]
        # What the app means by a heading comes before what others mean. Where an app lets its users add columns,
        # a heading that it does not have is such a column, whatever it is called.
        if key in self.own:
            return self.own[key].replace("copies:", "count:").replace("finish:", "flag:")
        if not heading or self.found.app.free_columns:
            return ""
        known = vocabulary()
        if (plainer := known.find("weaker", key)) and plainer in self.keys:
            return "weaker"
        field_name = known.find("headings", key) or known.find("headings", heading_key(_DATES.sub("", heading)))
        if key in _MAYBE_COPIES and "name" in self._other_fields(place):
            # Beside the names a text is not the number of copies either: it may be a translated name.
            return "weaker" if self._values(place) and not self._is_numeric(place) else "copies"
        if key in _MAYBE_NUMBERS and self._numbers_cards(place):
            return "number"
        if key == _NUMBER_SIGN:
            return self._field_of_number_sign(place)
        if field_name == "all_copies" and not self._is_total(place):
            return ""
        if field_name == "game" and key in _MAYBE_GAMES and not self._names_games(place):
            return ""
        # `Edition` names the set, or whether it is a first edition.
        if field_name == "set" and self._names_editions(place):
            return "flag:"
        word = fold(heading).removeprefix("is")
        finish = known.find("finishes", word) if len(word) > 1 else ""
        if finish and field_name in ("", "finish"):
            return f"finish:{finish}"
        return field_name or self._count_of_finish(heading)

    def _count_of_finish(self, heading: str) -> str:
        """Return "count:FINISH" for a heading such as `Owned (Foil)`, "of:FINISH" for `davon Foil`, else ""."""
        known = vocabulary()
        parts = _LETTERS.findall(heading)
        plain = [part for part in parts if part.casefold() not in _FILLERS]
        for said in (parts, plain):
            for size in (1, 2, 3):
                for word, rest in ((said[:size], said[size:]), (said[-size:], said[:-size])):
                    finish = known.find("finishes", fold(" ".join(rest))) if rest else ""
                    if finish and known.has("of_which", fold(" ".join(word))):
                        return f"of:{finish}"
                    field_name = known.find("headings", heading_key(" ".join(word)))
                    if finish and field_name in ("copies", "held", "all_copies"):
                        return f"count:{finish}"
        return ""

    def _names_editions(self, place: int) -> bool:
        """Return whether a column of sets holds finishes: all its words are finishes, or most beside another set."""
        words = [word for text in self._values(place) if truth_in(text) is not False and (word := fold(text))]
        found = [finish for word in words if len(word) > 1 and (finish := vocabulary().find("finishes", word))]
        if not found or len(found) == len(words):
            return bool(found)
        # Unlimited alone is also a set of Magic.
        return bool(self._other_fields(place) & _SETS) and 2 * len(found) > len(words) and set(found) != {"Unlimited"}

    def _other_fields(self, place: int) -> set[str]:
        """Return the fields that the headings of the other columns name."""
        return known_fields([heading for other, heading in enumerate(self.header) if other != place])

    def _numbers_cards(self, place: int) -> bool:
        """Return whether a column such as `Set number` has the numbers of cards: others name the set, and no number."""
        others = self._other_fields(place)
        return bool(others & _SETS) and "number" not in others

    def _field_of_number_sign(self, place: int) -> str:
        """Return "number" for a column `#` of collector numbers, "maybe_number" if it may count the rows, else ""."""
        others, values = self._other_fields(place), self._values(place)
        if not values or not self._numbers_cards(place):
            return ""
        if not all(text.isdecimal() for text in values):  # such as 101/165, TG12
            return "number" if all(any(map(str.isdigit, text)) for text in values) else ""
        numbers = sorted(map(int, values))
        is_distinct = all(after > before for before, after in pairwise(numbers))
        # The numbers of rows are at most about as large as there are rows, unless the table begins in the middle.
        is_index = is_distinct and (numbers[-1] <= 2 * len(numbers) or numbers[-1] - numbers[0] < len(numbers) > 2)
        # Repeated numbers may be copies if no other column has these.
        return "maybe_number" if is_index or others.isdisjoint(_COUNTED) else "number"

    def _is_total(self, place: int) -> bool:
        """Return whether a column of totals counts copies, and not money."""
        return not set("$€£¥") & set(self.header[place]) and (not self._values(place) or self._is_numeric(place))

    def _are_all(self, place: int, table: str) -> bool:
        """Return whether all cells of a column are words of a table such as `conditions`."""
        words = {fold(text) for text in self._values(place)}
        return bool(words) and all(len(word) > 1 and vocabulary().find(table, word) for word in words)

    def _names_games(self, place: int) -> bool:
        return any(vocabulary().find("games", fold(text)) for text in self._values(place))

    def _values(self, place: int) -> list[str]:
        return [text for row in self.rows if place < len(row) and (text := row[place].strip())]

    def _is_numeric(self, place: int) -> bool:
        """Return whether a column has numbers of copies, and nothing else."""
        values = self._values(place)
        return bool(values) and all(copies_in(text) is not None for text in values)

    def _is_checked(self, place: int) -> bool:
        """Return whether a column has numbers of copies, or ticks, and nothing else."""
        values = self._values(place)
        return bool(values) and all(copies_in(text) is not None or truth_in(text) is not None for text in values)

    def _counts_finishes(self, fields: list[str]) -> bool:
        """Return whether the columns that are named for finishes count copies, rather than say yes or no."""
        if NORMAL_COPIES in fields or any(one in _COUNTS or one.startswith("count:") for one in fields):
            return True
        places = [place for place, one in enumerate(fields) if one.startswith("finish:")]
        # In a checklist a tick under each finish is a copy.
        if not {"copies", "all_copies"} & set(fields) and any(
            fields[place] == f"finish:{NORMAL}" and self._is_checked(place) for place in places
        ):
            return True
        numeric = [place for place in places if self._is_numeric(place)]
        return any(fields[place] == f"finish:{NORMAL}" for place in numeric) or any(
            (copies_in(text) or 0) > 1 for place in numeric for text in self._values(place)
        )

    def _take(self, place: int, heading: str, field_name: str, *, counted: bool) -> None:
        kind, _, finish = field_name.partition(":")
        if kind == "finish" and finish:
            if counted and (self._is_checked(place) or not self._values(place)):
                self.found.counts.append((place, finish))
                return
            # `Foil` may say which kind of foil it is.
            if finish == "foil" and "finish" not in self.found.places and self.keys[place] not in self.own:
                self.found.places["finish"] = place
            else:
                self.found.flags.append((place, finish))
            return
        if kind in ("count", "of"):
            self.found.counts.append((place, finish))
        elif field_name.startswith("flag:"):
            self.found.flags.append((place, finish))
        elif field_name in _COUNTS:
            self.found.counts.append((place, _COUNTS[field_name]))
        elif field_name in _FLAGS:
            self.found.flags.append((place, _FLAGS[field_name]))
        elif field_name == "held":
            self._take_held(place, heading)
        elif field_name == WANTED and self._says_yes_or_no(place):
            self.found.places[WANTED] = place
        elif field_name == "maybe_number":
            # The matching decides row by row; a number of a row is the user's own.
            self.found.places[field_name] = place
            self.found.details.append(DetailColumn(place, "own", heading))
        elif field_name in (WANTED, "weaker"):
            self.found.unused.append(heading)
        else:
            self._take_field(place, heading, "copies" if field_name == NORMAL_COPIES else field_name)

    def _take_field(self, place: int, heading: str, field_name: str) -> None:
        if field_name in SAYS and (field_name in _MANY or field_name not in {one.field for one in self.found.details}):
            month_first = is_month_first(self._values(place)) if field_name == "acquired" else None
            self.found.details.append(DetailColumn(place, field_name, heading, month_first))
            if field_name == "grade":  # it may be a condition
                self.found.places[field_name] = place
        # If two columns have one field, the first counts; the other falls through and is unused, as a field that is
        # known. A column that a person has named comes before all.
        elif (
            field_name in FIELDS
            and field_name not in SAYS
            and (place in self.fields or field_name not in {*self.found.places, *self.fields.values()})
        ):
            self.found.places[field_name] = place
        # An app's own word for a printing, `@` and the app: it is kept for files that go back to that app.
        elif field_name.startswith("@"):
            self.found.calls.append((field_name, place))
        elif field_name or self.keys[place] in self.own or not is_own(heading) or _is_sum(heading):
            self.found.unused += [heading] if heading else []
        elif heading and (found := self._kind_below(place)):
            self.found.places[found] = place
        elif heading:
            self.found.details.append(DetailColumn(place, "own", heading))

    def _kind_below(self, place: int) -> str:
        """Return the field that an unknown column has by the words below its heading, or ""."""
        if self.found.app.free_columns:
            return ""
        for field_name, table in _BELOW.items():
            if field_name not in {*self.found.places, *self.own_fields} and self._are_all(place, table):
                return field_name
        return ""

    def _says_yes_or_no(self, place: int) -> bool:
        """Return whether a column has words for yes and no; 1 and 0 may be numbers of copies."""
        values = self._values(place)
        return bool(values) and all(truth_in(text) is not None and not text.isdecimal() for text in values)

    def _take_held(self, place: int, heading: str) -> None:
        """Take a column such as `Owned`: a number of copies or a yes; otherwise it is the user's own."""
        values = self._values(place)
        if place in self.fields or self.keys[place] in self.own:
            self.found.places["held"] = place
        elif self._is_numeric(place) and any(one not in ("0", "1") for one in values):
            self._take_field(place, heading, "copies" if "copies" not in self.found.places else WANTED)
        elif values and all(held(text) is not None for text in values) and "held" not in self.found.places:
            self.found.places["held"] = place
        elif heading:
            self.found.details.append(DetailColumn(place, "own", heading))

    def _check_names(self) -> None:
        if _NAMING & set(self.found.places):
            return
        others = (*self.found.unused, *(one.heading for one in self.found.details if one.field == "own"))
        maybe_names = [
            heading for heading in others if not _NO_NAME.search(heading.casefold()) and not _is_no_count(heading)
        ]
        # A number alone is never certain next to a name that is not read.
        if "number" not in self.found.places or maybe_names:
            shown = headings_shown(map(repr, self.header[:20]))
            raise FileFormatError(
                f"no column names the cards. It has: {shown}.\n"
                "Name the columns: --map 'name=HEADING,copies=HEADING', or without headings --map 'copies=1,name=2'",
                file=self.name,
            )

    def _find_copies(self) -> None:
        """Look for the number of copies among the other columns if no heading names it."""
        if self.found.counts or not {"copies", "all_copies"}.isdisjoint(self.found.places):
            return
        maybe = [one for one in self.found.details if one.field == "own" and self._may_count(one.place)]
        # `I have`, `Qty on hand`: a word of the heading says so.
        if len(sure := [one for one in maybe if self._sounds_like_copies(one.heading)]) == 1:
            self.found.places["copies"] = sure[0].place
            self.found.details.remove(sure[0])
            return
        is_matrix = {"set", "set_code", "set_name", "number"}.isdisjoint(self.found.places)
        if len(maybe) > 1 and is_matrix and "held" not in self.found.places:
            self.found.sets = [(one.place, one.heading) for one in maybe]
            self.found.details = [one for one in self.found.details if one not in maybe]
            shown = headings_shown(repr(one.heading) for one in maybe)
            self.found.remarks.append(
                f"{self.name}: the columns {shown} are read as sets, each with its number of copies."
            )
        elif maybe or self._unclear_held():
            headings = tuple(one.heading for one in maybe) or self._unclear_held()
            shown = headings_shown(map(repr, headings))
            raise UnclearCopiesError(
                f"{self.name}: no heading says which column has the number of copies; it may be {shown}.\n"
                f"Name it: --map 'Copies={headings[0]}'; if each row is one copy: --map Copies={NO_COLUMN}",
                headings,
            )
        # Where every column is used, nothing can be the missing count, and the remark would only disturb.
        elif "held" not in self.found.places and (self.found.unused or self.found.details):
            self.found.remarks.append(
                f"{self.name}: no column has the number of copies, so each row is one. To name it: --map copies=HEADING"
            )

    def _may_count(self, place: int) -> bool:
        """Return whether an unknown column may be the number of copies."""
        if heading_key(self.header[place]) in _PLAYSETS:
            return True
        if _is_no_count(self.header[place]) or not self._is_numeric(place):
            return False
        numbers = [copies_in(text) or 0 for text in self._values(place)]
        is_index = len(numbers) > 2 and all(after == before + 1 for before, after in pairwise(numbers))
        return max(numbers) <= _MOST_OF_A_ROW and not is_index

    def _sounds_like_copies(self, heading: str) -> bool:
        fields = {vocabulary().find("headings", heading_key(part)) for part in _LETTERS.findall(heading)}
        return bool(fields & {"copies", "held", "all_copies"}) and WANTED not in fields

    def _unclear_held(self) -> tuple[str, ...]:
        """Return the headings of columns such as Status whose words say neither that a card is owned nor that not."""
        known = vocabulary()
        return tuple(
            one.heading
            for one in self.found.details
            if one.field == "own"
            and known.find("headings", self.keys[one.place]) == "held"
            and any(held(text) is not None for text in self._values(one.place))
        )

    def _find_total(self) -> None:
        """Find out whether the number of copies includes those of the columns for single finishes."""
        if "copies" not in self.found.places or "all_copies" in self.found.places or not self.found.counts:
            if "all_copies" in self.found.places and not self.found.counts:
                total = self.found.places.pop("all_copies")
                self.found.places.setdefault("copies", total)
            return
        if self.named & {"copies", "foil_copies"} or self.found.app is not ANY:
            return
        fields = {self._field(place).partition(":")[0] for place, _ in self.found.counts}
        if "of" in fields or any(finish == NORMAL for _, finish in self.found.counts):
            self.found.places["all_copies"] = self.found.places.pop("copies")
            return
        if NORMAL_COPIES in map(self._field, range(len(self.header))):
            return
        pairs = [(self._number(row, self.found.places["copies"]), self._parts(row)) for row in self.rows]
        pairs = [(copies, parts) for copies, parts in pairs if parts]
        if not pairs or any(parts > copies for copies, parts in pairs):
            return
        copies, parts = self.header[self.found.places["copies"]], self.header[self.found.counts[0][0]]
        if len(self.found.counts) > 1 and all(parts == copies for copies, parts in pairs):
            self.found.places["all_copies"] = self.found.places.pop("copies")
        elif "finish" in fields:
            raise UnclearCopiesError(
                f"{self.name}: it is not clear whether the copies under {copies!r} include those under {parts!r}.\n"
                f"If they do: --map 'all_copies={copies},foil_copies={parts}'; "
                f"if not: --map 'copies={copies},foil_copies={parts}'",
                (),
            )
        else:
            self.found.remarks.append(
                f"{self.name}: the copies under {parts!r} are added to those under {copies!r}. "
                f"If these include them: --map 'all_copies={copies},foil_copies={parts}'"
            )

    def _number(self, row: Sequence[str], place: int) -> int:
        return copies_in(row[place].strip()) or 0 if place < len(row) else 0

    def _parts(self, row: Sequence[str]) -> int:
        return sum(self._number(row, place) for place, _ in self.found.counts)


_DATES: Final = re.compile(r"\(?\b(?:as of |stand |at )?\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?\b\)?", re.IGNORECASE)


def held(text: str) -> bool | None:
    """Return whether a cell says that a card is owned, or None if it says neither that nor the opposite."""
    folded = fold(text)
    if said := vocabulary().find("held", folded):
        return said == "yes"
    return vocabulary().truth(folded)


def _is_sum(heading: str) -> bool:
    """Return whether a heading is that of sums, which are of money if they count no copies."""
    return vocabulary().has("totals", fold(heading))


def _is_no_count(heading: str) -> bool:
    """Return whether a heading names numbers that count no copies."""
    key = heading_key(heading)
    # Dutch words such as "hoeveelheid" name no ids.
    is_id = key.endswith("id") and not key.endswith("heid")
    return is_id or vocabulary().has("not_counts", key) or not is_own(heading)
