"""`collection export`: the format, omitted cards, lost fields, and the notice about uncertain rows."""

import csv
from pathlib import Path

from helpers.catalogues import Shell, row, write_rows
from helpers.collection_catalogue import CARDS

MOXFIELD = (
    "Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified,Collector Number\n"
    "2,0,Amber Archivist,dsk,Near Mint,English,,,,1\n"
    "1,0,Brass Bellringers,dsk,Near Mint,English,foil,,,2\n"
    "1,0,Nobody's Card,dsk,Near Mint,English,,,,99\n"
)


def collection_shell(shell: Shell) -> Shell:
    file = shell.folder / "moxfield.csv"
    file.write_text(MOXFIELD, encoding="utf-8")
    shell.incomplete("collection", "import", file)
    return shell


def test_export_mentions_uncertain_rows_until_they_are_resolved(owned: Shell) -> None:
    collection_shell(owned)
    exported = owned.good("collection", "export", "--format", "moxfield")
    assert "Still uncertain: 1 row of imported files; see ccgrid collection doubts" in " ".join(exported.err.split())
    owned.good("collection", "doubts", "--dismiss")
    assert "doubt" not in owned.good("collection", "export", "--format", "moxfield").err


def test_export_derives_format_from_unique_ending(owned: Shell) -> None:
    collection_shell(owned)
    for name, form in (("a.csv", "csv"), ("a.cod", "cockatrice"), ("a.jsonl", "jsonl"), ("a", "jsonl")):
        owned.good("collection", "export", "-o", owned.folder / name)
        owned.good("collection", "export", "-o", owned.folder / f"{name}.named", "--format", form)
        assert (owned.folder / name).read_bytes() == (owned.folder / f"{name}.named").read_bytes()


def test_export_lists_losses_card_by_card(owned: Shell) -> None:
    collection_shell(owned)
    target, lost = owned.folder / "mine.csv", owned.folder / "lost.csv"
    output = owned.good("collection", "export", "--format", "cardkingdom", "-o", target, "--losses", lost)
    assert "Card Kingdom does not keep: collector number: 3 copies" in " ".join(output.err.split())
    with lost.open(newline="", encoding="utf-8") as file:
        found = [(one["Lost"], one["Copies"], one["Card id"]) for one in csv.DictReader(file)]
    assert ("collector number", "2", "mtg:dsk/1") in found
    assert ("condition", "1", "mtg:dsk/2") in found
    owned("collection", "export", "--losses", lost).fails("exists already")


def test_lost_grade_of_a_grader_is_counted_once(owned: Shell) -> None:
    owned.good("collection", "add", "1 mtg:dsk/1")
    owned.good("collection", "edit", "mtg:dsk/1", "--grade", "PSA 9")
    output = owned.good("collection", "export", "--format", "moxfield", "-o", owned.folder / "mine.csv")
    assert "grade: 1 copy" in " ".join(output.err.split())


def test_cardmarket_export_omits_cards_without_its_id(owned: Shell) -> None:
    collection_shell(owned)
    output = owned.good("collection", "export", "--format", "cardmarket")
    assert [line.split(";")[0] for line in output.out.splitlines()] == ["idProduct", "77"]
    assert "Left out: cards without an id at Cardmarket: 2 copies." in output.err
    owned.good("collection", "remove", "mtg:dsk/2")
    owned("collection", "export", "--format", "cardmarket", "-o", owned.folder / "x.csv").fails("Nothing written")
    assert not Path(owned.folder / "x.csv").exists()


def test_magic_format_omits_cards_of_other_games(shell: Shell, tmp_path: Path) -> None:
    shell.good("import", "mtg", write_rows(tmp_path / "cards.jsonl", [*CARDS, row(70, "Gate")]))
    shell.good("card", "add", "--name", "Old Ogre", "--game", "ogres", "--top", "4", "--own", "1")
    shell.good("collection", "add", "Gate")
    output = shell.good("collection", "export", "--format", "moxfield")
    assert len(output.out.splitlines()) == 2
    assert "cards of games other than mtg (to write them: --game): 1 copy" in output.err
    assert "Old Ogre" in shell.good("collection", "export", "--format", "moxfield", "--game", "ogres").out
