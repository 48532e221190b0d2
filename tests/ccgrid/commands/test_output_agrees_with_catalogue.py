"""Tests that commands print what SQL queries find in the catalogue, as text and with --json."""

import re
import shutil
import sqlite3
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from helpers.catalogues import Result, Shell
from helpers.everyday import one_in

from ccgrid import app

COLUMNS: Final = {"tl": "top_left", "tr": "top_right", "br": "bottom_right", "l": '"left"', "score": "score"}
GAMES: Final = ("fab", "fftcg", "mtg", "netrunner", "onepiece", "pokemon", "spellfire", "tripletriad")

QUERIES: Final = (
    *((f"game:{game}", f"game = '{game}'") for game in GAMES),
    *(
        (f"game:{game} {zone}{sign}{value}", f"game = '{game}' AND {COLUMNS[zone]} {sign} {value}")
        for (game, zone), (sign, value) in product(
            product(("fftcg", "netrunner", "spellfire"), ("tl", "br", "score")), ((">=", 5), ("<", 3))
        )
    ),
    *((f"{zone}:any is:legal", f"{COLUMNS[zone]} IS NOT NULL AND legal") for zone in ("tl", "tr", "br", "l")),
    *((f"game:{game} -is:legal", f"game = '{game}' AND NOT legal") for game in ("mtg", "fab", "tripletriad")),
    *((f"set:{code}", f"set_code = '{code}' COLLATE NOCASE") for code in ("arn", "fm", "ta", "3rd")),
    ("game:mtg or game:wyvern", "game IN ('mtg', 'wyvern')"),
    ("(tl>=9 or tr>=9) game:netrunner", "(top_left >= 9 OR top_right >= 9) AND game = 'netrunner'"),
)
"""Queries and equivalent SQL conditions."""

OWNED: Final = (
    *((f"game:{game}", f"h.game = '{game}'") for game in ("mtg", "netrunner", "fftcg", "spellfire")),
    *((f"box:{box}", f"h.box = '{box}'") for box in ("Red", "Blue", "Attic")),
    *((f"finish:{word}", f"h.finish = '{word}'") for word in ("foil", "normal", "etched")),
    *((f"language:{word}", f"h.language = '{word}'") for word in ("en", "de")),
    ("box:Red game:mtg", "h.box = 'Red' AND h.game = 'mtg'"),
    ("finish:foil or box:Blue", "h.finish = 'foil' OR h.box = 'Blue'"),
    ("-box:Red", "h.box <> 'Red'"),
    ("is:signed", "json_extract(h.details, '$.signed') = 1"),
    ("copies>=3", "h.copies >= 3"),
    ("", "1"),
)
"""Queries of the collection and equivalent SQL conditions."""


def sql(database: Path, query: str, *values: object) -> list[Any]:
    """Return the rows of a query, or the values if they have one column."""
    connection = sqlite3.connect(database)
    try:
        found = connection.execute(query, values).fetchall()
    finally:
        connection.close()
    return [row[0] if len(row) == 1 else row for row in found]


def numbers(text: str) -> list[int]:
    """Return the whole numbers in a text."""
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)]


