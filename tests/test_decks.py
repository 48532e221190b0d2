"""Decks: written as TOML, JSON or lines of many sites, read back, and checked with every problem said at once."""

import json
import time
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from catalogues import Shell, row, rows
from hypothesis import given
from hypothesis import strategies as st

from catalog.card import ZONES, Card, CatalogError
from catalog.decks.deck import Deck, DeckEntry, ListedDeck, check_deck, deck_toml, parse_deck, read_deck
from catalog.decks.deck_lines import MOST_CARDS, Line, read_lines

Written = tuple[int, str, str, str]


def read(text: str) -> list[Written]:
    return [(line.copies, line.name, line.set_code, line.collector_number) for line in read_lines(text).lines]


# --- lines, as sites write them ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("1 Lightning Bolt (M10) 146", (1, "Lightning Bolt", "m10", "146")),
        ("4 Lightning Bolt", (4, "Lightning Bolt", "", "")),
        ("4x Lightning Bolt", (4, "Lightning Bolt", "", "")),
        ("4X Lightning Bolt", (4, "Lightning Bolt", "", "")),
        ("4 x Lightning Bolt", (4, "Lightning Bolt", "", "")),
        ("4× Lightning Bolt", (4, "Lightning Bolt", "", "")),
        ("  4\tLightning  Bolt ", (4, "Lightning Bolt", "", "")),
        ("Lightning Bolt", (1, "Lightning Bolt", "", "")),
        ("1 X Speed", (1, "X Speed", "", "")),
        ("1 1996 World Champion", (1, "1996 World Champion", "", "")),
        ("1 +2 Mace", (1, "+2 Mace", "", "")),
        ("mtg:m10/146", (1, "mtg:m10/146", "", "")),
        # Moxfield, Archidekt, Deckstats, MTGGoldfish, TappedOut
        ("1 Lightning Bolt (M10) 146 *F*", (1, "Lightning Bolt", "m10", "146")),
        ("1 Captain America, First Avenger *CMDR*", (1, "Captain America, First Avenger", "", "")),
        ("1 Lightning Bolt (M10) 146 *F* #burn #red", (1, "Lightning Bolt", "m10", "146")),
        ("1x Arid Mesa (mh2) 244 [Land] ^Have,#37d67a^", (1, "Arid Mesa", "mh2", "244")),
        ("1x Arid Mesa (mh2) 244 *F* [Commander{top}]", (1, "Arid Mesa", "mh2", "244")),
        ("1 [M10#146] Lightning Bolt", (1, "[M10#146] Lightning Bolt", "", "")),
        ("4 Lightning Bolt <161> [M10]", (4, "Lightning Bolt", "m10", "")),
        ("4 Lightning Bolt [M10] (F)", (4, "Lightning Bolt", "m10", "")),
        ("4 Lightning Bolt [M10]", (4, "Lightning Bolt", "m10", "")),
        ("4 Lightning Bolt (M10)", (4, "Lightning Bolt", "m10", "")),
        # XMage, and those who write set and number between brackets
        ("1 [SLD:173] Balance [foil]", (1, "Balance", "sld", "173")),
        ("1 Hull Breach [40k:224★] [foil]", (1, "Hull Breach", "40k", "224★")),
        ("15 Island [P02:*]", (15, "Island", "p02", "")),
        ("COMMANDER: 1 The Swarmlord [40k:4] [foil]", (1, "The Swarmlord", "40k", "4")),
        # Forge: a number in brackets is the card's, one without counts pictures
        ("1 Brainstorm|A25|[046]", (1, "Brainstorm", "a25", "046")),
        ("4 Forest|M10|2", (4, "Forest", "m10", "")),
        ("4 Forest|M10", (4, "Forest", "m10", "")),
        ("1 Forest+|M10", (1, "Forest", "m10", "")),
        # Arena, and games whose codes hold set and number
        ("2 Benalish Marshal (PDOM) 6p", (2, "Benalish Marshal", "pdom", "6p")),
        ("1 Expansion // Explosion (GRN) 224", (1, "Expansion // Explosion", "grn", "224")),
        ("3 Stalwart Poro (OGN-052)", (3, "Stalwart Poro", "ogn", "052")),
        ("1 Fog (PLST) A25-12", (1, "Fog", "plst", "A25-12")),
        ("1 B.F.M. (Big Furry Monster)", (1, "B.F.M. (Big Furry Monster)", "", "")),
        ("2 Sparkmage Apprentice*", (2, "Sparkmage Apprentice*", "", "")),
    ],
)
def test_a_line_of_a_site_is_read(line: str, written: Written) -> None:
    assert read(line) == [written]


