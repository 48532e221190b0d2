"""Decks in files of other programs, TOML and JSON: reading, matching of cards, and errors."""

import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.catalogues import Shell
from helpers.collection_catalogue import UUID
from helpers.text_files import write
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import shown_card, shown_deck
from ccgrid.catalog.collection.deck_files import read_deck
from ccgrid.catalog.deck_text import MOST_CARDS, parse_deck
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck, check_deck
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.zones import ZONES

MTGO = """<?xml version="1.0" encoding="UTF-8"?>
<Deck>
  <NetDeckID>0</NetDeckID>
  <Cards CatID="501" Quantity="18" Sideboard="false" Name="Amber Archivist" Annotation="0" />
  <Cards CatID="99999" Quantity="2" Sideboard="false" Name="Ember Gate/Ash Gate" Annotation="0" />
  <Cards CatID="0" Quantity="3" Sideboard="true" Name="Isle" Annotation="0" />
</Deck>
"""
COCKATRICE = f"""<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
  <deckname>Sunday</deckname>
  <zone name="main">
    <card number="18" name="Amber Archivist" setShortName="DSK" collectorNumber="1" uuid="{UUID.format(1)}"/>
    <card number="2" name="Ember Gate // Ash Gate"/>
  </zone>
  <zone name="side"><card number="3" name="Isle"/></zone>
</cockatrice_deck>
"""
OCTGN = f"""<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<deck game="a6c8d2e8-7cd8-11dd-8f94-e62b56d89593" sleeveid="0">
  <section name="Main" shared="False">
    <card qty="18" id="{UUID.format(1)}">Amber Archivist</card>
    <card qty="2" id="85699571-9cc3-4ccc-98b0-0e1664893ef5">Ember Gate // Ash Gate</card>
  </section>
  <section name="Sideboard" shared="False"><card qty="3" id="{UUID.format(5)}">Isle</card></section>
  <section name="Command Zone" shared="False" />
  <notes><![CDATA[Isle]]></notes>
</deck>
"""
LACKEY = f"""<deck version="0.8">
<meta><game>dusk</game></meta>
<superzone name="Deck">
{"<card><name id='a'>Amber Archivist</name><set>dsk</set></card>" * 18}
{"<card><name>Ember Gate // Ash Gate</name><set>dsk</set></card>" * 2}
</superzone>
<superzone name="Sideboard"><card><name>Isle</name><set>dsk</set></card></superzone>
</deck>
"""
SCRYFALL = f"""section,count,name,mana_cost,type,set,set_code,collector_number,lang,rarity,artist,finish,usd_price,\
eur_price,tix_price,scryfall_uri,scryfall_id
columna,18,Amber Archivist,{{1}},Artifact,Dusk,dsk,1,en,common,Nobody,nonfoil,,,,https://cards.example,{UUID.format(1)}
columna,2,Ember Gate // Ash Gate,{{4}},Artifact,Dusk,dsk,4,en,common,Nobody,foil,,,,https://cards.example,{UUID.format(4)}
sideboard,3,Isle,,Land,Dusk,dsk,11,en,common,Nobody,nonfoil,,,,https://cards.example,
"""
MTGO_TABLE = """Card Name,Quantity,ID #,Rarity,Set,Collector #,Premium,Sideboarded,Annotation
"Amber Archivist",18,501,Common,DSK,1/22,No,No,0
"Ember Gate/Ash Gate",2,0,Common,DSK,4/22,No,No,0
"Isle",3,0,Common,DSK,11/22,No,Yes,0
"""
TEXT = "18 Amber Archivist (DSK) 1\n2 Ember Gate // Ash Gate\n\nSideboard\n3 Isle\n"


