"""The one grammar of a line in which somebody wrote a card: copies, name, set, number, finish and the rest; pure.

A line is read from both ends. In front may stand a bullet, a list number, a part of a deck, copies and a finish; behind
the name marks in any order: copies, finish, condition, language, set, number, tags. What is no mark stays in the name,
so that nothing that was written is lost. Where a name may hold what looks like a mark there are several readings, and
whoever knows the names takes the first whose name there is, in this order:

1. copies in front are copies (a number of four digits is not: 1996 World Champion), else part of the name;
2. what stands behind is part of the name; then the last mark is read, then the last two, and so on.

Where no name is known, the reading counts in which most was read (`fullest`).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from catalog.words import CONDITIONS, LANGUAGES, condition_word, language_code

LONGEST_LINE: Final = 2000
"""How long a line may be, in characters."""
_TIMES: Final = "[xX×]"
_FINISHES: Final = {
    **{
        "f": "foil",
        "e": "etched",
        "foil": "foil",
        "etched": "etched",
        "etched foil": "etched",
        "foil etched": "etched",
    },
    **{"holo": "foil", "holofoil": "foil", "reverse holo": "reverse holo", "reverse foil": "reverse holo"},
    **{"normal": "normal", "nonfoil": "normal", "non-foil": "normal", "1st edition": "1st Edition"},
}
_PLAIN_FINISHES: Final = frozenset(("f", "e", "foil", "etched"))
"""These stand behind a name without any mark, too."""
_PLAIN_CONDITIONS: Final = frozenset(("nm", "nm-mt", "lp", "mp", "hp", "dmg"))
"""Of the grades' short forms these do; ex, gd and sp are words of names."""
_NO_LANGUAGES: Final = frozenset(("sp", "cs", "ct", "he", "la", "ar", "sa", "ph"))
"""Short forms of languages that are rather something else: a grade, a set."""

# --- lines that are no card ---------------------------------------------------------------------------------

_DECK: Final = frozenset(
    {
        *("deck", "main", "mainboard", "main deck", "maindeck", "cards", "commander", "commanders", "companion"),
        *("creature", "creatures", "land", "lands", "basic lands", "instant", "instants", "sorcery", "sorceries"),
        *("artifact", "artifacts", "enchantment", "enchantments", "planeswalker", "planeswalkers", "battle", "battles"),
        *("spells", "other spells", "instants and sorceries", "pokémon", "trainer", "energy", "monsters", "traps"),
        *("legend", "champion", "battlefields", "runes", "leader", "units"),
    }
)
_NOT_THE_DECK: Final = frozenset(
    ("sideboard", "side", "side deck", "maybeboard", "considering", "tokens", "display commander")
)
_ABOUT: Final = frozenset(("about", "metadata"))
_HEADING: Final = re.compile(
    r"(?://|#|=+)? ?(?P<bracket>\[)?(?P<words>[^\W\d_]+(?: [^\W\d_]+){0,2})\]?:?(?: ?\(?\d{1,3}\)?)?(?: cards)?:?"
)
_TOTAL: Final = re.compile(r"Total Cards[:-] ?\d+")

# --- what may stand in front --------------------------------------------------------------------------------

_BULLET: Final = re.compile(r"(?:[•·▪◦‣–—]+|[-*](?= )) *(?=\S)")
_LIST_NUMBER: Final = re.compile(r"\d{1,4}[).] +(?=\S)")
_PART: Final = re.compile(
    r"(?P<part>sb|side|sideboard|maybeboard|commander|companion|main|mainboard): ?(?=\d)", re.IGNORECASE
)
_COPIES_BEFORE: Final = (
    re.compile(rf"(?P<copies>\d{{1,6}})(?:{_TIMES} ?| [x×] )(?=\S)"),
    re.compile(rf"{_TIMES} ?(?P<copies>\d{{1,6}}) (?=\S)"),
    re.compile(r"[(\[](?P<copies>\d{1,4})[)\]] ?(?=\S)"),
    re.compile(r"(?P<copies>\d{1,6}) (?=\S)(?![A-Za-z]{0,3}\d+[a-z★]?$)(?![xX×] ?\d)"),
    re.compile(r"(?P<copies>\d{1,3})(?=[^\W\d_]{3})(?!st |nd |rd |th )"),
)
_FINISH_BEFORE: Final = re.compile(r"(?P<finish>[Ff]oil|FOIL|[Ee]tched|ETCHED|[FfEe](?= \S*\d)) (?=\S)")
_PARTS_BESIDE: Final = frozenset(("sb", "side", "sideboard", "maybeboard"))

