"""OCTGN's sets: their files, their cards, recognition of the game, and errors."""

import shutil
from pathlib import Path

import pytest
from helpers.catalogues import Shell

from ccgrid.catalog.evidence import CardReading
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import find_layout, parse_layout
from ccgrid.catalog.printing import Printing, SourceRow, UnreadRow
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.sources import octgn

GAME = "11ec1f21-0000-4bf0-9d72-df01c6c78911"
LAYOUT = f"""format = 1
game = "gates"
name = "Gates"
[octgn]
games = ["{GAME.upper()}"]
[[printed]]
field = "Cost"
zone = "top-left"
[[printed]]
field = "Number"
zone = "bottom-right"
read = "collector"
[[printed]]
field = "Text"
zone = "face"
"""
DEFINITION = f"""<?xml version="1.0"?><game name="Gates" id="{GAME}">
<card><property name="Cost" type="Integer"/><property name="Number"/><property name="Text"/></card></game>"""
CARD = """<card id="a1" name="Anu"><property name="Cost" value="4"/><property name="Number" value="7"/>
<property name="Text"><b>Failure:</b> draw 2 <s value="9"/>cards.</property></card>"""
FLIPPED = """<card id="a2" name="Bast"><property name="Cost" value="3"/><property name="Number" value="8"/>
<alternate name="Bast, woken" type="woken"><property name="Cost" value="9"/></alternate></card>"""


def set_document(cards: str = CARD + FLIPPED, name: str = "Base Set", more: str = "") -> str:
    return (
        f'\ufeff<?xml version="1.0" encoding="utf-8"?>\n<set name="{name}" id="b" gameId="{GAME}" {more}>'
        f'<packaging><pack name="Booster"/></packaging><cards>{cards}</cards></set>'
    )


def game(folder: Path, **sets: str) -> Path:
    """Write an installed game: the definition, and a folder for each set."""
    folder.mkdir(parents=True)
    (folder / "definition.xml").write_text(DEFINITION, encoding="utf-8")
    for name, text in (sets or {"one": set_document()}).items():
        (folder / "Sets" / name).mkdir(parents=True)
        (folder / "Sets" / name / "set.xml").write_text(text, encoding="utf-8")
    return folder


def read(path: Path) -> tuple[list[SourceRow], list[str]]:
    remarks: list[str] = []
    with open_tree(path) as tree:
        return list(octgn.read_tree(tree, parse_layout(LAYOUT, "gates.toml"), remarks.append)), remarks


@pytest.fixture
def own_layouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "my layouts"
    monkeypatch.setenv("CCGRID_LAYOUTS", str(folder))
    return folder


@pytest.fixture(name="known")
def a_known_game(own_layouts: Path) -> Path:
    own_layouts.mkdir()
    (own_layouts / "gates.toml").write_text(LAYOUT, encoding="utf-8")
    return own_layouts


def test_sets_are_read_from_a_folder_a_package_and_a_single_file(shell: Shell, known: Path) -> None:
    home = game(shell.folder / "def")
    package = shutil.make_archive(str(shell.folder / "gates"), "zip", shell.folder, "def")
    for name in ("gates.nupkg", "gates.o8g"):
        shutil.copy(package, shell.folder / name)
    for path in (home, shell.folder / "gates.nupkg", shell.folder / "gates.o8g", home / "Sets" / "one" / "set.xml"):
        summary = shell.good("import", "octgn", path, "--json", "--force").json
        assert (summary["source"], summary["read"], summary["legal"]) == ("octgn:gates", 2, 2), path
    shown = shell.card("Anu")
    assert (shown["id"], shown["zones"], shown["face"]) == ("gates:base-set/7", {"top-left": 4, "bottom-right": 7}, [2])


def test_only_the_front_counts_and_other_sides_are_reported(tmp_path: Path) -> None:
    rows, remarks = read(game(tmp_path / "g"))
    shown = [(row.name, row.fields["Cost"]) for row in rows if isinstance(row, Printing)]
    assert shown == [("Anu", "4"), ("Bast", "3")]
    assert remarks == ["Sets/one/set.xml: the other side of 1 card is skipped; only the front counts."]


