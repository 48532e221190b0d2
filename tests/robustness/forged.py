"""Malicious files: parts of archives, decks and rows, with correct checksums."""

import gzip
import io
import json
import random
import struct
import tarfile
import zipfile
import zlib
from typing import Final

NINES: Final = b"9" * 5000
CARD: Final = {"name": "Ant", "set": "dsk", "collector_number": "1", "number": "3", "id": "x:1", "game": "grid"}


def packed(content: bytes) -> bytes:
    """Compress with gzip; equal content gives equal bytes."""
    return gzip.compress(content, mtime=0)


def rows(*more: str, count: int = 3) -> bytes:
    """Return JSON Lines of ordinary cards, each with these additional members."""
    body = json.dumps(CARD)[:-1]
    return b"".join(f"{body}, {member}}}\n".encode("utf-8", "surrogatepass") for member in more for _ in range(count))


def deck(members: str) -> bytes:
    """Return a deck in JSON with one card that has these members."""
    return f'{{"name": "x", "cards": [{{"name": "Ant", "zones": {{"top": 3}}, {members}}}]}}'.encode()


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


def overlapping(copies: int = 2000, size: int = 8 << 20) -> bytes:
    """Return a zip whose directory lists the same compressed bytes many times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(bytes(size)) + packer.flush()
    crc, directory = zlib.crc32(bytes(size)), b""
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(packed), size, 5, 0) + b"a.txt" + packed
    for number in range(copies):
        name = f"{number}.txt".encode()
        sizes = (crc, len(packed), size, len(name), 0, 0, 0, 0, 0, 0)
        directory += struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, *sizes) + name
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, copies, copies, len(directory), len(local), 0)
    return local + directory + end


def damaged(content: bytes, place: int, value: int = 0xFF, count: int = 1) -> bytes:
    """Overwrite bytes in the middle of the content."""
    return content[:place] + bytes([value]) * count + content[place + count :]


def header(name: bytes, size: bytes | int, kind: bytes = b"0", **more: bytes) -> bytes:
    """Return one header of a tarball, with a correct checksum for any content."""
    digits = size if isinstance(size, bytes) else b"%011o\0" % size
    mode, link = more.get("mode", b"0000644\0"), more.get("link", b"")
    block = name.ljust(100, b"\0")[:100] + mode + b"0000000\0" * 2 + digits.ljust(12, b"\0")[:12]
    block += more.get("time", b"00000000000\0") + b" " * 8 + kind + link.ljust(100, b"\0")[:100] + b"ustar\x0000"
    block = (block + more.get("rest", b"")).ljust(512, b"\0")[:512]
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]


def member(name: bytes, content: bytes, kind: bytes = b"0", **more: bytes) -> bytes:
    """Return a file in a tarball."""
    return header(name, len(content), kind, **more) + content + bytes(-len(content) % 512)


def pax(*records: tuple[bytes, bytes]) -> bytes:
    """Return a pax header with these records."""
    body = b""
    for key, value in records:
        line = b" %s=%s\n" % (key, value)
        size = len(line) + 1
        while len(b"%d" % size) + len(line) != size:
            size += 1
        body += b"%d" % size + line
    return member(b"pax", body, b"x")


END: Final = bytes(1024)
GOOD: Final = member(b"cards.jsonl", rows('"x": 1'))


def flipped(content: bytes, seed: int, flips: int = 8) -> bytes:
    """Flip random bits of the content."""
    rng, data = random.Random(seed), bytearray(content)
    for _ in range(flips):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def repaired(content: bytes) -> bytes:
    """Correct the checksum of every block of a tarball that looks like a header."""
    out = bytearray(content)
    for start in range(0, len(out) - 511, 512):
        block = out[start : start + 512]
        if block[257:262] == b"ustar":
            block[148:156] = b" " * 8
            out[start + 148 : start + 156] = b"%06o\0 " % sum(block)
    return bytes(out)


def plain_tar(files: dict[str, bytes]) -> bytes:
    """Return a valid tarball."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            found = tarfile.TarInfo(name)
            found.size = len(content)
            archive.addfile(found, io.BytesIO(content))
    return out.getvalue()
