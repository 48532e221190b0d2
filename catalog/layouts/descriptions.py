"""What cards say besides their numbers, read from the rows of any data by a layout or by usual headings."""

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from ccgrid.catalog.description import (
    LONGEST_TEXT,
    LONGEST_VALUE,
    MOST_FIELDS,
    Description,
    colour_names,
    mana_value,
    split_list,
)
from ccgrid.catalog.layouts.printed_fields import (
    DESCRIBED,
    DESCRIBED_SPELLINGS,
    ENDINGS,
    SEVERAL,
    SUBTYPES,
    Column,
    DataColumns,
    Get,
    all_texts,
    fold_heading,
)
from ccgrid.catalog.markup import without_markup

_LONGEST_FIELD: Final = 60  # characters of the value of another field
_LONGEST_NAME: Final = 40  # characters of its name
_NAME: Final = re.compile(r"[^\W\d_]\w*")
# Addresses, pictures, ids, prices, and what is not on the card.
_NO_FIELD: Final = re.compile(
    r"image|img|picture|thumb|url|uri|link|uuid|guid|price|flavou?r|legalit|ruling|script|printing"
    r"|stripped|legal|tablerow|^(?:id|key|code|file|size|hash|index|position|quantity|updated|created|deckl)|(?:ids?|file|help|version)$"
)
_NO_VALUE: Final = re.compile(r"://|^(?:null|none|n/a|-+)$", re.IGNORECASE)


class DescribedRow(NamedTuple):
    """The description of a card with the rarity and the artist of its printing."""

    rarity: str
    artist: str
    description: Description


class DescriptionPlan:
    """How rows with the same keys are described: by the columns of a layout, else by the usual headings.

    Args:
        keys: The keys of the rows.
        columns: The columns of the layout.
        used: The keys of names, sets and ids, which are no other fields.
    """

    def __init__(self, keys: Sequence[str], columns: DataColumns, used: Iterable[str]) -> None:
        folded = dict[str, str]()
        for key in keys:
            folded.setdefault(fold_heading(key), key)
        made = {name: (column, *column.others) for name, column in columns.columns if name in DESCRIBED}
        taken = {fold_heading(path) for found in made.values() for column in found for path in column.paths()}
        taken |= {fold_heading(key) for key in used}
        self._columns = made | {
            name: tuple(Column(folded[word]) for word in usual_headings(name, folded) if word not in taken)
            for name in DESCRIBED
            if name not in made
        }
        taken |= {fold_heading(column.source) for found in self._columns.values() for column in found}
        if columns.fields is None:
            wanted = [key for word, key in folded.items() if word not in taken and may_be_field(key)]
        else:
            wanted = [folded.get(fold_heading(path), path) for path in columns.fields]
        self._fields = list(_named(wanted))[:MOST_FIELDS]

    def described(self, get: Get) -> DescribedRow:
        """Return the description of a row."""
        cost = self._text("cost", get)
        fields = ((name, ", ".join(all_texts(get(path)))) for name, path in self._fields)
        return DescribedRow(
            self._text("rarity", get),
            self._text("artist", get),
            Description(
                " — ".join(self._texts("type", get))[:LONGEST_VALUE],
                cost,
                mana_value(self._text("mana_value", get) or cost),
                self._colours("colours", get),
                self._colours("identity", get),
                split_list(self._texts("keywords", get)),
                tuple(pair for pair in fields if 0 < len(pair[1]) <= _LONGEST_FIELD and not _NO_VALUE.search(pair[1])),
                "\n".join(map(without_markup, self._texts("text", get)))[:LONGEST_TEXT],
            ),
        )

    def _texts(self, name: str, get: Get) -> tuple[str, ...]:
        found = (
            texts
            for column in self._columns[name]
            if (texts := tuple(text for text in column.texts(get) if not _NO_VALUE.search(text)))
        )
        return tuple(text for texts in found for text in texts) if name in SEVERAL else next(found, ())

    def _text(self, name: str, get: Get) -> str:
        return ", ".join(self._texts(name, get))[:LONGEST_VALUE]

    def _colours(self, name: str, get: Get) -> tuple[str, ...] | None:
        return colour_names(self._texts(name, get)) if self._columns[name] else None


def field_name(path: str) -> str:
    """Return the name by which queries call a field.

    >>> field_name("Sub-Type"), field_name("front.faction_code")
    ('subtype', 'faction')
    """
    return fold_heading(re.sub(r"[_ -]code$", "", path.rpartition(".")[2]))[:_LONGEST_NAME]


def _named(paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield name and path of each field. If two would have one name, the later one is called by its whole path.

    >>> list(_named(["house_code", "house", "front.power", "back.power"]))
    [('backpower', 'back.power'), ('power', 'front.power'), ('house', 'house'), ('housecode', 'house_code')]
    """
    names = dict[str, str]()
    # A field that ends in a name precedes one with the code of it.
    for path in sorted(paths, key=lambda path: field_name(path) != fold_heading(path.rpartition(".")[2])):
        name = field_name(path)
        names.setdefault(fold_heading(path)[:_LONGEST_NAME] if name in names else name, path)
    names.pop("", None)
    return ((name, path) for name, path in sorted(names.items(), key=itemgetter(1)))


def suggest_columns(paths: Sequence[str]) -> Iterator[tuple[str, str | list[str]]]:
    """Yield the columns that the headings at the ends of some paths suggest, each with its path or paths.

    >>> list(suggest_columns(["front.gametext", "Cost", "kind", "subType"]))
    [('type', ['kind', 'subType']), ('cost', 'Cost'), ('text', 'front.gametext')]
    """
    ends = dict[str, str]()
    for path in paths:
        ends.setdefault(fold_heading(path.rpartition(".")[2]), path)
    for name in DESCRIBED:
        found = [ends[heading] for heading in usual_headings(name, ends)]
        if found:
            yield name, found[0] if len(found) == 1 else found


def may_be_field(path: str) -> bool:
    """Return whether a path can be a game's own field: it is no address, picture, id or price."""
    name = fold_heading(path.rpartition(".")[2])
    return _NAME.fullmatch(name) is not None and not _NO_FIELD.search(name)


def usual_headings(name: str, headings: Iterable[str]) -> list[str]:
    """Return those of some normalised headings that usually have what `name` stands for: one, or all texts.

    >>> usual_headings("type", ["cost", "cardtype", "text2"]), usual_headings("text", ["text", "text2", "flavortext"])
    (['cardtype'], ['text', 'text2'])
    """
    known = DESCRIBED_SPELLINGS[name]
    # `cardtype` for `type`, if there is no `type`.
    spelled = {heading.removeprefix("card"): heading for heading in headings} | {word: word for word in headings}
    first = [spelled[word] for word in known if word in spelled][:1]
    if name == "type":
        return first + [spelled[word] for word in spelled if first and word in SUBTYPES and spelled[word] not in first]
    ends = [
        heading
        for heading in headings
        if name in ENDINGS and re.search(f"{ENDINGS[name]}$", heading) and not _NO_FIELD.search(heading)
    ]
    if name not in SEVERAL:
        return first or ends
    own = [heading for word, heading in spelled.items() if word.rstrip("0123456789") in known]
    return list(dict.fromkeys((*own, *ends)))
