"""Matching rows whose ids, numbers or sets say less, or other, than they seem to."""

import pytest
from helpers.collection_catalogue import UUID, wanted

from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.row import MatchResult

AMBER, BRASS, CINDER = "mtg:dsk/1", "mtg:dsk/2", "mtg:dsk/3"


def found(match: MatchResult) -> tuple[str, str | None]:
    return match.how, None if match.card is None else match.card.id


# --- ids that say less than they seem to -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["scryfall", "mtgo", "arena", "tcgplayer", "cardmarket"])
def test_an_unknown_id_is_never_overruled_by_the_name_for_certain(
    matcher: Resolver, lenient: Resolver, kind: str
) -> None:
    alone = matcher.match(wanted("Amber Archivist", "", "", (kind, "777777")))
    assert found(alone) == ("missed", None)
    assert f"no card with the {kind} id 777777" in alone.reason
    assert alone.candidates == (AMBER,)
    assert found(lenient.match(wanted("Amber Archivist", "", "", (kind, "777777")))) == ("fuzzy", AMBER)
    assert found(matcher.match(wanted("Amber Archivist", "dsk", "", (kind, "777777")))) == ("fuzzy", AMBER)
    assert found(matcher.match(wanted("Amber Archivist", "dsk", "1", (kind, "777777")))) == ("number", AMBER)


@pytest.mark.parametrize("nobody", ["", "0", "-1"])
def test_what_stands_for_no_id_is_none(matcher: Resolver, nobody: str) -> None:
    assert found(matcher.match(wanted("Amber Archivist", "", "", ("mtgo", nobody)))) == ("name", AMBER)


def test_an_id_of_the_foil_at_mtgo_says_that_it_is_one(matcher: Resolver) -> None:
    foil = wanted("Amber Archivist", "", "", ("mtgo", "502"))
    assert matcher.match(foil).finished(foil).amounts == (("foil", 1),)
    plain = wanted("Amber Archivist", "", "", ("mtgo", "501"))
    assert matcher.match(plain).finished(plain).amounts == (("normal", 1),)


def test_an_id_under_a_plain_heading_counts_only_where_the_name_agrees(matcher: Resolver) -> None:
    assert found(matcher.match(wanted("Amber Archivist", "", "", ("id", "60606")))) == ("name", AMBER)
    assert found(matcher.match(wanted("Gale Herald", "", "", ("id", "60001")))) == ("id", "mtg:dsk/14")
    assert found(matcher.match(wanted("Amber Archivist", "", "", ("id", "60001")))) == ("name", AMBER)


@pytest.mark.parametrize(
    ("set_code", "number", "how", "card_id"),
    [
        ("dsk", "15", "id", "mtg:dsk/15"),
        ("pdsk", "2s", "number", "mtg:pdsk/2s"),
        ("old", "", "id", "mtg:old/3"),
        ("", "", "id", "mtg:old/3"),
    ],
)
def test_an_id_that_printings_share_yields_to_set_and_number(
    matcher: Resolver, set_code: str, number: str, how: str, card_id: str
) -> None:
    name = "Brass Bellringer" if set_code == "pdsk" else "Iron Herald"
    match = matcher.match(wanted(name, set_code, number, ("tcgplayer", "909")))
    assert found(match) == (how, card_id)


# --- numbers that are another's, and other ways to write one ---------------------------------------------------------


@pytest.mark.parametrize("number", ["14", "290", "290/264", "★290", "290*"])  # another card's, and nobody's
def test_a_number_that_is_off_is_told_and_the_name_taken_where_the_set_has_it_once(
    matcher: Resolver, number: str
) -> None:
    match = matcher.match(wanted("Amber Archivist", "dsk", number))
    assert found(match) == ("fuzzy", AMBER)
    assert match.reason == f"dsk has 'Amber Archivist' as number 1, not as {number}"
    assert found(matcher.match(wanted("Isle", "dsk", number))) == ("missed", None)


def test_a_number_that_is_off_beside_an_id_that_nobody_has_is_another_printing(matcher: Resolver) -> None:
    match = matcher.match(wanted("Amber Archivist", "dsk", "290", ("scryfall", UUID.format(99))))
    assert (found(match), match.candidates) == (("missed", None), (AMBER,))
    assert match.reason.startswith("the catalogue has no card with the scryfall id")


def test_a_version_of_a_card_for_arena_alone_is_not_the_card(matcher: Resolver) -> None:
    for row in (wanted("A-Gale Herald", "dsk", "14"), wanted("A-Gale Herald", "", "", ("arena", "60001"))):
        match = matcher.match(row)
        assert (found(match), match.candidates) == (("missed", None), ("mtg:dsk/14",))


@pytest.mark.parametrize(
    ("name", "how"),
    [("Lynxx", "missed"), ("Kestril", "fuzzy"), ("Frost Drqke", "fuzzy"), ("Frosty Drke", "missed")],
)
def test_a_short_name_that_is_further_off_is_another_card(matcher: Resolver, name: str, how: str) -> None:
    match = matcher.match(wanted(name))
    assert match.how == how
    assert match.candidates


@pytest.mark.parametrize("number", ["3★", "★3", "3*", "03★", "3★/20", "*3"])
def test_the_mark_of_a_number_may_stand_before_it_or_be_an_asterisk(matcher: Resolver, number: str) -> None:
    assert found(matcher.match(wanted("Cinder Cartographer", "pdsk", number))) == ("number", "mtg:pdsk/3★")


@pytest.mark.parametrize("number", ["21†", "21+", "21+/264"])
def test_a_dagger_may_be_a_plus(matcher: Resolver, number: str) -> None:
    assert found(matcher.match(wanted("Kestrel", "dsk", number))) == ("number", "mtg:dsk/21†")


@pytest.mark.parametrize("number", ["22", "022", "22/264", "22/999"])
def test_the_size_of_a_set_beside_a_number_is_no_part_of_it(matcher: Resolver, number: str) -> None:
    assert found(matcher.match(wanted("Lynx", "dsk", number))) == ("number", "mtg:dsk/22/264")


# --- names that are right, in the wrong set --------------------------------------------------------------------------


def test_a_name_that_another_set_has_is_never_a_misspelt_one(matcher: Resolver, lenient: Resolver) -> None:
    """Noble Hierarch is no misspelt Ignoble Hierarch, whatever set or number stands beside it."""
    assert found(matcher.match(wanted("Twin Sisters", "dsk"))) == ("missed", None)
    assert found(matcher.match(wanted("Twin Sisters", "dsk", "10a"))) == ("missed", None)
    assert found(lenient.match(wanted("Twin Sisters", "dsk", "10a"))) == ("fuzzy", "mtg:old/4")


def test_another_printing_is_one_of_the_same_name(lenient: Resolver) -> None:
    match = lenient.match(wanted("Amber Archivits", "xyz"))
    assert found(match) == ("missed", None)
    assert match.candidates == (AMBER,)


def test_a_row_without_a_set_takes_an_ordinary_printing(matcher: Resolver) -> None:
    """The promo is older, and has a mark behind its number."""
    assert found(matcher.match(wanted("Cinder Cartographer"))) == ("name", "mtg:dsk/3")
