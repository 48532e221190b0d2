"""Names of cards: their normalised form, and searches for misspelt names."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from itertools import islice, zip_longest
from typing import Final, NamedTuple, Protocol

LOWEST_SCORE: Final = 62.0
"""Below this a name is not an answer, out of 100."""

_PUNCTUATION = str.maketrans({chr(c): " " for c in range(128) if not chr(c).isalnum()} | {"'": None})
_PLAIN = bytes(c if chr(c).isalnum() else ord(" ") for c in range(256))
_PLAIN_LINES = bytes(c if c == ord("\n") else plain for c, plain in enumerate(_PLAIN))
_APART = str.maketrans(
    {"’": "'", "æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "đ": "d", "ł": "l", "ı": "i", "þ": "th", "ð": "d"}
)
_GENDERS = str.maketrans({"♀": " f ", "♂": " m "})
"""Signs that tell names apart: Nidoran ♀ is also written Nidoran F."""
_TRADEMARKS = str.maketrans(dict.fromkeys("™℠"))
LONGEST_QUERY: Final = 200
"""How much of a folded query is compared, in characters."""


class NameHit(NamedTuple):
    """A name and how well it answers, 0 to 100; 100 is the name itself."""

    name: str
    score: float


@lru_cache(1 << 12)
def fold(name: str) -> str:
    """Return the normalised name: lower case, no accents, no punctuation, no trademark signs, single spaces.

    >>> fold("Lim-Dûl's Vault"), fold("Æther   Vial // Jötun"), fold("Homewrecker™"), fold("Nidoran♀")
    ('lim duls vault', 'aether vial jotun', 'homewrecker', 'nidoran f')
    """
    text = name.casefold()
    if text.isascii():  # as nearly every name of a large catalogue is
        text = text.encode().translate(_PLAIN, b"'").decode()
    else:
        # Decomposed on both sides of `casefold`: it knows no 𝑨, and turns İ into two characters. ™ would become tm.
        text = unicodedata.normalize("NFKD", name.translate(_TRADEMARKS))
        text = unicodedata.normalize("NFKD", text.casefold()).translate(_APART).translate(_GENDERS)
        text = "".join(c if c.isalnum() or c == "'" else " " for c in text if not unicodedata.combining(c))
        text = text.translate(_PUNCTUATION)
    return " ".join(text.split())


def fold_all(names: Sequence[str]) -> list[str]:
    """Return the normalised form of each of many names; all at once, this takes a third of the time.

    >>> fold_all(["Giant  Growth", "Ice // Fire"]), fold_all(["Lim-Dûl's Vault"])
    (['giant growth', 'ice fire'], ['lim duls vault'])
    """
    text = "\n".join(names)
    if text.isascii() and text.count("\n") == len(names) - 1:
        plain = text.lower().encode().translate(_PLAIN_LINES, b"'").decode()
        return [" ".join(line.split()) for line in plain.split("\n")]
    return [fold(name) for name in names]


def rank(query: str, names: Iterable[tuple[str, str]]) -> list[NameHit]:
    """Return the names that contain a query, and those with a similar spelling, best first.

    They are similar word by word, in any order.
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
    meant = _likely_words(words, parts)
    for index, (name, have) in enumerate(zip(folded, parts, strict=True)):
        better = _by_words(wanted, words, name) or _by_misspelt_words(meant, have)
        if better > scores.get(index, 0.0):
            scores[index] = better
    return _best_first(NameHit(pairs[index][0], score) for index, score in scores.items() if score >= LOWEST_SCORE)


def _best_first(hits: Iterable[NameHit]) -> list[NameHit]:
    return sorted(hits, key=lambda hit: (-round(hit.score), len(hit.name), hit.name))


def _by_words(wanted: str, words: Sequence[str], name: str) -> float:
    """Return the score of a name that contains the query literally, else 0."""
    # Steps of the score: the name; its beginning, up to a word or within one; all words; the beginnings of all.
    if wanted == name:
        return 100.0
    if words[0] not in name:
        return 0.0
    if name.startswith(wanted):
        return 96.0 if name.startswith(wanted + " ") else 92.0
    have = f" {name} "
    if not all(f" {word}" in have for word in words):
        return 0.0
    return 90.0 if all(f" {word} " in have for word in words) else 80.0


