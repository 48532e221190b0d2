"""One name, one card, in the words of a line: misspelt names of several games, halves, printings, marks, counts."""

import io
import random
from typing import Any

import pytest
from helpers.catalogues import Shell, imported, row, write_rows
from helpers.small_shelf import Shelf, card, match
from helpers.small_shelf import row as wanted
from three_griffins import write

from ccgrid.catalog.matching.asking import UnknownCardError
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.row import Row

GAMES = ("hearthstone", "mtg", "onepiece", "spellfire")
FIRST = ("Amber", "Brass", "Copper", "Dusky", "Ember", "Frozen", "Gilded", "Hollow", "Ivory", "Jaded")
SECOND = ("Archivist", "Bellringer", "Cartographer", "Duelist", "Enchanter")
NAMES = [f"{one} {other}" for one in FIRST for other in SECOND]


def shared_names() -> Shelf:
    """Names of which two to four games have a card each."""
    dice = random.Random(7)
    found = []
    for number, name in enumerate(NAMES):
        for game in sorted(dice.sample(GAMES, dice.randint(2, 4))):
            found.append(card("set", str(number), name, id=f"{game}:set/{number}", game=game))
    return Shelf(*found)


def typo(name: str, dice: random.Random) -> str:
    """A name with one letter wrong, missing, too many, or swapped with its neighbour; not the first."""
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
def test_a_misspelt_name_of_several_games_is_as_ambiguous_as_a_well_spelt_one(name: str, wrong: str) -> None:
    shelf = shared_names()
    games = [one.game for one in shelf.named(name)]
    resolver = Resolver(shelf)
    found, right = resolver.match(wanted(wrong)), resolver.match(wanted(name))
    assert (found.card, right.card) == (None, None)
    assert found.reason.startswith(right.reason)
    assert {one.partition(":")[0] for one in found.candidates} == set(games[:3]), "suggestions are of all games"
    of_app = Resolver(shelf, app=(games[0],)).match(wanted(wrong))
    assert of_app.card is not None
    assert (of_app.card.game, of_app.card.name, of_app.how) == (games[0], name, "fuzzy")
    with pytest.raises(UnknownCardError, match=name):
        resolver.resolve(Row(name=wrong))


def test_a_game_that_an_app_never_has_brings_no_card() -> None:
    shelf = Shelf(card("set", "1", "Fireball", id="hearthstone:set/1", game="hearthstone"), card("m10", "2", "Shock"))
    for name in ("Fireball", "Firebal"):
        assert Resolver(shelf, app=("mtg",)).match(wanted(name)).card is None


# --- halves -----------------------------------------------------------------------------------------------------------

HALVED = [
    card("set", str(number), f"{NAMES[number]} // {NAMES[number + 20]}", printed_name=None) for number in range(15)
]


@pytest.mark.parametrize("number", range(15))
def test_both_halves_mean_their_card(number: int) -> None:
    for half in (NAMES[number], NAMES[number + 20]):
        assert match(HALVED, wanted(half))[:2] == ("name", f"set/{number}")
        assert Resolver(Shelf(*HALVED)).resolve(Row(name=half)).card.id == f"set/{number}"


# --- which printing ---------------------------------------------------------------------------------------------------

PRINTINGS = {
    "Giant Growth": (("fnm", "Friday Night Magic 2000", "1999-01-01", True), ("lea", "Alpha", "1993-08-05", False)),
    "Lightning Bolt": (("mpr", "Magic Player Rewards", "1992-01-01", True), ("lea", "Alpha", "1993-08-05", False)),
    "Island": (("palp", "Asia Pacific Land Program", "1990-01-01", True), ("lea", "Alpha", "1993-08-05", False)),
    "Naturalize": (("pm10", "Magic 2010 Promos", "2001-01-01", True), ("ons", "Onslaught", "2002-10-07", True)),
}