def mtgjson(**more: Any) -> str:
    def entry(count: int, name: str, number: str, own: int) -> dict[str, Any]:
        ids = {"scryfallId": UUID.format(own), "mtgjsonV4Id": "x"}
        known = {"name": name, "setCode": "DSK", "number": number, "language": "English"}
        return {"count": count, "isFoil": False, "identifiers": ids, "rulings": [{"text": "no"}], **known}

    deck = {
        "code": "DSK",
        "commander": [entry(2, "Ember Gate // Ash Gate", "4", 4)],
        "mainBoard": [entry(18, "Amber Archivist", "1", 1)],
        "name": "Sunday",
        "sideBoard": [{"count": 3, "name": "Isle", "setCode": "DSK", "number": "11"}],
        "tokens": [{"name": "Drake", "setCode": "TDSK", "number": "1"}],
    }
    return json.dumps({"meta": {"date": "2026-01-01", "version": "5.2.2"}, "data": {**deck, **more}})


FILES = {
    "mtgo.dek": MTGO,
    "cockatrice.cod": COCKATRICE,
    "octgn.o8d": OCTGN,
    "lackey.dek": LACKEY,
    "scryfall.csv": SCRYFALL,
    "mtgo.csv": MTGO_TABLE,
    "mtgjson.json": mtgjson(),
    "list.txt": TEXT,
}
FORMATS = {
    **{"mtgo.dek": "mtgo-dek", "cockatrice.cod": "cockatrice", "octgn.o8d": "octgn", "lackey.dek": "lackey"},
    **{"scryfall.csv": "scryfall", "mtgo.csv": "mtgo", "mtgjson.json": "mtgjson-deck", "list.txt": "arena"},
}


def save(folder: Path, name: str, text: str) -> Path:
    return write(folder / name, text)


@pytest.mark.parametrize("name", FILES)
def test_deck_of_another_program_is_checked_shown_and_pulled(owned: Shell, name: str) -> None:
    path = save(owned.folder, name, FILES[name])
    owned.good("collection", "add", "mtg:dsk/1", "-n", "18", "--box", "A")
    owned.good("collection", "add", "mtg:dsk/4", "-n", "2", "--box", "B")
    checked = owned("deck", "check", path, "--json").json
    assert (checked["cards"], [problem["reason"] for problem in checked["problems"]]) == (20, ["layout:split"])
    shown = owned.good("deck", "show", path, "--json").json
    assert [card["id"] for card in shown["cards"]].count("mtg:dsk/1") == 18
    assert shown["name"] == ("Sunday" if "Sunday" in FILES[name] else path.stem)
    pulled = owned.good("collection", "pull", path, "--json").json
    assert {(one["location"], one["id"], one["copies"]) for one in pulled["found"]} == {
        ("A", "mtg:dsk/1", 18),
        ("B", "mtg:dsk/4", 2),
    }
    assert owned("deck", "check", path, "--from", "collection", "--json").json["problems"] == checked["problems"]


@pytest.mark.parametrize("name", FILES)
def test_deck_file_imports_as_collection_with_sideboard_cards(owned: Shell, name: str) -> None:
    result = owned("collection", "import", save(owned.folder, name, FILES[name]), "--json")
    found = result.json
    assert found["format"] == FORMATS[name]
    beside = {"lackey.dek": 1, "mtgjson.json": 4}.get(name, 3)
    unknown = {"mtgo.dek": 2}.get(name, 0)  # A row with an unknown id is not matched by its name alone.
    assert found["copies"] == 20 + beside - unknown
    assert result.status == int(unknown > 0)


def test_deck_check_reports_unknown_card_as_only_problem(owned: Shell) -> None:
    path = save(owned.folder, "deck.cod", COCKATRICE.replace("Ember Gate // Ash Gate", "Nobody's Gate"))
    problems = owned("deck", "check", path, "--json").json["problems"]
    assert [problem["card"] for problem in problems] == ["Nobody's Gate"]


def test_id_of_another_card_is_reported_as_problem(owned: Shell) -> None:
    path = save(owned.folder, "deck.dek", MTGO.replace('CatID="99999"', 'CatID="501"'))
    problems = owned("deck", "check", path, "--json").json["problems"]
    assert problems == [
        {
            "card": "Ember Gate/Ash Gate",
            "reason": "The mtgo id is that of 'Amber Archivist', not of 'Ember Gate/Ash Gate'.",
        }
    ]


# --- Yu-Gi-Oh! -----------------------------------------------------------------------------------------------------

