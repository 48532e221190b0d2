"""Finding a name that a person typed: names are folded to what one hears in them, then compared word by word."""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

LOWEST_SCORE: Final = 62.0
"""Below this a name is not an answer, out of 100."""

_PUNCTUATION = str.maketrans({chr(c): " " for c in range(128) if not chr(c).isalnum()} | {"'": None})
_PLAIN = bytes(c if chr(c).isalnum() else ord(" ") for c in range(256))
_APART = str.maketrans(
    {"’": "'", "æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "đ": "d", "ł": "l", "ı": "i", "þ": "th", "ð": "d"}
)
LONGEST_QUERY: Final = 200
"""How much of a folded query is compared, in characters."""


class NameHit(NamedTuple):
    """A name and how well it answers, 0 to 100; 100 is the name itself."""

    name: str
    score: float


@lru_cache(1 << 12)
def fold(name: str) -> str:
    """A name in the form in which names are compared: lower case, no accents, no punctuation, single spaces.

    >>> fold("Lim-Dûl's Vault"), fold("Æther   Vial // Jötun")
    ('lim duls vault', 'aether vial jotun')
    """
    text = name.casefold()
    if text.isascii():  # as nearly every name of a large catalogue is
        text = text.encode().translate(_PLAIN, b"'").decode()
    else:
        # Decomposed on both sides of `casefold`: it knows no 𝑨, and turns İ into two characters.
        text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold()).translate(_APART)
        text = "".join(c if c.isalnum() or c == "'" else " " for c in text if not unicodedata.combining(c))
        text = text.translate(_PUNCTUATION)
    return " ".join(text.split())


def rank(query: str, names: Iterable[tuple[str, str]], owned: frozenset[str] = frozenset()) -> list[NameHit]:
    """The names that answer a query, best first; `names` are (name, folded name) pairs.

    The name itself comes first, then names that begin with the query, names that hold all its words, and then names
    that are spelt nearly so, word by word and in any order. Among equals, `owned` names come first, then short ones.
    """
    from rapidfuzz import process
    from rapidfuzz.fuzz import ratio, token_sort_ratio

    wanted = fold(query)[:LONGEST_QUERY]
    if not wanted:
        return []
    pairs = list(names)
    folded = [pair[1] for pair in pairs]
    words = wanted.split()
    scores: dict[int, float] = {}
    for scorer, weight in ((ratio, 1.0), (token_sort_ratio, 0.97)):
        for _, score, index in process.extract(wanted, folded, scorer=scorer, score_cutoff=LOWEST_SCORE, limit=200):
            scores[index] = max(scores.get(index, 0.0), score * weight)
    parts = [name.split() for name in folded]
    meant = _meant(words, parts)
    for index, (name, have) in enumerate(zip(folded, parts, strict=True)):
        better = _by_words(wanted, words, name, have) or _by_misspelt_words(meant, have)
        if better > scores.get(index, 0.0):
            scores[index] = better
    found = [NameHit(pairs[index][0], score) for index, score in scores.items() if score >= LOWEST_SCORE]
    return sorted(found, key=lambda one: (-round(one.score), one.name not in owned, len(one.name), one.name))


def _by_words(wanted: str, words: Sequence[str], name: str, have: Sequence[str]) -> float:
    """The score of a name, which has these words, where it holds the query as it stands; 0 where it does not."""
    if wanted == name:
        return 100.0
    if words[0] not in name:
        return 0.0
    if name.startswith(wanted):
        return 96.0 if name.startswith(wanted + " ") else 92.0
    if all(word in have for word in words):
        return 90.0
    if all(any(part.startswith(word) for part in have) for word in words):
        return 80.0
    return 0.0


def _meant(words: Sequence[str], parts: Iterable[Sequence[str]]) -> list[dict[str, float]]:
    """For each word of a query the words of the names that may be meant by it, with their likeness, 0 to 100."""
    from rapidfuzz import process
    from rapidfuzz.fuzz import ratio

    vocabulary = list({word for have in parts for word in have})
    found = [process.extract(word, vocabulary, scorer=ratio, score_cutoff=75.0, limit=12) for word in words]
    return [{word: score for word, score, _ in near} for near in found]


def _by_misspelt_words(meant: Sequence[dict[str, float]], have: Sequence[str]) -> float:
    """The score of a name, which has these words, with a near one for every word of the query; 0 where it has not."""
    total = 0.0
    for near in meant:
        if near.keys().isdisjoint(have):
            return 0.0
        total += max(near[word] for word in have if word in near)
    return 0.88 * total / len(meant) - min(2.0 * abs(len(have) - len(meant)), 8.0)
