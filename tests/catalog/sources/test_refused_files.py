"""Files of Magic in real shapes that were refused, or taken for what they are not."""

from pathlib import Path
from typing import Any

import pytest
from helpers.small_imports import database, file, imported

from ccgrid.catalog.card import CatalogError

# --- Cockatrice ---


def card_xml(name: str, *printed: str, text: str = "", kind: str = "Creature", cost: str = "2", pt: str = "1/4") -> str:
    properties = f"<type>{kind}</type><manacost>{cost}</manacost><pt>{pt}</pt>"
    return f"<card><name>{name}</name><text>{text}</text><prop>{properties}</prop>{''.join(printed)}</card>"


DUSK = "<set><name>DSK</name><longname>Dusk</longname><releasedate>2024-09-27</releasedate></set>"


def test_printings_under_one_number_that_play_alike_are_one_card_however_many_there_are(tmp_path: Path) -> None:
    pictures = [f'<set uuid="uuid-{i}" num="7" picURL="https://x/{i}.jpg">DSK</set>' for i in range(4)]
    summary, cards = imported(
        "cockatrice", file(tmp_path, "cards.xml", database(card_xml("Ash Ox", *pictures), sets=DUSK))
    )
    assert (summary.read, summary.skipped, list(cards)) == (4, 3, ["mtg:dsk/7"])
    assert summary.reasons == {"the same id again": ("mtg:dsk/7", 3)}


def test_printings_under_one_number_that_play_differently_are_told_apart(tmp_path: Path) -> None:
    ox = card_xml("Ash Ox", '<set num="7">DSK</set>')
    other = card_xml("Ash Ox", '<set num="7">DSK</set>', cost="5")
    summary, cards = imported("cockatrice", file(tmp_path, "cards.xml", database(ox, other, sets=DUSK)))
    assert (summary.skipped, list(cards)) == (0, ["mtg:dsk/7", "mtg:dsk/7#2"])


def test_a_file_of_which_most_cannot_be_read_is_still_refused(tmp_path: Path) -> None:
    cards = [card_xml("", '<set num="1">DSK</set>')] * 3 + [card_xml("Ash Ox", '<set num="7">DSK</set>')]
    with pytest.raises(CatalogError, match="only 1 of 4 rows are cards"):
        imported("cockatrice", file(tmp_path, "cards.xml", database(*cards, sets=DUSK)))


def test_sets_without_a_date_say_what_that_costs(tmp_path: Path) -> None:
    tokens = [card_xml(name, f'<set num="{i}">TDSK</set>', cost="") for i, name in enumerate(("Ox", "Elk"), 1)]
    dated = card_xml("Ash Ox", '<set num="7">DSK</set>')
    summary, cards = imported("cockatrice", file(tmp_path, "tokens.xml", database(*tokens, dated, sets=DUSK)))
    assert summary.remarks == [
        "tokens.xml: it does not say when a set came out (2 cards), so their frame is unknown and their collector "
        "numbers are not read."
    ]
    assert (cards["mtg:tdsk/1"].zones, cards["mtg:dsk/7"].zones["bottom-left"]) == ({}, 7)


# --- MTGJSON of 2017 ---


OLD_SET: dict[str, Any] = {
    "name": "Dusk",
    "code": "DSK",
    "releaseDate": "2016-04-08",
    "type": "expansion",
    "booster": ["rare", "common"],
    "cards": [
        {
            "name": "Ash Ox",
            "number": "7",
            "layout": "normal",
            "manaCost": "{2}{R}",
            "type": "Creature — Ox",
            "power": "4",
            "toughness": "*",
            "text": "Draw 3 cards.",
            "multiverseid": 11,
            "types": ["Creature"],
        },
        {
            "name": "Gideon of Ash",
            "number": "9",
            "layout": "normal",
            "manaCost": "{4}{W}",
            "type": "Planeswalker",
            "loyalty": 4,
            "text": "+1: Draw a card.",
        },
        {"name": "Ember", "number": "10a", "layout": "split", "names": ["Ember", "Cinder"], "manaCost": "{1}"},
        {"name": "Cinder", "number": "10b", "layout": "split", "names": ["Ember", "Cinder"], "manaCost": "{5}"},
        {
            "name": "Moth",
            "number": "8a",
            "layout": "double-faced",
            "names": ["Moth", "Owl"],
            "manaCost": "{3}",
            "type": "Creature",
            "power": "1",
            "toughness": "*",
        },
        {"name": "Owl", "number": "8b", "layout": "double-faced", "names": ["Moth", "Owl"], "type": "Creature"},
    ],
}
FIRST_SET = {
    "name": "Dawn",
    "code": "DWN",
    "releaseDate": "1994-08-08",
    "cards": [
        {"name": "Old Ox", "layout": "normal", "manaCost": "{2}", "mciNumber": "6"},
        {"name": "Elk", "layout": "normal", "manaCost": "{4}"},
    ],
}


@pytest.mark.parametrize(
    "document", [{"DWN": FIRST_SET, "DSK": OLD_SET}, [FIRST_SET, OLD_SET]], ids=["by code", "as a list"]
)
def test_the_sets_of_mtgjson_are_read_as_they_were_in_2017(tmp_path: Path, document: Any) -> None:
    summary, cards = imported("mtgjson", file(tmp_path, "AllSets.json", document))
    assert (summary.read, summary.skipped) == (8, 2)
    assert summary.reasons == {"it is the other face of a card; only fronts count": ("dsk, card 4", 2)}
    assert set(cards) == {"mtg:dwn/6", "mtg:dwn/elk", "mtg:dsk/7", "mtg:dsk/8", "mtg:dsk/9", "mtg:dsk/10"}
    ox = cards["mtg:dsk/7"]
    assert (ox.set_name, ox.zones, ox.face) == ("Dusk", {"top-right": 2, "bottom-right": 4, "bottom-left": 7}, (3,))
    assert cards["mtg:dsk/9"].zones == {"top-right": 4, "left": 1, "bottom-right": 4, "bottom-left": 9}
    assert (cards["mtg:dsk/10"].name, cards["mtg:dsk/10"].reason) == ("Ember // Cinder", "layout:split")
    assert cards["mtg:dsk/8"].zones == {"top-right": 3, "bottom-right": 1, "bottom-left": 8}
    assert cards["mtg:dwn/6"].zones == {"top-right": 2}, "the frame of 1993 prints no number"


def test_one_set_of_mtgjson_of_2017_is_read(tmp_path: Path) -> None:
    summary, cards = imported("mtgjson", file(tmp_path, "DSK.json", OLD_SET))
    assert (summary.read, len(cards), cards["mtg:dsk/7"].set_code) == (6, 4, "dsk")


def test_a_file_without_sets_is_not_said_to_have_no_cards(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"AllCards\.json: no set with cards was found in it\."):
        imported("mtgjson", file(tmp_path, "AllCards.json", {"Ash Ox": {"name": "Ash Ox", "manaCost": "{2}"}}))
