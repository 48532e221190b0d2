"""The words of a large vocabulary that a misspelt one may stand for; pure, and in the memory of some thousand words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

_LEAST_LIKE: Final = 70.0
_MOST: Final = 16
_SHORTEST_PART: Final = 4


def near_words(words: Sequence[str], vocabulary: Iterable[Mapping[str, int]]) -> list[dict[str, int]]:
    """For each word those near it, the nearest first, with what the vocabulary says of them, such as how often it is.

    The vocabulary comes in pieces. A long word may also be two written as one: then its beginning and its end are near.
    """
    from rapidfuzz import process
    from rapidfuzz.fuzz import ratio

    best: list[list[tuple[float, str]]] = [[] for _ in words]
    counts = dict[str, int]()
    for piece in vocabulary:
        terms = list(piece)
        for word, held in zip(words, best, strict=True):
            hits = process.extract(word, terms, scorer=ratio, score_cutoff=_LEAST_LIKE, limit=_MOST)
            held += [(score, term) for term, score, _ in hits]
            if len(word) > 2 * _SHORTEST_PART:
                long = (term for term in terms if len(term) >= _SHORTEST_PART)
                parts = (term for term in long if word.startswith(term) or word.endswith(term))
                held += [(_LEAST_LIKE + (100 - _LEAST_LIKE) * len(term) / len(word), term) for term in parts]
            held.sort(reverse=True)
            del held[_MOST:]
        counts |= {term: piece[term] for held in best for _, term in held if term in piece}
    return [{term: counts[term] for _, term in held} for held in best]
