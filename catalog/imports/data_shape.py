"""The structure of data without a layout: the lists of cards, and the field that distinguishes cards."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from ccgrid.catalog.documents import LARGEST_DOCUMENT
from ccgrid.catalog.layouts.described import open_json
from ccgrid.catalog.layouts.printed_fields import SPELLINGS, first_text, fold_heading
from ccgrid.catalog.layouts.printed_fields import value_at as value_at
from ccgrid.catalog.printing import DataRow
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.json_paths import DOCUMENT

_DEEPEST: Final = 4  # keys in a path to a list
_SHARED_FIELDS: Final = 0.5
"""The least share of common fields of two lists with the same kind of rows."""
_FEWEST: Final = 2  # lists that become one path with `*`
_FEWEST_CARDS: Final = 5  # for finding a key field
_LONGEST: Final = 40  # mean characters of a key field
_ENDINGS: Final = ("num", "number", "no", "nr", "position")
"""The endings of headings of collector numbers."""
_MOST_LISTS: Final = 5000  # for comparison


class RowList(NamedTuple):
    """A list of objects in a JSON document: its path, in which `*` is any key, and its number of rows."""

    path: str
    rows: int


def lists_in(tree: Tree, name: str) -> list[RowList]:
    """Return the lists of objects in a JSON document; similar lists under many keys count as one.

    The likeliest list of cards comes first: the longest of those whose rows have a name, else the longest.

    Return an empty list if the file needs no path (a list itself, JSON Lines or a table) or is not valid.
    """
    with open_json(tree, name) as stream:
        head = stream.read(LARGEST_DOCUMENT + 1)
    # A document that is too large for memory is not searched.
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") or len(head) > LARGEST_DOCUMENT:
        return []
    try:
        document = msgspec.json.decode(head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []
    found = dict(_lists(document, ()))
    many = dict[tuple[str, ...], list[tuple[str, ...]]](_merge_paths(found))
    # Omit the lists that a path with `*` includes.
    covered = {path for group in many.values() for path in group}
    shapes = {path: shape for path, shape in found.items() if path not in covered}
    for path, group in many.items():
        shapes[path] = sum(found[one][0] for one in group), frozenset().union(*(found[one][1] for one in group))
    likeliest = sorted(shapes.items(), key=lambda one: (not _has_name(one[1][1]), -one[1][0]))
    return [RowList(".".join(path) or DOCUMENT, rows) for path, (rows, _) in likeliest]


def _has_name(fields: frozenset[str]) -> bool:
    return any(fold_heading(field) in SPELLINGS["name"] for field in fields)


_ListShape = tuple[int, frozenset[str]]
"""The number of rows of a list, and their fields."""


def _lists(value: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], _ListShape]]:
    """Yield the lists of objects below a value, and objects of objects, which are lists with keys."""
    if not isinstance(value, dict) or len(path) == _DEEPEST:
        return
    for key, inner in value.items():
        if isinstance(inner, list) and inner and all(isinstance(entry, dict) for entry in inner):
            yield (*path, key), (len(inner), _fields(inner))
        yield from _lists(inner, (*path, key))
    # {"1": {…}, "2": {…}}: an object whose entries are all objects is a list with keys. The document itself is one only
    # if these are alike: {"data": {…}, "meta": {…}} is none.
    if value and all(isinstance(inner, dict) for inner in value.values()) and (path or _are_alike(value.values())):
        yield path, (len(value), _fields(value.values()))


def _are_alike(rows: Collection[DataRow]) -> bool:
    every = _fields(rows)
    return len(rows) >= _FEWEST and all(row and len(row) >= _SHARED_FIELDS * len(every) for row in rows)


def _fields(rows: Iterable[DataRow]) -> frozenset[str]:
    return frozenset(key for row in rows for key in row)


def _merge_paths(
    found: Mapping[tuple[str, ...], _ListShape],
) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Yield paths with `*` in place of one key, each with the matching paths whose rows are similar."""
    groups = defaultdict[tuple[str, ...], list[tuple[str, ...]]](list)
    for path in list(found)[:_MOST_LISTS]:
        # Any key may be the variable one: for sets.abc.cards try *.abc.cards, sets.*.cards and sets.abc.*.
        for place in range(len(path)):
            groups[(*path[:place], "*", *path[place + 1 :])].append(path)
    # Paths with the most lists come first.
    for path, group in sorted(groups.items(), key=lambda pair: -len(pair[1])):
        if len(group) >= _FEWEST:
            largest = max(group, key=lambda one: found[one][0])
            # Side by side in the document may be cards and sets, which have some fields in common.
            least = max if path == ("*",) else min
            # Compare with the longest list, whose fields are the most complete.
            if all(_share_fields(found[one][1], found[largest][1], least) for one in group):
                yield path, group


def _share_fields(one: frozenset[str], other: frozenset[str], least: Callable[[int, int], int]) -> bool:
    return len(one & other) >= _SHARED_FIELDS * least(len(one), len(other))


