"""Matching of rows to cards by id, by set and number, or by name; uncertain matches are reported."""

import random
import string
from collections.abc import Collection
from pathlib import Path

import pytest
from helpers.catalogues import FIRST, LAST
from helpers.collection_catalogue import UUID, wanted

from ccgrid.catalog.imports.run import ImportRequest, import_bundled
from ccgrid.catalog.matching.asking import MatchResult
from ccgrid.catalog.matching.names import NearNames, fold, nearest_names, rank
from ccgrid.catalog.matching.resolver import Resolver
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
def test_row_is_matched_exactly_by_strongest_key(matcher: Resolver, row, how, card) -> None:
    match = matcher.match(row)
    assert found(match) == (how, card)
    assert match.reason == ""


@pytest.mark.parametrize(
    ("row", "card", "why"),
    [
        (wanted("Frost Drake [Showcase]", "dsk", ""), "mtg:dsk/046", "'Frost Drake [Showcase]' is unknown"),
        (wanted("Brass Belringer", "dsk"), BRASS, "nearly"),
        (wanted("Cindr Cartograpfer"), CINDER, "nearly"),
        (wanted("Twin Sister", "dsk", "10"), "mtg:dsk/10a", "number 10a, not as 10"),
    ],
)
def test_near_match_is_proposed_with_reason(matcher: Resolver, row, card, why) -> None:
    match = matcher.match(row)
    assert found(match)[0] == "fuzzy"
    assert match.candidates[0] == card or match.card.id.split("/")[1] == card.split("/")[1]
    assert why in match.reason
    assert not match.is_certain


def test_set_and_number_or_id_confirm_misspelt_name(matcher: Resolver) -> None:
    by_number = matcher.match(wanted("Amber Archivits", "dsk", "1"))
    by_id = matcher.match(wanted("Amber Archvist", "", "", ("scryfall", UUID.format(1))))
    assert [(found(one), one.reason) for one in (by_number, by_id)] == [(("number", AMBER), ""), (("id", AMBER), "")]


@pytest.mark.parametrize("name", ["AmberArchivist", "amber-archivist", "Amb er Archivist", "ÁMBER ARCHIVIST"])
def test_names_ignore_case_accents_punctuation_and_spaces(matcher: Resolver, name: str) -> None:
    assert found(matcher.match(wanted(name))) == ("name", AMBER)
    assert found(matcher.match(wanted(name, "dsk"))) == ("name", AMBER)


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
def test_conflicting_row_is_missed_with_reason_and_candidate(matcher: Resolver, row, why, candidate) -> None:
    match = matcher.match(row)
    assert found(match) == ("missed", None)
    assert why in match.reason
    assert (match.candidates[:1] == (candidate,)) if candidate else match.candidates == ()


def test_tie_between_two_names_is_miss_naming_both(matcher: Resolver) -> None:
    match = matcher.match(wanted("Miat Hare"))
    assert found(match) == ("missed", None)
    assert "it could be 'Mint Hare' or 'Mist Hare'" in match.reason
    assert set(match.candidates) == {"mtg:dsk/17", "mtg:dsk/18"}
    assert found(matcher.match(wanted("Miat Hare", "dsk"))) == ("missed", None)


def test_lenient_matching_takes_and_reports_other_printing(lenient: Resolver) -> None:
    match = lenient.match(wanted("Amber Archivist", "xyz", "1"))
    assert found(match) == ("name", AMBER)
    assert match.is_certain
    assert "no set 'xyz'" in match.reason
    assert "Dusk" in match.reason


def test_match_counts_other_fitting_printings(matcher: Resolver) -> None:
    assert matcher.match(wanted("Isle", "dsk")).others == 1
    assert matcher.match(wanted("Brass Bellringer")).others == 2
    assert matcher.match(wanted("Amber Archivist")).others == 0


def test_brackets_of_a_name_are_not_read_as_set(matcher: Resolver) -> None:
    row = wanted("B.R.O.", "left")._replace(set_name="", written="B.R.O. (Left)")
    assert found(matcher.match(matcher.read(row))) == ("name", "mtg:dsk/8")


