"""What a catalogue knows: which words are names of cards, sets, games or codes, and the cards of each."""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Final

from ccgrid.catalog.lines import WrittenCard, known_reading, may_be_code
from ccgrid.catalog.matching.asking import Lookup
from ccgrid.catalog.matching.candidates import Candidate, bare_name, forms, number_forms
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.matching.sets import SetNames, is_of_game
from ccgrid.catalog.words import fold as fold_word
from ccgrid.catalog.words import vocabulary

_SHORTEST_CODE: Final = 3
"""From this length on a client's code for a set needs no sign next to a name: `Slowbro SVI`, not `Mewtwo EX`."""


class KnownCards:
    """The cards of the games that count, by words that mean them. Answers are cached.

    Attributes:
        games: The games that count; all if empty.
    """

    def __init__(self, lookup: Lookup, games: Sequence[str] = ()) -> None:
        """Know the cards of these games, or of all."""
        self._lookup = lookup
        wanted = frozenset(games)
        # An empty set means every game: then there is nothing to filter.
        self.games = wanted if wanted and not wanted.issuperset(lookup.games()) else frozenset()
        # Caches of one object each: as decorators they would keep every object alive.
        self.cards_numbered = lru_cache(1 << 10)(self._cards_numbered)
        self.game_named = lru_cache(1 << 10)(self._game_named)
        self.knows_name = lru_cache(1 << 17)(self._knows_name)
        self.is_name = lru_cache(1 << 17)(self._is_name)
        self.is_place = lru_cache(1 << 14)(self._is_place)
        self.is_code = lru_cache(1 << 15)(self._is_code)
        self.reading = lru_cache(1 << 14)(self._reading)

    @cached_property
    def sets(self) -> SetNames:
        """The sets of the catalogue by their names and codes."""
        return SetNames(self._lookup.sets(), self._lookup.other_codes())

    @cached_property
    def only_game(self) -> str:
        """The game of all cards that count, or "" if they are of several."""
        games = list(self.games or self._lookup.games())
        return games[0] if len(games) == 1 else ""

    def _is_name(self, name: str) -> bool:
        """Return whether a name is that of a card, ignoring accents, case, punctuation and halves."""
        folded = fold(name)
        # A star is a part of some names, and elsewhere a mark.
        return bool(self._lookup.spelled(folded) if folded and "★" not in name else self._lookup.by_name(name))

    def _knows_name(self, name: str) -> bool:
        """Return whether a name is that of a card, ignoring accents, punctuation, halves and sites' additions."""
        return any(self._lookup.spelled(form) for form in forms(name))

    def _is_place(self, word: str) -> bool:
        """Return whether a word is a set or a game; a client's code of two letters may also be part of a name."""
        # Only a game's short name: another name of it may begin that of a set, such as Magic 2010.
        is_game = any(is_of_game(game, word) for game in self.games or self._lookup.games())
        if len(word) < _SHORTEST_CODE and word.casefold() in self._lookup.other_codes():
            return is_game or bool(self.sets.is_known(word))
        return is_game or bool(self.find_set(word))

    def _is_code(self, word: str) -> bool:
        """Return whether a word is the code of a card of the games that count."""
        return may_be_code(word) and bool(self.cards_coded(word))

    def _reading(self, line: str) -> WrittenCard | None:
        """Return the first reading of a line whose name exists, or None if there is none."""
        read = known_reading(line, self.is_name, self.is_place, self.is_code)
        # A letter tells cards of a name apart if others have letters, too: Unown [A], Unown [B].
        if read is None or not read.letter or any(self.is_name(f"{read.name} {letter}") for letter in "AB"):
            return read
        return read._replace(letter="")

    def find_set(self, text: str) -> str | None:
        """Return the code of the set that a text names by code, older code or name, or None."""
        found = self.sets.sets_of(Row(set_code=text, set_name=text))
        return found.codes[0] if found.codes else None

    def find_game(self, text: str) -> str:
        """Return the game that a text names, or "" if the catalogue has no card of it."""
        known = vocabulary().find("games", fold_word(text))
        games = self.games or self._lookup.games()
        return next((game for game in games if game == known or is_of_game(game, text)), "")

    def _game_named(self, text: str) -> str:
        """Return the game that a text names if it is no set, else ''."""
        return self.find_game(text) if text and self.find_set(text) is None else ""

    def cards_named(self, name: str, code: str = "") -> Sequence[Candidate]:
        """Return the cards that a name means, or those with the first of its forms that exists."""
        return self.cards_called(name, code) or self.cards_spelled(name, code)

    def cards_spelled(self, name: str, code: str = "") -> Sequence[Candidate]:
        """Return the cards with the first of a name's forms that exists."""
        for form in forms(name):
            if wanted := self.cards_with_names(self._lookup.spelled(form), code):
                return wanted
        return ()

    def cards_called(self, name: str, code: str = "") -> Sequence[Candidate]:
        """Return the cards that a name means; in each game only the nearest.

        A half means the whole name, `Ice` or `Fire` for `Fire // Ice`, unless a card of the games has the
        name of the half.
        """
        folded = fold(name)
        spelled = self._lookup.spelled(folded) if folded else ()
        names = dict.fromkeys((name, *spelled) if spelled or not folded else ())
        found = self.cards_with_names(names, code) or self.cards_with_names(self._lookup.names_with_half(folded), code)
        if len(names) < 2:
            return found
        distances: dict[str, int] = {}
        for card in found:
            distances[card.game] = min(distances.get(card.game, 9), _distance(name, folded, card))
        return [card for card in found if _distance(name, folded, card) == distances[card.game]]

    def cards_with_names(self, names: Iterable[str], code: str = "") -> Sequence[Candidate]:
        """Return the cards with any of these names as written, in a set or in all sets."""
        return self.keep_games([card for name in names for card in self._lookup.by_name(name, code or None)])

    def cards_of_set(self, code: str) -> Sequence[Candidate]:
        """Return the cards of one of the names of a set whose games are known."""
        names = self._lookup.names(code) or ()
        return self.keep_games(self._lookup.by_name(names[0][0], code)) if names else ()

    def _cards_numbered(self, number: str, code: str) -> Sequence[Candidate]:
        """Return the cards of a set with a collector number."""
        return self.keep_games(self._lookup.numbered(code, number_forms(number, code)))

    def cards_coded(self, code: str) -> Sequence[Candidate]:
        """Return the cards with a code of a whole card, such as `BT1-010`."""
        return self.keep_games(self._lookup.printed_with_code(code))

    def cards_printed(self, name: str) -> list[Candidate]:
        """Return every card on which a name is printed, also if data add to it: `Ley Line Nexus (141)`."""
        folded = fold(name)
        longer = [other for other, _ in self._lookup.names_from(folded) if bare_name(other) == folded] if folded else []
        found = (*self.cards_called(name), *self.cards_with_names(dict.fromkeys(longer), ""))
        return list({card.id: card for card in found}.values())

    def keep_games(self, cards: Sequence[Candidate]) -> Sequence[Candidate]:
        """Return those of some cards whose games count."""
        return [card for card in cards if card.game in self.games] if self.games else cards


def _distance(name: str, folded: str, card: Candidate) -> int:
    """Return the distance of a card's name from the written one: equal, equal in its language, or but for accents."""
    if name in (card.name, card.printed_name):
        return 0 if name == card.name else 1
    return 2 if folded == fold(card.name) else 3
