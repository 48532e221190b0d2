"""Names of cards in several games: misspelt names, halves, printings, and lines in lists, tables and sessions."""

import random
from typing import Any

import pytest
from helpers.catalogues import Shell, make_catalogue, row, write_rows
from helpers.small_shelf import Shelf, card, match
from helpers.small_shelf import row as wanted
from helpers.text_files import write
from three_griffins import ENTERED, SPELLFIRE, WYVERN

from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.collection.entry_session import EntrySession
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.matching.asking import NoSuchCardError
from ccgrid.catalog.matching.candidates import squeeze
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore

GAMES = ("hearthstone", "mtg", "onepiece", "spellfire")
FIRST = ("Amber", "Brass", "Copper", "Dusky", "Ember", "Frozen", "Gilded", "Hollow", "Ivory", "Jaded")
SECOND = ("Archivist", "Bellringer", "Cartographer", "Duelist", "Enchanter")
NAMES = [f"{one} {other}" for one in FIRST for other in SECOND]


def shared_names() -> Shelf:
    """Return a catalogue in which each name is a card of two to four games."""
    dice = random.Random(7)
    found = []
    for number, name in enumerate(NAMES):
        for game in sorted(dice.sample(GAMES, dice.randint(2, 4))):
            found.append(card("set", str(number), name, id=f"{game}:set/{number}", game=game))
    return Shelf(*found)


def typo(name: str, dice: random.Random) -> str:
    """Return a name with one letter changed, missing, added, or swapped with the next; the first one stays."""
    place = dice.randrange(1, len(name) - 1)
    letter = dice.choice("aeioustrn")
    wrong = (
        name[:place] + letter + name[place + 1 :],
        name[:place] + name[place + 1 :],
        name[:place] + letter + name[place:],
        name[:place] + name[place + 1] + name[place] + name[place + 2 :],
    )
    return dice.choice(wrong)


def typos() -> list[tuple[str, str]]:
    dice = random.Random(23)
    made = [(name, typo(name, dice)) for name in NAMES for _ in range(3)]
    return [(name, wrong) for name, wrong in made if wrong.casefold() != name.casefold()][:100]


@pytest.mark.parametrize(("name", "wrong"), typos())
def test_misspelt_name_of_several_games_is_as_ambiguous_as_correct_name(name: str, wrong: str) -> None:
    shelf = shared_names()
    games = [one.game for one in shelf.by_name(name)]
    resolver = Resolver(shelf)
    found, right = resolver.match(wanted(wrong)), resolver.match(wanted(name))
    assert (found.card, right.card) == (None, None)
    assert found.reason.startswith(right.reason)
    assert {one.partition(":")[0] for one in found.candidates} == set(games[:3]), "suggestions must include all games"
    of_app = Resolver(shelf, app=(games[0],)).match(wanted(wrong))
    assert of_app.card is not None
    how = "name" if squeeze(wrong) == squeeze(name) else "fuzzy"
    assert (of_app.card.game, of_app.card.name, of_app.how) == (games[0], name, how)
    with pytest.raises(NoSuchCardError, match=name):
        resolver.resolve(Row(name=wrong))


def test_app_games_exclude_cards_of_other_games() -> None:
    shelf = Shelf(card("set", "1", "Fireball", id="hearthstone:set/1", game="hearthstone"), card("m10", "2", "Shock"))
    for name in ("Fireball", "Firebal"):
        assert Resolver(shelf, app=("mtg",)).match(wanted(name)).card is None


# --- halves -----------------------------------------------------------------------------------------------------------

HALVED = [
    card("set", str(number), f"{NAMES[number]} // {NAMES[number + 20]}", printed_name=None) for number in range(15)
]


@pytest.mark.parametrize("number", range(15))
def test_each_half_of_a_name_finds_the_card(number: int) -> None:
    for half in (NAMES[number], NAMES[number + 20]):
        assert match(HALVED, wanted(half))[:2] == ("name", f"set/{number}")
        assert Resolver(Shelf(*HALVED)).resolve(Row(name=half)).card.id == f"set/{number}"


