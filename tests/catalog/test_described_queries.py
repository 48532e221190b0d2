"""Queries on printed properties: type, rarity, colours, cost, keywords, text, artist and fields of a game."""

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from ccgrid.catalog.description import COLOURS, Description
from ccgrid.catalog.errors import NoSuchNameError
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.queries import FIELDS, QueryError, parse
from ccgrid.catalog.store import queries
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.different_values import different_values
from ccgrid.catalog.store.imports import Provenance, import_rows
from ccgrid.catalog.store.queries import answer, cards_where, holdings_where, query_readings

READER = parse_layout('game = "ants"\n[[printed]]\nfield = "n"\nzone = "top"\n', "ants.toml").compiled()
CARDS: dict[str, tuple[str, str, Description]] = {
    "Elf": (
        *("common", "Rebecca Gray"),
        Description(
            *("Creature — Elf", "{G}", 1, ("Green",), ("Green",), ("Reach",)),
            (("power", "1"), ("toughness", "3")),
            "Reach\n{T}: Add {G}.",
        ),
    ),
    "King": (
        *("mythic", "Ann Ames"),
        Description(
            *("Legendary Creature — Elf Noble", "{2}{G}{G}", 4, ("Green",), ("White", "Green"), ()),
            (("power", "10"), ("toughness", "5")),
            "Whenever an elf dies, draw a card. It gets +1/+1.",
        ),
    ),
    "Bolt": (
        *("uncommon", "Ann Ames"),
        Description("Instant", "{R}", 1, ("Red",), ("Red",), (), (), "It deals 3 damage. Drawing is not allowed."),
    ),
    "Clash": ("rare", "", Description("Sorcery", "{1}{R/W}{G/P}", 3, ("White", "Red"), ("White", "Red"), ("Scry",))),
    "Golem": ("Common-3", "", Description("Artifact Creature — Golem", "{5}", 5, (), (), (), (("power", "*"),), "")),
    "Imp": (
        "R",
        "",
        Description(
            "Unit", "12P", None, None, None, ("Demon", "Imp"), (("house", "Dis"), ("level", "3"), ("score", "40"))
        ),
    ),
    "Ogre": ("", "", Description("Unit", "3", 3, ("Dark Green",), None, (), (("house", "Brobnar"), ("level", "12")))),
    "Stone": ("", "", Description()),
}
ALL_NAMES = set(CARDS)


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with Store.in_memory() as store:
        rows = [
            Printing(
                f"ants:a/{number}",
                name,
                {"n": str(number)},
                "a",
                "Ants",
                str(number),
                "2001-02-03",
                "en",
                None,
                "",
                *described,
            )
            for number, (name, described) in enumerate(CARDS.items())
        ]
        import_rows(store, rows, READER, Provenance("ants", "", ""))
        yield store