def test_only_cards_of_wanted_games_are_matched(template: Path) -> None:
    with Store(template) as store:
        assert Resolver(StoreLookup(store), games=("pokemon",)).match(wanted("Amber Archivist")).how == "missed"
        assert Resolver(StoreLookup(store), games=("mtg",)).match(wanted("Amber Archivist")).how == "name"


def test_matching_treats_input_as_data(matcher: Resolver) -> None:
    for text in ("'; DROP TABLE cards; --", "%", "_", "\x00", "\x1b[2J", "👾" * 50, "a" * 300, "//", "( )", " - "):
        for row in (
            wanted(text),
            wanted(text, text, text),
            wanted("", "dsk", text),
            wanted("", "", "", ("mtgo", text)),
        ):
            assert matcher.match(row).card is None, (text, row)


def test_misspelt_names_find_the_right_card_first_in_97_of_100() -> None:
    """Match names with one or two letters added, missing, changed, or swapped with the next."""
    rng = random.Random(20)
    words = [
        *FIRST,
        *LAST,
        *("Marsh", "Thorn", "Quarry", "Lantern", "Widow", "Saddle", "Orchard", "Velvet", "Canyon", "Mirror", "Whisper"),
    ]
    made = {f"{rng.choice(words)} {rng.choice(('of the ', '', 'and '))}{rng.choice(words)}" for _ in range(900)}
    made |= {"".join(rng.choices(string.ascii_lowercase, k=rng.randint(6, 11))).title() for _ in range(3000)}
    folded = sorted({fold(name) for name in made})
    right = 0
    for intended in rng.choices(folded, k=1000):
        typed = intended
        for _ in range(rng.choice((1, 2))):
            typed = misspell(typed, rng)
        nearest = nearest_names(" ".join(typed.split()), folded)
        right += bool(nearest) and folded[nearest[0].position] == intended
    assert right >= 970


def misspell(text: str, rng: random.Random) -> str:
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


def test_empty_or_very_short_name_has_no_similar_names() -> None:
    names = ["ant", "bee", ""]
    assert nearest_names("", names) == []
    assert [near.edits for near in nearest_names("at", names)] == [1]
    assert nearest_names("x", names) == []


def test_row_without_set_matches_cards_with_set() -> None:
    with Store.in_memory() as store:
        import_bundled(ImportRequest(find_source("starter")), store)
        assert any(not card.set_code for card in store.all_cards())
        matcher = Resolver(StoreLookup(store))
        assert found(matcher.match(wanted("Myrmidons"))) == ("name", "spellfire:4th/210")


# --- limits of similar names --------------------------------------------------------------------------------------


def near(names: list[str], wanted: str, limit: int = 3) -> list[tuple[str, int | None, float]]:
    return [(names[one.position], one.edits, one.likeness) for one in nearest_names(wanted, names, limit)]


def test_names_sharing_word_are_near_from_75_percent() -> None:
    assert near(["amber bcdefg"], "amber bcdxyz") == [("amber bcdefg", None, 75.0)]
    assert near(["amber bcdefgh"], "amber bcdxyz") == []


def test_names_sharing_words_are_ordered_by_similarity() -> None:
    names = ["amber bcdex", "amber fghxyz", "amber fghxx"]
    assert [name for name, *_ in near(names, "amber fghijk", 4)] == ["amber fghxx", "amber fghxyz"]