def test_every_entry_of_every_set_is_a_card_or_skipped_with_reason(tmp_path: Path) -> None:
    sets = {
        "one": set_document(),
        "tokens": set_document(name="Markers", more='hidden="True"'),
        "two": set_document('<card id="x"/>' + CARD, "Second", 'shortName="SEC" releaseDate="2008-05-01"'),
    }
    rows, _ = read(game(tmp_path / "g", **sets))
    skipped = [(row.where.partition(",")[0], row.why) for row in rows if isinstance(row, UnreadRow)]
    assert len(rows) == sum(text.count("<card ") for text in sets.values())
    assert [why for _, why in skipped] == [
        *["the set 'Markers' is hidden: markers and tokens, which are in no deck"] * 2,
        "it has no name",
    ]
    last = rows[-1]
    assert isinstance(last, Printing)
    assert (last.id, last.set_code, last.set_name, last.released) == ("gates:sec/7", "SEC", "Second", "2008-05-01")


def test_error_without_layout_lists_properties_for_a_new_one(shell: Shell, own_layouts: Path) -> None:
    home = game(shell.folder / "def")
    shell("import", "octgn", home).fails("no layout fits this game", "cards have: Cost, Number, Text", "layout new")
    shell.good("layout", "new", home, "--game", "gates", "--at", "Cost=tl", "--at", "Number=br", "--keep")
    layout = find_layout("gates")
    assert layout.octgn is not None
    assert layout.octgn.games == (GAME,)
    assert shell.good("layout", "check", "gates", "--data", home, "--json").json["trial"]["legal"] == 2
    assert shell.good("import", "octgn", home, "--json").json["legal"] == 2


def test_layout_may_rename_properties(tmp_path: Path) -> None:
    text = set_document(
        '<card id="1" name="Cato"><property name="Type" value="Planet"/><property name="Cost" value="2"/>'
        '<property name="Attack" value="3"/><property name="Health" value="6"/><property name="CardNumber" value="1"/>'
        '<property name="StartingHand" value="7"/><property name="StartingResources" value="8"/></card>'
    )
    (tmp_path / "set.xml").write_text(text.replace(GAME, "af04f855-58c4-4db3-a191-45fe33381679"), encoding="utf-8")
    layout, row, reading = only_card(tmp_path)
    assert (layout.game, row.id, reading.reason) == ("conquest", "conquest:base-set/1", "layout:planet")
    assert reading.zones == {"top-left": [2], "left": [3], "bottom-left": [6], "bottom": [7, 8], "bottom-right": [1]}


def test_keyforge_is_read_by_its_properties(tmp_path: Path) -> None:
    cards = """<card id="a1" name="Made Up"><property name="House" value="Brobnar"/><property name="Power" value="4"/>
<property name="Armor" value="0"/><property name="Number" value="7"/><property name="Traits" value="Giant"/></card>"""
    text = set_document(cards, "Call").replace(GAME, "60d6fb01-7103-484f-9253-3f67b9e2ffeb")
    (tmp_path / "set.xml").write_text(text, encoding="utf-8")
    layout, row, reading = only_card(tmp_path)
    assert (layout.game, row.id, reading.zones) == ("keyforge", "keyforge:call/7/brobnar", {"left": [4], "bottom": [7]})


def only_card(folder: Path) -> tuple[Layout, Printing, CardReading]:
    """Return the only card in a folder, its layout, and its reading."""
    with open_tree(folder) as tree:
        layout = octgn.recognise(tree)
        (row,) = octgn.read_tree(tree, layout, lambda remark: None)
    assert isinstance(row, Printing)
    return layout, row, layout.compiled().read(row.fields)


def _readings(folder: Path, game: str, cards: str, name: str) -> dict[str, dict[str, list[int]]]:
    """Return the zones of each card of a set by its id."""
    (folder / "set.xml").write_text(set_document(cards, name).replace(GAME, game), encoding="utf-8")
    with open_tree(folder) as tree:
        layout = octgn.recognise(tree)
        rows = [row for row in octgn.read_tree(tree, layout, lambda remark: None) if isinstance(row, Printing)]
    assert len(rows) == cards.count("<card ")
    return {f"{row.id} {row.name}": layout.compiled().read(row.fields).zones for row in rows}