@pytest.mark.parametrize(
    "text",
    [
        "t:unit",
        "-t:unit",
        "r:rare",
        "-r:rare",
        "r>=rare",
        "t:unit or r:rare",
        "id:wr",
        "mv>top",
        "power>=top or level<mv",
        "o:/d.aw/",
        "game:ants",
        "-t:unit or mv=top",
        "sort:name -t:unit",
        "sort:-name sort:mv",
        "sort:mv",
        "sort:-mv -r:rare",
        "sort:type t:any",
        "sort:-type sort:-top",
        "sort:-rarity sort:mv",
        "sort:top",
        "sort:-date",
        "sort:set mv>=1",
        "sort:-number",
        "sort:-own",
        "sort:price",
        "sort:level",
        "sort:-level sort:-house t:any",
    ],
)
def test_limited_answer_has_first_cards_of_complete_answer(
    store: Store, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (query,) = query_readings(store, text)
    whole = answer(store, query)
    assert whole.total == len(whole.cards) > 0
    for few, early in ((1000, 4), (0, 0), (0, 1)):
        monkeypatch.setattr(queries, "_FEW", few)
        monkeypatch.setattr(queries, "_FEW_DESCRIPTIONS", few)
        monkeypatch.setattr(queries, "_EARLY", early)
        for limit in (1, 3, 20):
            first = answer(store, query, ["ants"], limit=limit)
            assert (first.cards, first.total) == (whole.cards[:limit], whole.total)


def test_cards_without_location_are_sorted_by_id(store: Store) -> None:
    for sort, is_reversed in (("sort:place", False), ("sort:-place", True)):
        ids = [card.id for card in answer(store, parse(sort), limit=20).cards]
        assert ids == sorted(ids, reverse=is_reversed) != []


@pytest.mark.parametrize("columns", [("game",), ("game", "set_code"), ("game", "set_code", "set_name")])
def test_different_values_are_found_without_reading_every_card(store: Store, columns: tuple[str, ...]) -> None:
    listed = ", ".join(columns)
    query = f"SELECT DISTINCT {listed} FROM cards WHERE {columns[-1]} IS NOT NULL ORDER BY {listed}"
    every = store.connection.execute(query).fetchall()
    plan = store.connection.execute(f"EXPLAIN QUERY PLAN {different_values(*columns)}").fetchall()
    assert store.connection.execute(different_values(*columns)).fetchall() == every != []
    assert not [step for *_, step in plan if step.startswith("SCAN cards")]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("ba.*zz", "a Bar\nzzz"),
        ("ba.*ks|^i.*z", "a Barks"),
        ("ba.*ks|^i.*z", "a Barz"),
        ("k.*s", "\u212aILo\u017f"),
        ("kilo?s+", "\u212aILo\u017f"),
        ("^a_c%$", "A_C%"),
        ("a??b", "xb"),
        ("x|b", "ab"),
        ("(x|ba)r$", "a Bar"),
        (r"\d+ of [a-c]?", "12 of x"),
        (r"(a(b))c", "ABC"),
        (r"\(a|b\)", "b)"),
        ("ı", "ı"),
        ("^a b", "A Bar"),
        ("^bar", "a Bar"),
        ("ba.*r$", "a Bar"),
        ("ba$", "a Bar"),
        ("ar$", "a Bar\n"),
        ("^a$|r$", "a Bar"),
        ("$", "a Bar"),
        ("^bar|a", "a Bar"),
        ("x|^b", "a Bar"),
        ("bar", "a BAR"),
        ("a|", "b"),
        ("b(a|o)r", "a BOR"),
        ("(x|b)(i|a)r$", "a Bar"),
        ("(ab|cd)?r", "bar"),
        ("x|(a|b)c", "x"),
        (r"\(a|b", "a"),
        (r"b\(a|c\)", "bc"),
        ("[(a|b)]x", "|x"),
        ("(a|b|)c(x|y)", "cy"),
        ("(k|x)s", "\u212a\u017f"),
    ],
)
def test_sql_pattern_matches_like_python_regular_expression(store: Store, pattern: str, text: str) -> None:
    answer(store, parse("dragon"))  # This registers the functions that the SQL calls.
    test, values = queries.fits("said", pattern)
    (is_found,) = store.connection.execute(f"SELECT {test} FROM (SELECT ? AS said)", [*values, text]).fetchone()
    assert bool(is_found) is (re.search(pattern, text, re.IGNORECASE) is not None)


