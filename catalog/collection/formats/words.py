"""Finishes, conditions and languages: the house words, and what each app calls them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from catalog.holding import NORMAL

CONDITIONS: Final = (
    *("mint", "near-mint", "excellent", "good", "lightly-played", "moderately-played", "played"),
    *("heavily-played", "damaged", "poor"),
)
"""Best first. European and American scales use one word for different grades, so no grade is taken for another."""

FINISHES: Final = (NORMAL, "foil", "etched")
_REMEMBERED: Final = 1000
"""How many different words of an app are remembered."""
REVERSE: Final = "reverse holo"
"""A finish that shines everywhere but in the picture; some tables have a column for it."""

LANGUAGES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "en": ("English", "eng", "englisch", "anglais", "inglés", "inglese", "inglês"),
        "de": ("German", "deutsch", "ger", "allemand", "alemán", "tedesco", "alemão"),
        "fr": ("French", "français", "francais", "fra", "französisch", "francés", "francese", "francês"),
        "it": ("Italian", "italiano", "ita", "italienisch", "italien"),
        "es": ("Spanish", "español", "espanol", "sp", "spa", "spanisch", "espagnol", "spagnolo", "espanhol"),
        "pt": (
            *("Portuguese", "português", "portugues", "portuguese (brazil)", "portuguesebrazil", "pt-br", "por"),
            *("portugiesisch", "portugais", "portugués", "portoghese"),
        ),
        "ja": ("Japanese", "jp", "jpn", "japanisch", "japonais", "japonés", "giapponese", "japonês"),
        "ko": ("Korean", "kr", "kor", "koreanisch", "coréen", "coreano"),
        "ru": ("Russian", "rus", "russisch", "russe", "ruso", "russo"),
        "zhs": ("Simplified Chinese", "chinese simplified", "chinese (simplified)", "s-chinese", "cs", "cn", "zh-cn"),
        "zht": (
            "Traditional Chinese",
            "chinese traditional",
            "chinese (traditional)",
            "t-chinese",
            "ct",
            "tw",
            "zh-tw",
        ),
        "he": ("Hebrew",),
        "la": ("Latin",),
        "grc": ("Ancient Greek",),
        "ar": ("Arabic",),
        "sa": ("Sanskrit",),
        "ph": ("Phyrexian",),
        "qya": ("Quenya",),
    }
)
"""Codes as the catalogue has them, and what people call them; the first name is the one to write."""

_CONDITION_WORDS: Final = {
    **{name: name for name in CONDITIONS},
    **{"m": "mint", "mt": "mint", "nm": "near-mint", "nm-mt": "near-mint", "near-mint-mint": "near-mint"},
    **{"ex": "excellent", "gd": "good", "good-lightly-played": "good"},
    **{"lp": "lightly-played", "sp": "lightly-played", "light-played": "lightly-played"},
    **{"slightly-played": "lightly-played", "mp": "moderately-played", "medium-played": "moderately-played"},
    **{"pl": "played", "hp": "heavily-played", "heavy-played": "heavily-played", "d": "damaged", "dm": "damaged"},
    **{"dmg": "damaged", "po": "poor"},
}
_FINISH_WORDS: Final = {
    **dict.fromkeys(("", "no", "false", "0", "regular", "normal", "nonfoil", "non-foil", "standard"), NORMAL),
    **dict.fromkeys(("-", "n", "nein", "non", "não", "nao"), NORMAL),
    **dict.fromkeys(("y", "ja", "oui", "sí", "sì", "si", "sim"), "foil"),
    **dict.fromkeys(("yes", "true", "1", "x", "foil", "holo", "premium", "holofoil"), "foil"),
    **dict.fromkeys(("f",), "foil"),
    **dict.fromkeys(("etched", "foil etched", "etched foil", "foil-etched", "etchedfoil", "foil_etched"), "etched"),
    **dict.fromkeys(
        (
            *("reverse", "reverse holo", "reverse holofoil", "reverseholo", "reverseholofoil", "reverse foil", "rh"),
            *("reverse-holo", "reverse-holofoil", "holo reverse", "reverse_holo", "reverse holographic", "rev holo"),
        ),
        REVERSE,
    ),
}
_LANGUAGE_WORDS: Final = {word.casefold(): code for code, names in LANGUAGES.items() for word in (code, *names)}


def condition_word(text: str) -> str:
    """The house word for a condition; a word that nobody knows is kept as it is.

    >>> condition_word("NearMint"), condition_word("light_played"), condition_word("Good (Lightly Played)")
    ('near-mint', 'lightly-played', 'good')
    """
    spaced = "".join(f" {letter}" if letter.isupper() else letter for letter in text) if text[1:2].islower() else text
    folded = "-".join("".join(c if c.isalnum() else " " for c in spaced.casefold()).split())
    return _CONDITION_WORDS.get(folded, _CONDITION_WORDS.get(text.casefold(), text))


def finish_word(text: str) -> str:
    """The house word for a finish, such as foil; a word that nobody knows is kept as it is.

    >>> finish_word("Yes"), finish_word("regular"), finish_word("1st Edition")
    ('foil', 'normal', '1st Edition')
    """
    return _FINISH_WORDS.get(text.casefold(), text)


def language_code(text: str) -> str:
    """The code of a language as the catalogue has it; a word that nobody knows is kept as it is.

    >>> language_code("Japanese"), language_code("jp"), language_code("Klingon")
    ('ja', 'ja', 'Klingon')
    """
    return _LANGUAGE_WORDS.get(text.casefold(), text)


def language_name(code: str) -> str:
    """What people call a language."""
    return LANGUAGES[code][0] if code in LANGUAGES else code


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one app writes the house words; what `conditions` lacks is written as the nearest grade that it has."""

    finishes: Mapping[str, str] = field(default_factory=lambda: {NORMAL: "", "foil": "foil", "etched": "etched"})
    conditions: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    free_finish: bool = False
    """Whether a finish that the app has no word for may be written as it is."""
    _read: dict[tuple[str, str], str] = field(default_factory=dict, repr=False, compare=False)
    """What was read before: a table has a few words, and each of them in every row."""

    def has_finish(self, finish: str) -> bool:
        """Whether the app can tell a finish from others."""
        return self.free_finish or finish in self.finishes

    def has_condition(self, condition: str) -> bool:
        """Whether the app can tell a condition from others; what is not a grade is written as it is."""
        return not self.conditions or condition in self.conditions or condition not in CONDITIONS

    def finish(self, finish: str) -> str:
        """The app's word for a finish."""
        return self.finishes.get(finish, finish if self.free_finish else self.finishes.get("foil", ""))

    def condition(self, condition: str) -> str:
        """The app's word for a condition: the same grade, else the next worse one that it has, else the worst."""
        if self.has_condition(condition):
            return self.conditions.get(condition, condition)
        place = CONDITIONS.index(condition)
        known = [grade for grade in CONDITIONS if grade in self.conditions]
        worse = [grade for grade in known if CONDITIONS.index(grade) > place]
        return self.conditions[worse[0] if worse else known[-1]]

    def language(self, code: str) -> str:
        """The app's word for a language."""
        return self.languages.get(code) or language_name(code)

    def condition_read(self, text: str) -> str:
        """The house word for what the app wrote."""
        return self._known("condition", text) or self._found("condition", text, self.conditions, condition_word)

    def finish_read(self, text: str) -> str:
        """The house word for what the app wrote."""
        return self._known("finish", text) or self._found("finish", text, self.finishes, finish_word)

    def language_read(self, text: str) -> str:
        """The code for what the app wrote."""
        return self._known("language", text) or self._found("language", text, self.languages, language_code)

    def _known(self, kind: str, text: str) -> str:
        return self._read.get((kind, text), "")

    def _found(self, kind: str, text: str, words: Mapping[str, str], otherwise: Callable[[str], str]) -> str:
        folded = text.casefold()
        found = next((ours for ours, theirs in words.items() if theirs.casefold() == folded and theirs), "")
        found = found or otherwise(text)
        if len(self._read) < _REMEMBERED:
            self._read[kind, text] = found
        return found


