"""Readers of JSON by rows and by paths, of text in any encoding, and of tables, with all their error messages."""

import gzip
import io
import random
from pathlib import Path
from typing import Any

import pytest
from helpers.error_messages import error_of
from inline_snapshot import snapshot

from ccgrid.catalog import read_limits
from ccgrid.catalog.readers import archives
from ccgrid.catalog.readers.archives import check_name, open_tree
from ccgrid.catalog.readers.json_paths import values_at, values_at_paths
from ccgrid.catalog.readers.json_rows import json_rows
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.readers.tables import TextTable, rows_as_dicts
from ccgrid.catalog.readers.text_lines import Survey, byte_lines, survey, text_lines, warn_about_survey


def rows(text: str | bytes) -> list[tuple[str, bytes]]:
    body = text if isinstance(text, bytes) else text.encode()
    return [(row.where, bytes(row.body).strip()) for row in json_rows(io.BytesIO(body), "a.json")]


# --- JSON, row by row -------------------------------------------------------------------------------------------------


TWO = [b'{"a":1}', b'{"b":2}']


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ('{"a":1}\n{"b":2}\n', ["line 1", "line 2"]),
        ('{"a":1}\n{"b":2}', ["line 1", "line 2"]),
        ('\n \n{"a":1}\n\n{"b":2}\n\n', ["line 3", "line 5"]),
        ('\ufeff{"a":1}\n{"b":2}\n', ["line 1", "line 2"]),
        ('[\n{"a":1},\n{"b":2}\n]\n', ["line 2", "line 3"]),
        ('[{"a":1},\n{"b":2}]', ["line 1", "line 2"]),
        ('[\n{"a":1},\n\n{"b":2}\n]', ["line 2", "line 4"]),
        ('[ {"a":1} , {"b":2} ]', None),
        ('[{"a":1},{"b":2}]', None),
        ('{"data": [{"a":1}, {"b":2}], "more": 1}', None),
        ('{"data": [{"a":1}, {"b":2}], "more": 1}\n', None),
        ('{\n"data": [{"a":1},\n{"b":2}]\n}', None),
    ],
)
def test_json_values_are_read_from_every_form_of_file(text: str, places: list[str] | None) -> None:
    found = rows(text.replace(" , ", " , "))
    assert [body.replace(b" ", b"") for _, body in found] == TWO
    assert [where for where, _ in found] == (places or ["value 1", "value 2"])


def test_single_object_is_one_value() -> None:
    assert rows('{\n"a": 1\n}') == [("the file", b'{\n"a": 1\n}')]
    assert rows('{"data": 1}\n') == [("line 1", b'{"data": 1}')]


def test_damaged_row_is_yielded_unchanged() -> None:
    assert rows('{"a":1}\n{nope\n{"b":2}\n')[1] == ("line 2", b"{nope")
    assert rows('[\n{"a":1},\n{nope,\n{"b":2}\n]')[1] == ("line 3", b"{nope")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", snapshot("a.json: the file is empty.")),
        ("\n \n", snapshot("a.json: the file is empty.")),
        ("<html>", snapshot("a.json: this is a web page or XML, not JSON. Download the data file itself.")),
        ("Name,Set and much more", snapshot("a.json: not a JSON file (it begins with 'Name,Set and much mo').")),
        ('{"a":1}\n{"b":', snapshot("a.json: the file ends in the middle of line 2. Download it again.")),
        (
            '[\n{"a":1},\n{"b":2},\n',
            snapshot("a.json: the file ends before its list does, in line 3. Download it again."),
        ),
        ('[\n{"a":1}\n] more', snapshot("a.json: the file ends before its list does, in line 3. Download it again.")),
        ('[\n{"a":1}\n]\nmore', snapshot("a.json: there is more after the end of the list. Is it the right file?")),
        ('[{"a":1}]\nmore', snapshot("a.json: there is more after the end of the list. Is it the right file?")),
        ("[1, 2] more", snapshot("a.json: there is more after the end of the list. Is it the right file?")),
        ("[1, " + "[" * 100_000, snapshot("a.json: value 2 is nested too deeply to be a card.")),
        (b"[1, '\xff']", snapshot("a.json: not UTF-8, which JSON requires. Is it the right file?")),
    ],
)
def test_file_that_is_not_json_is_an_error(text: str | bytes, words: str) -> None:
    assert error_of(lambda: rows(text)) == words