@pytest.mark.parametrize(
    "text",
    [
        "# my deck\n// of old\n1 Ant",
        "\ufeff1 Ant"[1:],
        "Deck\n1 Ant",
        "Deck:\n1 Ant",
        "Main Deck (1)\n1 Ant",
        "Creatures (1)\n1 Ant",
        "Creature: 1\n1 Ant\n",
        "// Creatures\n1 Ant",
        "[metadata]\nName=Ants\n[Main]\n1 Ant\n[Avatar]\n1 Queen",
        "About\nName Ants\n\nDeck\n1 Ant",
        "NAME:Ants\n1 Ant\nLAYOUT MAIN:(1,1)(NONE,false,50)|([LEA:1])",
        "1 Ant\nSB: 1 Bee\nSB:2 [LEA:1] Bee",
        "1 Ant\nSideboard\n1 Bee",
        "1 Ant\n\nSideboard:\n1 Bee\n2 Wasp",
        "1 Ant\n\nSIDEBOARD (3)\n1 Bee\n2 Wasp",
        "//Sideboard\n1 Bee\n//Main\n1 Ant",
        "Sideboard\n1 Bee\n\nDeck\n1 Ant",
        "1 Ant\nMaybeboard\n1 Bee",
        "1 Ant\nDisplay Commander\n1 Bee",
        "1 Ant\r\n\r\nSideboard\r\n1 Bee\r\n",
    ],
)
def test_headings_comments_and_sideboards_are_no_cards(text: str) -> None:
    assert read(text) == [(1, "Ant", "", "")]


@pytest.mark.parametrize(
    "text", ["[metadata]\nName=Ants\n[Main]\n1 Ant", "About\nName Ants\n\nDeck\n1 Ant", "// NAME: Ants\n1 Ant"]
)
def test_a_list_may_say_its_name(text: str) -> None:
    assert parse_deck(text, "file").name == "Ants"
    assert parse_deck("1 Ant", "file").name == "file"


def test_a_small_second_block_without_headings_is_a_sideboard() -> None:
    listed = read_lines("4 Ant\n4 Bee\n\n3 Wasp\n")
    assert [line.name for line in listed.lines] == ["Ant", "Bee"]
    assert [line.name for line in listed.second] == ["Wasp"]


@pytest.mark.parametrize(
    "text",
    [
        "4 Ant\n\n4 Bee",  # as large as the first
        "40 Ant\n\n16 Bee",  # larger than any sideboard
        "4 Ant\n\n2 Bee\n\n2 Wasp",  # groups
        "Deck\n4 Ant\n\n2 Bee",  # a heading says where what begins
        "4 Ant\n2 Bee\n\n\n",
    ],
)
def test_other_blocks_belong_to_the_deck(text: str) -> None:
    assert read_lines(text).second == []


def test_a_second_block_that_completes_the_deck_belongs_to_it() -> None:
    listed = parse_deck("14 Ant\n\n6 Bee", "ants")
    deck, problems = check_deck(listed, lambda entry: Card("a:1", "a", entry.text, {"top": 1}, 1))
    assert (len(deck.cards), problems) == (20, [])
    _, problems = check_deck(parse_deck("14 Ant\n\n5 Bee", "ants"), lambda entry: Card("", "", "", {"top": 1}, 1))
    assert problems[0].reason == (
        "the deck has 14 cards, and 20 are needed; the 5 behind the blank line are taken for a sideboard"
    )


