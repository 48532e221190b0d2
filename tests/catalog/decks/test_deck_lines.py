"""Deck lists in the styles of many sites: lines, headings, sideboards and titles."""

from pathlib import Path

import pytest
from deck_files import words
from helpers.catalogues import Shell
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.deck_files import read_deck
from ccgrid.catalog.deck_text import MOST_CARDS, DeckLine, parse_deck, read_line, read_lines
from ccgrid.catalog.decks import check_deck
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.lines import heading_of

Written = tuple[int, str, str, str]


def read(text: str) -> list[Written]:
    return [(line.copies, line.name, line.set_code, line.collector_number) for line in read_lines(text).lines]


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
        ("1 [M10#146] Lightning Bolt", (1, "Lightning Bolt", "m10", "146")),
        ("4 Lightning Bolt <161> [M10]", (4, "Lightning Bolt", "m10", "161")),
        ("4 Lightning Bolt [M10] (F)", (4, "Lightning Bolt", "m10", "")),
        ("4 Lightning Bolt [M10]", (4, "Lightning Bolt", "m10", "")),
        ("4 Lightning Bolt (M10)", (4, "Lightning Bolt", "m10", "")),
        # XMage, and sites with set and number in brackets
        ("1 [SLD:173] Balance [foil]", (1, "Balance", "sld", "173")),
        ("1 Hull Breach [40k:224★] [foil]", (1, "Hull Breach", "40k", "224★")),
        ("15 Island [P02:*]", (15, "Island", "p02", "")),
        ("COMMANDER: 1 The Swarmlord [40k:4] [foil]", (1, "The Swarmlord", "40k", "4")),
        # Forge: a number in brackets is the collector number, one without is the number of the picture
        ("1 Brainstorm|A25|[046]", (1, "Brainstorm", "a25", "046")),
        ("4 Forest|M10|2", (4, "Forest", "m10", "")),
        ("4 Forest|M10", (4, "Forest", "m10", "")),
        ("1 Forest+|M10", (1, "Forest", "m10", "")),
        # Arena, and games with set and number in one code
        ("2 Benalish Marshal (PDOM) 6p", (2, "Benalish Marshal", "pdom", "6p")),
        ("1 Expansion // Explosion (GRN) 224", (1, "Expansion // Explosion", "grn", "224")),
        ("3 Stalwart Poro (OGN-052)", (3, "Stalwart Poro", "ogn", "052")),
        ("1 Fog (PLST) A25-12", (1, "Fog", "plst", "A25-12")),
        ("1 B.F.M. (Big Furry Monster)", (1, "B.F.M.", "Big Furry Monster", "")),
        ("2 Sparkmage Apprentice*", (2, "Sparkmage Apprentice*", "", "")),
    ],
)
def test_line_in_style_of_a_site_is_read(line: str, written: Written) -> None:
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
def test_headings_comments_and_sideboards_are_not_in_deck(text: str) -> None:
    assert read(text) == [(1, "Ant", "", "")]


@pytest.mark.parametrize(
    "text", ["[metadata]\nName=Ants\n[Main]\n1 Ant", "About\nName Ants\n\nDeck\n1 Ant", "// NAME: Ants\n1 Ant"]
)
def test_name_of_list_is_read(text: str) -> None:
    assert parse_deck(text, "file").name == "Ants"
    assert parse_deck("1 Ant", "file").name == "file"


def test_small_second_block_is_separate() -> None:
    listed = read_lines("4 Ant\n4 Bee\n\n3 Wasp\n")
    assert [line.name for line in listed.lines] == ["Ant", "Bee"]
    assert [line.name for line in listed.second] == ["Wasp"]


@pytest.mark.parametrize(
    "text",
    [
        "4 Ant\n\n4 Bee",  # as large as the first
        "40 Ant\n\n16 Bee",  # larger than any sideboard
        "4 Ant\n\n2 Bee\n\n2 Wasp",  # groups
        "Deck\n4 Ant\n\n2 Bee",  # a heading for each part
        "4 Ant\n2 Bee\n\n\n",
    ],
)
def test_other_blocks_belong_to_the_deck(text: str) -> None:
    assert read_lines(text).second == []


