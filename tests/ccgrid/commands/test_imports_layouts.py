"""Tests of `ccgrid layout`: checking layouts against data, and drafting them, with and without prompts."""

import io
import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.error_messages import error_of
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.imports.layout_draft import Draft, DraftField, examine, game_name, layout_text
from ccgrid.catalog.layouts.layout_file import find_layout, layout_files, parse_layout
from ccgrid.catalog.zones import FACE

CRABS = "Name,Set,No.,Pinch,Tale,Picture\n" + "".join(
    f"Crab {n},Shore,{n}/40,{n % 11},Once upon a tide there were {n} crabs in a pool.,https://crabs.example/{n}.jpg\n"
    for n in range(1, 41)
)


@pytest.fixture(autouse=True)
def own_layouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CCGRID_LAYOUTS", str(tmp_path / "layouts"))
    return tmp_path / "layouts"


@pytest.fixture
def crabs_file(tmp_path: Path) -> Path:
    """A table of crabs whose layout is unknown."""
    (tmp_path / "Tide Pool!.csv").write_text(CRABS)
    return tmp_path / "Tide Pool!.csv"


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Simulate a user who types these lines."""
    keyboard = io.StringIO("".join(f"{line}\n" for line in lines))
    keyboard.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stdin", keyboard)


@pytest.mark.parametrize("name", layout_files())
def test_every_shipped_layout_is_well_formed(name: str) -> None:
    assert find_layout(name).game == name


def test_layout_is_drafted_from_a_file_and_completed_by_options(shell: Shell, crabs_file: Path) -> None:
    text = shell.good("layout", "new", crabs_file).out
    layout = parse_layout(text, "tide-pool.toml")
    assert (layout.game, layout.name) == ("tide-pool", "Tide-Pool")
    assert [(line.field, line.zone, line.confidence) for line in layout.printed] == [
        ("Name", FACE, "high"),
        ("Tale", FACE, "low"),
    ]
    assert "# Pinch holds numbers (1, 2, 3, 4, 5). Where is it printed?" in text
    options = ("--at", "pinch=l", "--at", "No.=bottom-right", "--at", "Tale=none", "--game", "crabs")
    own = shell.folder / "crabs.toml"
    shell.good("layout", "new", crabs_file, *options, "--title", 'Crabs "II"', "-o", own)
    result = shell.good("layout", "check", own, "--data", crabs_file, "--json").json["trial"]
    assert (result["read"], result["legal"], result["zones"]) == (40, 40, {"left": 40, "bottom-right": 10})
    assert result["examples"][0] == {
        "id": "crabs:shore/1-40",
        "name": "Crab 1",
        "zones": {"left": [1], "bottom-right": [1]},
        "face": [1],
    }
    assert shell.good("import", "file", crabs_file, "--layout", own, "--json").json["legal"] == 40


def test_prompt_asks_for_the_zone_of_each_field_with_numbers(
    shell: Shell, crabs_file: Path, own_layouts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_lines(monkeypatch, "crabs", "Crabs", "here and there", "br", "left")
    result = shell.good("layout", "new", crabs_file, "--keep")
    assert "No. (1/40, 2/40, 3/40, 4/40, 5/40)" in result.err
    assert "That is not a zone" in result.err
    layout = parse_layout((own_layouts / "crabs.toml").read_text(), "crabs.toml")
    assert {(line.field, line.zone, line.read) for line in layout.printed} >= {
        ("No.", "bottom-right", "collector"),
        ("Pinch", "left", "numbers"),
    }
    assert shell.good("import", "file", crabs_file, "--layout", "crabs", "--json").json["legal"] == 40
    type_lines(monkeypatch, "crabs")
    result = shell("layout", "new", crabs_file, "--keep")
    assert (result.status, "You have a layout 'crabs' already" in result.err) == (3, True)


def test_leaving_the_prompt_writes_no_file(
    shell: Shell, crabs_file: Path, own_layouts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_lines(monkeypatch, "crabs")
    assert shell("layout", "new", crabs_file, "--keep").status != 0
    assert not own_layouts.exists()


def test_nested_fields_and_the_list_of_a_document_are_found(shell: Shell) -> None:
    cards = [{"front": {"title": f"Crab {n}", "pinch": n}, "bites": [{"damage": f"{n}+"}]} for n in range(5)]
    write_document: Mapping[str, Any] = {"about": {"by": "me"}, "found": {"few": [{"a": 1}], "cards": cards}}
    (shell.folder / "crabs.json").write_text(json.dumps(write_document))
    options = ("--at", "front.pinch=top", "--at", "bites.damage=right", "-o", shell.folder / "crabs.toml")
    shell.good("layout", "new", shell.folder / "crabs.json", *options)
    result = shell.good("layout", "check", shell.folder / "crabs.toml", "--data", shell.folder / "crabs.json", "--json")
    assert result.json["trial"]["examples"][1] == {
        "id": "crabs:crab-1",
        "name": "Crab 1",
        "zones": {"top": [1], "right": [1]},
        "face": [1],
    }


def test_invalid_layout_is_reported_with_line_and_key(shell: Shell) -> None:
    own = shell.folder / "wrong.toml"
    own.write_text('game = "a"\n[[printed]]\nfield = "a"\nzone = "middle"\n')
    result = shell("layout", "check", own)
    assert (result.status, result.err) == (1, "")
    assert result.out.startswith("wrong.toml, line 4: printed[1].zone is 'middle'")
    result = shell("layout", "check", own, "--json")
    assert (result.status, result.json["ok"]) == (1, False)
    shell("layout", "check", shell.folder / "none.toml").fails("No such file")


@pytest.mark.parametrize(
    ("columns", "line", "words"),
    [
        ("rows = 3", 6, "columns.rows is a text"),
        ("files = 3", 6, "columns.files is a list"),
        ("number = 'No'", 6, "columns.number is not known; columns may hold"),
        ("name = ''", 6, "columns.name is a field"),
        ("name = { field = 3 }", 6, "columns.name is a field"),
        ("name = { after = '(' }", 6, "columns.name.field is missing"),
        ("name = { field = 'a', behind = '(' }", 6, "columns.name.behind is not known"),
        ("name = '{}'", 6, "columns.name has a brace"),
        ("[lackey]", 6, "lackey needs names or columns"),
        ("[lackey]\nnames = [3]", 7, "lackey.names is a list"),
        ("[lackey]\ntitle = 'a'", 7, "lackey.title is not known"),
    ],
)
def test_mistake_in_the_columns_is_reported_with_line_and_key(columns: str, line: int, words: str) -> None:
    text = f'game = "a"\n[[printed]]\nfield = "a"\nzone = "top"\n[columns]\n{columns}\n'
    assert error_of(lambda: parse_layout(text, "wrong.toml")).startswith(f"wrong.toml, line {line}: {words}")


def test_reading_of_irregular_data_is_reported(shell: Shell) -> None:
    own, data = shell.folder / "a.toml", shell.folder / "a.csv"
    own.write_text('game = "a"\n[[printed]]\nfield = "Cost"\nzone = "top"\nconfidence = "low"\nnote = "a guess"\n')
    data.write_bytes("Name,Cost\nZoé,3\n,4\nBee,12\nCee,1,2\n".encode("cp1252"))
    result = shell.good("layout", "check", own, "--data", data)
    assert result.err == "a.csv: 1 line is not UTF-8; read as Windows-1252.\n"
    for words in (
        "a guess",
        "4 rows read: 1 legal, 1 not legal",
        "Skipped line 3: it has no name",
        "no-number",
        "top 3",
    ):
        assert words.replace("no-number", "no number from 0 to 10") in result.out


def test_unknown_field_or_zone_is_an_error(shell: Shell, crabs_file: Path) -> None:
    shell("layout", "new", crabs_file, "--at", "Claw=left").fails("'Claw'", "Pinch")
    for word in ("Pinch=middle", "Pinch", "=left"):
        assert shell("layout", "new", crabs_file, "--at", word).status in (2, 3)
    shell("layout", "new", crabs_file, "--game", "No Name").fails("game", "short name")
    shell("layout", "new", shell.folder / "none.csv").fails("none.csv")
    (shell.folder / "bare.csv").write_text("A,B\n1,2\n")
    shell("layout", "new", shell.folder / "bare.csv").misuses("--at", "A, B")


names = st.text(min_size=1, max_size=20).filter(lambda text: bool(text.strip()))


@given(st.lists(names, min_size=1, max_size=5, unique=True), st.text(max_size=20), st.text(max_size=10))
def test_draft_is_valid_for_any_names_of_fields(fields: list[str], title: str, example: str) -> None:
    draft = Draft("a.b", tuple(DraftField(name, 1, 1, 1, [example]) for name in fields))
    layout = parse_layout(layout_text(draft, "game", title, dict.fromkeys(fields, "top")), "game.toml")
    assert [line.field for line in layout.printed] == fields
    parse_layout(layout_text(draft, "game", title, {fields[0]: "top"}), "game.toml")


@given(st.text())
def test_name_of_a_game_from_a_file_name_is_valid(name: str) -> None:
    text = f'game = "{game_name(name)}"\n[[printed]]\nfield = "a"\nzone = "top"\n'
    assert parse_layout(text, "a.toml").game == game_name(name)


def test_fields_of_real_files_are_found(shared_data: Path) -> None:
    draft = examine(shared_data / "json-games" / "swccg-card-json" / "Dark.json")
    kinds = {found.path: found.kind for found in draft.fields}
    assert draft.rows == "cards"
    assert (kinds["front.title"], kinds["front.destiny"], kinds["front.gametext"]) == ("name", "numbers", "text")


# --- guesses ----------------------------------------------------------------------------------------------------

GUESSED = """
game = "mine"
[[printed]]
field = "might"
zone = "top-left"
confidence = "low"
[[printed]]
field = "cost"
zone = "top-right"
[[printed]]
field = "number"
zone = "top-right"
read = "collector"
confidence = "medium"
[[printed]]
field = "rules"
zone = "face"
confidence = "low"
"""


def import_guesses(shell: Shell) -> None:
    layout, data = shell.folder / "mine.toml", shell.folder / "mine.csv"
    layout.write_text(GUESSED, encoding="utf-8")
    data.write_text("name,set,number,might,cost,rules\nAsh,A,12,4,3,Draw 2.\n", encoding="utf-8")
    shell.good("import", "file", data, "--layout", layout)


def test_edit_with_the_same_number_confirms_a_guess(shell: Shell) -> None:
    import_guesses(shell)
    assert "Corrected" in shell.good("card", "edit", "Ash", "--top-left", "4").err
    ash = shell.card("Ash")
    assert (ash["guessed_zones"], ash["zones"]["top-left"]) == ([], 4)
    assert ash["corrected"] == {"printed": {"top-left": "4"}}
    assert "already has these values" in shell.good("card", "edit", "Ash", "--top-left", "4").err


def test_show_reports_guessed_zones(shell: Shell) -> None:
    import_guesses(shell)
    lines = shell.good("show", "Ash").out.splitlines()
    assert "The number in the top-left corner is a guess: might (confidence low)." in lines
    assert "Unverified positions: number (confidence medium), rules (confidence low)." in lines
    assert any("4?" in line for line in lines)
    assert not any("3?" in line for line in lines)
    assert shell.card("Ash")["guessed_zones"] == ["top-left"]


# --- plugins ----------------------------------------------------------------------------------------------------

TIDE = "Name\tSet\tImageFile\tType\tPinch\tShell\tCode\tText\n" + "".join(
    f'Crab "{n}"\tShore\tc{n}\tCrab\t{n}\t{n % 3}\t4 R {n}\tOnce upon a tide there were {n} crabs.\n'
    for n in range(1, 8)
)


@pytest.fixture(params=["folder", "zip"])
def tide(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A LackeyCCG plugin of an unknown game, in a folder or an archive."""
    home = tmp_path / "TidePool-main"
    (home / "sets").mkdir(parents=True)
    (home / "decks").mkdir()
    (home / "decks" / "first.txt").write_text("4\tCrab 1\n", encoding="utf-8")
    (home / "plugininfo.txt").write_text("<plugin></plugin>\n", encoding="utf-8")
    (home / "sets" / "carddata.txt").write_text(TIDE, encoding="utf-8")
    if request.param == "folder":
        return home
    return Path(shutil.make_archive(str(tmp_path / "TidePool"), "zip", home))