REAL_SIZES = {
    "ForgeBreaker/mtggoldfish_deck.txt": (48, 15),
    "mtg-deck-collection/moxfield_import.txt": (100, 0),
    "mtg-deck-collection/kibler_urdragon_ideal.dck": (100, 0),
    "riftbound-trainer-unofficial/deck-leesin-collection.txt": (56, 0),
    "xmage-importer/testdeck.mtga": (11, 4),
    "magic-preconstructed-decks/arena-promo__dmu__Sneak Squad.txt": (60, 0),
    "magic-preconstructed-decks/arena-starter__anb__Goblins Everywhere!.txt": (60, 0),
    "magic-preconstructed-decks/challenger__q01__Hazoret Aggro.txt": (60, 0),
    "magic-preconstructed-decks/cmd__40k__Tyranid Swarm Collector's Edition.txt": (100, 0),
    "magic-preconstructed-decks/event__m12__Vampire Onslaught.txt": (60, 0),
    "magic-preconstructed-decks/event__mbs__Into the Breach.txt": (60, 0),
    "magic-preconstructed-decks/intro-41__m10__Presence of Mind.txt": (41, 0),
    "magic-preconstructed-decks/jumpstart__jmp__Dogs (1).txt": (20, 0),
    "magic-preconstructed-decks/redemption__chk__Champions of Kamigawa Foil Redemption.txt": (307, 0),
    "magic-preconstructed-decks/sld__sld__Prismatic Nightmares.txt": (5, 0),
    "magic-preconstructed-decks/theme-40__p02__Spellweaver.txt": (40, 0),
    "magic-preconstructed-decks/theme-std__gpt__Gruul Wilding.txt": (60, 0),
}


@pytest.mark.parametrize("name", REAL_SIZES)
def test_a_real_list_has_the_cards_that_its_site_counts(shared_data: Path, name: str) -> None:
    listed = read_deck(shared_data / "decks" / name)
    assert (len(listed.entries), len(listed.second)) == REAL_SIZES[name]


def test_no_line_of_a_real_list_keeps_a_mark_or_a_set_in_its_name(shared_data: Path) -> None:
    files = [path for path in (shared_data / "decks").rglob("*") if path.suffix in (".txt", ".dck", ".mtga")]
    assert len(files) > 25
    for file in files:
        for entry in read_deck(file).entries:
            assert not set(entry.text) & set("[]|:<>{}^#"), (file.name, entry)


def test_real_lists_find_their_cards_in_a_catalogue_of_their_set(shared_data: Path, shell: Shell) -> None:
    shell.good("import", "mtg", shared_data / "scryfall" / "scryfall-2018-2019-slice.json.gz")
    folder = shared_data / "decks" / "magic-preconstructed-decks"
    redemption = folder / "redemption__chk__Champions of Kamigawa Foil Redemption.txt"
    checked = shell("deck", "check", redemption, "--json")
    assert checked.status == 1
    assert checked.json["cards"] == 307
    assert [problem for problem in checked.json["problems"] if "called" in problem["reason"]] == []
    presence = shell("deck", "check", folder / "intro-41__m10__Presence of Mind.txt", "--json")
    assert presence.json["cards"] == 41


@pytest.mark.parametrize("name", ["xmage-importer/testdeck.cod", "xmage-importer/testdeck.dek"])
def test_xml_is_refused_with_a_way_around(shared_data: Path, name: str) -> None:
    with pytest.raises(CatalogError, match="XML cannot be read; export it as text"):
        read_deck(shared_data / "decks" / name)


