"""The shape of data before there is a layout: which lists hold cards, and which field distinguishes cards."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ccgrid.catalog.documents import LARGEST_DOCUMENT
from ccgrid.catalog.layouts.described import open_json
from ccgrid.catalog.layouts.printed_fields import SPELLINGS, first_text, fold_heading
from ccgrid.catalog.layouts.printed_fields import value_at as value_at
from ccgrid.catalog.printing import DataRow
from ccgrid.catalog.readers.archives import Tree

_DEEPEST: Final = 4  # keys in a path to a list
_SHARED_FIELDS: Final = 0.5
"""The part of their fields that the rows of two lists share if they hold the same kind of thing."""
_FEWEST: Final = 2  # lists that become one path with `*`
_FEWEST_CARDS: Final = 5  # cards from which a key field is sought
_LONGEST: Final = 40  # characters of a key field, in the mean
_ENDINGS: Final = ("num", "number", "no", "nr", "position")
"""How headings of collector numbers end."""
_MOST_LISTS: Final = 5000  # lists that are compared


class RowList(NamedTuple):
    """A list of objects in a JSON document: its path, in which `*` is any key, and how many rows it has."""

    path: str
    rows: int


def lists_in(tree: Tree, name: str) -> list[RowList]:
    """The lists of objects in a JSON document, the longest first; those that are alike under many keys are one.

    None at all where the file is read without a path: a list itself, JSON Lines, a table, or what its reader refuses.
    """
    with open_json(tree, name) as stream:
        head = stream.read(LARGEST_DOCUMENT + 1)
    # A list as a whole, or JSON Lines, needs no path; nor is a document looked into that would not fit into memory.
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") or len(head) > LARGEST_DOCUMENT:
        return []
    try:
        document = msgspec.json.decode(head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []
    found = dict(_lists(document, ()))
    many = dict[tuple[str, ...], list[tuple[str, ...]]](_merge_paths(found))
    # Lists that one path with `*` stands for are not listed by themselves.
    covered = {path for group in many.values() for path in group}
    counts = [RowList(".".join(path), rows[0]) for path, rows in found.items() if path not in covered]
    counts += [RowList(".".join(path), sum(found[one][0] for one in group)) for path, group in many.items()]
    return sorted(counts, key=lambda one: -one.rows)


_ListShape = tuple[int, frozenset[str]]
"""How many rows a list has, and the fields of them."""


def _lists(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], _ListShape]]:
    """The lists of objects below a value, and objects of objects, which are lists with keys."""
    if not isinstance(value, dict) or len(path) == _DEEPEST:
        return
    for key, inner in value.items():
        if isinstance(inner, list) and inner and all(isinstance(entry, dict) for entry in inner):
            yield (*path, key), (len(inner), _fields(inner))
        yield from _lists(inner, (*path, key))
    # {"1": {…}, "2": {…}}: an object whose entries are all objects is a list with keys.
    if value and path and all(isinstance(inner, dict) for inner in value.values()):
        yield path, (len(value), _fields(value.values()))


def _fields(rows: Iterable[DataRow]) -> frozenset[str]:
    return frozenset(key for row in rows for key in row)


def _merge_paths(
    found: Mapping[tuple[str, ...], _ListShape],
) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Paths with `*` in place of one key, each with the paths that fit it and have similar rows."""
    groups = defaultdict[tuple[str, ...], list[tuple[str, ...]]](list)
    for path in list(found)[:_MOST_LISTS]:
        # Any one key may be the one that differs: sets.abc.cards is tried as *.abc.cards, sets.*.cards, sets.abc.*.
        for place in range(len(path)):
            groups[(*path[:place], "*", *path[place + 1 :])].append(path)
    # The star that the most lists fit comes first.
    for path, group in sorted(groups.items(), key=lambda pair: -len(pair[1])):
        if len(group) >= _FEWEST and path != ("*",):
            largest = max(group, key=lambda one: found[one][0])
            # Compared with the longest list, which has the most of its fields.
            if all(_share_fields(found[one][1], found[largest][1]) for one in group):
                yield path, group


