"""Small lists in JSON that stand beside the cards, such as one of all sets, checked against what they should be."""

import json
from typing import Any, Final, TypeVar

import msgspec

from catalog.card import CatalogError
from catalog.readers.archives import Tree

LARGEST: Final = 4 << 20
"""The largest list that is read, in bytes; real ones stay under 200 KiB."""

Kind = TypeVar("Kind")


def read_list(tree: Tree, pattern: str, kind: type[Kind]) -> list[Kind]:
    """The things in the first file of this name, none without such a file; CatalogError where it is not a list."""
    for name in tree.matching(pattern)[:1]:
        with tree.open(name) as stream:
            body = stream.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise CatalogError(f"{name}: a list of over {LARGEST >> 20} MiB. Is it the right file?")
        try:
            return msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"), type=list[kind])  # type: ignore[valid-type]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise CatalogError(f"{name}: not the list that it should be ({error}). Download it again.") from None
    return []


def read_fact(body: bytes) -> Any:
    """One value beside the cards, such as a set's name, in which a control character may stand; None for what is none.

    Cards are judged more strictly, one by one: each of them is counted, a fact would be lost without a word.
    """
    try:
        return json.loads(body, strict=False, parse_int=float)
    except (ValueError, RecursionError):
        return None


def as_documented(answer: Any, kind: type[Kind], what: str) -> list[Kind]:
    """A source's answer as the list that it should be; CatalogError says what is wrong with it."""
    try:
        return msgspec.convert(answer, list[kind])  # type: ignore[valid-type]
    except msgspec.ValidationError as error:
        raise CatalogError(f"{what} is not as documented ({error}). Is ccgrid up to date?") from None