# --- what may stand behind, each with what is before it as `rest` -------------------------------------------

_SET_FIRST: Final = re.compile(r"\[(?P<set>\w{1,10}):(?P<number>[^\s\]]{1,12})\] (?P<rest>.+)")
# Forge writes Name|SET|[number]; a number without brackets counts pictures, a plus is foil.
_OF_FORGE: Final = re.compile(
    r"(?P<rest>[^|]+?)(?P<foil>\+)?\|(?P<set>\w{1,10})(?:\|(?:\[(?P<number>[^\s\]]{1,12})\])?(?P<tag>.*))?"
)
_NUMBER_ALONE: Final = re.compile(r"(?P<number>[A-Z][A-Z0-9]{0,5}-[A-Z]{0,2}\d{1,4}[a-z]?)(?: (?P<copies>\d{1,4}))?")
_STARS: Final = re.compile(r"(?P<rest>.*\S) ?(?:\*(?P<star>[^*]{1,20})\*|\^(?P<caret>[^^]{1,40})\^)")
_TAG: Final = re.compile(r"(?P<rest>.*?\S) (?:#|no\.? ?)(?P<number>\w*\d\w*[★†*]?)|(?P<named>.*?\S) #(?P<tag>\D.*)")
_BRACKET: Final = re.compile(
    r"(?P<rest>.*\S) ?"
    r"(?:\((?P<round>[^()]{1,80})\)|\[(?P<square>[^\[\]]{1,80})\]|(?P<tag>\{[^{}]{1,80}\}|<[^<>]{1,80}>))"
)
_BRACKET_AND_NUMBER: Final = re.compile(
    r"(?P<rest>.*\S) ?[(\[](?P<inside>[^()\[\]]{1,80})[)\]] ?(?:#|no\.? ?)?"
    r"(?P<number>(?![xX×]\d|\d+[xX×]$)[^\s()\[\]*#^{]*\d[^\s()\[\]*#^{]{0,19}\*?|[★†*])"
)
_APART: Final = re.compile(r"(?P<rest>.*\S)(?: [-–—] |, ?|: ?)(?P<word>[^,:]{1,30})")
_COPIES_BEHIND: Final = (
    re.compile(rf"(?P<rest>.*\S) {_TIMES} ?(?P<copies>\d{{1,6}})"),
    re.compile(rf"(?P<rest>.*\S) (?P<copies>\d{{1,6}}){_TIMES}"),
    re.compile(rf"(?P<rest>\S*\d\S*?){_TIMES}(?P<copies>\d{{1,6}})"),
)
_LETTER_BEHIND: Final = re.compile(r"(?P<rest>\S*\d\S*?)(?P<word>[FfEe])")
_WORDS_BEHIND: Final = re.compile(r"(?P<rest>.*\S) (?P<word>\S+ \S+)")
_WORD_BEHIND: Final = re.compile(r"(?P<rest>.*\S) (?P<word>\S+)")
# As Pokémon TCG Live writes it: Charmander OBF 26.
_BARE_SET: Final = re.compile(
    r"(?P<rest>.*\S) (?P<set>[A-Z][A-Z0-9]{1,3}(?:-[A-Z]{2,4})?) (?P<number>[A-Z]{0,3}\d{1,3})"
)
_CODE: Final = re.compile(r"(?=.*[A-Z])[A-Z0-9]{2,6}")
_CODE_AND_NUMBER: Final = re.compile(r"(?P<set>[A-Za-z0-9_]{1,10})[-:](?P<number>[★†]?\w*\d\w*[★†*]?|(?<=:)\*)")
_BETWEEN: Final = re.compile(r"\s*[,;:]\s*")
_TWO_NUMBERS: Final = re.compile(r"(\d+) (\d+)")
_NO_YEAR: Final = 999


