"""Data sets in folders, zips and tarballs, including damaged and malicious ones."""

import gzip
import io
import os
import random
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from helpers.processes import start_writer

from ccgrid.catalog import read_limits
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.readers import archives
from ccgrid.catalog.readers.archives import MOST_MEMBERS, check_name, open_tree

FILES = {
    "top-1/cards/a.json": b"[1]",
    "top-1/cards/en/b.json": b"[2]",
    "top-1/sets.TXT": b"sets",
    "top-1/.git/x.txt": b"no",
}
SEEN = {name: body for name, body in FILES.items() if ".git" not in name}
CLIMBING = [
    "../a.txt",
    "a/../../b.txt",
    "/etc/a.txt",
    "C:/a.txt",
    "c:\\a.txt",
    "..\\a.txt",
    "a\\..\\..\\b.txt",
    "\\a.txt",
]


def folder(path: Path, files: Mapping[str, bytes]) -> Path:
    for name, body in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(body)
    return path


def make_zip(path: Path, files: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path.with_suffix(".zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
    return path.with_suffix(".zip")


def make_tar(path: Path, files: Mapping[str, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path.with_suffix(".data"), mode) as archive:  # type: ignore[call-overload]
        for name, body in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    return path.with_suffix(".data")


def plain_tar(path: Path, files: Mapping[str, bytes]) -> Path:
    return make_tar(path, files, "w")


MAKERS = [folder, make_zip, make_tar, plain_tar]


def content(path: Path) -> dict[str, bytes]:
    found = {}
    with open_tree(path) as tree:
        for name in tree.names:
            with tree.open(name) as stream:
                found[name] = stream.read()
    return found


@pytest.mark.parametrize("make", MAKERS)
def test_data_set_is_the_same_in_every_kind_of_archive(tmp_path: Path, make: Callable[..., Path]) -> None:
    path = make(tmp_path / "set", FILES)
    assert content(path) == SEEN
    with open_tree(path) as tree:
        assert tree.matching("cards/en/*.json") == ["top-1/cards/en/b.json"]
        assert tree.matching("*.json") == ["top-1/cards/a.json", "top-1/cards/en/b.json"]
        assert tree.matching("SETS.txt") == ["top-1/sets.TXT"]
        assert tree.measure()[1] == sum(map(len, SEEN.values()))
        for _ in range(2):
            with tree.open("top-1/cards/a.json") as stream:
                assert stream.read() == b"[1]"


def test_measure_depends_on_contents_and_names(tmp_path: Path) -> None:
    sums = set()
    for number, files in enumerate(({"a.txt": b"x"}, {"b.txt": b"x"}, {"a.txt": b"y"}, {"a.txt": b"x", "b.txt": b""})):
        with open_tree(make_zip(tmp_path / str(number), files)) as tree:
            if number < 3:
                sums.add(tree.measure()[0])
    assert len(sums) == 3


def test_single_file_is_a_data_set(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"Name")
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(b"[]"))
    assert content(tmp_path / "a.csv") == {"a.csv": b"Name"}
    assert content(tmp_path / "b.json.gz") == {"b.json.gz": b"[]"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_pipe_is_read_although_it_opens_only_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = start_writer(tmp_path / "pipe", b"Name")
    with open_tree(tmp_path / "pipe") as tree:
        for _ in range(2):
            with tree.open("pipe") as stream:
                assert stream.read() == b"Name"
    writer.join(120)


# --- malicious and damaged archives ----------------------------------------------------------------------------


@pytest.mark.parametrize("make", [make_zip, make_tar, plain_tar])
@pytest.mark.parametrize("name", CLIMBING)
def test_entry_that_leads_out_is_an_error_and_nothing_is_written(
    tmp_path: Path, make: Callable[..., Path], name: str
) -> None:
    home = tmp_path / "deep" / "er"
    home.mkdir(parents=True)
    path = make(home / "evil", {"cards.txt": b"Name", name: b"out"})
    with pytest.raises(CatalogError, match="leads out"), open_tree(path):
        pass
    assert [entry.name for entry in tmp_path.rglob("*")] == ["deep", "er", path.name]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_special_file_in_a_tarball_is_an_error(tmp_path: Path, kind: bytes) -> None:
    path = tmp_path / "evil.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        link = tarfile.TarInfo("cards.txt")
        link.type, link.linkname = kind, "/etc/passwd"
        archive.addfile(link)
    with pytest.raises(CatalogError, match="is a link or a special file"), open_tree(path):
        pass


def test_link_in_a_zip_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("cards.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(CatalogError, match="is a link"), open_tree(path):
        pass


def test_link_out_of_a_folder_is_an_error_and_one_inside_is_followed(tmp_path: Path) -> None:
    home = folder(tmp_path / "home", {"a.txt": b"in", "sub/b.txt": b"in"})
    (home / "c.txt").symlink_to("a.txt")
    assert set(content(home)) == {"a.txt", "c.txt", "sub/b.txt"}
    (tmp_path / "secret.txt").write_bytes(b"out")
    (home / "sub" / "d.txt").symlink_to("../../secret.txt")
    with pytest.raises(CatalogError, match="leads out of the folder"):
        content(home)
    (home / "sub" / "d.txt").unlink()
    (home / "other").symlink_to(tmp_path)
    with pytest.raises(CatalogError, match="leads out of the folder"):
        content(home)


def bomb(path: Path, size: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("cards.txt", "w") as file:
        for _ in range(size >> 20):
            file.write(bytes(1 << 20))
    return path


def test_archive_that_unpacks_beyond_the_limit_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_limits, "ALWAYS_UNPACKED", 2 << 20)
    with pytest.raises(CatalogError, match="far more than card data"):
        content(bomb(tmp_path / "bomb.zip", 20 << 20))
    with pytest.raises(CatalogError, match="far more than card data"):
        content(make_tar(tmp_path / "bomb", {"cards.txt": bytes(20 << 20)}))
    monkeypatch.setattr(archives, "MOST_EXTRACTED", 1 << 20)
    with pytest.raises(CatalogError, match="stopped, it holds over"):
        content(plain_tar(tmp_path / "bomb", {"cards.txt": bytes(20 << 20)}))


def test_zip_with_a_wrong_size_is_an_error(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "liar", {"cards.txt": b"Name\n" * 1000})
    body = bytearray(path.read_bytes())
    where = body.index(b"PK\x01\x02") + 24
    body[where : where + 4] = struct.pack("<I", 10)
    path.write_bytes(body)
    with pytest.raises(CatalogError, match=r"damaged|far more"):
        content(path)


def test_archive_with_too_many_files_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_MEMBERS >= 50_000  # Some folders have a file for each card.
    monkeypatch.setattr(archives, "MOST_MEMBERS", 20)
    many = {f"{number}.txt": b"" for number in range(30)}
    for make in MAKERS:
        with pytest.raises(CatalogError, match="over 20 files"):
            content(make(tmp_path / make.__name__, many))


def test_very_long_name_in_a_tarball_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "evil.tar"
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 1 << 33
    path.write_bytes(header.tobuf(tarfile.GNU_FORMAT) + b"a" * 100_000)
    with pytest.raises(CatalogError, match="a name of over 1 MiB"), open_tree(path):
        pass


@pytest.mark.parametrize("make", [make_zip, make_tar, plain_tar])
def test_damaged_archive_is_reported(tmp_path: Path, make: Callable[..., Path]) -> None:
    noise = random.Random(1).randbytes
    files = {"a.txt": noise(5000), "b.txt": noise(5000)}
    whole = make(tmp_path / "whole", files).read_bytes()
    end = len(whole.rstrip(b"\0"))  # The rest of a tarball is padding.
    path = tmp_path / "part"
    for size in (*range(700, end, 997), 5632, 5700):
        path.write_bytes(whole[:size])
        with pytest.raises(CatalogError):
            content(path)
    for place in range(600, len(whole), 397):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            content(path)
        except CatalogError:
            continue


def test_archive_with_password_is_reported(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "locked", {"a.txt": b"Name"})
    body = bytearray(path.read_bytes())
    body[body.index(b"PK\x03\x04") + 6] |= 1
    body[body.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(body)
    with pytest.raises(CatalogError, match="cannot be unpacked"):
        content(path)


def test_name_inside_the_folder_is_normalised() -> None:
    assert check_name("./plugins\\AvP//sets/a.txt", "list") == "plugins/AvP/sets/a.txt"
    assert check_name("..a/b..txt", "list") == "..a/b..txt"
