"""Finishes, conditions and languages of copies: the house words, and which of them people mean; pure."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from ccgrid.catalog.card import UnknownNameError
from ccgrid.catalog.holding import NORMAL

CONDITIONS: Final = (
    *("mint", "near-mint", "excellent", "good", "lightly-played", "moderately-played", "played"),
    *("heavily-played", "damaged", "poor"),
)
"""Best first. European and American scales use one word for different grades, so no grade is taken for another."""

FINISHES: Final = (NORMAL, "foil", "etched")
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
        "zhs": (
            "Simplified Chinese",
            "chinese simplified",
            "chinese (simplified)",
            "s-chinese",
            "cs",
            "cn",
            "zh-cn",
            "zh-hans",
        ),
        "zht": (
            "Traditional Chinese",
            "chinese traditional",
            "chinese (traditional)",
            "t-chinese",
            "ct",
            "tw",
            "zh-tw",
            "zh-hant",
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
    **{"light-play": "lightly-played", "moderate-play": "moderately-played", "heavy-play": "heavily-played"},
    **{"slightly-played": "lightly-played", "mp": "moderately-played", "medium-played": "moderately-played"},
    **{"pl": "played", "hp": "heavily-played", "heavy-played": "heavily-played", "d": "damaged", "dm": "damaged"},
    **{"dmg": "damaged", "po": "poor"},
}
_CONDITION_BEGINNINGS: Final = frozenset(word[:2] for word in _CONDITION_WORDS)
"""Most words that are looked up are those of names, and no conditions."""
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
FINISH_MARKS: Final = {
    **{word: house for word, house in _FINISH_WORDS.items() if re.search("foil|holo|etched|reverse|normal", word)},
    **{"e": "etched", "f": "foil"},
    **dict.fromkeys(("1st edition", "1st ed", "1st ed.", "first edition"), "1st Edition"),
    **{"cold foil": "Cold Foil", "rainbow foil": "Rainbow Foil"},
}
"""The words for a finish that may stand beside a name, where `yes` or `standard` may not."""
_OTHER_FINISHES: Final = frozenset(("foil", "holo", "holofoil", "edition", "limited", "unlimited"))
"""Words that only finishes have which some games alone know: 1st Edition, Cold Foil."""
_LETTERS: Final = re.compile(r"[^\W_]+")
_CAPITAL: Final = re.compile(r"[A-Z]")
_LANGUAGE_WORDS: Final = {word.casefold(): code for code, names in LANGUAGES.items() for word in (code, *names)}

WORDS_OF_MARKS: Final = frozenset(
    word for mark in (*FINISH_MARKS, *_CONDITION_WORDS, *_LANGUAGE_WORDS) for word in _LETTERS.findall(mark)
)
"""Every finish, condition and language that may stand beside a name begins and ends with one of these."""


def condition_word(text: str) -> str:
    """The house word for a condition; a word that nobody knows is kept as it is.

    >>> condition_word("NearMint"), condition_word("light_played"), condition_word("Good (Lightly Played)")
    ('near-mint', 'lightly-played', 'good')
    """
    if text[:1].isalpha() and text[:2].casefold() not in _CONDITION_BEGINNINGS:
        return text
    spaced = _CAPITAL.sub(r" \g<0>", text) if text[1:2].islower() and not text.islower() else text
    folded = "-".join(_LETTERS.findall(spaced.casefold()))
    return _CONDITION_WORDS.get(folded, _CONDITION_WORDS.get(text.casefold(), text))


def finish_word(text: str) -> str:
    """The house word for a finish, such as foil; a word that nobody knows is kept as it is.

    >>> finish_word("Yes"), finish_word("regular"), finish_word("1st Edition")
    ('foil', 'normal', '1st Edition')
    """
    return _FINISH_WORDS.get(text.casefold(), text)


def language_code(text: str) -> str:
    """The code of a language as the catalogue has it; a word that nobody knows is kept as it is.

    >>> language_code("Japanese"), language_code("zh_TW"), language_code("Klingon")
    ('ja', 'zht', 'Klingon')
    """
    return _LANGUAGE_WORDS.get(text.casefold().replace("_", "-"), text)


def known_finish(text: str) -> str:
    """The house word for a finish that a person typed; UnknownNameError suggests one where there is none such.

    >>> known_finish("F"), known_finish("1st Edition")
    ('foil', '1st Edition')
    """
    found = finish_word(text)
    if found in (*FINISHES, REVERSE) or not _OTHER_FINISHES.isdisjoint(found.casefold().split()):
        return found
    raise _unknown("finish", text, _FINISH_WORDS, (*FINISHES, REVERSE))


def known_condition(text: str) -> str:
    """The house word for a condition that a person typed; UnknownNameError suggests one where there is none such."""
    if (found := condition_word(text)) in CONDITIONS:
        return found
    raise _unknown("condition", text, _CONDITION_WORDS, CONDITIONS)


def known_language(text: str) -> str:
    """The code of a language that a person typed; UnknownNameError suggests one where there is none such."""
    if (found := language_code(text)) in LANGUAGES:
        return found
    raise _unknown("language", text, _LANGUAGE_WORDS, LANGUAGES)


def _unknown(what: str, text: str, words: Mapping[str, str], known: Iterable[str]) -> UnknownNameError:
    import difflib

    near = difflib.get_close_matches(text.casefold(), [word for word in words if len(word) > 2], cutoff=0.7)
    meant = list(dict.fromkeys(words[word] for word in near))
    hint = f"Did you mean {' or '.join(meant)}?" if meant else f"There are: {', '.join(known)}."
    return UnknownNameError(f"There is no {what} {text!r}. {hint}")


def language_name(code: str) -> str:
    """What people call a language."""
    return LANGUAGES[code][0] if code in LANGUAGES else code