@given(st.text())
def test_whatever_the_text_a_deck_comes_out_or_a_refusal(text: str) -> None:
    try:
        listed = parse_deck(text, "deck")
    except CatalogError:
        return
    assert len(listed.entries) + len(listed.second) <= MOST_CARDS


words = st.text(alphabet="abcdefghijklmnopqrstuvwxyz'-,éû", min_size=1, max_size=8).filter(lambda word: word.isalpha())
names = st.lists(words, min_size=2, max_size=4).map(lambda parts: " ".join(part.capitalize() for part in parts))
codes = st.text(alphabet="abcdefghijkl0123456789", min_size=2, max_size=5)


@given(st.lists(st.tuples(st.integers(1, 99), names, codes, st.integers(1, 999)), min_size=1, max_size=10))
def test_lines_with_set_and_number_are_read_back(lines: list[tuple[int, str, str, int]]) -> None:
    text = "Deck\n" + "".join(f"{copies} {name} ({code.upper()}) {number}\n" for copies, name, code, number in lines)
    assert read(text) == [(copies, name, code, str(number)) for copies, name, code, number in lines]


# --- TOML and JSON ----------------------------------------------------------------------------------------------

numbers = st.integers(0, 10)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@st.composite
def some_card(draw: st.DrawFn) -> Card:
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


@given(st.lists(some_card(), min_size=1, max_size=5), texts, st.none() | st.integers(-(2**63), 2**63 - 1))
def test_a_deck_is_read_back_from_its_toml_and_its_json(cards: list[Card], name: str, seed: int | None) -> None:
    deck = Deck(name, tuple(cards), seed)
    for text in (deck_toml(deck), json.dumps(deck.to_dict()), json.dumps(deck.to_dict(), indent=2)):
        listed = parse_deck(text, "file")
        assert (listed.name, listed.seed) == (name, seed)
        assert [entry.card.to_dict() for entry in listed.entries if entry.card] == [card.to_dict() for card in cards]