def test_truncated_json_is_reported_with_the_position() -> None:
    assert error_of(lambda: rows("[1, 2, ")).startswith("a.json: the JSON is damaged or incomplete after 2 values (")
    assert error_of(lambda: rows("[nope")).startswith("a.json: the JSON is damaged or incomplete at its beginning (")
    assert error_of(lambda: rows("[nope")).endswith("). Download it again.")
    assert error_of(lambda: rows('{\n"a": ')).startswith("a.json: the file is damaged or incomplete (")


def test_too_long_rows_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccgrid.catalog.readers.json_rows.LONGEST_ROW", 1 << 20)
    monkeypatch.setattr("ccgrid.catalog.readers.json_rows.LARGEST_DOCUMENT", 2 << 20)
    long = '{"a": "' + "x" * (1 << 20) + '"}'
    assert error_of(lambda: rows(f"{{}}\n{long}\n")) == "a.json: line 2 is over 1 MiB long. Is it the right file?"
    assert error_of(lambda: rows(f"[1, {long[:-2]}")) == (
        "a.json: value 2 is damaged, or over 1 MiB long. Is it the right file?"
    )
    assert error_of(lambda: rows(f"{{\n{long[1:]}")) == "a.json: one JSON object of over 1 MiB. Is it the right file?"
    assert error_of(lambda: rows("{\n" + " " * (2 << 20))) == (
        "a.json: one JSON object of over 2 MiB. Is it the right file?"
    )


def test_file_is_opened_and_decompressed_or_an_error(tmp_path: Path) -> None:
    def content(path: Path) -> bytes:
        with open_data(path) as stream:
            return stream.read()

    plain, packed, cut, bad = (tmp_path / name for name in ("a", "b", "c", "d"))
    plain.write_bytes(b"text")
    packed.write_bytes(gzip.compress(b"text" * 1000))
    cut.write_bytes(packed.read_bytes()[:-6])
    bad.write_bytes(packed.read_bytes()[:12] + b"\xff" * 20)
    assert (content(plain), content(packed)) == (b"text", b"text" * 1000)
    assert error_of(lambda: content(cut)) == "c: the gzip file ends too early. Download it again."
    assert error_of(lambda: content(bad)).startswith("d: the gzip file is damaged (")
    assert error_of(lambda: content(tmp_path)) == f"{tmp_path}: this is a folder; name the file in it."
    assert error_of(lambda: content(tmp_path / "no")) == f"{tmp_path / 'no'}: No such file or directory."
    (tmp_path / "empty").write_bytes(b"")
    assert error_of(lambda: content(tmp_path / "empty")) == "empty: the file is empty."


def test_gzip_bomb_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_limits, "ALWAYS_UNPACKED", 1 << 20)
    path = tmp_path / "a.gz"

    def size(unpacked: int) -> int:
        path.write_bytes(gzip.compress(bytes(unpacked)))
        with open_data(path) as stream:
            return len(stream.read())

    assert size(1 << 20) == 1 << 20
    words = "a.gz: stopped, it unpacks to far more than card data. Is it the right file?"
    assert error_of(lambda: size(16 << 20)) == words
    noise = random.Random(1).randbytes(3 << 20)
    path.write_bytes(gzip.compress(noise))
    with open_data(path) as stream:
        assert stream.read() == noise
    monkeypatch.setattr(read_limits, "LARGEST_UNPACKED", 2 << 20)
    with open_data(path) as stream:
        assert error_of(stream.read) == words


def test_deeply_nested_object_is_reported() -> None:
    assert error_of(lambda: rows('{\n"a": ' + "[" * 200_000)) == "a.json: nested too deeply to be card data."


# --- JSON, by paths ---------------------------------------------------------------------------------------------------


DOCUMENT = (
    '{"meta": {"a": [1]}, "data": {"dsk": {"cards": [{"n": 1}, 2]}, "old": {"cards": ["x"]}, "nil": 5}, "z": [3]}'
)


def at(path: str, text: str = DOCUMENT) -> list[tuple[str, str, bytes]]:
    return list(values_at(io.BytesIO(text.encode()), "a.json", path))


