"""Comparison of a row with cards: its rarity and set, the best of several printings, and the fields of lines."""

from collections.abc import Callable
from typing import Any

import pytest
from helpers.small_shelf import card

from ccgrid.catalog.lines import WrittenCard
from ccgrid.catalog.matching.asking import MatchResult, candidate_ids, with_candidates
from ccgrid.catalog.matching.printings import best, best_of_each_game, finish_of_id, likeliest, says_rarity
from ccgrid.catalog.matching.rows import Row, with_cell, with_reading
from ccgrid.catalog.matching.sets import SetNames, is_in_game_or_set, is_special

RARITIES = {
    **{"c": "common", "r": "rare", "sr": "super-rare", "ur": "ultra-rare", "scr": "secret-rare"},
    **{"utr": "ultimate-rare", "gr": "ghost-rare", "gur": "gold-rare", "gscr": "gold-secret-rare", "sp": "short-print"},
    **{"pscr": "prismatic-secret-rare", "plscr": "platinum-secret-rare", "upr": "ultra-parallel-rare"},
    **{"cr": "collector-s-rare", "qcscr": "quarter-century-secret-rare", "msr": "mosaic-rare", "sfr": "starfoil-rare"},
}


@pytest.mark.parametrize(("code", "rarity"), RARITIES.items())
def test_rarity_matches_by_name_or_code(code: str, rarity: str) -> None:
    ant = card("lob", "1", "Ant", id=f"yugioh:lob-001/{rarity}", game="yugioh")
    for written in (code, code.upper(), rarity, rarity.replace("-", " ").title()):
        assert says_rarity(Row(rarity=written), ant), written
    for other in ("", "zz", "common" if code != "c" else "rare"):
        assert not says_rarity(Row(rarity=other), ant), other


# --- sets ---

CODES = {"DSK": "Dusk", "akh": "Amonkhet", "lea": "Alpha", "03Phoenix": "Rise", "1ED": "First", "": "Loose"}


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"set_code": "dsk"}, ("DSK",)),
        ({"set_code": " DSK "}, ("DSK",)),
        ({"set_code": "dusk"}, ("DSK",)),
        ({"set_name": "dsk"}, ("DSK",)),
        ({"set_name": "Dusk"}, ("DSK",)),
        ({"set_code": "dsk", "set_name": "Amonkhet"}, ("DSK",)),
        ({"set_code": "1E"}, ("lea",)),
        ({"set_code": "zzz"}, ()),
        ({"set_name": "Amonkhet (AKH)"}, ("akh",)),
        ({"set_name": "Something [akh]"}, ("akh",)),
        ({"set_name": "Something (ZZZ)"}, ()),
        ({"set_name": "AKH: Something"}, ("akh",)),
        ({"set_name": "ZZ01: Amonkhet"}, ("akh",)),
        ({"set_name": "ZZ01: Something"}, ()),
        ({"set_name": "Phoenix"}, ("03Phoenix",)),
        ({"set_name": "ed"}, ()),  # too short to be part of a code
        ({"number": "DSK-001"}, ("DSK",)),
        ({"number": "ZZZ-001"}, ()),
        ({"number": "DSK-001", "set_code": "akh"}, ("akh",)),
        ({}, ()),
    ],
)
def test_set_of_row_is_recognised_by_code_name_or_number(fields: dict[str, str], codes: tuple[str, ...]) -> None:
    names = SetNames(CODES.items())
    found = names.sets_of(Row(**fields))
    assert found.codes == codes
    assert names.sets_of(Row(**fields)) == found
    wanted = fields.get("set_code") or fields.get("set_name") or ("dsk" if codes else "")
    assert found.written == wanted


