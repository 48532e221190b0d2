"""Where layouts are found: in people's own folders before what ships, or by a path; what is said where none is."""

import os
from pathlib import Path

import pytest
from made_up_layouts import LINE, TOP

from ccgrid.catalog.card import CatalogError, UnknownNameError
from ccgrid.catalog.layouts.layout_file import (
    all_layouts,
    choose_layout,
    find_layout,
    layout_files,
    load_layout,
    user_folders,
)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody's folder of layouts."""
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setenv("CCGRID_LAYOUTS", str(folder))
    return folder


def put(folder: Path, name: str, title: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.toml"
    path.write_text(f'{TOP}name = "{title}"\n{LINE}')
    return path


def test_own_folders_are_those_that_are_named_else_one_among_the_users_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCGRID_LAYOUTS", os.pathsep.join(("~/one", "", "/two")))
    assert user_folders() == [Path.home() / "one", Path("/two")]
    monkeypatch.setenv("CCGRID_LAYOUTS", "")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    (folder,) = user_folders()
    assert folder.parts[-2:] == ("ccgrid", "layouts")


def test_of_layouts_of_one_name_that_of_the_first_folder_counts_and_a_shipped_one_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    monkeypatch.setenv("CCGRID_LAYOUTS", os.pathsep.join(map(str, (tmp_path / "missing", first, second))))
    put(first, "wyvern", "First")
    put(second, "wyvern", "Second")
    put(second, "zz-own", "Own")
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
def test_a_name_that_no_layout_has_is_told_with_those_there_are(own: Path, name: str) -> None:
    put(own, "hidden", "Hidden")
    with pytest.raises(UnknownNameError) as caught:
        find_layout(name)
    assert str(caught.value) == f"No layout for the game {name!r}. There are layouts for: {', '.join(layout_files())}."
    assert "hidden" in layout_files()


def test_a_layout_of_ones_own_that_cannot_be_read_is_told_beside_all_others(own: Path) -> None:
    (own / "zz-own.toml").write_text("game = ")
    layouts, wrong = all_layouts()
    assert len(layouts) == len(layout_files()) - 1
    assert [str(one).partition(":")[0] for one in wrong] == ["zz-own.toml"]


def test_a_path_is_a_file_and_a_bare_name_a_layout_unless_such_a_file_is_here(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "mine", "Mine").rename(tmp_path / "plain")
    path = put(tmp_path, "mine", "Mine")
    for chosen in ("plain", "./plain", Path("plain"), "mine.toml", str(path), path):
        assert choose_layout(chosen).name == "Mine"
    assert choose_layout("mtg").game == "mtg"
    for chosen in ("other.toml", "./mtg", Path("mtg")):
        with pytest.raises(CatalogError) as caught:
            choose_layout(chosen)
        assert str(caught.value) == f"{Path(chosen)}: No such file or directory."
    with pytest.raises(UnknownNameError):
        choose_layout("other")


def test_a_layout_that_is_not_utf_8_is_told_with_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"ab\xff")
    with pytest.raises(CatalogError) as caught:
        load_layout(path)
    assert str(caught.value) == f"{path}: a layout must be UTF-8 text (byte 2)."


def test_a_layout_has_at_most_256_kib(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = f"{TOP}{LINE}#"
    path.write_text(text.ljust(256 << 10, "x"))
    assert load_layout(path).game == "made-up"
    path.write_text(text.ljust((256 << 10) + 1, "x"))
    with pytest.raises(CatalogError, match="at most 256 KiB"):
        load_layout(path)