YUGIOH = [
    {
        "id": number,
        "name": name,
        "type": "Normal Monster",
        "atk": 500,
        "def": 400,
        "level": 3,
        "card_images": [{"id": number}, {"id": number + 1}],
        "card_sets": [
            {"set_name": "Dusk", "set_code": f"DSK-{number % 1000}", "set_rarity": "Common"},
            {"set_name": "Old Dusk", "set_code": f"OLD-{number % 1000}", "set_rarity": "Rare"},
        ],
    }
    for number, name in ((46986410, "Amber Ogre"), (102380, "Brass Ogre"), (300, "Cinder Ogre"))
]
YDK = "#created by Ann\n#main\n46986410\n46986410\n46986411\n00102380\n#extra\n102380\n!side\n300\n"


@pytest.fixture
def duelist(shell: Shell) -> Shell:
    file = save(shell.folder, "cardinfo.json", json.dumps({"data": YUGIOH}))
    shell.good("import", "yugioh", file)
    return shell


def test_ydk_deck_is_matched_by_passcodes_of_any_picture(duelist: Shell) -> None:
    path = save(duelist.folder, "deck.ydk", YDK)
    shown = duelist.good("deck", "show", path, "--json").json
    assert [card["name"] for card in shown["cards"]] == ["Amber Ogre"] * 3 + ["Brass Ogre"] * 2
    duelist.good("collection", "add", "Amber", "Ogre", "--set", "old", "-n", "3")
    pulled = duelist("collection", "pull", path, "--json")
    assert (pulled.status, [one["copies"] for one in pulled.json["found"]]) == (1, [3])
    assert [one["name"] for one in pulled.json["missing"]] == ["Brass Ogre"]


def test_ydk_file_imports_as_collection_with_side_deck(duelist: Shell) -> None:
    found = duelist.good("collection", "import", save(duelist.folder, "deck.ydk", YDK), "--json").json
    assert (found["format"], found["copies"], found["matched"]["id"]) == ("ydk", 6, 6)


def test_unknown_passcode_is_reported(duelist: Shell) -> None:
    path = save(duelist.folder, "deck.ydk", "#main\n46986410\n77\n")
    problems = duelist("deck", "check", path, "--json").json["problems"]
    assert {"card": "konami 77", "reason": "The catalogue has no card with the konami id 77."} in problems


# --- files without a deck ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.cod", COCKATRICE.replace('number="18"', f'number="{MOST_CARDS}"'), "cards are too many for a deck"),
        ("a.cod", '<!DOCTYPE a [<!ENTITY b "b">]><cockatrice_deck/>', "defines an XML entity"),
        ("a.o8d", OCTGN.replace('qty="18"', 'qty="many"'), "'many' is not a number of copies"),
        ("a.o8d", OCTGN[:300], "damaged XML"),
        ("a.dek", "<Deck></Deck>", "it contains no cards"),
        ("a.xml", "<html></html>", "this is an HTML page"),
        ("a.json", mtgjson(mainBoard=None, cards=[]), "ccgrid import mtgjson FILE"),
        ("a.json", mtgjson(mainBoard=[{"count": "4", "name": "Isle"}]), "'4' is not a number of copies"),
        ("a.json", mtgjson(mainBoard=[{"count": 4}]), "it names no card"),
        ("a.json", mtgjson(mainBoard=["Isle"]), "not a card"),
        ("a.json", '{"data": {"mainBoard": [' + "[" * 5000, "is nested too deeply"),
        ("a.ydk", "#main\nIsle\n", "not a passcode"),
        ("a.ydk", "#main\n" + "300\n" * (MOST_CARDS + 1), "cards are too many for a deck"),
        ("a.ydk", "#main\n" + "3" * 5000, "too long for a passcode"),
    ],
)
def test_file_of_another_program_without_deck_is_rejected(tmp_path: Path, name: str, text: str, words: str) -> None:
    path = save(tmp_path, name, text)
    with pytest.raises(CatalogError) as refusal:
        read_deck(path)
    assert str(refusal.value).startswith(str(path))
    assert words in str(refusal.value)