def test_name_of_common_words_is_found_by_its_rarest_words() -> None:
    names = [*(f"the of a in {number}" for number in range(500)), "in the griffin of a lair"]
    assert near(names, "the lair of a griffin in", 1) == [("in the griffin of a lair", None, 100.0)]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("amber drake", [("amber drake", 0, 100.0), ("drake of amber", None, 88.0)]),
        ("amber brake", [("amber drake", 1, 90.9)]),
        ("xmber brake", [("amber drake", 2, 81.8)]),
        ("mist hare", [("mist hare", 0, 100.0), ("mint hare", 1, 88.9), ("hare mist", None, 100.0)]),
        ("ambre", []),
        ("", []),
    ],
)
def test_similar_names_are_found_with_edits_and_similarity(
    wanted: str, found: list[tuple[str, int | None, float]]
) -> None:
    names = ["amber drake", "mint hare", "", "drake of amber", "mist hare", "hare mist"]
    assert [(name, edits, round(likeness, 1)) for name, edits, likeness in near(names, wanted)] == found


def test_number_of_similar_names_is_limited() -> None:
    names = ["amber drake", "amber brake", "drake of amber", "amber the drake", "amber old drake"]
    found = near(names, "amber drak", 3)
    assert [(name, edits) for name, edits, _ in found[:2]] == [("amber drake", 1), ("drake of amber", None)]
    assert [len(near(names, "amber drakexx", limit)) for limit in range(1, 7)] == [1, 2, 3, 4, 5, 5]


def test_clear_misspelling_excludes_names_that_only_share_words() -> None:
    names = ["amber drake", "amber brake", "drake of amber", "amber the drake"]
    assert [name for name, _, _ in near(names, "amber drakes", 4)] == ["amber drake", "amber brake"]
    assert [name for name, _, _ in near(names, "drake the ambers", 2)] == ["amber the drake", "amber drake"]


class Sets:
    """A catalogue that knows only the names of the cards in its sets."""

    def __init__(self, **sets: list[str]) -> None:
        self.sets = sets

    def names(self, set_code: str, games: Collection[str] = ()) -> list[tuple[str, str]]:
        return [(name, fold(name)) for name in self.sets.get(set_code, ())]

    def names_like(self, folded: str) -> list[tuple[str, str]]:
        return [pair for code in self.sets for pair in self.names(code)]

    def names_sharing(self, folded: str) -> list[tuple[str, str]]:
        return []

    def has_name(self, name: str, set_code: str, games: Collection[str]) -> bool:
        return not set_code or name in self.sets.get(set_code, ())


SETS = Sets(dsk=["Mist Hare", "Mint Hare", "Amber Drake", "Moth, the Quick"], old=["Amber Brake", "Moth of the Dusk"])


def test_name_is_certain_if_no_other_is_as_similar() -> None:
    names = NearNames(SETS)
    assert [names.sure(text) for text in ("Amber Drakee", "amber drake", "Miist Hare")] == [
        *("Amber Drake", "Amber Drake", "Mist Hare"),
    ]
    assert [names.sure(text) for text in ("Mizt Hare", "quick moth", "nothing like it", "")] == ["", "", "", ""]
    assert names.sure("Amber Xrake") == ""
    assert [names.sure("Amber Xrake", code) for code in ("dsk", "old", "none")] == ["Amber Drake", "Amber Brake", ""]


@pytest.mark.parametrize(
    ("name", "wrong", "found"),
    [
        ("Brakes", "Brakex", True),
        ("Brake", "Brakx", False),
        ("Frost Bellringers", "Frost Bellringexx", False),
        ("Frost Bellringer A", "Frost Bellringex X", True),
    ],
)
def test_one_letter_of_six_may_be_wrong_and_two_of_eighteen(name: str, wrong: str, found: bool) -> None:
    assert NearNames(Sets(dsk=[name])).sure(wrong) == (name if found else "")


def test_equally_near_names_are_tied() -> None:
    names = NearNames(SETS)
    assert names.tied("Mixt Hare") == ("Mist Hare", "Mint Hare")
    assert names.tied("the moth of dusk") == names.tied("nothing like it") == ()


def test_up_to_three_similar_names_of_catalogue_or_set_are_found() -> None:
    names = NearNames(Sets(dsk=["Mist Hare", "Mint Hare", "Mixt Hare", "Miss Hare"], old=["Hare of Mist"]))
    assert names.nearest("Mist Hare") == ["Mist Hare", "Mint Hare", "Mixt Hare"]
    assert names.nearest("mist hare", "old") == ["Hare of Mist"]
    assert names.nearest("mist hare", "new") == []