def test_a_toml_deck_may_name_cards_by_name_or_id_or_in_tables() -> None:
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
        ({"zones": {"top": 11}}, NO_ZONES),
        ({"zones": {"top": -1}}, NO_ZONES),
        ({"zones": {"top": True}}, NO_ZONES),
        ({"zones": {"top": 2.0}}, NO_ZONES),
        ({"zones": {"middle": 2}}, NO_ZONES),
        ({"zones": [1, 2]}, NO_ZONES),
        ({"face": 3}, "cards[0].face: a list of numbers of 0 to 10."),
        ({"face": [11]}, "cards[0].face: a list of numbers of 0 to 10."),
        ({"face": ["3"]}, "cards[0].face: a list of numbers of 0 to 10."),
        ({"score": 4}, "cards[0].score: a whole number, at least the sum of the card's numbers, 5."),
        ({"score": "5"}, "cards[0].score: a whole number, at least the sum of the card's numbers, 5."),
        ({"score": None}, "cards[0].score: a whole number, at least the sum of the card's numbers, 5."),
        ({"attack": 11}, "cards[0]: attack and defense are numbers of 0 to 10."),
        ({"set_code": 3}, "cards[0]: game, set_code, collector_number and reason are texts."),
        ({"name": 3}, "cards[0]: a card needs an id or a name."),
        ({"name": "", "id": ""}, "cards[0]: a card needs an id or a name."),
    ],
)
def test_a_written_out_card_with_wrong_numbers_is_refused_where_it_stands(change: dict[str, Any], words: str) -> None:
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
def test_a_written_out_card_may_be_barred(change: dict[str, Any], reason: str | None) -> None:
    listed = parse_deck(json.dumps({"cards": [{**GOOD, **change}] * 20}), "file")
    _, problems = check_deck(listed, lambda entry: entry.card or pytest.fail("not written out"))
    assert [problem.reason for problem in problems] == ([] if reason is None else [reason])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"cards": 3}', "A deck has its cards in a list: cards = [ … ]."),
        ('{"cards": [3]}', "cards[0] is 3; a card is a name, an id, or a table with zones and score."),
        ('{"cards": [""]}', "cards[0] is ''; a card is a name, an id, or a table with zones and score."),
        ("{", "This looks like a deck in JSON, but the file is not JSON: "),
        (
            '{"cards": ["Ant"], "seed": 9223372036854775808}',
            "This looks like a deck in JSON, but the file is not JSON that can be read: it holds a number of more than "
            "64 bits.",
        ),
        (
            'seed = 9223372036854775808\ncards = ["Ant"]',
            "This looks like a deck in TOML, but the file is not TOML: it holds a number of more than 64 bits.",
        ),
        (
            '{"cards": ["Ant"], "cards": ["Bee"]}',
            'This looks like a deck in JSON, but the file has the key "cards" twice.',
        ),
        (
            '{"cards": ["\\ud800"]}',
            "This looks like a deck in JSON, but the file holds half of a surrogate pair, not a character.",
        ),
        ('{"name": "x"}', "A deck has its cards in a list: cards = [ … ]."),
        ("cards = [", "This looks like a deck in TOML, but the file is not TOML: "),
        ("cards = 3", "A deck has its cards in a list: cards = [ … ]."),
        (
            "cards = [1979-05-27]",
            "cards[0] is datetime.date(1979, 5, 27); a card is a name, an id, or a table with zones and score.",
        ),
        (
            '{"cards": ' + "[" * 100_000 + "]" * 100_000 + "}",
            "This looks like a deck in JSON, but the file is nested too deeply to be read.",
        ),
        (
            "cards = " + "[" * 100_000 + "]" * 100_000,
            "This looks like a deck in TOML, but the file is nested too deeply to be read.",
        ),
        ("{" * 100_000, "This looks like a deck in JSON, but the file is not JSON: "),
        ('{"cards": [' + '"Ant",' * 5000 + '"Ant"]}', "5001 cards are too many for a deck."),
        ("0 Ant", "Line 1: no copies of a card: '0 Ant'."),
        ("9999 Ant", "Line 1: 9999 cards are too many for a deck."),
        ("1000 Ant\n999 Ant\n2 Ant", "Line 3: 2001 cards are too many for a deck."),
        (
            "1 Ant\n1 " + "x" * 3000,
            "Line 2 is too long to be a card: '1 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' …",
        ),
        ("1 Ant\n" * 2001, "Line 2001: 2001 cards are too many for a deck."),
        (
            "<html>1 Ant</html>",
            "A deck in XML cannot be read; export it as text, such as '1 Lightning Bolt (M10) 146'.",
        ),
    ],
)
def test_a_deck_that_is_none_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(CatalogError) as refusal:
        parse_deck(text, "file")
    assert str(refusal.value).startswith(words)  # what follows are words of Python's readers


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "there are no cards in it."),
        (b"\n\n# nothing\n", "there are no cards in it."),
        (b"Sideboard\n1 Ant\n", "there are no cards in it."),
        (b'{"cards": []}', "there are no cards in it."),
        (b"1 Lim-D\xfbl's Vault", "a deck is a UTF-8 text, and this is not (byte 7)."),
        (b"\xff\xfe1\0 \0A\0", "a deck is a UTF-8 text, and this is not (byte 0)."),
        (b"1 Ant\0", "this is not a text."),
        (b"1 Ant\n" * 1_000_000, "larger than 4 MiB; is it a deck?"),
    ],
)
def test_a_file_that_is_no_deck_is_refused_with_its_name(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "ants.txt"
    file.write_bytes(content)
    with pytest.raises(CatalogError) as refusal:
        read_deck(file)
    assert str(refusal.value) == f"{file}: {words}"


def test_a_missing_deck_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"nothing\.txt"):
        read_deck(tmp_path / "nothing.txt")
    with pytest.raises(CatalogError, match="folder"):
        read_deck(tmp_path)