def test_oversized_deck_file_is_rejected_unread(tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    with path.open("wb") as file:
        file.write(b'{"data": {"mainBoard": [')
        file.truncate(17 << 20)
    with pytest.raises(CatalogError, match="larger than 16 MiB; is it a deck"):
        read_deck(path)


def test_lists_and_own_decks_with_commas_are_not_read_as_tables(tmp_path: Path) -> None:
    for text in ("Name, Count\n", "1 Ant, the Small, of Bee, and Wasp\n", '{"cards": ["Ant"]}', 'cards = ["Ant"]\n'):
        path = save(tmp_path, "deck.txt", text)
        names = [entry.text for entry in read_deck(path).entries] if text != "Name, Count\n" else []
        assert names in ([], ["Ant"], ["Ant, the Small, of Bee, and Wasp"])


def test_real_files_of_other_programs_are_decks(shared_data: Path) -> None:
    folder = shared_data / "decks" / "xmage-importer"
    cod, dek = read_deck(folder / "testdeck.cod"), read_deck(folder / "testdeck.dek")
    assert (cod.name, len(cod.entries), len(dek.entries)) == ("Deck Name", 19, 5)
    table = read_deck(shared_data / "collections" / "MTGO-to-Moxfield" / "deck.csv")
    assert (len(table.entries), table.entries[0].ids[0][0]) == (147, "mtgo")


def test_deck_of_another_program_is_recognised_by_content(tmp_path: Path) -> None:
    file = write(tmp_path / "deck.toml", MTGO)
    assert len(read_deck(file).entries) == 20


def test_own_deck_does_not_import_formats_of_other_programs(tmp_path: Path) -> None:
    file = write(tmp_path / "deck.toml", 'cards = ["Griffin"]\n')
    script = (
        "import sys; from pathlib import Path; from ccgrid.catalog.collection.deck_files import read_deck; "
        f"assert read_deck(Path({str(file)!r})).entries; print('ccgrid.catalog.collection.formats' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "False"


# --- decks in TOML and JSON ---------------------------------------------------------------------------------------


numbers = st.integers(0, 10)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@st.composite
def cards_with_numbers(draw: st.DrawFn) -> Card:
    zones = draw(st.dictionaries(st.sampled_from(ZONES), numbers, min_size=1, max_size=8))
    face = tuple(draw(st.lists(numbers, max_size=3)))
    return Card(
        id=draw(texts),
        game=draw(texts),
        name=draw(texts),
        zones=zones,
        score=sum(zones.values()) + sum(face) + draw(st.integers(0, 20)),
        set_code=draw(texts),
        collector_number=draw(texts),
        face=face,
        attack=draw(st.none() | numbers),
        defense=draw(st.none() | numbers),
    )


@given(st.lists(cards_with_numbers(), min_size=1, max_size=5), texts, st.none() | st.integers(-(2**63), 2**63 - 1))
def test_deck_is_read_back_from_toml_and_json(cards: list[Card], name: str, seed: int | None) -> None:
    deck = Deck(name, tuple(cards), seed)
    shown = msgspec.to_builtins(shown_deck(deck))
    for text in (deck_toml(deck), json.dumps(shown), json.dumps(shown, indent=2)):
        listed = parse_deck(text, "file")
        assert (listed.name, listed.seed) == (name, seed)
        assert [shown_card(entry.card) for entry in listed.entries if entry.card] == list(map(shown_card, cards))


def test_toml_deck_may_list_cards_by_name_id_or_table() -> None:
    listed = parse_deck('cards = ["Ant", "mtg:m10/146", { id = "mtg:m10/1" }, { name = "Bee" }]', "file")
    assert [entry.text for entry in listed.entries] == ["Ant", "mtg:m10/146", "mtg:m10/1", "Bee"]
    listed = parse_deck('[[cards]]\nname = "Ant"\n\n[[ cards ]]\nid = "Bee"\n', "file")
    assert [entry.text for entry in listed.entries] == ["Ant", "Bee"]


NO_ZONES = (
    "cards[0].zones: each is one of top-left, top, top-right, left, right, bottom-left, bottom, bottom-right "
    "and holds a number of 0 to 10."
)
GOOD: dict[str, Any] = {"id": "x:1", "name": "Ant", "zones": {"top": 3}, "face": [2], "score": 5}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"zones": {"top": 11}},
            snapshot(
                "cards[0].zones: each is one of top-left, top, top-right, left, right, bottom-left, bottom, "
                "bottom-right and holds a number of 0 to 10."
            ),
        ),
        (
            {"zones": {"top": -1}},
            snapshot(
                "cards[0].zones: each is one of top-left, top, top-right, left, right, bottom-left, bottom, "
                "bottom-right and holds a number of 0 to 10."
            ),
        ),
        (
            {"zones": {"top": True}},
            snapshot(
                "cards[0].zones: each is one of top-left, top, top-right, left, right, bottom-left, bottom, "
                "bottom-right and holds a number of 0 to 10."
            ),
        ),
        (
            {"zones": {"top": 2.0}},
            snapshot(
                "cards[0].zones: each is one of top-left, top, top-right, left, right, bottom-left, bottom, "
                "bottom-right and holds a number of 0 to 10."
            ),
        ),
        (
            {"zones": {"middle": 2}},
            snapshot(
                "cards[0].zones: each is one of top-left, top, top-right, left, right, bottom-left, bottom, "
                "bottom-right and holds a number of 0 to 10."
            ),
        ),
        (
            {"zones": [1, 2]},
            snapshot(
                "cards[0].zones: each is one of top-left, top, top-right, left, right, bottom-left, bottom, "
                "bottom-right and holds a number of 0 to 10."
            ),
        ),
        ({"face": 3}, snapshot("cards[0].face: a list of numbers of 0 to 10.")),
        ({"face": [11]}, snapshot("cards[0].face: a list of numbers of 0 to 10.")),
        ({"face": ["3"]}, snapshot("cards[0].face: a list of numbers of 0 to 10.")),
        ({"score": 4}, snapshot("cards[0].score: a whole number, at least the sum of the card's numbers, 5.")),
        ({"score": "5"}, snapshot("cards[0].score: a whole number, at least the sum of the card's numbers, 5.")),
        ({"score": None}, snapshot("cards[0].score: a whole number, at least the sum of the card's numbers, 5.")),
        ({"attack": 11}, snapshot("cards[0]: attack and defense are numbers of 0 to 10.")),
        ({"set_code": 3}, snapshot("cards[0]: game, set_code, collector_number and reason are texts.")),
        ({"name": 3}, snapshot("cards[0]: a card needs an id or a name.")),
        ({"name": "", "id": ""}, snapshot("cards[0]: a card needs an id or a name.")),
    ],
)
def test_deck_card_with_wrong_numbers_is_rejected_with_place(change: dict[str, Any], words: str) -> None:
    with pytest.raises(CatalogError) as refusal:
        parse_deck(json.dumps({"cards": [{**GOOD, **change}]}), "file")
    assert str(refusal.value) == words


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"legal": False, "reason": "digital"}, "digital"),
        ({"legal": False}, "barred"),
        ({"legal": "yes"}, "barred"),
        ({"zones": {}}, "no-number"),
        ({"zones": {}, "legal": True}, "no-number"),
    ],
)
def test_self_contained_card_may_be_not_legal(change: dict[str, Any], reason: str | None) -> None:
    listed = parse_deck(json.dumps({"cards": [{**GOOD, **change}] * 20}), "file")
    _, problems = check_deck(listed, lambda entry: entry.card or pytest.fail("not written out"))
    assert [problem.reason for problem in problems] == ([] if reason is None else [reason])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"cards": 3}', snapshot("A deck lists its cards: cards = [ … ].")),
        ('{"cards": [3]}', snapshot("cards[0] is 3; a card is a name, an id, or a table with zones and score.")),
        ('{"cards": [""]}', snapshot("cards[0] is ''; a card is a name, an id, or a table with zones and score.")),
        (
            '{"cards": ["Ant"], "seed": 9223372036854775808}',
            snapshot("This looks like a deck in JSON, but the file has a number of more than 64 bits."),
        ),
        (
            'seed = 9223372036854775808\ncards = ["Ant"]',
            snapshot("This looks like a deck in TOML, but the file has a number of more than 64 bits."),
        ),
        (
            '{"cards": ["Ant"], "cards": ["Bee"]}',
            snapshot('This looks like a deck in JSON, but the file has the key "cards" twice.'),
        ),
        (
            '{"cards": ["\\ud800"]}',
            snapshot("This looks like a deck in JSON, but the file holds half of a surrogate pair, not a character."),
        ),
        ('{"name": "x"}', snapshot("A deck lists its cards: cards = [ … ].")),
        ("cards = 3", snapshot("A deck lists its cards: cards = [ … ].")),
        (
            "cards = [1979-05-27]",
            snapshot(
                "cards[0] is datetime.date(1979, 5, 27); a card is a name, an id, or a table with zones and score."
            ),
        ),
        (
            '{"cards": ' + "[" * 100_000 + "]" * 100_000 + "}",
            snapshot("This looks like a deck in JSON, but the file is nested too deeply to be read."),
        ),
        (
            "cards = " + "[" * 100_000 + "]" * 100_000,
            snapshot("This looks like a deck in TOML, but the file is nested too deeply to be read."),
        ),
        ('{"cards": [' + '"Ant",' * 5000 + '"Ant"]}', snapshot("5001 cards are too many for a deck.")),
        ("0 Ant", snapshot("Line 1: no copies of a card: '0 Ant'.")),
        ("9999 Ant", snapshot("Line 1: 9999 cards are too many for a deck.")),
        ("1000 Ant\n999 Ant\n2 Ant", snapshot("Line 3: 2001 cards are too many for a deck.")),
        (
            "1 Ant\n1 " + "x" * 3000,
            snapshot(
                "Line 2 is too long to be a card: '1 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' …"
            ),
        ),
        ("1 Ant\n" * 2001, snapshot("Line 2001: 2001 cards are too many for a deck.")),
        (
            "<html>1 Ant</html>",
            snapshot("A deck in XML must be a file: save it, and name the file."),
        ),
    ],
)
def test_invalid_deck_is_rejected_with_one_sentence(text: str, words: str) -> None:
    with pytest.raises(CatalogError) as refusal:
        parse_deck(text, "file")
    assert str(refusal.value) == words


