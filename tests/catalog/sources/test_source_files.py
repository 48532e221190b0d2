"""Files that define sources: their keys, mistakes in them, and user-defined sources."""

import os
import re
from importlib import resources
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from inline_snapshot import snapshot

from ccgrid.catalog.checked_file import LARGEST
from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.layouts.layout_file import layout_files
from ccgrid.catalog.sources import SOURCES, all_sources, find_source, own_sources
from ccgrid.catalog.sources.source import LAYOUT_FROM_DATA, Part, Source
from ccgrid.catalog.sources.source_file import parse_sources

ROOT = Path(__file__).resolve().parents[3]
[EXAMPLE] = re.findall(r"```toml\n(\[\[source\]\].*?)```", (ROOT / "docs/catalogue.md").read_text("utf-8"), re.DOTALL)
SMALL = '[[source]]\nname = "dragons"\ntitle = "Dragons"\nkeeper = "fans"\nlayout = "wyvern"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    monkeypatch.setenv("CCGRID_SOURCES", str(folder))
    return folder


def test_every_shipped_source_has_a_reader_and_a_layout() -> None:
    names = [name for source in SOURCES for name in (source.name, *source.aliases)]
    assert len(names) == len(set(names))
    for source in SOURCES:
        assert source.load().READER >= 1
        assert source.layout in (None, LAYOUT_FROM_DATA, *layout_files())
    assert [source.name for source in SOURCES if source.layout is None] == ["starter"]


def test_source_of_the_documentation_is_read() -> None:
    [source] = parse_sources(EXAMPLE, "dragons.toml")
    assert source == Source(
        "dragons",
        "Dragons of the North",
        "dragonfans",
        "https://example.org/dragons/",
        layout="dragons",
        note="the first two sets",
        parts=("cards.json", "promos.json"),
        aliases=("drg",),
        manual="https://example.org/dragons.zip",
        terms="Free for any use. https://example.org/terms",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            SMALL + 'adress = "x"\n',
            snapshot(
                "s.toml, line 6: source[1].adress is not known; source[1] may hold address, aliases, group, keeper, "
                "layout, manual, module, name, note, own_files, parts, terms and title."
            ),
        ),
        (
            SMALL + SMALL.replace("keeper", "owner"),
            snapshot(
                "s.toml, line 9: source[2].owner is not known; source[2] may hold address, aliases, group, keeper, "
                "layout, manual, module, name, note, own_files, parts, terms and title."
            ),
        ),
        (
            SMALL + "[more]\n",
            snapshot("s.toml, line 6: more is not known; a file of sources may hold format and source."),
        ),
        ("format = 2\n" + SMALL, snapshot("s.toml, line 1: format is 2, but this ccgrid reads format 1.")),
        (
            SMALL.replace('"dragons"', '"../x"'),
            snapshot(
                "s.toml, line 2: source[1].name is a short name of lower-case letters, digits, - and _, such as "
                '"spellfire".'
            ),
        ),
        (
            SMALL.replace('"Dragons"', f'"{"x" * 2000}"'),
            snapshot("s.toml, line 3: source[1].title has 2,000 characters; the maximum is 200."),
        ),
        (SMALL.replace('"fans"', "7"), snapshot("s.toml, line 4: source[1].keeper is a text in quotes.")),
        (SMALL.replace('keeper = "fans"\n', ""), snapshot("s.toml, line 1: source[1].keeper is missing.")),
        (SMALL.replace('layout = "wyvern"\n', ""), snapshot("s.toml, line 1: source[1].layout is missing.")),
        (SMALL + "parts = [1]\n", snapshot("s.toml, line 6: source[1].parts is a list of texts in quotes.")),
        (
            SMALL + 'module = "os.path"\n',
            snapshot('s.toml, line 6: source[1].module is the name of a reader that ccgrid has, such as "lackey".'),
        ),
        ("source = 1\n", snapshot("s.toml, line 1: source is written as tables: [[source]].")),
        ("#" * (LARGEST + 1), snapshot("s.toml: a file of sources is at most 256 KiB, and this is larger.")),
    ],
)
def test_mistake_in_a_file_of_sources_is_reported_with_its_line(text: str, message: str) -> None:
    with pytest.raises(CatalogError) as found:
        parse_sources(text, "s.toml")
    assert str(found.value) == message


