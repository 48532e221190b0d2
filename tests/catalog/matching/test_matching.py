"""Which card a row means: by id, by set and number, by name in the set, by name; never silently another."""

import random
import string
from pathlib import Path

import pytest
from helpers.catalogues import FIRST, LAST
from helpers.collection_catalogue import UUID, wanted

from ccgrid.catalog.imports.run import ImportRequest, import_bundled
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.row import MatchResult
from ccgrid.catalog.matching.search import fold
from ccgrid.catalog.matching.similar_names import Names
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.lookup import StoreLookup

AMBER, BRASS, CINDER = "mtg:dsk/1", "mtg:dsk/2", "mtg:dsk/3"


def found(match: MatchResult) -> tuple[str, str | None]:
    return match.how, None if match.card is None else match.card.id


@pytest.mark.parametrize(
    ("row", "how", "card"),
    [
        (wanted("Amber Archivist", "", "", ("scryfall", UUID.format(1))), "id", AMBER),
        (wanted("Amber Archivist", "", "", ("scryfall", UUID.format(1).upper())), "id", AMBER),
        (wanted("", "", "", ("cardmarket", "77")), "id", BRASS),
        (wanted("Amber Archivist", "zzz", "99", ("mtgo", "502")), "id", AMBER),
        (wanted("Whatever I typed", "", "", ("card", "mtg:old/1")), "id", "mtg:old/1"),
        (wanted("Amber Archivist", "DSK", "1", ("scryfall", UUID.format(99))), "number", AMBER),
        (wanted("amber archivist", "dusk", "1"), "number", AMBER),
        (wanted("Amber Archivist", "dsk", "001"), "number", AMBER),
        (wanted("Amber Archivist", "dsk", "1/264"), "number", AMBER),
        (wanted("Frost Drake", "dsk", "46"), "number", "mtg:dsk/046"),
        (wanted("", "dsk", "46"), "number", "mtg:dsk/046"),
        (wanted("", "", "DSK-046"), "number", "mtg:dsk/046"),
        (wanted("Ember Gate", "dsk", "4"), "number", "mtg:dsk/4"),
        (wanted("Ember Gate/Ash Gate", "dsk", "4"), "number", "mtg:dsk/4"),
        (wanted("Brass Bellringer", "pdsk", "2s"), "number", "mtg:pdsk/2s"),
        (wanted("Cinder Cartographer", "pdsk", "3★"), "number", "mtg:pdsk/3★"),
        (wanted("Isle (12) - Full Art", "dsk", "12"), "number", "mtg:dsk/12"),
        (wanted("Ember Drake", "TE", "9"), "number", "mtg:tmp/9"),
        (wanted("Amber Archivist", "The Dusk Edition", ""), "name", AMBER),
        (wanted("Aine's Dusk, the 2nd", "dsk", ""), "name", "mtg:dsk/5"),
        (wanted('Moth, "the Quick"'), "name", "mtg:dsk/7"),
        (wanted("moth the quick"), "name", "mtg:dsk/7"),
        (wanted("Ember Gate"), "name", "mtg:dsk/4"),
        (wanted("Drake Token", "dsk", "1"), "number", "mtg:tdsk/1"),
        (wanted("Brass Bellringer"), "name", "mtg:old/1"),
        (wanted("Brass Bellringer", "dsk"), "name", BRASS),
        (wanted("Traghettatore Cavo", "dsk", "13", language="it"), "number", "mtg:dsk/13/it"),
        (wanted("Hollow Ferryman", "dsk", "13", language="it"), "number", "mtg:dsk/13/it"),
        (wanted("Hollow Ferryman", "dsk", "13", language="en"), "number", "mtg:dsk/13"),
        (wanted("Araldo di Ferro", "dsk", "15", language="it"), "number", "mtg:dsk/15"),
    ],
    ids=lambda value: (
        f"{value.name} {value.set_code} {value.number} {value.language}" if hasattr(value, "ids") else None
    ),
)
def test_what_a_row_says_is_matched_exactly_by_the_strongest_key(matcher: Resolver, row, how, card) -> None:
    match = matcher.match(row)
    assert found(match) == (how, card)
    assert match.reason == ""


@pytest.mark.parametrize(
    ("row", "card", "why"),
    [
        (wanted("Amber Archivits", "dsk", "1"), AMBER, "not quite"),
        (wanted("Frost Drake [Showcase]", "dsk", ""), "mtg:dsk/046", "'Frost Drake [Showcase]' is unknown"),
        (wanted("Brass Belringer", "dsk"), BRASS, "nearly"),
        (wanted("Cindr Cartograpfer"), CINDER, "nearly"),
        (wanted("Amber Archvist", "", "", ("scryfall", UUID.format(1))), AMBER, "not quite"),
        (wanted("Twin Sister", "dsk", "10"), "mtg:dsk/10a", "number 10a, not as 10"),
    ],
)
def test_what_is_nearly_so_is_matched_and_told(matcher: Resolver, row, card, why) -> None:
    match = matcher.match(row)
    assert found(match)[0] == "fuzzy"
    assert match.candidates[0] == card or match.card.id.split("/")[1] == card.split("/")[1]
    assert why in match.reason