def test_layout_drafted_from_a_plugin_recognises_it(shell: Shell, tide: Path, own_layouts: Path) -> None:
    places = ("--at", "Pinch=tl", "--at", "Code=br:last", "--at", "Shell=left:numbers")
    result = shell.good("layout", "new", tide, "--game", "tide", *places, "--keep")
    assert "layout check" in result.err
    layout = parse_layout((own_layouts / "tide.toml").read_text(encoding="utf-8"), "tide.toml")
    assert layout.lackey is not None
    assert "TidePool" in layout.lackey.names
    assert layout.lackey.columns == ("Pinch", "Shell", "Code")
    assert {(line.field, line.zone, line.read, line.part) for line in layout.printed if line.zone != FACE} == {
        ("Pinch", "top-left", "numbers", "first"),
        ("Shell", "left", "numbers", "first"),
        ("Code", "bottom-right", "collector", "last"),
    }
    assert shell.good("import", "lackey", tide, "--json").json["legal"] == 7
    assert shell.card('Crab "7"')["zones"] == {"top-left": 7, "left": 1, "bottom-right": 7}


@pytest.mark.parametrize("place", ["middle", "br:middle", "br:collector:0", "br:numbers:last", "br:last:2", "br:100"])
def test_invalid_zone_is_an_error(shell: Shell, crabs_file: Path, place: str) -> None:
    result = shell("layout", "new", crabs_file, "--at", f"Pinch={place}")
    assert (result.status, "FIELD=ZONE:collector:PART" in " ".join(result.err.split())) == (2, True)


