"""The grammar of a line that names a card: copies, name, set, number, finish and further marks; pure.

A line is read from both ends. In front may be a bullet, a list number, a part of a deck, copies and a finish. After
the name there may be marks in any order. Everything else stays in the name, so that nothing is lost. If a name may
contain something that looks like a mark, there are several readings. A caller that knows the names takes the first
reading whose name exists (`known_reading`), in this order:

1. copies in front are copies (a number of four digits is not: 1996 World Champion), else part of the name;
2. everything after it is part of the name; then the last mark is read, then the last two, and so on.

If no name is known, the most detailed reading counts (`most_detailed_reading`). A caller that knows the sets says which
words are one (`is_place`). These words then need no sign, `Lightning Bolt m10`, and may be in front of the name.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from ccgrid.catalog.card import PLAYSET
from ccgrid.catalog.copy_marks import MARKS
from ccgrid.catalog.copy_terms import REVERSE, condition_mark, finish_mark, language_code
from ccgrid.catalog.details import Details
from ccgrid.catalog.markup import TAG, unescape_entities
from ccgrid.catalog.words import fold, vocabulary

LONGEST_LINE: Final = 2000
"""The most characters of a line."""
_ALONE: Final = frozenset(("f", "e", "foil", "holo", "rh", "1st", "nm", "lp", "mp", "hp", "dmg"))
"""Words that are marks after a name without a sign, as longer words are; ex, gd and sp may be words of names."""
_NO_LANGUAGES: Final = frozenset(("cs", "ct", "he", "la", "ar", "sa", "ph", "por"))
"""Abbreviations of languages that are more likely sets."""

# --- lines that are no card -------------------------------------------------------------------------------------------

DECK: Final = frozenset(
    {
        *("deck", "main", "mainboard", "main deck", "maindeck", "cards", "commander", "commanders", "companion"),
        *("creature", "creatures", "land", "lands", "basic lands", "instant", "instants", "sorcery", "sorceries"),
        *("artifact", "artifacts", "enchantment", "enchantments", "planeswalker", "planeswalkers", "battle", "battles"),
        *("spells", "other spells", "instants and sorceries", "pokémon", "trainer", "energy", "monsters", "traps"),
        *("legend", "champion", "battlefields", "runes", "leader", "units"),
        *("hauptdeck", "deck principal", "mazo", "mazo principal", "mazzo", "mazzo principale", "baralho", "grimoire"),
        *("kommandeur", "gefährte", "commandant", "compagnon", "comandante", "compañero", "compagno", "companheiro"),
        *("統率者", "相棒", "지휘관", "사령관", "단짝", "командир", "компаньон", "指挥官", "行侣"),
        *("デッキ", "メインデッキ", "메인 덱", "덱", "套牌", "主牌", "колода"),
    }
)
"""Headings of cards in the deck. Cards without a heading are in the deck, too."""
_BESIDE_DECK: Final = frozenset(
    {
        *("sb", "sideboard", "side", "side deck", "tokens", "tokens & extras", "display commander", "planes/schemes"),
        *("réserve", "reserve", "banquillo", "reserva", "riserva", "beiboard", "sidedeck"),
        *("サイドボード", "サイドデッキ", "사이드보드", "사이드 덱", "备牌", "備牌", "сайдборд"),
    }
)
"""Parts of a list outside the deck, whose cards are owned like those of the deck."""
_CONSIDERED: Final = frozenset(
    {
        *("maybeboard", "maybe", "maybes", "considering", "under consideration", "acquireboard", "acquire"),
        *("wishlist", "wish list", "want list", "wantlist", "wants", "wanted", "to buy", "to acquire"),
        *("need", "needs", "needed", "missing", "looking for", "lf", "iso", "in search of", "not owned", "sold"),
        *("gesucht", "suche", "fehlt", "fehlen", "recherche", "manquantes", "busco", "faltan", "cerco", "mancanti"),
        *("vielleicht", "wunschliste", "suchliste", "peut-être", "à l'étude", "liste de souhaits", "souhaits"),
        *("quizás", "quizá", "tal vez", "lista de deseos", "deseados", "forse", "lista dei desideri", "desiderati"),
        *("talvez", "lista de desejos", "desejados", "misschien", "verlanglijst", "może", "lista życzeń"),
        *("検討中", "検討", "候補", "ほしい物リスト", "欲しいものリスト", "ウィッシュリスト", "备选", "候选", "愿望单"),
        *("고려 중", "위시리스트", "возможно", "список желаний"),
    }
)
"""Parts of a list whose cards are neither in the deck nor owned, but considered."""
ABOUT: Final = frozenset(("about", "metadata", "general"))
"""Headings of facts about the list, such as its name."""
COUNTS_CARDS: Final = "it may be the heading of the cards below it"
"""The doubt about a line such as `Steel (2)` above two cards."""
_NOT_HAD: Final = re.compile(r"(?:don['’]t have|getting)(?:,|$)", re.IGNORECASE)
"""Archidekt's labels of cards that are not owned: `^Don't Have,#f47373^`."""
_CATEGORY_MARKS: Final = re.compile(r"\{\w*\}")
_WORD: Final = r"[^\W\d_]+(?:['’/-][^\W\d_]+)*"
_HEADING: Final = re.compile(
    rf"(?://|#|=+)? ?(?P<bracket>\[)?(?P<words>{_WORD}(?: {_WORD}){{0,2}})\]?:?(?: ?\(?\d{{1,3}}\)?)?(?: cards)?:?"
)
_MARKUP: Final = re.compile(r"[<&`\\]|\]\(|\[\[|\[/|\[\*\]|\[\w+=|\*\*|__|_\(|\d[xX]? \*\w|^\*\w|\{[A-Z]\} Energy")
"""A sign of markup, which hardly any other line has."""
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0xFEFF: None,
    0x200B: None,
    0xFE0F: None,
}
_ENERGIES: Final = {
    **{"G": "Grass", "R": "Fire", "W": "Water", "L": "Lightning", "P": "Psychic", "F": "Fighting", "D": "Darkness"},
    **{"M": "Metal", "Y": "Fairy", "N": "Dragon", "C": "Colorless"},
}
"""The symbols of Pokémon's energies in lists of its clients: `Basic {R} Energy`."""
_TAGS: Final = (
    "b|i|u|s|url|card|cards|c|mtg|mtg_card|mtgcard|magic|color|size|font|center|quote|spoiler|list|li|deck|img"
)
_REPLACED: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    (TAG, ""),
    (re.compile(r"!?\[([^\[\]]+)\]\((?:https?://|www\.|\.{0,2}/|#)[^()\s]*(?: \"[^\"]*\")?\)"), r"\1"),
    (re.compile(r"\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]"), r"\1"),
    # A tag with a value or one that is closed in the same line; [s] and [list] alone may be a mark or a set. Twice,
    # because a tag may be inside another one: [b][url=…]Opt[/url][/b].
    (re.compile(rf"\[(?P<tag>{_TAGS})(?:=[^\[\]]*)?\](?P<text>.*?)\[/(?P=tag)\]", re.I), r" \g<text> "),
    (re.compile(rf"\[(?P<tag>{_TAGS})(?:=[^\[\]]*)?\](?P<text>.*?)\[/(?P=tag)\]", re.I), r" \g<text> "),
    (re.compile(r"^\[\*\]"), "* "),
    (
        re.compile(r"\*\*(.+?)\*\*|__(?=[^_])(.+?[^_])__|`([^`]+)`|_(\([^()]+\))_"),
        lambda match: match[match.lastindex or 0],
    ),
    (re.compile(r"^((?:[-*+] )?(?:\d+[xX]? )?)\*(\w[^*]{2,})\*"), r"\1\2"),
    (re.compile(r"[《「『〈]([^》」』〉]*)[》」』〉]"), r" \1 "),
    (re.compile(r"【([^】]*)】"), r" [\1] "),
    # The dots of influence, behind cards of Netrunner.
    (re.compile(r"(?<=\S)(?: ?[•●]+)+$"), ""),
    (re.compile(r"\{([GRWLPFDMYNC])\}(?= Energy)"), lambda match: _ENERGIES[match[1]]),
)
_TABS: Final = re.compile(r"\s*\t\s*")
_COMMENT: Final = re.compile(r"#(?!\d)|//|LAYOUT |Total Cards[:-] ?\d+$")


