"""A small catalogue of cards, and the results of matching rows with it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ccgrid.catalog.card import Card
from ccgrid.catalog.matching.asking import MatchResult
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.names import NameHit, fold
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row

SETS = {
    "dsk": "Dusk",
    "old": "Old Dusk",
    "tdsk": "Dusk Tokens",
    "tmp": "Tempest",
    "OGN": "Origins",
    "TOGN": "Origins Tokens",
}


def card(set_code: str, number: str, name: str, lang: str = "en", **more: Any) -> Candidate:
    """Return a card; its id is `set/number`, followed by its language if that is not English."""
    card_id = f"{set_code}/{number}" + ("" if lang == "en" else f"/{lang}")
    known = {"id": card_id, "game": "mtg", "printed_name": None, "legal": True, "released": "2005-05-05", "ids": ""}
    return Candidate(
        **{
            **known,
            "name": name,
            "set_code": set_code,
            "set_name": SETS.get(set_code, set_code.upper()),
            "number": number,
            "lang": lang,
            **more,
        }
    )


class Shelf:
    """A small catalogue, which answers with cards in the order given."""

    def __init__(self, *cards: Candidate) -> None:
        self.shelved = cards

    def card(self, card_id: str) -> Candidate | None:
        return next((card for card in self.shelved if card.id == card_id), None)

    def by_source_id(self, kind: str, value: str) -> Sequence[Candidate]:
        return [card for card in self.shelved if f"{kind}:{value}" in card.ids.split()]

    def printed_with_code(self, code: str) -> Sequence[Candidate]:
        folded = code.casefold()
        by_id = [card for card in self.shelved if folded in card.id.partition(":")[2].split("/")]
        return by_id or [card for card in self.shelved if card.number.casefold() == folded]

    def other_codes(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for card in self.shelved:
            for one in card.ids.split():
                if one.startswith("ptcgo:") and card.set_code not in found.setdefault(one[6:], []):
                    found[one[6:]].append(card.set_code)
        return found

    def numbered(self, set_code: str, numbers: Sequence[str]) -> Sequence[Candidate]:
        return [card for card in self.shelved if card.set_code == set_code and card.number in numbers]

    def by_name(self, name: str, set_code: str | None = None) -> Sequence[Candidate]:
        called = [card for card in self.shelved if name in (card.name, card.printed_name)]
        return [card for card in called if set_code in (None, card.set_code)]

    def spelled(self, folded: str) -> Sequence[str]:
        return sorted(
            {name for card in self.shelved for name in (card.name, card.printed_name) if name and fold(name) == folded}
        ) or list(self.names_with_half(folded))

    def names_with_half(self, half: str) -> Sequence[str]:
        parts = {card.name: [fold(part) for part in card.name.split(" // ")] for card in self.shelved}
        firsts = [name for name, own in parts.items() if len(own) > 1 and own[0] == half]
        return firsts or [name for name, own in parts.items() if half in own[1:]]

    def cards(self, ids: Sequence[str]) -> Sequence[Card]:
        found = (one for card_id in ids for one in self.shelved if one.id == card_id)
        return [
            Card(one.id, one.game, one.name, {}, 0, one.set_code, one.set_name, one.number, legal=one.legal)
            for one in found
        ]

    def near(self, query: str) -> Sequence[NameHit]:
        return []

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        return frozenset()

    def games(self) -> Sequence[str]:
        return sorted({card.game for card in self.shelved})

    def sets(self) -> Sequence[tuple[str, str]]:
        return list(dict.fromkeys((card.set_code, card.set_name) for card in self.shelved))

    def names(self, set_code: str, games: Collection[str] = ()) -> Sequence[tuple[str, str]]:
        found = (card for card in self.shelved if set_code in ("", card.set_code) and (not games or card.game in games))
        return [(name, fold(name)) for name in dict.fromkeys(card.name for card in found)]

    def names_like(self, folded: str) -> Sequence[tuple[str, str]]:
        return self.names("")

    def names_sharing(self, folded: str) -> Sequence[tuple[str, str]]:
        return ()

    def has_name(self, name: str, set_code: str, games: Collection[str]) -> bool:
        return (name, fold(name)) in self.names(set_code, games)


def row(name: str = "", set_code: str = "", number: str = "", *ids: tuple[str, str], **more: Any) -> Row:
    return Row(1, name, (("normal", 1),), name, set_code, more.pop("set_name", ""), number, ids, **more)


def summary(match: MatchResult) -> tuple[str, str | None, str, tuple[str, ...], int]:
    """Return a match's method, card id, reason, candidates, and number of other candidates."""
    return match.how, match.card and match.card.id, match.reason, match.candidates, match.others


def match(cards: Sequence[Candidate], wanted: Row, **options: Any) -> tuple[str, str | None, str, tuple[str, ...], int]:
    return summary(Resolver(Shelf(*cards), **options).match(wanted))


AMBER = card("dsk", "1", "Amber Archivist", ids="scryfall:a")
BRASS = card("dsk", "2", "Brass Bellringer", ids="scryfall:b")
IRON = card("dsk", "15", "Iron Herald", ids="scryfall:i")
JADE = card("old", "2", "Jade Gardener")
CARDS = (AMBER, BRASS, IRON, JADE)