def test_field_without_any_number_is_reported(shell: Shell) -> None:
    data, own = shell.folder / "crabs.json", shell.folder / "crabs.toml"
    data.write_text(json.dumps([{"name": f"Crab {n}", "pinch": n} for n in range(5)]), encoding="utf-8")
    lines = "".join(f'[[printed]]\nfield = "{field}"\nzone = "top"\n' for field in ("pinch", "Toughess"))
    own.write_text(f'game = "crabs"\n{lines}', encoding="utf-8")
    result = "no card has 'Toughess', where the layout of crabs reads numbers."
    assert shell.good("layout", "check", own, "--data", data, "--json").json["trial"]["remarks"] == [
        f"crabs.json: {result}"
    ]
    assert result in shell.good("import", "file", data, "--layout", own).err


def test_layout_for_plugin_and_json_is_checked_against_both(shell: Shell) -> None:
    card = {"id": 1, "fullName": "Crab - At Sea", "setCode": "1", "number": 3, "cost": 2}
    (shell.folder / "allCards.json").write_text(json.dumps({"cards": [card]}), encoding="utf-8")
    home = shell.folder / "LorcanaTCG" / "sets"
    home.mkdir(parents=True)
    rows = "Name\tSet\tImageFile\tCost\tInkwell\tClassifications\tStrength\tWillpower\tLore\tText\n"
    (home / "carddata.txt").write_text(
        f"{rows}Crab, At Sea\ttfc\t1_3_en_crab-7\t2\t1\tItem\t\t\t\t\n", encoding="utf-8"
    )
    for data in (shell.folder / "allCards.json", home.parent):
        trial = shell.good("layout", "check", "lorcana", "--data", data, "--json").json["trial"]
        assert (trial["read"], trial["zones"]) == (1, {"top-left": 1, "bottom-left": 1})