def test_values_of_a_list_or_an_object_are_found_by_path() -> None:
    assert at("z") == [("value 1", "", b"3")]
    assert at("data.dsk.cards") == [("value 1", "", b'{"n": 1}'), ("value 2", "", b"2")]
    assert at("data.*.cards") == [("value 1", "", b'{"n": 1}'), ("value 2", "", b"2"), ("value 1", "", b'"x"')]
    assert [(where, key) for where, key, _ in at("data")] == [
        ("entry 'dsk'", "dsk"),
        ("entry 'old'", "old"),
        ("entry 'nil'", "nil"),
    ]
    assert at("any.where", "[1, 2]") == [("value 1", "", b"1"), ("value 2", "", b"2")]
    assert at("z", '{"z": []}') == []


def test_several_paths_are_followed_in_one_pass() -> None:
    found = list(values_at_paths(io.BytesIO(DOCUMENT.encode()), "a.json", ["meta", "data.*.cards.*", "none"]))
    assert found == [
        (("meta",), b'{"a": [1]}'),
        (("data", "dsk", "cards", ""), b'{"n": 1}'),
        (("data", "dsk", "cards", ""), b"2"),
        (("data", "old", "cards", ""), b'"x"'),
    ]


def test_path_without_a_value_is_reported() -> None:
    words = "a.json: it has no list at 'data.none', where the layout looks for cards (rows)."
    assert error_of(lambda: at("data.none")) == words
    assert error_of(lambda: at("data.nil")) == words.replace("none", "nil")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", snapshot("the file ends too early. Download it again.")),
        ('{"z"', snapshot("the file ends too early. Download it again.")),
        ('{"a": [1, {"b": "', snapshot("the file ends too early. Download it again.")),
        ('{"a": [1, {', snapshot("the file ends too early. Download it again.")),
        ('{"z": [1', snapshot("the file ends too early. Download it again.")),
        ('{"z": [1 2]}', snapshot("not JSON: '2' found where one of , ] should.")),
        ('{"z" [1]}', snapshot("not JSON: '[' found where one of : should.")),
        ('{"a": 1; "z": [1]}', snapshot("not JSON: ';' found where one of , } should.")),
        ("{z: [1]}", snapshot("not JSON: 'z' stands where a key should.")),
        ('{"z": [' + "[" * 100_000, snapshot("nested too deeply to be card data.")),
    ],
)
def test_document_that_is_not_json_is_reported_with_the_unexpected_character(text: str, words: str) -> None:
    assert error_of(lambda: at("z", text)).removeprefix("a.json: ") == words


def test_truncated_or_badly_encoded_document_is_reported() -> None:
    assert error_of(lambda: at("z", '{"z": [nope]}')).startswith("a.json: the JSON is damaged or incomplete (")
    bad = io.BytesIO(b'{"z": ["\xff"]}')
    words = "a.json: not UTF-8, which JSON requires; is it the right file?"
    assert error_of(lambda: list(values_at(bad, "a.json", "z"))) == words


def test_longest_value_is_read_and_a_longer_one_reported() -> None:
    def read(count: int, longest: int) -> int:
        body = b'{"a": "' + b"y" * 100 + b'", "z": ["' + b"x" * count + b'"]}'
        return len(next(values_at(io.BytesIO(body), "a.json", "z", longest))[2])

    assert read(8, 10) == 10
    assert error_of(lambda: read(9, 10)) == "a.json: a value of over 0 MiB; is it the right file?"
    words = "a.json: a value of over 1 MiB, or damaged; is it the right file?"
    assert error_of(lambda: read(6 << 20, 1 << 20)) == words


def test_characters_and_numbers_split_between_chunks_are_read_completely() -> None:
    assert at("z", '{"z": ["\\ud800", 12345, -1.5e3, true, null]}') == [
        ("value 1", "", b'"\\ud800"'),
        ("value 2", "", b"12345"),
        ("value 3", "", b"-1.5e3"),
        ("value 4", "", b"true"),
        ("value 5", "", b"null"),
    ]
    slow = io.BufferedReader(_Drop(b'{"a": {"b": "}]"}, "z": [12345, "x\\"y"]}'))
    assert [body for *_, body in values_at(slow, "a.json", "z")] == [b"12345", b'"x\\"y"']


class _Drop(io.RawIOBase):
    """A stream that returns one byte at a time."""

    def __init__(self, body: bytes) -> None:
        self.body = io.BytesIO(body)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self.body.read(1)
        buffer[: len(found)] = found
        return len(found)


# --- texts and tables -------------------------------------------------------------------------------------------------