def test_word_matches_game_or_set_by_code_older_code_or_name() -> None:
    ant = card("lea", "7", "Ant", set_name="Limited Edition Alpha", game="mtg")
    for word in ("mtg", "MTG", "lea", "1E", "Alpha", "limited edition alpha"):
        assert is_in_game_or_set(ant, word), word
    for word in ("leb", "2E", "Beta", "vtes"):
        assert not is_in_game_or_set(ant, word), word
    dusk = card("DSK", "7", "Ant", set_name="Dusk")
    assert [is_in_game_or_set(dusk, word) for word in ("dsk", "DUSK", "The Dusk Edition", "Dawn")] == [
        True,
        True,
        True,
        False,
    ]
    loose = card("", "7", "Ant", set_name="", game="vtes")
    assert [is_in_game_or_set(loose, word) for word in ("vtes", "lea", "-")] == [True, False, False]


# --- choice of the printing ---


@pytest.mark.parametrize(
    ("printing", "special"),
    [
        (("mtg", "m10", "Magic 2010", "146"), False),
        (("mtg", "pm10", "Magic 2010", "146"), True),
        (("vtes", "pm10", "Camarilla", "146"), False),
        (("mtg", "p02", "Portal Second Age", "1"), False),
        (("mtg", "m10", "Magic 2010", "146s"), True),
        (("mtg", "m10", "Magic 2010", "★1"), True),
        (("vtes", "x", "Prerelease Cards", "1"), True),
    ],
)
def test_promo_is_recognised_by_set_or_mark_of_number(printing: tuple[str, str, str, str], special: bool) -> None:
    assert is_special(*printing) is special


ANT = card("dsk", "7", "Ant", released="2001-01-01")
ORDER = [
    (card("dsk", "7", "Ant", id="yugioh:x/rare", released="2009-01-01"), {"rarity": "rare"}),
    (card("dsk", "7", "Ant", lang="it", released="2009-01-01"), {"language": "it"}),
    (ANT, {}),
    (card("tmp", "9", "Ant", lang="de", released="1990-01-01"), {"language": "de"}),
]


@pytest.mark.parametrize(("first", "fields"), ORDER)
def test_row_fields_count_before_earliest_printing(first: Any, fields: dict[str, str]) -> None:
    assert best(Row(**fields), [one for one, _ in ORDER]) == first


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (card("dsk", "7", "Ant"), card("old", "7", "Ant", lang="fr", released="1990-01-01")),  # English
        (card("dsk", "7", "Ant"), card("pdsk", "7", "Ant", released="1990-01-01")),  # not a promo
        (card("old", "9", "Ant", released="1990-01-01"), card("dsk", "1", "Ant")),  # the earliest
        (card("dsk", "9", "Ant", id="z"), card("dsk", "10a", "Ant", id="a")),  # the lowest number
        (card("dsk", "x", "Ant", id="a"), card("dsk", "", "Ant", id="b")),
    ],
)
def test_best_printing_is_english_ordinary_earliest_and_lowest(first: Any, second: Any) -> None:
    assert best(Row(), [second, first]) == best(Row(), [first, second]) == first


def test_english_printing_is_taken_if_row_language_is_missing() -> None:
    french = card("old", "7", "Ant", lang="fr", released="1990-01-01")
    assert best(Row(language="de"), [french, ANT]) == ANT


def test_best_of_each_game_prefers_deck_cards_then_legal_ones() -> None:
    early, legal, bee = (
        card("old", "1", "Ant", released="1990-01-01", legal=False),
        card("dsk", "2", "Ant"),
        card("x", "1", "Ant", game="arcadia"),
    )
    assert best_of_each_game(Row(), [early, legal, bee]) == [bee, early]
    assert best_of_each_game(Row(), [early, legal, bee], frozenset()) == [bee, legal]
    assert best_of_each_game(Row(), [early, legal, bee], frozenset([early.id])) == [bee, early]


def test_likeliest_card_has_most_similar_name() -> None:
    cards = [card("dsk", str(number), name) for number, name in enumerate(("Bee", "Giant Ant", "Giant Aunt"))]
    assert likeliest(Row(name="Giant Annt"), cards) in cards[1:]
    assert likeliest(Row(name="Beee"), cards) == cards[0]
    assert likeliest(Row(name="Beee"), cards[1:2]) == cards[1]