# --- structures of data ---


def crab(number: int, **more: Any) -> dict[str, Any]:
    return {"name": f"Crab {number % 5}", "pinch": number % 11, **more}


def write_document(folder: Path, value: Any, name: str = "crabs.json") -> Path:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return folder / name


def import_with_draft(shell: Shell, data: Path, *options: str, skipped: int = 0) -> dict[str, Any]:
    """Draft a layout from data, import them with it, and check that all cards are found."""
    own = shell.folder / "own.toml"
    shell.good("layout", "new", data, "--game", "crabs", "--at", "pinch=top", *options, "-o", own, "--force")
    result: dict[str, Any] = shell.good("import", "file", data, "--layout", own, "--json", "--force").json
    assert (result["skipped"], result["legal"] + sum(result["barred"].values())) == (skipped, result["read"] - skipped)
    return result


def test_lists_under_several_keys_are_one_list_of_cards(shell: Shell) -> None:
    by_set = {str(key): [crab(n, no=n, set=str(key)) for n in range(9 + key)] for key in range(1, 10)}
    path = write_document(shell.folder, {"about": {"by": "me"}, "cards": by_set, "sets": [{"id": "1"}, {"id": "2"}]})
    result = shell.good("layout", "new", path, "--at", "pinch=top")
    assert 'rows = "cards.*"' in result.out
    assert result.err == "126 cards at cards.*.\nData not used: sets (2 rows).\n"
    assert import_with_draft(shell, path)["read"] == 126
    only_lists = {key: [crab(n, no=n, set=key) for n in range(20)] for key in ("Basic", "Classic")}
    assert import_with_draft(shell, write_document(shell.folder, only_lists))["read"] == 40
    with_sets = {
        "cards": only_lists["Basic"],
        "sets": [{"name": "Basic", "date": 1, "id": 2}, {"name": "Classic", "date": 2}],
    }
    assert (
        'rows = "cards"'
        in shell.good("layout", "new", write_document(shell.folder, with_sets), "--at", "pinch=top").out
    )
    nested = {"sets": {key: {"code": key, "cards": [crab(n, no=n, set=key) for n in range(20)]} for key in "ABC"}}
    assert import_with_draft(shell, write_document(shell.folder, nested))["read"] == 60