class Reading(NamedTuple):
    """One way to read a line; what the line does not say is empty, and `copies` None.

    `beside` are words of which each is a set or a game, by its code or its name; `tags` are categories, colours and the
    like that lists are sorted by, `part` is that of a deck: `sb`. `written` is the name with the marks behind it.
    """

    name: str
    copies: int | None = None
    finish: str = ""
    beside: tuple[str, ...] = ()
    number: str = ""
    condition: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()
    part: str = ""
    written: str = ""
    is_plain: bool = True
    """Whether people who write so mean it so; otherwise it is only asked about."""

    @property
    def count(self) -> int:
        """How many copies there are: one where the line does not say it."""
        return 1 if self.copies is None else self.copies

    @property
    def set_said(self) -> str:
        """The last word beside the name, a code in lower case."""
        word = self.beside[-1] if self.beside else ""
        return word if " " in word else word.lower()

    @property
    def is_beside(self) -> bool:
        """Whether the card lies beside the deck, in a sideboard or the like."""
        return self.part in _PARTS_BESIDE


def heading_of(line: str) -> str | None:
    """The words of a heading in lower case, None where the line is none; any word in brackets is one."""
    match = _HEADING.fullmatch(line)
    if match is None:
        return None
    words = match["words"].casefold()
    return words if match["bracket"] or words in _DECK | _NOT_THE_DECK | _ABOUT else None


def is_about(heading: str | None) -> bool:
    """Whether what stands under a heading says something of the list, such as its name."""
    return heading in _ABOUT


def is_of_deck(heading: str | None) -> bool:
    """Whether what stands under a heading, or under none, is in the deck."""
    return heading is None or heading in _DECK


def is_comment(line: str) -> bool:
    """Whether a line is no card: a comment, a sum, a drawing of a layout."""
    return line.startswith(("#", "//", "LAYOUT ")) or bool(_TOTAL.fullmatch(line))


def tidy(line: str) -> str:
    """A line with single blanks, as it is read."""
    return " ".join(line.split())


def readings(line: str) -> list[Reading]:
    """Every way to read a line, in the order in which they are to be tried.

    >>> [one.name for one in readings("4 B.F.M. (Left)")]
    ['B.F.M. (Left)', 'B.F.M.', '4 B.F.M. (Left)', '4 B.F.M.']
    """
    text = tidy(line)
    fronts = list(dict.fromkeys(_fronts(text)))
    if fronts[0].count > _NO_YEAR:
        fronts.reverse()
    found = dict.fromkeys(one for front in fronts for one in _ever_shorter(front))
    if match := _TWO_NUMBERS.fullmatch(text):
        for number, copies in (match.groups(), match.groups()[::-1]):
            if len(copies) <= len("999999") and int(copies):
                found[Reading(number, int(copies), is_plain=False)] = None
    return list(found)


def fullest(line: str) -> Reading:
    """The reading in which most was read, for whoever does not know which names there are.

    >>> fullest("4x Lightning Bolt (M10) 146 *F*")[:5]
    ('Lightning Bolt', 4, 'foil', ('M10',), '146')
    """
    *_, last = _ever_shorter(_fronts(tidy(line))[0])
    return last


def _fronts(text: str) -> tuple[Reading, ...]:
    """A line with what stands in front of the name read, and with ever more of it left to the name."""
    part = ""
    for pattern in (_BULLET, _LIST_NUMBER):
        if match := pattern.match(text):
            text = text[match.end() :]
    if match := _PART.match(text):
        part, text = match["part"].casefold(), text[match.end() :]
    plain = Reading(text, part=part)
    finished = _with_finish(plain)
    fronts = _with_finish(_with_copies(finished)), _with_copies(plain), finished, plain
    return tuple(one._replace(written=one.name) for one in fronts)


