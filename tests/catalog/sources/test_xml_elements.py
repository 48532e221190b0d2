"""XML files of cards, from Cockatrice and Hearthstone: valid, damaged and malicious ones."""

import io
import tracemalloc
from pathlib import Path

import pytest
from helpers.catalogues import Shell

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.layouts.layout_file import find_layout, parse_layout
from ccgrid.catalog.printing import Printing, UnreadRow
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.readers.xml_elements import Elements
from ccgrid.catalog.sources import cockatrice, find_source

MTG = find_layout("mtg")
READER = MTG.compiled()
CARD = """<card><name>Brass Herald</name><text>Draw 2 cards.</text>
<prop><type>Creature — Herald</type><maintype>Creature</maintype><manacost>3W</manacost><pt>2/*</pt><cmc>4</cmc></prop>
<set rarity="common" uuid="0e9ad288-d164-44a6-96ec-4185a1587f1a" num="7" muid="1">DSK</set><tablerow>2</tablerow></card>
"""
SETS = """<sets><set><name>DSK</name><longname>Dusk</longname><releasedate>2020-02-02</releasedate></set>
<set><name>EVE</name><longname>Eve</longname><releasedate>2005-05-05</releasedate></set></sets>"""


def database(cards: str = CARD, sets: str = SETS, version: str = "4") -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<cockatrice_carddatabase version="{version}">{sets}<cards>{cards}</cards></cockatrice_carddatabase>\n'
    )


def read(path: Path, text: str | bytes) -> list[Printing | UnreadRow]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with open_tree(path) as tree:
        return list(cockatrice.read_tree(tree, MTG, lambda sentence: None))


def single_card(path: Path, text: str | bytes) -> Printing:
    (row,) = read(path, text)
    assert isinstance(row, Printing)
    return row


# --- valid files -------------------------------------------------------------------------------------------------


def test_second_face_of_an_adventure_is_face(tmp_path: Path) -> None:
    card = """<card><name>Brave Elf // Ember Blast</name><text>Draw 3 cards.

---

Ember Blast deals 4 damage.</text><prop><layout>adventure</layout><type>Creature — Elf // Instant — Adventure</type>
<manacost>3RR // 1R</manacost><pt>5/*</pt></prop><set num="7">DSK</set></card>"""
    row = single_card(tmp_path / "cards.xml", database(card))
    reading = READER.read(row.fields)
    assert row.name == "Brave Elf // Ember Blast"
    assert reading.zones == {"top-right": [3], "bottom-right": [5], "bottom-left": [7]}
    assert (reading.face, reading.reason) == ([3, 1, 4], None)


def test_magic_card_has_the_id_and_numbers_of_scryfall(tmp_path: Path) -> None:
    row = single_card(tmp_path / "cards.xml", database())
    assert (row.id, row.name, row.set_name, row.released) == ("mtg:dsk/7", "Brass Herald", "Dusk", "2020-02-02")
    reading = READER.read(row.fields)
    assert reading.zones == {"top-right": [3], "bottom-right": [2], "bottom-left": [7]}
    assert (reading.face, reading.attack, reading.defense) == ([2], 2, None)
    assert row.ids == "scryfall:0e9ad288-d164-44a6-96ec-4185a1587f1a"


@pytest.mark.parametrize(
    ("elements", "colours"),
    [
        ("", ()),
        ("<colors></colors>", ()),
        ("<colors>WU</colors>", ("White", "Blue")),
        ("<color>W</color><color>U</color>", ("White", "Blue")),
    ],
)
def test_magic_card_without_colours_is_colourless(tmp_path: Path, elements: str, colours: tuple[str, ...]) -> None:
    card = CARD.replace("<cmc>", f"{elements}<cmc>")
    assert single_card(tmp_path / "cards.xml", database(card)).description.colours == colours


def test_card_has_a_printing_for_each_of_its_sets(tmp_path: Path) -> None:
    twice = CARD.replace("<tablerow>", '<set num="9">EVE</set><tablerow>')
    rows = [row for row in read(tmp_path / "cards.xml", database(twice)) if isinstance(row, Printing)]
    assert [row.id for row in rows] == ["mtg:dsk/7", "mtg:eve/9"]
    # The position depends on the frame: since 2014 the number is at the left, before in the middle.
    assert [set(READER.read(row.fields).zones) for row in rows] == [
        {"top-right", "bottom-right", "bottom-left"},
        {"top-right", "bottom-right", "bottom"},
    ]