# --- choice of the printing -------------------------------------------------------------------------------------------

PRINTINGS = {
    "Giant Growth": (("fnm", "Friday Night Magic 2000", "1999-01-01", True), ("lea", "Alpha", "1993-08-05", False)),
    "Lightning Bolt": (("mpr", "Magic Player Rewards", "1992-01-01", True), ("lea", "Alpha", "1993-08-05", False)),
    "Island": (("palp", "Asia Pacific Land Program", "1990-01-01", True), ("lea", "Alpha", "1993-08-05", False)),
    "Naturalize": (("pm10", "Magic 2010 Promos", "2001-01-01", True), ("ons", "Onslaught", "2002-10-07", True)),
}


@pytest.mark.parametrize("name", PRINTINGS)
def test_ordinary_printing_precedes_promo_except_in_decks(name: str) -> None:
    promo, ordinary = (
        card(code, str(number), name, set_name=title, released=released, legal=legal, numbers=str(number))
        for number, (code, title, released, legal) in enumerate(PRINTINGS[name])
    )
    shelf = Shelf(promo, ordinary)
    found = Resolver(shelf).match(wanted(name))
    assert (found.card, found.others, found.differing) == (ordinary, 1, 1)
    asked = Resolver(shelf).resolve(Row(name=name))
    assert asked.card.id == ordinary.id
    assert asked.remark.endswith("is the earliest ordinary one of 2 printings; 1 other printing has other numbers.")
    in_deck = Resolver(shelf, playable=lambda one: one.legal).resolve(Row(name=name)).card.id
    assert in_deck == (ordinary if ordinary.legal else promo).id


def test_import_counts_rows_with_differing_printings(three_games: Shell) -> None:
    file = write(three_games.folder / "list.txt", "4 Bolt\n1 Amber Drake\n")
    report = three_games.good("collection", "import", file, "--json").json
    assert (report["unsure"], report["differing"]) == (1, 1)
    output = three_games.good("collection", "import", file, "--again").out
    assert "1 row did not name a printing; the earliest ordinary one was used." in output
    assert "For 1 of them, other printings have other numbers." in output


# --- lines on the command line, in lists and in sessions --------------------------------------------------------------


@pytest.fixture
def bolts(shell: Shell) -> Shell:
    sets = (("lea", "Limited Edition Alpha", "161", 1993), ("m10", "Magic 2010", "146", 2009))
    cards = [
        row(1, "Lightning Bolt", 1, set=code, set_name=title, collector_number=number, released_at=f"{year}-01-01")
        for code, title, number, year in sets
    ]
    make_catalogue(shell.database, write_rows(shell.folder / "cards.jsonl", cards))
    return shell


LINES: dict[str, tuple[Any, ...]] = {
    "4 Lightning Bolt (Magic 2010)": (4, "m10", "normal", None),
    "Lightning Bolt - 4": (4, "lea", "normal", None),
    "4 Lightning Bolt - M10": (4, "m10", "normal", None),
    "4 Lightning Bolt - foil": (4, "lea", "foil", None),
    "Lightning Bolt - near mint": (1, "lea", "normal", "near-mint"),
    "4Lightning Bolt": (4, "lea", "normal", None),
    "(2) Lightning Bolt": (2, "lea", "normal", None),
    "Lightning Bolt: 5": (5, "lea", "normal", None),
    "Lightning Bolt, 3": (3, "lea", "normal", None),
    "• 2 Lightning Bolt": (2, "lea", "normal", None),
    "- 4 Lightning Bolt": (4, "lea", "normal", None),
    "1) Lightning Bolt": (1, "lea", "normal", None),
    "Lightning Bolt (4)": (4, "lea", "normal", None),
    "4 Lightning Bolt NM": (4, "lea", "normal", "near-mint"),
    "x4 Lightning Bolt": (4, "lea", "normal", None),
    "2 Lightning Bolt [M10] 146 *F* LP German": (2, "m10", "foil", "lightly-played"),
}