def test_second_block_completing_deck_belongs_to_it() -> None:
    listed = parse_deck("14 Ant\n\n6 Bee", "ants")
    deck, problems = check_deck(listed, lambda entry: Card("a:1", "a", entry.text, {"top": 1}, 1))
    assert (len(deck.cards), problems) == (20, [])
    _, problems = check_deck(parse_deck("14 Ant\n\n5 Bee", "ants"), lambda entry: Card("", "", "", {"top": 1}, 1))
    assert problems[0].reason == (
        "the deck has 14 cards, and 20 are needed; the 5 after the blank line count as a sideboard"
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
def test_real_lists_have_card_counts_of_their_sites(shared_data: Path, name: str) -> None:
    listed = read_deck(shared_data / "decks" / name)
    assert (len(listed.entries), len(listed.second)) == REAL_SIZES[name]


def test_names_in_real_lists_contain_no_marks_or_sets(shared_data: Path) -> None:
    files = [path for path in (shared_data / "decks").rglob("*") if path.suffix in (".txt", ".dck", ".mtga")]
    assert len(files) > 25
    for file in files:
        for entry in read_deck(file).entries:
            assert not set(entry.text) & set("[]|:<>{}^#"), (file.name, entry)


def test_cards_of_real_lists_are_found(shared_data: Path, shell: Shell) -> None:
    shell.good("import", "mtg", shared_data / "scryfall" / "scryfall-2018-2019-slice.json.gz")
    folder = shared_data / "decks" / "magic-preconstructed-decks"
    redemption = folder / "redemption__chk__Champions of Kamigawa Foil Redemption.txt"
    checked = shell("deck", "check", redemption, "--json")
    assert checked.status == 1
    assert checked.json["cards"] == 307
    assert [problem for problem in checked.json["problems"] if "called" in problem["reason"]] == []
    presence = shell("deck", "check", folder / "intro-41__m10__Presence of Mind.txt", "--json")
    assert presence.json["cards"] == 41


def test_xml_text_is_rejected_with_advice() -> None:
    with pytest.raises(CatalogError, match="XML must be a file"):
        parse_deck("<Deck></Deck>", "deck")


@given(st.text())
def test_any_text_yields_deck_or_catalog_error(text: str) -> None:
    try:
        listed = parse_deck(text, "deck")
    except CatalogError:
        return
    assert len(listed.entries) + len(listed.second) <= MOST_CARDS


names = st.lists(words, min_size=2, max_size=4).map(lambda parts: " ".join(part.capitalize() for part in parts))
codes = st.text(alphabet="abcdefghijkl0123456789", min_size=2, max_size=5)


@given(st.lists(st.tuples(st.integers(1, 99), names, codes, st.integers(1, 999)), min_size=1, max_size=10))
def test_lines_with_set_and_number_are_read_back(lines: list[tuple[int, str, str, int]]) -> None:
    text = "Deck\n" + "".join(f"{copies} {name} ({code.upper()}) {number}\n" for copies, name, code, number in lines)
    assert read(text) == [(copies, name, code, str(number)) for copies, name, code, number in lines]


# --- single lines of a deck list ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "copies", "name", "set_code", "number"),
    [
        ("Ant", 1, "Ant", "", ""),
        ("4 Ant", 4, "Ant", "", ""),
        ("4x Ant", 4, "Ant", "", ""),
        ("4X Ant", 4, "Ant", "", ""),
        ("4× Ant", 4, "Ant", "", ""),
        ("4 x Ant", 4, "Ant", "", ""),
        ("9999 Ant", 9999, "Ant", "", ""),
        ("10000 Ant", 10000, "Ant", "", ""),
        ("1 Ant (DSK)", 1, "Ant", "dsk", ""),
        ("1 Ant (DSK) 146", 1, "Ant", "dsk", "146"),
        ("1 Ant [DSK:146]", 1, "Ant", "dsk", "146"),
        ("1 [DSK:146] Ant", 1, "Ant", "dsk", "146"),
        ("1 Ant <showcase> [DSK] 146", 1, "Ant", "dsk", "146"),
        ("1 Ant (DSK) 146 *F*", 1, "Ant", "dsk", "146"),
        ("1 Ant (DSK) 146 [Ramp]", 1, "Ant", "dsk", "146"),
        ("1 Ant (DSK) 146 ^Have,#37d67a^", 1, "Ant", "dsk", "146"),
        ("1 Ant (DSK) *F*", 1, "Ant", "dsk", ""),
        ("1 Ant (OGN-001)", 1, "Ant", "ogn", "001"),
        ("1 Ant [foil]", 1, "Ant", "", ""),
        ("1 Ant *E* #home", 1, "Ant", "", ""),
        ("1 Ant (F)", 1, "Ant", "", ""),
        ("1 Ant|DSK", 1, "Ant", "dsk", ""),
        ("1 Ant+|DSK|[146]", 1, "Ant", "dsk", "146"),
        ("1 Ant|DSK|2", 1, "Ant", "dsk", ""),
        ("1 +2 Mace", 1, "+2 Mace", "", ""),
        ("1 B.F.M. (Big Furry Monster)", 1, "B.F.M.", "Big Furry Monster", ""),
        ("Commander: 1 Ant", 1, "Ant", "", ""),
        ("main: 2 Ant", 2, "Ant", "", ""),
        ("Main: Ant", 1, "Main: Ant", "", ""),
    ],
)
def test_deck_line_gives_copies_name_and_printing(
    line: str, copies: int, name: str, set_code: str, number: str
) -> None:
    found = read_line(line, 7)
    assert found is not None
    assert found[:5] == (7, copies, name, set_code, number)