@pytest.mark.parametrize(
    "card",
    [
        CARD.replace("<cmc>", "<side>back</side><cmc>"),
        CARD.replace('num="7"', 'num="7" picURL="https://cards.example/normal/back/d/a.jpg"'),
    ],
)
def test_back_of_a_card_is_omitted(tmp_path: Path, card: str) -> None:
    (row,) = read(tmp_path / "cards.xml", database(card))
    assert isinstance(row, UnreadRow)


def test_file_in_its_stated_encoding_is_read(tmp_path: Path) -> None:
    text = database(CARD.replace("Herald<", "Hérald<")).replace("UTF-8", "ISO-8859-1").replace("—", "-")
    assert single_card(tmp_path / "cards.xml", text.encode("latin-1")).name == "Brass Hérald"


GAME = """
game = "build"
[columns]
collector_number = "num"
[[printed]]
field = "cmc"
zone = "top-left"
[[printed]]
field = "collector_number"
zone = "bottom"
read = "collector"
part = "last"
"""


def test_another_game_is_read_by_its_layout(tmp_path: Path) -> None:
    (tmp_path / "build.toml").write_text(GAME, encoding="utf-8")
    (tmp_path / "cards.xml").write_text(database(CARD.replace('num="7"', 'num="A-SP-07"')), encoding="utf-8")
    order = ImportRequest(find_source("cockatrice"), tmp_path / "cards.xml", layout=tmp_path / "build.toml")
    summary = import_source(order, tmp_path / "catalogue.db")
    assert (summary.source, summary.read, summary.legal) == ("cockatrice:build", 1, 1)