def test_cards_by_key_in_the_document_itself_are_found(shell: Shell) -> None:
    parts = {"1": {"text": "a"}, "2": {"text": "b"}}  # there are more parts than cards, but they have no names
    cards = {
        str(n): {"name": {"pl": f"Krab {n}", "en-US": f"Crab {n}"}, "pinch": n % 11, "parts": parts} for n in range(20)
    }
    path = write_document(shell.folder, cards)
    result = shell.good("layout", "new", path, "--at", "pinch=top")
    assert ('rows = "."' in result.out, 'name = "name.en-US"' in result.out) == (True, True)
    assert result.err.startswith("20 cards.\n")
    assert import_with_draft(shell, path)["read"] == 20
    assert shell.card("Crab 3")["zones"] == {"top": 3}
    # Objects without common keys are not cards.
    unlike_objects = write_document(
        shell.folder, {"data": {"9": crab(9, no=9), "8": crab(8, no=8)}, "meta": {"version": "1"}}
    )
    assert 'rows = "."' not in shell.good("layout", "new", unlike_objects, "--at", "pinch=top").out


def test_headings_in_other_languages_are_recognised(shell: Shell) -> None:
    data, own = shell.folder / "cartas.csv", shell.folder / "cartas.toml"
    data.write_text("Nome;Custo;Coleção;Nº\nGuerreiro;2;Base;1/100\nMago;3;Base;2/100\n", encoding="utf-8")
    draft = shell.good("layout", "new", data, "--game", "cartas", "--at", "Custo=tl", "-o", own).out
    shell.good("import", "file", data, "--layout", own)
    card = shell.card("Mago")
    assert (card["set_code"], card["collector_number"], card["zones"]) == ("Base", "2/100", {"top-left": 3}), draft