@pytest.mark.parametrize("way", ["import", "add", "session"])
def test_line_is_read_alike_in_import_add_and_session(bolts: Shell, way: str) -> None:
    for line, (copies, set_code, finish, condition) in LINES.items():
        if way == "import":
            bolts.good("collection", "import", write(bolts.folder / "list.txt", f"{line}\n"), "--again")
        elif way == "add":
            bolts.good("collection", "add", "--", line)
        else:
            bolts.good("collection", "add", typed=f"{line}\n")
        (entry,) = bolts.entries()
        assert (entry["copies"], entry["set_code"], entry["finish"], entry["condition"]) == (
            *(copies, set_code, finish, condition),
        ), line
        bolts.good("collection", "remove", "Lightning Bolt", "--all")


def test_contradicting_words_and_options_are_rejected(bolts: Shell) -> None:
    bolts("collection", "add", "4 Lightning Bolt *F*", "-n", "3").misuses("says 4, but the option says 3")
    bolts("collection", "add", "4 Lightning Bolt *F*", "--finish", "etched").misuses("foil")
    bolts("collection", "add", "Lightning Bolt (M10)", "--set", "lea").finds_none("it is not in 'M10'")


def test_line_with_unknown_words_is_not_imported_as_certain(bolts: Shell) -> None:
    file = write(bolts.folder / "list.txt", "1 Lightning Bolt\n4 Lightning Bolt - of Kai\n2 Lightning Bolt (Kai)\n")
    report = bolts.incomplete("collection", "import", file, "--json").json["report"]
    assert [entry["copies"] for entry in bolts.entries()] == [1]
    assert [(one["line"], one["outcome"]) for one in report] == [(2, "fuzzy"), (3, "missed")]


# --- tables of apps ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "line"),
    [
        ("Quantity,Card Name,Set Code,Collector Number,Foil,Language", '3,"Lightning Bolt",M10,146,false,en'),
        ("Count,Name,Edition,Collector Number,Foil,Language", '3,"Lightning Bolt",Magic 2010,146,,English'),
        ("Quantity,Name,Set,Card Number,Printing,Language", "3,Lightning Bolt (146),M10,146,Normal,English"),
        ("set,name,number,scryfall_id,nonfoil,foil", "m10,Lightning Bolt,146,,3,"),
        ("Qty,Name,Set", "3,Lightning Bolt [M10] 146,"),
    ],
)
def test_rows_of_different_apps_find_same_card(bolts: Shell, heading: str, line: str) -> None:
    file = write(bolts.folder / "app.csv", f"{heading}\n{line}\n")
    report = bolts.good("collection", "import", file, "--json").json
    assert (report["copies"], report["report"]) == (3, [])
    (entry,) = bolts.entries()
    assert (entry["id"], entry["finish"]) == ("mtg:m10/146", "normal")


# --- imports and entry sessions with names in several games -------------------------------------------------------


def import_list(three_games: Shell, text: str, *options: str, name: str = "list.txt") -> dict[str, Any]:
    file = write(three_games.folder / name, text)
    result = three_games("collection", "import", file, "--json", *options)
    report: dict[str, Any] = result.json
    assert result.status == int(report["missed"] + report["matched"]["fuzzy"] > 0), result
    return report


def copies_owned(three_games: Shell) -> list[str]:
    return sorted(one["id"] for one in three_games.entries())


@pytest.mark.parametrize(
    ("line", "card"),
    [("Griffin (wyvern)", WYVERN), ("2 Griffin (Spellfire)", SPELLFIRE), ("Griffin (3RD) 191", SPELLFIRE)],
)
def test_row_may_name_game_in_place_of_set(three_games: Shell, line: str, card: str) -> None:
    assert import_list(three_games, f"{line}\n")["missed"] == 0
    assert copies_owned(three_games) == [card]