def _share_fields(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _SHARED_FIELDS * min(len(one), len(other))


def files_beside(samples: Mapping[str, Sequence[DataRow]]) -> list[str]:
    """The files without cards: others name their rows, as of a list of sets, or theirs lack the name of most rows."""
    every = [row for rows in samples.values() for row in rows]
    usual = Counter(key for row in every for key in row if fold_heading(key) in SPELLINGS["name"])
    # What most rows call a name: a field called "title" in a few of them is none.
    names = {key for key, count in usual.items() if 2 * count > len(every)}
    return [
        name
        for name, rows in samples.items()
        if _is_named(rows, [s for n, s in samples.items() if n != name]) or (names and names.isdisjoint(_fields(rows)))
    ]


def files_again(samples: Mapping[str, Sequence[DataRow]]) -> list[str]:
    """The files whose rows are those of another file once more, in fewer fields: `cc.ja.json` has those of `cc.json`.

    Those beside it with the same fields are of its kind.
    """
    by_stem = defaultdict[str, list[str]](list)
    for name in samples:
        by_stem[name.rsplit("/", 1)[-1].partition(".")[0]].append(name)
    fields = {name: _fields(rows) for name, rows in samples.items()}
    kinds = {
        # A folder and its fields are a kind of file: `translations/*.json` are all left out, if one of them repeats
        # another.
        (name.rpartition("/")[0], fields[name])
        for names in by_stem.values()
        for name in names
        # `<` of sets: fewer fields, and no others.
        if any(fields[name] < fields[other] and _repeats(samples[name], samples[other]) for other in names)
    }
    return [name for name in samples if (name.rpartition("/")[0], fields[name]) in kinds]


def _repeats(rows: Sequence[DataRow], others: Sequence[DataRow]) -> bool:
    """Whether a field that tells the other rows apart says the same in all of these, which have no other number."""
    for key in rows[0] if rows else ():
        found, every = ({first_text(value_at(row, key)) for row in of_file} for of_file in (rows, others))
        # The field has another value in each row of the other file: it tells its cards apart.
        if len(every) == len(others) and found <= every and "" not in found:
            texts = (first_text(value_at(row, field)) for row in rows for field in row if field != key)
            return not any(text.isdecimal() for text in texts)
    return False


def _is_named(rows: Sequence[DataRow], others: Sequence[Sequence[DataRow]]) -> bool:
    # Fields in which every row says something else: codes of sets, say.
    codes = [values for key in (rows[0] if rows else ()) if len(values := _words(rows, key)) == len(rows)]
    named = defaultdict[str, set[str]](set)
    count = Counter[str]()
    for sample in others if codes else ():
        for key in sample[0] if sample else ():
            if key not in rows[0] and (words := _words(sample, key)):
                named[key] |= words
                count[key] += len(sample)
    # A field of other files holds some of these codes, each several times: cards that name their set.
    return any(count[key] > 2 * len(words) and any(words <= values for values in codes) for key, words in named.items())


def _words(rows: Sequence[DataRow], key: str) -> set[str]:
    """What rows say in a field; nothing where one says nothing, or a number."""
    values = {row.get(key) for row in rows if isinstance(row.get(key), str | int | None)}
    words = {value for value in values if isinstance(value, str) and value and not value.isdecimal()}
    return words if words == values else set()


class KeyField(NamedTuple):
    """A field that tells cards of a set apart: how many ids there are with it, and how many without."""

    field: str
    ids: int
    before: int

    @property
    def is_number(self) -> bool:
        """Whether it is called as collector numbers are."""
        return fold_heading(self.field).endswith(_ENDINGS)


def key_field(rows: Sequence[DataRow], fields: Sequence[str]) -> KeyField | None:
    """The field that tells the most cards apart where the set, with the number or else the name, does not.

    None where these do, or no field tells half of the rest apart. Of equals one that is called like a number comes
    first, then the shortest.
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

    # How many cards the usual columns tell apart.
    before = len(ids(usual))
    # Half of those that are left, at least.
    wanted = before + (len(rows) - before) / 2
    best: tuple[int, bool, float, str] | None = None
    for field in fields if _FEWEST_CARDS <= len(rows) > before else ():
        found = ids([field])
        mean = sum(len(text) for _, text in found) / max(1, len(found))
        if field not in (sets, *usual) and len(found) >= wanted and mean <= _LONGEST:
            # More ids first; then a heading like a number, then short texts; last the name, so that it is always the
            # same.
            candidate = (len(found), fold_heading(field).endswith(_ENDINGS), -mean, field)
            # Within one row of a hundred as many ids are as good: the heading decides then.
            nearly = best is not None and abs(best[0] - candidate[0]) <= len(rows) // 100
            if best is None or (candidate[1:] > best[1:] if nearly else candidate > best):
                best = candidate
    return KeyField(best[3], best[0], before) if best else None
