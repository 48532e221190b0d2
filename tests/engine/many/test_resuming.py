"""Tests of files of counts and records, with which interrupted simulations are resumed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.resume_files import GAMES, RESUMED, numbers_in, resume, resume_file, with_number
from helpers.small_lineups import CARDS, LINEUP, counts_of

from ccgrid.engine.deck_sources import FixedDecks, RandomDecks
from ccgrid.engine.errors import EngineError
from ccgrid.engine.many.simulation import Lineup, simulate
from ccgrid.engine.many.tally import SavedCounts, SavedRecords, digest
from ccgrid.engine.records.match import Match


def test_resumed_counts_equal_uninterrupted_ones(tmp_path: Path):
    counts_file = tmp_path / "kept.json"
    lineup = Lineup("grid", ("random", "greedy", "random"), RandomDecks(CARDS, 20), 5)
    for games in (300, 300, 1200, 1500):
        resumed = simulate(lineup, games, resume=counts_file)
        assert counts_of(resumed) == counts_of(simulate(lineup, games))
    reports: list[int] = []
    simulate(lineup, 1500, resume=counts_file, progress=reports.append)
    assert reports == [1500]


@pytest.mark.parametrize("plan", [None, Match.by_points("grid", LINEUP.players)])
def test_resumed_records_equal_uninterrupted_ones(tmp_path: Path, plan):
    counts_file, path, lines = tmp_path / "kept.json", tmp_path / "games.jsonl", []
    simulate(LINEUP, 30, plan=plan, write=lines.append)
    simulate(LINEUP, 10, plan=plan, resume=counts_file, records=SavedRecords(path))
    assert 0 < len(path.read_text().splitlines()) < len(lines)
    path.rename(part := path.with_name("games.jsonl.part"))  # simulates an interruption
    with part.open("a") as file:
        file.write('{"game": "gr')  # in the middle of a record
    simulate(LINEUP, 20, plan=plan, resume=counts_file, records=SavedRecords(path))
    simulate(LINEUP, 30, plan=plan, resume=counts_file, records=SavedRecords(path))
    assert path.read_text() == "".join(lines)
    assert not part.exists()
    assert simulate(LINEUP, 30, plan=plan, resume=counts_file, records=SavedRecords(path)).tally.games == len(lines)


def test_records_that_do_not_match_counts_are_rejected_and_kept(tmp_path: Path):
    counts_file, path = tmp_path / "kept.json", tmp_path / "games.jsonl"
    path.write_text("mine")
    with pytest.raises(EngineError, match="exists already"):
        simulate(LINEUP, 10, resume=counts_file, records=SavedRecords(path))
    simulate(LINEUP, 10, resume=counts_file, records=SavedRecords(path, lambda path: None))
    path.write_text("mine")
    with pytest.raises(EngineError, match="missing or damaged"):
        simulate(LINEUP, 20, resume=counts_file, records=SavedRecords(path))
    assert path.read_text() == "mine"
    with pytest.raises(EngineError, match="only the file has records"):
        simulate(LINEUP, 20, resume=counts_file)


@pytest.mark.parametrize("is_link", [False, True])
def test_existing_part_file_is_kept(tmp_path: Path, shell, is_link: bool):
    part, other_file = tmp_path / "g.jsonl.part", tmp_path / "letter"
    other_file.write_text("Dear Ann")
    if is_link:
        part.symlink_to(other_file)
    else:
        part.write_text("Dear Ann")
    command = ("simulate", "matrix", "-n", "5", "--seed", "1", "--records", tmp_path / "g.jsonl", "--resume")
    for options, words in (((), "g.jsonl.part"), (("--force",), "g.jsonl.part")):
        shell(*command, tmp_path / "counts", *options).fails(words)
        assert part.read_text() == other_file.read_text() == "Dear Ann"
        assert part.is_symlink() is is_link
    part.unlink()
    shell.good(*command, tmp_path / "counts")
    assert len((tmp_path / "g.jsonl").read_text().splitlines()) == 5


def test_file_created_meanwhile_is_kept(tmp_path: Path):
    path = tmp_path / "g.jsonl"
    records = SavedRecords(path)
    records.begin(None)
    records.write(['{"game": "grid"}\n'])
    path.write_text("mine")
    with pytest.raises(EngineError, match="was created by another program"):
        records.finish()
    assert path.read_text() == "mine"
    assert (tmp_path / "g.jsonl.part").read_text() == '{"game": "grid"}\n'


@pytest.mark.parametrize("content", ["", "{", '{"game": "gr'])
def test_games_interrupted_before_first_count_restart(tmp_path: Path, content: str):
    path = tmp_path / "games.jsonl"
    records = SavedRecords(path)
    records.begin(None)
    records.close()
    (tmp_path / "games.jsonl.part").write_text(content)
    records.begin(0)
    records.close()
    (tmp_path / "games.jsonl.part").write_text("Dear Ann")
    with pytest.raises(EngineError, match="damaged"):
        records.begin(0)
    assert (tmp_path / "games.jsonl.part").read_text() == "Dear Ann"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 8}, 'seed is "7" in the file, and "8" in the command'),
        ({"policies": ("random", "random")}, 'players is "random, greedy" in the file, and "random, random" in the'),
        ({"options": {"komi": 5}}, 'options is "none" in the file, and "komi=5" in the command'),
        ({"decks": FixedDecks((CARDS[1:21],))}, "the cards are not the same"),
        ({"game": "matrix", "decks": FixedDecks(())}, 'game is "grid" in the file, and "matrix" in the command'),
    ],
)
def test_counts_of_other_games_are_rejected(tmp_path: Path, change, message):
    counts_file = tmp_path / "kept.json"
    simulate(LINEUP, 20, resume=counts_file)
    before = counts_file.read_bytes()
    with pytest.raises(EngineError, match=message):
        simulate(replace(LINEUP, **change), 40, resume=counts_file)
    assert counts_file.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b"[1]", b'{"ccgrid": 2}', b"[" * 100_000])
def test_unrelated_file_is_rejected_and_kept(tmp_path: Path, content: bytes):
    counts_file = tmp_path / "mine.json"
    counts_file.write_bytes(content)
    with pytest.raises(EngineError, match="has no games to continue"):
        simulate(LINEUP, 20, resume=counts_file)
    assert counts_file.read_bytes() == content


DAMAGED = "is damaged: its checksum does not match. Delete it to start again"


def test_damaged_counts_are_rejected_and_kept(tmp_path: Path, shell):
    counts_file = tmp_path / "kept.json"
    shell.good("simulate", "grid", "-n", "20", "--resume", counts_file)
    damaged = with_number(counts_file.read_bytes(), ("counts", "games", "moves"), 17)
    counts_file.write_bytes(damaged)
    result = shell("simulate", "grid", "-n", "40", "--resume", counts_file)
    assert (result.status, result.out) == (3, "")
    assert result.err.splitlines()[-1].endswith(f" {DAMAGED}")
    assert counts_file.read_bytes() == damaged


@pytest.mark.parametrize("kind", RESUMED)
def test_every_changed_number_is_reported(tmp_path: Path, kind: str):
    counts_file = tmp_path / "kept.json"
    for path in numbers_in(json.loads(resume_file(kind))):
        counts_file.write_bytes(changed := with_number(resume_file(kind), path, 9_999))
        with pytest.raises(EngineError, match=rf"{DAMAGED}|has no games to continue"):
            resume(kind, counts_file)
        assert counts_file.read_bytes() == changed


@pytest.mark.parametrize("kind", RESUMED)
def test_every_truncated_file_is_reported(tmp_path: Path, kind: str):
    counts_file, content = tmp_path / "kept.json", resume_file(kind)
    for length in range(0, len(content) - 1, 7):
        counts_file.write_bytes(content[:length])
        with pytest.raises(EngineError, match=r"has no games to continue"):
            resume(kind, counts_file)
        assert counts_file.read_bytes() == content[:length]


@pytest.mark.parametrize("kind", RESUMED)
def test_file_of_earlier_version_without_checksum_resumes(tmp_path: Path, kind: str):
    counts_file, document = tmp_path / "kept.json", json.loads(resume_file(kind))
    del document["checksum"]
    counts_file.write_text(json.dumps(document))
    resume(kind, counts_file)
    assert "checksum" in json.loads(counts_file.read_bytes())


@pytest.mark.parametrize("kind", RESUMED)
def test_every_kind_of_file_resumes_like_uninterrupted_play(tmp_path: Path, kind: str):
    counts_file, uninterrupted = tmp_path / "kept.json", tmp_path / "other.json"
    counts_file.write_bytes(resume_file(kind))
    resume(kind, counts_file)
    RESUMED[kind](uninterrupted, GAMES + 4)
    found = [json.loads(path.read_bytes()) for path in (counts_file, uninterrupted)]
    assert found[0]["counts"] == found[1]["counts"]


@pytest.mark.parametrize("bytes_less", [1, 0, -1])
def test_records_of_uncounted_games_are_rejected_and_kept(tmp_path: Path, bytes_less: int):
    counts_file, path = tmp_path / "kept.json", tmp_path / "games.jsonl"
    simulate(LINEUP, 10, resume=counts_file, records=SavedRecords(path))
    written = path.read_bytes()
    missing_bytes = bytes_less or len(written.splitlines(keepends=True)[-1])
    document = json.loads(counts_file.read_bytes())
    document["counts"]["written"] = len(written) - missing_bytes
    del document["checksum"]
    counts_file.write_text(json.dumps(document))
    path.write_bytes(written * 2)
    path.rename(part := path.with_name("games.jsonl.part"))
    with pytest.raises(EngineError, match="missing or damaged"):
        simulate(LINEUP, 20, resume=counts_file, records=SavedRecords(path))
    assert part.read_bytes() == written * 2


def test_requesting_fewer_games_than_saved_is_rejected(tmp_path: Path):
    simulate(LINEUP, 40, resume=tmp_path / "kept.json")
    with pytest.raises(EngineError, match="already has 40 games"):
        simulate(LINEUP, 20, resume=tmp_path / "kept.json")


def test_unwritable_file_is_rejected_before_playing(tmp_path: Path):
    reports: list[int] = []
    with pytest.raises(OSError, match="missing"):
        simulate(LINEUP, 20, resume=tmp_path / "missing" / "kept.json", progress=reports.append)
    assert reports == []


def test_seed_defaults_to_saved_seed(tmp_path: Path, shell):
    options = ("simulate", "matrix", "--resume", tmp_path / "kept.json", "--json", "-n")
    first = json.loads(shell.good(*options, "20").out)
    second = json.loads(shell.good(*options, "30").out)
    assert second["seed"] == first["seed"]
    assert second["games"] == 30


def test_digest_distinguishes_values_but_not_lists_and_tuples():
    decks = FixedDecks((CARDS[:20],))
    assert digest(decks) == digest(FixedDecks((CARDS[:20],)))
    assert digest(decks) != digest(FixedDecks((CARDS[1:21],)))
    assert digest({"a": 1, "b": [2]}) == digest({"b": (2,), "a": 1})
    with pytest.raises(EngineError, match="cannot be resumed"):
        digest(counts_of)


def test_nothing_is_saved_without_file():
    counts_file = SavedCounts(None, {}, list)
    counts_file.save(1, 1.0, [1], now=True)
    assert counts_file.load() is None