def found_names(store: Store, text: str) -> set[str]:
    for query in query_readings(store, text):
        if cards := answer(store, query).cards:
            return {card.name for card in cards}
    return set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("t:elf", {"Elf", "King"}),
        ("type:creature t:golem", {"Golem"}),
        ('t:"legendary creature"', {"King"}),
        ("-t:creature", {"Bolt", "Clash", "Imp", "Ogre", "Stone"}),
        ("type=Unit", {"Imp", "Ogre"}),
        ("type!=unit", ALL_NAMES - {"Imp", "Ogre"}),
        ("t:/^(inst|sorc)/", {"Bolt", "Clash"}),
        ("t:any", ALL_NAMES - {"Stone"}),
        ("t:none", {"Stone"}),
        ("t!=none", ALL_NAMES - {"Stone"}),
        ("t:3", {"Clash"}),
        ("t>=6", {"Ogre", "Stone"}),
        ("top:3", {"Clash"}),
        ("r:common", {"Elf", "Golem"}),
        ("r:rare", {"Clash", "Imp"}),
        ("r=rare", {"Clash"}),
        ("r:c", {"Elf", "Golem"}),
        ("rarity>=rare", {"King", "Clash", "Imp"}),
        ("r<uncommon", {"Elf"}),
        ("r!=rare", ALL_NAMES - {"Clash"}),
        ("r:none", {"Ogre", "Stone"}),
        ("r:3", set()),
        ("mv:1", {"Elf", "Bolt"}),
        ("mv>=4", {"King", "Golem"}),
        ("cmc<3", {"Elf", "Bolt"}),
        ("mv:odd", {"Elf", "Bolt", "Clash", "Golem", "Ogre"}),
        ("manavalue:even", {"King"}),
        ("mv:none", {"Imp", "Stone"}),
        ("mv=t", {"Clash"}),
        ("mv>top", {"Elf", "King", "Golem"}),
        ("m:g", {"Elf", "King"}),
        ("m:{G}{G}", {"King"}),
        ("m:2gg", {"King"}),
        ("m=g", {"Elf"}),
        ("cost:12p", {"Imp"}),
        ("cost:3", {"Ogre"}),
        ("cost>=4", {"King", "Golem"}),
        ("cost:none", {"Stone"}),
        ("a:ames", {"King", "Bolt"}),
        ('artist:"rebecca gray"', {"Elf"}),
        ("artist:/^ann/", {"King", "Bolt"}),
        ("kw:reach", {"Elf"}),
        ("keyword:imp", {"Imp"}),
        ("kw:scr", set()),
        ('o:"draw a card"', {"King"}),
        ("o:draw", {"King", "Bolt"}),
        ('o:"a card draw"', set()),
        ('o:"{T}: add"', {"Elf"}),
        ('o:"+1/+1"', {"King"}),
        ("o:/deals \\d damage/", {"Bolt"}),
        ("-o:draw t:creature", {"Elf", "Golem"}),
        ("text:none", {"Clash", "Golem", "Imp", "Ogre", "Stone"}),
        ("house:dis", {"Imp"}),
        ("house:none", ALL_NAMES - {"Imp", "Ogre"}),
        ("house!=dis", ALL_NAMES - {"Imp"}),
        ("house:/^b/", {"Ogre"}),
        ("level>=4", {"Ogre"}),
        ("level:3", {"Imp"}),
        ("score:40", {"Imp"}),
        ("score>=40", {"Imp"}),
        ("score>=5", {"Imp", "Ogre", "Stone"}),
        ("-score:40", ALL_NAMES - {"Imp"}),
        ("level<score", {"Imp"}),
        ("score>level", {"Imp"}),
        ("score:none", set()),
        ("score:any", ALL_NAMES),
        ("pow>=2", {"King"}),
        ("pow>tou", {"King"}),
        ("toughness>power", {"Elf"}),
        ("mv<power", {"King"}),
        ("pow=mv", {"Elf"}),
        ("power:cmc", {"Elf"}),
        ("pow=tou", set()),
        ("is:permanent", {"Elf", "King", "Golem"}),
        ("not:permanent t:any", {"Bolt", "Clash", "Imp", "Ogre"}),
        ("is:historic", {"King", "Golem"}),
        ("is:vanilla", {"Golem"}),
        ("is:hybrid", {"Clash"}),
        ("is:multicolor", {"Clash"}),
        ("is:colorless", {"Golem"}),
        ("own<mv", ALL_NAMES - {"Imp", "Stone"}),
        ("mv<=own", set()),
        ("-mv>own", {"Imp", "Stone"}),
        ("power>own", {"Elf", "King"}),
        ("year:2001 t:elf or house:dis", {"Elf", "King", "Imp"}),
    ],
)
def test_query_finds_cards_by_printed_properties(store: Store, text: str, names: set[str]) -> None:
    assert found_names(store, text) == names


SETS = [tuple(some) for count in range(4) for some in combinations(COLOURS.values(), count)]


@pytest.fixture(scope="module")
def colours() -> Iterator[Store]:
    """Store a card for each set of up to three colours, named by its letters, and one with unknown colours."""
    with Store.in_memory() as store:
        named = [("".join(name[0] for name in some) or "-", Description(colours=some, identity=some)) for some in SETS]
        rows = [
            Printing(f"ants:a/{number}", f"x{name}", {"n": "1"}, description=described)
            for number, (name, described) in enumerate([*named, ("unknown", Description(type="x"))])
        ]
        import_rows(store, rows, READER, Provenance("ants", "", ""))
        yield store


@pytest.mark.parametrize("sign", [":", "=", "!=", "<", "<=", ">", ">="])
@pytest.mark.parametrize("field", ["c", "id"])
@pytest.mark.parametrize("wanted", ["r", "wu", "gruul", "red", "bug"])
def test_colours_are_compared_as_sets(colours: Store, field: str, sign: str, wanted: str) -> None:
    letters = {"r": "r", "wu": "wu", "gruul": "rg", "red": "r", "bug": "bug"}[wanted]
    names = {COLOURS[letter] for letter in letters}
    ask = {
        **{"=": names.__eq__, "!=": names.__ne__, "<": names.__gt__, "<=": names.__ge__, ">": names.__lt__},
        **{">=": names.__le__, ":": names.__ge__ if field == "id" else names.__le__},
    }[sign]
    expected = {some for some in SETS if ask(set(some))}
    cards = answer(colours, next(query_readings(colours, f"{field}{sign}{wanted}"))).cards
    known = [int(card.id.rpartition("/")[2]) for card in cards]
    assert {SETS[number] for number in known if number < len(SETS)} == expected
    assert (len(SETS) in known) == (sign == "!="), "unknown colours are no colours"


