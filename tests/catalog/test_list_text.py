"""The classification of a list's lines as cards, headings, titles and remarks."""

import time

import pytest

from ccgrid.catalog.lines import COUNTS_CARDS
from ccgrid.catalog.list_text import IN_BOLD, list_lines, part_left_out


def roles(*lines: str) -> list[tuple[str, str]]:
    return [(line.role, line.text) for line in list_lines(enumerate(lines, 1))]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Event (15)", "event"),
        ("###Agenda (3)", "agenda"),
        ("== Main Deck ==", "main deck"),
        ("=== Extra Deck (1) ===", "extra deck"),
        ("##Trainer Cards - 12", "trainer cards"),
        ("Pokémon : 1", "pokémon"),
        ("Énergie : 0", "énergie"),
        ("Instants (5):", "instants"),
        ("主牌（6）", "主牌"),
        ("Crypt (12 cards, min=11, max=22, avg=4)", "crypt"),
        ("Crypt [12 vampires] Capacity min: 2 max: 10 average: 5.84", "crypt"),
        ("Master (14; 2 trifle)", "master"),
        ("Action Modifier/Combat (2)", "action modifier/combat"),
        ("Réserve :", "réserve"),
        ("サイドボード", "サイドボード"),
        ("Nosuchkind: 0", "nosuchkind"),
        ("Creature 12 Kreaturen", "creature"),
        ("Lands: 24 Karten", "lands"),
    ],
)
def test_heading_is_recognised_by_its_words_and_signs(line: str, words: str) -> None:
    assert roles(line, "4 Ant")[0] == ("heading", words)


@pytest.mark.parametrize(
    "line",
    [
        "4 Ant",
        "Ant",
        "Ant (4)",
        "Ant: 4",
        "Sentry",
        "4 Event",
        "1 Agenda (M10) 7",
        "COMMANDER: 1 Ant [40k:4] [foil]",
        "need 2 Ant",
        "Need: 2 Ant",
        "Maybeboard: 2 Ant",
        "Land 4 Ant",
        "Total War",
        "4 Total War",
        "Total War (4)",
        "Ant - foil",
        "1996 World Champion",
        "Hero: Ant",
        "[M10:146] Ant",
        "4 Ant https://example.org/1",
        "+2 Mace",
        "_____",
    ],
)
def test_line_that_may_be_a_card_is_a_card(line: str) -> None:
    found = next(list_lines([(1, line)]))
    assert (found.role, found.doubt) == ("card", ""), found


@pytest.mark.parametrize(
    "line",
    [
        "15 influence spent (max 15, available 0)",
        "20 agenda points (between 20 and 21)",
        "49 cards (min 45)",
        "Cards up to Elevation",
        "Total Cards: 60",
        "Total Cards - 60",
        "Karten insgesamt: 60",
        "Nombre total de cartes : 60",
        "Carte totali: 60",
        "合計 60枚",
        "------------",
        "| --- | :-: |",
        "https://example.org/deck/1",
        "See the full deck @ https://example.org/1",
        "Made with ❤️ at the FaBrary",
        "Format: Classic Constructed",
        "Author : Somebody",
        "# a comment",
        "[/deck]",
        "****** Pokémon Trading Card Game Deck List ******",
    ],
)
def test_footer_total_separator_or_link_is_a_remark(line: str) -> None:
    assert roles(line)[0][0] == "remark"


def test_line_that_counts_cards_below_it_may_be_a_heading() -> None:
    lines = ["Zinc (3)", "2 Ant", "1 Bee", "", "Gold (2)", "1 Ant", "", "Sentry (4)", "Ant (2)"]
    doubts = [line.doubt for line in list_lines(enumerate(lines, 1))]
    assert doubts == [COUNTS_CARDS, *[""] * 8]
    assert next(list_lines([(1, "**Ant**")])).doubt == IN_BOLD


@pytest.mark.parametrize(
    ("lines", "texts"),
    [
        (["1) Ant", "2) Bee", "3) Cat"], ["Ant", "Bee", "Cat"]),
        (["4) Ant", "2) Bee"], ["4) Ant", "2) Bee"]),
        (["1. 4x Ant", "2. Bee"], ["4x Ant", "Bee"]),
        (["(1) Ant", "(2) Bee", "(3) Cat"], ["Ant", "Bee", "Cat"]),
        (["(1) Ant", "(2) Bee"], ["(1) Ant", "(2) Bee"]),
        (["(4) Ant", "(5) Bee", "(6) Cat"], ["(4) Ant", "(5) Bee", "(6) Cat"]),
        (["#1 Ant", "#2 Bee", "#3 Cat"], ["Ant", "Bee", "Cat"]),
        (["#235 Ant", "#236 Bee", "#237 Cat"], ["#235 Ant", "#236 Bee", "#237 Cat"]),
        (["1) Ant", "2) Bee", "", "1) Cat"], ["Ant", "Bee", "Cat"]),
        (["１）Ant", "２）Bee"], ["Ant", "Bee"]),
    ],
)
def test_line_numbers_of_a_list_are_not_copies(lines: list[str], texts: list[str]) -> None:
    assert [text for role, text in roles(*lines) if role == "card"] == texts


def test_text_above_crypt_is_a_remark_but_cards_stay_cards() -> None:
    above = ["Trial Event", "16 players", "A great deck.", "", "Crypt (1 cards, min=4)", "2x Ant  5  OBF  Bee:6"]
    assert [role for role, _ in roles(*above)] == ["remark"] * 3 + ["blank", "heading", "card"]
    below = ["2x Ant", "Bee", "Crypt (1)", "1x Cat"]
    assert [role for role, _ in roles(*below)] == ["card", "card", "heading", "card"]


def test_description_ends_at_line_with_copies() -> None:
    found = roles("Description:", "It wins.", "4 Ant", "About", "Name Trial", "4 Bee")
    assert [role for role, _ in found] == ["heading", "remark", "card", "heading", "title", "remark"]


def test_sideboard_is_outside_the_deck_but_kinds_of_cards_are_in_it() -> None:
    assert [part_left_out(words) for words in ("", "agenda", "deck", "sideboard", "planes")] == [
        "",
        "",
        "",
        *PARTS_NOT_IN_DECK,
    ]


PARTS_NOT_IN_DECK = ["sideboard", "planes"]


@pytest.mark.parametrize(
    "part",
    [
        *(
            "a",
            "a ",
            "a-",
            "-",
            "|-",
            "[b]",
            "**",
            "a/",
            "(a",
            "[a](",
            "A1-",
            "•",
            "《",
            "a 5 abc ",
            "Total ",
            "=- ",
            "a. ",
        ),
    ],
)
def test_repetitive_line_is_read_in_linear_time(part: str) -> None:
    start = time.process_time()
    list(list_lines([(1, (part * 2000)[:2000])]))
    assert time.process_time() - start < 5