def _with_copies(reading: Reading) -> Reading:
    for pattern in _COPIES_BEFORE:
        if (match := pattern.match(reading.name)) and (rest := reading.name[match.end() :])[:1] not in ")]":
            return reading._replace(name=rest, copies=int(match["copies"]))
    return reading


def _with_finish(reading: Reading) -> Reading:
    if reading.finish or not (match := _FINISH_BEFORE.match(reading.name)):
        return reading
    return reading._replace(name=reading.name[match.end() :], finish=_FINISHES[match["finish"].casefold()])


def _ever_shorter(reading: Reading) -> Iterator[Reading]:
    """A reading, and those with ever more of the name's end read as marks."""
    yield reading
    if whole := _NUMBER_ALONE.fullmatch(reading.name):
        copies = int(whole["copies"]) if whole["copies"] else reading.copies
        yield reading._replace(name="", number=whole["number"], copies=copies)
        return
    inside: tuple[tuple[str, str], ...] = ()
    while (step := _step(reading, inside)) is not None:
        reading, inside = step
        yield _settled(reading, inside)


def _settled(reading: Reading, inside: tuple[tuple[str, str], ...]) -> Reading:
    """A reading with the words in brackets that are no marks: the first names a set, square ones after it tags."""
    beside, tags = list(reading.beside), list(reading.tags)
    for mark, word in reversed(inside):
        if mark == "[" and beside:
            tags.append(word)
        else:
            beside.append(word)
    return reading._replace(beside=tuple(beside), tags=tuple(tags))


_Step = tuple[Reading, tuple[tuple[str, str], ...]]


def _step(reading: Reading, inside: tuple[tuple[str, str], ...]) -> _Step | None:
    """A reading with one mark less behind its name, and the words in brackets so far; None where there is none."""
    text = reading.name
    if (found := _of_other_programs(reading)) is not None:
        return found, inside
    if match := _STARS.fullmatch(text):
        word = match["star"] or match["caret"]
        if found := _marked(reading, match["rest"], word):
            return found, inside
        return reading._replace(name=match["rest"], tags=(*reading.tags, word)), inside
    if not reading.number and (match := _BRACKET_AND_NUMBER.fullmatch(text)) and not _mark_of(reading, match["inside"]):
        words = tuple(filter(None, _BETWEEN.split(match["inside"])))
        own = "" if match["number"] == "*" else match["number"]
        rest = reading._replace(name=match["rest"], number=own)
        if len(words) > 1 or ":" in match["inside"]:
            return rest._replace(beside=(*words, *rest.beside)), inside
        return rest, (*inside, ("(", match["inside"].strip()))
    if match := _BRACKET.fullmatch(text):
        return _bracketed(reading, match, inside)
    if match := _TAG.fullmatch(text):
        if match["tag"]:
            return reading._replace(name=match["named"], tags=(*reading.tags, match["tag"])), inside
        if not reading.number:
            return reading._replace(name=match["rest"], number=match["number"]), inside
    found = _behind(reading)
    return None if found is None else (found, inside)


def _of_other_programs(reading: Reading) -> Reading | None:
    """The line of a program that writes a card in a way of its own."""
    text = reading.name
    if match := _SET_FIRST.fullmatch(text):
        return reading._replace(name=match["rest"], beside=(match["set"],), number=match["number"])
    if match := _OF_FORGE.fullmatch(text):
        tags = (match["tag"].strip("|"),) if (match["tag"] or "").strip("|") else ()
        return reading._replace(
            name=match["rest"].strip(),
            finish="foil" if match["foil"] else reading.finish,
            beside=(match["set"],),
            number=match["number"] or "",
            tags=(*reading.tags, *tags),
        )
    if not reading.number and not reading.beside and (match := _BARE_SET.fullmatch(text)):
        return reading._replace(name=match["rest"], beside=(match["set"],), number=match["number"])
    return None


