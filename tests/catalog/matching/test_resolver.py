"""The resolver: the card chosen for a name or row, questions to the user, and messages about the choice."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from helpers.small_shelf import Shelf, card
from inline_snapshot import snapshot

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.matching.asking import (
    AmbiguousCardError,
    Choose,
    MatchResult,
    NoSuchCardError,
    ResolvedCard,
    choose_once,
    describe_card,
    same_numbers,
)
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.names import NameHit
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row

WYVERN = Card("wyvern:lim/12", "wyvern", "Griffin", {"top": 3}, 3, "lim", "Limited", "12")
SPELLFIRE = Card("spellfire:3rd/191", "spellfire", "Griffin", {"left": 7}, 7, "3RD", "Third Edition", "191")
ENTERED = Card("arcadia:hand/griffin", "arcadia", "GRIFFIN", {"top-left": 4}, 4)
GRIFFINS = (WYVERN, SPELLFIRE, ENTERED)

LEA = Card("mtg:lea/161", "mtg", "Bolt", {}, 0, "lea", "Alpha", "161", legal=False, released="1993-08-05")
M10 = Card("mtg:m10/146", "mtg", "Bolt", {"top-right": 1}, 1, "m10", "Magic 2010", "146", released="2009-07-17")
M11 = replace(
    M10, id="mtg:m11/149", set_code="m11", set_name="Magic 2011", collector_number="149", released="2010-07-16"
)
PROMO = replace(
    M10, id="mtg:prm/7", set_code="prm", collector_number="7", zones={"top": 7}, score=7, released="2012-01-01"
)
ITALIAN = replace(M10, id="mtg:m10/146/it", lang="it", printed_name="Fulmine")
SPLIT = Card("mtg:apc/128", "mtg", "Fire // Ice", {"top": 2}, 2, "apc", "Apocalypse", "128")
BOLTS = (LEA, M10, M11, PROMO, ITALIAN)


def candidate(one: Card) -> Candidate:
    """Return a card as the lookup yields it."""
    numbers = str((sorted(one.zones.items()), one.face, one.score, one.attack, one.defense))
    printed = one.set_code, one.set_name, one.collector_number, one.lang, one.printed_name
    return Candidate(one.id, one.game, one.name, *printed, one.legal, one.released or "", "", numbers)


def found(card: Card, *fitting: Card, **more: Any) -> ResolvedCard:
    return ResolvedCard(card, tuple(map(candidate, fitting or (card,))), **more)


class Cards(Shelf):
    """A catalogue of these cards, with the ids of the owned ones."""

    def __init__(self, whole: Sequence[Card], owned: frozenset[str] = frozenset()) -> None:
        super().__init__(*map(candidate, whole))
        self.whole, self.owned, self.asked = whole, owned, list[str]()

    def cards(self, ids: Sequence[str]) -> list[Card]:
        return [card for card_id in ids for card in self.whole if card.id == card_id]

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        return self.owned.intersection(ids)


def resolve(
    catalogue: Sequence[Card],
    text: str,
    *owned: Card,
    choose: Choose | None = None,
    games: Sequence[str] = (),
    **fields: Any,
) -> ResolvedCard:
    shelf = Cards(catalogue, frozenset(card.id for card in owned))
    return Resolver(shelf, choose=choose, games=games).resolve(Row(name=text, **fields))


def error_of_resolve(catalogue: Sequence[Card], text: str, *owned: Card, **fields: Any) -> str:
    with pytest.raises(CatalogError) as caught:
        resolve(catalogue, text, *owned, **fields)
    return str(caught.value)


# --- names in several games ---------------------------------------------------------------------------------------


def test_id_finds_its_card_despite_same_names() -> None:
    for text in ("wyvern:lim/12", "WYVERN:LIM/12"):
        assert resolve(GRIFFINS, text, SPELLFIRE) == found(WYVERN)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("Griffin (wyvern)", WYVERN),
        ("griffin [Wyvern]", WYVERN),
        ("Griffin (WYVERN) 12", WYVERN),
        ("Griffin (3RD) 191", SPELLFIRE),
        ("Griffin (3rd)", SPELLFIRE),
        ("Griffin (Third Edition) #191", SPELLFIRE),
        ("Griffin(spell fire)", SPELLFIRE),
        ("Griffin (spellfire, 3RD)", SPELLFIRE),
        ("Griffin (spellfire:3RD) no. 191", SPELLFIRE),
        ("Griffin (arcadia)", ENTERED),
    ],
)
def test_game_or_set_after_name_selects_card(text: str, card: Card) -> None:
    assert resolve(GRIFFINS, text).card is card
    assert resolve(GRIFFINS, text, *GRIFFINS).card is card, "what is written counts for more than what one owns"


def test_game_or_set_may_be_given_apart_from_name() -> None:
    assert resolve(GRIFFINS, "Griffin", games=("spellfire",)).card is SPELLFIRE
    assert resolve(GRIFFINS, "Griffin", set_code="lim").card is WYVERN
    assert resolve(GRIFFINS, "Griffin", set_code="spellfire", number="191").card is SPELLFIRE
    assert resolve(GRIFFINS, "Griffin", WYVERN, games=("spellfire", "wyvern")).card is WYVERN


def test_owned_card_is_preferred() -> None:
    for one in GRIFFINS:
        assert resolve(GRIFFINS, "Griffin", one) == found(one, owned=True)


def test_only_game_with_name_is_taken() -> None:
    assert resolve((*BOLTS, WYVERN), "Griffin") == found(WYVERN)


def test_name_in_several_games_is_error_listing_them() -> None:
    with pytest.raises(AmbiguousCardError) as caught:
        resolve(GRIFFINS, "Griffin")
    assert caught.value.candidates == (ENTERED, SPELLFIRE, WYVERN)
    assert str(caught.value) == (
        "'Griffin' is a card of 3 games: GRIFFIN (arcadia; arcadia:hand/griffin);"
        " Griffin (spellfire, 3RD 191; spellfire:3rd/191); Griffin (wyvern, lim 12; wyvern:lim/12).\n"
        "Say which: its id, or the name with its game or set, such as 'GRIFFIN (arcadia)'."
    )
    many = [replace(WYVERN, id=f"g{number}:1", game=f"g{number}") for number in range(10)]
    assert "; and 2 more.\n" in error_of_resolve(many, "Griffin")


def test_ambiguous_name_lists_only_owned_games() -> None:
    with pytest.raises(AmbiguousCardError) as caught:
        resolve(GRIFFINS, "Griffin", WYVERN, ENTERED)
    assert caught.value.candidates == (ENTERED, WYVERN)


def test_user_is_asked_once_per_name() -> None:
    asked = []

    def choose(text: str, candidates: Sequence[Card]) -> Card | None:
        asked.append((text, tuple(candidates)))
        return SPELLFIRE

    resolver = Resolver(Cards(GRIFFINS), choose=choose_once(choose))
    for _ in range(2):
        assert resolver.resolve(Row(name="Griffin")) == found(SPELLFIRE)
    assert asked == [("Griffin", (ENTERED, SPELLFIRE, WYVERN))]


def test_declined_choice_fails_without_asking_again() -> None:
    asked = []
    resolver = Resolver(Cards(GRIFFINS), choose=choose_once(lambda text, candidates: asked.append(text)))
    for _ in range(2):
        with pytest.raises(CatalogError, match=r"^No card was chosen for 'Griffin'\.$"):
            resolver.resolve(Row(name="Griffin"))
    assert asked == ["Griffin"]


def test_deck_prefers_owned_card_then_only_playable_game() -> None:
    def found(*owned: Card) -> Card:
        shelf = Cards(GRIFFINS, frozenset(card.id for card in owned))
        return Resolver(shelf, playable=lambda card: "left" in card.zones).resolve(Row(name="Griffin")).card

    assert found() is SPELLFIRE
    assert found(WYVERN) is WYVERN
    with pytest.raises(AmbiguousCardError):
        Resolver(Cards(GRIFFINS), playable=lambda card: card.legal).resolve(Row(name="Griffin"))


# --- several printings --------------------------------------------------------------------------------------------


def test_ordinary_printing_precedes_promo() -> None:
    early = replace(PROMO, id="mtg:pm10/7", set_code="pm10", set_name="Magic 2010 Promos", released="2008-01-01")
    found = Resolver(Cards((early, M10, M11))).resolve(Row(name="Bolt"))
    assert found.card == M10
    assert found.remark == (
        "Bolt (mtg:m10/146) is the earliest ordinary one of 3 printings; 1 other printing has other numbers."
    )
    assert Resolver(Cards((early,))).resolve(Row(name="Bolt")).card == early
    assert Resolver(Cards((early, M10), frozenset([early.id]))).resolve(Row(name="Bolt")).card == early


def test_earliest_printing_is_taken_and_differing_numbers_reported() -> None:
    found = resolve(BOLTS, "Bolt")
    assert (found.card, found.differing) == (LEA, 4)
    assert found.remark == "Bolt (mtg:lea/161) is the earliest of 5 printings; 4 other printings have other numbers."


def test_deck_takes_earliest_legal_printing_even_promo() -> None:
    promo = replace(PROMO, set_name="Promos")
    found = Resolver(Cards(BOLTS), playable=lambda card: card.legal).resolve(Row(name="Bolt"))
    assert (found.card, found.differing) == (M10, 2)
    assert Resolver(Cards((LEA, promo)), playable=lambda card: card.legal).resolve(Row(name="Bolt")).card == promo
    assert Resolver(Cards((LEA, promo))).resolve(Row(name="Bolt")).card == LEA
    assert found.remark == (
        "Bolt (mtg:m10/146) is the earliest legal of 5 printings; 2 other printings have other numbers."
    )
    assert resolve((LEA, replace(LEA, id="mtg:z/1", score=1)), "Bolt").remark == (
        "Bolt (mtg:lea/161) is the earliest of 2 printings; 1 other printing has other numbers."
    )


def test_printings_with_same_numbers_are_not_reported() -> None:
    found = resolve((M11, M10, ITALIAN), "Bolt")
    assert (found.card, found.differing, found.remark) == (M10, 0, "")
    assert same_numbers(M10, ITALIAN)
    for key, other in (("zones", {"top": 1}), ("face", (1,)), ("score", 2), ("attack", 1), ("defense", 1)):
        assert not same_numbers(M10, replace(M10, **{key: other}))


def test_owned_printing_is_taken_and_reported() -> None:
    found = resolve(BOLTS, "bolt", PROMO, M11)
    assert (found.card, found.owned) == (M11, True)
    assert found.remark == "Bolt (mtg:m11/149) is the printing you own; 2 other printings have other numbers."
    assert resolve([M11], "bolt", M11).owned


def test_set_number_or_language_selects_printing() -> None:
    assert resolve(BOLTS, "Bolt", set_code="PRM").card is PROMO
    assert resolve(BOLTS, "Bolt (m11)").remark == ""
    assert resolve(BOLTS, "Bolt", language="it").card is ITALIAN
    assert resolve(BOLTS, "Bolt", language="de").card is LEA
    assert resolve(BOLTS, "Fulmine").card is ITALIAN
    assert resolve(BOLTS, "Bolt", number="0161").card is LEA
    assert resolve(BOLTS, "Bolt", set_code="1E").card is LEA, "an old code"


def test_half_of_split_name_matches_unless_other_card_has_it() -> None:
    fire = replace(WYVERN, name="Fire")
    assert resolve((SPLIT,), "Fire").card is resolve((SPLIT,), "Ice").card is SPLIT
    assert resolve((SPLIT,), "Fire (apc) 128a").card is SPLIT
    assert resolve((SPLIT, fire), "Fire").card is fire
    assert resolve((SPLIT, fire), "Fire", games=("mtg",)).card is SPLIT


def test_exact_spelling_precedes_other_case_and_printed_name() -> None:
    loud, printed = replace(WYVERN, id="wyvern:a/1", name="GRIFFIN"), replace(M10, id="wyvern:b/1", game="wyvern")
    printed = replace(printed, printed_name="Griffin")
    assert resolve((loud, printed, WYVERN), "Griffin").fitting == (candidate(WYVERN),)
    assert resolve((loud, printed), "Griffin").card is printed
    assert resolve((loud, WYVERN), "GRIFFIN").card is loud


def test_brackets_belonging_to_name_are_not_set() -> None:
    left = replace(WYVERN, name="B.R.O. (Left)")
    assert resolve((left,), "B.R.O. (Left)").card is left
    assert resolve((left,), "B.R.O.", set_code="Left", written="B.R.O. (Left)").card is left


def test_game_with_owned_card_is_preferred() -> None:
    shelf = Cards((WYVERN, SPELLFIRE), frozenset({SPELLFIRE.id}))
    assert Resolver(shelf, prefer_owned=False).resolve(Row(name="Griffin")).card == SPELLFIRE


def test_resolver_knows_if_its_cards_are_of_one_game() -> None:
    assert Resolver(Cards(BOLTS)).known.only_game == "mtg"
    assert Resolver(Cards(GRIFFINS)).known.only_game == ""
    assert Resolver(Cards(GRIFFINS), games=("wyvern",)).known.only_game == "wyvern"


# --- unknown cards ------------------------------------------------------------------------------------------------

OF_ALL_GAMES = f"Did you mean: {', '.join(map(describe_card, (ENTERED, SPELLFIRE, WYVERN)))}?"


@pytest.mark.parametrize(
    ("text", "fields", "words"),
    [
        ("Grifin", {}, snapshot("No card matches 'Grifin'. Did you mean: Griffin, GRIFFIN?")),
        ("Qqq", {}, snapshot("No card matches 'Qqq'.")),
        ("Qqq (wyvern)", {}, snapshot("No card matches 'Qqq'.")),
        (
            "Griffin",
            {"games": ("mtg",)},
            snapshot(
                "'Griffin' not found: not in mtg; found in: spellfire, wyvern. Did you mean: "
                "Griffin (wyvern, lim 12; wyvern:lim/12), Griffin (spellfire, 3RD 191; spellfire:3rd/191)?"
            ),
        ),
        (
            "Griffin",
            {"games": ("vtes", "mtg")},
            snapshot(
                "'Griffin' not found: not in mtg or vtes; found in: spellfire, wyvern. Did you "
                "mean: Griffin (wyvern, lim 12; wyvern:lim/12), Griffin (spellfire, 3RD 191; spellfire:3rd/191)?"
            ),
        ),
        ("", {"set_code": "3RD", "number": "9"}, snapshot("Number 9 not found: 3RD has no number 9.")),
        (
            "Griffin (mtg)",
            {},
            snapshot(
                "'Griffin' not found: 'mtg' is unknown. Did you mean: GRIFFIN (arcadia; arcadia:hand/griffin), "
                "Griffin (spellfire, 3RD 191; spellfire:3rd/191), Griffin (wyvern, lim 12; wyvern:lim/12)?"
            ),
        ),
        (
            "Griffin",
            {"set_code": "xxx"},
            snapshot(
                "'Griffin' not found: the catalogue has no set 'xxx'; other sets have it. Did you mean: GRIFFIN "
                "(arcadia; arcadia:hand/griffin), Griffin (spellfire, 3RD 191; spellfire:3rd/191), Griffin "
                "(wyvern, lim 12; wyvern:lim/12)?"
            ),
        ),
        (
            "Griffin (3RD) 9",
            {},
            snapshot(
                "'Griffin' not found: 3RD has 'Griffin' as number 191, not as 9. Did you mean: Griffin "
                "(spellfire, 3RD 191; spellfire:3rd/191)?"
            ),
        ),
        (
            "Griffin",
            {"games": ("wyvern",), "number": "9"},
            snapshot(
                "'Griffin' not found: the catalogue has 'Griffin' as number 12, not as 9. Did you mean: Griffin "
                "(wyvern, lim 12; wyvern:lim/12)?"
            ),
        ),
    ],
)
def test_unknown_card_error_names_alternatives(text: str, fields: dict[str, Any], words: str) -> None:
    assert error_of_resolve(GRIFFINS, text, **fields) == words
    with pytest.raises(NoSuchCardError):
        resolve(GRIFFINS, text, **fields)


def test_printings_of_a_card_are_of_its_game() -> None:
    shelf = Cards((*BOLTS, replace(WYVERN, name="Bolt"), SPLIT))
    resolver = Resolver(shelf)
    assert resolver.printings(PROMO) == (LEA, M10, ITALIAN, M11, PROMO)
    assert resolver.printings(M10) == (LEA, M10, ITALIAN, M11, PROMO)
    assert resolver.printings(SPELLFIRE) == (SPELLFIRE,)


def test_description_of_card_contains_game() -> None:
    assert describe_card(WYVERN) == "Griffin (wyvern, lim 12; wyvern:lim/12)"
    assert describe_card(ENTERED) == "GRIFFIN (arcadia; arcadia:hand/griffin)"


# --- rows of files -----------------------------------------------------------------------------------------------


def match_row(*catalogue: Candidate, **fields: Any) -> MatchResult:
    return Resolver(Shelf(*catalogue)).find(Row(1, amounts=(("normal", 1),), **fields))[1]


def test_id_counts_more_than_set_and_number() -> None:
    catalogue = card("dsk", "7", "Ant", ids="mtgo:7"), card("dsk", "8", "Ant", ids="mtgo:8")
    assert match_row(*catalogue, name="Ant", set_code="dsk", number="7", ids=(("mtgo", "8"),)).card == catalogue[1]


def test_name_selects_among_cards_with_same_number() -> None:
    catalogue = card("dsk", "7", "Ant"), card("dsk", "7", "Bee", id="dsk/7b")
    match = match_row(*catalogue, name="Bee", set_code="dsk", number="7")
    assert (match.card, match.how) == (catalogue[1], "number")


def test_set_and_number_in_two_games_match_no_card() -> None:
    catalogue = card("dsk", "7", "Ant"), card("dsk", "7", "Ant", game="pokemon", id="other")
    assert match_row(*catalogue, name="Ant", set_code="dsk", number="7").card is None


def test_set_name_shared_by_two_games_matches_no_card() -> None:
    catalogue = (
        card("dsk", "7", "Ant", set_name="Dusk"),
        card("dus", "9", "Ant", set_name="Dusk", game="pokemon", id="other"),
    )
    match = match_row(*catalogue, name="Ant", set_name="Dusk")
    assert (match.card, match.candidates) == (None, ("dsk/7", "other"))
    assert match.reason == "cards of several games match: mtg, pokemon"


def test_rarity_selects_among_cards_with_same_number() -> None:
    catalogue = [card("dsk", "7", "Ant", id=f"yugioh:dsk-7/{rarity}", game="yugioh") for rarity in ("common", "rare")]
    match = match_row(*catalogue, name="Ant", set_code="dsk", number="7", rarity="Rare")
    assert (match.card, match.others) == (catalogue[1], 0)
    assert match_row(*catalogue, name="Ant", set_code="dsk", number="7").others == 1


def test_number_of_a_half_matches_the_whole_card() -> None:
    whole = card("dsk", "153", "Fire // Ice")
    match = match_row(whole, name="Fire // Ice", set_code="dsk", number="153a")
    assert (match.card, match.how) == (whole, "number")


def test_set_of_two_words_is_read_after_misspelt_name() -> None:
    catalogue = card("tmp", "7", "Grey Ogre"), card("old", "9", "Grey Ogre")
    line = "Grei Ogre Old Dusk"
    assert match_row(*catalogue, name=line, written=line).card == catalogue[1]


def test_card_of_other_sets_is_offered_oldest_first() -> None:
    catalogue = [card(code, "9", "Ant", released=f"{year}-01-01") for code, year in (("tmp", 2001), ("old", 1999))]
    match = match_row(
        *catalogue, card("OGN", "9", "Ant"), card("dsk", "1", "Bee"), name="Ant", set_code="dsk", number="1"
    )
    assert (match.card, match.candidates) == (None, ("old/9", "tmp/9", "OGN/9"))


def test_name_without_letters_is_found() -> None:
    marks = card("dsk", "9", "???")
    assert match_row(marks, card("dsk", "8", "Ant"), name="???").card == marks


class Misspelt(Cards):
    """A catalogue in which the Griffins of all games are similar to every query."""

    def near(self, query: str) -> Sequence[NameHit]:
        return [NameHit(name, 80.0) for name in ("Griffin", "GRIFFIN")]


def test_suggestions_stay_within_wanted_games() -> None:
    for games, offered in ((("arcadia",), "GRIFFIN"), ((), "Griffin, GRIFFIN")):
        with pytest.raises(NoSuchCardError, match=rf"Did you mean: {offered}\?$"):
            Resolver(Misspelt(GRIFFINS), games=games).resolve(Row(name="Grxffxm"))
    assert "Did you mean: 'Griffin'?" not in error_of_resolve(GRIFFINS, "Griffim", games=("arcadia",))
    assert error_of_resolve(GRIFFINS, "Griffim", games=("arcadia",)).endswith("Did you mean: GRIFFIN?")


@pytest.mark.parametrize(
    "fields", [{"set_code": "old"}, {"set_name": "Old Dusk"}, {"number": "2"}, {"ids": (("mtgo", "8"),)}]
)
def test_set_and_number_in_name_cell_count_if_row_has_no_other_field(fields: dict[str, Any]) -> None:
    resolver = Resolver(Shelf(card("dsk", "7", "Ant"), card("old", "9", "Bee")))
    assert resolver.find(Row(name="dsk 7"))[1].card == card("dsk", "7", "Ant")
    assert resolver.read(Row(name="dsk 7", **fields)) == Row(name="dsk 7", **fields)


def test_unknown_name_is_reported_instead_of_word_after_it() -> None:
    assert match_row(card("dsk", "7", "Ant"), name="Quxyzzy", more=("12",)).reason == "no card has a similar name"


def test_set_name_fitting_several_sets_matches_no_card() -> None:
    years = [card(f"c{year}", "7", "Ant", set_name=f"Commander 20{year}") for year in (11, 12)]
    fields = {"name": "Ant", "set_name": "Commander", "number": "7"}
    match = match_row(years[0], card("dsk", "7", "Ant"), **fields)
    assert (match.card, match.how) == (years[0], "number")
    match = match_row(*years, **fields)
    assert (match.card, match.candidates) == (None, ("c11/7", "c12/7"))


def test_likely_card_has_only_near_name() -> None:
    ants = card("dsk", "7", "Giant Ant"), card("dsk", "9", "Giant Ant", game="pokemon", id="other")
    assert Resolver(Shelf(*ants[:1])).likely(Row(name="Gaint Ant")) == ants[0]
    assert Resolver(Shelf(*ants)).likely(Row(name="Gaint Ant")) is None, "two games have the name"
    assert Resolver(Shelf(*ants)).likely(Row(name="Gaint Ant", number="9")) == ants[1], "the number selects the card"
    assert Resolver(Shelf(*ants)).likely(Row(name="Quxyzzy")) is None


def test_line_containing_name_offers_card_with_longest_name() -> None:
    cards = card("dsk", "7", "Giant Ant"), card("dsk", "8", "Old Giant Ant")
    line = "my very own Giant Ant copy"
    match = match_row(*cards, name=line, written=line)
    assert (match.card, match.candidates) == (None, ("dsk/7",))
    line = "my very Old Giant Ant copy"
    assert match_row(*cards, name=line, written=line).candidates == ("dsk/8",)
