"""Numbers that data lack: read from pictures, filled in, exported as a patch, and imported."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.text_files import write
from inline_snapshot import snapshot

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.scan.comparison import contradictions
from ccgrid.catalog.scan.identification import Recognition
from ccgrid.catalog.scan.values import ScanDoubt, ScannedCard, SeenNumber
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.services import scanning
from ccgrid.services.catalogue import open_catalogue
from ccgrid.services.patches import Patch, PatchedCard, PatchNumber, read_patch

LAYOUT = """
format = 1
game = "pips"
name = "Pips"

[[printed]]
field = "top-left"
zone = "top-left"

[[barred]]
reason = "data:numbers"
when = { top-left = { present = false } }
"""
ROWS = "name,number,top-left\nAmber Drake,1,\nBrass Heron,2,\nCinder Wolf,3,7\n"
DRAKE, HERON, WOLF = "pips:1", "pips:2", "pips:3"


def make(shell: Shell) -> Shell:
    (shell.folder / "pips.toml").write_text(LAYOUT)
    (shell.folder / "pips.csv").write_text(ROWS)
    shell.good("import", "file", shell.folder / "pips.csv", "--layout", shell.folder / "pips.toml")
    return shell


@pytest.fixture
def pips(shell: Shell) -> Shell:
    """Return a catalogue with a game in which two of three cards have no number."""
    return make(shell)


def cards(shell: Shell) -> dict[str, Card]:
    with open_catalogue(shell.database) as store:
        return {card.id: card for card in store.all_cards()}


def scan(shell: Shell, monkeypatch: pytest.MonkeyPatch, *copies: tuple[str, ScannedCard], own: bool = False) -> str:
    """Return the output of `scan --yes` for pictures of known cards."""

    def pictures(*_: Any, **__: Any) -> Any:
        with open_catalogue(shell.database) as store:
            for card_id, read in copies:
                known = Recognition(StoreLookup(store).card(card_id), True, "")
                pictures.count += 1
                digest = f"{pictures.count:032}" * 2
                card = store.cards([card_id])[0]
                against = tuple(contradictions(read, card))
                yield [scanning.Scan("a.png", digest, read, "pips", known, card, against)]

    pictures.count = 100 * sum(map(ord, str(copies)))
    (shell.folder / "a.png").write_bytes(b"")
    monkeypatch.setattr(scanning, "scan_pictures", pictures)
    return shell.good("scan", shell.folder / "a.png", "--yes", *(["--own"] if own else [])).out


def seen(value: int, sure: float = 0.95, *doubts: ScanDoubt) -> ScannedCard:
    return ScannedCard("", (SeenNumber(str(value), value, "top", 50, 8, sure),), doubts)


def test_certain_reading_supplies_missing_numbers_and_makes_the_card_legal(pips: Shell, monkeypatch) -> None:
    assert cards(pips)[DRAKE].reason == "data:numbers"
    scan(pips, monkeypatch, (DRAKE, seen(4)))
    card = cards(pips)[DRAKE]
    assert (card.zones, card.legal) == ({"top": 4}, True)


def test_agreeing_copies_supply_numbers_together(pips: Shell, monkeypatch) -> None:
    scan(pips, monkeypatch, (DRAKE, seen(4, 0.8)), own=True)
    assert cards(pips)[DRAKE].zones == {}
    scan(pips, monkeypatch, (DRAKE, seen(4, 0.85)), own=True)
    assert cards(pips)[DRAKE].zones == {"top": 4}
    assert pips.good("collection", "list", "--json").json["copies"] == 2


def test_uncertain_zone_is_not_filled_in(pips: Shell, monkeypatch) -> None:
    scan(pips, monkeypatch, (DRAKE, seen(4, 0.95, ScanDoubt(10, 50, "left"))))
    assert cards(pips)[DRAKE].zones == {}


def test_missing_numbers_are_added_to_existing_ones(pips: Shell, monkeypatch) -> None:
    number = SeenNumber("7", 7, "top-left", 8, 8, 0.95)
    pips.good("import", "file", pips.folder / "pips.csv", "--layout", with_wolves_lacking(pips), "--force")
    both = ScannedCard("", (*seen(4).numbers, number))
    other = ScannedCard("", (*seen(4).numbers, number._replace(value=8)))
    said = scan(pips, monkeypatch, (WOLF, other))
    assert "left for later: Cinder Wolf, top-left: the catalogue has 7, the picture 8." in said
    scan(pips, monkeypatch, (WOLF, both))
    card = cards(pips)[WOLF]
    assert (card.zones, card.legal) == ({"top-left": 7, "top": 4}, True)


def with_wolves_lacking(shell: Shell) -> Path:
    """Return the layout, which states that the data also lack a number of wolves."""
    return write(
        shell.folder / "pips.toml",
        LAYOUT + '\n[[barred]]\nreason = "data:numbers"\nwhen = { name = { has = "Wolf" } }\n',
    )


def column(*values: int, sure: float = 0.95) -> ScannedCard:
    """Return a card with several numbers at the left."""
    numbers = (SeenNumber(str(n), n, "left", 8, 30 + 10 * place, sure) for place, n in enumerate(values))
    return ScannedCard("", tuple(numbers))


def test_several_numbers_in_a_zone_are_filled_in_and_exclude_the_card(pips: Shell, monkeypatch) -> None:
    said = scan(pips, monkeypatch, (DRAKE, column(3, 6, sure=0.96)))
    assert "Not legal: two numbers on the left side (rule 9)." in said
    card = cards(pips)[DRAKE]
    assert (card.zones, card.score, card.reason) == ({}, 9, "multiple-numbers:left")


def test_copies_vote_for_all_numbers_of_a_zone_together(pips: Shell, monkeypatch) -> None:
    scan(pips, monkeypatch, (DRAKE, column(3, 6, sure=0.92)), (DRAKE, column(3, sure=0.6)))
    assert cards(pips)[DRAKE].reason == "data:numbers"
    scan(pips, monkeypatch, (DRAKE, column(6, 3, sure=0.92)))
    assert cards(pips)[DRAKE].reason == "multiple-numbers:left"


def test_uncertain_number_next_to_another_prevents_filling_in(pips: Shell, monkeypatch) -> None:
    read = replace(column(3), doubts=(ScanDoubt(8, 60, "left"),))
    scan(pips, monkeypatch, (DRAKE, read))
    assert cards(pips)[DRAKE].zones == {}


def test_number_next_to_one_of_the_data_is_filled_in(pips: Shell, monkeypatch) -> None:
    pips.good("import", "file", pips.folder / "pips.csv", "--layout", with_wolves_lacking(pips), "--force")
    two = tuple(SeenNumber(str(n), n, "top-left", 8, n, 0.97) for n in (7, 2))
    scan(pips, monkeypatch, (WOLF, ScannedCard("", two)))
    assert cards(pips)[WOLF].reason == "multiple-numbers:top-left"


def test_a_card_with_several_numbers_in_two_zones_agrees_with_its_picture(pips: Shell, monkeypatch) -> None:
    two = tuple(SeenNumber(str(n), n, "top-left", 8, n, 0.97) for n in (7, 2))
    both = replace(column(3, 6, sure=0.97), numbers=(*column(3, 6, sure=0.97).numbers, *two))
    scan(pips, monkeypatch, (DRAKE, both))
    assert contradictions(both, cards(pips)[DRAKE]) == []


def test_several_numbers_in_a_zone_are_shown_as_text(pips: Shell) -> None:
    scanned = scanning.Scan("a.png", "0" * 64, column(3, 6), "pips", card=cards(pips)[DRAKE])
    assert scanned.entry().printed == {"left": "3, 6"}
    assert scanned.entry().card().reason == "multiple-numbers:left"


def test_card_with_complete_data_gets_no_numbers(pips: Shell, monkeypatch) -> None:
    layout = write(pips.folder / "pips.toml", LAYOUT.split("[[barred]]")[0])
    pips.good("import", "file", pips.folder / "pips.csv", "--layout", layout, "--force")
    assert cards(pips)[DRAKE].reason == "no-number"
    assert "left for later" in scan(pips, monkeypatch, (DRAKE, seen(4)))
    assert "in the catalogue" in scan(pips, monkeypatch, (DRAKE, seen(4, 0.8)), (DRAKE, seen(4, 0.8)))
    assert cards(pips)[DRAKE].zones == {}


def test_numbers_of_the_data_are_kept(pips: Shell, monkeypatch) -> None:
    before = cards(pips)[WOLF]
    scan(pips, monkeypatch, (WOLF, ScannedCard("", (SeenNumber("7", 7, "top-left", 8, 8, 0.95),))))
    assert cards(pips)[WOLF] == before


@pytest.fixture
def patch(pips: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a patch with readings of two copies of one card and one of another; the numbers are removed again."""
    scan(pips, monkeypatch, (DRAKE, seen(4)))
    scan(pips, monkeypatch, (DRAKE, seen(4, 0.9)), (HERON, seen(9)))
    file = pips.folder / "patch.toml"
    pips.good("layout", "patch", "pips", "-o", file)
    for _ in range(3):
        pips.good("undo", "--yes")
    assert [card.zones for card in cards(pips).values()] == [{}, {}, {"top-left": 7}]
    return file