def _bracketed(reading: Reading, match: re.Match[str], inside: tuple[tuple[str, str], ...]) -> _Step:
    """A reading without the bracket at the end of its name."""
    rest = reading._replace(name=match["rest"])
    if match["tag"]:
        return rest._replace(tags=(*rest.tags, match["tag"][1:-1])), inside
    word = (match["round"] or match["square"]).strip()
    if word.isdecimal() and len(word) <= len("999") and rest.copies is None and int(word):
        return rest._replace(copies=int(word)), inside
    if not rest.number and (both := _CODE_AND_NUMBER.fullmatch(word)):
        own = both["number"].removesuffix("*")
        return rest._replace(beside=(both["set"], *rest.beside), number=own), inside
    if found := _marked(reading, match["rest"], word):
        return found, inside
    parts = tuple(filter(None, word.split("/")))
    if len(parts) < 2 or not all(_mark_of(rest, part) for part in parts):
        parts = tuple(filter(None, _BETWEEN.split(word)))
    if len(parts) > 1:
        for part in parts:
            rest = _marked(rest, rest.name, part) or rest._replace(beside=(*rest.beside, part))
        return rest, inside
    return rest, (*inside, ("(" if match["round"] else "[", word))


def _behind(reading: Reading) -> Reading | None:
    """A reading without the mark that stands behind its name in no brackets; None where there is none."""
    text = reading.name
    if match := _APART.fullmatch(text):
        word = match["word"].strip()
        if word.isdecimal() and reading.copies is None and len(word) <= 4 and int(word):
            return reading._replace(name=match["rest"], copies=int(word))
        if len(word) > 1 and (found := _marked(reading, match["rest"], word)):
            return found
        if not reading.beside and _CODE.fullmatch(word) and not word.isdecimal():
            return reading._replace(name=match["rest"], beside=(word,))
    if reading.copies is None:
        for pattern in _COPIES_BEHIND:
            if (match := pattern.fullmatch(text)) and int(match["copies"]):
                return reading._replace(name=match["rest"], copies=int(match["copies"]))
    if (match := _LETTER_BEHIND.fullmatch(text)) and not reading.finish:
        return reading._replace(name=match["rest"], finish=_FINISHES[match["word"].casefold()])
    if reading.beside or reading.number:  # a name stands before its set: its last word is no mark
        return None
    for pattern in (_WORDS_BEHIND, _WORD_BEHIND):
        if match := pattern.fullmatch(text):
            word = match["word"]
            if _stands_alone(word.casefold()) and (found := _marked(reading, match["rest"], word)):
                return found
    return None


def _stands_alone(folded: str) -> bool:
    """Whether a finish, a grade or a language may stand behind a name with no mark of its own."""
    is_long = len(folded) > 4 and _word(folded) is not None
    return folded in _PLAIN_FINISHES or folded in _PLAIN_CONDITIONS or is_long


def _marked(reading: Reading, rest: str, word: str) -> Reading | None:
    """A reading of which a word says the finish, the condition or the language; None where it says none of them."""
    kind = _mark_of(reading, word)
    if kind is None:
        return None
    field, value = kind
    return reading._replace(**{"name": rest, field: value})


def _mark_of(reading: Reading, word: str) -> tuple[str, str] | None:
    """What a word says that the line does not say elsewhere, and in house words; None for nothing."""
    found = _word(word.strip().casefold())
    return found if found is not None and not getattr(reading, found[0]) else None


@lru_cache(1 << 12)
def _word(folded: str) -> tuple[str, str] | None:
    if folded in _FINISHES:
        return "finish", _FINISHES[folded]
    if found := _condition(folded):
        return "condition", found
    code = language_code(folded)
    if code in LANGUAGES and len(folded) > 1 and folded not in _NO_LANGUAGES:
        return "language", code
    return None


def _condition(folded: str) -> str:
    found = condition_word(folded) if len(folded) > 1 else ""
    return found if found in CONDITIONS else ""