def row_count(result: Result) -> int:
    """Return the number of rows of the first table in a text."""
    lines = result.out.split("\n\n")[0].rstrip("\n").split("\n")
    return len(lines) - 1


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue of the bundled cards, with 120 entries in boxes, uncertain rows, and a checked-out deck."""
    folder = tmp_path_factory.mktemp("rich")
    database = folder / "catalogue.db"

    def run(*words: str) -> int:
        return app.run([*words, "--db", str(database)])

    assert run("import", "starter", "--json") == 0
    ids = sql(
        database, "SELECT id FROM cards WHERE game IN ('mtg', 'netrunner', 'fftcg', 'spellfire') ORDER BY score, id"
    )
    lines = ["Count,Id,Finish,Language,Box,Signed"]
    for place, card_id in enumerate(ids[::10]):
        finish, box = ("normal", "foil", "etched")[place % 3], ("Red", "Blue", "Attic", "")[place % 4]
        lines.append(
            f"{place % 4 + 1},{card_id},{finish},{('en', 'de')[place % 5 == 0]},{box},{'yes' * (place % 7 == 0)}"
        )
    (folder / "own.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert run("collection", "import", str(folder / "own.csv"), "--map", "id=Id", "--json") == 0
    rows = "Count,Name,Game\n1,Fetal AJ,netrunner\n2,No Such Card,netrunner\n1,Mars for Martians,netrunner\n"
    (folder / "doubts.csv").write_text(rows, encoding="utf-8")
    assert run("collection", "import", str(folder / "doubts.csv"), "--json") == 1
    (folder / "deck.txt").write_text("1 Mars for Martians\n", encoding="utf-8")
    assert run("collection", "pull", str(folder / "deck.txt"), "--out", "--json") == 0
    return database


@pytest.fixture
def used(shell: Shell, rich: Path) -> Shell:
    """A shell with a copy of that catalogue."""
    shutil.copy(rich, shell.database)
    return shell


@pytest.fixture
def reader(shell: Shell, rich: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell that only reads that catalogue."""
    shell.database = rich
    monkeypatch.setenv("CCGRID_DB", str(rich))
    return shell


@pytest.mark.parametrize(("query", "where"), one_in(3, QUERIES))
def test_search_stats_and_export_find_the_same_cards(reader: Shell, query: str, where: str) -> None:
    ids = sql(reader.database, f"SELECT id FROM cards WHERE {where}")
    status = 0 if ids else 1
    found = reader("search", query, "--all", "--json")
    assert (found.status, sorted(card["id"] for card in found.json_lines)) == (status, sorted(ids))
    text = reader("search", query, "--all")
    assert text.status == status
    assert not ids or row_count(text) == len(ids)
    written = reader("export", query)
    assert sorted(card["id"] for card in written.json_lines) == sorted(ids)
    counts = reader("stats", query, "--json")
    if ids:
        (legal,) = sql(reader.database, f"SELECT count(*) FROM cards WHERE legal AND ({where})")
        assert (counts.json["cards"], counts.json["legal"]) == (len(ids), legal)
        assert numbers(reader.good("stats", query).out.partition("\n")[0])[:2] == [len(ids), legal]


@pytest.mark.parametrize("place", range(0, 3000, 150))
def test_show_agrees_with_the_catalogue(reader: Shell, place: int) -> None:
    ((card_id, name, score, legal),) = sql(
        reader.database, "SELECT id, name, score, legal FROM cards ORDER BY id LIMIT 1 OFFSET ?", place
    )
    shown = reader.good("show", card_id, "--json").json
    assert (shown["id"], shown["name"], shown["score"], shown["legal"]) == (card_id, name, score, bool(legal))
    assert name in reader.good("show", card_id).out


@pytest.mark.parametrize(("query", "where"), OWNED)
def test_lists_of_the_collection_have_all_entries_and_copies(reader: Shell, query: str, where: str) -> None:
    words = ("--", query) if query else ()
    expected = sql(reader.database, f"SELECT h.card_id, h.copies FROM holdings h WHERE {where}")
    copies, status = sum(count for _, count in expected), 0 if expected else 1
    found = reader("collection", "list", "--json", *words)
    assert found.status == status
    assert sorted((one["id"], one["copies"]) for one in found.json_lines) == sorted(expected)
    if expected:
        last = reader.good("collection", "list", *words).out.rstrip("\n").rpartition("\n")[2]
        assert numbers(last)[:2] == [copies, len(expected)]
        stats = reader.good("collection", "stats", "--json", *words).json
        assert (stats["copies"], stats["cards"]) == (copies, len({card_id for card_id, _ in expected}))
        table = reader.good("collection", "stats", *words).out.partition("\n\n")[0].split("\n")[1:]
        assert sum(numbers(line.partition(" ")[2])[0] for line in table) == copies
        written = reader.good("collection", "export", *words).json_lines
        assert sorted((one["id"], one["copies"]) for one in written) == sorted(expected)


