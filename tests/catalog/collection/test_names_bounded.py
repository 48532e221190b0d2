"""Names have at most 200 characters wherever they come in, and whoever gives a longer one is told."""

import pytest
from helpers.catalogues import Shell, row, rows, write_rows

from ccgrid.catalog.collection.edit import kind_of
from ccgrid.catalog.collection.session import EntrySession
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore

LONG, MOST = "x" * 201, "x" * 200


@pytest.fixture
def shell(shell: Shell) -> Shell:
    shell.import_rows(rows(9))
    shell.good("collection", "add", "mtg:dsk/1", "--box", "Attic")
    return shell


@pytest.mark.parametrize("option", ["--box", "--row", "--slot"])
def test_places_on_the_command_line(shell: Shell, option: str) -> None:
    result = shell("collection", "add", "mtg:dsk/2", option, LONG)
    assert (result.status, result.out) == (2, "")
    assert "201 characters; 200 is the most" in result.err
    assert shell("collection", "move", "box:Attic", f"--to-{option[2:]}", LONG).status == 2
    shell.good("collection", "add", "mtg:dsk/2", option, MOST)
    shell.good("collection", "move", "box:Attic", f"--to-{option[2:]}", MOST)


def test_a_comma_makes_a_box_no_list_of_names(shell: Shell) -> None:
    assert shell("collection", "add", "mtg:dsk/2", "--box", f"{'x' * 150},{'y' * 150}").status == 2
    assert shell("collection", "rename-box", "Attic", LONG).status == 2


@pytest.mark.parametrize("what", ["box", "row", "slot"])
def test_places_in_a_session(shell: Shell, what: str) -> None:
    with Store(shell.database) as store:
        session = EntrySession(CollectionStore(store), ("mtg",), "dsk", kind_of())
        with pytest.raises(ValueError, match=f"The {what} has 201 characters; 200 is the most"):
            session.enter(f"{what} {LONG}")
        session.enter(f"{what} {MOST}")
        assert getattr(session.kind.place, what) == MOST


@pytest.mark.parametrize("key", ["name", "printed_name", "set_name"])
def test_names_in_the_data_of_a_source(shell: Shell, key: str) -> None:
    write_rows(shell.folder / "more.jsonl", [*rows(9), row(10), {**row(11), key: LONG}, {**row(12), key: MOST}])
    result = shell.good("import", "mtg", shell.folder / "more.jsonl", "--json")
    assert (result.json["added"], result.json["skipped"]) == (2, 1)
    assert "Skipped mtg:dsk/11: a name in it has 201 characters; 200 is the most" in result.err


def test_the_title_of_a_layout(shell: Shell) -> None:
    data = shell.folder / "my.csv"
    data.write_text("Name,Cost\nAmber Drake,3\n", encoding="utf-8")
    assert shell("layout", "new", data, "--at", "Cost=tl", "--title", LONG).status == 2
    layout = shell.folder / "my.toml"
    text = f'format = 1\ngame = "my"\nname = "{LONG}"\n[[printed]]\nfield = "Cost"\nzone = "top-left"\n'
    layout.write_text(text, encoding="utf-8")
    result = shell("layout", "check", layout)
    assert result.status == 1
    assert "201 characters; 200 is the most" in result.out
    layout.write_text(text.replace(LONG, MOST), encoding="utf-8")
    shell.good("layout", "check", layout)