def test_patch_counts_the_pictures_of_each_number(pips: Shell, patch: Path) -> None:
    assert tomllib.loads(patch.read_text()) == {
        "format": 1,
        "patch": "pips",
        "card": [
            {"id": DRAKE, "name": "Amber Drake", "top": [{"number": 4, "seen": 2}]},
            {"id": HERON, "name": "Brass Heron", "top": [{"number": 9, "seen": 1}]},
        ],
    }


def test_json_of_a_patch_equals_its_file(pips: Shell, monkeypatch) -> None:
    scan(pips, monkeypatch, (DRAKE, seen(4)), (HERON, column(3, 6, sure=0.97)))
    assert pips.good("layout", "patch", "pips", "--json").json == {
        "patch": "pips",
        "cards": [
            {"id": DRAKE, "name": "Amber Drake", "zones": {"top": [{"number": 4, "seen": 1}]}},
            {
                **{"id": HERON, "name": "Brass Heron"},
                "zones": {"left": [{"number": 3, "seen": 1}, {"number": 6, "seen": 1}]},
            },
        ],
    }


@pytest.mark.parametrize(
    ("lacking", "numbers", "corrected"), [(False, (7, 2), False), (True, (7, 2), True), (True, (6, 2), False)]
)
def test_zone_gets_further_numbers_if_the_others_agree(
    pips: Shell, lacking: bool, numbers: tuple[int, ...], corrected: bool
) -> None:
    if lacking:
        pips.good("import", "file", pips.folder / "pips.csv", "--layout", with_wolves_lacking(pips), "--force")
    listed = ", ".join(f"{{ number = {number}, seen = 1 }}" for number in numbers)
    file = write(
        pips.folder / "patch.toml",
        f'format = 1\npatch = "pips"\n[[card]]\nid = "{WOLF}"\nname = "Cinder Wolf"\ntop-left = [{listed}]\n',
    )
    report = pips.good("import", file, "--json").json
    assert (report["corrected"], report["differ"]) == (([WOLF], []) if corrected else ([], [WOLF]))


