"""Cards, their numbers and decks as commands print them with `--json`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, cast, get_args

import msgspec

from ccgrid.catalog.answer_fields import with_fields
from ccgrid.catalog.card import Card, Confidence
from ccgrid.catalog.correction import Correction
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.decks import Deck, Problem
from ccgrid.catalog.description import PrintedDescription
from ccgrid.catalog.evidence import CONFIDENCES, Evidence, confidence_in, explain_evidence
from ccgrid.catalog.zones import ZONES, EveryZone, Zone, ZoneNumbers, ZoneOrFace


class ShownCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card. `zones` omits a zone with no number or with several; `face` has the numbers printed elsewhere."""

    id: str
    game: str
    name: str
    set_code: str
    collector_number: str
    zones: ZoneNumbers
    face: list[int]
    score: int
    legal: bool
    reason: str | None
    attack: int | None
    defense: int | None


class DescribedCard(ShownCard, frozen=True, kw_only=True):
    """A card with what it says besides its numbers, as its source has it; null or empty if unknown.

    Attributes:
        cost: The cost as the game writes it.
        mana_value: The cost as a number.
        colours: Names of colours; empty for a colourless card, null if the game has none.
        identity: The colour identity, in the same form.
        keywords: Keywords or traits.
        fields: The game's other fields by their names.
        bundled: Present if there is no catalogue yet and the card comes with the program.
    """

    released: str | None
    type: str | None
    rarity: str | None
    cost: str | None
    mana_value: float | None
    colours: list[str] | None
    identity: list[str] | None
    keywords: list[str]
    artist: str | None
    fields: dict[str, str]
    text: str | None
    bundled: Literal[True] | msgspec.UnsetType = msgspec.UNSET


class ExportedCard(DescribedCard, frozen=True, kw_only=True):
    """A card for tables. `zones` has all eight zones, null if a zone has no number or several."""

    zones: EveryZone  # type: ignore[assignment]


class PrintedNumber(msgspec.Struct, frozen=True, kw_only=True):
    """A number printed on a card.

    Attributes:
        raw: The text from which it was read.
        counts: Whether it counts for the card.
        why: Why it counts or not.
        confidence: How certain it is that the field is printed in this zone.
    """

    zone: ZoneOrFace
    field: str
    raw: str
    value: int
    counts: bool
    why: str
    confidence: Confidence


class ExplainedCard(DescribedCard, frozen=True, kw_only=True):
    """A card with each printed number, the zones whose numbers are all guesses, and the user's corrections.

    Attributes:
        decks: The games whose decks may have it.
    """

    numbers: list[PrintedNumber]
    guessed_zones: list[Zone]
    decks: list[str]
    corrected: Correction | None


class EnteredCard(ShownCard, frozen=True, kw_only=True):
    """A card that the user entered, or the user's corrections of a card from a source."""

    corrected: Correction | None


class GoneCard(msgspec.Struct, frozen=True, kw_only=True):
    """The user's corrections of a card that is missing from all sources."""

    id: str
    corrected: Correction


class ShownDeck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck with one entry per copy.

    Attributes:
        game: The game that the deck is for.
        seed: The seed that drew the cards.
    """

    name: str
    game: str | msgspec.UnsetType = msgspec.UNSET
    seed: int | None
    cards: list[ShownCard]


class DeckProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A reason why a deck is not legal; `card` is null if it concerns the whole deck."""

    card: str | None
    reason: str


class NotFoundCard(DeckProblem, frozen=True, kw_only=True):
    """A card of a deck that was not found, and its number of copies."""

    copies: int


class CheckedDeck(ShownDeck, frozen=True, kw_only=True):
    """The cards of a deck that were found, and those that were not."""

    not_found: list[NotFoundCard]


class DeckCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a deck is legal.

    Attributes:
        cards: The number of cards that were found.
        problems: Everything that is wrong.
        dead: Present if the deck is legal but unplayable: no two of its numbers ever meet.
    """

    ok: bool
    cards: int
    problems: list[DeckProblem]
    dead: Literal[True] | msgspec.UnsetType = msgspec.UNSET


def printed_numbers(evidence: Sequence[Evidence]) -> list[PrintedNumber]:
    """Explain every numeral in the evidence of a card, in the order of its layout."""
    return [
        PrintedNumber(
            zone=cast("ZoneOrFace", zone),
            field=name,
            raw=found.raw,
            value=found.value,
            counts=found.counts,
            why=found.why,
            confidence=confidence_in(entry[2]),
        )
        for entry in evidence
        for zone, name, found in explain_evidence([entry])
    ]


def guessed_zones(numbers: Sequence[PrintedNumber]) -> list[Zone]:
    """Return the zones that have numbers, all of which are guesses."""
    counting = [number for number in numbers if number.counts and number.zone in ZONES]
    certain = {number.zone for number in counting if number.confidence == CONFIDENCES[0]}
    guessed = {number.zone for number in counting} - certain
    return [zone for zone in get_args(Zone) if zone in guessed]


def entered_numbers(card: CustomCard) -> list[PrintedNumber]:
    """Explain every numeral of an entered card, whose texts have no field."""
    return [msgspec.structs.replace(number, field="") for number in printed_numbers(card.evidence())]


def shown_card(card: Card) -> ShownCard:
    """Return a card's answer."""
    return ShownCard(
        id=card.id,
        game=card.game,
        name=card.name,
        set_code=card.set_code,
        collector_number=card.collector_number,
        zones=cast("ZoneNumbers", dict(card.zones)),
        face=list(card.face),
        score=card.score,
        legal=card.legal,
        reason=card.reason,
        attack=card.attack,
        defense=card.defense,
    )


def described_card(card: Card, said: PrintedDescription) -> DescribedCard:
    """Return a card's answer with what it says."""
    description = said.description
    return with_fields(
        shown_card(card),
        DescribedCard,
        released=card.released,
        type=description.type or None,
        rarity=said.rarity or None,
        cost=description.cost or None,
        mana_value=description.mana_value,
        colours=None if description.colours is None else list(description.colours),
        identity=None if description.identity is None else list(description.identity),
        keywords=list(description.keywords),
        artist=said.artist or None,
        fields=dict(description.fields),
        text=description.text or None,
    )


def exported_card(card: Card, said: PrintedDescription) -> ExportedCard:
    """Return a card with all zones, so that programs which guess columns from the first lines find every zone."""
    return with_fields(described_card(card, said), ExportedCard, zones={zone: card.zones.get(zone) for zone in ZONES})


def explained_card(
    card: Card,
    said: PrintedDescription,
    numbers: list[PrintedNumber],
    corrected: Correction | None,
    decks: Sequence[str],
) -> ExplainedCard:
    """Return a card's answer with its numbers and what it says."""
    guessed, known = guessed_zones(numbers), described_card(card, said)
    more = {"numbers": numbers, "guessed_zones": guessed, "corrected": corrected, "decks": list(decks)}
    return with_fields(known, ExplainedCard, **more)


def entered_cards(
    entered: Iterable[Card], cards: Mapping[str, Card], corrections: Mapping[str, Correction]
) -> Iterator[EnteredCard | GoneCard]:
    """Yield the entered cards, then the corrected ones; `cards` has the corrected cards that some source has."""
    for card in entered:
        yield with_fields(shown_card(card), EnteredCard, corrected=None)
    for card_id, correction in corrections.items():
        if card_id in cards:
            yield with_fields(shown_card(cards[card_id]), EnteredCard, corrected=correction)
        else:
            yield GoneCard(id=card_id, corrected=correction)


def shown_deck(deck: Deck) -> ShownDeck:
    """Return a deck's answer."""
    game = msgspec.UNSET if deck.plays is None else deck.plays
    return ShownDeck(name=deck.name, game=game, seed=deck.seed, cards=list(map(shown_card, deck.cards)))


def checked_deck(deck: Deck, problems: Sequence[Problem]) -> CheckedDeck:
    """Return a deck's answer with the cards that were not found."""
    missing = [NotFoundCard(card=one.card, reason=one.reason, copies=one.missing) for one in problems if one.missing]
    return with_fields(shown_deck(deck), CheckedDeck, not_found=missing)


def deck_check(cards: Sequence[Card], problems: Sequence[Problem], *, is_dead: bool = False) -> DeckCheck:
    """Return whether a deck with these problems is legal."""
    shown = [DeckProblem(card=one.card, reason=one.reason) for one in problems]
    return DeckCheck(ok=not shown, cards=len(cards), problems=shown, dead=True if is_dead else msgspec.UNSET)