@pytest.mark.parametrize(
    "text", ["\n" * 4_000_000, " " * 4_000_000, ("1 " + "a " * 900 + "(\n") * 2000, "[" * 4_000_000]
)
def test_a_hostile_text_costs_no_time(text: str) -> None:
    started = time.process_time()
    with suppress(CatalogError):
        parse_deck(text, "deck")
    assert time.process_time() - started < 5


# --- checking ---------------------------------------------------------------------------------------------------


def test_everything_that_is_wrong_is_said_at_once_and_the_same_thing_once() -> None:
    known = {
        "Ant": Card("a:1", "a", "Ant", {"top": 1}, 1),
        "Bee": Card("a:2", "a", "Bee", {}, 0, legal=False, reason="no-number"),
    }

    def find(entry: DeckEntry) -> Card:
        if entry.text not in known:
            raise CatalogError(f"No card is called {entry.text!r}.")
        return known[entry.text]

    deck, problems = check_deck(parse_deck("Deck\n4 Ant\n3 Bee\n2 Wasp\n1 Bee", "deck"), find)
    assert [card.name for card in deck.cards] == ["Ant"] * 4 + ["Bee"] * 4
    assert [(problem.card, problem.reason) for problem in problems] == [
        (None, "the deck has 10 cards, and 20 are needed"),
        ("Bee", "no-number"),
        ("Wasp", "No card is called 'Wasp'."),
    ]


def test_each_line_is_looked_up_once() -> None:
    asked: list[str] = []

    def find(entry: DeckEntry) -> Card:
        asked.append(entry.text)
        raise CatalogError("no")

    check_deck(parse_deck("20 Ant\n30 Bee", "deck"), find)
    assert asked == ["Ant", "Bee"]


@given(st.integers(0, 40), st.integers(1, 40))
def test_the_size_is_asked_for(cards: int, size: int) -> None:
    listed = ListedDeck("deck", (DeckEntry("line 1", "Ant"),) * cards)
    _, problems = check_deck(listed, lambda entry: Card("a:1", "a", "Ant", {"top": 1}, 1), size)
    assert (not problems) == (cards == size)


def test_a_line_keeps_what_was_written() -> None:
    assert read_lines("2 Hazmat Suit (Used) *F*").lines == [Line(1, 2, "Hazmat Suit", "used", "", "Hazmat Suit (Used)")]


# --- at the command line ----------------------------------------------------------------------------------------


@pytest.fixture
def table(shell: Shell) -> Shell:
    """A catalogue of 60 legal cards, and some that are told apart by a set, a number, or half a name."""
    shell.import_rows(
        [
            *rows(60),
            row(61, name="Lightning Bolt"),
            row(146, name="Lightning Bolt", set="m10", set_name="Magic 2010"),
            row(147, name="Lightning Bolt", set="m10", set_name="Magic 2010", cost=4),
            row(62, name="Fire // Ice", card_faces=[{"name": "Fire", "mana_cost": "{1}"}, {"name": "Ice"}]),
            row(63, name="Hazmat Suit (Used)"),
            row(64, name="Big Ant", power="3", toughness="3"),
            row(65, name="Small Ant", mana_cost=None, collector_number="100"),
        ]
    )
    return shell


CARD_KEYS = [
    *("id", "game", "name", "set_code", "collector_number", "zones"),
    *("face", "score", "legal", "reason", "attack", "defense"),
]


def new(shell: Shell, *options: str) -> dict[str, Any]:
    deck: dict[str, Any] = shell.good("deck", "new", "--json", *options).json
    return deck


def test_deck_new_prints_a_legal_deck_in_the_documented_shape(table: Shell) -> None:
    deck = new(table)
    assert list(deck) == ["name", "game", "seed", "cards"]
    assert len(deck["cards"]) == 20
    assert isinstance(deck["seed"], int)
    assert all(card["legal"] for card in deck["cards"])
    assert len({card["id"] for card in deck["cards"]}) == 20
    assert all(list(card) == CARD_KEYS for card in deck["cards"])


