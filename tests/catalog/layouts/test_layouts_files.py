"""Layout files: malicious and damaged ones are rejected, cards are packed, and layouts are found in folders."""

import os
import random
from pathlib import Path
from typing import Any

import pytest
from helpers.hypothesis_examples import EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_layouts import DRAGONS, LINE, TOP, made_up, words

from ccgrid.catalog.checked_file import LARGEST
from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import (
    all_layouts,
    find_layout,
    layout_files,
    load_layout,
    parse_layout,
    user_folders,
)
from ccgrid.catalog.packed import NO_NUMBER, NO_TEXT, pack
from ccgrid.catalog.sources import choose_layout


@pytest.mark.parametrize("text", [TOP + LINE + "when = { a = 1 \n", TOP + TOP + LINE])
def test_invalid_toml_is_reported_with_pythons_message(text: str) -> None:
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
def test_malicious_layout_is_rejected_in_one_short_line(text: str) -> None:
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
def test_damaged_layout_file_is_rejected_with_reason(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(CatalogError, match=words):
        load_layout(path)


def test_folder_or_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="directory"):
        load_layout(tmp_path)
    with pytest.raises(CatalogError, match=r"nothing\.toml: No such file"):
        load_layout(tmp_path / "nothing.toml")


def test_layout_file_with_byte_order_mark_and_windows_line_ends_is_read(tmp_path: Path) -> None:
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
def test_any_layout_file_is_read_or_an_error(lines: list[str], start: str) -> None:
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


# --- readings packed for the catalogue ----------------------------------------------------------------------------


TEXTS = (
    "",
    "0",
    "3",
    "7",
    "10",
    "12",
    "2/3",
    "+1",
    "A-4",
    "Draw 2 of 3",
    "none",
    ("2", "5"),
    ("Hero", "4"),
    "9".rjust(120),
)
FIELDS = ("level", "bonus", "code", "gold", "odds", "strength", "story", "width")


def row(rng: random.Random) -> dict[str, Any]:
    fields: dict[str, Any] = {name: rng.choice(TEXTS) for name in FIELDS if rng.random() < 0.7}
    kind = rng.choice(("Champion", "Hero", "Ally", "Realm", ("Realm", "Hero"), None))
    return fields if kind is None else {**fields, "kind": kind}


def test_packed_cards_equal_readings_in_any_order(dragons: Layout) -> None:
    rng, compiled, seen = random.Random(1), dragons.compiled(), set()
    for _ in range(120):
        fields = row(rng)
        packed = compiled.packed(fields)
        alone = made_up(DRAGONS, 'format = 1\nname = "Dragons"\nslash = "stats"').compiled().read(fields)
        assert packed == pack(compiled.read(fields)) == pack(alone)
        seen.add((packed[3] == NO_TEXT, packed[4] == NO_NUMBER, packed[5] == NO_NUMBER, packed[1] == "[]"))
    assert len(seen) > 8


def test_text_on_every_card_without_a_number_in_range_is_ignored() -> None:
    read = made_up('[[printed]]\ntext = "99"\nzone = "top"\n').compiled().read
    assert (read({}).zones, read({}).reason) == ({}, "no-number")


# --- folders of layouts -------------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a user's folder of layouts."""
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setenv("CCGRID_LAYOUTS", str(folder))
    return folder


def write_titled_layout(folder: Path, name: str, title: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.toml"
    path.write_text(f'{TOP}name = "{title}"\n{LINE}')
    return path


def test_user_folders_come_from_environment_or_user_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCGRID_LAYOUTS", os.pathsep.join(("~/one", "", "/two")))
    assert user_folders() == [Path.home() / "one", Path("/two")]
    monkeypatch.setenv("CCGRID_LAYOUTS", "")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    (folder,) = user_folders()
    assert folder.parts[-2:] == ("ccgrid", "layouts")


def test_layout_in_the_first_folder_comes_first_and_a_shipped_one_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    monkeypatch.setenv("CCGRID_LAYOUTS", os.pathsep.join(map(str, (tmp_path / "missing", first, second))))
    write_titled_layout(first, "wyvern", "First")
    write_titled_layout(second, "wyvern", "Second")
    write_titled_layout(second, "zz-own", "Own")
    (second / "notes.txt").write_text("no layout")
    found = layout_files()
    assert list(found) == sorted(found)
    assert (found["wyvern"], found["zz-own"], found["mtg"]) == (first / "wyvern.toml", second / "zz-own.toml", None)
    assert "notes" not in found
    assert "__init__.py" not in found
    assert (find_layout("wyvern").name, find_layout("zz-own").name) == ("First", "Own")
    assert find_layout("mtg").game == "mtg"
    assert find_layout("mtg") is find_layout("mtg")


@pytest.mark.parametrize("name", ["nothing", "../own/hidden", "", "mtg.toml"])
def test_unknown_layout_is_reported_with_all_names(own: Path, name: str) -> None:
    write_titled_layout(own, "hidden", "Hidden")
    with pytest.raises(NoSuchNameError) as caught:
        find_layout(name)
    assert str(caught.value) == f"No layout for the game {name!r}. There are layouts for: {', '.join(layout_files())}."
    assert "hidden" in layout_files()


def test_unreadable_own_layout_is_reported_and_others_are_returned(own: Path) -> None:
    (own / "zz-own.toml").write_text("game = ")
    layouts, wrong = all_layouts()
    assert len(layouts) == len(layout_files()) - 1
    assert [str(one).partition(":")[0] for one in wrong] == ["zz-own.toml"]


def test_path_is_a_file_and_name_is_a_layout_unless_such_a_file_exists(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_titled_layout(tmp_path, "mine", "Mine").rename(tmp_path / "plain")
    path = write_titled_layout(tmp_path, "mine", "Mine")
    for chosen in ("plain", "./plain", Path("plain"), "mine.toml", str(path), path):
        assert choose_layout(chosen).name == "Mine"
    for name in ("mtg", "magic", "Magic: The Gathering"):
        assert choose_layout(name).game == "mtg"
    for chosen in ("other.toml", "./mtg", Path("mtg")):
        with pytest.raises(CatalogError) as caught:
            choose_layout(chosen)
        assert str(caught.value) == f"{Path(chosen)}: No such file or directory."
    with pytest.raises(NoSuchNameError):
        choose_layout("other")


def test_layout_with_invalid_utf_8_is_reported_with_byte(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"ab\xff")
    with pytest.raises(CatalogError) as caught:
        load_layout(path)
    assert str(caught.value) == f"{path}: a layout must be UTF-8 text (byte 2)."


def test_layout_over_256_kib_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = f"{TOP}{LINE}#"
    path.write_text(text.ljust(256 << 10, "x"))
    assert load_layout(path).game == "made-up"
    path.write_text(text.ljust((256 << 10) + 1, "x"))
    with pytest.raises(CatalogError, match="at most 256 KiB"):
        load_layout(path)