@cache
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """Compile patterns on first use, because most names have no marks."""
    return tuple(map(re.compile, patterns))


# --- what may be in front ------------------------------------------------------------------------------------------

_BULLET: Final = re.compile(
    r"(?:(?:[•·▪◦‣–—➤►▸▶→✓✔☐☑○●◆■□❖]+|[-*+>](?= )) *(?=\S))?(?:\[[ xX✓]?\] +(?=\S))?"
    r"(?:(?:(?P<listed>\d{1,4})(?:\)(?=[^\W\d])|[).] )|[a-z]\) ) *(?=\S)|[①-⑳] ?)?"
)
_PART: Final = re.compile(
    rf"({'|'.join(map(re.escape, sorted(_BESIDE_DECK | _CONSIDERED)))}|main|mainboard): ?(?=\d)"
    r"|(commander|companion|oathbreaker|hero|leader|identity|investigator|legend|champion|avatar|general) ?: ?(?=\S)",
    re.IGNORECASE,
)
_COPIES_BEFORE: Final = tuple(
    rf"{pattern}(?P<rest>\S.*)"
    for pattern in (
        r"(?:(?P<copies>\d{1,3}) |[Aa] )?(?P<playsets>(?i:playset)s?)(?: of|:)? ",
        r"(?P<copies>\d{1,6})(?:[xX×] ?|\* | ?[枚张張장] ?| [x×] | (?:(?:copies|cards?) )?of | cards? "
        r"| ?(?:pcs?|ea|[Ss]t(?:ück|k))\.? |[,;:] | [-|] |[,;|](?=[^\W\d]))(?![)\]])",
        r"(?:[xX×]|(?i:qty|quantity):?) ?(?P<copies>\d{1,6}):? ",
        r"[(\[](?P<copies>\d{1,4})[xX×]?[)\]] ?",
        r"(?P<copies>\d{1,6}) (?![A-Za-z]{0,3}\d+[a-z★]?$)(?![xX×] ?\d)",
        r"(?P<copies>\d{1,3})(?=[^\W\d_]{3})(?!st |nd |rd |th )",
    )
)
_HARMLESS: Final = frozenset(("cmdr", "commander"))
"""Marks between asterisks that do not change the kind of a copy."""
_APPS_MARKS: Final = {
    "f-etch": "etched",
    "f-pre": "foil",  # of a prerelease
    "rh": "reverse holo",
    "rf": "Rainbow Foil",
    "cf": "Cold Foil",
}
"""Words of TappedOut and traders for finishes, in brackets or between asterisks."""
_ONE_BEFORE: Final = re.compile(r"(?:an?|one) (?P<rest>\S.*)", re.IGNORECASE)
"""Tried last, because many names begin like this."""
_FINISH_BEFORE: Final = re.compile(r"(?P<word>[Ff]oil|FOIL|[Ee]tched|ETCHED|[FfEe](?= \S*\d)) (?P<rest>\S.*)")

# --- marks after the name: each group is named after its meaning; `rest` is the text before them --------------------