def test_user_can_choose_another_list(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_document(shell.folder, {"few": [crab(1)], "many": [{"name": "b", "a": 1, "b": 2}] * 9})
    with_option = shell.good("layout", "new", path, "--rows", "few", "--at", "pinch=top")
    assert (with_option.err, 'rows = "few"' in with_option.out) == (
        "1 card at few.\nData not used: many (9 rows).\n",
        True,
    )
    type_lines(monkeypatch, "few", "crabs", "Crabs", "top")
    prompted = shell.good("layout", "new", path)
    assert "Where are the cards? [many]" in prompted.err
    assert 'rows = "few"' in prompted.out
    shell("layout", "new", path, "--rows", "none").fails("no list at 'none'")


@pytest.mark.parametrize(("field", "column"), [("SetNum", "collector_number"), ("position", "collector_number")])
def test_numbering_field_distinguishes_the_cards_of_a_set(shell: Shell, field: str, column: str) -> None:
    path = write_document(shell.folder, [crab(n, set="A", kind="crab", **{field: n}) for n in range(40)])
    result = shell.good("layout", "new", path, "--at", "pinch=top")
    assert f'{column} = "{field}"' in result.out
    assert (
        f"cards by {field}, which distinguishes 40 of 40 cards. Set with number or name distinguishes only 5"
        in result.err
    )
    assert import_with_draft(shell, path)["added"] == 40


def test_code_distinguishes_cards_without_numbers(shell: Shell) -> None:
    path = write_document(shell.folder, [crab(n, set="A", code=f"A/{n}-E", rarity="C") for n in range(40)])
    assert 'id = "{set}/{code}"' in shell.good("layout", "new", path, "--at", "pinch=top").out
    assert import_with_draft(shell, path)["added"] == 40


def test_files_that_cards_refer_to_are_omitted(shell: Shell) -> None:
    home = shell.folder / "data"
    for code in "abc":
        write_document(home, [crab(n, code=f"{code}{n}", pack_code=code) for n in range(9)], f"pack/{code}.json")
    write_document(home, [{"code": code, "name": f"Pack {code}", "size": 9} for code in "abcd"], "packs.json")
    result = shell.good("layout", "new", home, "--at", "pinch=top")
    assert result.err.startswith("27 cards.\nData not used: packs.json (4 rows).\n")
    assert import_with_draft(shell, home)["read"] == 27


def test_translated_cards_are_omitted(shell: Shell) -> None:
    home = shell.folder / "data"
    for code in "ab":
        write_document(home, [crab(n, code=f"{code}{n}", pack_code=code) for n in range(20)], f"pack/{code}.json")
    for code in "ac":  # set c exists only as a translation
        result = [{"code": f"{code}{n}", "name": f"Krabbe {n % 5}"} for n in range(20)]
        write_document(home, result, f"translations/de/pack/{code}.de.json")
    write_document(home, [{"title": "A Deck", "cards": 9}], "prebuilts.json")
    result = shell.good("layout", "new", home, "--at", "pinch=top")
    assert result.err == (
        "40 cards.\nData not used: prebuilts.json (1 row), translations/de/pack/* (40 rows).\n"
        "The layout identifies cards by code, which distinguishes 40 of 40 cards. "
        "Set with number or name distinguishes only 10.\n"
    )
    assert 'files = ["!translations/de/pack/*"]' in result.out
    assert import_with_draft(shell, home)["read"] == 40


def test_files_with_few_columns_and_other_cards_are_imported(shell: Shell) -> None:
    home = shell.folder / "data"
    write_document(home, [crab(n, no=f"{n}", set="A", tale="x") for n in range(9)], "a/crabs.json")
    write_document(home, [crab(n, no=f"{n + 1}", set="B") for n in range(9)], "b/crabs.json")
    assert import_with_draft(shell, home)["added"] == 18


def test_error_for_data_without_a_layout_names_matching_layouts(
    shell: Shell, own_layouts: Path, crabs_file: Path
) -> None:
    shell("import", "file", crabs_file).misuses("No layout has its fields. To start one: ccgrid layout new")
    shell.good("layout", "new", crabs_file, "--game", "crabs", "--at", "Pinch=left", "--at", "No.=br", "--keep")
    shell("import", "file", crabs_file).misuses("which game is it? Its fields fit --layout crabs (Crabs)")


@pytest.mark.slow
def test_real_cards_without_numbers_are_imported(shell: Shell, shared_data: Path) -> None:
    more = shared_data / "more"
    for data, places, read, skipped in (
        (more / "Ravenite-0+DuelMasters_Cockatrice_EN" / "data" / "All_Cards.csv", "Mana=tl", 10344, 32),
        (more / "CCondeluci+WeissSchwarz-ENG-DB" / "DB", "cost=tl", 319, 0),
        (more / "zzorba+marvelsdb-json-data", "cost=tl", 130, 2),
        (shared_data / "json-games" / "netrunner-cards-json", "cost=tl", 1142, 0),
    ):
        own = shell.folder / "real.toml"
        shell.good("layout", "new", data, "--game", "real", "--at", places, "-o", own, "--force")
        result = shell.good("import", "file", data, "--layout", own, "--json", "--force").json
        assert (result["read"], result["skipped"]) == (read, skipped)


def test_drafted_layout_names_no_other_file(shell: Shell) -> None:
    data = shell.folder / "whi.csv"
    data.write_text("Name,Cost\nAsh,3\nBo,4\n", encoding="utf-8")
    layout = shell.folder / "other.toml"
    shell.good("layout", "new", data, "--at", "Cost=top-left", "-o", layout)
    assert "whi.toml" not in layout.read_text("utf-8")