def test_line_with_only_a_name_has_no_printing() -> None:
    assert DeckLine(1, 2, "Ant") == (1, 2, "Ant", "", "", "")


def test_deck_line_keeps_text_before_reading_set() -> None:
    assert read_line("2 B.F.M. (Left) *F*", 1) == DeckLine(1, 2, "B.F.M.", "left", "", "2 B.F.M. (Left) *F*")


@pytest.mark.parametrize(
    "line",
    ["# Ant", "// Ant", "LAYOUT MAIN:(1,2)", "SB: 1 Ant", "side: 1 Ant", "Sideboard: 2 Ant", "maybeboard: 1 Ant"],
)
def test_comments_and_sideboard_lines_are_ignored(line: str) -> None:
    assert read_line(line, 1) is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        *((word, word.casefold()) for word in ("Deck", "MAIN", "Main Deck", "Commander", "companion", "Planeswalkers")),
        *((word, word.casefold()) for word in ("Sideboard", "Side Deck", "Maybeboard", "Tokens", "About", "Metadata")),
        ("// Creatures (12)", "creatures"),
        ("# Lands: 20", "lands"),
        ("== Energy", "energy"),
        ("Pokémon: 12", "pokémon"),
        ("Other Spells", "other spells"),
        ("Instants and Sorceries (4)", "instants and sorceries"),
        ("[Anything At All]", "anything at all"),
        ("Deck 60 cards:", "deck"),
        ("Ant", None),
        ("Anything At All", None),
        ("1 Deck", None),
        ("Deck of Many Things", None),
    ],
)
def test_heading_is_known_word_or_in_brackets(line: str, words: str | None) -> None:
    assert heading_of(line) == words


HEADINGS = """deck main mainboard main_deck maindeck cards commander commanders companion creature creatures land lands
basic_lands instant instants sorcery sorceries artifact artifacts enchantment enchantments planeswalker planeswalkers
battle battles spells other_spells instants_and_sorceries pokémon trainer energy monsters traps legend champion
battlefields runes leader units"""
NOT_IN_DECK = "sideboard side side_deck maybeboard considering tokens display_commander"


