"""Small files that unpack to large ones: stopped by their total size, or because they yield no rows."""

import gzip
import zipfile
from pathlib import Path

import pytest
from forged import GOOD, member, overlapping, plain_tar, rows, zipped
from readers import import_file, read_collection

from ccgrid.catalog import read_limits
from ccgrid.catalog.collection.formats import format as formats
from ccgrid.catalog.download.cache import DamagedError, GzipCheck
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.read_limits import Allowance, RowWatch
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.store import imports

END = bytes(1024)


def unpacked(path: Path) -> int:
    """Return the total number of unpacked bytes in an archive."""
    with open_tree(path) as tree:
        return tree.measure()[1]


def error_of(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(CatalogError) as caught:
        unpacked(path)
    return str(caught.value)


def test_limit_applies_to_total_size_of_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "cards.zip"
    path.write_bytes(zipped({f"{number}.txt": bytes(1 << 20) for number in range(3)}))
    assert unpacked(path) == 3 << 20
    assert "far more than card data" in error_of(
        path, zipped({f"{number}.txt": bytes(1 << 20) for number in range(40)})
    )


def test_zip_with_overlapping_members_is_rejected_unread(tmp_path: Path) -> None:
    content = overlapping()
    assert len(content) < 250_000
    assert "files overlap" in error_of(tmp_path / "cards.zip", content)


def test_zip_with_gaps_between_files_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cards.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", b"a")
        archive.fp.write(b"room")  # type: ignore[union-attr]
        archive.start_dir = archive.fp.tell()  # type: ignore[union-attr,attr-defined]
        archive.writestr("b.txt", b"b")
    assert unpacked(path) == 2


def test_gzip_file_in_compressed_tarball_counts_towards_total_size(tmp_path: Path) -> None:
    inner = gzip.compress(bytes(16 << 20))
    content = gzip.compress(b"".join(member(b"%d.json.gz" % number, inner) for number in range(20)) + END)
    path = tmp_path / "cards.tar.gz"
    assert "far more than card data" in error_of(path, content)
    path.write_bytes(gzip.compress(plain_tar({"cards.jsonl.gz": gzip.compress(rows('"x": 1', count=100))})))
    assert unpacked(path) == len(rows('"x": 1', count=100))


def test_file_read_twice_counts_once() -> None:
    whole = Allowance("cards.zip", 1000)
    for _ in range(10):
        whole.take("a", read_limits.ALWAYS_UNPACKED // 2)
        whole.take("b", read_limits.ALWAYS_UNPACKED // 2)
    with pytest.raises(CatalogError, match="far more"):
        whole.take("c", 1)


def test_high_compression_ratio_is_checked_from_four_megabytes_on() -> None:
    size = read_limits.STEEPEST * (1 << 18)
    Allowance("cards.gz", size // read_limits.STEEPEST).take("a", size)
    with pytest.raises(CatalogError, match="far more"):
        Allowance("cards.gz", size // read_limits.STEEPEST - 1).take("a", size)


def test_reading_without_a_row_ends() -> None:
    time = 0.0
    watch = RowWatch("cards.gz", clock=lambda: time)
    time = read_limits.QUIET_SECONDS + 0.5
    watch.report(0, read_limits.QUIET_BYTES)  # The size of the file allows one more second.
    assert list(watch.rows(["Ant"])) == ["Ant"]
    time += 100.0
    watch.report(0, 0)
    time += read_limits.QUIET_SECONDS
    watch.report(0, 0)
    time += 0.1
    with pytest.raises(CatalogError, match="no card found"):
        watch.report(0, 0)


BLANK_LINES = {
    "before JSON Lines": ("mtg", b"\n" * 200 + rows('"x": 1', count=1)),
    "in JSON Lines": ("mtg", rows('"x": 1', count=1) + b"\n" * 200 + rows('"x": 1', count=1)),
    "in a list": ("mtg", b"[\n" + rows('"x": 1', count=1).strip() + b",\n" + b"\n" * 200 + b"{}\n]"),
    "before a table": ("file", b"\n" * 200 + b"name,number\nAnt,3\n"),
    "in a table": ("file", b"name,number\nAnt,3\n" + b"\n" * 200 + b"Bee,4\n"),
    "of blank cells": ("file", b"name,number\nAnt,3\n" + b",\n" * 200 + b"Bee,4\n"),
    "in a collection": (None, b"Name,Quantity\nAnt,1\n" + b"\n" * 200 + b"Bee,1\n"),
    "in a list of a collection": (None, b"1 Ant\n" + b"\n" * 200 + b"1 Bee\n"),
}


@pytest.mark.parametrize("where", BLANK_LINES)
def test_blank_lines_end_the_reading(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, content = BLANK_LINES[where]
    path = tmp_path / "cards"
    path.write_bytes(content)
    monkeypatch.setattr(read_limits, "MOST_BLANK", 100)
    with pytest.raises(CatalogError, match="over 100 lines in a row are empty"):
        read_collection(path) if source is None else import_file(source, path)
    monkeypatch.setattr(read_limits, "MOST_BLANK", 200)
    read_collection(path) if source is None else import_file(source, path)


def test_file_without_cards_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "_ENOUGH_UNREAD", 1000)
    path = tmp_path / "cards.jsonl"
    path.write_bytes(b"{}\n" * 5000)
    with pytest.raises(CatalogError, match="only 0 of 1,500 rows"):
        import_file("mtg", path)
    monkeypatch.setattr(imports, "MOST_ROWS", 1000)
    path.write_bytes(rows(*(f'"collector_number": "{number}"' for number in range(3000)), count=1))
    with pytest.raises(CatalogError, match="over 1000 rows"):
        import_file("mtg", path)


def test_collection_without_cards_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "ENOUGH_UNREAD", 100)
    monkeypatch.setattr(formats, "MOST_ROWS", 1000)
    path = tmp_path / "mine.jsonl"
    path.write_bytes(b"{}\n" * 5000)
    with pytest.raises(CatalogError, match="only 0 of 101 rows are cards"):
        read_collection(path)
    path.write_bytes(rows('"x": "a"', count=150) + b"{}\n" * 140 + rows('"x": "a"', count=150))
    assert read_collection(path)
    path.write_bytes(rows('"x": "a"', count=1001))
    with pytest.raises(CatalogError, match="over 1000 rows"):
        read_collection(path)
    path = tmp_path / "mine.csv"
    path.write_bytes(b"Name,Quantity\n" + b"Ant,0\n" * 900)
    assert read_collection(path), "a list of all cards has no copies of most of them"


def test_endlessly_unpacking_download_is_rejected() -> None:
    content = gzip.compress(bytes(64 << 20))
    check = GzipCheck(1 << 33, len(content))
    with pytest.raises(DamagedError, match="unpacks to more than"):
        check.feed(content)


def test_tarball_errors_name_archive_and_member(tmp_path: Path) -> None:
    words = error_of(tmp_path / "cards.tar", member(b"set/a.json.gz", b"\x1f\x8b\x08garbage" + bytes(20)) + GOOD + END)
    assert words.startswith("cards.tar: set/a.json.gz: the gzip file is damaged")
    (tmp_path / "cards.tar").write_bytes(member(b"set/b.json", b"") + END)
    with open_tree(tmp_path / "cards.tar") as tree:
        with pytest.raises(CatalogError) as caught, tree.open("set/b.json"):
            pass
        assert (str(caught.value), tree.measure()[1]) == ("cards.tar: set/b.json: the file is empty.", 0)