def read_lines(body: bytes) -> tuple[str, list[str], list[str]]:
    """Return the encoding, the lines, and the warnings."""
    remarks: list[str] = []
    found = survey(io.BytesIO(body), "a.txt")
    warn_about_survey(found, "a.txt", remarks.append)
    return found.encoding, list(text_lines(io.BytesIO(body), found, "a.txt")), remarks


def test_lines_end_at_any_line_break() -> None:
    assert list(byte_lines(io.BytesIO(b"a\nb\r\nc\rd\n\ne"), "a.txt")) == [b"a", b"b", b"c", b"d", b"", b"e"]
    assert list(byte_lines(io.BytesIO(b""), "a.txt")) == []


def test_text_is_read_in_its_encoding_and_a_guess_is_reported() -> None:
    assert read_lines("a\nü\n".encode()) == ("utf-8", ["a", "ü"], [])
    assert read_lines(b"\xef\xbb\xbfa\n\xef\xbb\xbfb") == ("utf-8", ["a", "\ufeffb"], [])
    assert read_lines("a\nü\n".encode("utf-16")) == ("utf-16", ["a", "ü"], [])
    text = "Áine’s Dûsk – déjà vu, naïve café"
    encoding, found, remarks = read_lines(f"{text}\nplain\nü".encode("cp1252"))
    assert (encoding, found) == ("cp1252", [text, "plain", "ü"])
    assert remarks == ["a.txt: 2 lines are not UTF-8; read as Windows-1252."]
    assert read_lines(f"{text}\nplain".encode("cp1252"))[2] == ["a.txt: 1 line is not UTF-8; read as Windows-1252."]


def test_file_that_is_not_text_is_an_error() -> None:
    words = "a.txt: this is not text (line 2 has a zero byte). Is it the right file?"
    assert error_of(lambda: read_lines(b"abcd\nb\0\n")) == words
    wide = error_of(lambda: read_lines(b"\xff\xfea"))
    assert wide.startswith("a.txt: starts as UTF-16 but is not (")
    assert wide.endswith("). Is it the right file?")


def table(text: str, **more: Any) -> tuple[list[str], list[Any], list[str], str]:
    """Return the header, the rows, the warnings, and the delimiter."""
    remarks: list[str] = []
    body = text.encode()
    found = TextTable(io.BytesIO(body), survey(io.BytesIO(body), "a.csv"), "a.csv", remarks.append, **more)
    return found.header, [tuple(row) for row in found], remarks, found.delimiter


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_separator_is_detected(mark: str) -> None:
    header, found, remarks, delimiter = table(f"Name{mark}Set\nAnt{mark} dsk \n")
    assert (header, found, remarks, delimiter) == (["Name", "Set"], [(2, ["Ant", "dsk"])], [], mark)


def test_first_line_can_name_the_separator() -> None:
    assert table("sep=;\nName;Set,Two\nAnt;a,b\n")[:2] == (["Name", "Set,Two"], [(3, ["Ant", "a,b"])])
    assert table('"sep=|"\nName|Set\nAnt|a\n')[3] == "|"
    assert table("Separation,Set\nAnt,a\n")[0] == ["Separation", "Set"]


def test_quoted_cells_may_contain_separators_quotation_marks_and_line_breaks() -> None:
    text = 'Name,Set\n"Ant, the ""Quick""",dsk\n"two\nlines",old\nBee,x\n'
    found = [(2, ['Ant, the "Quick"', "dsk"]), (3, ["two\nlines", "old"]), (5, ["Bee", "x"])]
    assert table(text)[1] == found
    assert table('Name\tSet\n5" Ant\tdsk\n"Bee" x\told\n')[1] == [(2, ['5" Ant', "dsk"]), (3, ['"Bee" x', "old"])]


def test_detection_ignores_separators_in_quotation_marks() -> None:
    assert table('"Name, or what, it is";Set\n"";dsk\nAnt;old\n')[:2] == (
        ["Name, or what, it is", "Set"],
        [(2, ["", "dsk"]), (3, ["Ant", "old"])],
    )
    assert table('Name\tSet\n"Ant\n\tdsk\nBee\told\n')[1][-1] == (4, ["Bee", "old"])