def _card(number: str, name: str, **properties: str) -> str:
    output = "".join(f'<property name="{key}" value="{value}"/>' for key, value in properties.items())
    return f'<card id="bc0f047c-01b1-427f-a439-d451eda{number}" name="{name}">{output}</card>'


def test_dragon_ball_z_is_read_by_its_properties(tmp_path: Path) -> None:
    cards = "".join(
        f'''<card id="a{number}" name="Made Up"><property name="Card Number" value="{number}"/>
<property name="Type" value="Ally"/><property name="PUR" value="{rating}"/><property name="Style" value="Red"/>
<property name="Text" value="Deal +4."/><property name="Traits" value=""/></card>'''
        for number, rating in (("C005", ""), ("R112", "3"))
    )
    assert _readings(tmp_path, "383a6ac2-6e52-40a5-980f-fade09e4908b", cards, "Made Up") == {
        "dbz:made-up/c005 Made Up": {"bottom-right": [5]},
        "dbz:made-up/r112 Made Up": {"right": [3]},
    }


def test_meaning_of_a_property_depends_on_the_type_of_the_card(tmp_path: Path) -> None:
    """Read Netrunner's `Stat` as strength, agenda points or trash cost; the ids end like NetrunnerDB's codes."""
    cards = (
        _card("01002", "Corp", Subtitle="The Best", Type="Identity", Cost="0", Requirement="45", Stat="9", Side="corp"),
        _card("01003", "Ann", Subtitle="Tinker", Type="Identity", Cost="1", Requirement="10", Stat="15", Side="runner"),
        _card("01004", "Plan", Type="Agenda", Cost="4", Requirement="", Stat="2", Side="corp"),
        _card("02105", "Wall", Type="ICE", Cost="8", Requirement="", Stat="6", Side="corp"),
        _card("01006", "Key", Type="Program", Cost="3", Requirement="1", Stat="0", Side="runner"),
        _card("01007", "Office", Type="Asset", Cost="2", Requirement="", Stat="5", Side="corp"),
    )
    assert _readings(tmp_path, "0f38e453-26df-4c04-9d67-6d43de939c77", "".join(cards), "Core") == {
        "netrunner:01002 Corp: The Best": {"bottom-left": [9], "bottom-right": [2]},
        "netrunner:01003 Ann: Tinker": {"top-left": [1], "bottom-right": [10], "right": [3]},
        "netrunner:01004 Plan": {"top-right": [4], "left": [2], "bottom-right": [4]},
        "netrunner:02105 Wall": {"top-left": [8], "bottom-left": [6]},
        "netrunner:01006 Key": {"top-left": [3], "top": [1], "bottom-left": [0], "bottom-right": [6]},
        "netrunner:01007 Office": {"top-left": [2], "bottom-right": [5, 7]},
    }


def test_vampire_cost_is_read_with_its_kind(tmp_path: Path) -> None:
    cards = (
        _card("1", "Old One", Type="Vampire", Group="2", Capacity="9", Cost="", Text="Sabbat."),
        _card("2", "Blade", Type="Equipment", Group="", Capacity="", Cost="2 pool", Text="Weapon."),
        _card("3", "Form", Type="Combat", Group="", Capacity="", Cost="1 blood", Text=""),
        _card("4", "Bars", Type="Combat", Group="", Capacity="", Cost="3 conviction", Text=""),
        _card("5", "Whim", Type="Action", Group="", Capacity="", Cost="X blood", Text=""),
    )
    assert _readings(tmp_path, "d8851051-1a96-4511-a6fc-5b4960002b15", "".join(cards), "All Sets") == {
        "vtes:all-sets/old-one Old One": {"bottom-right": [9], "left": [2]},
        "vtes:all-sets/blade Blade": {"bottom-left": [2]},
        "vtes:all-sets/form Form": {"bottom-left": [1]},
        "vtes:all-sets/bars Bars": {"bottom-left": [3]},
        "vtes:all-sets/whim Whim": {},
    }


