"""The words of people and apps for finishes, conditions and languages, for yes and no, and for headings of tables.

They are in `data/formats/words`, one file per language, and in the folder `words` of users' own formats.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ccgrid.catalog.checked_file import SUFFIX, CheckedFile, own_folders, read_file
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.lazy_patterns import lazy_pattern

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FIELDS: Final = (
    *("copies", "foil_copies", "name", "simple_name", "set", "set_code", "set_name", "number"),
    *("all_copies", "finish", "reverse", "condition", "grade", "language", "rarity", "part", "categories", "note"),
    *("acquired", "price", "currency", "tags", "signed", "altered", "proxy", "trade", "flag", "own", "held", "game"),
    *("playset", "box", "row", "slot", "card", "doubt"),
    *("scryfall", "mtgo", "tcgplayer", "cardmarket", "multiverse", "arena", "konami", "id"),
)
"""What a column may contain; `set` is a code or a name, `card` a catalogue id, `doubt` a row that is resolved.

`price` is the cost of one copy, `trade` the number of copies for trade; `own` and a `flag` with yes are stored under
their heading. `all_copies` counts all finishes together, `id` is an id whose owner the heading does not name, `part`
is a part of a deck, such as a sideboard, `categories` are those of a deck's owner, `reverse` marks a reverse holo,
`held` says whether the card is owned, `game` names its game, `playset` says that the copies are counted by the
playset.
"""
NORMAL_COPIES: Final = "normal_copies"
"""A heading of copies that are not foil, next to which `Foil` counts copies, too."""
CONDITIONS: Final = (
    *("mint", "near-mint", "excellent", "good", "lightly-played", "moderately-played", "played"),
    *("heavily-played", "damaged", "poor"),
)
"""Best first. European and American scales use one word for different grades, so grades are never converted."""

_REMEMBERED: Final = 1 << 13  # normalised words
_LETTERS: Final = lazy_pattern(r"[^\W_]+")
WANTED: Final = "wanted"
"""A heading of copies that are not owned."""
_FIELDS: Final = frozenset((*FIELDS, NORMAL_COPIES, WANTED))
_LISTS: Final = ("yes", "no", "of_which", "totals", "prices", "not_counts", "in_names")
_TABLES: Final[Mapping[str, frozenset[str] | None]] = {
    "headings": _FIELDS,
    "conditions": frozenset(CONDITIONS),
    "finishes": None,
    "marks": frozenset(("signed", "altered", "proxy")),
    "held": frozenset(("yes", "no")),
    "games": None,
    "languages": None,
}
"""The tables of a file of words, and the keys that each may have."""
_BY_HEADING: Final = frozenset(("headings", "not_counts"))
_PARTS: Final = frozenset(("conditions", "finishes", "languages"))
"""The tables whose words may be next to a name."""
_ENGLISH: Final = f"en{SUFFIX}"


class Words(NamedTuple):
    """The content of one file of words: its lists and tables by name, and headings with a plainer one."""

    lists: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, Mapping[str, tuple[str, ...]]]
    weaker: Mapping[str, str]


Meanings = dict[str, dict[str, str]]
"""For each table or list of a file of words: normalised words and their meanings."""


class Vocabulary:
    """The words of all languages: the user's own first, then English, then the others, which are read on demand.

    Words are looked up in the form of `fold`, headings in that of `heading_key`.
    """

    def __init__(self, first: Sequence[Words], others: Mapping[str, str]) -> None:
        self._first, self._texts = _meanings(first), others
        self.language_names: Mapping[str, str] = {
            code: spellings[0] for file in reversed(first) for code, spellings in file.tables["languages"].items()
        }
        """For each code of a language what people call it."""

    @cached_property
    def _rest(self) -> Meanings:
        return _meanings([_WordFile(text, name).checked() for name, text in self._texts.items()])

    def find(self, table: str, word: str) -> str:
        """Return the meaning of a word in a table such as `conditions`, or "" if no language has it."""
        found = self._first[table].get(word)
        return self._rest[table].get(word, "") if found is None else found

    def in_english(self, table: str, word: str) -> str:
        """Return the meaning of an English word or one of the user's own in a table, or ""."""
        return self._first[table].get(word, "")

    def has(self, listed: str, word: str) -> bool:
        """Return whether a word is in a list such as `totals`."""
        return word in self._first[listed] or word in self._rest[listed]

    def truth(self, word: str) -> bool | None:
        """Return whether a word means yes, or None if it means neither yes nor no."""
        if word in self._first["yes"] or word in self._first["no"]:
            return word in self._first["yes"]
        return word in self._rest["yes"] if word in self._rest["yes"] or word in self._rest["no"] else None

    def known(self, table: str) -> Mapping[str, str]:
        """Return all words of a table with their meanings."""
        return {**self._rest[table], **self._first[table]}

    @cached_property
    def marks(self) -> frozenset[str]:
        """The words, without case, of which finishes, conditions and languages consist, and some others."""
        # Parsing the other languages takes longer than finding a name: use all words of their text.
        plain = (word for text in self._texts.values() for word in _LETTERS.findall(text.casefold()))
        return frozenset((*self._first["parts"], *plain))