def files_without_cards(samples: Mapping[str, Sequence[DataRow]]) -> list[str]:
    """Return the files without cards: cards refer to their rows, as to sets, or they lack the field of names."""
    every = [row for rows in samples.values() for row in rows]
    usual = Counter(key for row in every for key in row if fold_heading(key) in SPELLINGS["name"])
    # The field of names in most rows; a field "title" in a few rows is not one.
    names = {key for key, count in usual.items() if 2 * count > len(every)}
    return [
        name
        for name, rows in samples.items()
        if _is_named(rows, [s for n, s in samples.items() if n != name]) or (names and names.isdisjoint(_fields(rows)))
    ]


def repeated_files(samples: Mapping[str, Sequence[DataRow]]) -> list[str]:
    """Return the files that repeat the rows of another file with fewer fields, such as `cc.ja.json` those of `cc.json`.

    Files in the same folder with the same fields are included.
    """
    by_stem = defaultdict[str, list[str]](list)
    for name in samples:
        by_stem[name.rsplit("/", 1)[-1].partition(".")[0]].append(name)
    fields = {name: _fields(rows) for name, rows in samples.items()}
    kinds = {
        # If one of `translations/*.json` repeats another file, all with these fields do.
        (name.rpartition("/")[0], fields[name])
        for names in by_stem.values()
        for name in names
        # `<` of sets: fewer fields, and no others.
        if any(fields[name] < fields[other] and _repeats(samples[name], samples[other]) for other in names)
    }
    return [name for name in samples if (name.rpartition("/")[0], fields[name]) in kinds]


def _repeats(rows: Sequence[DataRow], others: Sequence[DataRow]) -> bool:
    """Return whether rows refer to the other rows by a field that identifies these, and have no other number."""
    for key in rows[0] if rows else ():
        found, every = ({first_text(value_at(row, key)) for row in of_file} for of_file in (rows, others))
        # The field has a different value in each row of the other file.
        if len(every) == len(others) and found <= every and "" not in found:
            texts = (first_text(value_at(row, field)) for row in rows for field in row if field != key)
            return not any(text.isdecimal() for text in texts)
    return False


def _is_named(rows: Sequence[DataRow], others: Sequence[Sequence[DataRow]]) -> bool:
    # Fields with a different value in every row, such as codes of sets.
    codes = [values for key in (rows[0] if rows else ()) if len(values := _words(rows, key)) == len(rows)]
    named = defaultdict[str, set[str]](set)
    count = Counter[str]()
    for sample in others if codes else ():
        for key in sample[0] if sample else ():
            if key not in rows[0] and (words := _words(sample, key)):
                named[key] |= words
                count[key] += len(sample)
    # If a field of other files has some of these codes, each several times, cards refer to their set.
    return any(count[key] > 2 * len(words) and any(words <= values for values in codes) for key, words in named.items())


def _words(rows: Sequence[DataRow], key: str) -> set[str]:
    """Return the values of a field, or an empty set if one is missing or a number."""
    values = {row.get(key) for row in rows if isinstance(row.get(key), str | int | None)}
    words = {value for value in values if isinstance(value, str) and value and not value.isdecimal()}
    return words if words == values else set()


class KeyField(NamedTuple):
    """A field that distinguishes cards of a set: the number of different ids with it, and without it."""

    field: str
    ids: int
    before: int

    @property
    def is_number(self) -> bool:
        """Whether its heading is one of collector numbers."""
        return fold_heading(self.field).endswith(_ENDINGS)


def key_field(rows: Sequence[DataRow], fields: Sequence[str]) -> KeyField | None:
    """Return the field that distinguishes the most cards, if set and collector number or name do not.

    A field whose heading is one of numbers comes first, then the one with the shortest values. Return None if set and
    number or name are enough, or no field distinguishes half of the other cards.
    """
    sets = next((field for field in fields if fold_heading(field) in SPELLINGS["set_code"]), "")
    usual = [
        field
        for name in ("collector_number", "name")
        for field in fields
        if fold_heading(field.rpartition(".")[2]) in SPELLINGS[name]
    ]
    in_sets = [(first_text(value_at(row, sets)) if sets else "", row) for row in rows]

    def ids(names: Sequence[str]) -> set[tuple[str, str]]:
        texts = ((code, [first_text(value_at(row, name)) for name in names]) for code, row in in_sets)
        return {(code, first_word) for code, found in texts if (first_word := next(filter(None, found), ""))}

    # The number of cards that the usual columns distinguish.
    before = len(ids(usual))
    # At least half of the other cards.
    wanted = before + (len(rows) - before) / 2
    best: tuple[int, bool, float, str] | None = None
    for field in fields if _FEWEST_CARDS <= len(rows) > before else ():
        found = ids([field])
        mean = sum(len(text) for _, text in found) / max(1, len(found))
        if field not in (sets, *usual) and len(found) >= wanted and mean <= _LONGEST:
            # More ids first; then a heading of numbers, then short texts, then the name, for a defined order.
            candidate = (len(found), fold_heading(field).endswith(_ENDINGS), -mean, field)
            # A difference of up to 1 % of the rows does not matter: the heading decides.
            nearly = best is not None and abs(best[0] - candidate[0]) <= len(rows) // 100
            if best is None or (candidate[1:] > best[1:] if nearly else candidate > best):
                best = candidate
    return KeyField(best[3], best[0], before) if best else None