_NUMBER_ALONE: Final = re.compile(
    r"(?P<number>[A-Z][A-Z0-9]{0,5}-[A-Z]{0,2}\d{1,4}[a-z]?)(?: [xX×]?(?P<copies>\d{1,4}))?"
)
_PLACE_AND_NUMBER: Final = re.compile(r"(?P<place>[^\W_]{2,10})(?:[/_-]|:? #?)(?P<number>\d{1,4}[a-z]?)")
_TURNED: Final = re.compile(r"(?P<last>[^,]+), (?P<first>[^,]+)")
"""Inverted names, as in an index: `Bolt, Beacon`."""
# In this order: forms with signs of their own, then those that a name may have as well, single words last.
_BEHIND: Final = tuple(
    pattern.replace("REST", r"(?P<rest>.*\S)").replace("NUMBER", r"(?:#|№|[Nn](?:[or]\.?|[º°]|[uú]m\.) ?)")
    for pattern in (
        # XMage and Deckstats: [M10:146] Lightning Bolt, [M10#146] Lightning Bolt.
        r"\[(?P<set>\w{1,10})[:#](?P<number>[^\s\]]{1,12})\] (?P<rest>.+)",
        # Forge writes Name|SET|[number]; a number without brackets counts pictures, a plus is foil.
        r"(?P<rest>[^|]+?)(?P<plus>\+)?\|(?P<set>\w{1,10})(?:\|(?:\[(?P<number>[^\s\]]{1,12})\])?\|?(?P<tag>.*))?",
        # As Pokémon TCG Live writes it: Charmander OBF 26.
        r"REST (?P<bare>[A-Z][A-Z0-9]{1,3}(?:-[A-Z]{2,4})? #?[A-Z]{0,3}\d{1,3})(?P<parallel> PH)?",
        # A crypt line of Vampire: capacity, disciplines, perhaps a title, clan and group.
        r"(?P<rest>.*\S) (?:[1-9]|1[01]) (?:-none-|[A-Za-z]{3})(?: [^\d:]+| \d votes?)* ?: ?(?P<group>\d|ANY)",
        r"REST \(G(?P<group>\d|ANY)\)",
        r"REST ?\*(?P<starred>[^*^]{1,40})\*",
        r"REST ?\^(?P<label>[^*^]{1,40})\^",
        # MTGGoldfish, behind a set; elsewhere FE is Fallen Empires.
        r"(?P<rest>.*[\])]) \((?P<etched>FE)\)",
        r"REST ?[(\[](?P<place>[^()\[\]]{2,60}?),? #?(?P<number>\d{1,4}[a-z]?)(?:/\d{1,4})?[)\]]",
        r"REST ?[(\[](?P<before>[^()\[\]]{1,80})[)\]] ?NUMBER?"
        r"(?P<number>(?![xX×]\d|\d+[xX×]$)[^\s()\[\]*#^{<]*\d[^\s()\[\]*#^{<]{0,19}\*?|[★†*])",
        r"REST ?[{<](?P<before>\w{2,6})[}>] ?NUMBER?(?P<number>\d{1,4}[a-z]?)",
        r"REST (?P<star>[★☆✪✩⭐])",
        r"REST ?\((?P<round>[^()]{1,80})\)",
        r"REST ?\[(?P<square>[^\[\]]{1,80})\]",
        r"REST ?[{<](?P<curly>[^{}<>]{1,80})[}>]",
        r"REST(?: @)? ?(?P<tag>[$€£¥]\d{1,6}(?:[.,]\d\d)?|(?<= )\d{1,6}(?:[.,]\d\d)? ?[$€£¥])",
        r"(?P<rest>.*?\S) NUMBER(?P<number>\w*\d\w*[★†*]?)",
        r"(?P<rest>.*?\S) #(?P<hashed>\D.*)",
        r"REST [-–—] (?P<number>\w*\d/\w*\d+)",
        r"(?P<rest>.*[^\s,–—-]),?(?: [-–—])? (?P<copies>\d{1,6})(?:[xX×]| cop(?:y|ies)| pcs?\.?| [Ss]t(?:ück|k)\.?)",
        r"REST ?(?P<copies>\d{1,6}) ?[枚张張장]",
        r"REST (?:[xX×=]|\.{2,}|…|(?i:qty|quantity):?) ?(?P<copies>\d{1,6})",
        r"REST(?: (?:--|[-–—|]) |[,;:] ?)(?P<apart>[^,;:|]{1,40})",
        r"REST -- (?P<tag>\S+ \S.{1,80})",
        r"(?P<rest>\S*\d\S*?)[xX×](?P<copies>\d{1,6})",
        r"(?P<rest>\S*\d\S*?)(?P<word>[FfEe])",
        r"(?P<rest>.*[^\s/])(?: /)? (?P<alone>\S+ \S+)",
        r"(?P<rest>.*[^\s/])(?: /)? (?P<alone>\S+)",
    )
)
_CODE_WORD: Final = re.compile(
    r"[A-Z0-9]{1,8}(?:[-/][A-Z0-9]{1,8}){1,3}(?:_[a-z]\d{1,2})?|[A-Z0-9]{2,5}(?:_[A-Z0-9]+)+", re.I
)
_CODED: Final = (
    r"(?P<rest>.*[^\s([{<])[ ,:|–-]*[ ([{<](?P<code>[^\s()\[\]{}<>,:|]{4,24})[)\]}>]?",
    r"[(\[{<]?(?P<code>[^\s()\[\]{}<>,:|]{4,24})[)\]}>]?(?: [-–|]|:|,)? (?P<rest>(?![xX×=]? ?\d+$)\S.*)",
)
"""The code of a card after or before its name, if the codes are known: BT1-010, OP01-016_p1."""
_BESIDE_CODED: Final = (r"(?P<rest>.*\S) [xX×]?(?P<copies>\d{1,3})", r"(?P<rest>.*\S) \| (?P<tag>[^|]{1,40})")
_AMONG_PLACES: Final = (
    r"[(\[](?P<word>[^()\[\]]{2,20})[)\]]:? (?P<rest>\S.*)",
    r"[(\[](?P<place>[^()\[\]]{2,60})[)\]]:? (?P<rest>\S.*)",
    r"(?P<rest>.*\S) (?P<place>(?!\d+/)[^\s/_-]{1,10})[/_-](?P<number>[A-Z]{0,2}\d{1,4}[a-z]?)",
    r"(?P<rest>.*\S) (?P<number>\w*\d\w*/\w*\d+)",
    r"(?P<rest>.*\S)(?: (?:[-–—/|]|from) |[,;:] ?)(?P<place>[^,;:|]{2,60})",
    r"(?P<rest>.*\S) (?P<place>\S+) #?(?P<number>\d{1,4}[a-z]?)",
    r"(?P<rest>.*\S) (?P<place>\S+ \S+)",
    r"(?P<rest>.*\S) (?P<place>\S+)",
    r"(?P<place>[^\s:_]{2,10}?)(?:[-/_]|:? #?| \| )(?P<number>\d{1,4}[a-wyz]?)(?: \||:)? (?P<rest>\D.*)",
    r"(?P<number>\w*\d\w*/\w*\d+) (?P<rest>\D.*)",
    r"(?P<number>[A-Z0-9]{1,6}-[A-Z]{0,2}\d{1,4}[A-Za-z]?) (?P<rest>\D.*)",
    r"(?P<place>[^:|]{2,60}?)(?::| [-–—|]) (?P<rest>\S.*)",
    r"(?P<place>(?=[A-Z0-9]*[A-Z])[A-Z0-9]{3,6}) (?P<rest>\S.*)",
    r"(?P<word>[^\W\d_]{2,10}): (?P<rest>\S.*)",
    r"(?P<front>[^\W\d_]{2,10}) (?P<rest>\S.*)",
)
"""Patterns tried last, if the sets and games are known."""
_SIGNS: Final = re.compile(r"[^A-Za-z '\"/!?.&-]")
"""A sign without which, apart from a dash, there are at most words next to a name."""
_SHORT_CODE: Final = re.compile(r"\w{2,3}")
"""Names a set before a number, whatever else it may mean: `(JA) 12`, `[HP] 7`."""
_CODE: Final = re.compile(r"(?=.*[A-Z])[A-Z0-9]{2,6}")
_BEHIND_CODE: Final = re.compile(r"(?:[,;]| [-–—]) ?(?=[A-Z0-9]*[A-Z])[A-Z0-9]{2,6}$")
_CODE_AND_NUMBER: Final = re.compile(
    r"(?P<set>[A-Za-z0-9_]{1,10}(?=[-:])|\w{2,10}(?=,? ?#|,? n[ro]\.? ?\d)|\w{2,6}(?=[/.]\d{1,3}[a-z]?$)"
    r"|(?=\d*[A-Z])[A-Z0-9]{2,6}(?= \d{1,3}[a-z]?(?:/\d+)?$))"
    r"(?:[-:/.]|,? ?(?:# ?|[nN][ro]\.? ?)?)(?P<number>[★†]?\w*\d\w*[★†*]?|(?<=:)\*)(?:/\d+)?"
)
_COUNT_MARK: Final = re.compile(r"\d+x")
_COUNT_ALONE: Final = re.compile(r"[*xX×]?(?P<copies>\d{1,3})[*xX×]?")
"""A number between a name and its set and number, which is neither of them."""
_COUNTED: Final = re.compile(r"[xX×]* ?(\d{1,3}) ?(?:[xX×]*|cop(?:y|ies)|pcs?\.?)")
_BETWEEN: Final = re.compile(r"\s*[,;:]\s*")
_LATIN: Final = re.compile(r"[A-Za-z]")
_OTHER_SCRIPT: Final = re.compile(r"[\u0370-\u1fff\u2e80-\ud7ff\uf900-\ufaff]")
_TWO_NAMES: Final = re.compile(r" ?(//?|\|) ?")
_HASHES: Final = re.compile(r"#(?= ?!)")
_NUMBER_IN_WORDS: Final = re.compile(r"(?:(?:#|№|[Nn](?:[or]\.?|[º°])) ?)?(\d+)")
_TWO_NUMBERS: Final = re.compile(r"(\d+) (\d{1,6})")
_NO_YEAR: Final = 999  # copies; a larger number in front is rather a year
_MOST_MARK_WORDS: Final = 2  # of a mark without a sign: Near Mint


