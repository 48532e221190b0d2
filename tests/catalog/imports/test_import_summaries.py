"""What a summary says, what goes, and by what the data are read."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell, row, rows, write_rows
from hypothesis import given
from hypothesis import strategies as st
from import_world import CARDS, Card, assert_adds_up, costs

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.imports import run as importing
from ccgrid.catalog.imports.run import ImportRequest
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store

MTG = find_source("mtg")


# --- what a summary says ----------------------------------------------------------------------------------------


def test_a_summary_for_people_shows_the_same_numbers(shell: Shell) -> None:
    file = write_rows(shell.folder / "cards.jsonl", [*rows(40), {"no": "card"}, row(1)])
    result = shell.good("import", "mtg", file)
    shown = {line.split()[0]: line.split()[1] for line in result.out.splitlines() if len(line.split()) == 2}
    assert (shown["read"], shown["added"], shown["skipped"], shown["legal"]) == ("42", "40", "2", "40")
    assert "Skipped line 41: " in result.err
    assert "Skipped mtg:dsk/1: the same id again" in result.err


def test_rows_that_were_skipped_for_one_reason_are_one_line(shell: Shell) -> None:
    again = [row(number) for number in range(1, 31)]
    file = write_rows(shell.folder / "cards.jsonl", [*rows(80), *again, {"no": "card"}])
    told = [line for line in shell.good("import", "mtg", file).err.splitlines() if line.startswith("Skipped")]
    assert told == [
        "Skipped 30 rows, the first mtg:dsk/1: the same id again",
        "Skipped line 111: Object missing required field `name`",
    ]


@pytest.mark.parametrize("again", [[], [row(2, cost=5)]])
def test_a_summary_counts_the_reasons_that_the_catalogue_holds(shell: Shell, again: list[dict[str, Any]]) -> None:
    odd = [
        {**row(2000), "layout": "split"},
        {**row(2001), "layout": "art_series"},
        {**row(2002), "games": ["mtgo"]},
        {**row(2003), "mana_cost": "{1}{2}"},
    ]
    cards = [*odd, *rows(600), *again]
    for _ in range(2):  # all of them new, and then all of them there
        summary = shell.import_rows(cards)
        with Store(shell.database) as store:
            held = store.connection.execute("SELECT reason, count(*) FROM cards GROUP BY reason").fetchall()
        assert {None: summary["legal"], **summary["barred"]} == dict(held)
        barred = summary["barred"]
        assert list(barred) == sorted(barred, key=lambda reason: (-barred[reason], reason))
        assert len(held) == 5
        cards = [*cards, {**row(2004), "layout": "split"}]


def test_a_duplicate_is_skipped_in_the_same_batch_and_in_a_later_one(shell: Shell) -> None:
    cards = [*rows(2), row(1, cost=5), *rows(1200, start=3), row(2, cost=5)]
    summary = shell.import_rows(cards)
    assert (summary["read"], summary["added"], summary["skipped"]) == (1204, 1202, 2)
    assert_adds_up(summary)
    assert (costs(shell.database)["mtg:dsk/1"], costs(shell.database)["mtg:dsk/2"]) == (1, 2)


def test_a_file_of_which_under_half_can_be_read_is_refused(shell: Shell) -> None:
    shell.import_rows([*rows(10), *[{"no": "card"}] * 10])
    before = shell.catalogue()
    file = write_rows(shell.folder / "cards.jsonl", [*rows(10), *[{"no": "card"}] * 11])
    shell("import", "mtg", file).refused("only 10 of 21 rows are cards", "Is it the right file?")
    assert shell.catalogue() == before


def test_cards_that_the_data_no_longer_have_are_removed(shell: Shell) -> None:
    shell.import_rows(rows(40))
    summary = shell.import_rows(rows(39))
    assert (summary["removed"], summary["unchanged"]) == (1, 39)
    assert_adds_up(summary)
    assert "mtg:dsk/40" not in costs(shell.database)
    assert shell("search", row(40)["name"], "--json").json_lines[0]["name"] != row(40)["name"]


def test_more_than_one_card_in_twenty_goes_only_by_force(shell: Shell) -> None:
    shell.import_rows(rows(40))
    before = shell.catalogue()
    file = write_rows(shell.folder / "fewer.jsonl", rows(37))
    shell("import", "mtg", file).refused("would remove 3 cards of mtg", "--add", "--force")
    assert shell.catalogue() == before
    assert shell.good("import", "mtg", file, "--force", "--json").json["removed"] == 3
    assert len(costs(shell.database)) == 37


def test_what_was_kept_by_add_goes_when_the_same_data_come_without(shell: Shell) -> None:
    shell.import_rows(rows(40))
    assert shell.import_rows(rows(20), "--add")["removed"] == 0
    assert shell.import_rows(rows(20), "--add")["unchanged"] == 40  # unchanged data, no work: what is held
    assert len(costs(shell.database)) == 40
    assert shell.import_rows(rows(20), "--force")["removed"] == 20


a_file = st.lists(
    st.tuples(st.integers(1, 30), st.one_of(st.integers(0, 2), st.integers(0, 2), st.none())), max_size=40
)
some_imports = st.lists(
    st.tuples(a_file, st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=6
)  # cards, whether to repeat the last file instead, --add, --force


@given(some_imports)
def test_any_sequence_of_imports_does_what_a_dict_would(imports: list[tuple[list[Card], bool, bool, bool]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database, file = Path(folder) / "catalogue.db", Path(folder) / "cards.jsonl"
        held: dict[str, int] = {}
        cards: list[Card] = []
        for new, repeat, add, force in imports:
            cards = cards if repeat and cards else new
            write_rows(file, [row(n, cost=cost) if cost is not None else {"no": n} for n, cost in cards])
            came: dict[str, int] = {}
            for number, cost in cards:
                if cost is not None:
                    came.setdefault(f"mtg:dsk/{number}", cost)
            skipped = len(cards) - len(came)
            gone = held.keys() - came.keys()
            refused = not came or skipped > len(came)
            refused = refused or (not add and not force and len(gone) > 0.05 * len(held | came))
            order = ImportRequest(MTG, file, keep_missing=add, force=force)
            before = database.read_bytes() if database.exists() else None
            if refused:
                with pytest.raises(CatalogError):
                    importing.run(order, database)
                assert (database.read_bytes() if database.exists() else None) == before
                continue
            summary = importing.run(order, database).to_dict()
            assert_adds_up(summary)
            assert summary["removed"] == (0 if add else len(gone))
            if summary["skipped"] or summary["added"] or summary["changed"]:  # else the data may be known already
                same = sum(came[card] == held.get(card) for card in came)
                expected = (len(cards), len(came.keys() - held.keys()), same, skipped)
                assert tuple(summary[key] for key in ("read", "added", "unchanged", "skipped")) == expected
            held = {**held, **came} if add else came
            assert costs(database) == held


# --- what the data are read by ----------------------------------------------------------------------------------


def test_the_same_file_is_read_again_by_another_layout(shell: Shell) -> None:
    shell.import_rows(CARDS)
    shipped = (Path(importing.__file__).parents[2] / "data" / "layouts" / "mtg.toml").read_text()
    mine = shell.folder / "mine.toml"
    mine.write_text(shipped.replace('zone = "top-right"', 'zone = "left"'))
    assert shell.import_rows(CARDS, "--layout", str(mine))["changed"] == 40
    with Store(shell.database) as store:
        assert store.find("mtg:dsk/7").zones["left"] == 7
    assert shell.import_rows(CARDS, "--layout", str(mine))["unchanged"] == 40
    assert shell.import_rows(CARDS)["changed"] == 40


def test_the_same_file_is_read_again_when_the_house_rules_have_changed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.import_rows(CARDS)
    before = shell.catalogue()
    monkeypatch.setattr(importing, "RULES", importing.RULES + 1)
    assert shell.import_rows(CARDS)["unchanged"] == 40
    assert shell.catalogue() != before


def test_a_bad_layout_is_told_before_anything_is_done(shell: Shell) -> None:
    (shell.folder / "bad.toml").write_text("format = 1\n[[printed]]\nzone = 3\n")
    file = write_rows(shell.folder / "cards.jsonl", CARDS)
    shell("import", "mtg", file, "--layout", shell.folder / "bad.toml").refused("bad.toml")
    shell("import", "starter", "--layout", shell.folder / "bad.toml").refused("--layout")
    assert shell.catalogue() == {}