@lru_cache(_REMEMBERED)
def fold(text: str) -> str:
    """Return a word normalised for comparison: without case, accents, signs and blanks.

    >>> fold("NearMint"), fold("near_mint"), fold("État"), fold("-")
    ('nearmint', 'nearmint', 'etat', '-')
    """
    plain = (text if text.isascii() else _without_accents(text)).casefold().strip("\ufe0f")
    return "".join(_LETTERS.findall(plain)) or plain.strip()


@lru_cache(_REMEMBERED)
def heading_key(heading: str) -> str:
    """Return a heading normalised for comparison.

    >>> heading_key("Folder Name"), heading_key("ID #"), heading_key("Qté")
    ('foldername', 'id#', 'qte')
    """
    plain = heading if heading.isascii() else _without_accents(heading)
    return "".join(letter for letter in plain.casefold() if letter.isalnum() or letter == "#")


def _without_accents(text: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))


@cache
def vocabulary() -> Vocabulary:
    """Return the words of all languages."""
    others = {one.name: one.read_text(encoding="utf-8") for one in _shipped()}
    english = _WordFile(others.pop(_ENGLISH), _ENGLISH).checked()
    return Vocabulary([*own_words()[0], english], others)


def own_words() -> tuple[list[Words], list[CatalogError]]:
    """Return the content of the user's own files of words, and the errors of those that cannot be read."""
    read, wrong = list[Words](), list[CatalogError]()
    for folder in own_folders("CCGRID_FORMATS", "formats"):
        for path in sorted((folder / "words").glob(f"*{SUFFIX}")):
            try:
                read.append(_WordFile(read_file(path, _WordFile.what), path.name).checked())
            except CatalogError as error:
                wrong.append(error)
    return read, wrong


def _shipped() -> list["Traversable"]:
    from importlib import resources

    files = resources.files("ccgrid.data.formats.words").iterdir()
    return sorted((one for one in files if one.name.endswith(SUFFIX)), key=lambda one: one.name)


def _meanings(files: Sequence[Words]) -> Meanings:
    found: Meanings = {name: {} for name in (*_LISTS, *_TABLES, "weaker", "parts")}
    for file in files:
        for name in _LISTS:
            form = heading_key if name in _BY_HEADING else fold
            for word in file.lists[name]:
                found[name].setdefault(form(word), word)
        for name in _TABLES:
            form = heading_key if name in _BY_HEADING else fold
            for meaning, spellings in file.tables[name].items():
                for word in spellings:
                    found[name].setdefault(form(word), meaning)
                    if name in _PARTS:
                        found["parts"].update(dict.fromkeys(_LETTERS.findall(word.casefold()), ""))
        for heading, plainer in file.weaker.items():
            found["weaker"].setdefault(heading_key(heading), heading_key(plainer))
        # The canonical terms are words, too.
        for code in file.tables["languages"]:
            found["languages"].setdefault(fold(code), code)
            found["parts"][code] = ""
    found["no"][""] = ""
    found["conditions"].update((fold(word), word) for word in CONDITIONS)
    found["finishes"].update((fold(word), word) for word in dict.fromkeys(found["finishes"].values()))
    return found


class _WordFile(CheckedFile):
    """One file of words being read."""

    what = "file of words"

    def checked(self) -> Words:
        table = self._parsed()
        self._known(table, {"format", "weaker", *_LISTS, *_TABLES}, "", "")
        self._check_format(table)
        lists = {key: self._texts(table, key, "") for key in _LISTS}
        tables: dict[str, dict[str, tuple[str, ...]]] = {}
        for key, known in _TABLES.items():
            inner = self._table(table, key)
            if known is not None:
                self._known(inner, set(known), key, f"{key}.")
            tables[key] = {meaning: self._texts(inner, meaning, f"{key}.") for meaning in inner}
            if empty := next((meaning for meaning, spellings in tables[key].items() if not spellings), None):
                self._fail(f"{key}.", empty, "is a list of texts in quotes")
        weaker = self._table(table, "weaker")
        return Words(lists, tables, {one: self._text(weaker, one, "weaker.", required=True) for one in weaker})