def test_deck_new_is_the_same_for_the_same_seed_and_another_for_another(table: Shell) -> None:
    assert new(table, "--seed", "7") == new(table, "--seed", "7")
    assert new(table, "--seed", "7")["cards"] != new(table, "--seed", "8")["cards"]
    drawn = new(table)
    assert new(table, "--seed", str(drawn["seed"])) == drawn


def test_a_deck_that_was_written_is_legal_and_shows_the_same_cards(table: Shell) -> None:
    deck, toml = new(table, "--seed", "7"), table.folder / "deck.toml"
    assert table.good("deck", "new", "--seed", "7", "-o", toml).out == ""
    assert tomllib.loads(toml.read_text())["cards"][0]["name"] == deck["cards"][0]["name"]
    (table.folder / "deck.json").write_text(json.dumps(deck))
    lines = [f"1 {card['name']} ({card['set_code'].upper()}) {card['collector_number']}\n" for card in deck["cards"]]
    (table.folder / "deck.txt").write_text("".join(lines))
    ids = [card["id"] for card in deck["cards"]]
    (table.folder / "ids.txt").write_text("\n".join(ids))
    for name in ("deck.toml", "deck.json", "deck.txt", "ids.txt"):
        assert table.good("deck", "check", table.folder / name, "--json").json == {
            "ok": True,
            "cards": 20,
            "problems": [],
        }
        shown = table.good("deck", "show", table.folder / name, "--json").json
        assert [card["id"] for card in shown["cards"]] == ids
    assert "Legal" in table.good("deck", "check", toml).out


def test_written_out_cards_need_no_catalogue(table: Shell) -> None:
    toml = table.folder / "deck.toml"
    table.good("deck", "new", "--seed", "7", "-o", toml)
    drawn = table.good("deck", "show", toml).out
    for other in ("missing.db", "empty.db"):
        (table.folder / "cards.jsonl").write_text("[]")
        if other == "empty.db":
            from catalog.store.catalogue import Store

            Store(table.folder / other, create=True).connection.close()
        assert table.good("deck", "check", toml, "--db", table.folder / other, "--json").json["ok"]
        assert table.good("deck", "show", toml, "--db", table.folder / other).out == drawn
    assert not (table.folder / "missing.db").exists()


def test_a_deck_of_names_needs_a_catalogue(table: Shell) -> None:
    (table.folder / "deck.txt").write_text("20 Lightning Bolt")
    for command in ("check", "show"):
        table("deck", command, table.folder / "deck.txt", "--db", table.folder / "no.db").refused("ccgrid import")


def checked(shell: Shell, text: str) -> list[dict[str, Any]]:
    """The problems of a deck of 20 lines or copies."""
    file = shell.folder / "deck.txt"
    file.write_text(text)
    result = shell("deck", "check", file, "--json")
    assert result.status == (0 if result.json["ok"] else 1)
    assert list(result.json) == ["ok", "cards", "problems"]
    problems: list[dict[str, Any]] = result.json["problems"]
    assert all(list(problem) == ["card", "reason"] for problem in problems)
    return problems


def test_a_misspelt_card_is_answered_with_close_names(table: Shell) -> None:
    [problem] = checked(table, "20 Lightening Bolt")
    assert problem["card"] == "Lightening Bolt"
    assert "Did you mean: Lightning Bolt" in problem["reason"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("20 Lightning Bolt (M11)", "is not in the set 'm11'; it is in: dsk, m10"),
        ("20 Lightning Bolt (M10) 148", "has no number 148 in the set 'm10'; it has: 146, 147"),
        ("20 Big Ant", "multiple-numbers:bottom-right"),
        ("20 Small Ant", "no-number"),
    ],
)
def test_a_card_that_cannot_be_used_says_why(table: Shell, line: str, words: str) -> None:
    [problem] = checked(table, line)
    assert words in problem["reason"]


