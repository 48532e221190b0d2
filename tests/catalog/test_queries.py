"""The query language: parsing, errors with their position, and SQL that agrees with a naive evaluation."""

import re
from pathlib import Path

import pytest
from helpers import naive_queries
from helpers.catalogues import write_rows
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ccgrid.catalog.description import Description
from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.imports.run import ImportRequest, import_bundled
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.queries import FIELDS, All, Comparison, Not, Query, QueryError, Some, Sort, Word, parse
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store import queries
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.descriptions import field_names
from ccgrid.catalog.store.imports import Provenance, import_rows
from ccgrid.catalog.store.queries import answer, query_readings
from ccgrid.catalog.zones import ZONES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "queries.md"
SCRYFALL = re.findall(
    r"^\| (`.*`[^|]*) \| (yes|missing|meaningless|other meaning) \|", PAGE.read_text("utf-8"), re.MULTILINE
)
"""The parts of Scryfall's syntax, and their support according to the page."""
EXAMPLES = re.findall(r"^\| `([^`]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
BOXES = ("Attic 2", "Shoebox", "")
NOT_BUNDLED = (
    *("is:signed", "tag:", "grade:", "price", "acquired", "added", "column:"),
    *("note:", "m10", "magic 2010", "number:146", "German", "promo", "barred", "reason:", "custom"),
)
"""Parts of queries that match no bundled card."""


READER = parse_layout('game = "units"\n[[printed]]\nfield = "n"\nzone = "top"\n', "units.toml").compiled()
UNITS = [
    Printing(
        "units:a/1",
        "Imp",
        {},
        artist="Rebecca Gray",
        description=Description(fields=(("house", "Dis"), ("level", "3"))),
    ),
    Printing("units:a/2", "Rock", {"n": "1"}),
]
DESCRIBED = [
    {
        **{
            "name": name,
            "set": "q",
            "collector_number": str(number),
            "type_line": kind,
            "mana_cost": cost,
            "cmc": value,
        },
        **{"colors": list(colours), "color_identity": list(colours), "rarity": "rare", "artist": "Rebecca Guayson"},
        **{"oracle_text": "Draw a card, or draws two cards.", "keywords": ["Flying"], "power": "3", "toughness": "2"},
    }
    for number, (name, kind, cost, value, colours) in enumerate(
        [
            ("Elf King", "Legendary Creature — Elf", "{2}{G}{G}", 4.0, "RG"),
            ("Small Elf", "Creature — Elf", "{W}{U}", 2.0, "WU"),
            ("Idea", "Instant", "{2}{U}{U}", 4.0, "U"),
        ]
    )
]
"""Cards for documented queries on printed properties that the bundled cards lack."""


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Store the bundled cards and some made-up ones; the user owns copies of three dragons."""
    database = tmp_path_factory.mktemp("queries") / "cards.db"
    with Store(database, create=True) as store:
        import_bundled(ImportRequest(find_source("starter")), store)
        import_bundled(ImportRequest(find_source("mtg"), write_rows(database.with_suffix(".jsonl"), DESCRIBED)), store)
        import_rows(store, UNITS, READER, Provenance("units", "", ""))
        dragons = answer(store, parse("dragon"), limit=3, forgiving=True).cards
        for copies, card in enumerate(dragons, 1):
            store.connection.execute("INSERT INTO changes (made, what, marks) VALUES ('', 'add', '{}')")
            store.connection.execute("INSERT OR IGNORE INTO boxes (name, folded) VALUES (?1, ?1)", (BOXES[copies - 1],))
            store.connection.execute(
                "INSERT INTO holdings (card_id, copies, finish, condition, language, box, row, slot, game, name,"
                " set_code, set_name, collector_number, ids)"
                " VALUES (?, ?, ?, 'near-mint', 'en', ?, '3', '12', ?, ?, ?, ?, ?, '')",
                (
                    *(
                        card.id,
                        copies,
                        ("foil", "etched", "normal")[copies - 1],
                        BOXES[copies - 1],
                    ),
                    *(card.game, card.name, card.set_code, card.set_name, card.collector_number),
                ),
            )
    return Store(database)


def field(name: str) -> object:
    return next(one for one in FIELDS if one.name == name)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("dragon", (Word("dragon"),)),
        ("half-elf Urza's", (Word("half-elf"), Word("Urza's"))),
        ('"dragon whelp"', (Word("dragon whelp"),)),
        ('!"Dragon Whelp"', (Comparison(field("name"), "=", "Dragon Whelp"),)),  # type: ignore[arg-type]
        ("-!Dragon", (Not(Comparison(field("name"), "=", "Dragon")),)),  # type: ignore[arg-type]
        ("Kaboom! Wham!", (Word("Kaboom!"), Word("Wham!"))),
        ("/^dr/", (Word("^dr", is_pattern=True),)),
        ("/a(b|c)d/", (Word("a(b|c)d", is_pattern=True),)),
        ("-dragon", (Not(Word("dragon")),)),
        ("a or b", (Some((Word("a"), Word("b"))),)),
        ("a and b", (Word("a"), Word("b"))),
        ("(a or b) c", (Some((Word("a"), Word("b"))), Word("c"))),
        ("-(a b)", (Not(All((Word("a"), Word("b")))),)),
        ("tl>=7", (Comparison(field("top-left"), ">=", 7),)),  # type: ignore[arg-type]
        ("own:>=2", (Comparison(field("own"), ">=", 2),)),  # type: ignore[arg-type]
        ("br>tl", (Comparison(field("bottom-right"), ">", "top-left", field("top-left")),)),  # type: ignore[arg-type]
        ("legal", (Comparison(field("is"), ":", "legal"),)),  # type: ignore[arg-type]
        ('"legal"', (Word("legal"),)),
        ("set:'Fallen (Empires'", (Comparison(field("set"), ":", "Fallen (Empires"),)),  # type: ignore[arg-type]
        ("name:'Tis", (Comparison(field("name"), ":", "'Tis"),)),  # type: ignore[arg-type]
        ("Jack 'n' Joe", tuple(map(Word, ("Jack", "'n'", "Joe")))),
        ("mtg:m10/146", (Comparison(field("id"), ":", "mtg:m10/146"),)),  # type: ignore[arg-type]
        ("Circle of Protection: Red", tuple(map(Word, ("Circle", "of", "Protection:", "Red")))),
        ("Fire // Ice", tuple(map(Word, ("Fire", "//", "Ice")))),
        ("", ()),
    ],
)
def test_query_in_scryfalls_syntax_is_parsed(text: str, parts: tuple[object, ...]) -> None:
    assert parse(text).parts == parts


def test_sort_order_is_parsed_with_other_parts() -> None:
    assert parse("dragon sort:-score sort:name").sorts == (Sort("score", True), Sort("name", False))


@pytest.mark.parametrize("text", ["dragon or elf sort:-mv", "sort:-mv dragon or elf", "dragon or sort:-mv or elf"])
def test_sort_order_next_to_or_is_not_a_condition(text: str) -> None:
    assert parse(text) == parse("(dragon or elf) sort:-mv")


@pytest.mark.parametrize(
    ("text", "why", "marked"),
    [
        ("tpo:3", "nearest are top, ", "[tpo]:3"),
        ("scroe>3", "nearest are score, ", "[scroe]>3"),
        ("zzz:3", "nearest are ", "[zzz]:3"),
        ("tl>x", "needs a whole number", "tl>[x]"),
        ("tl >= 7", "without spaces", "tl [>=] 7"),
        ("tl >=7", "without spaces", "tl [>=7]"),
        ("(dragon", "never closed", "[(]dragon"),
        ("dragon)", "never opened", "dragon[)]"),
        ('"dragon', "no end", '["dragon]'),
        ("dragon or", "missing at the end", "dragon or[]"),
        ("or dragon", "goes between two parts", "[or] dragon"),
        ("()", "cannot stand here", "([)]"),
        ("tl>=", "missing at the end", "tl>=[]"),
        ("is:grded", "the nearest are graded, ", "is:[grded]"),
        ("name:''", "needs a value", "name:['']"),
        ("dragon set:", "set needs a value: write set:m10", "[set:]"),
        ("t: elf", "type needs a value", "[t:]"),
        ("(name:'a b", "never closed", "[(]name:'a b"),
        ("sort:scor", "the nearest orders are score, set", "sort:[scor]"),
        ("(sort:name) a", "outside brackets", "([sort]:name) a"),
        ("name:/a(/", "not a regular expression", "name:[/a(/]"),
        ("game>mtg", "cannot be compared with < or >", "game>[mtg]"),
        ("date:1998-6", "year-month-day", "date:[1998-6]"),
        ("date>=1998-13-45", "year-month-day", "date>=[1998-13-45]"),
        ("date:1998-02-29", "year-month-day", "date:[1998-02-29]"),
        ("date:1998-00", "year-month-day", "date:[1998-00]"),
        ("score:/1/", "not text", "score:[/1/]"),
        ('o:"~ dies"', "~ does not stand for the card's name", 'o:["~ dies"]'),
        ("dragon sort: mv", "sort needs a value", "[sort:]"),
        ("/dragon", "cannot stand here", "[/]dragon"),
        ("/dragon/i", "cannot stand here", "[/]dragon/i"),
        ("o:/draw a", "cannot stand here", "o:[/]draw a"),
        ("year>98", "needs a whole number: write year<1998", "year>[98]"),
        ("r>=purple", "common, uncommon, rare", "r>=[purple]"),
        ("id:purple", "not colours", "id:[purple]"),
        ("devotion:{u/b}", "There is no field 'devotion'", "[devotion]:{u/b}"),
        ("(" * 60, "brackets are open", "("),
    ],
)
def test_invalid_query_is_explained_with_its_position(text: str, why: str, marked: str) -> None:
    with pytest.raises(QueryError) as refused:
        parse(text)
    message, here = str(refused.value).split("\n")
    assert why in message
    assert marked in here


@pytest.mark.parametrize("query", ["commander:ARN", "block:arn"])
def test_unknown_field_before_set_is_rejected(query: str, cards: Store) -> None:
    with pytest.raises(QueryError, match="There is no field"):
        next(query_readings(cards, query))


def test_query_over_2000_characters_is_rejected() -> None:
    with pytest.raises(CatalogError, match="characters"):
        parse("a" * 2001)


@pytest.mark.parametrize("example", EXAMPLES)
def test_documented_query_finds_bundled_cards(example: str, cards: Store) -> None:
    found = answer(cards, parse(example, lambda: set(field_names(cards.connection))))
    assert found.total == len(found.cards)
    assert found.cards or any(word in example for word in NOT_BUNDLED)


def test_every_field_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for one in FIELDS:
        assert any(re.search(rf"`[^`]*\b{name}[:=<>!][^`]*`", page) for name in (one.name, *one.aliases)), one.name


@pytest.mark.parametrize(
    ("query", "more"),
    [("own>=2", 2), ("own:3", 1), ("is:foil", 1), ("box:attic", 1), ("box:any", 2), ("cond:nm", 3), ("is:owned", 3)],
)
def test_query_finds_owned_copies(query: str, more: int, cards: Store) -> None:
    assert answer(cards, parse(query)).total == more


@pytest.mark.parametrize("title", ['"Magic: The Gathering"', "'Magic: The Gathering'", "magic"])
def test_title_of_a_game_finds_its_cards(title: str, cards: Store) -> None:
    found = answer(cards, parse(f"game:{title}")).total
    assert found == answer(cards, parse("game:mtg")).total > 0


def test_misspelt_word_is_accepted_on_request(cards: Store) -> None:
    name = answer(cards, parse("dragon")).cards[0].name
    misspelt = name.replace("Dragon", "Drgaon")
    assert not answer(cards, parse(f'"{misspelt}"')).cards
    assert name in {card.name for card in answer(cards, parse(misspelt), forgiving=True).cards}


def test_quoted_words_are_matched_in_order_and_exactly(cards: Store) -> None:
    found = answer(cards, parse('"black dragon"'), limit=20, forgiving=True).cards
    assert (
        {card.name for card in found}
        == {card.name for card in cards.all_cards() if "Black Dragon" in card.name}
        != set()
    )
    assert not answer(cards, parse('"dragon black"'), forgiving=True).cards


@pytest.mark.parametrize("query", ["cond:purple", "condition!=purple", "finish:purple", "lang:klingon", "lang:any"])
def test_unknown_condition_finish_or_language_is_rejected(query: str, cards: Store) -> None:
    with pytest.raises(NoSuchNameError, match=r"There is no (condition|finish|language) '\w+'\. There are: "):
        answer(cards, parse(query))


@pytest.mark.parametrize("query", ["game:purple", "-game:purple", "dragon or game=purple"])
def test_game_without_cards_is_rejected_with_the_games(query: str, cards: Store) -> None:
    with pytest.raises(NoSuchNameError, match=r"no cards of the game 'purple'\. It has: .*\bmtg\b") as refused:
        answer(cards, parse(query))
    assert "mtg" in refused.value.known
    assert "\n" not in str(refused.value)
    assert answer(cards, next(query_readings(cards, "Erg Raiders (purple)"))).total == 0


def test_query_finds_unusual_finish_stored_in_collection(cards: Store) -> None:
    with cards.connection:
        cards.connection.execute("UPDATE holdings SET finish = 'Sparkling'")
        assert answer(cards, parse("finish:sparkling")).total == answer(cards, parse("is:owned")).total > 0
        cards.connection.execute("UPDATE holdings SET finish = 'normal'")


def test_condition_narrows_results_of_misspelt_word(cards: Store) -> None:
    found = answer(cards, parse("drgaon tl:any"), forgiving=True).cards
    assert all("top-left" in card.zones for card in found)


def test_values_are_never_part_of_the_sql(cards: Store) -> None:
    for text in ('"\'); DROP TABLE cards; --"', 'box:"x\' OR 1=1"', "name:/'/", 'reason:"%_\\"', 'set:"\' --"'):
        answer(cards, parse(text))
    assert answer(cards, parse('"%"')).total == 0
    assert cards.stats().cards > 100


WORDS = st.sampled_from(["dragon", "of", "Ashen", "a", "knight"]).map(Word)
NOT_COMPARED = ("price", "mv")  # These belong to single copies or to no bundled card; other tests cover them.
NUMBERED = st.sampled_from([one for one in FIELDS if one.kind in ("number", "zone") and one.name not in NOT_COMPARED])
COMPARED = st.builds(
    lambda one, sign, value: Comparison(one, sign, value + 1990 if (one.name, type(value)) == ("year", int) else value),
    NUMBERED,
    st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
    st.integers(0, 30) | st.sampled_from(["none", "any"]),
).filter(
    lambda test: not (isinstance(test.value, str) and (test.operator not in ("=", "!=") or test.field.name == "own"))
)
OTHER = st.builds(
    lambda one, sign, other: Comparison(one, sign, other.name, other),
    NUMBERED,
    st.sampled_from(["=", "!=", "<", ">="]),
    NUMBERED,
)
FLAGS = st.sampled_from([Comparison(field("is"), ":", flag) for flag in ("legal", "barred", "owned")])  # type: ignore[arg-type]
FACES = st.builds(
    lambda sign, value: Comparison(field("face"), sign, value),
    st.sampled_from(["=", "!=", "<", ">"]),
    st.integers(0, 10),
)
PARTS = st.recursive(
    WORDS | COMPARED | OTHER | FLAGS | FACES,
    lambda parts: (
        st.builds(Not, parts)
        | st.lists(parts, min_size=2, max_size=3).map(lambda some: All(tuple(some)))
        | st.lists(parts, min_size=2, max_size=3).map(lambda some: Some(tuple(some)))
    ),
    max_leaves=6,
)


def written(part: object) -> str:
    """Return a part of a query as text."""
    if isinstance(part, Word):
        return f'"{part.text}"'
    if isinstance(part, Comparison):
        return f"{part.field.name}{part.operator}{part.value}"
    if isinstance(part, Not):
        return f"-{written(part.part)}"
    between = " " if isinstance(part, All) else " or "
    return f"({between.join(map(written, part.parts))})"  # type: ignore[attr-defined]


@given(part=PARTS, by=st.sampled_from([*ZONES, "score", "attack", "year", "own"]), is_falling=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_sql_agrees_with_naive_evaluation(part: object, by: str, *, is_falling: bool, cards: Store) -> None:
    query = parse(f"{written(part)} sort:{'-' if is_falling else ''}{by}")
    owned = dict(cards.connection.execute("SELECT card_id, sum(copies) FROM holdings GROUP BY card_id"))
    everything = list(cards.all_cards())[::7]
    wanted = {card.id for card in everything if naive_queries.answers(query, card, owned.get(card.id, 0))}
    whole, first = answer(cards, query), answer(cards, query, limit=20)
    found = {card.id for card in whole.cards}
    assert found & {card.id for card in everything} == wanted
    keys = [naive_queries.number(by, card, owned.get(card.id, 0)) for card in whole.cards]
    known = sorted((key for key in keys if key is not None), reverse=is_falling)
    assert keys == known + [None] * (len(keys) - len(known))
    assert (first.cards, first.total) == (whole.cards[:20], whole.total)


NAMES = st.text("aAbé'-. ßæİK光", min_size=1, max_size=5).filter(lambda name: not name.isspace())


@pytest.mark.parametrize("many", [0, 10_000], ids=["tested", "looked up"])
@given(names=st.lists(st.tuples(NAMES, st.none() | NAMES), min_size=1, max_size=6), wanted=NAMES, other=NAMES)
@example(names=[("a", None), ("b", None), ("K", "é")], wanted="a", other="e")
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_words_match_normalised_names_and_printed_names(
    names: list[tuple[str, str | None]], wanted: str, other: str, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "_MANY_NAMES", many)
    rows = [
        Printing(f"units:a/{number}", name, {}, "a", "A", str(number), None, "en", printed)
        for number, (name, printed) in enumerate(names)
    ]
    either = Some((Word(wanted), Word(other)))

    def holds(name: str | None, text: str, *, is_whole: bool = False) -> bool:
        form, inside = (fold(name or ""), fold(text)) if fold(text) else (name or "", text)
        return bool(name) and (form == inside if is_whole else inside in form)

    def has_word(name: str | None) -> bool:
        return holds(name, wanted)

    def has_either(name: str | None) -> bool:
        return holds(name, wanted) or holds(name, other)

    def is_named(name: str | None) -> bool:
        return holds(name, wanted, is_whole=True)

    with Store.in_memory() as store:
        import_rows(store, rows, READER, Provenance("units", "", ""))
        parts = ((Word(wanted), has_word), (either, has_either), (Comparison(field("name"), "=", wanted), is_named))
        for part, fits in parts:
            right = {row.id for row in rows if fits(row.name) or fits(row.printed_name)}
            every = {row.id for row in rows}
            assert {card.id for card in answer(store, Query((part,))).cards} == right
            assert {card.id for card in answer(store, Query((Not(part),))).cards} == every - right


@given(part=PARTS)
@settings(deadline=None)
def test_written_query_is_read_back(part: object) -> None:
    def plain(one: object) -> object:
        """Return a part with tuples as its parts, as the parser builds it."""
        if isinstance(one, Not):
            return Not(plain(one.part))  # type: ignore[arg-type]
        if isinstance(one, All | Some):
            return type(one)(tuple(plain(inner) for inner in one.parts))  # type: ignore[misc]
        return one

    query = parse(written(part)).parts
    assert (query[0] if len(query) == 1 else All(query)) == plain(part)


def test_corner_zones_have_short_names() -> None:
    assert {alias for one in FIELDS if one.name in ZONES for alias in one.aliases} >= {"tl", "tr", "bl", "br"}


@pytest.mark.parametrize(
    ("part", "is_known"),
    [
        (part, support in ("yes", "other meaning"))
        for parts, support in SCRYFALL
        for part in re.findall(r"`([^`]+)`", parts)
        if re.fullmatch(r"\w+:\w*|[a-z]{3,}", part)
    ],
)
def test_scryfall_fields_are_supported_as_documented(part: str, is_known: bool) -> None:
    tries = [part] if not part.endswith(":") else [f"{part}{value}" for value in ("3", "wu", "promo")]
    tries = [f"{one}>=2000" if ":" not in one else one for one in tries]
    assert any(map(_can_be_read, tries)) is is_known


SIGNS = {
    **{"c": "c:c", "m": "c:m", "<": "mv<3", "-": "-elf", "or": "elf or imp", '!"name"': '!"elf"'},
    **{"/regular expressions/": "/elf/", "~": 'o:"~ dies"'},
}
"""A query for each sign of Scryfall's syntax."""


@pytest.mark.parametrize(
    ("sign", "is_known"),
    [
        (sign, support == "yes")
        for parts, support in SCRYFALL
        for sign in re.findall(r"`([^`]+)`", parts)
        if not re.fullmatch(r"\w+:\w*|[a-z]{3,}", sign)
    ],
)
def test_scryfall_signs_are_supported_as_documented(sign: str, is_known: bool) -> None:
    is_name = _can_be_read(SIGNS[sign]) and all(
        isinstance(part, Word) and not part.is_pattern for part in parse(SIGNS[sign]).parts
    )
    assert (_can_be_read(SIGNS[sign]) and not is_name) is is_known


def _can_be_read(query: str) -> bool:
    try:
        parse(query, lambda: ("power", "toughness", "loyalty"))
    except QueryError:
        return False
    return True