def test_name_in_several_games_is_missed_with_advice(three_games: Shell) -> None:
    report = import_list(three_games, "1 Griffin\n3 Amber Drake\n")
    (missed,) = report["report"]
    assert (missed["outcome"], missed["candidates"]) == ("missed", [ENTERED, SPELLFIRE, WYVERN])
    assert missed["reason"] == "cards of several games match: arcadia, spellfire, wyvern"
    assert (report["of_games"], report["any_printing"], report["copies"]) == (1, 0, 3)
    output = three_games.incomplete("collection", "import", three_games.folder / "list.txt", "--again").out
    assert "1 missed row may be a card of several games: choose one with --game." in output


def test_import_takes_game_given_by_option(three_games: Shell) -> None:
    alone = write(three_games.folder / "list.txt", "1 Griffin\n")
    three_games("collection", "import", alone).fails("cards of several games match", "Choose one with --game.")
    assert import_list(three_games, "1 Griffin\n", "--game", "wyvern")["matched"]["name"] == 1
    assert copies_owned(three_games) == [WYVERN]


def test_import_proposes_owned_card_among_several_games(three_games: Shell) -> None:
    three_games.good("collection", "add", SPELLFIRE)
    report = import_list(three_games, "1 Griffin\n")
    (entry,) = report["report"]
    assert (entry["outcome"], entry["card"], report["of_games"]) == ("fuzzy", SPELLFIRE, 1)
    assert entry["candidates"] == [SPELLFIRE, ENTERED, WYVERN]
    assert [one["copies"] for one in three_games.entries()] == [1]
    assert entry["reason"] == "cards of several games match; this is the one of spellfire, which you own"


def test_collector_number_selects_game(three_games: Shell) -> None:
    table = "Count,Name,Collector Number\n1,Griffin,191\n"
    assert import_list(three_games, table, name="mine.csv")["matched"]["name"] == 1
    assert copies_owned(three_games) == [SPELLFIRE]


TYPOS = sorted(
    {f"Griffin{letter}" for letter in "sx"}
    | {"Griffin"[:place] + "Griffin"[place + 1 :] for place in range(7)}
    | {"Griffin"[:place] + "z" + "Griffin"[place + 1 :] for place in range(7)}
    | {"Griffin"[:place] + "Griffin"[place : place + 2][::-1] + "Griffin"[place + 2 :] for place in range(6)}
    - {"Griffin"}
)


def test_misspelt_name_in_several_games_stays_ambiguous(three_games: Shell) -> None:
    report = import_list(three_games, "".join(f"1 {name}\n" for name in TYPOS) + "1 Amber Drake\n")
    assert (len(TYPOS) > 15, report["of_games"], report["copies"]) == (True, len(TYPOS), 1)
    for entry in report["report"]:
        assert (entry["outcome"], entry["candidates"]) == ("missed", [ENTERED, SPELLFIRE, WYVERN])
        assert entry["reason"].startswith("cards of several games match: arcadia, spellfire, wyvern ('Griffin'")
    three_games.good("collection", "doubts", "--outcome", "missed", "--confirm")
    assert copies_owned(three_games) == ["mtg:dsk/5"]


def test_given_game_leaves_one_candidate_for_misspelt_name(three_games: Shell) -> None:
    for line, options, intended in (
        ("1 Grifin\n", ("--game", "wyvern"), WYVERN),
        ("1 Grifin (spellfire)\n", (), SPELLFIRE),
    ):
        report = import_list(three_games, line, *options)
        assert (report["matched"]["fuzzy"], report["copies"], copies_owned(three_games)) == (1, 0, [])
        three_games.good("collection", "doubts", "--confirm")
        assert copies_owned(three_games) == [intended]
        three_games.good("undo")
        three_games.good("undo")


def test_misspelt_name_in_unknown_set_is_suggested_for_each_game(three_games: Shell) -> None:
    report = import_list(
        three_games, "Count,Name,Edition\n1,Grifin,zzz\n1,Griffin,zzz\n1,Amber Drake,\n", name="mine.csv"
    )
    assert [entry["candidates"] for entry in report["report"]] == [[ENTERED, SPELLFIRE, WYVERN]] * 2