class WrittenCard(NamedTuple):
    """One way to read a line; what the line does not say is empty, and `copies` None.

    `beside` are words of which each is a set or a game, by its code or its name; `tags` are categories, colours and the
    like that lists are sorted by, `part` is that of a deck: `sb`. `apart` is a category that its owner keeps out of the
    deck.
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
    apart: str = ""
    is_plain: bool = True
    """Whether this is what such a line means; otherwise it is only offered."""
    unclear: str = ""
    """A mark of unknown meaning."""
    listed: int = 0
    """The number in front of the line in a list, `4)`, which may be its copies."""
    front: str = ""
    """A language, a grade or the like before the name, without a sign: it may be a part of the name."""
    letter: str = ""
    """A letter without asterisks that is read as a finish; in some names it is a part: Unown F."""
    group: str = ""
    """The group of a vampire, which distinguishes printings."""

    @property
    def copies_meant(self) -> int:
        """The number of copies; one if the line does not give it."""
        return 1 if self.copies is None else self.copies

    @property
    def question(self) -> str:
        """A sentence about a reading that is not certain."""
        own, name = self.copies, self.name
        if self.front:
            return f"{self.front!r} may be a part of the name: write '{name} ({self.front})'"
        if self.letter:
            return f"{self.letter!r} may be a part of the name: write '{name} *{self.letter}*' for the finish"
        if self.unclear:
            return f"{self.unclear!r} is unknown"
        if self.listed:
            return f"{self.listed} may be copies or the number of a line: write '{self.listed} {name}' or '1 {name}'"
        return f"{own} may be copies or a number: write '{own} {name}' or '{name} #{own}'"

    @property
    def set_hint(self) -> str:
        """The last word next to the name; a code in lower case."""
        word = self.beside[-1] if self.beside else ""
        return word if " " in word else word.lower()

    @property
    def note(self) -> str:
        """The tags that no field of copies covers."""
        return ", ".join(tag for tag in self.tags if tag not in MARKS)

    @property
    def details(self) -> str:
        """The tags that fields of copies cover, as `Details.text` writes them."""
        signed, altered, proxy = (int(mark in self.tags) for mark in MARKS)
        return Details(signed=signed, altered=altered, proxy=proxy).text()

    @property
    def is_beside(self) -> bool:
        """Whether the card is outside the deck, such as in a sideboard."""
        return is_beside(self.part)

    @property
    def left_out(self) -> str:
        """The part of the list with the card if it is not in the deck, else ""."""
        return self.apart or (self.part if is_beside(self.part) or is_considered(self.part) else "")

    @property
    def not_owned(self) -> str:
        """The part of the list, or the label, that marks the card as not owned, or ""."""
        label = next((tag.partition(",")[0] for tag in self.tags if _NOT_HAD.match(tag)), "")
        return self.apart or (self.part if is_considered(self.part) else label)


def is_beside(part: str) -> bool:
    """Return whether a part of a list is outside the deck, but its cards are owned.

    >>> is_beside("Sideboard"), is_beside("Maybeboard"), is_beside("main")
    (True, False, False)
    """
    return part.strip().casefold() in _BESIDE_DECK


def is_considered(part: str) -> bool:
    """Return whether a part of a list has cards that are neither in the deck nor owned.

    >>> is_considered("Maybeboard"), is_considered("Sideboard"), is_considered("main")
    (True, False, False)
    """
    return part.strip().casefold() in _CONSIDERED


def category_apart(text: str) -> str:
    """Return the first of the categories in a text if its cards are neither in the deck nor owned, else "".

    Archidekt marks categories that are not in the deck. The first category of a card decides.

    >>> category_apart("Maybeboard{noDeck}{noPrice},Ramp"), category_apart("Ramp,Maybeboard")
    ('Maybeboard', '')
    """
    first = text.split(",")[0]
    name = _CATEGORY_MARKS.sub("", first).strip()
    is_apart = is_considered(name) or ("{nodeck}" in first.casefold() and not is_beside(name))
    return name if is_apart else ""


def heading_of(line: str) -> str | None:
    """Return the words of a heading in lower case, or None if the line is none; any words in brackets are a heading."""
    match = _HEADING.fullmatch(line)
    if match is None:
        return None
    words = match["words"].casefold()
    return words if match["bracket"] or is_heading_word(words) else None


def is_heading_word(words: str) -> bool:
    """Return whether words in lower case are a part of a deck, and therefore a heading if they are alone on a line."""
    return words in (DECK | _BESIDE_DECK | _CONSIDERED | ABOUT) - {"sb"}


def is_comment(line: str) -> bool:
    """Return whether a line is not a card: a comment, a sum, or a drawing of a layout."""
    return bool(_COMMENT.match(line))


def tidy(line: str) -> str:
    """Return a line with single blanks and without markup.

    A tab separates like ` | `. Full-width signs become plain ones, and links their text.

    >>> tidy("４ 《Lightning Bolt》【M10】"), tidy("* 3x [Hedge Fund](https://example.org/1) _(Elevation)_ ●●")
    ('4 Lightning Bolt [M10]', '* 3x Hedge Fund (Elevation)')
    """
    text = " ".join(_TABS.sub(" | ", line.strip()).split())
    if text.isascii() and not _MARKUP.search(text):
        return text
    text = text.translate(_FULL_WIDTH)
    for pattern, replacement in _REPLACED:
        text = pattern.sub(replacement, text)
    return " ".join(unescape_entities(text).split())


def known_reading(
    line: str,
    is_name: Callable[[str], bool],
    is_place: Callable[[str], bool] | None = None,
    is_code: Callable[[str], bool] | None = None,
) -> WrittenCard | None:
    """Return the first reading of a line whose name exists, or None if there is no such reading.

    A reading with the code of a card needs no known name, because sites spell names differently.

    `is_place` tells whether words are a set or a game, by its code or its name; `is_code` whether a word is the code of
    a card, such as `BT1-010`.
    """
    coded: list[WrittenCard] = []
    for one in _readings(tidy(line), is_place, is_code):
        if not one.name or is_name(one.name):
            return one
        if is_code and one.number and is_code(one.number):
            coded.append(one)
    return min(coded, key=lambda one: len(one.name), default=None)


def most_detailed_reading(
    line: str, is_place: Callable[[str], bool] | None = None, is_code: Callable[[str], bool] | None = None
) -> WrittenCard:
    """Return the reading with the most marks, for callers that do not know the names.

    >>> most_detailed_reading("4x Lightning Bolt (M10) 146 *F*")[:5]
    ('Lightning Bolt', 4, 'foil', ('M10',), '146')
    """
    found = list(_shorten_repeatedly(_fronts(tidy(line))[0], is_place, is_code))
    # In an unknown name, keep a word that may be a part of it.
    return _judged(next((one for one in reversed(found) if not one.front), found[-1]))


def readings(
    line: str, is_place: Callable[[str], bool] | None = None, is_code: Callable[[str], bool] | None = None
) -> list[WrittenCard]:
    """Return every reading of a line, in the order in which to try them.

    >>> [one.name for one in readings("4 B.F.M. (Left)")]
    ['B.F.M. (Left)', 'B.F.M.', '4 B.F.M. (Left)', '4 B.F.M.']
    """
    return list(dict.fromkeys(_readings(tidy(line), is_place, is_code)))


def _judged(reading: WrittenCard) -> WrittenCard:
    """Return a reading that is plain only if a number in front of the line cannot be meant as its copies."""
    if not reading.listed:
        return reading
    return reading._replace(is_plain=False) if reading.copies is None else reading._replace(listed=0)


def _readings(
    text: str, is_place: Callable[[str], bool] | None, is_code: Callable[[str], bool] | None = None
) -> Iterator[WrittenCard]:
    most, counted, finished, plain = _fronts(text)
    tried: list[WrittenCard] = []
    # First try the reading with more in the name: four digits (`1996 World Champion`), a finish (`Etched Oracle`).
    is_year = most.copies_meant > _NO_YEAR
    for front in dict.fromkeys((plain, finished, counted, most) if is_year else (counted, most, plain, finished)):
        for reading in _shorten_repeatedly(front, is_place, is_code):
            tried.append(_judged(reading))
            yield tried[-1]
    for reading in tried:
        yield from _otherwise(reading, is_place)
    if match := _TWO_NUMBERS.fullmatch(text):
        for number, copies in (match.groups(), match.groups()[::-1]):
            if len(copies) <= len("999999") and int(copies):
                yield WrittenCard(number, int(copies), is_plain=False)


def _otherwise(reading: WrittenCard, is_place: Callable[[str], bool] | None) -> Iterator[WrittenCard]:
    """Yield other names if no card has the name: `a Name`, `Name, First`, two languages, a set and a number."""
    if reading.copies is None and (match := _ONE_BEFORE.fullmatch(reading.name)):
        yield reading._replace(name=match["rest"], copies=1)
    if match := _TURNED.fullmatch(reading.name):
        yield reading._replace(name=f"{match['first']} {match['last']}")
    if _OTHER_SCRIPT.search(reading.name) and len(parts := _TWO_NAMES.split(reading.name)[::2]) > 1:
        latin = [part for part in parts if not _OTHER_SCRIPT.search(part)]
        if 0 < len(latin) <= len(parts) / 2:  # 稲妻/Lightning Bolt, and both halves of a card in two languages
            yield reading._replace(name=" // ".join(latin))
    if reading.number:
        yield from _marks_before_number(reading)
    match = None if is_place is None or reading.number else _PLACE_AND_NUMBER.fullmatch(reading.name)
    if match and is_place and is_place(match["place"]):
        yield reading._replace(name="", beside=(*reading.beside, match["place"]), number=match["number"])


def _marks_before_number(reading: WrittenCard) -> Iterator[WrittenCard]:
    """Yield a reading with ever more words between the name and its number read as copies and marks.

    Only for names that are known then: the words may be parts of an unknown one, such as Mewtwo EX.
    """
    shorter: WrittenCard | None = reading
    while shorter is not None:
        reading, shorter = shorter, None
        words = reading.name.split()
        for length in range(min(_MOST_MARK_WORDS, len(words) - 1), 0, -1):
            rest, mark = reading._replace(name=" ".join(words[:-length])), " ".join(words[-length:])
            if count := _COUNT_ALONE.fullmatch(mark):
                shorter = _copies(rest, count["copies"])
            else:
                shorter = _word(rest, mark) or (_app_mark(rest, mark) if mark.casefold() in _APPS_MARKS else None)
            if shorter is not None:
                yield shorter
                break


def _fronts(text: str) -> tuple[WrittenCard, ...]:
    """Return a line with everything in front of the name read, and with ever more of it left in the name."""
    match, part = _BULLET.match(text), ""
    listed = int(match["listed"] or 0) if match else 0
    text = text[match.end() :] if match else text
    if match := _PART.match(text):
        part, text = (match[1] or match[2]).casefold(), text[match.end() :]
    plain = WrittenCard(text, part=part, listed=listed if listed > 1 else 0)
    finished = _with_finish(plain)
    return _with_finish(_with_copies(finished)), _with_copies(plain), finished, plain


def _with_copies(reading: WrittenCard) -> WrittenCard:
    matches = (pattern.fullmatch(reading.name) for pattern in _compiled(_COPIES_BEFORE))
    match = next(filter(None, matches), None)
    if match is None:
        return reading
    each = PLAYSET if match.groupdict().get("playsets") else 1
    return reading._replace(name=match["rest"], copies=int(match["copies"] or 1) * each)


def _with_finish(reading: WrittenCard) -> WrittenCard:
    match = _FINISH_BEFORE.fullmatch(reading.name)
    if match is None:
        return reading
    return _front(reading._replace(name=match["rest"]), match["word"]) or reading


def _shorten_repeatedly(
    reading: WrittenCard,
    is_place: Callable[[str], bool] | None = None,
    is_code: Callable[[str], bool] | None = None,
) -> Iterator[WrittenCard]:
    """Yield a reading, and those with ever more of the name's end read as marks."""
    shorter: WrittenCard | None = reading
    while shorter is not None:
        reading = shorter
        square = [tag for tag in reading.tags if isinstance(tag, _Square)]
        if square and not reading.beside:  # the first word in square brackets names a set if nothing else does
            known = [tag for tag in square if is_place(tag)] if is_place else []
            # Several words without a set are categories.
            sets = known or (square[:1] if is_place is None or len(square) == 1 else [])
            tags = tuple(tag for tag in reading.tags if not any(tag is one for one in sets))
            yield reading._replace(beside=tuple(map(str, sets)), tags=tags)
        else:
            yield reading
        if is_code and not reading.number and is_code(whole_code := reading.name.strip("()[]{}<> :")):
            yield reading._replace(name="", number=whole_code)
            return
        if whole := _NUMBER_ALONE.fullmatch(reading.name):
            copies = int(whole["copies"]) if whole["copies"] else reading.copies
            yield reading._replace(name="", number=whole["number"], copies=copies)
            return
        shorter = (_without_code(reading, is_code) if is_code else None) or _shorter(reading, is_place)


