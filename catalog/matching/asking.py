"""What is asked of the cards of a catalogue, by a row or by a name, and what is answered: which card, or why none."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_ids import id_part
from ccgrid.catalog.copy_terms import NORMAL
from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.holding import NOWHERE, Place
from ccgrid.catalog.matching.names import Candidate, NameHit, NamePairs, fold, set_key, similarity

if TYPE_CHECKING:
    from ccgrid.catalog.lines import WrittenCard


class Row(NamedTuple):
    """A written card with its copies, in the words of its writer except for canonical terms.

    It is a row of a table, a line of a list or a deck, or what a person asks for. `amounts` maps a finish to copies;
    `ids` are (kind, value) pairs such as ("mtgo", "64236"). `doubt` is the number of an earlier row that this one
    settles; `written` is the line that was read, for a name that only looks as if it had marks: `B.F.M. (Left)`;
    `rarity` distinguishes cards of one number; `beside` says that the copies are outside a deck, in a sideboard or the
    like; `note` is what their owner wrote of them; `more` are further words next to the name, of which each has to be
    the card's set, game or number; `details` is what else the owner knows, as `Details.text` keeps it; `called`
    is what an app itself calls the printing, as holdings keep it; `game` is what the row calls the card's game;
    `heading` says why a line of a list may rather be a heading.
    """

    # Rows in doubt are stored as JSON lists of these fields (`newer.row_json`): new ones go to the end.
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
    game: str = ""
    heading: str = ""

    @property
    def copies(self) -> int:
        """The number of copies in the row, of all finishes."""
        return sum(copies for _, copies in self.amounts)


def with_reading(row: Row, read: "WrittenCard") -> Row:
    """Return a row of a list with the reading of its line; categories become a note."""
    return row._replace(
        amounts=((read.finish or NORMAL, read.copies_meant),),
        name=read.name,
        set_code=read.set_hint,
        number=read.number,
        condition=read.condition,
        language=read.language,
        beside=read.is_beside,
        note=read.note,
        more=read.beside[:-1],
        details=read.details,
        ids=(("group", read.group.casefold()),) if read.group else row.ids,
    )


def with_cell(row: Row, read: "WrittenCard", is_place: Callable[[str], bool]) -> Row:
    """Return a row of a table with the reading of its name cell; other cells take precedence.

    `is_place` tests whether a word is a set or a game. If the row has no number of copies, that of the cell applies.
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
        """Return the card with this id of the catalogue."""

    def by_source_id(self, kind: str, value: str) -> Sequence[Candidate]:
        """Return the cards with an id of another program."""

    def numbered(self, set_code: str, numbers: Sequence[str]) -> Sequence[Candidate]:
        """Return the cards of a set with one of these collector numbers."""

    def by_name(self, name: str, set_code: str | None = None) -> Sequence[Candidate]:
        """Return the printings of a name as written, in a set or in all sets."""

    def spelled(self, folded: str) -> Sequence[str]:
        """Return the names with this folded form; if there are none, the names of which it is a half."""

    def cards(self, ids: Sequence[str]) -> Sequence[Card]:
        """Return the cards with these ids, in this order."""

    def names_from(self, start: str) -> Sequence[tuple[str, str]]:
        """Return every name whose folded form has this prefix, with that form."""

    def halved(self, half: str) -> Sequence[str]:
        """Return the names whose first half has this folded form; if there are none, another half."""

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Return the ids of which copies are owned."""

    def near(self, query: str) -> Sequence[NameHit]:
        """Return the names that a misspelt name may mean, best first."""

    def coded(self, code: str) -> Sequence[Candidate]:
        """Return the cards printed with a code, such as `BT1-010`, or with it in their id: `OP01-016_p1`."""

    def other_codes(self) -> Mapping[str, Sequence[str]]:
        """Return the codes that a client has for sets, in lower case, with the codes of these sets."""

    def games(self) -> Sequence[str]:
        """Return the games of the cards."""

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

    @property
    def is_certain(self) -> bool:
        """Whether the match is this card, or the printing that was requested instead, which `reason` explains."""
        return self.card is not None and self.how != "fuzzy"

    def finished(self, row: Row) -> Row:
        """Return the row with the finish that its id implies, if it has none of its own."""
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
class RowSets:
    """The sets that a row may mean, and what it called them."""

    codes: tuple[str, ...]
    said: str


NO_CODES: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})
_LEADING_DIGITS: Final = re.compile(r"\d+(?=[a-z]{3})")


class SetNames:
    """The sets of a catalogue, with cached answers."""

    def __init__(self, sets: Iterable[tuple[str, str]], others: Mapping[str, Sequence[str]] = NO_CODES) -> None:
        """`others` are codes that clients have for sets, in lower case."""
        self._others = others
        self._codes: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = {}
        for code, name in sets:
            self._codes[code.casefold()] = code
            # LackeyCCG's plugins have names for codes, often numbered: 03Phoenix, Base_Set.
            bare = fold(code).lstrip("0123456789 ")
            for key in {fold(name), set_key(name), fold(code), bare if len(bare) > len("ed") else ""} - {""}:
                self._by_name.setdefault(key, []).append(code)
        self._resolved: dict[tuple[str, str], RowSets] = {}

    def code(self, text: str) -> str:
        """Return a set code as the catalogue spells it, or unchanged if it has no such set."""
        return self._codes.get(text.casefold(), text)

    def of_own(self, word: str) -> bool:
        """Return whether a word is a set by a code or a name of the catalogue's own."""
        return word.casefold() in self._codes or fold(word) in self._by_name

    def sets_of(self, row: Row) -> RowSets:
        """Return the sets that a row may mean: by code, older code, name, or the start of a number (`OGN-001`)."""
        key = row.set_code, row.set_name
        if (known := self._resolved.get(key)) is None:
            # The first of these that is known: code, older code, name, its telling words, `CODE: Name`, `Name (CODE)`.
            codes: list[str] = []
            for said in (row.set_code.strip().casefold(), row.set_name.strip().casefold()):
                today = TODAYS.get(said, "")
                # Some cards have no set: a row without one does not mean theirs.
                # Sets that are numbered: 001 is 1.
                plain = said.lstrip("0") if said.isdecimal() else ""
                codes += [self._codes[code] for code in (said, today, plain) if code and code in self._codes]
                # A client's code may be that of another game's set as well, or of several sets.
                codes += self._others.get(said, ())
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
            bare = _LEADING_DIGITS.sub("", row.set_code.casefold())
            codes += (
                [self._codes[bare]] if bare and not codes and bare in self._codes else []
            )  # 1TFC: Lorcana's first set
            said = row.set_code or row.set_name
            known = self._resolved[key] = RowSets(tuple(dict.fromkeys(codes)), said)
        # `OGN-001` names its set in the number; it counts only where the row names no set itself.
        prefix = row.number.rpartition("-")[0].casefold()
        if not known.said and prefix and prefix in self._codes:
            return RowSets((self._codes[prefix],), prefix)
        return known


