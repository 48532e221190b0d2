"""What somebody wrote of cards, to be matched with those of the catalogue, and which sets they can mean by it."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple, Protocol

from ccgrid.catalog.card import Card
from ccgrid.catalog.holding import NO_DETAILS, NORMAL, NOWHERE, Place
from ccgrid.catalog.lines import WrittenCard
from ccgrid.catalog.matching.names import NameHit, NamePairs, fold
from ccgrid.catalog.matching.spellings import Candidate, set_key


class Row(NamedTuple):
    """What somebody wrote of a card: how many copies of what, in their own words but for those that have a house word.

    It is a row of a table, a line of a list or a deck, or what a person asks for. `amounts` maps a finish to copies;
    `ids` are (kind, value) pairs such as ("mtgo", "64236"). `doubt` is the number of an earlier row that this one
    settles; `written` is the line that was read, for a name that only looks as if it had marks: `B.F.M. (Left)`;
    `rarity` tells cards of one number apart; `beside` says that the copies lie beside a deck, in a sideboard or the
    like; `note` is what their owner wrote of them; `more` are further words beside the name, of which each has to be
    the card's set, game or number; `details` is what else the owner knows, as `Details.text` keeps it; `called`
    is what an app itself calls the printing, as holdings keep it.
    """

    line: int = 0
    raw: str = ""
    amounts: tuple[tuple[str, int], ...] = ()
    name: str = ""
    set_code: str = ""
    set_name: str = ""
    number: str = ""
    ids: tuple[tuple[str, str], ...] = ()
    condition: str = ""
    language: str = ""
    place: Place = NOWHERE
    doubt: int | None = None
    written: str = ""
    rarity: str = ""
    beside: bool = False
    note: str = ""
    more: tuple[str, ...] = ()
    details: str = NO_DETAILS
    called: str = ""

    @property
    def copies(self) -> int:
        """How many copies the row has, of all finishes."""
        return sum(copies for _, copies in self.amounts)


def with_reading(row: Row, read: WrittenCard) -> Row:
    """A row of a list as its line is read; what its owner sorts it by is a note."""
    return row._replace(
        amounts=((read.finish or NORMAL, read.copies_meant),),
        name=read.name,
        set_code=read.set_said,
        number=read.number,
        condition=read.condition,
        language=read.language,
        beside=read.is_beside,
        note=read.note,
        more=read.beside[:-1],
        details=read.details,
    )


def with_cell(row: Row, read: WrittenCard, is_place: Callable[[str], bool]) -> Row:
    """A row of a table as the cell of its name is read; what other cells say otherwise is left for `more` to tell.

    `is_place` tells whether a word is a set or a game. Where the row has no copies, the cell says them.
    """
    more, set_code = list(read.beside), row.set_code
    amounts = row.amounts or ((read.finish or NORMAL, read.copies_meant),)
    if more and not (row.set_code or row.set_name) and is_place(more[-1]):
        set_code = more.pop()
    if read.finish and [finish for finish, _ in amounts] == [NORMAL]:
        amounts = ((read.finish, row.copies),)
    more += [read.finish] if read.finish not in ("", *(finish for finish, _ in amounts)) else []
    more += [str(read.copies)] if row.amounts and read.copies not in (None, row.copies) else []
    for own, word in ((row.number, read.number), (row.condition, read.condition), (row.language, read.language)):
        more += [word] if word and own not in ("", word) else []
    return row._replace(
        name=read.name,
        amounts=amounts,
        set_code=set_code,
        number=row.number or read.number,
        condition=row.condition or read.condition,
        language=row.language or read.language,
        more=(*more, *read.tags),
    )


How = Literal["id", "number", "name", "fuzzy", "missed"]


class Lookup(NamePairs, Protocol):
    """Where cards are looked up."""

    def card(self, card_id: str) -> Candidate | None:
        """The card with this id of the catalogue."""

    def by_source_id(self, kind: str, value: str) -> Sequence[Candidate]:
        """The cards that others call so."""

    def numbered(self, set_code: str, numbers: Sequence[str]) -> Sequence[Candidate]:
        """The cards of a set with one of these collector numbers."""

    def named(self, name: str, set_code: str | None = None) -> Sequence[Candidate]:
        """The printings of a name as it is written, in a set or in all."""

    def spelled(self, folded: str) -> Sequence[str]:
        """The names of which this is the folded form, else those of which it is that of a half."""

    def cards(self, ids: Sequence[str]) -> Sequence[Card]:
        """The cards with these ids, whole, in this order."""

    def names_from(self, start: str) -> Sequence[tuple[str, str]]:
        """Every name whose folded form begins so, and that form."""

    def halved(self, half: str) -> Sequence[str]:
        """The names with halves of which a folded text is the first, else those of which it is another."""

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids of which somebody owns copies."""

    def near(self, query: str) -> Sequence[NameHit]:
        """The names that a person may mean who types, best first, however they are misspelt."""

    def games(self) -> Sequence[str]:
        """The games of which there are cards."""

    def sets(self) -> Iterable[tuple[str, str]]:
        """Code and name of every set."""