def _without_code(reading: WrittenCard, is_code: Callable[[str], bool]) -> WrittenCard | None:
    """Return a reading with the code of a card read, or the marks next to a name with a code; None without a code."""
    if reading.number and not is_code(reading.number):
        return None
    for pattern in _compiled(_BESIDE_CODED if reading.number else _CODED):
        match = pattern.fullmatch(reading.name)
        if match and (reading.number or is_code(match["code"])):
            found: WrittenCard | None = reading._replace(name=match["rest"].strip(" ,:|"))
            for group, text in match.groupdict().items():
                found = _SAYS[group](found, text) if found is not None and group in _SAYS else found
            if found is not None:
                return found
    return None


def _shorter(reading: WrittenCard, is_place: Callable[[str], bool] | None) -> WrittenCard | None:
    """Return a reading with one mark less after or before its name, or None if there is no mark."""
    patterns = _compiled(_BEHIND if _has_signs(reading.name) else _BEHIND[-2:])
    for pattern in patterns if is_place is None else (*patterns, *_compiled(_AMONG_PLACES)):
        if match := pattern.fullmatch(reading.name):
            groups = match.groupdict()
            place = groups.get("place", "a")
            if place.isdecimal() or ("place" in groups and not (is_place and is_place(place))):
                continue  # a number alone is more likely copies than a set
            rest = reading._replace(name=match["rest"].strip().rstrip(" ,;|"))
            in_front = match.start("rest") and rest.copies is None  # copies may follow the text in front of them
            found: WrittenCard | None = _with_copies(rest) if in_front else rest
            for group, text in groups.items():
                if text and found is not None and group in _SAYS:
                    found = _SAYS[group](found, text.strip())
            if found is not None and found.name:
                return found
    return None