@cache
def _words() -> re.Pattern[str]:
    """Made when it is first needed: most names have one printing, and nothing to choose from."""
    return re.compile(_SPECIAL_WORDS, re.IGNORECASE)


def is_special_word(word: str) -> bool:
    """Return whether a word says that a printing is a promo or the like."""
    return bool(_words().search(word))


@lru_cache(maxsize=1 << 12)
def _is_special_set(game: str, code: str, name: str) -> bool:
    return bool(_words().search(name)) or (game == "mtg" and bool(_MAGIC_PROMO.fullmatch(code)))


def is_special(game: str, set_code: str, set_name: str, number: str) -> bool:
    """Return whether a printing is a promo or the like, by the name and code of its set or the mark in its number.

    >>> is_special("mtg", "pm10", "Magic 2010 Promos", "3"), is_special("mtg", "m10", "Magic 2010", "146")
    (True, False)
    """
    return _is_special_set(game, set_code, set_name) or bool(_MARKED_NUMBER.fullmatch(number))


# --- what a person is answered -----------------------------------------------------------------------------------


_LISTED: Final = 8  # cards in an error

Choose = Callable[[str, Sequence[Card]], Card | None]
"""A function that asks which card, one of each game, a text means; it returns None if the user does not say."""


def choose_once(choose: Choose) -> Choose:
    """Asks about each text and its cards once, and remembers the answer."""
    answers: dict[tuple[str, ...], Card | None] = {}

    def ask_once(text: str, candidates: Sequence[Card]) -> Card | None:
        key = text, *(card.id for card in candidates)
        if key not in answers:
            answers[key] = choose(text, candidates)
        return answers[key]

    return ask_once