def test_empty_rows_and_repeated_headings_are_skipped() -> None:
    header, found, remarks, _ = table("Name,Set,Name,,\n,,\nName,Set,Name\nAnt,a,b,,\nBee,a,b,c,d,e\nCow\n")
    assert header == ["Name", "Set", "Name #2"]
    assert remarks == ["a.csv: two columns are called 'Name'; the second is read as 'Name #2'."]
    assert found[-2:] == [("line 5", "6 cells under 5 headings"), (6, ["Cow"])]
    assert (4, ["Ant", "a", "b"]) in found


def test_unclosed_quotation_mark_is_reported() -> None:
    _, found, remarks, _ = table('Name,Set\n"Ant",a\n"Bee,b\nCow,c\n' + '"Dog, x",d\n' * 9)
    assert [row[1][0] for row in found[:3]] == ["Ant", '"Bee', "Cow"]
    assert remarks == ["a.csv, line 3: a quotation mark is not closed; such lines are read literally."]


def test_mostly_stray_quotation_marks_are_read_literally_with_a_warning() -> None:
    _, found, remarks, _ = table('Name,Set\n"Ant",a\n"Bee,b\nCow,c\n')
    assert [row[1][0] for row in found] == ['"Ant"', '"Bee', "Cow"]
    assert remarks == ["a.csv: some quotation marks are not closed; they are read literally."]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\n ,, \n", snapshot("a.csv: the file is empty.")),
        ("<html>\n", snapshot("a.csv: this is a web page or XML, not a table. Download the data file itself.")),
        ("a," * 10_000, snapshot("a.csv: over 1000 columns. Is it the right file?")),
    ],
)
def test_file_that_is_not_a_table_is_an_error(text: str, words: str) -> None:
    assert error_of(lambda: table(text)) == words


def test_rows_become_mappings_with_their_position() -> None:
    body = b"Name,Set\nAnt\nBee,b,c\n"
    found = TextTable(io.BytesIO(body), survey(io.BytesIO(body), "a"), "a", lambda remark: None)
    first, second = rows_as_dicts(found.header, found)
    assert first == ("line 2", {"Name": "Ant"})
    assert tuple(second) == ("line 3", "3 cells under 2 headings")


# --- names in archives ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["../a", "a/../../b", "/a", "C:\\a", "a\\..\\..\\b", ".."])
def test_name_that_leads_out_of_the_folder_is_reported(name: str) -> None:
    words = f"list: {name!r} leads out of its folder; nothing was read."
    assert error_of(lambda: check_name(name, "list")) == words


def test_folder_with_too_many_files_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 2)
    for number in range(2):
        (tmp_path / f"{number}.txt").write_bytes(b"x")
    with open_tree(tmp_path) as tree:
        assert list(tree.names) == ["0.txt", "1.txt"]
    (tmp_path / "2.txt").write_bytes(b"x")

    def open_folder() -> None:
        with open_tree(tmp_path):
            pass

    assert error_of(open_folder) == f"{tmp_path}: over 2 files. Is it the right folder?"


# --- detection of encodings -----------------------------------------------------------------------------------------


NAMES = (
    "Lim-Dûl’s Vault\nDéjà Vu\nJuzám Djinn\nSéance\nBösium Strip\nDandân\nGhazbán Ogre\nIfh-Bíff Efreet\nKhabál Ghoul\n"
)
FRENCH = "Éclair de feu\nForêt enchantée\nDragon à l’œuvre\nGarçon\nÎle\nNoël\n"
QUOTES = "It’s this dragon’s lair, and you can’t play “Fear” here.\nEach opponent’s turn…\n"


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman"])
@pytest.mark.parametrize(
    "text", [NAMES, FRENCH, QUOTES, QUOTES * 40, "Séance\n", "Æther Vial\nJötun Grunt\n", "can’t\n"]
)
def test_western_text_is_windows_1252_or_mac_roman(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "text", ["½ cost\n¼ of it\n", "½ cost\n" * 30, "• Flying • “Fear” — ½ … Élan’s\n", "character‘s\n"]
)
def test_fractions_and_marks_are_windows_1252(text: str) -> None:
    assert decode(text.encode("cp1252")) == text