# --- readers of groups; they return None if the field is set already or the text is another mark --------------------


class _Square(str):
    """A word in square brackets: a set, or a tag if a set precedes it."""


def _copies(reading: WrittenCard, text: str) -> WrittenCard | None:
    return reading._replace(copies=int(text)) if reading.copies is None and int(text) else None


def _number(reading: WrittenCard, text: str) -> WrittenCard | None:
    return None if reading.number else reading._replace(number=text if text != "*" else "")


def _set(reading: WrittenCard, text: str) -> WrittenCard:
    return reading._replace(beside=(text, *reading.beside))


def _tag(reading: WrittenCard, text: str) -> WrittenCard:
    return _word(reading, text) or reading._replace(tags=(text, *reading.tags))


def _word(reading: WrittenCard, text: str) -> WrittenCard | None:
    """Read a finish, a condition, a language, or a word that marks copies as signed, altered or proxies."""
    found = _house_word(folded := text.casefold())
    if found is not None and found[0] == "tags":
        return None if folded in reading.tags else reading._replace(tags=(folded, *reading.tags))
    fields: dict[str, Any] = dict([found] if found is not None else ())
    if len(text) == 1 and text.isalpha() and "finish" in fields:
        fields["letter"] = text
    return reading._replace(**fields) if fields and not getattr(reading, next(iter(fields))) else None