class NoSuchCardError(NotFoundError):
    """Raised if no card has this name, or none in the given game, in the given set or with the given number."""

    def __init__(self, message: str, *, name: str, suggestions: Iterable[str] = ()) -> None:
        super().__init__(message, kind="card", name=name, suggestions=suggestions)


class OtherPrintingError(NoSuchCardError):
    """The name is that of a card, but not in the set, or not with the number, that was said."""


class AmbiguousCardError(CatalogError):
    """Raised if cards of several games have a name and nothing decides between them.

    `candidates` are the cards that may be, one of each game.
    """

    def __init__(self, text: str, candidates: Sequence[Card]) -> None:
        self.candidates = tuple(candidates)
        listed = "; ".join(map(describe_card, self.candidates[:_LISTED]))
        more = f"; and {len(self.candidates) - _LISTED} more" if len(self.candidates) > _LISTED else ""
        first = self.candidates[0]
        super().__init__(
            f"{text!r} is a card of {len(self.candidates)} games: {listed}{more}.\n"
            f"Say which: its id, or the name with its game or set, such as '{first.name} ({first.game})'."
        )


class NoChoiceError(CatalogError):
    """Raised if the user was asked to choose among several cards and chose none."""


@dataclass(frozen=True, slots=True)
class ResolvedCard:
    """The card that is meant; `fitting` are all printings in its game that fit what was written, it among them.

    `owned` says that it was taken because its owner has it, `for_deck` that what may be in a deck came first.
    """

    card: Card
    fitting: tuple[Candidate, ...]
    owned: bool = False
    for_deck: bool = False

    @property
    def candidate(self) -> Candidate:
        """The card as it was looked up."""
        return next(one for one in self.fitting if one.id == self.card.id)

    @property
    def differing(self) -> int:
        """The number of equally good printings with other numbers."""
        return sum(one.numbers != self.candidate.numbers for one in self.fitting)

    @property
    def remark(self) -> str:
        """The message about the choice of the printing, empty if all equally good printings have the same numbers."""
        if not self.differing:
            return ""
        printings = "1 other printing has" if self.differing == 1 else f"{self.differing} other printings have"
        which = "printing you own"
        if not self.owned:
            promos = {one.id for one in self.fitting if is_promo(one)}
            ordinary = " ordinary one" if promos and self.card.id not in promos else ""
            legal = " legal" if self.for_deck and self.card.legal else ""
            which = f"earliest{legal}{ordinary} of {len(self.fitting)} printings"
        return f"{self.card.name} ({self.card.id}) is the {which}; {printings} other numbers."


def same_numbers(one: Card, other: Card) -> bool:
    """Return whether two cards have the same numbers, and so are equivalent in every game."""
    return (one.zones, one.face, one.score, one.attack, one.defense) == (
        *(other.zones, other.face, other.score, other.attack, other.defense),
    )


def describe_card(card: Card) -> str:
    """Describe a card by its name, game, set, number and id.

    >>> describe_card(Card("a:x/7", "a", "Ant", {"top": 3}, 3, "x", "", "7"))
    'Ant (a, x 7; a:x/7)'
    """
    printed = f"{card.set_code} {card.collector_number}".strip()
    return f"{card.name} ({card.game}{', ' if printed else ''}{printed}; {card.id})"


def is_of_game(game: str, word: str) -> bool:
    """Return whether a word is a game, in any case and spacing."""
    return fold(word).replace(" ", "") == game.casefold()


def is_of(card: Card | Candidate, word: str) -> bool:
    """Return whether a word is a card's game, or its set by its code, an older code, or its name."""
    code, key = word.casefold(), set_key(word)
    if is_of_game(card.game, word) or (card.set_code and card.set_code.casefold() in (code, TODAYS.get(code, code))):
        return True
    return bool(card.set_name) and (fold(word) == fold(card.set_name) or (bool(key) and key == set_key(card.set_name)))