PLAIN: Final = Dialect()
"""The words of tables that have none of their own."""


EUROPEAN: Final = ("mint", "near-mint", "excellent", "good", "lightly-played", "played", "poor")
AMERICAN: Final = ("near-mint", "lightly-played", "moderately-played", "heavily-played", "damaged")


def _grades(grades: tuple[str, ...], words: str) -> dict[str, str]:
    return dict(zip(grades, words.split(","), strict=True))


MOXFIELD_GRADES: Final = {
    "mint": "Mint",
    **_grades(AMERICAN, "Near Mint,Lightly Played,Moderately Played,Heavily Played,Damaged"),
}
TCGPLAYER_GRADES: Final = _grades(AMERICAN, "Near Mint,Lightly Played,Moderately Played,Heavily Played,Damaged")
ARCHIDEKT_GRADES: Final = _grades(AMERICAN, "NM,LP,MP,HP,D")
CARDTRADER_GRADES: Final = {
    **{"mint": "Mint", "near-mint": "Near Mint", "lightly-played": "Slightly Played", "played": "Played"},
    **{"moderately-played": "Moderately Played", "heavily-played": "Heavily Played", "poor": "Poor"},
}
MANABOX_GRADES: Final = _grades(EUROPEAN, "mint,near_mint,excellent,good,light_played,played,poor")
DRAGONSHIELD_GRADES: Final = _grades(EUROPEAN, "Mint,NearMint,Excellent,Good,LightPlayed,Played,Poor")
CARDMARKET_GRADES: Final = _grades(EUROPEAN, "MT,NM,EX,GD,LP,PL,PO")
DECKBOX_GRADES: Final = {
    **{"mint": "Mint", "near-mint": "Near Mint", "good": "Good (Lightly Played)", "played": "Played"},
    **{"heavily-played": "Heavily Played", "poor": "Poor"},
}
CODES: Final = {code: code for code in LANGUAGES}
