"""LackeyCCG plugins: their files, recognition of the game, irregular tables, and malicious updatelists."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from pytest_httpserver import HTTPServer

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.printing import Printing, SourceRow
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.sources import lackey

CARDS = "Name\tSet\tImageFile\tType\tGold\tNumber\tRarity\tText\tLore\n"
ASH = "Ash\tEmber\tE001\tDragon\t0\t4\tRare\tSTRENGTH: 3\t\n"
BEE = 'Bee\tEmber\tE002\tDragon\t1\t5\tRare\t"Buzz\tsays "it"\n'
INFO = "<plugin>\n// a comment <filetoinclude>../../secret.txt</filetoinclude>\n<deckzone>\n<label>Deck</deckzone>"
LAYOUT = """
game = "ember"
name = "Ember"
[[printed]]
field = "Number"
zone = "bottom"
read = "collector"
[lackey]
"""


@pytest.fixture(autouse=True)
def own_layouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder of the user's own layouts."""
    folder = tmp_path / "layouts"
    folder.mkdir()
    monkeypatch.setenv("CCGRID_LAYOUTS", str(folder))
    return folder


def plugin(folder: Path, files: Mapping[str, str | bytes] | None = None) -> Path:
    for name, text in (files or {"plugininfo.txt": INFO, "sets/carddata.txt": CARDS + ASH + BEE}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def read(path: Path) -> tuple[list[SourceRow], Layout, list[str]]:
    remarks: list[str] = []
    with open_tree(path) as tree:
        layout = lackey.recognise(tree)
        return list(lackey.read_tree(tree, layout, remarks.append)), layout, remarks


def names(path: Path) -> list[str]:
    return [row.name for row in read(path)[0] if isinstance(row, Printing)]


# --- files of a plugin ---------------------------------------------------------------------------------------


def test_plugin_is_read_from_folder_zip_and_single_file(shell: Shell) -> None:
    home = plugin(shell.folder / "plugins" / "Anything")
    with zipfile.ZipFile(shell.folder / "some.zip", "w") as archive:
        for file in home.rglob("*.txt"):
            archive.write(file, f"Anything-main/{file.relative_to(home)}")
    for path in (home, shell.folder / "some.zip", home / "sets", home / "sets" / "carddata.txt"):
        summary = shell.good("import", "lackey", path, "--json", "--force").json
        assert (summary["source"], summary["read"], summary["legal"]) == ("lackey:wyvern", 2, 2), path
    shown = shell.card("Bee")
    assert (shown["id"], shown["zones"]) == ("wyvern:ember/5", {"bottom-right": 5})


def test_all_files_in_sets_are_read_unless_the_plugin_lists_them(tmp_path: Path) -> None:
    files = {"plugininfo.txt": INFO, "Sets/A.TXT": CARDS + ASH, "Sets/b.txt": CARDS + BEE}
    assert names(plugin(tmp_path / "all", files)) == ["Ash", "Bee"]
    listed = "<listofcarddatafiles>//<filetoinclude>no.txt\n<FileToInclude> a.txt </FileToInclude></x>"
    assert names(plugin(tmp_path / "one", {**files, "ListOfCardDataFiles.txt": listed})) == ["Ash"]
    none = "<listofcarddatafiles></listofcarddatafiles>"
    assert names(plugin(tmp_path / "none", {**files, "listofcarddatafiles.txt": none})) == ["Ash", "Bee"]


def test_column_missing_in_one_of_several_files_is_reported(tmp_path: Path) -> None:
    files = {"sets/a.txt": CARDS + ASH, "sets/b.txt": (CARDS + BEE).replace("Number", "No")}
    home = plugin(tmp_path / "wyvern", {"plugininfo.txt": INFO, **files})
    assert read(home)[2] == ["sets/b.txt: it has no column 'Number', in which the layout of Wyvern reads numbers."]


def test_listed_file_missing_from_plugin_is_reported(tmp_path: Path) -> None:
    listed = "<filetoinclude>a.txt</filetoinclude><filetoinclude>gone.txt</filetoinclude>"
    files = {"sets/a.txt": CARDS + ASH, "listofcarddatafiles.txt": listed}
    found, _, remarks = read(plugin(tmp_path / "x", files))
    assert (len(found), remarks) == (1, ["listofcarddatafiles.txt: it names 'gone.txt', which is not in the plugin."])


@pytest.mark.parametrize("name", ["../../secret.txt", "/etc/passwd", "C:\\secret.txt", "a/../../../b.txt"])
def test_list_that_leads_out_of_the_plugin_is_an_error(tmp_path: Path, name: str) -> None:
    listed = f"<filetoinclude>{name}</filetoinclude>"
    with pytest.raises(CatalogError, match="leads out"):
        read(plugin(tmp_path / "x", {"sets/a.txt": CARDS + ASH, "listofcarddatafiles.txt": listed}))


def test_text_in_sets_that_is_not_a_table_is_omitted_with_a_warning(tmp_path: Path) -> None:
    readme = "These are 3 cards.\nHave fun\n"
    files: dict[str, str | bytes] = {"sets/a.txt": CARDS + ASH, "sets/readme.txt": readme, "sets/z.txt": b""}
    found, _, remarks = read(plugin(tmp_path / "x", files))
    assert len(found) == 1
    assert remarks == [
        "sets/readme.txt: skipped, because it is not a table of cards (its first column is not Name).",
        "z.txt: the file is empty.",
    ]


def test_data_that_are_not_a_plugin_are_reported(tmp_path: Path) -> None:
    for files in ({"plugininfo.txt": INFO, "readme.md": "x"}, {"a.jpg": b"x", "b.jpg": b"y"}):
        with pytest.raises(CatalogError, match="no file of cards in it"):
            read(plugin(tmp_path / str(len(files)) / next(iter(files)), files))
    with pytest.raises(CatalogError, match="several plugins"):
        read(plugin(tmp_path / "both", {f"{name}/plugininfo.txt": INFO for name in ("A", "B")}))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "mac_roman", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_irregular_tables_of_real_plugins_are_read(tmp_path: Path, encoding: str, end: str) -> None:
    text = (
        "NAME\tSET\tImagefile\tGold\tNumber \tLore\t\t\n"  # unusual headings, and tabs at the end
        '"Zoé" the Émigré\tEmber \tE1.jpg\t0\t 4\t"so\t\t\n'  # unclosed quotation marks, and spaces at the ends
        "\n\t\t\t\t\n"
        "Short\tEmber\tE2\t0\t5\n"
        "Ångström’s Élan\tEmber\tE3\t0\t6\tnull\t\t\t\t\n"
    )
    found, layout, _ = read(plugin(tmp_path / "x", {"sets/a.txt": text.replace("\n", end).encode(encoding)}))
    cards = [row for row in found if isinstance(row, Printing)]
    assert [card.name for card in cards] == ['"Zoé" the Émigré', "Short", "Ångström’s Élan"]
    assert [layout.compiled().read(card.fields).zones for card in cards] == [{"bottom-right": [n]} for n in (4, 5, 6)]
    assert len(found) == 3


# --- recognition of the game ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Spellfire", "spellfire-main", "SPELL FIRE", "Spellfire 1.2"])
def test_name_of_plugin_precedes_its_columns_in_recognition(tmp_path: Path, name: str) -> None:
    with open_tree(plugin(tmp_path / name)) as tree:
        assert lackey.recognise(tree).game == "spellfire"


def test_plugin_is_recognised_by_its_updatelist(tmp_path: Path) -> None:
    home = plugin(tmp_path / "x", {"updatelist.txt": "Spellfire\t01-02-22\r\n", "sets/a.txt": CARDS + ASH})
    with open_tree(home) as tree:
        assert lackey.recognise(tree).game == "spellfire"


def test_unknown_plugin_needs_a_layout_and_no_code(shell: Shell, own_layouts: Path) -> None:
    home = plugin(shell.folder / "x", {"sets/a.txt": "Name\tSet\tImageFile\tHeat\tNumber\nAsh\tA\t1\t9\t4\n"})
    shell("import", "lackey", home).fails("Heat", "layout")
    (own_layouts / "ember.toml").write_text(LAYOUT + 'columns = ["Heat"]')
    assert shell.good("import", "lackey", home, "--json").json["source"] == "lackey:ember"
    (own_layouts / "twin.toml").write_text(LAYOUT.replace("ember", "twin") + 'columns = ["Number"]\nnames = ["x"]')
    assert shell.good("import", "lackey", home, "--json").json["source"] == "lackey:twin"
    (own_layouts / "twin.toml").write_text(LAYOUT.replace("ember", "twin") + 'columns = ["heat"]')
    shell("import", "lackey", home).misuses("ember, twin", "--layout")
    assert shell.good("import", "lackey", home, "--layout", "twin", "--json").json["source"] == "lackey:twin"


def test_broken_layout_affects_only_its_own_game(shell: Shell, own_layouts: Path) -> None:
    (own_layouts / "broken.toml").write_text("game = ")
    shell.good("import", "lackey", plugin(shell.folder / "x"))
    assert shell.good("sources").err == ""
    unknown = plugin(shell.folder / "y", {"sets/a.txt": "Name\tSet\tImageFile\tHeat\nAsh\tA\t1\t9\n"})
    shell("import", "lackey", unknown).fails("Heat", "broken.toml")


# --- from an updatelist ----------------------------------------------------------------------------------------


def serve(server: HTTPServer, listed: str, files: Mapping[str, str | bytes]) -> str:
    server.expect_request("/p/updatelist.txt").respond_with_data(listed, content_type="text/plain")
    for name, text in files.items():
        server.expect_request(f"/p/{name}").respond_with_data(text, content_type="text/plain")
    return server.url_for("/p/updatelist.txt")


def test_plugin_is_downloaded_once_by_its_updatelist(shell: Shell, httpserver: HTTPServer) -> None:
    home = httpserver.url_for("/p")
    listed = (
        "Wyvern\t01-02-22\r\n"
        f"plugins/Wyvern/plugininfo.txt\t{home}/plugininfo.txt\t284113\r\n"
        f"plugins/Wyvern/sets/carddata.txt\t{home}/cards\t-1\r\n"
        "plugins/Wyvern/sets/setimages/general/cardback.jpg\thttps://pictures.example/back.jpg\t-28923\r\n"
        f"plugins/Wyvern/Rules.pdf\t{home}/Rules.pdf\t1\r\n"
        "CardImageURLs:\r\nE001.jpg\thttps://pictures.example/E001.jpg\r\n"
    )
    address = serve(httpserver, listed, {"plugininfo.txt": INFO, "cards": CARDS + ASH + BEE})
    for source in ("lackey", "wyvern"):
        summary = shell.good("import", source, "--url", address, "--json").json
        assert (summary["source"], summary["read"]) == ("lackey:wyvern", 2)
        assert summary["version"].startswith("2022-01-02 ")
    assert [request.path for request, _ in httpserver.log].count("/p/cards") == 1
    assert {request.path for request, _ in httpserver.log} == {"/p/updatelist.txt", "/p/plugininfo.txt", "/p/cards"}
    (row,) = [row for row in shell.good("sources", "--json").json_lines if row["source"] == "wyvern"]
    assert (row["cards"], row["version"][:10]) == (2, "2022-01-02")


def test_lackey_accepts_data_file_address_without_updatelist(shell: Shell, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/p/sets/carddata.txt").respond_with_data(CARDS + ASH, content_type="text/plain")
    for _ in range(2):
        summary = shell.good("import", "lackey", "--url", httpserver.url_for("/p/sets/carddata.txt"), "--json").json
        assert (summary["source"], summary["read"]) == ("lackey:wyvern", 1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("plugins/Wyvern/sets/a.txt\thttps://other.example/a.txt\t1", "another server"),
        ("plugins/Wyvern/sets/a.txt\thttp://127.0.0.1:1/a.txt\t1", "another server"),
        ("plugins/Wyvern/sets/a.txt\tfile:///etc/passwd\t1", "another server"),
        ("plugins/Wyvern/sets/a.txt\t/etc/passwd\t1", "another server"),
        ("../../../sets/a.txt\tHOME/a.txt\t1", "leads out"),
        ("/sets/a.txt\tHOME/a.txt\t1", "leads out"),
        ("C:\\plugins\\sets\\a.txt\tHOME/a.txt\t1", "leads out"),
        ("plugins/Wyvern/a.jpg\tHOME/a.jpg\t1", "no file in sets/"),
        ("", "no file in sets/"),
    ],
)
def test_updatelist_with_another_server_is_an_error_without_any_request(
    shell: Shell, httpserver: HTTPServer, line: str, words: str
) -> None:
    home = httpserver.url_for("/p")
    address = serve(httpserver, f"Wyvern\t01-02-22\n{line.replace('HOME', home)}\n", {"a.txt": CARDS + ASH})
    shell("import", "lackey", "--url", address).fails(words)
    assert [request.path for request, _ in httpserver.log] == ["/p/updatelist.txt"]


@pytest.mark.parametrize("listed", ["<!doctype html>\n<p>Not\tfound</p>", "", "nothing here", "\t\t"])
def test_answer_that_is_not_an_updatelist_is_reported(shell: Shell, httpserver: HTTPServer, listed: str) -> None:
    shell("import", "lackey", "--url", serve(httpserver, listed, {})).fails()
    assert not shell.database.exists()


def test_error_page_instead_of_cards_is_reported(shell: Shell, httpserver: HTTPServer) -> None:
    listed = f"Wyvern\t01-02-22\nplugins/Wyvern/sets/a.txt\t{httpserver.url_for('/p')}/a.txt\t1\n"
    address = serve(httpserver, listed, {"a.txt": "<!doctype html><title>Gone</title>"})
    shell("import", "wyvern", "--url", address).fails("web page")
    assert not shell.database.exists()