def test_imported_patch_is_reverted_by_one_undo(pips: Shell, patch: Path) -> None:
    before = cards(pips)
    report = pips.good("import", patch, "--json").json
    assert report == {
        **{"patch": "pips", "cards": 2, "corrected": [DRAKE, HERON]},
        **{"barred": {}, "unchanged": 0, "differ": [], "missing": []},
    }
    after = cards(pips)
    assert [(card.zones, card.legal) for card in after.values()] == [
        *[({"top": 4}, True), ({"top": 9}, True), ({"top-left": 7}, True)]
    ]
    assert pips.good("import", patch, "--json").json["unchanged"] == 2
    pips.good("undo", "--yes")
    assert cards(pips) == before


def test_patch_may_have_several_numbers_of_a_zone(pips: Shell, monkeypatch) -> None:
    before = cards(pips)
    scan(pips, monkeypatch, (DRAKE, column(3, 3, sure=0.97)), (DRAKE, column(3, sure=0.9)))
    file = pips.folder / "patch.toml"
    pips.good("layout", "patch", "pips", "-o", file)
    (table,) = tomllib.loads(file.read_text())["card"]
    assert table["left"] == [{"number": 3, "seen": 2}, {"number": 3, "seen": 1}]
    filled = cards(pips)[DRAKE]
    pips.good("undo", "--yes")
    pips.good("undo", "--yes")
    assert cards(pips) == before
    assert "1 card is not legal: two numbers on the left side" in pips.good("import", file).out
    assert cards(pips)[DRAKE] == filled
    assert pips.good("import", file, "--json").json["unchanged"] == 1


