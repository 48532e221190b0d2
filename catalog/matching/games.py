"""Which game's card a row of a file means, where several games have cards that are called so."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Protocol

from catalog.matching.beside import is_of_game
from catalog.matching.choice import best, candidate_ids
from catalog.matching.lookup import Lookup, MatchResult
from catalog.matching.matcher import Matcher
from catalog.matching.row import Row
from catalog.matching.spellings import Candidate, same_number

SEVERAL: Final = "cards of several games are called so"
"""How the reason begins for which a row is missed that may mean cards of several games."""


class Shelf(Protocol):
    """What one owns."""

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids of which somebody owns copies."""


class FileMatcher:
    """Matches the rows of a file as `Matcher` does, and takes no game's card unsaid where several games have the name.

    A row may name a game where others name a set: `Griffin (wyvern)`. Else the games that the file's app is for come
    first, then what one owns, which is told; else nobody knows which card is meant, and the row is missed.
    """

    def __init__(
        self,
        lookup: Lookup,
        shelf: Shelf,
        known: Iterable[str],
        *,
        games: Sequence[str] = (),
        app: Sequence[str] = (),
        any_printing: bool = False,
    ) -> None:
        """`known` are the games of the catalogue, `games` those that are asked for, `app` those of the file's app."""
        self._lookup, self._shelf, self._any_printing = lookup, shelf, any_printing
        self._known = tuple(game for game in known if not games or game in games)
        self._app = frozenset(app)
        self._whole = Matcher(lookup, games=games, any_printing=any_printing)
        self._of = lru_cache(None)(self._matcher_of)
        self._said = lru_cache(1 << 10)(self._game_said)
        self.knows = self._whole.knows

    def match(self, row: Row) -> MatchResult:
        """What a row means."""
        found = self._whole.match(row)
        said = row.set_code or row.set_name
        if said and found.how == "missed" and (game := self._said(said)):
            return self._of(game).match(row._replace(set_code="", set_name="", written=""))
        if said or found.how != "name" or found.card is None or len(self._known) < 2:
            return found
        return self._of_one_game(row, found, found.card)

    def _of_one_game(self, row: Row, found: MatchResult, card: Candidate) -> MatchResult:
        """The match of a name, where one game has it, or something tells which of them is meant."""
        named = [one for one in self._lookup.named(card.name) if one.game in self._known]
        numbered = [one for one in named if row.number and same_number(one.number, row.number)] or named
        by_game: dict[str, list[Candidate]] = {}
        for one in numbered:
            by_game.setdefault(one.game, []).append(one)
        if len(by_game) < 2:
            return found
        if len(meant := by_game.keys() & self._app) == 1:
            return self._of(*meant).match(row)
        owned = self._shelf.owned_among([one.id for one in numbered])
        if len(meant := {one.game for one in numbered if one.id in owned}) == 1:
            (game,) = meant
            taken = self._of(game).match(row).card
            if taken is not None:
                return MatchResult(taken, "fuzzy", f"{SEVERAL}; this is the one of {game}, which you own", (taken.id,))
        candidates = [best(row, by_game[game]) for game in sorted(by_game)]
        return MatchResult(None, "missed", f"{SEVERAL}: {', '.join(sorted(by_game))}", candidate_ids(candidates))

    def _matcher_of(self, game: str) -> Matcher:
        return Matcher(self._lookup, games=(game,), any_printing=self._any_printing)

    def _game_said(self, text: str) -> str:
        """The game that a text names which is no set; '' where it is none."""
        if self._whole.find_set(text) is not None:
            return ""
        return next((game for game in self._known if is_of_game(game, text)), "")
