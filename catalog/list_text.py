"""Roles of the lines of a list: card, heading, title, or remark such as a footer; pure.

Sites and apps write more into a list than its cards. The words of a line and the lines around it show its role: a
heading counts the cards below it, and a numbered list counts its lines. If only the lines around it suggest a heading,
a card of that name is preferred, if there is one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, Literal, NamedTuple

from ccgrid.catalog.lines import ABOUT, COUNTS_CARDS, DECK, heading_of, is_comment, is_heading_word, tidy

Role = Literal["card", "heading", "title", "remark", "blank"]

_AT_ONCE: Final = 20_000
"""The number of lines that are read together; a heading and its cards are rarely further apart."""


class ListLine(NamedTuple):
    """A line of a list.

    `text` is what is to be read as a card, without the number of a numbered list, or the words of a heading or title;
    `section` the heading that the line is under. `doubt` says why a card may rather be a heading.
    """

    number: int
    raw: str
    text: str
    role: Role
    section: str = ""
    doubt: str = ""


IN_BOLD: Final = "it may be a heading in bold"

_KINDS: Final = frozenset(
    {
        # Netrunner, Arkham Horror, Marvel Champions, A Game of Thrones, The Lord of the Rings
        *("agenda", "asset", "upgrade", "operation", "barrier", "code gate", "sentry", "event", "hardware", "resource"),
        *("icebreaker", "program", "identity", "other", "multi", "hero", "ally", "allies", "attachment", "attachments"),
        *("support", "side scheme", "player side scheme", "permanent", "investigator", "asset hand"),
        *("character", "characters", "location", "locations", "plot", "plots", "objective"),
        *("basic", "aggression", "justice", "leadership", "protection", "agendas", "assets", "events", "operations"),
        *("upgrades", "resources", "programs", "icebreakers", "ice", "skill", "skills", "story", "scenario"),
        # Vampire: The Eternal Struggle
        *("crypt", "library", "master", "action", "action modifier", "action modifier/combat", "political action"),
        *(
            "combat",
            "reaction",
            "equipment",
            "retainer",
            "conviction",
            "power",
            "reflex",
            "event/action",
            "ally/action",
        ),
        *("crypte", "krypta", "cripta", "bibliothèque", "bibliothek", "biblioteca", "master out of turn"),
        *("action/reaction", "action/combat", "combat/reaction", "action modifier/reaction", "reaction/combat"),
        # Yu-Gi-Oh!, Digimon, One Piece, Gundam, Union Arena
        *("main deck", "extra deck", "extra", "spell", "spell cards", "trap cards"),
        *("monster cards", "effect monsters", "normal monsters", "fusion", "synchro", "xyz", "link", "pendulum"),
        *("egg deck", "digi-egg deck", "digi-egg", "digi-eggs", "digimon", "tamer", "tamers", "option", "options"),
        *("digimon deck list", "digimon decklist", "stage", "stages", "leader", "base", "unit", "units", "pilot"),
        *("site", "sites", "field", "action point", "don!! deck", "don deck", "resource deck", "color"),
        # Pokémon, in the languages of its client
        *(
            "pokemon",
            "trainer cards",
            "trainers",
            "energies",
            "basic energy",
            "special energy",
            "item",
            "items",
            "tool",
        ),
        *("supporter", "stadium", "energie", "entrenador", "energía", "energia", "dresseur", "énergie", "allenatore"),
        *("treinador", "тренер", "энергия", "포켓몬", "트레이너스", "에너지", "ポケモン", "トレーナーズ", "エネルギー"),
        # Flesh and Blood, Lorcana, Riftbound, Star Wars: Unlimited, Hearthstone, Star Wars CCG, KeyForge
        *("arena cards", "deck cards", "weapons", "weapon", "hero / weapon / equipment", "red", "yellow", "blue"),
        *("pitch 1", "pitch 2", "pitch 3", "inventory", "actions", "songs", "song", "amethyst", "emerald"),
        *(
            "ruby",
            "sapphire",
            "steel",
            "ground units",
            "space units",
            "starting",
            "starting cards",
            "effect",
            "effects",
        ),
        *("interrupt", "interrupts", "weapon cards", "vehicle", "vehicles", "starship", "starships", "device"),
        *("devices", "epic event", "jedi test", "admiral's order", "admiral's orders", "defensive shield"),
        *("defensive shields", "chosen champion", "rune pool", "rune deck", "spell deck", "battlefield", "token"),
        # Trades
        *("have", "haves", "owned", "for trade", "ft", "trade", "trades", "trade list", "tradelist", "biete", "vendo"),
        # Magic, in other languages
        *("commander(s)", "signature spell", "oathbreaker", "creature spells", "noncreature", "nonbasic lands"),
        *("other", "others", "misc", "ramp", "removal", "draw", "kreaturen", "kreatur", "länder", "hexereien"),
        *("spontanzauber", "verzauberungen", "artefakte", "créatures", "créature", "terrains", "terrain", "éphémères"),
        *(
            "rituels",
            "enchantements",
            "artefacts",
            "criaturas",
            "tierras",
            "instantáneos",
            "conjuros",
            "encantamientos",
        ),
        *("artefactos", "creature", "terre", "istantanei", "stregonerie", "incantesimi", "artefatti", "terrenos"),
        *("mágicas instantâneas", "feitiços", "encantamentos", "artefatos", "クリーチャー", "土地", "インスタント"),
        *("ソーサリー", "エンチャント", "アーティファクト", "生物", "瞬间", "法术", "结界", "神器", "地"),
        *("существа", "земли", "мгновенные заклинания", "волшебство", "чары", "артефакты", "생물", "대지"),
    }
)
"""Kinds of cards and parts of decks that lists have as headings, with a count, a colon or signs about them."""
_ABOUT_TOO: Final = frozenset(
    {
        *("description", "beschreibung", "descripción", "descrizione", "descrição", "comments", "notes", "info"),
        *("à propos", "über", "informazioni", "acerca", "acerca de", "sobre", "information", "情報", "デッキ情報"),
        *("정보", "о колоде"),
    }
)
"""What is below these says something of the list, until a line has copies."""

_SIGNS: Final = r"[#=*~_<>/•·—–-]+"
_WORDS: Final = r"[^\W\d_]+(?:['’&/-][^\W\d_]+){0,4}(?:!!|\(s\))?"
_HEADING: Final = re.compile(
    rf"(?:(?P<sign>{_SIGNS}) ?)?(?P<bracket>\[)?(?P<words>{_WORDS}(?: (?:/ |& )?{_WORDS}){{0,3}})\]?"
    rf"(?P<colon> ?[:])?(?P<count> ?[-–(\[:]? ?(?P<cards>\d{{1,4}})(?: ?(?P<counted>(?!\d)[^\W\d_]+))?"
    r"(?:[,;]? [^()\[\]]*)?[)\]]?"
    rf"(?P<more>(?<=[)\]]) [A-Z][^()]*)?)?(?: ?(?P<end>{_SIGNS}))?:?"
)
_COUNTED: Final = re.compile(
    r"(?:[-*•] )?[(\[]?(?P<copies>\d{1,4})[)\]]?(?: ?[xX×*] ?| |[枚张張장] ?)(?=\S)|\d{1,4}x(?=[A-Z]{1,4}\d)"
)
"""A line with copies in front."""
_NUMBERED: Final = re.compile(
    r"(?:(?P<plain>\d{1,4})(?:\) ?|\. +)|\((?P<round>\d{1,4})\) ?|#(?P<hash>\d{1,4})[.):]? +)(?=\S)"
)
_RULE: Final = re.compile(r"(?!_+$)[\s|:=*_~·.#+—–-]{3,}")
_TABLE_ROW: Final = re.compile(r"\|.*\|")
_TABLE_RULE: Final = re.compile(r"\|[ |:-]*--[ |:-]*\|")
_TAG: Final = re.compile(
    r"\[/?(?:deck|decklist|list|cards?|mtg|spoiler|quote|code|center|b|i|u|table|tr|td)(?:=(?P<title>[^\[\]]*))?\]",
    re.I,
)
_TRADE: Final = {"[h]": "haves", "[w]": "wants"}
"""Headings of traders; `[W]` without `[H]` may be white cards."""
_TITLE: Final = re.compile(
    r"(?://|#)? ?(?:deck ?)?(?:name|nom|nombre|nome|titel|title|titre|titolo|título|名前|이름) ?[:=] ?(?P<title>.+)",
    re.IGNORECASE,
)
_ABOUT_NAME: Final = re.compile(r"(?:Name|Nom|Nombre|Nome|名前|이름|Имя)[ =:] ?(?P<title>.+)")
_FACT: Final = re.compile(
    r"(?:author|autor|auteur|autore|creator|created by|deck by|player|spieler|format|class|klasse|classe|clase"
    r"|archetype|archétype|arquetipo|event|tournament|turnier|tournoi|torneo|date|datum|fecha|data|place|placement|rank"
    r"|result|record|source|url|link|website|version|year|colou?rs?|faction|side|influence|price|total price|visibility"
    r"|last updated|updated|exported|export date|deck type|deck id|deck code|import code|region|country|location|season"
    r"|\d+\. platz|作者|フォーマット|格式|형식|автор|формат) ?[:=] ?.*",
    re.IGNORECASE,
)
_CARDS: Final = r"(?:cards?|karten?|cartes?|carte|cartas?|kaarten|kart[ay]?|карт[ыа]?|枚|张|張|장)"
_TOTALS: Final = (
    r"(?:total|totals|totales?|totali|totaal|gesamt|insgesamt|summe|somme|suma|razem|итого|всего|合計|合计|总计|총)"
)
_FOOTER: Final = re.compile(
    rf"\d+ ?{_CARDS}(?: {_TOTALS})?(?: \(.*\))?\.?"
    rf"|(?:grand )?{_TOTALS}(?: (?:de |di |of |number of )?{_CARDS})?(?: in deck)? ?[:=-]? ?\d+(?: ?{_CARDS})?"
    rf"|(?:nombre |número |numero )?(?:de )?{_CARDS} ?{_TOTALS} ?[:=-]? ?\d+|nombre total de {_CARDS} ?[:=-]? ?\d+"
    r"|\d+ influence (?:points? )?spent\b.*|\d+ agenda points?\b.*|\d+ experience (?:required|spent)\b.*|cards up to .+"
    r"|(?:deck ?list|deck) (?:published|posted|hosted|exported|created|built|made)\b.*|made with\b.*|see the full .+"
    r"|(?:exported|generated|created|built|imported) (?:from|by|with|on|at|using)\b.*|https?://\S+|www\.\S+"
    r"|.*\bdeck list\b.*\*+|\*+ .*\bdeck list\b.*|to use this deck\b.*|average .*\d.*|mana curve\b.*"
    r"|(?:min|max|avg|average)\b[^a-z]*\d.*",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"\bhttps?://\S+")
_HEARTHSTONE: Final = re.compile(r"# (?P<copies>\d+)x \(\d+\) (?P<name>\S.*)")
_BOLD: Final = re.compile(r"(?:\[b\].+\[/b\]|\*\*.+\*\*|<(?:b|strong|h[1-6])\b[^<>]*>.+</(?:b|strong|h[1-6])>)", re.I)
_HTML_LIST: Final = re.compile(r"\s*<(?:ul|ol|li|p|b)\b", re.IGNORECASE)
_CRYPT: Final = frozenset(("crypt", "crypte", "krypta", "cripta"))
_MOST_COUNTED: Final = 3
"""How many lines above the crypt may begin with a number, such as `16 players`, for them to describe a tournament."""
_LEAST_NUMBERED: Final = 3
"""From this many lines on `(1)`, `(2)`, `(3)` are a numbering; fewer may be copies."""


def is_html_list(start: str) -> bool:
    """Return whether a text begins as a list of a web page does, copied as its source.

    >>> is_html_list("<ul><li>4 Ant</li></ul>"), is_html_list("<deck>")
    (True, False)
    """
    return bool(_HTML_LIST.match(start))


def is_heading(line: str) -> bool:
    """Return whether a line alone shows that it is a heading of a list: `Crypt (12 cards, min=4, max=20, avg=3)`."""
    return next(list_lines([(1, line)])).role == "heading"


def list_lines(lines: Iterable[tuple[int, str]]) -> Iterator[ListLine]:
    """Yield each line of a list, numbered, with what it is.

    >>> for line in list_lines(enumerate(["Agenda (3)", "3x Hybrid Release ••", "49 cards (min 45)"], 1)):
    ...     print(line.role, line.text)
    heading agenda
    card 3x Hybrid Release
    remark 49 cards (min 45)
    """
    section, left = "", iter(lines)
    while some := list(islice(left, _AT_ONCE)):
        for line in _Lines(some).read(section):
            section = line.section
            yield line


def part_left_out(section: str) -> str:
    """Return the part of a list under a heading if it is not in the deck, such as a sideboard, else an empty string.

    A heading in brackets that is not known, `[Planes]`, is such a part; a kind of cards, `Agenda`, is not.
    """
    return "" if section in DECK or section in _KINDS or section in _ABOUT_TOO else section


def _is_kind(words: str) -> bool:
    """Return whether words are those of a heading, if something about them shows that they are one."""
    folded = words.casefold()
    return is_heading_word(folded) or folded in _KINDS or folded in _ABOUT_TOO


def _names_a_card(heading: re.Match[str]) -> bool:
    """Return whether the word after a bare count is a name, `need: 2 Shock`, and not what is counted, `24 Cards`."""
    word = heading["counted"] or ""
    is_bare = heading["count"] is not None and heading["count"].lstrip()[0].isdigit()
    return is_bare and word[:1].isupper() and not re.fullmatch(f"{_CARDS}|{_TOTALS}", word, re.I) and not _is_kind(word)


class _Lines:
    """Some lines of a list that are read together."""

    def __init__(self, lines: Sequence[tuple[int, str]]) -> None:
        self.lines = lines
        self.texts = [tidy(raw) for _, raw in lines]
        self.numbers = self._numbers()
        self.is_trade = _TRADE.keys() <= {text.casefold() for text in self.texts}
        self.last_before_crypt = self._before_crypt()

    def read(self, section: str) -> Iterator[ListLine]:
        for index, (number, raw) in enumerate(self.lines):
            text = self.texts[index]
            role, words, doubt = self._role(index, text, raw, section)
            if role == "heading":
                section = words
            yield ListLine(number, raw, words, role, section, doubt)

    def _role(self, index: int, text: str, raw: str, section: str) -> tuple[Role, str, str]:
        if not text:
            return "blank", "", ""
        if match := _HEARTHSTONE.fullmatch(text):
            return "card", f"{match['copies']} {match['name']}", ""
        if match := _TAG.fullmatch(text):
            return ("title", match["title"], "") if match["title"] else ("remark", text, "")
        if (words := heading_of(text)) is not None or (words := self._heading(index, text)):
            return "heading", _TRADE.get(f"[{words}]", words) if self.is_trade else words, ""
        if match := (_ABOUT_NAME if section in ABOUT or section in _ABOUT_TOO else _TITLE).fullmatch(text):
            return "title", match["title"], ""
        is_counted = bool(_COUNTED.match(text))
        if index <= self.last_before_crypt:
            return "remark", text, ""
        if section in ABOUT or (section in _ABOUT_TOO and not is_counted):
            return "remark", text, ""
        if is_comment(text) or _RULE.fullmatch(text) or _FACT.fullmatch(text) or _FOOTER.fullmatch(text):
            return "remark", text, ""
        if _ADDRESS.search(text) and not is_counted:
            return "remark", text, ""
        if _TABLE_ROW.fullmatch(text):
            if _TABLE_RULE.fullmatch(text) or (
                index + 1 < len(self.texts) and _TABLE_RULE.fullmatch(self.texts[index + 1])
            ):
                return "remark", text, ""
            return "card", text.strip("| "), ""
        if index in self.numbers:
            return "card", text[self.numbers[index] :], ""
        if self._counts_cards(index, text):
            return "card", text, COUNTS_CARDS
        if not is_counted and _BOLD.fullmatch(raw.strip()):
            return "card", text, IN_BOLD
        return "card", text, ""

    # --- headings -------------------------------------------------------------------------------------------------

    def _heading(self, index: int, text: str) -> str:
        """Return the words of a heading that is known by them and by what is about them, or an empty string."""
        match = _HEADING.fullmatch(text)
        if match is None:
            return ""
        words = match["words"].casefold().strip()
        if match["cards"] and not int(match["cards"]):
            return words  # no cards are below it
        if not _is_kind(words) or _names_a_card(match):
            return ""
        if match["sign"] or match["bracket"] or is_heading_word(words):
            return words
        below = next((text for text in self.texts[index + 1 : index + 4] if text and not _RULE.fullmatch(text)), "")
        if match["colon"] or match["count"]:
            # In a list such as `Sentry (4)`, `Bolt (2)` each line is a card.
            other = _HEADING.fullmatch(below)
            is_alike = other is not None and bool(other["cards"]) and not _is_kind(other["words"])
            return "" if is_alike else words
        is_about = words in _ABOUT_TOO and _ABOUT_NAME.fullmatch(below)
        return words if is_about or _COUNTED.match(below) else ""

    def _counts_cards(self, index: int, text: str) -> bool:
        """Return whether a line such as `Steel (2)` has as its number the copies in the lines below it."""
        match = _HEADING.fullmatch(text)
        if match is None or not match["cards"] or match["more"] or _COUNTED.match(text):
            return False
        total = 0
        for below in self.texts[index + 1 :]:
            counted = _COUNTED.match(below)
            if counted is None or not counted["copies"]:
                break
            total += int(counted["copies"])
        return total == int(match["cards"]) > 0

    def _before_crypt(self) -> int:
        """Return the place of the heading of a crypt, before which archives describe the deck; -1 if there is none."""
        for index, text in enumerate(self.texts):
            match = _HEADING.fullmatch(text)
            if match and match["words"].casefold() in _CRYPT and match["count"]:
                counted = [text for text in self.texts[:index] if _COUNTED.match(text)]
                is_below_cards = len(counted) > _MOST_COUNTED or any(re.match(r"\d+x ", text) for text in counted)
                return -1 if is_below_cards else index
        return -1

    # --- numbered lists -------------------------------------------------------------------------------------------

    def _numbers(self) -> dict[int, int]:
        """Return where the text of a numbered line begins, for lines with consecutive numbers."""
        found = [(index, match) for index, text in enumerate(self.texts) if (match := _NUMBERED.match(text))]
        numbers: dict[int, int] = {}
        for kind in ("plain", "round", "hash"):
            own = [(index, match.end(), int(match[kind])) for index, match in found if match[kind]]
            for run in _runs(own):
                is_long = len(run) >= _LEAST_NUMBERED and run[0][2] == 1
                if is_long or (kind == "plain" and (len(run) > 1 or run[0][2] == 1)):
                    numbers.update({index: end for index, end, _ in run})
        return numbers


def _runs(numbered: Sequence[tuple[int, int, int]]) -> Iterator[list[tuple[int, int, int]]]:
    """Yield the runs of lines with consecutive numbers."""
    run: list[tuple[int, int, int]] = []
    for one in numbered:
        if run and one[2] != run[-1][2] + 1:
            yield run
            run = []
        run.append(one)
    if run:
        yield run