def test_a_dry_run_of_a_patch_changes_nothing(pips: Shell, patch: Path) -> None:
    before = cards(pips)
    assert "would have" in pips.good("import", patch, "--dry-run").out
    assert cards(pips) == before


def test_existing_number_is_kept_and_missing_cards_are_named(pips: Shell, patch: Path) -> None:
    pips.good("card", "edit", DRAKE, "--top", "5")
    patch.write_text(patch.read_text().replace(HERON, "pips:77"))
    report = pips.good("import", patch, "--json").json
    assert (report["corrected"], report["differ"], report["missing"]) == ([], [DRAKE], ["pips:77"])
    assert cards(pips)[DRAKE].zones == {"top": 5}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("format = 1", "patch = "),
        ('format = 2\npatch = "pips"', "format = 1"),
        ('format = 1\npatch = "pips"\nmore = 1', "'more'"),
        ('format = 1\npatch = "pips"\ncard = 3', "[[card]]"),
        ('format = 1\npatch = "pips"\n[[card]]\nid = "a"', "id or name"),
        ('format = 1\npatch = "pips"\n[[card]]\nid = "a"\nname = "b"\ntop = 4', "top of 'a'"),
        ('format = 1\npatch = "pips"\n[[card]]\nid = "a"\nname = "b"\ntop = []', "top of 'a'"),
        ('format = 1\npatch = "pips"\n[[card]]\nid = "a"\nname = "b"\ntop = [4]', "top of 'a'"),
        ('format = 1\npatch = "pips"\n[[card]]\nid = "a"\nname = "b"\ntop = [{ number = 11, seen = 1 }]', "top of 'a'"),
        ('format = 1\npatch = "pips"\n[[card]]\nid = "a"\nname = "b"\ntop = { number = 4, seen = 1 }', "no list"),
        ('format = 1\npatch = "pips"\n[[card]]\nid = "a"\nname = "b"\nmiddle = { number = 1, seen = 1 }', "'middle'"),
        ("not toml", "line 1"),
    ],
)
def test_file_that_is_not_a_patch_is_an_error(pips: Shell, text: str, said: str) -> None:
    (pips.folder / "patch.toml").write_text(text)
    result = pips("import", pips.folder / "patch.toml")
    assert (result.status, said in result.err, len(result.err.splitlines()) < 3) == (3, True, True), result