def test_file_of_sources_that_is_not_toml_is_reported() -> None:
    with pytest.raises(CatalogError, match=r"^s\.toml: the file is not TOML: Expected '=' after a key"):
        parse_sources("source", "s.toml")


def test_module_without_a_reader_is_reported() -> None:
    for module, reason in (("nosuch", "No module named"), ("source_file", "has no reader")):
        [source] = parse_sources(SMALL + f'module = "{module}"\n', "s.toml")
        with pytest.raises(CatalogError, match=f"The source 'dragons' cannot be read: .*{reason}"):
            source.load()


def test_own_source_is_listed_first_and_imported(folder: Path, shell: Shell) -> None:
    (folder / "mine.toml").write_text(SMALL + 'aliases = ["drg"]\n')
    assert next(all_sources()).name == "dragons"
    cards = shell.folder / "cards.csv"
    cards.write_text("Name,Set,Number,Gold,Strength\nAmber Drake,North,7,3,4\n")
    assert shell.good("import", "DRG", cards, "--json").json["read"] == 1
    [listed] = [row for row in shell.good("sources", "--json").json_lines if row["source"] == "dragons"]
    assert (listed["title"], listed["keeper"], listed["cards"]) == ("Dragons", "fans", 1)


def test_own_source_overrides_shipped_one_with_same_name(folder: Path) -> None:
    (folder / "mine.toml").write_text(SMALL.replace("dragons", "mtg"))
    assert find_source("mtg").title == "Dragons"
    assert [source.title for source in all_sources() if source.name == "mtg"] == ["Dragons"]


def test_file_in_earlier_folder_overrides_one_with_same_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "mine.toml").write_text(SMALL)
    monkeypatch.setenv("CCGRID_SOURCES", os.pathsep.join(map(str, (folder, tmp_path / "missing", tmp_path))))
    (tmp_path / "mine.toml").write_text(SMALL.replace("fans", "others"))
    (tmp_path / "more.toml").write_text(SMALL.replace("dragons", "drakes"))
    assert {(source.name, source.keeper) for source in own_sources()[0]} == {("dragons", "fans"), ("drakes", "fans")}


def test_broken_file_of_sources_does_not_affect_other_sources(folder: Path, shell: Shell) -> None:
    (folder / "bad.toml").write_text("[[source]]\n")
    (folder / "good.toml").write_text(SMALL)
    assert find_source("dragons").title == "Dragons"
    assert find_source("mtg").keeper == "Scryfall"
    wrong = "bad.toml, line 1: source[1].name is missing."
    assert wrong in shell("doctor").out
    with pytest.raises(NoSuchNameError) as found:
        find_source("drakes")
    assert str(found.value).splitlines()[1] == f"A file of yours cannot be read: {wrong}"


def test_source_without_an_address_reads_only_a_file() -> None:
    with pytest.raises(CatalogError) as found:
        find_source("lackey").latest(None, "", None)  # type: ignore[arg-type]  no module asks
    assert str(found.value) == "The source 'lackey' reads a file: ccgrid import lackey FILE"


def test_parts_below_an_address_are_the_files_of_its_edition() -> None:
    text = (resources.files("ccgrid.data") / "sources.toml").read_text("utf-8")
    source = next(one for one in parse_sources(text, "sources.toml") if one.name == "transformers")
    edition = source.latest(None, "https://example.org/x/", None)  # type: ignore[arg-type]  no module asks
    assert edition.parts[0] == Part("https://example.org/x/bot-cards.json", "bot-cards.json")
    assert source.latest(None, "https://example.org/x.json", None).file_name == "x.json"  # type: ignore[arg-type]