@pytest.mark.parametrize(
    ("text", "count"), [("c:c", 1), ("c:0", 1), ("c:2", 10), ("c>=2", 20), ("c:m", 20), ("c:none", 2)]
)
def test_colours_are_counted(colours: Store, text: str, count: int) -> None:
    expected = 1 if text == "c:none" else count
    assert len(answer(colours, next(query_readings(colours, text))).cards) == expected


@pytest.mark.parametrize("text", ["c:xyz", "-c:xyz", "color=xyz", "t:elf or (c>=rgx c:dark)"])
def test_unknown_colour_is_rejected_with_the_known_ones(store: Store, text: str) -> None:
    with pytest.raises(NoSuchNameError, match=r"There is no colour '\w+'\. There are: White, .*, Dark Green\.$"):
        answer(store, next(query_readings(store, text)))


def test_colour_of_another_game_is_known_if_a_card_has_it(store: Store) -> None:
    assert found_names(store, 'c:"DARK green"') == {"Ogre"}


def test_zone_letter_means_zone_only_before_number_or_zone(store: Store) -> None:
    assert found_names(store, "t:1") == {"King"}
    assert found_names(store, "t>l") == found_names(store, "r>l") == set()
    assert found_names(store, "r>=r") == found_names(store, "r>=rare") != set()
    with pytest.raises(QueryError, match="type cannot be compared with < or >"):
        found_names(store, "t>=elf")


@pytest.mark.parametrize(
    ("text", "near"),
    [("hous:dis", "house"), ("colr:red", "color"), ("rarety:rare", "rarity"), ("tpo:3", "top"), ("levl>3", "level")],
)
def test_unknown_field_names_the_three_nearest_ones(store: Store, text: str, near: str) -> None:
    with pytest.raises(QueryError) as caught:
        found_names(store, text)
    message = str(caught.value).split("\n")[0]
    named = message.partition("nearest are ")[2].partition(".")[0].split(", ")
    assert near in named
    assert len(named) == 3
    assert set(named) <= {*(one.name for one in FIELDS), "sort", "house", "level", "power", "score", "toughness"}


def test_same_language_selects_cards_and_owned_copies(store: Store) -> None:
    assert [card.name for card in store.all_cards(only=cards_where(store, "t:elf r>=rare"))] == ["King"]
    query = next(query_readings(store, "house:dis", owned=True))
    store.connection.execute("SAVEPOINT owned")
    columns = "card_id, name, copies, finish, condition, language, box, row, slot, game, set_code, set_name"
    for card in store.cards(["ants:a/5", "ants:a/0"]):
        store.connection.execute(
            f"INSERT INTO holdings ({columns}, collector_number, ids)"
            " VALUES (?, ?, 1, 'normal', '', 'en', '', '', '', 'ants', 'a', '', '', '')",
            (card.id, card.name),
        )
    where, values = holdings_where(store.connection, query)
    names = store.connection.execute(f"SELECT name FROM holdings {where}", values).fetchall()
    store.connection.execute("ROLLBACK TO owned")
    assert names == [("Imp",)]


def test_sort_orders_by_mana_value_and_rarity(store: Store) -> None:
    names = [card.name for card in answer(store, next(query_readings(store, "t:any sort:-mv"))).cards]
    assert names[:2] == ["Golem", "King"]
    rarities = [card.name for card in answer(store, next(query_readings(store, "r:any sort:-rarity"))).cards]
    assert rarities[0] == "King"


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("level", ["Imp", "Ogre"]),
        ("-level", ["Ogre", "Imp"]),
        ("house", ["Ogre", "Imp"]),
        ("-pow", ["Golem", "King", "Elf"]),
    ],
)
def test_sort_orders_by_field_of_a_game(store: Store, order: str, first: list[str]) -> None:
    cards = answer(store, next(query_readings(store, f"type:any sort:{order}"))).cards
    assert [card.name for card in cards][: len(first)] == first