@pytest.mark.parametrize(("length", "edits"), [(199, 1), (200, 0), (201, 1), (202, 2)])
def test_200_letters_of_a_name_are_compared(length: int, edits: int) -> None:
    name = "abcdefghij" * 30
    assert [found for _, found, _ in near([name[:length]], name)] == [edits]


def score(query: str, name: str) -> float:
    (hit,) = rank(query, [(name, fold(name))])
    return hit.score


def test_200_letters_of_a_query_are_compared() -> None:
    text = "abcdefghij" * 30
    assert score(text, text[:200]) == 100
    assert score(text[:201], text[:200]) == 100


@pytest.mark.parametrize(
    ("query", "name", "expected"),
    [
        ("forest", "Forest", 100),
        ("forest", "Forest Bear", 96),
        ("forest", "Forestry", 92),
        ("bear forest", "Forest of a Bear", 90),
        ("be fo", "Forest of a Bear", 80),
        ("zeta xylo quid", "Quid Zeta Xylo", 97),
        ("zetta xylo quid", "Quid Zeta Xylo", 93.6551),
        ("forrest", "Bear Forest", 79.2307),
        ("forrest", "Bear of the Old Forest Glade", 73.2307),
    ],
)
def test_score_depends_on_position_of_query_in_name(query: str, name: str, expected: float) -> None:
    assert score(query, name) == pytest.approx(expected, abs=0.0001)


def test_shared_word_counts_for_each_name() -> None:
    pairs = [(name, fold(name)) for name in ("Amber Drake", "Amber Clerk", "Dusk Drake")]
    assert [hit.name for hit in rank("ambre", pairs)] == ["Amber Clerk", "Amber Drake"]
    assert [hit.name for hit in rank("drake", pairs)] == ["Dusk Drake", "Amber Drake"]


# --- unknown, shared and placeholder ids -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["scryfall", "mtgo", "arena", "tcgplayer", "cardmarket"])
def test_unknown_id_makes_match_by_name_uncertain(matcher: Resolver, lenient: Resolver, kind: str) -> None:
    alone = matcher.match(wanted("Amber Archivist", "", "", (kind, "777777")))
    assert found(alone) == ("missed", None)
    assert f"no card with the {kind} id 777777" in alone.reason
    assert alone.candidates == (AMBER,)
    assert found(lenient.match(wanted("Amber Archivist", "", "", (kind, "777777")))) == ("name", AMBER)
    assert found(matcher.match(wanted("Amber Archivist", "dsk", "", (kind, "777777")))) == ("fuzzy", AMBER)
    assert found(matcher.match(wanted("Amber Archivist", "dsk", "1", (kind, "777777")))) == ("number", AMBER)


@pytest.mark.parametrize("placeholder", ["", "0", "-1"])
def test_placeholder_ids_are_ignored(matcher: Resolver, placeholder: str) -> None:
    assert found(matcher.match(wanted("Amber Archivist", "", "", ("mtgo", placeholder)))) == ("name", AMBER)


def test_mtgo_foil_id_implies_foil(matcher: Resolver) -> None:
    foil = wanted("Amber Archivist", "", "", ("mtgo", "502"))
    assert matcher.match(foil).with_finish(foil).amounts == (("foil", 1),)
    plain = wanted("Amber Archivist", "", "", ("mtgo", "501"))
    assert matcher.match(plain).with_finish(plain).amounts == (("normal", 1),)


def test_plain_id_column_counts_only_if_name_agrees(matcher: Resolver) -> None:
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
def test_shared_id_yields_to_set_and_number(
    matcher: Resolver, set_code: str, number: str, how: str, card_id: str
) -> None:
    name = "Brass Bellringer" if set_code == "pdsk" else "Iron Herald"
    match = matcher.match(wanted(name, set_code, number, ("tcgplayer", "909")))
    assert found(match) == (how, card_id)