TABLES = {
    "euro": "Anzahl;Name;Sprache;Preis\n1;Drache;Französisch;2,30 €\n2;Königin;Englisch;1,00 €\n",
    "prices": "Count;Name;Price\n1;Séance;€ 0.50\n" + "1;Negate;€ 0.50\n" * 30,
    "one price": "Count;Name;Price\n1;Negate;0.50 €\n",
    "heading": "Stückzahl;Name;Preis in €\n1;Negate;0,50\n",
    "capitals": "ANZAHL;NAME;SPRACHE;PREIS\n1;JÄGER;FRANZÖSISCH;3 €\n",
    "pounds": "Count;Name;Price\n1;Jötun Grunt;£1.20\n1;Negate;£0.10\n",
    "quotation marks": "Anzahl;Name;Notiz\n1;Drache;„alt“ – geprüft, groß\n",
    "dashes": "Count;Name;Note\n1;Negate;from 2010 – 2012\n1;Negate;Wizards™ promo\n",
    "French": "Nombre;Nom;État;Prix\n4;Éclair;Très bon;1\xa0200,50\xa0€\n1;Garçon « spécial »;Neuf;2 €\n",
    "Spanish": "Cantidad;Nombre;Idioma;Precio\n4;Dragón;1ª edición, español;3,20 €\n1;¡Ñandú!;Inglés;1,00 €\n" * 20,
    "one letter": "Count;Name\n1;Jötun Grunt\n",
}


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman"])
@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_western_tables_are_windows_1252_or_mac_roman(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("copies", [1, 10])
@pytest.mark.parametrize(
    "text",
    [
        "Ilość;Nazwa;Język;Cena\n4;Błyskawica;Angielski;0,50 €\n1;Żółty smok;Włoski;1,20 €\n",
        "Počet;Název;Jazyk;Cena\n1;Žlutý drak;Čeština;3 €\n2;Příliš žluťoučký kůň;Němčina;4 €\n",
    ],
)
def test_eastern_tables_with_prices_are_windows_1250(text: str, copies: int) -> None:
    assert decode(text.encode("cp1250") * copies) == text * copies


@pytest.mark.parametrize(
    ("text", "encoding", "output"),
    [
        ("Молния\nДракон огня\nЧёрный лотос\n", "cp1251", "Windows-1251"),
        ("Błyskawica\nŻółty smok\nCień jaźni\nŁódź\nŚwięty miecz\nGęś i wąż\nTrójgłowy\n", "cp1250", "Windows-1250"),
        ("稲妻\n黒き蓮\nドラゴンの火\n", "shift_jis", "Shift JIS"),
        ("闪电击\n黑色莲花\n巨龙\n", "gb18030", "GB 18030"),
        ("閃電擊\n黑色蓮花\n", "big5", "Big5"),
        ("번개\n검은 연꽃\n용\n", "euc_kr", "EUC-KR"),
    ],
)
def test_other_alphabets_are_distinguished(text: str, encoding: str, output: str) -> None:
    content = ("Name\tCost\n" + text).encode(encoding)
    assert decode(content) == "Name\tCost\n" + text
    remarks: list[str] = []
    warn_about_survey(survey(io.BytesIO(content), "a.txt"), "a.txt", remarks.append)
    lines = text.count("\n")
    assert remarks == [f"a.txt: {lines} lines are not UTF-8; read as {output}."]


def test_undefined_bytes_do_not_end_the_file() -> None:
    look = survey(io.BytesIO("Éclair\n".encode("cp1252")), "a.txt")
    lines = list(text_lines(io.BytesIO(b"\xc9clair\n\x81t\xe9\n"), look, "a.txt"))
    assert lines == ["Éclair", "\x81té"]
    assert list(text_lines(io.BytesIO(b"\x88\xee\xff\n"), Survey("shift_jis"), "a.txt")) == ["稲�"]


@pytest.mark.parametrize(
    ("plugin", "words"),
    [
        ("LorcanaTCG/sets/carddata.txt", "They can‘t quest"),
        ("MapleStory/sets/carddata.txt", "he or she can’t play"),
        ("Spellfire/sets/carddata.txt", "um campeão"),
        ("pottertradingcardgame/carddata.txt", "your opponent’s"),
    ],
)
def test_real_plugins_are_read_in_their_encoding(shared_data: Path, plugin: str, words: str) -> None:
    content = (shared_data / "lackey" / plugin).read_bytes()
    assert any(words in line for line in decode(content).split("\n"))


def decode(content: bytes) -> str:
    """Return the lines of a file as they are read, each with its end."""
    look = survey(io.BytesIO(content), "a.txt")
    return "".join(f"{line}\n" for line in text_lines(io.BytesIO(content), look, "a.txt"))