@pytest.mark.parametrize("name", PRINTINGS)
def test_an_ordinary_printing_is_taken_before_any_promo_legal_or_not_but_in_a_deck(name: str) -> None:
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


def test_an_import_tells_of_how_many_rows_other_printings_have_other_numbers(griffins: Shell) -> None:
    file = write(griffins.folder / "list.txt", "4 Bolt\n1 Amber Drake\n")
    report = griffins.good("collection", "import", file, "--json").json
    assert (report["unsure"], report["differing"]) == (1, 1)
    told = griffins.good("collection", "import", file, "--again").out
    assert "1 row did not name a printing; the earliest ordinary one was used." in told
    assert "Of 1 of them other printings have other numbers." in told


# --- lines, as they are typed and imported ----------------------------------------------------------------------------


@pytest.fixture
def bolts(shell: Shell) -> Shell:
    sets = (("lea", "Limited Edition Alpha", "161", 1993), ("m10", "Magic 2010", "146", 2009))
    cards = [
        row(1, "Lightning Bolt", 1, set=code, set_name=title, collector_number=number, released_at=f"{year}-01-01")
        for code, title, number, year in sets
    ]
    imported(shell.database, write_rows(shell.folder / "cards.jsonl", cards))
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
    "4) Lightning Bolt": (1, "lea", "normal", None),
    "Lightning Bolt (4)": (4, "lea", "normal", None),
    "4 Lightning Bolt NM": (4, "lea", "normal", "near-mint"),
    "x4 Lightning Bolt": (4, "lea", "normal", None),
    "2 Lightning Bolt [M10] 146 *F* LP German": (2, "m10", "foil", "lightly-played"),
}


@pytest.mark.parametrize("way", ["import", "add", "session"])
def test_one_line_means_the_same_wherever_it_is_written(
    bolts: Shell, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line, (copies, set_code, finish, condition) in LINES.items():
        if way == "import":
            bolts.good("collection", "import", write(bolts.folder / "list.txt", f"{line}\n"), "--again")
        elif way == "add":
            bolts.good("collection", "add", "--", line)
        else:
            monkeypatch.setattr("sys.stdin", io.StringIO(f"{line}\n"))
            bolts.good("collection", "add")
        (held,) = bolts.good("collection", "list", "--json").json_lines
        assert (held["copies"], held["set_code"], held["finish"], held["condition"]) == (
            *(copies, set_code, finish, condition),
        ), line
        bolts.good("collection", "remove", "Lightning Bolt", "--all")


def test_words_and_options_that_contradict_each_other_are_refused(bolts: Shell) -> None:
    bolts("collection", "add", "4 Lightning Bolt *F*", "-n", "3").refused("says 4, and an option says 3")
    bolts("collection", "add", "4 Lightning Bolt *F*", "--finish", "etched").refused("says foil")
    bolts("collection", "add", "Lightning Bolt (M10)", "--set", "lea").refused("it is not in 'M10'")


def test_what_is_not_understood_in_a_line_is_a_doubt(bolts: Shell) -> None:
    file = write(bolts.folder / "list.txt", "1 Lightning Bolt\n4 Lightning Bolt - of Kai\n2 Lightning Bolt (Kai)\n")
    report = bolts.good("collection", "import", file, "--json").json["report"]
    assert [(one["line"], one["outcome"]) for one in report] == [(2, "fuzzy"), (3, "missed")]


# --- what apps write --------------------------------------------------------------------------------------------------


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
def test_rows_as_apps_write_them_mean_one_card(bolts: Shell, heading: str, line: str) -> None:
    file = write(bolts.folder / "app.csv", f"{heading}\n{line}\n")
    report = bolts.good("collection", "import", file, "--json").json
    assert (report["copies"], report["report"]) == (3, [])
    (held,) = bolts.good("collection", "list", "--json").json_lines
    assert (held["id"], held["finish"]) == ("mtg:m10/146", "normal")
