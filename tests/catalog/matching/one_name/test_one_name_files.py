"""One name, one card, in files that are brought into the collection, and in a session of entering cards."""

from typing import Any

import pytest
from helpers.catalogues import Shell
from three_griffins import ENTERED, SPELLFIRE, WYVERN, write

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.collection.edit import kind_of
from ccgrid.catalog.collection.session import EntrySession
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore


def brought(griffins: Shell, text: str, *options: str, name: str = "list.txt") -> dict[str, Any]:
    file = write(griffins.folder / name, text)
    report: dict[str, Any] = griffins.good("collection", "import", file, "--json", *options).json
    return report


def owned(griffins: Shell) -> list[str]:
    return sorted(one["id"] for one in griffins.good("collection", "list", "--json").json_lines)


@pytest.mark.parametrize(
    ("line", "card"),
    [("Griffin (wyvern)", WYVERN), ("2 Griffin (Spellfire)", SPELLFIRE), ("Griffin (3RD) 191", SPELLFIRE)],
)
def test_a_row_may_name_a_game_where_others_name_a_set(griffins: Shell, line: str, card: str) -> None:
    assert brought(griffins, f"{line}\n")["missed"] == 0
    assert owned(griffins) == [card]


def test_a_name_of_several_games_is_missed_and_the_report_says_how_to_settle_it(griffins: Shell) -> None:
    report = brought(griffins, "1 Griffin\n3 Amber Drake\n")
    (missed,) = report["report"]
    assert (missed["outcome"], missed["candidates"]) == ("missed", [ENTERED, SPELLFIRE, WYVERN])
    assert missed["reason"] == "cards of several games match: arcadia, spellfire, wyvern"
    assert (report["of_games"], report["any_printing"], report["copies"]) == (1, 0, 3)
    told = griffins.good("collection", "import", griffins.folder / "list.txt", "--again").out
    assert "1 missed row may be a card of several games: choose one with --game." in told


def test_of_several_games_the_one_that_is_asked_for_is_taken(griffins: Shell) -> None:
    alone = write(griffins.folder / "list.txt", "1 Griffin\n")
    griffins("collection", "import", alone).refused("cards of several games match", "Choose one with --game.")
    assert brought(griffins, "1 Griffin\n", "--game", "wyvern")["matched"]["name"] == 1
    assert owned(griffins) == [WYVERN]


def test_of_several_games_the_one_that_is_owned_is_taken_and_told(griffins: Shell) -> None:
    griffins.good("collection", "add", SPELLFIRE)
    report = brought(griffins, "1 Griffin\n")
    (entry,) = report["report"]
    assert (entry["outcome"], entry["card"], report["of_games"]) == ("fuzzy", SPELLFIRE, 0)
    assert entry["reason"] == "cards of several games match; this is the one of spellfire, which you own"


def test_a_number_tells_which_game_is_meant(griffins: Shell) -> None:
    table = "Count,Name,Collector Number\n1,Griffin,191\n"
    assert brought(griffins, table, name="mine.csv")["matched"]["name"] == 1
    assert owned(griffins) == [SPELLFIRE]


TYPOS = sorted(
    {f"Griffin{letter}" for letter in "sx"}
    | {"Griffin"[:place] + "Griffin"[place + 1 :] for place in range(7)}
    | {"Griffin"[:place] + "z" + "Griffin"[place + 1 :] for place in range(7)}
    | {"Griffin"[:place] + "Griffin"[place : place + 2][::-1] + "Griffin"[place + 2 :] for place in range(6)}
    - {"Griffin"}
)


def test_a_misspelt_name_that_several_games_have_is_as_ambiguous_as_a_well_spelt_one(griffins: Shell) -> None:
    report = brought(griffins, "".join(f"1 {name}\n" for name in TYPOS) + "1 Amber Drake\n")
    assert (len(TYPOS) > 15, report["of_games"], report["copies"]) == (True, len(TYPOS), 1)
    for entry in report["report"]:
        assert (entry["outcome"], entry["candidates"]) == ("missed", [ENTERED, SPELLFIRE, WYVERN])
        assert entry["reason"].startswith("cards of several games match: arcadia, spellfire, wyvern ('Griffin'")
    griffins.good("collection", "doubts", "--outcome", "missed", "--confirm")
    assert owned(griffins) == ["mtg:dsk/5"]


def test_the_game_that_is_said_makes_a_misspelt_name_plain(griffins: Shell) -> None:
    report = brought(griffins, "1 Grifin\n", "--game", "wyvern")
    assert (report["matched"]["fuzzy"], owned(griffins)) == (1, [WYVERN])
    griffins.good("collection", "undo")
    assert brought(griffins, "1 Grifin (spellfire)\n")["matched"]["fuzzy"] == 1
    assert owned(griffins) == [SPELLFIRE]