def _likely_words(words: Sequence[str], parts: Iterable[Sequence[str]]) -> list[dict[str, float]]:
    """Return, for each word of a query, the similar words of the names, with their similarity, 0 to 100."""
    from rapidfuzz import process
    from rapidfuzz.fuzz import ratio

    vocabulary = list({word for have in parts for word in have})
    found = [process.extract(word, vocabulary, scorer=ratio, score_cutoff=75.0, limit=12) for word in words]
    return [{word: score for word, score, _ in near} for near in found]


def _by_misspelt_words(meant: Sequence[dict[str, float]], have: Sequence[str]) -> float:
    """Return the score of a name with a similar word for every word of the query, else 0."""
    total = 0.0
    for near in meant:
        if near.keys().isdisjoint(have):
            return 0.0
        total += max(near[word] for word in have if word in near)
    # At most 88, so that names with all words as typed (90) come first; words too many or missing cost up to 8.
    return 0.88 * total / len(meant) - min(2.0 * abs(len(have) - len(meant)), 8.0)


MOST_EDITS: Final = 2
"""How many letters may be wrong, too many, missing or swapped with their neighbours."""
LONGEST: Final = 200
"""The most letters of a name that are compared."""
_LEAST_LIKE: Final = 75.0
"""Of 100: names that share a word and no more are other cards."""
_SHORTEST: Final = 0.6
"""A name shorter than this part of another one cannot be as similar as `_LEAST_LIKE`."""
_SHORTEST_PART: Final = 3
"""The fewest letters of a part of a name."""
_SURE: Final = (6, 18)
"""From these lengths on a name may be misspelt in one letter, and in two."""
_LONG_WORD: Final = 5  # letters of a word that may have a misread one
_LEAST_LIKE_WORD: Final = 70.0  # of 100: words that are less similar are other words
_MOST_WORDS: Final = 16  # near words for each word
_SHORTEST_HALF: Final = 4  # letters of a word that two written as one may consist of
_CACHE_SIZE: Final = 100_000
"""For how many names the nearest ones stay in memory."""
_MOST_COMPARED: Final = 1000
"""The size of a set up to which a name is compared with all of its names."""
_SETS_CACHED: Final = 4096
"""For how many sets all names stay in memory, joined to one text: a file may have rows of any set in any order."""


class Near(NamedTuple):
    """A name that may be meant, by its position in the list, and how many edits away; None for over `MOST_EDITS`."""

    position: int
    edits: int | None
    likeness: float
    """0 to 100."""


def nearest_names(
    folded: str,
    names: Sequence[str],
    limit: int = 3,
    more: Callable[[], Sequence[str]] = list,
    may_mean: Callable[[int], bool] = lambda position: True,
) -> list[Near]:
    """Return those of a list of normalised names that are nearest to a normalised name, best first.

    The order is: misspellings, names that contain it, other names a few edits away, and then, unless it is certainly
    misspelt, names that share words with it.

    Args:
        folded: The normalised name.
        names: The names; positions are counted in them.
        limit: The most names to return.
        more: Returns further names that share words with it, whose positions follow. Only called if they count.
        may_mean: Returns whether the name at a position counts. Only called for names that are near.
    """
    wanted = folded[:LONGEST]
    if not wanted:
        return []
    words, text = wanted.split(), "\0".join(names)
    edited_names = sorted(one for one in _by_edits(wanted, names) if may_mean(one[-1]))
    by_edits = [Near(position, edits, -unlike) for edits, unlike, position in edited_names]
    parts = _holding(wanted, names, limit, may_mean) if words[-1] in text else []
    if by_edits and parts:
        edited = {near.position: near for near in by_edits}
        parts = [edited.get(near.position, near) for near in parts]
    most = most_misspelt(wanted)
    sure = [near for near in by_edits if (near.edits or 0) <= most]
    found = dict.fromkeys((*sure, *parts, *by_edits))
    if len(found) < limit and not sure:
        further = more()
        if further or any(word in text for word in words):  # most unknown names share none
            seen = {near.position for near in found}
            sharing = (one for one in _sharing_words(wanted, [*names, *further]) if one.position not in seen)
            found |= dict.fromkeys(islice((one for one in sharing if may_mean(one.position)), limit))
    return list(found)[:limit]