_RARITY_CODES: Final = {
    **{"c": "common", "r": "rare", "sr": "super-rare", "ur": "ultra-rare", "scr": "secret-rare"},
    **{"utr": "ultimate-rare", "gr": "ghost-rare", "gur": "gold-rare", "gscr": "gold-secret-rare", "sp": "short-print"},
    **{"pscr": "prismatic-secret-rare", "plscr": "platinum-secret-rare", "upr": "ultra-parallel-rare"},
    **{"cr": "collector-s-rare", "qcscr": "quarter-century-secret-rare", "msr": "mosaic-rare", "sfr": "starfoil-rare"},
    **{"1": "red", "2": "yellow", "3": "blue"},  # the pitch values of Flesh and Blood
}
COLOURS: Final = frozenset(("red", "yellow", "blue"))
"""The colours that tell cards of one name apart in Flesh and Blood."""
CANDIDATES: Final = 3
"""How many cards a report names for a row that is in doubt."""


def best(row: Row, cards: Sequence[Candidate]) -> Candidate:
    """Return the preferred printing of those that match a row."""
    return min(cards, key=lambda card: printing_order(row, card)) if len(cards) > 1 else cards[0]


def best_of_each_game(row: Row, cards: Sequence[Candidate], playable: frozenset[str] | None = None) -> list[Candidate]:
    """Return the preferred printing in each game, in the order of the names of the games.

    For a deck, prefer the ids in `playable`, then legal cards.
    """
    by_game: dict[str, list[Candidate]] = {}
    for card in cards:
        by_game.setdefault(card.game, []).append(card)
    if playable is None:
        return [best(row, by_game[game]) for game in sorted(by_game)]
    return [
        min(by_game[game], key=lambda card: (card.id not in playable, not card.legal, printing_order(row, card)))
        for game in sorted(by_game)
    ]


def printing_order(row: Row, card: Candidate) -> tuple[bool, bool, bool, bool, str, int, str]:
    """Return a sort key of printings: the row's rarity and language, English, no promo, release date, number.

    Legality does not matter, because users own cards that are not legal.
    """
    digits = "".join(filter(str.isdigit, card.number))[:9]
    own = card.lang != (row.language or "en")
    unlike = not says_rarity(row, card), own, card.lang != "en", is_promo(card)
    return *unlike, card.released, int(digits or 0), card.id


def is_promo(card: Candidate) -> bool:
    """Return whether a printing is a promo or the like."""
    return is_special(card.game, card.set_code, card.set_name, card.number)


def says_rarity(row: Row, card: Candidate) -> bool:
    """Return whether a row says the rarity of a card, or its colour.

    If a number has several rarities, each has its id: `yugioh:lob-001/common`. If a name has several colours, each has
    its id as well: `fab:snatch/red`. Some apps write codes: `UR`, `1`.
    """
    if not row.rarity:
        return False
    return card.id.endswith((f"/{id_part(row.rarity)}", f"/{_RARITY_CODES.get(row.rarity.casefold(), '?')}"))


def is_variant(card: Candidate, word: str) -> bool:
    """Return whether a word tells a card from others of its name and number: its rarity, or its colour.

    >>> card = Candidate("fab:snatch/red", "fab", "Snatch", "", "", "", "en", None, True, "", "")
    >>> [is_variant(card, word) for word in ("Red", "1", "blue", "snatch")]
    [True, True, False, False]
    """
    return bool(word) and says_rarity(Row(rarity=word), card) and not (word.isdecimal() and card.number)


def likeliest(row: Row, cards: Sequence[Candidate]) -> Candidate:
    """Return the card whose name is most similar to that of a row."""
    return max(cards, key=lambda card: similarity(row.name, card)) if len(cards) > 1 else cards[0]


def candidate_ids(cards: Iterable[Candidate]) -> tuple[str, ...]:
    """Return the ids of the first few cards, for a report."""
    return tuple(dict.fromkeys(card.id for card in cards))[:CANDIDATES]


def with_candidates(found: MatchResult) -> tuple[str, ...]:
    """Return the card of a match and its candidates, for a report."""
    own = (found.card.id,) if found.card is not None else ()
    return tuple(dict.fromkeys((*own, *found.candidates)))[:CANDIDATES]


def finish_of_id(card: Candidate, kind: str, value: str) -> str:
    """Return the finish that an id implies: the second MTGO id of a card is that of the foil."""
    own = [one.partition(":")[2] for one in card.ids.split() if one.startswith("mtgo:")] if kind == "mtgo" else []
    return "foil" if value in own[1:] else ""
