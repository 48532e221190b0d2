"""Which card of the catalogue a row of a file means: by id, set and number, name in its set, name; never silently.

A match is exact where everything that the row says agrees with the card. Where something does not, or the name is only
nearly the same, it is fuzzy and carries the reason; where no card is likely enough, or several are, it is missed.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from catalog.matching.lookup import Lookup, MatchResult
from catalog.matching.row import Row
from catalog.matching.search import fold
from catalog.matching.sets import MeantSets, SetNames
from catalog.matching.similar_names import Names
from catalog.matching.spellings import (
    Candidate,
    agrees,
    base_number,
    forms,
    number_forms,
    same_number,
    similarity,
)

CANDIDATES: Final = 3
"""How many cards a report names for a row that is in doubt."""

_ALIKE: Final = 75.0
"""From this similarity of 100 on, a name under the right set and number is a misspelt one."""


class Matcher:
    """Matches rows, one after the other; what was looked up once is kept."""

    def __init__(self, lookup: Lookup, *, games: Sequence[str] = (), any_printing: bool = False) -> None:
        self._lookup, self._games, self._any_printing = lookup, frozenset(games), any_printing
        self._sets = SetNames(lookup.sets())
        self._all: tuple[Names, Sequence[tuple[str, str]]] | None = None
        self._of_set: dict[str, tuple[Names, Sequence[tuple[str, str]]]] = {}

    def match(self, row: Row) -> MatchResult:
        """What a row means."""
        conflict: MatchResult | None = None
        for kind, value in row.ids:
            found = self._by_id(row, kind, value)
            if found is not None and found.card is not None:
                return found
            conflict = conflict or found
        sets = self._sets.meant(row)
        if not sets.codes and sets.said and row.written:
            whole = row._replace(name=row.written, set_code="", number="")
            if found := self._by_name(whole, [fold(row.written)]):
                return found
        found = self._in_sets(row, sets) if sets.codes else None
        if found is not None and (found.card is not None or not self._any_printing):
            return conflict or found if found.card is None else found
        if conflict is not None:
            return conflict
        return self._anywhere(row, sets, found)

    def find_set(self, text: str) -> str | None:
        """The code of the set that a text names by its code, an older one, or its name; None where there is none."""
        found = self._sets.meant(Row(0, "", (), "", text, text))
        return found.codes[0] if found.codes else None

    # --- by id ----------------------------------------------------------------------------------------------------

    def _by_id(self, row: Row, kind: str, value: str) -> MatchResult | None:
        """The card with an id; None where nobody has that id, and a miss where its name is another."""
        if kind == "card":  # an id of the catalogue was chosen by somebody
            card = self._lookup.card(value)
            return None if card is None else MatchResult(card, "id")
        cards = self._wanted(self._lookup.by_source_id(kind, value))
        if not cards:
            return None
        agreeing = [card for card in cards if not row.name or agrees(row.name, card)]
        if agreeing:
            return MatchResult(self._best(row, agreeing), "id")
        likely = max(cards, key=lambda card: similarity(row.name, card))
        if similarity(row.name, likely) >= _ALIKE:
            reason = f"the {kind} id is that of {likely.name!r}, not quite {row.name!r}"
            return MatchResult(likely, "fuzzy", reason, (likely.id,))
        if row.language not in ("", "en") and not self.knows(row.name):
            return MatchResult(likely, "id")
        return MatchResult(
            None, "missed", f"the {kind} id is that of {likely.name!r}, not of {row.name!r}", (likely.id,)
        )

    # --- by set, number and name ------------------------------------------------------------------------------------

    def _in_sets(self, row: Row, sets: MeantSets) -> MatchResult | None:
        """The card that a row means in the sets that it may mean."""
        miss: MatchResult | None = None
        for code in sets.codes:
            for searched in (code, f"t{code}") if "token" in row.name.casefold() else (code,):
                found = self._in_set(row, self._sets.code(searched))
                if found.card is not None:
                    return found
                miss = miss or found
        return miss

    def _in_set(self, row: Row, code: str) -> MatchResult:
        numbered = (
            self._wanted(self._lookup.numbered(code, tuple(number_forms(row.number, code)))) if row.number else []
        )
        if not row.name:
            if numbered:
                return self._numbered(row, numbered)
            return MatchResult(None, "missed", f"{code} has no number {row.number}")
        agreeing = [card for card in numbered if agrees(row.name, card)]
        if agreeing:
            return self._numbered(row, agreeing)
        named = self._named_in(row.name, code)
        if named:
            return self._by_name_in_set(row, code, named)
        foreign = row.language not in ("", "en") and not self.knows(row.name)
        if numbered and foreign:  # a name in a language that the catalogue has not: the number tells
            return MatchResult(self._best(row, numbered), "number")
        if numbered:
            likely = max(numbered, key=lambda card: similarity(row.name, card))
            if similarity(row.name, likely) >= _ALIKE:
                reason = f"number {row.number} of {code} is {likely.name!r}, not quite {row.name!r}"
                return MatchResult(likely, "fuzzy", reason, (likely.id,))
        near = self._near_in_set(row, code)
        if numbered:
            reason = f"number {row.number} of {code} is {numbered[0].name!r}, not {row.name!r}"
            return MatchResult(None, "missed", reason, _ids([numbered[0], *near]))
        return self._misspelt(row, code, near)

    def _numbered(self, row: Row, cards: Sequence[Candidate]) -> MatchResult:
        """The best of the cards with the number of a row; there are several where a number has several rarities."""
        best = self._best(row, cards)
        return MatchResult(best, "number", others=sum(card.lang == best.lang for card in cards) - 1)

    def _named_in(self, name: str, code: str) -> list[Candidate]:
        """The cards of a set with a name: as it is written, then folded, then without what sites add to it."""
        if found := self._wanted(self._lookup.named(name, code)):
            return found
        for form in forms(name):
            found = [
                card
                for spelled in self._lookup.spelled(form)
                for card in self._wanted(self._lookup.named(spelled, code))
            ]
            if found:
                return found
        return []

    def _by_name_in_set(self, row: Row, code: str, named: Sequence[Candidate]) -> MatchResult:
        best = self._best(row, named)
        alike = {card.number for card in named if card.lang == best.lang}
        if not row.number or not any(alike):
            return MatchResult(best, "name", others=len(alike) - 1)
        base = [card for card in named if base_number(card.number) == base_number(row.number)]
        reason = f"{code} has {best.name!r} as number {best.number}, not as {row.number}"
        if base or self._any_printing:
            best = self._best(row, base or named)
            reason = f"{code} has {best.name!r} as number {best.number}, not as {row.number}"
            return MatchResult(best, "fuzzy", reason, _ids([best, *named]))
        return MatchResult(None, "missed", reason, _ids([best, *named]))  # another printing is another card

    def _misspelt(self, row: Row, code: str, near: Sequence[Candidate]) -> MatchResult:
        """A row whose name a set lacks, in which `near` are the cards with the nearest names."""
        where = f"{code} has no card of that name"
        names, pairs = self._names_of(code)
        best = names.nearest(fold(row.name), 2)
        sure = best and best[0].edits is not None and (len(best) == 1 or best[1].edits != best[0].edits)
        if sure and near:
            chosen = near[0]
            if row.number and chosen.number and base_number(chosen.number) != base_number(row.number):
                return MatchResult(None, "missed", f"{where}, nor number {row.number}", _ids(near))
            reason = f"{pairs[best[0].position][0]!r} is nearly {row.name!r}"
            return MatchResult(chosen, "fuzzy", reason, _ids(near))
        return MatchResult(None, "missed", where, _ids(near) or self._elsewhere(row))

    def _near_in_set(self, row: Row, code: str) -> list[Candidate]:
        names, pairs = self._names_of(code)
        found = []
        for near in names.nearest(fold(row.name), CANDIDATES):
            if printings := self._wanted(self._lookup.named(pairs[near.position][0], code)):
                found.append(self._best(row, printings))
        return found

    # --- by name alone ----------------------------------------------------------------------------------------------

    def _anywhere(self, row: Row, sets: MeantSets, in_set: MatchResult | None) -> MatchResult:
        """A row that names no set that the catalogue has."""
        if in_set is not None:
            why = in_set.reason
        elif sets.said:
            why = f"the catalogue has no set {sets.said!r}"
        else:
            why = ""
        if not row.name:
            return in_set or MatchResult(None, "missed", why or "nothing tells which card it is")
        found = self._by_name(row, forms(row.name))
        if found is not None and found.card is not None:
            if not why:
                return found
            if self._any_printing:
                reason = f"{why}; this is the one from {found.card.set_name or found.card.set_code}"
                return MatchResult(found.card, "fuzzy", reason, (found.card.id,))
            return MatchResult(None, "missed", f"{why}; other sets have it", self._elsewhere(row))
        near = self._nearest(row)
        if why and not self._any_printing:
            return MatchResult(None, "missed", why, _ids(near))
        names, pairs = self._all_names()
        best = names.nearest(fold(row.name), 2)
        if best and best[0].edits is not None and near:
            if len(best) == 1 or best[1].edits != best[0].edits:
                reason = f"{pairs[best[0].position][0]!r} is nearly {row.name!r}"
                return MatchResult(near[0], "fuzzy", f"{why}; {reason}" if why else reason, _ids(near))
            both = " or ".join(repr(pairs[one.position][0]) for one in best)
            return MatchResult(None, "missed", f"it could be {both}", _ids(near))
        return MatchResult(None, "missed", why or "no card has a name like that", _ids(near))

    def _by_name(self, row: Row, forms: Sequence[str]) -> MatchResult | None:
        """The best printing, in all sets, of the name that a row gives, or that has one of these folded forms."""
        found = self._wanted(self._lookup.named(row.name))
        for form in forms:
            if not found:
                spelled = self._lookup.spelled(form)
                found = [card for name in spelled for card in self._wanted(self._lookup.named(name))]
        if not found:
            return None
        if (
            row.number
            and not row.set_code
            and (own := [card for card in found if same_number(card.number, row.number)])
        ):
            found = own
        best = self._best(row, found)
        return MatchResult(best, "name", others=len({card.id for card in found if card.lang == best.lang}) - 1)

    def _nearest(self, row: Row) -> list[Candidate]:
        names, pairs = self._all_names()
        found = []
        for near in names.nearest(fold(row.name), CANDIDATES):
            if printings := self._wanted(self._lookup.named(pairs[near.position][0])):
                found.append(self._best(row, printings))
        return found

    def _elsewhere(self, row: Row) -> tuple[str, ...]:
        """The printings of a name in other sets than the row's."""
        for form in forms(row.name):
            for name in self._lookup.spelled(form):
                if cards := self._wanted(self._lookup.named(name)):
                    return _ids(sorted(cards, key=lambda card: self._order(row, card)))
        return ()

    # --- what all of them use -----------------------------------------------------------------------------------------

    def _wanted(self, cards: Sequence[Candidate]) -> list[Candidate]:
        return [card for card in cards if not self._games or card.game in self._games]

    def knows(self, name: str) -> bool:
        """Whether a card is called so, as far as accents, punctuation, halves and what sites add go."""
        return any(self._lookup.spelled(form) for form in forms(name))

    def _best(self, row: Row, cards: Sequence[Candidate]) -> Candidate:
        return min(cards, key=lambda card: self._order(row, card))

    def _order(self, row: Row, card: Candidate) -> tuple[bool, bool, bool, str, int, str]:
        """In this order: the row's language, English, what may be in a deck, the earliest, the lowest number."""
        digits = "".join(filter(str.isdigit, card.number))[:9]
        own = card.lang != (row.language or "en")
        return own, card.lang != "en", not card.legal, card.released, int(digits or 0), card.id

    def _all_names(self) -> tuple[Names, Sequence[tuple[str, str]]]:
        if self._all is None:
            pairs = self._lookup.names()
            self._all = Names(folded for _, folded in pairs), pairs
        return self._all

    def _names_of(self, code: str) -> tuple[Names, Sequence[tuple[str, str]]]:
        if code not in self._of_set:
            pairs = self._lookup.names_in(code)
            self._of_set[code] = Names(folded for _, folded in pairs), pairs
        return self._of_set[code]


def _ids(cards: Iterable[Candidate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(card.id for card in cards))[:CANDIDATES]
