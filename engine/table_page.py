"""What a game owes that is played with real cards on a page of its own, its part `page`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from catalog.card import Card


@dataclass(frozen=True, slots=True)
class TablePage:
    """The page of a deck, which knows the rules by data that the engine made.

    Attributes:
        package: where the page itself lies, `table.html`, and its script, `table.js`.
        options: the names of the options that the script knows.
        data: what the script is given, of a deck of legal cards by its name, and the options of a game.
    """

    package: str
    data: Callable[[str, Sequence[Card], Mapping[str, object]], dict[str, Any]]
    options: tuple[str, ...] = ()

    def text(self, name: str) -> str:
        """The text of one of the two files."""
        return (resources.files(self.package) / name).read_text(encoding="utf-8")
