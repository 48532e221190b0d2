"""One line of a deck list: how many of what, of which printing; what is a heading, a comment, a title, a sideboard."""

import pytest

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.decks import DeckLine, read_line, read_lines
from ccgrid.catalog.lines import heading_of


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
def test_a_line_says_how_many_of_which_printing(line: str, copies: int, name: str, set_code: str, number: str) -> None:
    found = read_line(line, 7)
    assert found is not None
    assert found[:5] == (7, copies, name, set_code, number)


def test_a_line_without_more_says_nothing_of_a_printing() -> None:
    assert DeckLine(1, 2, "Ant") == (1, 2, "Ant", "", "", "")


def test_what_a_name_looked_like_before_a_set_was_read_in_it_is_kept() -> None:
    assert read_line("2 B.F.M. (Left) *F*", 1) == DeckLine(1, 2, "B.F.M.", "left", "", "2 B.F.M. (Left) *F*")


@pytest.mark.parametrize(
    "line",
    ["# Ant", "// Ant", "LAYOUT MAIN:(1,2)", "SB: 1 Ant", "side: 1 Ant", "Sideboard: 2 Ant", "maybeboard: 1 Ant"],
)
def test_comments_and_cards_beside_the_deck_are_no_lines_of_it(line: str) -> None:
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
def test_a_heading_is_a_known_word_or_stands_in_brackets(line: str, words: str | None) -> None:
    assert heading_of(line) == words


HEADINGS = """deck main mainboard main_deck maindeck cards commander commanders companion creature creatures land lands
basic_lands instant instants sorcery sorceries artifact artifacts enchantment enchantments planeswalker planeswalkers
battle battles spells other_spells instants_and_sorceries pokémon trainer energy monsters traps legend champion
battlefields runes leader units"""
BESIDE = "sideboard side side_deck maybeboard considering tokens display_commander"


@pytest.mark.parametrize("heading", HEADINGS.split())
def test_cards_under_any_usual_heading_of_a_deck_are_in_it(heading: str) -> None:
    assert names(f"Tokens\n1 Ant\n{heading.replace('_', ' ').title()}\n1 Bee\n") == ("", ["Bee"], [])


@pytest.mark.parametrize("heading", BESIDE.split())
def test_cards_under_a_heading_of_what_lies_beside_a_deck_are_not_in_it(heading: str) -> None:
    assert names(f"Deck\n1 Ant\n{heading.replace('_', ' ').title()}\n1 Bee\n") == ("", ["Ant"], [])


def names(text: str) -> tuple[str, list[str], list[str]]:
    found = read_lines(text)
    return found.name, [line.name for line in found.lines], [line.name for line in found.second]


def test_a_title_is_read_where_it_is_one() -> None:
    assert names("// NAME : My Ants\n1 Ant\n") == ("My Ants", ["Ant"], [])
    assert names("Name: First\nName = Second\n1 Ant\n") == ("First", ["Ant"], [])
    assert names("About\nName My Ants\n\nDeck\n1 Ant\n") == ("My Ants", ["Ant"], [])
    assert names("[metadata]\nName=My Ants\n[main]\n1 Ant\n") == ("My Ants", ["Ant"], [])


def test_only_what_stands_under_headings_of_the_deck_is_in_it() -> None:
    text = "Deck\n1 Ant\nSideboard\n1 Bee\nCreatures\n1 Cow\nConsidering\n1 Dog\n[Whatever]\n1 Eel\n"
    assert names(text) == ("", ["Ant", "Cow"], [])


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
def test_a_second_block_is_a_sideboard_where_it_is_small_and_no_headings_are_there(
    text: str, lines: list[str], second: list[str]
) -> None:
    assert names(text) == ("", lines, second)


def test_lines_are_counted_from_1_and_blanks_in_them_are_one() -> None:
    assert read_lines("\n  2   Ant  Hill \n").lines == [DeckLine(2, 2, "Ant Hill", written="2 Ant Hill")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 Ant\n0 Bee\n", "Line 2: no copies of a card: '0 Bee'."),
        ("0 " + "x" * 100, f"Line 1: no copies of a card: {'0 ' + 'x' * 58!r}."),
        ("x" * 2001, f"Line 1 is too long to be a card: {'x' * 60!r} …"),
    ],
)
def test_a_line_that_can_be_no_card_is_told(text: str, words: str) -> None:
    with pytest.raises(CatalogError) as caught:
        read_lines(text)
    assert str(caught.value) == words


def test_a_list_may_have_2000_cards_and_lines_of_2000_characters() -> None:
    assert sum(line.copies for line in read_lines("1000 Ant\n1000 Bee\n").lines) == 2000
    assert len(read_lines("x" * 2000).lines[0].name) == 2000
    with pytest.raises(CatalogError, match=r"^Line 2: 2001 cards "):
        read_lines("1000 Ant\n1001 Bee\n")
