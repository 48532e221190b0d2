"""Lines of JSON, of which an array is made."""

from collections.abc import Iterable, Iterator


def json_array(lines: Iterable[str]) -> Iterator[str]:
    r"""Yield the text of a JSON array with one entry per line, given its entries as lines of JSON.

    >>> list(json_array(["1\n", "2\n"])), list(json_array([]))
    (['[\n1', ',\n2', '\n]\n'], ['[]\n'])
    """
    before = "[\n"
    for line in lines:
        yield before + line.removesuffix("\n")
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"
