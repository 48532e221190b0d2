"""Whether something is as it should be, in a word that stands out and a sentence."""

from typing import Final

from ccgrid.view.drawing import Drawing
from ccgrid.view.output import shown

_GOOD: Final = "bold green"
_BAD: Final = "bold red"


def verdict(word: str, rest: str, *, good: bool) -> Drawing:
    """A line that begins with the word; what follows it may be a stranger's text."""
    return Drawing((((word, _GOOD if good else _BAD), (shown(rest), "")),))