@pytest.mark.parametrize(("text", "kind"), [("{", "JSON"), ("cards = [", "TOML"), ("{" * 100_000, "JSON")])
def test_deck_that_is_not_json_or_toml_is_rejected_with_the_reason_of_the_reader(text: str, kind: str) -> None:
    with pytest.raises(CatalogError) as refusal:
        parse_deck(text, "file")
    assert str(refusal.value).startswith(f"This looks like a deck in {kind}, but the file is not {kind}: ")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", snapshot("it contains no cards.")),
        (b"\n\n# nothing\n", snapshot("it contains no cards.")),
        (b"Sideboard\n1 Ant\n", snapshot("it contains no cards.")),
        (b'{"cards": []}', snapshot("it contains no cards.")),
        (b"1 Lim-D\xfbl's Vault", snapshot("a deck must be UTF-8 text (byte 7).")),
        (b"\xff\xfe1\0 \0A\0", snapshot("a deck must be UTF-8 text (byte 0).")),
        (b"1 Ant\0", snapshot("this is not a text.")),
        (b"1 Ant\n" * 1_000_000, snapshot("larger than 4 MiB; is it a deck?")),
    ],
)
def test_invalid_deck_file_is_rejected_with_its_name(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "ants.txt"
    file.write_bytes(content)
    with pytest.raises(CatalogError) as refusal:
        read_deck(file)
    assert str(refusal.value).removeprefix(f"{file}: ") == words


def test_missing_deck_file_and_folder_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"nothing\.txt"):
        read_deck(tmp_path / "nothing.txt")
    with pytest.raises(CatalogError, match="folder"):
        read_deck(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["\n" * 1_000_000, " " * 4_000_000, ("1 " + "a " * 900 + "(\n") * 1000, "[" * 4_000_000]
)
def test_malicious_text_is_parsed_quickly(text: str) -> None:
    started = time.process_time()
    with suppress(CatalogError):
        parse_deck(text, "deck")
    assert time.process_time() - started < 5