def test_boxes_sets_doubts_and_checked_out_decks_are_counted(reader: Shell) -> None:
    boxes = sql(reader.database, "SELECT box, count(*), sum(copies) FROM holdings GROUP BY box")
    shown = reader.good("collection", "boxes", "--json").json_lines
    assert sorted((line["box"] or "", line["entries"], line["copies"]) for line in shown) == sorted(boxes)
    sets = sql(reader.database, "SELECT game, set_code, sum(copies) FROM holdings GROUP BY game, set_code")
    shown = reader.good("collection", "sets", "--json").json_lines
    assert sorted((line["game"], line["set_code"], line["copies"]) for line in shown) == sorted(sets)
    doubts = sql(reader.database, "SELECT line, outcome FROM doubts ORDER BY id")
    shown = reader.good("collection", "doubts", "--json").json_lines
    assert [(line["line"], line["outcome"]) for line in shown] == doubts == [(2, "fuzzy"), (3, "missed")]
    out = sql(reader.database, "SELECT sum(copies) FROM decks_out")
    assert [sum(line["copies"] for line in reader.good("collection", "out", "--json").json_lines)] == out == [1]


@pytest.mark.parametrize("place", range(0, 120, 6))
def test_where_names_every_copy_of_a_card(reader: Shell, place: int) -> None:
    (card_id,) = sql(reader.database, "SELECT card_id FROM holdings ORDER BY id LIMIT 1 OFFSET ?", place)
    expected = sql(reader.database, "SELECT box, copies FROM holdings WHERE card_id = ?", card_id)
    shown = reader.good("collection", "where", card_id, "--json").json_lines
    assert sorted((line["box"], line["copies"]) for line in shown) == sorted(expected)
    last = reader.good("collection", "where", card_id).out.rstrip("\n").rpartition("\n")[2]
    assert numbers(last)[0] == sum(copies for _, copies in expected)


def copies_owned(database: Path, card_id: str) -> int:
    (copies,) = sql(database, "SELECT coalesce(sum(copies), 0) FROM holdings WHERE card_id = ?", card_id)
    return int(copies)


@pytest.mark.parametrize("place", one_in(4, range(0, 2800, 140)))
def test_added_edited_moved_and_removed_copies_are_in_the_catalogue(used: Shell, place: int) -> None:
    (card_id,) = sql(used.database, "SELECT id FROM cards ORDER BY id DESC LIMIT 1 OFFSET ?", place)
    before, copies = copies_owned(used.database, card_id), place % 5 + 2
    kind = ("--box", "New", "--finish", ("foil", "normal")[place % 2], "--condition", "near mint")
    added = used.good("collection", "add", card_id, "--copies", str(copies), *kind, "--json").json
    assert (added["id"], added["copies"]) == (card_id, copies)
    assert copies_owned(used.database, card_id) == before + copies
    used.good("collection", "move", f"id:{card_id} box:New", "--to-box", "Newer", "--yes")
    assert sql(used.database, "SELECT copies, condition FROM holdings WHERE box = 'Newer'") == [(copies, "near-mint")]
    removed = used.good("collection", "remove", f"id:{card_id} box:Newer", "--copies", "1", "--json").json
    (left,) = sql(used.database, "SELECT copies FROM holdings WHERE box = 'Newer'")
    assert (removed["copies"], left) == (copies - 1, copies - 1)
    for word, expected in (("undo", copies), ("redo", copies - 1)):
        used.good(word, *(("--yes",) if word == "undo" else ()), "--json")
        assert sql(used.database, "SELECT copies FROM holdings WHERE box = 'Newer'") == [expected]


ROWS: Final = {
    "matched": ("2,Mars for Martians,netrunner", 2),
    "other": ("3,Chains of Eminence,", 3),
    "fuzzy": ("1,Fetal AJ,netrunner", 0),
    "missed": ("4,No Such Card,netrunner", 0),
    "skipped": ("0,Mars for Martians,netrunner", 0),
}
"""Rows of a file, and the number of copies that each adds."""