# --- wrong numbers, and other spellings of numbers -------------------------------------------------------------------


@pytest.mark.parametrize(
    "number", ["14", "290", "290/264", "★290", "290*"]
)  # The first is another card's number; the others do not exist.
def test_wrong_number_is_doubt_if_set_has_name_once(matcher: Resolver, number: str) -> None:
    match = matcher.match(wanted("Amber Archivist", "dsk", number))
    assert found(match) == ("fuzzy", AMBER)
    assert match.reason == f"dsk has 'Amber Archivist' as number 1, not as {number}"
    assert found(matcher.match(wanted("Isle", "dsk", number))) == ("missed", None)


def test_wrong_number_with_unknown_id_is_another_printing(matcher: Resolver) -> None:
    match = matcher.match(wanted("Amber Archivist", "dsk", "290", ("scryfall", UUID.format(99))))
    assert (found(match), match.candidates) == (("missed", None), (AMBER,))
    assert match.reason.startswith("the catalogue has no card with the scryfall id")


def test_arena_version_does_not_match_the_paper_card(matcher: Resolver) -> None:
    for row in (wanted("A-Gale Herald", "dsk", "14"), wanted("A-Gale Herald", "", "", ("arena", "60001"))):
        match = matcher.match(row)
        assert (found(match), match.candidates) == (("missed", None), ("mtg:dsk/14",))


@pytest.mark.parametrize(
    ("name", "how"),
    [("Lynxx", "missed"), ("Kestril", "fuzzy"), ("Frost Drqke", "fuzzy"), ("Frosty Drke", "missed")],
)
def test_short_names_allow_fewer_edits(matcher: Resolver, name: str, how: str) -> None:
    match = matcher.match(wanted(name))
    assert match.how == how
    assert match.candidates


@pytest.mark.parametrize("number", ["3★", "★3", "3*", "03★", "3★/20", "*3"])
def test_star_of_number_may_precede_it_or_be_an_asterisk(matcher: Resolver, number: str) -> None:
    assert found(matcher.match(wanted("Cinder Cartographer", "pdsk", number))) == ("number", "mtg:pdsk/3★")


@pytest.mark.parametrize("number", ["21†", "21+", "21+/264"])
def test_plus_after_number_matches_dagger(matcher: Resolver, number: str) -> None:
    assert found(matcher.match(wanted("Kestrel", "dsk", number))) == ("number", "mtg:dsk/21†")


@pytest.mark.parametrize("number", ["22", "022", "22/264", "22/999"])
def test_set_size_after_number_is_ignored(matcher: Resolver, number: str) -> None:
    assert found(matcher.match(wanted("Lynx", "dsk", number))) == ("number", "mtg:dsk/22/264")


# --- correct names in the wrong set ----------------------------------------------------------------------------------


def test_name_known_in_other_set_is_never_misspelling(matcher: Resolver, lenient: Resolver) -> None:
    """Miss a known name that its set lacks, such as Noble Hierarch in the set of Ignoble Hierarch."""
    assert found(matcher.match(wanted("Twin Sisters", "dsk"))) == ("missed", None)
    assert found(matcher.match(wanted("Twin Sisters", "dsk", "10a"))) == ("missed", None)
    assert found(lenient.match(wanted("Twin Sisters", "dsk", "10a"))) == ("name", "mtg:old/4")


def test_other_printing_of_misspelt_name_is_only_a_candidate(lenient: Resolver) -> None:
    match = lenient.match(wanted("Amber Archivits", "xyz"))
    assert found(match) == ("missed", None)
    assert match.candidates == (AMBER,)


def test_row_without_set_matches_ordinary_printing(matcher: Resolver) -> None:
    """Match the ordinary printing, although the promo, with a mark after its number, is older."""
    assert found(matcher.match(wanted("Cinder Cartographer"))) == ("name", "mtg:dsk/3")