def test_transformers_are_read_in_their_first_mode(tmp_path: Path) -> None:
    """Read the ATK of a character's first mode; the ATK of battle cards and heads is a bonus on the face."""
    cards = (
        _card("1", "Clank - Guard", **{"Card Number": "T07", "Type": "Character - Alt1 Mode", "ATK": "4", "DEF": "2"}),
        _card("2", "Spark - Gunner", **{"Card Number": "13", "Type": "Character - Bot Mode", "ATK": "3", "Stars": "7"}),
        _card("3", "Rivet", **{"Card Number": "T29", "Type": "Character - Head Mode", "ATK": "1", "HP": "2"}),
        _card("4", "Big Club", **{"Card Number": "8", "Type": "Upgrade - Weapon", "ATK": "3", "Stars": "1"}),
        _card("5", "Ruse", **{"Card Number": "S01", "Type": "Stratagem", "HP": "+3", "Stars": "2", "Text": "Draw 1."}),
    )
    assert _readings(tmp_path, "f44befce-4d6d-4fb9-a286-9585f36aece9", "".join(cards), "Wave 9") == {
        "transformers:wave-9/t07 Clank - Guard": {"bottom": [4, 2, 7]},
        "transformers:wave-9/13 Spark - Gunner": {"bottom-left": [7], "bottom": [3]},
        "transformers:wave-9/t29 Rivet": {},
        "transformers:wave-9/8 Big Club": {"bottom-left": [1], "bottom": [8]},
        "transformers:wave-9/s01 Ruse": {"bottom-left": [2], "bottom": [1]},
    }


def test_pokemon_of_octgn_have_no_number_with_a_reason(tmp_path: Path) -> None:
    moves = {"AtkName1": "Splash 2", "AtkPower1": "10", "AtkName2": "0", "AtkText1": "", "PokePower": "0"}
    pond = {"HP": "80", "Pokemon Stage": "Stage 1", "Weakness": "Fire x 2", "Resistance": "Water - 30"}
    cards = _card("1", "Newtle", **{"Card Type": "Pokemon"}, **pond, **moves)
    (tmp_path / "set.xml").write_text(
        set_document(cards, "01_Made Up").replace(GAME, "3c06c64d-514f-4b67-906d-5ae75375f318"), encoding="utf-8"
    )
    _, row, reading = only_card(tmp_path)
    assert (row.id, row.set_name) == ("pokemon:01_made-up/newtle", "01_Made Up")
    assert (reading.zones, reading.face, reading.reason) == ({"top-left": [1]}, [2, 10], "data:number")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<set gameId='x'><cards></cards>", "damaged XML"),
        (
            set_document().replace("Cost", "Price"),
            "it has no column 'Cost', in which the layout of Gates reads numbers",
        ),
        ("<cockatrice_carddatabase/>", "no set.xml in it"),
        ("not XML", "no set.xml in it"),
    ],
)
def test_file_that_is_not_a_set_or_lacks_a_property_is_an_error(
    shell: Shell, known: Path, text: str, words: str
) -> None:
    path = shell.folder / "cards.xml"
    path.write_text(text, encoding="utf-8")
    shell("import", "octgn", path, "--layout", "gates").fails(words)


def test_set_imported_as_a_table_names_the_right_source(shell: Shell, known: Path) -> None:
    path = shell.folder / "set.xml"
    path.write_text(set_document(), encoding="utf-8")
    shell("import", "file", path, "--layout", "gates").fails("this is XML, not a table", "ccgrid import octgn")


@pytest.mark.slow
def test_every_real_set_is_counted(shared_data: Path, shell: Shell, own_layouts: Path) -> None:
    more = shared_data / "more"
    for name, count, places in (
        ("brine+Stargate-TCG-OCTGN", 1920, ("Cost=tl", "Number=br")),
        ("torrentails+Auto-MLP-CCG-for-OCTGN", 211, ("Cost=tl", "Number=br")),
    ):
        words = [word for place in places for word in ("--at", place)]
        short = name.partition("+")[0]
        shell.good("layout", "new", more / name, "--game", short, *words, "--keep")
        summary = shell.good("import", "octgn", more / name, "--json").json
        cards = sum(path.read_text(encoding="utf-8-sig").count("<card ") for path in more.glob(f"{name}/**/set.xml"))
        counted = summary["legal"] + sum(summary["barred"].values()) + summary["skipped"]
        assert cards == count == summary["read"] == counted