@pytest.mark.parametrize(
    ("kinds", "options"),
    [
        (kinds, options)
        for kinds in (
            *(("matched",), ("matched", "other"), ("matched", "fuzzy"), ("matched", "missed"), ("matched", "skipped")),
            *(("matched", "fuzzy", "missed"), ("other", "skipped", "missed"), ("fuzzy", "matched", "other", "skipped")),
            *(("matched", "matched", "missed"), ("other", "fuzzy", "fuzzy", "skipped", "missed", "matched")),
        )
        for options in ((), ("--box", "Crate"), ("--dry-run",))
    ],
)
def test_import_adds_the_reported_copies(used: Shell, kinds: Sequence[str], options: Sequence[str]) -> None:
    file = used.folder / "rows.csv"
    lines = [ROWS[kind][0] for kind in kinds]
    file.write_text("Count,Name,Game\n" + "\n".join(lines) + "\n", encoding="utf-8")
    total, doubts = "SELECT sum(copies) FROM holdings", "SELECT count(*) FROM doubts"
    before, doubts_before = sql(used.database, total)[0], sql(used.database, doubts)[0]
    result = used("collection", "import", file, *options, "--again", "--json")
    counts = {kind: kinds.count(kind) for kind in ROWS}
    report, copies = result.json, sum(ROWS[kind][1] for kind in kinds)
    assert result.status == (1 if counts["fuzzy"] or counts["missed"] else 0)
    assert (report["rows"], report["missed"], report["skipped"]) == (len(kinds), counts["missed"], counts["skipped"])
    assert report["matched"]["fuzzy"] == counts["fuzzy"]
    assert report["matched"]["name"] == counts["matched"] + counts["other"]
    assert (report["copies"], report["added"]) == (copies, copies)
    is_kept = "--dry-run" not in options
    assert sql(used.database, total)[0] - before == copies * is_kept
    assert sql(used.database, doubts)[0] - doubts_before == (counts["fuzzy"] + counts["missed"]) * is_kept
    if "--box" in options:
        assert sql(used.database, "SELECT sum(copies) FROM holdings WHERE box = 'Crate'") == [copies]
    text = used("collection", "import", file, *options, "--again")
    assert text.status == result.status
    assert numbers(re.search(r"rows in all +(\S+)", text.out)[1]) == [len(kinds)]  # type: ignore[index]
    assert sql(used.database, total)[0] - before == 2 * copies * is_kept


@pytest.mark.parametrize("seed", one_in(4, range(20)))
def test_random_deck_has_twenty_legal_cards_of_the_catalogue(reader: Shell, seed: int) -> None:
    file = reader.folder / "deck.toml"
    drawn = reader.good("deck", "new", "--seed", str(seed), "-o", file, "--json").json
    ids = [card["id"] for card in drawn["cards"]]
    assert len(ids) == 20
    marks = ", ".join("?" * 20)
    assert len(sql(reader.database, f"SELECT id FROM cards WHERE legal AND id IN ({marks})", *ids)) == len(set(ids))
    checked = reader.good("deck", "check", file, "--json").json
    assert (checked["ok"], checked["cards"]) == (True, 20)
    assert numbers(reader.good("deck", "check", file).out) == [20]
    assert [card["id"] for card in reader.good("deck", "show", file, "--json").json["cards"]] == ids


@pytest.mark.parametrize("number", range(10))
def test_entered_card_is_found_with_its_numbers(used: Shell, number: int) -> None:
    name = f"Made Up {'ABCDEFGHIJ'[number]}"
    entered = used.good("card", "add", "--game", "arcadia", "--name", name, "--top", str(number), "--json").json
    assert sql(used.database, "SELECT name, top, score FROM cards WHERE game = 'arcadia'") == [(name, number, number)]
    assert used.good("search", "game:arcadia", "--json").json_lines[0]["id"] == entered["id"]
    used.good("undo", "--yes")
    assert sql(used.database, "SELECT count(*) FROM cards WHERE game = 'arcadia'") == [0]
    assert used("search", "game:arcadia").status in (1, 2)