@pytest.mark.parametrize(
    ("line", "card_id"),
    [
        ("20 lightning bolt", "mtg:dsk/61"),
        ("20 Lightning Bolt (m10) 0147", "mtg:m10/147"),
        ("20 Lightning Bolt|M10|[146]", "mtg:m10/146"),
        ("20 MTG:M10/146", "mtg:m10/146"),
        ("20 Fire", "mtg:dsk/62"),
        ("20 Fire/Ice", "mtg:dsk/62"),
        ("20 Fire // Ice [DSK:62a]", "mtg:dsk/62"),
        ("20 Hazmat Suit (Used)", "mtg:dsk/63"),
        ("20 Hazmat Suit (Used) (DSK) 63", "mtg:dsk/63"),
    ],
)
def test_a_line_finds_the_printing_it_names(table: Shell, line: str, card_id: str) -> None:
    assert checked(table, line) == []
    shown = table.good("deck", "show", table.folder / "deck.txt", "--json").json
    assert {card["id"] for card in shown["cards"]} == {card_id}


def test_a_deck_that_says_other_numbers_than_the_catalogue_is_told(table: Shell) -> None:
    deck = new(table, "--seed", "7")
    card = deck["cards"][3]
    card["zones"] = {**card["zones"], "top": 10}
    card["score"] += 10
    (table.folder / "deck.json").write_text(json.dumps(deck))
    result = table("deck", "check", table.folder / "deck.json", "--json")
    assert result.status == 1
    assert [problem["card"] for problem in result.json["problems"]] == [card["name"]]
    assert "other numbers" in result.json["problems"][0]["reason"]


def test_an_illegal_deck_has_status_1_and_is_shown_all_the_same(table: Shell) -> None:
    file = table.folder / "deck.txt"
    file.write_text("3 Lightning Bolt\n1 Big Ant\n1 Nobody")
    result = table("deck", "check", file)
    assert result.status == 1
    assert "Not legal" in result.out
    assert "5 cards, and 20 are needed" in result.out
    shown = table.good("deck", "show", file)
    assert "Lightning Bolt" in shown.out
    assert "not legal" in shown.err


def test_a_deck_command_that_cannot_be_done_has_status_3(table: Shell) -> None:
    table("deck", "check", table.folder / "nothing.txt").refused("nothing.txt")
    table("deck", "show", table.folder).refused("folder")
    table("deck", "new", "chess").refused("'chess'", "grid")
    table("deck", "new", "--game", "chess").refused("'chess'", "mtg")
    table("deck", "new", "--db", table.folder / "no.db").refused("ccgrid import")
    table("deck", "new", "-o", table.folder / "no" / "deck.toml").refused("deck.toml", "no such file")
    table("deck", "new", "-o", table.folder).refused("folder")
    assert table("deck", "check").status == 2
    assert table("deck", "new", "--seed", "x").status == 2


def test_a_deck_needs_twenty_legal_cards(shell: Shell) -> None:
    shell.import_rows(rows(19))
    shell("deck", "new").refused("19 legal cards", "20 are needed")
    shell.import_rows(rows(20))
    assert len(new(shell)["cards"]) == 20


def test_a_deck_is_written_whole_or_not_at_all(table: Shell) -> None:
    file = table.folder / "deck.toml"
    file.write_text("mine")
    table("deck", "new", "--game", "chess", "-o", file).refused()
    assert file.read_text() == "mine"
    file.unlink()
    table.good("deck", "new", "-o", file)
    assert len(tomllib.loads(file.read_text())["cards"]) == 20
    assert sorted(path.name for path in table.folder.iterdir()) == ["cards.jsonl", "catalogue.db", "deck.toml"]