class MatchResult(NamedTuple):
    """What a row means: the card, how it was found, and, where that is not exact, why.

    `others` counts printings that fit as well, of which the row did not say which, `differing` those among them with
    other numbers; `finish` is what an id says of it. `fitting` are all that fit, of a miss one of each game that has
    some; `owned` says that one was taken because its owner has it.
    """

    card: Candidate | None
    how: How
    reason: str = ""
    candidates: tuple[str, ...] = ()
    others: int = 0
    differing: int = 0
    finish: str = ""
    fitting: Sequence[Candidate] = ()
    owned: bool = False

    def finished(self, row: Row) -> Row:
        """The row with the finish that its id says, where it says none of its own."""
        if not self.finish:
            return row
        return row._replace(
            amounts=tuple((self.finish if kind == NORMAL else kind, copies) for kind, copies in row.amounts)
        )


_OLD: Final = """
1E lea 2E leb 2U 2ed 3E 3ed 4E 4ed 5E 5ed 6E 6ed 7E 7ed 8E 8ed 9E 9ed AN arn AQ atq LE leg DK drk FE fem HM hml IA ice
AL all MI mir VI vis WL wth TE tmp ST sth EX exo UZ usg GU ulg CG uds MM mmq NE nem PR pcy IN inv PS pls AP apc OD ody
TR tor JU jud PO por P2 p02 PO2 p02 PK ptk P3 s99 P4 s00 UG ugl CH chr BD btd BR brb DAR dom CONF con NMS nem MB1 plst
MYS1 mb1 LIST plst PLIST plst TLIST plst TSTS tsb FVD drb FVE v09 FVR v10 FVL v11 DD1 evg AT ath BE btd VAN pvan
DCK dkm DM dkm ALP lea BET leb UNL 2ed REV 3ed ALPHA lea BETA leb UNLIMITED 2ed REVISED 3ed CFX con MED me1
"""
_PAIRS = _OLD.split()