@pytest.mark.parametrize("heading", HEADINGS.split())
def test_cards_under_usual_headings_are_in_deck(heading: str) -> None:
    assert names_of_lines(f"Tokens\n1 Ant\n{heading.replace('_', ' ').title()}\n1 Bee\n") == ("", ["Bee"], [])


@pytest.mark.parametrize("heading", NOT_IN_DECK.split())
def test_cards_under_sideboard_headings_are_not_in_deck(heading: str) -> None:
    assert names_of_lines(f"Deck\n1 Ant\n{heading.replace('_', ' ').title()}\n1 Bee\n") == ("", ["Ant"], [])


def names_of_lines(text: str) -> tuple[str, list[str], list[str]]:
    found = read_lines(text)
    return found.name, [line.name for line in found.lines], [line.name for line in found.second]


def test_title_is_read_only_from_title_lines() -> None:
    assert names_of_lines("// NAME : My Ants\n1 Ant\n") == ("My Ants", ["Ant"], [])
    assert names_of_lines("Name: First\nName = Second\n1 Ant\n") == ("First", ["Ant"], [])
    assert names_of_lines("About\nName My Ants\n\nDeck\n1 Ant\n") == ("My Ants", ["Ant"], [])
    assert names_of_lines("[metadata]\nName=My Ants\n[main]\n1 Ant\n") == ("My Ants", ["Ant"], [])


def test_only_cards_under_deck_headings_are_in_deck() -> None:
    text = "Deck\n1 Ant\nSideboard\n1 Bee\nCreatures\n1 Cow\nConsidering\n1 Dog\n[Whatever]\n1 Eel\n"
    assert names_of_lines(text) == ("", ["Ant", "Cow"], [])


@pytest.mark.parametrize(
    ("text", "lines", "second"),
    [
        ("16 Ant\n\n15 Bee\n", ["Ant"], ["Bee"]),
        ("17 Ant\n\n16 Bee\n", ["Ant", "Bee"], []),
        ("15 Ant\n\n15 Bee\n", ["Ant", "Bee"], []),
        ("4 Ant\n\n\n3 Bee\n", ["Ant"], ["Bee"]),
        ("4 Ant\n\n2 Bee\n\n1 Cow\n", ["Ant", "Bee", "Cow"], []),
        ("Deck\n4 Ant\n\n3 Bee\n", ["Ant", "Bee"], []),
        ("\n4 Ant\n\n", ["Ant"], []),
    ],
)
def test_small_second_block_without_headings_is_sideboard(text: str, lines: list[str], second: list[str]) -> None:
    assert names_of_lines(text) == ("", lines, second)


def test_lines_are_counted_from_1_and_blanks_are_merged() -> None:
    assert read_lines("\n  2   Ant  Hill \n").lines == [DeckLine(2, 2, "Ant Hill", written="2 Ant Hill")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 Ant\n0 Bee\n", snapshot("Line 2: no copies of a card: '0 Bee'.")),
        ("0 " + "x" * 100, snapshot(f"Line 1: no copies of a card: {'0 ' + 'x' * 58!r}.")),
        ("x" * 2001, snapshot(f"Line 1 is too long to be a card: {'x' * 60!r} …")),
    ],
)
def test_line_without_card_is_reported(text: str, words: str) -> None:
    with pytest.raises(CatalogError) as caught:
        read_lines(text)
    assert str(caught.value) == words


def test_list_may_have_2000_cards_and_lines_of_2000_characters() -> None:
    assert sum(line.copies for line in read_lines("1000 Ant\n1000 Bee\n").lines) == 2000
    assert len(read_lines("x" * 2000).lines[0].name) == 2000
    with pytest.raises(CatalogError, match=r"^Line 2: 2001 cards "):
        read_lines("1000 Ant\n1001 Bee\n")


def test_ambiguous_number_after_set_code_is_rejected() -> None:
    with pytest.raises(CatalogError, match="Line 2: 37 may be copies or a number: write '37 Ant' or 'Ant #37'"):
        read_lines("4 Bee\nAnt, DSK, 37\n")