def _front(reading: WrittenCard, text: str) -> WrittenCard | None:
    found = _word(reading, text)
    # Traders write foil before names. NM and JP are no words of names, unless the whole line is in capitals.
    is_code = text.isupper() and len(text) < len("FOIL") and not reading.name.isupper()
    is_mark = is_code or text.casefold() in ("f", "e", "foil")
    return found if found is None or is_mark else found._replace(front=text)


def _label(reading: WrittenCard, text: str) -> WrittenCard:
    return (text.isdecimal() and _copies(reading, text)) or _tag(reading, text)


def _app_mark(reading: WrittenCard, text: str) -> WrittenCard | None:
    finish = _APPS_MARKS.get(text.casefold())
    # In brackets a word of another language is no word of the name: (brillante); shorter ones are rather sets.
    if finish is None and len(text) > len("PLIST") and text.isalpha():
        finish = vocabulary().find("finishes", fold(text))
    return reading._replace(finish=finish) if finish and not reading.finish else None


def _starred(reading: WrittenCard, text: str) -> WrittenCard:
    """Read a mark between asterisks, which apps use for the kind of a copy; an unknown one may be a finish."""
    if mark := _app_mark(reading, text):
        return mark
    found = _label(reading, text)._replace(letter=reading.letter)
    is_read = found.tags == reading.tags or found.tags[0] in MARKS or text.casefold() in _HARMLESS
    return found if is_read else found._replace(is_plain=False, unclear=f"*{text}*")


def _hashed(reading: WrittenCard, text: str) -> WrittenCard:
    """Read tags after a hash: facts about a copy at Deckstats, `#!Foil`, and the owner's words at Moxfield."""
    for tag in reversed(_HASHES.split(text)):
        if word := tag.strip().removeprefix("!").strip():
            reading = _tag(reading, word)
    return reading


def _before(reading: WrittenCard, text: str) -> WrittenCard | None:
    """Read brackets before a number: they name a set, and perhaps a game."""
    if not _SHORT_CODE.fullmatch(text) and _word(reading, text):
        return None
    first, *parts = _BETWEEN.split(text)
    for part in filter(None, reversed(parts)):
        reading = _word(reading, part) or _set(reading, part)
    return _set(reading, first) if first else None


def _bare(reading: WrittenCard, text: str) -> WrittenCard | None:
    code, number = text.replace("#", "").split()
    return None if reading.beside or reading.number else reading._replace(beside=(code,), number=number)


