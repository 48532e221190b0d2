"""The words of people and apps for finishes, conditions and languages, for yes and no, and for headings of tables.

They are in `data/formats/words`, one file per language, and in the folder `words` of users' own formats.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final

from ccgrid.catalog.checked_file import SUFFIX, CheckedFile, own_folders, read_file
from ccgrid.catalog.errors import CatalogError

FIELDS: Final = (
    *("copies", "foil_copies", "name", "simple_name", "set", "set_code", "set_name", "number"),
    *("all_copies", "finish", "reverse", "condition", "grade", "language", "rarity", "part", "categories", "note"),
    *("acquired", "price", "currency", "tags", "signed", "altered", "proxy", "trade", "flag", "own"),
    *("box", "row", "slot", "card", "doubt"),
    *("scryfall", "mtgo", "tcgplayer", "cardmarket", "multiverse", "arena", "konami", "id"),
)
"""What a column may hold; `set` is a code or a name, `card` an id of the catalogue, `doubt` a row that is settled.

`price` is what one copy cost, `trade` how many copies may be traded; `own` is kept under its heading, and so is a
`flag`, where it says yes. `all_copies` are those of all finishes together, `id` is somebody's id of which the heading
does not say whose, `part` is that of a deck, such as a sideboard, `categories` are those of a deck's owner, `reverse`
says that it is a reverse holo.
"""
NORMAL_COPIES: Final = "normal_copies"
"""A heading of copies that are no foils: `Foil` beside it counts copies, too."""
CONDITIONS: Final = (
    *("mint", "near-mint", "excellent", "good", "lightly-played", "moderately-played", "played"),
    *("heavily-played", "damaged", "poor"),
)
"""Best first. European and American scales use one word for different grades, so no grade is taken for another."""

_REMEMBERED: Final = 1 << 13  # words in their folded form
_LETTERS: Final = re.compile(r"[^\W_]+")
_FIELDS: Final = frozenset((*FIELDS, NORMAL_COPIES))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All words, folded, with what they mean; `headings` are folded by `heading_key`."""

    yes: frozenset[str]
    no: frozenset[str]
    headings: Mapping[str, str]
    weaker: Mapping[str, str]
    """Headings that hold their field only in tables without another one."""
    conditions: Mapping[str, str]
    finishes: Mapping[str, str]
    in_names: frozenset[str]
    """Finishes that are words of names as well."""
    languages: Mapping[str, str]
    language_names: Mapping[str, str]
    """For each code of a language what people call it."""
    marks: frozenset[str]
    """The words, without case, of which a finish, a condition or a language consists."""


@lru_cache(_REMEMBERED)
def fold(text: str) -> str:
    """Return a word in the form in which words are compared: without case, accents, signs and blanks.

    >>> fold("NearMint"), fold("near_mint"), fold("État"), fold("-")
    ('nearmint', 'nearmint', 'etat', '-')
    """
    plain = (text if text.isascii() else _without_accents(text)).casefold()
    return "".join(_LETTERS.findall(plain)) or plain.strip()


@lru_cache(_REMEMBERED)
def heading_key(heading: str) -> str:
    """Return a heading in the form in which headings are compared.

    >>> heading_key("Folder Name"), heading_key("ID #"), heading_key("Qté")
    ('foldername', 'id#', 'qte')
    """
    plain = heading if heading.isascii() else _without_accents(heading)
    return "".join(letter for letter in plain.casefold() if letter.isalnum() or letter == "#")


def _without_accents(text: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))


@cache
def vocabulary() -> Vocabulary:
    """Return the words of all languages; those of users' own files come first."""
    return _merged([*own_words()[0], *_shipped()])


def own_words() -> tuple[list[Mapping[str, Any]], list[CatalogError]]:
    """Return what users' own files of words say, and what is wrong with those that cannot be read."""
    read, wrong = list[Mapping[str, Any]](), list[CatalogError]()
    for folder in own_folders("CCGRID_FORMATS", "formats"):
        for path in sorted((folder / "words").glob(f"*{SUFFIX}")):
            try:
                read.append(_WordFile(read_file(path, _WordFile.what), path.name).checked())
            except CatalogError as error:
                wrong.append(error)
    return read, wrong


def _shipped() -> Iterator[Mapping[str, Any]]:
    files = [one for one in resources.files("ccgrid.data.formats.words").iterdir() if one.name.endswith(SUFFIX)]
    # English comes first: its words for languages are those to write.
    for file in sorted(files, key=lambda one: (one.name != f"en{SUFFIX}", one.name)):
        yield _WordFile(file.read_text(encoding="utf-8"), file.name).checked()


def _merged(files: list[Mapping[str, Any]]) -> Vocabulary:
    headings, conditions, finishes = dict[str, str](), dict[str, str](), dict[str, str]()
    marks = set[str]()
    languages, weaker, names = dict[str, str](), dict[str, str](), dict[str, str]()
    for file in files:
        for found, key, form in (
            (headings, "headings", heading_key),
            (conditions, "conditions", fold),
            (finishes, "finishes", fold),
            (languages, "languages", fold),
        ):
            for meaning, said in file.get(key, {}).items():
                for word in said:
                    found.setdefault(form(word), meaning)
                    if form is fold:
                        marks.update(_LETTERS.findall(word.casefold()))
        for code, said in file.get("languages", {}).items():
            names.setdefault(code, said[0])
        for heading, plainer in file.get("weaker", {}).items():
            weaker.setdefault(heading_key(heading), heading_key(plainer))
    # The house words are words, too.
    conditions.update((fold(word), word) for word in CONDITIONS)
    languages.update((fold(code), code) for code in names)
    marks.update(word for one in (*CONDITIONS, *names) for word in one.split("-"))
    yes, no, in_names = (
        frozenset(fold(word) for file in files for word in file.get(key, ())) for key in ("yes", "no", "in_names")
    )
    return Vocabulary(
        yes, no | {""}, headings, weaker, conditions, finishes, in_names, languages, names, frozenset(marks)
    )


class _WordFile(CheckedFile):
    """One file of words being read."""

    what = "file of words"

    def checked(self) -> Mapping[str, Any]:
        table = self._parsed()
        self._known(
            table,
            {"format", "yes", "no", "in_names", "headings", "weaker", "conditions", "finishes", "languages"},
            "",
            "",
        )
        self._check_format(table)
        found: dict[str, Any] = {key: self._texts(table, key, "") for key in ("yes", "no", "in_names")}
        for key, known in (
            ("headings", _FIELDS),
            ("conditions", frozenset(CONDITIONS)),
            ("finishes", None),
            ("languages", None),
        ):
            inner = self._table(table, key)
            if known is not None:
                self._known(inner, set(known), key, f"{key}.")
            found[key] = {meaning: self._texts(inner, meaning, f"{key}.") for meaning in inner}
            if empty := next((meaning for meaning, said in found[key].items() if not said), None):
                self._fail(f"{key}.", empty, "is a list of texts in quotes")
        found["weaker"] = {
            heading: self._text(self._table(table, "weaker"), heading, "weaker.", required=True)
            for heading in self._table(table, "weaker")
        }
        return found
