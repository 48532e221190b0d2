"""Malicious pictures: small files with huge declared sizes, damaged files, and files that are not pictures."""

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any, Final

from forged import damaged, flipped
from PIL import Image, ImageDraw


def drawn(kind: str, mode: str = "RGB", size: tuple[int, int] = (240, 320), **options: Any) -> bytes:
    """Draw a valid picture."""
    picture, out = Image.new(mode, size), io.BytesIO()
    ImageDraw.Draw(picture).ellipse((20, 20, 200, 260), fill=1)
    picture.save(out, kind, **options)
    return out.getvalue()


def png_says(wide: int, high: int, mode: str = "RGB") -> bytes:
    """Return a PNG whose header declares this size, with a correct checksum."""
    data = bytearray(drawn("PNG", mode))
    data[16:24] = struct.pack(">2L", wide, high)
    data[29:33] = struct.pack(">L", zlib.crc32(data[12:29]))
    return bytes(data)


def jpeg_says(wide: int, high: int, **options: Any) -> bytes:
    """Return a JPEG whose frame header declares this size."""
    data = bytearray(drawn("JPEG", **options))
    frame = data.index(b"\xff\xc2" if options.get("progressive") else b"\xff\xc0")
    data[frame + 5 : frame + 9] = struct.pack(">2H", high, wide)
    return bytes(data)


def bomb(wide: int, high: int, colours: int) -> bytes:
    """Return a PNG that consists of zeros: a few hundred KB that unpack to hundreds of MB."""
    packer = zlib.compressobj(9)
    lines = bytes((1 + wide * colours) * (high // 100))
    packed = b"".join(packer.compress(lines) for _ in range(100)) + packer.flush()
    kind = {1: 0, 3: 2, 4: 6}[colours]
    parts = ((b"IHDR", struct.pack(">2L5B", wide, high, 8, kind, 0, 0, 0)), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">L", len(body)) + name + body + struct.pack(">L", zlib.crc32(name + body)) for name, body in parts
    )


_TIFF_LZW: Final = {"compression": "tiff_lzw"}
KINDS: Final[dict[str, Callable[[], bytes]]] = {
    "JPEG": lambda: drawn("JPEG"),
    "a JPEG in scans": lambda: drawn("JPEG", progressive=True),
    "PNG": lambda: drawn("PNG"),
    "PNG with a hole": lambda: drawn("PNG", "RGBA"),
    "PNG of 16 bits": lambda: drawn("PNG", "I;16"),
    "WebP": lambda: drawn("WEBP"),
    "TIFF": lambda: drawn("TIFF", **_TIFF_LZW),
    "TIFF of fractions": lambda: drawn("TIFF", "F"),
    "BMP": lambda: drawn("BMP"),
    "GIF": lambda: drawn("GIF", "P"),
}
"""Valid pictures of every kind."""

HOSTILE: Final[dict[str, Callable[[], bytes]]] = {
    "a PNG that says it has 4 billion columns": lambda: png_says(0xFFFFFFFF, 300),
    "a PNG that says it has 900 megapixels": lambda: png_says(30_000, 30_000),
    "a PNG that says it has 79 megapixels": lambda: png_says(7900, 10_000),
    "a PNG that says it is empty": lambda: png_says(0, 0),
    "a bomb of 75 megapixels": lambda: bomb(7500, 10_000, 3),
    "a bomb of 44 megapixels with holes": lambda: bomb(4400, 10_000, 4),
    "a bomb that is one line": lambda: bomb(200, 300_000, 3),
    "a JPEG that says it has 200 megapixels": lambda: jpeg_says(14_000, 14_200),
    "a JPEG in scans that says it has 200 megapixels": lambda: jpeg_says(14_000, 14_200, progressive=True),
    "a JPEG in scans that says it has 47 megapixels": lambda: jpeg_says(6500, 7200, progressive=True),
    "a JPEG that says it is 65,500 high": lambda: jpeg_says(200, 65_500),
    "a program for a printer": lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 300 400\n(x) run\n%%EOF\n" * 9,
    "a scalable picture": lambda: b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>",
    "half a heading": lambda: b"\xff\xd8\xff\xe0",
    "a JPEG of marks": lambda: b"\xff\xd8" + b"\xff\xe0\xff\xff" + bytes(65_533) * 9,
    "a GIF of many pictures": lambda: drawn(
        "GIF", "P", save_all=True, append_images=[Image.new("P", (240, 320), n % 9) for n in range(200)]
    ),
    "a TIFF of many pictures": lambda: drawn(
        "TIFF", save_all=True, append_images=[Image.new("RGB", (240, 320)) for _ in range(20)]
    ),
    "a TIFF that goes round": lambda: b"II*\0\x08\0\0\0\1\0\0\1\3\0\1\0\0\0\1\0\0\0\x08\0\0\0",
    **{f"half of {name}": lambda make=make: make()[: len(make()) // 2] for name, make in KINDS.items()},
    **{f"{name} without an end": lambda make=make: make()[:-9] for name, make in KINDS.items()},
    **{
        f"{name} with noise {seed}": lambda make=make, seed=seed: flipped(make(), seed, 4 + 8 * seed)
        for name, make in KINDS.items()
        for seed in range(3)
    },
    **{f"{name} with a wrong heading": lambda make=make: damaged(make(), 9, 0xFF, 9) for name, make in KINDS.items()},
}
"""Functions that create the pictures, by description."""