def test_at_most_three_candidates_are_named_with_taken_one_first() -> None:
    cards = [card("dsk", str(number), "Ant") for number in (1, 2, 3, 4)]
    assert candidate_ids([cards[0], *cards]) == ("dsk/1", "dsk/2", "dsk/3")
    found = MatchResult(cards[3], "fuzzy", candidates=("dsk/1", "dsk/4", "dsk/2", "dsk/3"))
    assert with_candidates(found) == ("dsk/4", "dsk/1", "dsk/2")
    assert with_candidates(found._replace(card=None)) == ("dsk/1", "dsk/4", "dsk/2")


def test_second_mtgo_id_belongs_to_foil() -> None:
    ant = card("dsk", "7", "Ant", ids="scryfall:9 mtgo:501 mtgo:502")
    ids = [("mtgo", "501"), ("mtgo", "502"), ("scryfall", "9"), ("arena", "502")]
    assert [finish_of_id(ant, kind, value) for kind, value in ids] == ["", "foil", "", ""]


def test_foil_id_sets_finish_of_normal_copies() -> None:
    row = Row(amounts=(("normal", 2), ("etched", 1)))
    assert MatchResult(ANT, "id", finish="foil").with_finish(row).amounts == (("foil", 2), ("etched", 1))
    assert MatchResult(ANT, "id").with_finish(row) is row


# --- fields of a line, and of the cell of a name ---


def test_list_row_takes_fields_of_line_with_tags_as_note() -> None:
    assert with_reading(Row(7, "raw"), WrittenCard("Ant"))[:8] == (7, "raw", (("normal", 1),), "Ant", "", "", "", ())
    line = WrittenCard("Ant", 3, "foil", ("mtg", "DSK"), "7", "mint", "de", ("red", "signed"), "sb")
    row = with_reading(Row(7, "raw"), line)
    assert (row.amounts, row.name, row.set_code, row.number) == ((("foil", 3),), "Ant", "dsk", "7")
    assert (row.condition, row.language, row.note, row.more) == ("mint", "de", "red", ("mtg",))
    assert (row.beside, with_reading(Row(), WrittenCard("Ant")).beside, Row().beside) == (True, False, False)
    assert row.details != Row().details


@pytest.mark.parametrize(
    ("row", "read", "expected"),
    [
        ({}, {}, {"amounts": (("normal", 1),)}),
        ({}, {"copies": 3, "finish": "foil"}, {"amounts": (("foil", 3),)}),
        ({"amounts": (("normal", 2),)}, {"copies": 2}, {}),
        ({"amounts": (("normal", 2),)}, {"copies": 3}, {"more": ("3x",)}),
        ({"amounts": (("normal", 2),)}, {"finish": "foil"}, {"amounts": (("foil", 2),)}),
        ({"amounts": (("etched", 2),)}, {"finish": "foil"}, {"more": ("foil",)}),
        ({}, {"beside": ("dsk",)}, {"set_code": "dsk"}),
        ({"set_code": "old"}, {"beside": ("dsk",)}, {"set_code": "old", "more": ("dsk",)}),
        ({"set_name": "Old"}, {"beside": ("dsk",)}, {"set_name": "Old", "more": ("dsk",)}),
        ({}, {"beside": ("other",)}, {"more": ("other",)}),
        (
            {},
            {"number": "7", "condition": "mint", "language": "de"},
            {"number": "7", "condition": "mint", "language": "de"},
        ),
        ({"number": "7"}, {"number": "7"}, {"number": "7"}),
        ({"number": "8"}, {"number": "7"}, {"number": "8", "more": ("7",)}),
        ({"language": "de"}, {"language": "it"}, {"language": "de", "more": ("it",)}),
        ({}, {"tags": ("red",)}, {"more": ("red",)}),
    ],
)
def test_name_cell_fills_gaps_and_keeps_conflicting_words(
    row: dict[str, Any], read: dict[str, Any], expected: dict[str, Any]
) -> None:
    is_place: Callable[[str], bool] = {"dsk", "old"}.__contains__
    found = with_cell(Row(name="whole", **row), WrittenCard("Ant", **read), is_place)
    amounts = {"amounts": row.get("amounts", (("normal", 1),))}
    assert found == Row(**{"name": "Ant", **amounts, **expected})