TODAYS: Final = {old.casefold(): new for old, new in zip(_PAIRS[::2], _PAIRS[1::2], strict=True)}
"""Old codes of Gatherer, Magic Online, Arena and apps, and those of Scryfall, all in lower case."""
_CODE_AND_NAME: Final = re.compile(r"([A-Z][A-Z0-9.]{1,6}): (.+)")
"""As TCGplayer writes sets: SV01: Scarlet & Violet Base Set."""
_NAME_AND_CODE: Final = re.compile(r".+ [(\[]([A-Za-z0-9]{2,6})[)\]]")
"""As people write them: Amonkhet (AKH)."""
_SPECIAL_WORDS: Final = (
    r"\b(?:promos?|promotional|prereleases?|pre-release|release events|launch part(?:y|ies)|judge|gift|gifts|rewards"
    r"|friday night|gateway|wpn|arena league|league|championships?|worlds|oversized|tokens?|celebration|lunar new year"
    r"|heroes of the realm|vanguard|secret lair|convention|comic ?con|dragon ?con|guru|resale|game day|open house"
    r"|buy-a-box|media|book|comics|online store|legacy championship|collectors['’]? edition|summer magic|masterpieces?"
    r"|inventions|invocations|expeditions|the list|mystery booster|box topper|art series|front cards|avatars"
    r"|salvat|rinascimento|introductory|anniversary|from the vault|happy holidays|minigames?|black star|festival"
    r"|magicfest|ultimate box|special guests|playtest|unknown event|standard showdown|prizes?|winner)\b"
)
_MAGIC_PROMO: Final = re.compile(r"p[a-z0-9]{3,}", re.IGNORECASE)
"""Scryfall's codes of promotional sets: pm10, pdom, ppre; `p02` is Portal Second Age."""
_MARKED_NUMBER: Final = re.compile(r".*\d[sp★†*]+|[★†].*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MeantSets:
    """The sets that a row may mean, and what it called them."""

    codes: tuple[str, ...]
    said: str


class SetNames:
    """The sets of a catalogue; what was asked once is kept."""

    def __init__(self, sets: Iterable[tuple[str, str]]) -> None:
        self._codes: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = {}
        for code, name in sets:
            self._codes[code.casefold()] = code
            # LackeyCCG's plugins have names for codes, often numbered: 03Phoenix, Base_Set.
            bare = fold(code).lstrip("0123456789 ")
            for key in {fold(name), set_key(name), fold(code), bare if len(bare) > len("ed") else ""} - {""}:
                self._by_name.setdefault(key, []).append(code)
        self._resolved: dict[tuple[str, str], MeantSets] = {}

    def code(self, text: str) -> str:
        """A code as the catalogue writes it, where it has the set; else as it is."""
        return self._codes.get(text.casefold(), text)

    def meant(self, row: Row) -> MeantSets:
        """The sets that a row may mean: by code, older code, name, or what a number such as `OGN-001` begins with."""
        key = row.set_code, row.set_name
        if (known := self._resolved.get(key)) is None:
            codes: list[str] = []
            for said in (row.set_code.strip().casefold(), row.set_name.strip().casefold()):
                today = TODAYS.get(said, "")
                # Some cards have no set: a row without one does not mean theirs.
                codes += [self._codes[code] for code in (said, today) if code and code in self._codes]
            for said in (row.set_name, row.set_code):
                for text in (fold(said), set_key(said)):
                    if not codes and text:
                        codes += self._by_name.get(text, [])
            if not codes and (match := _CODE_AND_NAME.fullmatch(row.set_name)):
                before, after = match.groups()
                codes += [self._codes[before.casefold()]] if before.casefold() in self._codes else []
                codes += [] if codes else self._by_name.get(fold(after), []) or self._by_name.get(set_key(after), [])
            if not codes and (behind := _NAME_AND_CODE.fullmatch(row.set_name)):
                codes += [self._codes[behind[1].casefold()]] if behind[1].casefold() in self._codes else []
            said = row.set_code or row.set_name
            known = self._resolved[key] = MeantSets(tuple(dict.fromkeys(codes)), said)
        prefix = row.number.rpartition("-")[0].casefold()
        if not known.said and prefix and prefix in self._codes:
            return MeantSets((self._codes[prefix],), prefix)
        return known


@cache
def _words() -> re.Pattern[str]:
    """Made when it is first needed: most names have one printing, and nothing to choose from."""
    return re.compile(_SPECIAL_WORDS, re.IGNORECASE)


@lru_cache(maxsize=1 << 12)
def _is_special_set(game: str, code: str, name: str) -> bool:
    return bool(_words().search(name)) or (game == "mtg" and bool(_MAGIC_PROMO.fullmatch(code)))


def is_special(game: str, set_code: str, set_name: str, number: str) -> bool:
    """Whether a printing is a promo or the like: by the name and code of its set, or the mark behind its number.

    >>> is_special("mtg", "pm10", "Magic 2010 Promos", "3"), is_special("mtg", "m10", "Magic 2010", "146")
    (True, False)
    """
    return _is_special_set(game, set_code, set_name) or bool(_MARKED_NUMBER.fullmatch(number))
