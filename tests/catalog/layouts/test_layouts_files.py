"""Layout files: hostile ones, damaged ones, any text."""

from pathlib import Path

import pytest
from helpers.hypothesis_examples import EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_layouts import LINE, TOP, words

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.layouts.layout_file import LARGEST, load_layout, parse_layout


@pytest.mark.parametrize("text", [TOP + LINE + "when = { a = 1 \n", TOP + TOP + LINE])
def test_what_is_not_toml_is_told_in_the_words_of_pythons_reader(text: str) -> None:
    with pytest.raises(CatalogError, match=r"^mine\.toml: the file is not TOML: .+ \(at line \d+, column \d+\)\.$"):
        parse_layout(text, "mine.toml")


@pytest.mark.parametrize(
    "text",
    [
        "\0",
        "[" * 100_000,
        "a = " + "[" * 100_000,
        "a = " + "{ b = " * 30_000,
        ".".join("a" * 100_000) + " = 1",
        f"[{'.'.join('a' * 100_000)}]",
        "\n".join(f"k{i}{'.a' * 40} = 1" for i in range(2500)),
        "a = " + "1" * 5000,
        f"format = 0x{'f' * 9000}\n" + TOP + LINE,
        TOP + LINE + f"ignore = [0x{'f' * 9000}]",
        TOP + LINE + f"when = {{ a = 0x{'f' * 9000} }}",
        TOP + LINE + "when = [" + "{ a = 1 }," * 2000 + "]",
        "format.a.a.a.a.a.a.a = 1\n" + TOP + LINE,
        '"a\\u001b[2J\\nb" = 1\n' + TOP + LINE,
        f'"{"k" * 9000}" = 1\n' + TOP + LINE,
        f'slash = "{"s" * 100_000}"\n' + TOP + LINE,
        "x = 2024-13-45",
        '"' * 100_000,
        "x" * (LARGEST + 1),
        TOP + LINE * 2000,
    ],
)
def test_a_hostile_layout_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_layout(text, "mine.toml")
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "game is missing"),
        (b"\x00\x01\x02", "is not TOML"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "UTF-8"),
        ('name = "Königreich"\n'.encode("latin-1"), "UTF-8"),
        (b"#" * (2 << 20), "at most 256 KiB"),
        ("ä".encode() * (1 << 20), "at most 256 KiB"),
        (b"a = " + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_damaged_layout_file_gets_one_clear_message(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(CatalogError, match=words):
        load_layout(path)


def test_a_folder_or_a_missing_file_is_no_layout(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="directory"):
        load_layout(tmp_path)
    with pytest.raises(CatalogError, match=r"nothing\.toml: No such file"):
        load_layout(tmp_path / "nothing.toml")


def test_a_layout_file_may_begin_with_a_byte_order_mark_and_have_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + (TOP + LINE).replace("\n", "\r\n").encode())
    assert load_layout(path).compiled().read({"might": "5"}).zones == {"top": [5]}


KEYS = ("format", "game", "name", "slash", "printed", "barred", "stats", "field", "zone", "read", "part", "ignore")
MORE_KEYS = ("when", "unless", "confidence", "note", "reason", "attack", "has", "from", "present", "a", "{a}", "é b")
keys = st.sampled_from([*KEYS, *MORE_KEYS]).map(lambda key: key if key.isidentifier() and key.isascii() else f'"{key}"')
leaves = (
    words.map(lambda word: f'"{word}"')
    | st.sampled_from(["true", "false", "nan", "-inf", "1998-06-15", "07:32:00", "1e400", "[]", "{}", "''"])
    | st.integers().map(str)
    | st.floats().map(repr)
)
toml_values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(keys, inner, max_size=3).map(
            lambda table: "{ " + ", ".join(f"{key} = {value}" for key, value in table.items()) + " }"
        )
    ),
    max_leaves=6,
)
pairs = st.tuples(keys, toml_values).map(" = ".join)
headings = st.sampled_from(["[[printed]]", "[[barred]]", "[stats]", "[printed.when]", "[a.b]", TOP + LINE, "# x"])


@settings(max_examples=6 * EXAMPLES)
@given(lines=st.lists(pairs | headings, max_size=12), start=st.sampled_from(["", TOP, TOP + LINE]))
def test_whatever_a_layout_file_says_it_is_read_or_refused(lines: list[str], start: str) -> None:
    message = "read"
    try:
        layout = parse_layout(start + "\n".join(lines), "mine.toml")
        layout.compiled().read({"might": "3", "a": "x", "field": ("1", "2"), "zone": True})
    except CatalogError as error:
        message = str(error)
    assert len(message.splitlines()) == 1


@given(text=st.text())
def test_any_text_is_a_layout_or_an_error(text: str) -> None:
    with pytest.raises(CatalogError):
        parse_layout(text, "mine.toml")