def test_a_misspelt_name_in_an_unknown_set_is_suggested_in_each_game(griffins: Shell) -> None:
    report = brought(griffins, "Count,Name,Edition\n1,Grifin,zzz\n1,Griffin,zzz\n1,Amber Drake,\n", name="mine.csv")
    assert [entry["candidates"] for entry in report["report"]] == [[ENTERED, SPELLFIRE, WYVERN]] * 2


def test_a_file_of_an_app_for_one_game_never_brings_cards_of_another(griffins: Shell) -> None:
    heading = "Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Collector Number\n"
    rows = "1,0,Griffin,,,,,\n1,0,Grifin,,,,,\n1,0,Bolt,,,,,\n"
    report = brought(griffins, heading + rows, name="mox.csv")
    assert (report["format"], report["missed"], report["of_games"]) == ("moxfield", 2, 0)
    assert owned(griffins) == ["mtg:lea/161"]
    report = brought(griffins, heading + "1,0,Griffin,,,,,\n", "--game", "wyvern", name="more.csv")
    assert report["matched"]["name"] == 1, "what a person says counts for more than the app"


def test_the_games_of_the_app_that_wrote_a_file_come_first(griffins: Shell) -> None:
    griffins.good("card", "add", "--game", "wyvern", "--name", "Amber Drake", "--top", "3")
    assert brought(griffins, "1 Amber Drake\n1 Bolt\n")["of_games"] == 1
    heading = "Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID\n"
    report = brought(griffins, f"{heading}Amber Drake,,,,normal,,2,,\n", name="mana.csv")
    assert (report["format"], report["matched"]["name"], report["of_games"]) == ("manabox", 1, 0)


@pytest.mark.parametrize(
    ("game", "options", "found"),
    [
        ("a6c8d2e8-7cd8-11dd-8f94-e62b56d89593", (), True),  # what OCTGN calls Magic
        ("60d6fb01-7103-484f-9253-3f67b9e2ffeb", (), False),  # KeyForge, by its layout
        ("00000000-7103-484f-9253-3f67b9e2ffeb", (), False),
        ("00000000-7103-484f-9253-3f67b9e2ffeb", ("--game", "mtg"), True),
    ],
)
def test_a_deck_of_octgn_means_cards_of_its_own_game_alone(
    griffins: Shell, game: str, options: tuple[str, ...], found: bool
) -> None:
    deck = f'<deck game="{game}"><section name="Main"><card qty="2" id="">Bolt</card></section></deck>'
    file = write(griffins.folder / "deck.o8d", deck)
    if found:
        assert griffins.good("collection", "import", file, "--json", *options).json["matched"]["name"] == 1
    else:
        griffins("collection", "import", file).refused("matches a card; nothing changed")
        assert owned(griffins) == []


def test_rows_that_several_games_had_are_tried_again_with_their_file(griffins: Shell) -> None:
    assert brought(griffins, "1 Griffin\n1 Bolt\n")["of_games"] == 1
    again = brought(griffins, "1 Griffin\n1 Bolt\n", "--game", "arcadia")
    assert (again["settled"], again["of_games"]) == (1, 0)
    assert ENTERED in owned(griffins)


def test_a_misspelt_name_that_several_games_have_is_suggested_for_each_of_them(griffins: Shell) -> None:
    with Store(griffins.database) as store:
        session = EntrySession(CollectionStore(store), (), "", kind_of())
        with pytest.raises(CatalogError) as caught:
            session.enter("Grifin")
        said = str(caught.value)
        assert all(
            words in said for words in ("Griffin (arcadia)", "Griffin (spellfire 3RD 191)", "Griffin (wyvern LIM")
        )
        number = said[said.index("Griffin (spellfire") - 2]
        assert session.enter(number).startswith("1 Griffin (spellfire")


def test_the_entry_session_says_where_other_printings_have_other_numbers(griffins: Shell) -> None:
    with Store(griffins.database) as store:
        session = EntrySession(CollectionStore(store), (), "", kind_of())
        said = session.enter("Bolt")
        assert said.endswith("Bolt (mtg:lea/161) is the earliest of 4 printings; 1 other printing has other numbers.")
        assert session.enter("2 Bolt (prm)").startswith("2 Bolt (mtg prm 7): ")
        session.enter("undo")
        assert session.enter("Bolt").startswith("1 Bolt (mtg lea 161)"), "a mistake is not repeated by what one owns"