def test_cards_of_another_game_are_not_read_as_magic(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "cockatrice" / "build-divide-cockatrice" / "cards.xml"
    with pytest.raises(CatalogError, match="not Magic cards"):
        import_source(ImportRequest(find_source("cockatrice"), path), tmp_path / "catalogue.db")
    assert not (tmp_path / "catalogue.db").exists()


def test_real_file_with_an_unclosed_element_is_read_and_reported(shared_data: Path) -> None:
    path = shared_data / "cockatrice" / "build-divide-cockatrice" / "cards.xml"
    output: list[str] = []
    with open_tree(path) as tree:
        rows = list(cockatrice.read_tree(tree, parse_layout(GAME, "build.toml"), output.append))
    assert len(rows) == 223  # Some of the 220 cards are in several sets.
    assert all(isinstance(row, Printing) for row in rows)
    assert len({row.name for row in rows if isinstance(row, Printing)}) == 220
    assert [sentence for sentence in output if "not well-formed XML (mismatched tag, line 3699)" in sentence]


# --- damaged files -----------------------------------------------------------------------------------------------


def test_unclosed_card_ends_at_the_next_card(tmp_path: Path) -> None:
    open_card = CARD.replace("</card>", "").replace('num="7"', 'num="6"')
    rows = read(tmp_path / "cards.xml", database(open_card + CARD))
    assert [row.id for row in rows if isinstance(row, Printing)] == ["mtg:dsk/6", "mtg:dsk/7"]


def test_file_truncated_at_any_byte_is_an_error(tmp_path: Path) -> None:
    whole = database(CARD + CARD).strip().encode()
    for end in range(0, len(whole) - 1, 5):
        with pytest.raises(CatalogError):
            read(tmp_path / "cards.xml", whole[:end])


@pytest.mark.parametrize("where", ["</name>", "</prop>", "<type>"])
def test_damage_before_the_last_card_is_an_error(tmp_path: Path, where: str) -> None:
    with pytest.raises(CatalogError, match="damaged XML"):
        read(tmp_path / "cards.xml", database(CARD.replace(where, "<<", 1) + CARD))


@pytest.mark.parametrize(
    "text",
    {
        "another document": "<deck><card/></deck>",
        "a web page": "<html><body>Sign in</body></html>",
        "an older version": database(version="2"),
        "no XML": "Name\tSet\n",
        "an encoding that nobody knows": database().replace("UTF-8", "EBCDIC-99"),
        "bytes that are no UTF-8": database().encode().replace(b"Brass", b"Br\xe1ss"),
    }.items(),
    ids=lambda case: case[0],
)
def test_file_of_another_kind_is_an_error(tmp_path: Path, text: tuple[str, str | bytes]) -> None:
    with pytest.raises(CatalogError):
        read(tmp_path / "cards.xml", text[1])


def test_card_without_name_is_reported(tmp_path: Path) -> None:
    nameless = CARD.replace("Brass Herald", " ")
    rows = read(tmp_path / "cards.xml", database(nameless + CARD))
    assert [type(row) for row in rows] == [UnreadRow, Printing]


# --- malicious files ---------------------------------------------------------------------------------------------

BOMB = '<!DOCTYPE c [<!ENTITY a "lol">' + "".join(
    f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(10)
)


@pytest.mark.parametrize(
    "head",
    {
        "an entity bomb": f"{BOMB}]>",
        "an external entity": '<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        "an external subset": '<!DOCTYPE c SYSTEM "http://127.0.0.1:9/evil.dtd">',
    }.items(),
    ids=lambda case: case[0],
)
@pytest.mark.parametrize("source", ["cockatrice", "hearthstone"])
def test_entity_is_an_error_before_it_is_expanded(tmp_path: Path, head: tuple[str, str], source: str) -> None:
    body = database(CARD.replace("Draw", "&k; &x; Draw")) if source == "cockatrice" else "<CardDefs>&x;</CardDefs>"
    text = head[1] + body.partition("?>\n")[2] if source == "cockatrice" else head[1] + body
    path = tmp_path / "CardDefs.xml"
    path.write_text(f'<?xml version="1.0"?>\n{text}', encoding="utf-8")
    with pytest.raises(CatalogError, match="XML entity"):
        import_source(ImportRequest(find_source(source), path), tmp_path / "catalogue.db")


OLD = """<card><name>Coin</name><set muId="G5" num="7">TOK</set><manacost>0</manacost><type>Spell</type>
<text>Gain 1.</text><pt>2/3</pt><tablerow>3</tablerow></card>"""


def test_database_of_another_game_is_read_with_a_new_layout(shell: Shell) -> None:
    home = shell.folder / "db"
    home.mkdir()
    purse = OLD.replace("Coin", "Purse").replace("7", "8")
    (home / "cards.xml").write_text(database(OLD + purse, version="3"), encoding="utf-8")
    (home / "tokens.xml").touch()
    layout = shell.folder / "coins.toml"
    shell("import", "cockatrice", home / "cards.xml").fails("not Magic cards", "ccgrid layout new cards.xml")
    shell.good("layout", "new", home, "--game", "coins", "--at", "manacost=tl", "--at", "pt=none", "-o", layout)
    output = shell.good("import", "cockatrice", home, "--layout", layout, "--json").json
    assert (output["source"], output["read"], output["skipped"]) == ("cockatrice:coins", 2, 0)
    assert output["remarks"] == ["tokens.xml: skipped, because it is empty."]
    shown = shell.card("Coin")
    assert (shown["id"], shown["zones"], shown["face"]) == ("coins:tok/7", {"top-left": 0}, [])
    assert shell.card("Purse")["id"] == "coins:tok/8"


def test_older_format_of_magic_cards_gives_the_same_card(tmp_path: Path) -> None:
    old = CARD.replace("<prop>", "").replace("</prop>", "")
    row = single_card(tmp_path / "cards.xml", database(old, version="3"))
    assert row == single_card(tmp_path / "new.xml", database())


@pytest.mark.parametrize("head", ["<!DOCTYPE c>", '<!DOCTYPE c SYSTEM "http://127.0.0.1:9/c.dtd">'])
def test_file_with_document_type_without_entities_is_read(tmp_path: Path, head: str) -> None:
    text = database(CARD.replace("Draw 2", "Draw &lt;2&gt;")).replace("?>\n", f"?>\n{head}\n")
    assert single_card(tmp_path / "cards.xml", text).name == "Brass Herald"


@pytest.mark.parametrize(
    "text",
    {
        "deep": "<card>" + "<a>" * 100_000,
        "one huge text": "<card><name>" + "x" * 20_000_000,
        "one huge comment": "<card/><!--" + "x" * 20_000_000,
        "one huge attribute": '<card name="' + "x" * 20_000_000,
        "many elements": "<card>" + "<a/>" * 1_000_000,
    }.items(),
    ids=lambda case: case[0],
)
def test_xml_that_would_exhaust_memory_is_an_error(text: tuple[str, str]) -> None:
    stream = io.BytesIO(f"<r>{text[1]}".encode())
    tracemalloc.start()
    with pytest.raises(CatalogError):
        list(Elements(stream, "f", "r", frozenset({"card"})))
    assert tracemalloc.get_traced_memory()[1] < 40_000_000
    tracemalloc.stop()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file() -> None:
    peaks = []
    for count in (600, 6_000):
        stream = io.BytesIO(database(CARD * count).encode())
        tracemalloc.start()
        found = sum(1 for _ in Elements(stream, "f", "cockatrice_carddatabase", frozenset({"card"})))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert found == count
    assert peaks[1] < 2 * peaks[0]


def test_file_that_is_not_xml_is_not_called_damaged() -> None:
    with pytest.raises(CatalogError, match=r"cards.csv: not XML \(syntax error, line 1\)"):
        list(Elements(io.BytesIO(b"Name,Cost\nAnn,3\n"), "cards.csv", "cards", frozenset({"card"})))