ONE_CARD = 'format = 1\npatch = "pips"\n[[card]]\nid = "a"\nname = "b"\n'
HAS = ": the patch has "


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('patch = "pips"', snapshot(": the patch has no line 'format = 1' or no line 'patch = \"GAME\"'.")),
        ('format = 1\npatch = "pips"\nmore = 1', snapshot(": the patch has an unknown key 'more'.")),
        ('format = 1\npatch = "pips"\ncard = 3', snapshot(": the patch has cards that are no [[card]] tables.")),
        ('format = 1\npatch = "pips"\ncard = [3]', snapshot(": the patch has a card without id or name.")),
        ('format = 1\npatch = "pips"\n[[card]]\nname = "b"', snapshot(": the patch has a card without id or name.")),
        (
            'format = 1\npatch = "pips"\n[[card]]\nid = 3\nname = "b"',
            snapshot(": the patch has a card without id or name."),
        ),
        (f"{ONE_CARD}middle = 3", snapshot(": the patch has an unknown key 'middle' for 'a'.")),
        (f"{ONE_CARD}top = []", snapshot(": the patch has no list of { number, seen } in top of 'a'.")),
        (f"{ONE_CARD}top = [{{ number = 1 }}]", snapshot(": the patch has no { number, seen } in top of 'a'.")),
        (
            f"{ONE_CARD}top = [{{ number = 1, seen = true }}]",
            snapshot(": the patch has no { number, seen } in top of 'a'."),
        ),
        (
            f"{ONE_CARD}top = [{{ number = 1, seen = 1, x = 1 }}]",
            snapshot(": the patch has no { number, seen } in top of 'a'."),
        ),
        (
            f"{ONE_CARD}top = [{{ number = 11, seen = 1 }}]",
            snapshot(": the patch has a number that cannot be in top of 'a'."),
        ),
        (
            f"{ONE_CARD}top = [{{ number = -1, seen = 1 }}]",
            snapshot(": the patch has a number that cannot be in top of 'a'."),
        ),
        (
            f"{ONE_CARD}top = [{{ number = 1, seen = 0 }}]",
            snapshot(": the patch has a number that cannot be in top of 'a'."),
        ),
        (f"{ONE_CARD}top = [{{ number = 1, seen = [[1]] }}]", snapshot(": the patch is nested too deeply to be read.")),
        (
            f"{ONE_CARD}a.b.c.d.e.f = 1",
            snapshot(", line 6: the patch has a key of more than 5 parts: no table is nested that deep."),
        ),
    ],
)
def test_mistake_in_a_patch_is_reported_with_its_position(tmp_path: Path, text: str, said: str) -> None:
    file = write(tmp_path / "patch.toml", text)
    with pytest.raises(CatalogError) as caught:
        read_patch(file)
    assert str(caught.value).removeprefix(str(file)) == said


def test_the_lowest_and_the_highest_number_may_be_in_a_patch(tmp_path: Path) -> None:
    file = write(tmp_path / "patch.toml", f"{ONE_CARD}top = [{{ number = 0, seen = 1 }}, {{ number = 10, seen = 2 }}]")
    assert read_patch(file) == Patch(
        game="pips",
        cards=[
            PatchedCard(
                id="a",
                name="b",
                zones={"top": [PatchNumber(number=0, seen=1), PatchNumber(number=10, seen=2)]},
            )
        ],
    )


def test_patch_of_a_missing_game_is_an_error(pips: Shell) -> None:
    (pips.folder / "patch.toml").write_text('format = 1\npatch = "nowhere"')
    result = pips("import", pips.folder / "patch.toml")
    assert (result.status, "'nowhere'" in result.err) == (2, True), result


def test_a_patch_takes_no_options_of_sources(pips: Shell, patch: Path) -> None:
    assert pips("import", patch, "--force").status == 2


def test_empty_export_is_reported(pips: Shell) -> None:
    result = pips("layout", "patch", "pips")
    assert (result.status, "No number of pips" in result.err) == (1, True), result


def test_unknown_name_is_not_entered(pips: Shell, monkeypatch) -> None:
    read = replace(seen(4), name="Umber Brake")
    monkeypatch.setattr(scanning, "scan_pictures", lambda *_, **__: [[scanning.Scan("a.png", "0" * 64, read, "pips")]])
    (pips.folder / "a.png").touch()
    before = cards(pips)
    out = pips.good("scan", pips.folder / "a.png", "--game", "pips", "--yes").out
    assert "left for later: no card of pips has this name." in out
    assert cards(pips) == before


def test_card_similar_to_one_of_the_catalogue_is_not_entered_again(pips: Shell, monkeypatch) -> None:
    def pictures(*_: Any, **__: Any) -> Any:
        with open_catalogue(pips.database) as store:
            known = Recognition(StoreLookup(store).card(DRAKE), False, "'Ambr Drake' is nearly 'Amber Drake'")
        yield [scanning.Scan("a.png", "0" * 64, replace(seen(4), name="Ambr Drake"), "pips", known)]

    (pips.folder / "a.png").touch()
    monkeypatch.setattr(scanning, "scan_pictures", pictures)
    before = cards(pips)
    assert "left for later: it may be Amber Drake" in pips.good("scan", pips.folder / "a.png", "--yes").out
    assert cards(pips) == before