def test_file_of_app_for_one_game_adds_only_its_cards(three_games: Shell) -> None:
    heading = "Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Collector Number\n"
    rows = "1,0,Griffin,,,,,\n1,0,Grifin,,,,,\n1,0,Bolt,,,,,\n"
    report = import_list(three_games, heading + rows, name="mox.csv")
    assert (report["format"], report["missed"], report["of_games"]) == ("moxfield", 2, 0)
    assert copies_owned(three_games) == ["mtg:lea/161"]
    report = import_list(three_games, heading + "1,0,Griffin,,,,,\n", "--game", "wyvern", name="more.csv")
    assert report["matched"]["name"] == 1, "the option takes precedence over the app"


def test_games_of_exporting_app_are_preferred(three_games: Shell) -> None:
    three_games.good("card", "add", "--game", "wyvern", "--name", "Amber Drake", "--top", "3")
    assert import_list(three_games, "1 Amber Drake\n1 Bolt\n")["of_games"] == 1
    heading = "Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID\n"
    report = import_list(three_games, f"{heading}Amber Drake,,,,normal,,2,,\n", name="mana.csv")
    assert (report["format"], report["matched"]["name"], report["of_games"]) == ("manabox", 1, 0)


@pytest.mark.parametrize(
    ("game", "options", "found"),
    [
        ("a6c8d2e8-7cd8-11dd-8f94-e62b56d89593", (), True),  # OCTGN's id of Magic
        ("60d6fb01-7103-484f-9253-3f67b9e2ffeb", (), False),  # the id of KeyForge, from its layout
        ("00000000-7103-484f-9253-3f67b9e2ffeb", (), False),
        ("00000000-7103-484f-9253-3f67b9e2ffeb", ("--game", "mtg"), True),
    ],
)
def test_octgn_deck_adds_only_cards_of_its_game(
    three_games: Shell, game: str, options: tuple[str, ...], found: bool
) -> None:
    deck = f'<deck game="{game}"><section name="Main"><card qty="2" id="">Bolt</card></section></deck>'
    file = write(three_games.folder / "deck.o8d", deck)
    if found:
        assert three_games.good("collection", "import", file, "--json", *options).json["matched"]["name"] == 1
    else:
        three_games("collection", "import", file).fails("matches a card; nothing changed")
        assert copies_owned(three_games) == []


def test_ambiguous_rows_are_retried_when_file_is_imported_again(three_games: Shell) -> None:
    assert import_list(three_games, "1 Griffin\n1 Bolt\n")["of_games"] == 1
    again = import_list(three_games, "1 Griffin\n1 Bolt\n", "--game", "arcadia")
    assert (again["settled"], again["of_games"]) == (1, 0)
    assert ENTERED in copies_owned(three_games)


def test_misspelt_name_is_suggested_for_each_game(three_games: Shell) -> None:
    with Store(three_games.database) as store:
        session = EntrySession(CollectionStore(store), (), "", copy_key())
        with pytest.raises(CatalogError) as caught:
            session.enter("Grifin")
        message = str(caught.value)
        assert all(
            words in message for words in ("Griffin (arcadia)", "Griffin (spellfire 3RD 191)", "Griffin (wyvern LIM")
        )
        number = message[message.index("Griffin (spellfire") - 2]
        assert session.enter(number).startswith("1 Griffin (spellfire")


def test_entry_session_reports_printings_with_other_numbers(three_games: Shell) -> None:
    with Store(three_games.database) as store:
        session = EntrySession(CollectionStore(store), (), "", copy_key())
        answer = session.enter("Bolt")
        assert answer.endswith("Bolt (mtg:lea/161) is the earliest of 4 printings; 1 other printing has other numbers.")
        assert session.enter("2 Bolt (prm)").startswith("2 Bolt (mtg prm 7): ")
        session.enter("undo")
        assert session.enter("Bolt").startswith("1 Bolt (mtg lea 161)"), "the undone copy must not count as owned"
