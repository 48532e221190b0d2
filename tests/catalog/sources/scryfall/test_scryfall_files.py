"""Every shape of Scryfall's files, and rows that are no cards."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from scryfall_rows import CARDS, READER, SHAPES, _stream, made_up, rows_of

from ccgrid.catalog.card import CatalogError, Printing, Unread
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.sources import scryfall

DRESSES: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda content: content,
    "gzipped": gzip.compress,
    "in two gzip members": lambda content: gzip.compress(content[:50], mtime=0) + gzip.compress(content[50:]),
    "with a byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "with Windows line ends": lambda content: content.replace(b"\n", b"\r\n"),
    "without a final line end": lambda content: content.rstrip(b"\n"),
    "with blank lines first": lambda content: b"\n \n" + content,
    "gzipped, with everything": lambda content: gzip.compress(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")),
}


# --- every shape of file ---


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_file_gives_the_same_cards(tmp_path: Path, shape: str, dress: str) -> None:
    path = tmp_path / ("cards.txt" if dress == "gzipped" else "cards.csv.gz")  # names may lie: what is inside decides
    path.write_bytes(DRESSES[dress](SHAPES[shape](CARDS).encode()))
    rows = rows_of(path)
    assert [row[1] for row in rows] == [card["name"] for card in CARDS]
    readings = [READER.read(row.fields) for row in rows if isinstance(row, Printing)]
    assert [found.score for found in readings] == [3 + 1 + 2, 2, 3 + 3, 1 + 4]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("dress", DRESSES)
def test_a_file_may_be_one_card(tmp_path: Path, dress: str, indent: int | None) -> None:
    path = tmp_path / "card.json"
    path.write_bytes(DRESSES[dress](json.dumps(CARDS[0], indent=indent).encode()))
    assert [row[1] for row in rows_of(path)] == [CARDS[0]["name"]]


@pytest.mark.parametrize("content", [b"[]", b"[\n]\n", b"[ \n\n ]", b'{"data":[]}', b'{"data": [\n]}\n'])
def test_a_list_may_be_empty(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(content)
    assert rows_of(path) == []


@pytest.mark.parametrize("indent", [None, 2])
def test_a_number_of_any_length_in_a_field_that_nobody_asks_for_does_no_harm(indent: int | None) -> None:
    content = json.dumps([made_up(big=1), made_up()], indent=indent).replace('"big": 1', f'"big": {"9" * 5000}')
    assert [type(row) for row in scryfall.read(_stream(content.encode()), "x")] == [Printing, Printing]


def test_rows_are_read_while_the_file_is(tmp_path: Path) -> None:
    for shape in ("JSON Lines", "array, a line each", "pretty array"):
        path = tmp_path / "cards.json"
        path.write_text(SHAPES[shape](CARDS * 3000), encoding="utf-8")
        with open_data(path) as stream:
            assert next(scryfall.read(stream, path.name))[1] == CARDS[0]["name"]
            assert stream.tell() < path.stat().st_size / 2


# --- rows that are no cards ---


BAD_ROWS: dict[str, str] = {
    "another kind of object": '{"object": "set", "name": "Grob"}',
    "no name": json.dumps({key: value for key, value in CARDS[0].items() if key != "name"}),
    "an empty name": json.dumps(made_up(name="")),
    "an empty number": json.dumps(made_up(collector_number="")),
    "a name of 2,000 letters": json.dumps(made_up(name="x" * 2000)),
    "a number of 2,000 letters": json.dumps(made_up(collector_number="x" * 2000)),
    "a number instead of a text": json.dumps(made_up(power=3)),
    "a text instead of a list": json.dumps(made_up(card_faces="x")),
    "a text instead of true": json.dumps(made_up(digital="yes")),
    "nothing instead of a name": json.dumps(made_up(name=None)),
    "a text": '"Grob"',
    "a number": "17",
    "a list": "[]",
    "nothing": "null",
    "a lone surrogate": json.dumps(made_up()).replace("Grob", "\\ud800"),
    "half a pair": json.dumps(made_up()).replace("Grob", "\\ud83d\\u0041"),
    "a NUL": json.dumps(made_up()).replace("Grob", "Gr\0b"),
    "a control character": json.dumps(made_up()).replace("Grob", "Gr\x1b[2Jb"),
}


@pytest.mark.parametrize("bad", BAD_ROWS)
@pytest.mark.parametrize("shape", ["JSON Lines", "array, a line each", "array in one line", "API list"])
def test_a_row_that_is_no_card_is_handed_on_with_its_place(bad: str, shape: str) -> None:
    good = json.dumps(CARDS[0])
    content, where = {
        "JSON Lines": (f"{good}\n\n{BAD_ROWS[bad]}\n{good}\n", "line 3"),
        "array, a line each": (f"[\n{good},\n{BAD_ROWS[bad]},\n{good}\n]", "line 3"),
        "array in one line": (f"[{good},{BAD_ROWS[bad]},{good}]", "value 2"),
        "API list": (f'{{"data":[{good},{BAD_ROWS[bad]},{good}]}}', "value 2"),
    }[shape]
    if shape == "API list" and ("NUL" in bad or "control" in bad or "lone" in bad or "half" in bad):
        with pytest.raises(CatalogError, match="damaged"):  # the document as a whole is no JSON
            list(scryfall.read(_stream(content.encode()), "x"))
        return
    first, second, third = scryfall.read(_stream(content.encode()), "x")
    assert isinstance(second, Unread)
    assert second.where == where
    assert second.why != ""
    assert first == third


@pytest.mark.parametrize("broken", ['{"name": }', '{"name": "x"', "x", '{"a":1}{"b":2}', "{'a': 1}", "\x07", "{]"])
def test_a_damaged_line_does_not_spoil_the_others(broken: str) -> None:
    good = json.dumps(CARDS[0])
    for content in (f"{good}\n{broken}\n{good}\n", f"[\n{good},\n{broken},\n{good}\n]\n"):
        rows = list(scryfall.read(_stream(content.encode()), "x"))
        assert [isinstance(row, Unread) for row in rows] == [False, True, False]