@pytest.mark.parametrize(
    ("row", "why", "candidate"),
    [
        (wanted("Amber Archivist", "xyz", "1"), "no set 'xyz'; other sets have it", AMBER),
        (wanted("Jade Gardener", "dsk", ""), "no card of that name", "mtg:old/2"),
        (wanted("Jade Gardener", "dsk", "14"), "number 14 of dsk is 'Gale Herald'", "mtg:old/2"),
        (wanted("Jade Gardener", "", "", ("scryfall", UUID.format(1))), "is that of 'Amber Archivist'", AMBER),
        (wanted("", "dsk", "99"), "dsk has no number 99", None),
        (wanted("", "dsk", "OLD-2"), "dsk has no number OLD-2", None),
        (wanted("Quxyzzy"), "no card has a similar name", None),
        (wanted("", "", "7"), "nothing identifies the card", None),
    ],
)
def test_another_printing_or_another_card_is_never_taken(matcher: Resolver, row, why, candidate) -> None:
    match = matcher.match(row)
    assert found(match) == ("missed", None)
    assert why in match.reason
    assert (match.candidates[:1] == (candidate,)) if candidate else match.candidates == ()


def test_a_tie_between_two_names_is_a_miss_that_names_both(matcher: Resolver) -> None:
    match = matcher.match(wanted("Miat Hare"))
    assert found(match) == ("missed", None)
    assert "it could be 'Mint Hare' or 'Mist Hare'" in match.reason
    assert set(match.candidates) == {"mtg:dsk/17", "mtg:dsk/18"}
    assert found(matcher.match(wanted("Miat Hare", "dsk"))) == ("missed", None)


def test_another_printing_is_taken_where_that_is_asked_for_and_told(lenient: Resolver) -> None:
    match = lenient.match(wanted("Amber Archivist", "xyz", "1"))
    assert found(match) == ("fuzzy", AMBER)
    assert "no set 'xyz'" in match.reason
    assert "Dusk" in match.reason


def test_a_row_that_fits_several_printings_says_so(matcher: Resolver) -> None:
    assert matcher.match(wanted("Isle", "dsk")).others == 1
    assert matcher.match(wanted("Brass Bellringer")).others == 2
    assert matcher.match(wanted("Amber Archivist")).others == 0


def test_a_name_with_brackets_is_not_taken_for_a_set(matcher: Resolver) -> None:
    row = wanted("B.R.O.", "left")._replace(set_name="", written="B.R.O. (Left)")
    assert found(matcher.match(matcher.read(row))) == ("name", "mtg:dsk/8")


def test_only_cards_of_the_games_that_are_wanted_are_matched(template: Path) -> None:
    with Store(template) as store:
        assert Resolver(StoreLookup(store), games=("pokemon",)).match(wanted("Amber Archivist")).how == "missed"
        assert Resolver(StoreLookup(store), games=("mtg",)).match(wanted("Amber Archivist")).how == "name"


def test_matching_takes_what_was_typed_for_data(matcher: Resolver) -> None:
    for text in ("'; DROP TABLE cards; --", "%", "_", "\x00", "\x1b[2J", "👾" * 50, "a" * 300, "//", "( )", " - "):
        for row in (
            wanted(text),
            wanted(text, text, text),
            wanted("", "dsk", text),
            wanted("", "", "", ("mtgo", text)),
        ):
            assert matcher.match(row).card is None, (text, row)


def test_misspelt_names_find_the_right_card_first_in_97_of_100() -> None:
    """One or two edits: a letter too many, missing, wrong, or swapped with its neighbour."""
    rng = random.Random(20)
    words = [
        *FIRST,
        *LAST,
        *("Marsh", "Thorn", "Quarry", "Lantern", "Widow", "Saddle", "Orchard", "Velvet", "Canyon", "Mirror", "Whisper"),
    ]
    made = {f"{rng.choice(words)} {rng.choice(('of the ', '', 'and '))}{rng.choice(words)}" for _ in range(900)}
    made |= {"".join(rng.choices(string.ascii_lowercase, k=rng.randint(6, 11))).title() for _ in range(3000)}
    folded = sorted({fold(name) for name in made})
    names = Names(folded)
    right = 0
    for meant in rng.choices(folded, k=1000):
        typed = meant
        for _ in range(rng.choice((1, 2))):
            typed = edited(typed, rng)
        nearest = names.nearest(" ".join(typed.split()))
        right += bool(nearest) and folded[nearest[0].position] == meant
    assert right >= 970


def edited(text: str, rng: random.Random) -> str:
    place = rng.randrange(len(text))
    letter = rng.choice(string.ascii_lowercase)
    return rng.choice(
        (
            text[:place] + letter + text[place:],
            text[:place] + text[place + 1 :],
            text[:place] + letter + text[place + 1 :],
            text[:place] + text[place + 1 : place + 2] + text[place] + text[place + 2 :],
        )
    )


def test_nothing_is_like_an_empty_or_very_short_name() -> None:
    names = Names(["ant", "bee", ""])
    assert names.nearest("") == []
    assert [near.edits for near in names.nearest("at")] == [1]
    assert names.nearest("x") == []
    assert len(names) == 3


def test_a_row_without_a_set_does_not_mean_the_cards_that_have_none() -> None:
    with Store.in_memory() as store:
        import_bundled(ImportRequest(find_source("starter")), store)
        assert any(not card.set_code for card in store.all_cards())
        matcher = Resolver(StoreLookup(store))
        assert found(matcher.match(wanted("Myrmidons"))) == ("name", "spellfire:4th/210")