def _bracket(reading: WrittenCard, text: str, kind: type[str] = str) -> WrittenCard | None:
    if (counted := _COUNTED.fullmatch(text)) and (found := _copies(reading, counted[1])):
        return found
    if text.isdecimal() and (found := _number(reading, text)):
        return found
    if _OTHER_SCRIPT.search(text) and not _LATIN.search(text):  # the name in another language
        return _tag(reading, text)
    if not reading.number and (both := _CODE_AND_NUMBER.fullmatch(text)):
        return _set(reading._replace(number=both["number"].removesuffix("*")), both["set"])
    if found := _word(reading, text) or _app_mark(reading, text):
        return found
    parts = tuple(filter(None, text.split("/")))
    if len(parts) == 1 or not all(_house_word(part.strip().casefold()) for part in parts):
        parts = tuple(filter(None, _BETWEEN.split(text)))
    if len(parts) < 2:
        return _tag(reading, kind(text)) if kind is _Square else _set(reading, text)
    for part in reversed(parts):
        alone = _NUMBER_IN_WORDS.fullmatch(part.strip())
        number = _number(reading, alone[1]) if alone else None
        reading = _word(reading, part.strip()) or number or _set(reading, part)
    return reading


def _curly(reading: WrittenCard, text: str) -> WrittenCard | None:
    """Read braces or angle brackets: a number, set and number, or a word of the owner or app for the printing."""
    if (text.isdecimal() or _CODE_AND_NUMBER.fullmatch(text)) and not reading.number:
        return _bracket(reading, text)
    return _tag(reading, text)


def _square(reading: WrittenCard, text: str) -> WrittenCard | None:
    """Read words as in other brackets, or categories, the first of which shows whether the card is in the deck."""
    if (apart := category_apart(text)) and not reading.apart:
        return reading._replace(apart=apart)
    first, *others = (_CATEGORY_MARKS.sub("", category).strip() for category in text.split(","))
    if is_beside(first) and not reading.part:
        return reading._replace(part=first.casefold())
    if not others or _CODE_AND_NUMBER.fullmatch(text):
        return _bracket(reading, first if "{" in text else text, _Square)
    for category in filter(None, (*reversed(others), first)):
        number = _number(reading, category) if category.isdecimal() else None
        reading = _word(reading, category) or number or reading._replace(tags=(_Square(category), *reading.tags))
    return reading


def _apart(reading: WrittenCard, text: str) -> WrittenCard | None:
    """Read the text after a dash, comma or colon; after a code a small number is copies, a large one a number."""
    if text.isdecimal() and len(text) <= len("9999"):
        is_behind_code = _BEHIND_CODE.search(reading.name) is not None
        copies = None if is_behind_code and len(text) >= len("100") else _copies(reading, text)
        if copies and is_behind_code and int(text) > PLAYSET:
            return copies._replace(is_plain=False)
        return copies or _number(reading, text)
    if len(text) > 1 and (found := _word(reading, text)):
        return found
    return _set(reading, text) if not reading.beside and _CODE.fullmatch(text) else None


def _alone(reading: WrittenCard, text: str) -> WrittenCard | None:
    """Read a word after the name without a sign; before a set its last word is a mark only if it is a finish."""
    is_long = text.casefold().rstrip("+-") in _ALONE or len(text) > len("good")
    is_said = (reading.beside or reading.number) and text.casefold() not in ("foil", "etched")
    found = None if is_said else _word(reading, text)
    return found if found is not None and (is_long or (text.isupper() and found.language)) else None


_SAYS: Final[dict[str, Callable[[WrittenCard, str], WrittenCard | None]]] = {
    **{"copies": _copies, "number": _number, "set": _set, "place": _set, "tag": _tag, "word": _word, "label": _label},
    **{"starred": _starred, "hashed": _hashed, "group": lambda reading, text: reading._replace(group=text)},
    "front": _front,
    "code": lambda reading, text: reading._replace(number=text),
    **{
        "bare": _bare,
        "before": _before,
        "curly": _curly,
        "round": _bracket,
        "square": _square,
        "apart": _apart,
        "alone": _alone,
    },
    "star": lambda reading, text: reading._replace(is_plain=False, unclear=text),
    "etched": lambda reading, _: reading._replace(finish="etched"),
    "parallel": lambda reading, _: reading._replace(finish=REVERSE),
    "plus": lambda reading, _: reading._replace(finish="foil"),
}


def is_bare(text: str) -> bool:
    """Return whether a text has nothing but a name."""
    if _has_signs(text) or _ONE_BEFORE.match(text):
        return False
    words = text.casefold().split()
    ends = {word for word in (*words[-1:], *words[:1]) if word.isalpha()}
    if len(ends) == min(len(words), 2) and ends.isdisjoint(_mark_ends()):  # nearly every name
        return True
    return not any(map(_house_word, (" ".join(words[-2:]), *words[-1:], *words[:1])))


@cache
def _mark_ends() -> frozenset[str]:
    return vocabulary().marks.union(MARKS, ("playset", "playsets"))


def _has_signs(text: str) -> bool:
    return bool(_SIGNS.search(text)) or " - " in text or " -- " in text or text[:1] == "-"


def may_be_code(word: str) -> bool:
    """Return whether a word has the form of a card's code, such as BT1-010 or OP01-016_p1."""
    return bool(_CODE_WORD.fullmatch(word)) and any(map(str.isdigit, word))


def is_mark(word: str) -> bool:
    """Return whether a word is a finish, a condition, a language or a number of copies such as `4x`."""
    return _house_word(word.casefold()) is not None or bool(_COUNT_MARK.fullmatch(word))


@lru_cache(1 << 14)
def _house_word(folded: str) -> tuple[str, Any] | None:
    """Return the field of a reading that a word sets, and its canonical term; None if it is another word."""
    if folded in MARKS:
        return "tags", folded
    if folded in ("playset", "playsets"):
        return "copies", PLAYSET
    if (finish := finish_mark(folded)) is not None:
        return "finish", finish
    if len(folded) > 1 and (condition := condition_mark(folded)):
        return "condition", condition
    code = language_code(folded)
    if len(folded) > 1 and folded not in _NO_LANGUAGES and code in vocabulary().language_names:
        return "language", code
    return None