def _by_edits(wanted: str, names: Sequence[str]) -> Iterator[tuple[int, float, int]]:
    """Yield the numbers of edits, the negative similarities and the positions of names."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA
    from rapidfuzz.fuzz import ratio

    # Every short name is a few edits away from any other.
    most = min(MOST_EDITS, (len(wanted) + 1) // 3)
    if not most:
        return
    for text, edits, position in process.extract(wanted, names, scorer=OSA.distance, score_cutoff=most, limit=None):
        # Two edits leave the first or the last letter alone, but for one name in hundreds, and that shares words.
        if text and (text[0] == wanted[0] or text[-1] == wanted[-1]):
            yield edits, -ratio(wanted, text), position


def _holding(wanted: str, names: Sequence[str], limit: int, may_mean: Callable[[int], bool]) -> list[Near]:
    """Return the names that contain all words of a normalised name; the last word may be a prefix."""
    from rapidfuzz.fuzz import token_sort_ratio

    if len(wanted) < _SHORTEST_PART:
        return []
    *whole, last = wanted.split()
    parts = {position: name.split() for position, name in enumerate(names) if last in name}
    found = (
        position
        for position, words in parts.items()
        if any(word.startswith(last) for word in words) and all(word in words for word in whole) and may_mean(position)
    )
    best = nsmallest(limit, found, key=lambda one: (_rank_holding(wanted, names[one]), len(names[one]), one))
    return [Near(one, None, token_sort_ratio(wanted, names[one])) for one in best]


def _rank_holding(wanted: str, name: str) -> int:
    """Return the rank of a name that contains all words; lower is better."""
    return 0 if name.startswith(f"{wanted} ") else 1 if name.startswith(wanted) else 2


def _sharing_words(wanted: str, names: Sequence[str]) -> Iterator[Near]:
    from rapidfuzz import process
    from rapidfuzz.fuzz import token_sort_ratio

    words = set(wanted.split())
    near = process.extract(wanted, names, scorer=token_sort_ratio, score_cutoff=_LEAST_LIKE, limit=None)
    return (Near(position, None, likeness) for name, likeness, position in near if not words.isdisjoint(name.split()))


def similar_lengths(name: str) -> tuple[int, int]:
    """Return the minimum and maximum length of names that are similar or a few edits away."""
    return (
        min(int(len(name) * _SHORTEST), len(name) - MOST_EDITS),
        max(int(len(name) / _SHORTEST) + 1, len(name) + MOST_EDITS),
    )


def most_misspelt(folded: str) -> int:
    """Return how many letters of a normalised name may be wrong before it may mean another card.

    >>> most_misspelt("fury"), most_misspelt("goblin guide"), most_misspelt("hollow ferryman the last")
    (0, 1, 2)
    """
    return sum(len(folded) >= length for length in _SURE)


def is_misread(read: str, name: str) -> bool:
    """Return whether a text is a name with misread letters: few, and none in short words or numbers.

    >>> is_misread("Ambor Griffin", "Amber Griffin"), is_misread("Soldier A", "Soldier B")
    (True, False)
    """
    from rapidfuzz.distance import OSA

    folded = fold(read), fold(name)
    words = [pair for pair in zip_longest(*map(str.split, folded), fillvalue="") if pair[0] != pair[1]]
    return OSA.distance(*folded) <= most_misspelt(folded[0]) and all(
        min(map(len, pair)) >= _LONG_WORD and not any(map(str.isdigit, "".join(pair))) for pair in words
    )


class NamePairs(Protocol):
    """Where all names are, and those of a set or of some games, each with its folded form."""

    def names(self, set_code: str, games: Collection[str] = ()) -> Sequence[tuple[str, str]] | None:
        """Return every name of a set with its normalised form, or None if there are too many."""

    def names_like(self, folded: str) -> Sequence[tuple[str, str]]:
        """Return the names that a normalised name may mean, with their normalised forms."""

    def names_sharing(self, folded: str) -> Sequence[tuple[str, str]]:
        """Return other names that share words with a normalised name, in the same form."""

    def has_name(self, name: str, set_code: str, games: Collection[str]) -> bool:
        """Return whether a card of a set, or of any if it is "", has a name; only cards of these games, or of all."""


class NearNames:
    """The names of a catalogue nearest to misspelt ones, in all sets or in one; each answer stays in memory."""

    def __init__(self, lookup: NamePairs, games: Collection[str] = ()) -> None:
        """Restrict the names to those of these games; none for all."""
        self._lookup, self._games = lookup, games
        self._of_set = lru_cache(_SETS_CACHED)(self._names_of_set)
        self._found = lru_cache(_CACHE_SIZE)(self._search)

    def nearest(self, name: str, code: str = "") -> list[str]:
        """Return the nearest names, best first."""
        return [spelled for spelled, _ in self._found(fold(name), code)]

    def sure(self, name: str, code: str = "") -> str:
        """Return the uniquely nearest name if it is within the edit distance allowed for its length, else "".

        In short names more letters make another card: Fury and Fry, Goblin Guide and Goblin Glider.
        """
        found, edits = self.likely(name, code)
        return found if edits <= most_misspelt(fold(name)) else ""

    def likely(self, name: str, code: str = "") -> tuple[str, int]:
        """Return the uniquely nearest name and its edit distance, or nothing if there is none."""
        near = [(spelled, edits) for spelled, edits in self._found(fold(name), code) if edits is not None]
        if not near or (len(near) > 1 and near[1][1] == near[0][1]):
            return "", 0
        return near[0]

    def tied(self, name: str) -> tuple[str, ...]:
        """Return the two names at the same smallest edit distance, or nothing if one is nearer."""
        near = self._found(fold(name), "")
        return tuple(spelled for spelled, _ in near[:2]) if near and near[0][1] is not None else ()

    def _search(self, folded: str, code: str) -> tuple[tuple[str, int | None], ...]:
        joined = self._of_set(code) if code else None
        if joined is not None:
            found = nearest_names(folded, joined[0].split("\0"))
            spelled = joined[1].split("\0") if found else []
            return tuple((spelled[one.position], one.edits) for one in found)
        forms = dict(self._lookup.names_like(folded))
        spelled = list(forms)

        def further_names() -> list[str]:
            known = len(forms)
            forms.update(self._lookup.names_sharing(folded))
            spelled.extend(list(forms)[known:])
            return list(forms.values())[known:]

        # Few names are near, so these are looked up in the set or the games, not all that share a part or a word.
        def may_mean(position: int) -> bool:
            return self._lookup.has_name(spelled[position], code, self._games)

        found = nearest_names(folded, list(forms.values()), more=further_names, may_mean=may_mean)
        return tuple((spelled[one.position], one.edits) for one in found)

    def _names_of_set(self, code: str) -> tuple[str, str] | None:
        """Return the normalised names of a set and its names, joined; None if there are too many."""
        pairs = self._lookup.names(code, self._games)
        if pairs is None or len(pairs) > _MOST_COMPARED or any("\0" in name for name, _ in pairs):
            return None
        return "\0".join(own for _, own in pairs), "\0".join(name for name, _ in pairs)


def near_words(words: Sequence[str], vocabulary: Iterable[Mapping[str, int]]) -> list[dict[str, int]]:
    """Return, for each word, the similar words of the vocabulary, best first, with their values.

    The vocabulary is passed in pieces. For a long word, its beginning and its end count as similar too.
    """
    from rapidfuzz import process
    from rapidfuzz.fuzz import ratio

    best: list[list[tuple[float, str]]] = [[] for _ in words]
    counts = dict[str, int]()
    for piece in vocabulary:
        terms = list(piece)
        for word, near in zip(words, best, strict=True):
            hits = process.extract(word, terms, scorer=ratio, score_cutoff=_LEAST_LIKE_WORD, limit=_MOST_WORDS)
            near += [(score, term) for term, score, _ in hits]
            if len(word) > 2 * _SHORTEST_HALF:
                long = (term for term in terms if len(term) >= _SHORTEST_HALF)
                parts = (term for term in long if word.startswith(term) or word.endswith(term))
                # A part of the word counts from 70, as a word that is barely near, to 100, by how much of it there is.
                near += [(_LEAST_LIKE_WORD + (100 - _LEAST_LIKE_WORD) * len(term) / len(word), term) for term in parts]
            near.sort(reverse=True)
            del near[_MOST_WORDS:]
        counts |= {term: piece[term] for near in best for _, term in near if term in piece}
    return [{term: counts[term] for _, term in near} for near in best]
