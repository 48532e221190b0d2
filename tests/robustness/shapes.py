"""Malicious files: documents, tables and archives of every kind that could harm a reader."""

import bz2
import lzma
import random
import struct
import zipfile
from collections.abc import Callable
from typing import Final

from forged import (
    CARD,
    END,
    GOOD,
    NINES,
    damaged,
    deck,
    flipped,
    header,
    member,
    overlapping,
    packed,
    pax,
    repaired,
    rows,
    zipped,
)

SHAPES: Final[dict[str, Callable[[], bytes]]] = {
    # --- empty and binary files
    "nothing": lambda: b"",
    "a mark of order alone": lambda: b"\xef\xbb\xbf",
    "zeros": lambda: bytes(5000),
    "one brace": lambda: b"{",
    "one bracket": lambda: b"[",
    "noise": lambda: random.Random(1).randbytes(50_000),
    "UTF-16": lambda: rows('"x": "Bär"').decode().encode("utf-16"),
    "half a UTF-16": lambda: "name\tnumber\nAnt\t3\n".encode("utf-16")[:-1],
    "UTF-32": lambda: rows('"x": 1').decode().encode("utf-32"),
    "a web page": lambda: b"<!DOCTYPE html><html><body>Sign in</body></html>",
    "blank lines": lambda: b"\n" * (3 << 20),
    "spaces": lambda: b" " * (4 << 20),
    "carriage returns": lambda: b"\r" * (2 << 20),
    "a long line": lambda: b"x" * (5 << 20),
    # --- JSON
    "JSON lists without end": lambda: b"[" * 200_000,
    "JSON objects without end": lambda: b'{"a":' * 100_000,
    "a row nested deeply": lambda: rows(f'"deep": {"[" * 5000}{"]" * 5000}'),
    "a row nested a little": lambda: rows(f'"deep": {"[" * 500}{"]" * 500}'),
    "an empty object": lambda: b"{}",
    "an empty list": lambda: b"[]",
    "an error object": lambda: b'{"object": "error", "code": "not_found", "details": "Nothing is here."}',
    "an empty list of data": lambda: b'{"data": []}',
    "data of the wrong kind": lambda: b'{"data": 7, "cards": "x", "meta": []}',
    "numbers as rows": lambda: b'[1, 2, 3, null, true, [], "x"]',
    "a list of lists": lambda: b"[" + b"[[],[]]," * 200_000 + b"[]]",
    "a control character in a key": lambda: rows('"a\\u0000b": 1', '"\\u001b[2J": 2', '"number\\u0007": 3'),
    "a raw control character": lambda: rows('"a": "\x01\x02"', '"b\x1f": 1'),
    "a control character in a name": lambda: rows(
        '"name": "A\\u0000\\u001bnt", "set": "\\u0000", "number": "\\u00013"'
    ),
    "a raw control character in a key of objects": lambda: (
        b'{"a\x01": 1, "data\x1f": [], "data": {"cards\x02": [], "cards": [{"name": "A", "b\x03": 1}]},'
        b' "cards": [{"\x04": 1}]}'
    ),
    "half characters": lambda: rows('"a": "\\ud800"', '"\\udfff": 1', '"name": "\\ud83d"', '"number": "\\udc003"'),
    "raw half characters": lambda: rows('"name": "\ud800"'),
    "thousands of digits": lambda: rows(f'"number": {NINES.decode()}', f'"number": "{NINES.decode()}"'),
    "a number beyond all measure": lambda: rows('"number": 1e400', '"number": -1e999', '"number": 1E+100000000'),
    "no number": lambda: rows('"number": NaN', '"number": Infinity', '"number": -0', '"number": 0.1e-7'),
    "64 bits and one": lambda: rows('"number": 9223372036854775808', '"number": -9223372036854775809'),
    "settles too much": lambda: rows('"settles": 1000000000000000000000000000000', '"settles": -1', '"copies": 1e30'),
    "the same key again": lambda: rows('"name": "Bee", "name": "Ant", "name": ["x"]'),
    "everything is a list": lambda: rows(*(f'"{key}": [{{"a": []}}]' for key in (*CARD, "printed", "faces", "meta"))),
    "everything is an object": lambda: rows(*(f'"{key}": {{"a": {{}}}}' for key in (*CARD, "printed", "card_faces"))),
    "everything is true": lambda: rows(*(f'"{key}": true' for key in (*CARD, "games", "attributes", "front"))),
    "many keys": lambda: rows(",".join(f'"k{number}": {number}' for number in range(20_000)), count=2),
    "a long name": lambda: rows(f'"name": "{"x" * 900_000}"', count=2),
    "rows of different keys": lambda: b"".join(b'{"name": "A", "k%d": 1}\n' % number for number in range(20_000)),
    "the end is missing": lambda: rows('"x": 1')[:-20],
    "more after the end": lambda: b"[" + rows('"x": 1').strip().replace(b"\n", b",") + b"] trailing",
    "a long list beside the cards": lambda: b'{"a": [' + b"1," * 500_000 + b'1], "cards": [], "data": {}}',
    "commas": lambda: b"[" + b"," * (2 << 20),
    "an escape at the end": lambda: b'{"a": "\\' + b"\\" * 100_001,
    "MTGJSON with a control character": lambda: (
        b'{"data": {"X\\u0000": {"name": "a\\u0000\x01b", "cards": ['
        b'{"name": "\x01", "number": "1", "setCode": "\\u0000"}]}}}'
    ),
    "MTGJSON of many sets": lambda: (
        b'{"data": {' + b",".join(b'"S%d": {"cards": []}' % n for n in range(20_000)) + b"}}"
    ),
    # --- decks, records, layouts
    "a deck of thousands of digits": lambda: deck(f'"score": {NINES.decode()}'),
    "a score of 10^400": lambda: deck(f'"score": 1{"0" * 400}'),
    "a float score": lambda: deck('"score": 1e400'),
    "a deck of ten thousand": lambda: b"10000 Ant\n" * 500,
    "a deck of too many digits": lambda: NINES + b" Ant\n" + b"3 Bee (x) " + NINES,
    "a deck of brackets": lambda: b"1 " + b"(" * 100_000 + b"\n1 " + b"Ant (a) " * 10_000,
    "TOML digits": lambda: b"cards = [ { name = 'Ant', score = " + NINES + b", zones = { top = 3 } } ]",
    "TOML score of 10^400": lambda: b"[[cards]]\nname = 'Ant'\nscore = 1" + b"0" * 400 + b"\nzones = { top = 3 }\n",
    "TOML hexadecimal": lambda: b"cards = 0x" + b"f" * 100_000,
    "TOML of dotted keys": lambda: b"cards" + b".a" * 20_000 + b" = 1",
    "TOML of dotted keys with spaces": lambda: b"cards = []\nb" + b" . 'a'" * 8000 + b" = 1",
    "TOML of dotted tables": lambda: b"[[cards]]\n[a" + b".a" * 20_000 + b"]",
    "TOML of many dotted keys": lambda: b"cards = []\n" + b"".join(b"a%d.b.c.d.e.f.g = 1\n" % n for n in range(5000)),
    "TOML nested lists": lambda: b"cards = " + b"[" * 50_000,
    "TOML nested tables": lambda: b"cards = " + b"{a = " * 20_000,
    "TOML control characters": lambda: b'cards = [ "\\u0000", "\\u001b[2J" ]\n"\\u0007" = 1\n',
    "TOML dates": lambda: b"cards = [ 1979-05-27T07:32:00Z, 07:32:00, 9999-12-31 ]\ngame = 1979-05-27\n",
    "TOML floats": lambda: b"cards = [ nan, inf, -inf, 1e400 ]\nseed = inf\nformat = nan\n",
    "TOML many tables": lambda: b"[[cards]]\n" * 50_000,
    # --- tables
    "many columns": lambda: b"\t".join(b"c%d" % n for n in range(50_000)) + b"\n1\t2\n",
    "delimiters": lambda: b"name\tnumber\n" + b"\t\t\n" * 400_000,
    "the header again and again": lambda: b"name,number\n" * 300_000,
    "a quotation mark never closed": lambda: b'name,number\n"Ant,3\n' + b"Bee,4\n" * 20_000,
    "quotation marks": lambda: b"name,number\n" + b'"' * (1 << 20),
    "quotation marks in every line": lambda: b"name,number\n" + b'"Ant,"3\n' * 20_000,
    "a cell of many lines": lambda: b'name,number\n"' + b"x\n" * 60_000 + b'",3\n',
    "broken lines": lambda: b"name,number\n" + b'"A\n' * 30_000,
    "every encoding": lambda: b"name\tnumber\n" + bytes(range(1, 256)) * 50,
    "digits of other scripts": lambda: "name\tnumber\nAnt\t٣\nBee\t²\nCow\t௧௨\nDog\t1\u0301\n".encode(),
    "a table of huge numbers": lambda: b"name\tnumber\ttext\n" + b"Ant\t" + NINES + b"\tdraw " + NINES + b"\n",
    "a separator line": lambda: b"sep=\x00\nname\n",
    # --- XML
    "XML entities": lambda: (
        b'<!DOCTYPE a [<!ENTITY a "ha">'
        + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a;" * 99) for n in range(9))
        + b"]><cockatrice_carddatabase>&a8;</cockatrice_carddatabase>"
    ),
    "XML from elsewhere": lambda: b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><Deck>&a;</Deck>',
    "XML nested": lambda: b"<Deck>" + b"<a>" * 100_000,
    "XML of attributes": lambda: b"<Deck><Cards " + b" ".join(b'a%d="1"' % n for n in range(100_000)) + b"/></Deck>",
    "XML of elements": lambda: b"<Deck>" + b'<Cards Quantity="1" Name="Ant"/>' * 30_000 + b"</Deck>",
    "XML of numbers": lambda: b'<Deck><Cards CatID="%s" Quantity="%s" Name="A"/></Deck>' % (NINES, NINES),
    "XML of an unknown encoding": lambda: b'<?xml version="1.0" encoding="utf-7"?><Deck/>',
    "XML in UTF-16": lambda: '<?xml version="1.0" encoding="utf-16"?><Deck/>'.encode("utf-16"),
    "XML of a long comment": lambda: b"<Deck><!--" + b"x" * (6 << 20),
    "Cockatrice, hostile": lambda: (
        b'<?xml version="1.0"?><cockatrice_carddatabase version="4"><cards><card><name>A</name><set num="'
        + NINES
        + b'" uuid="\xf0\x9f">x</set><prop><pt>'
        + NINES
        + b"/"
        + NINES
        + b"</pt></prop></card></cards>"
        b"</cockatrice_carddatabase>"
    ),
    "CardDefs, hostile": lambda: (
        b'<CardDefs build="x"><Entity CardID="a"><Tag name="COLLECTIBLE" value="1"/><Tag name="COST" value="'
        + NINES
        + b'"/><Tag name="CARDNAME"><enUS>A</enUS></Tag></Entity></CardDefs>'
    ),
    # --- gzip
    "a gzip of blank lines": lambda: packed(b"\n" * (64 << 20)),
    "a gzip of zeros": lambda: packed(bytes(64 << 20)),
    "a gzip of empty objects": lambda: packed(b"{}\n" * (1 << 20)),
    "a gzip of the same row": lambda: packed(rows('"x": 1', count=1) * 60_000),
    "a gzip of headers": lambda: packed(b"name\tnumber\n" * (5 << 20)),
    "a gzip in a gzip": lambda: packed(packed(bytes(100 << 20))),
    "a gzip that ends too early": lambda: packed(rows('"x": 1', count=500))[:-9],
    "a gzip with a wrong sum": lambda: damaged(packed(rows('"x": 1')), -8),
    "a gzip with more behind it": lambda: packed(rows('"x": 1')) + b"more",
    "a gzip of many parts": lambda: packed(b"") * 30_000,
    "a gzip with a long name": lambda: b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * 2_000_000,
    # --- zip
    "a zip of overlapping files": overlapping,
    "a zip that unpacks without end": lambda: zipped({"cards.txt": bytes(64 << 20)}),
    "a zip of many small bombs": lambda: zipped({f"{n}.txt": bytes(1 << 20) for n in range(60)}),
    "a zip of a zip": lambda: zipped({"a.zip": zipped({"cards.json": bytes(8 << 20)})}),
    "a zip of many files": lambda: zipped({f"{n}.json": b"" for n in range(20_000)}, zipfile.ZIP_STORED),
    "a zip that climbs out": lambda: zipped({"../../cards.json": b"[]"}),
    "a zip with a wrong sum": lambda: zipped({"cards.jsonl": rows('"x": 1')}, zipfile.ZIP_STORED).replace(
        b"Ant", b"Bee"
    ),
    "a zip with a damaged LZMA file": lambda: damaged(
        zipped({"c.jsonl": rows('"x": 1') * 9}, zipfile.ZIP_LZMA), 48, 0xFF, 9
    ),
    "a zip with a damaged LZMA beginning": lambda: damaged(
        zipped({"c.json": rows('"x": 1')}, zipfile.ZIP_LZMA), 38, 0xFF, 6
    ),
    "a zip with a damaged bzip2 file": lambda: damaged(zipped({"c.json": rows('"x": 1')}, zipfile.ZIP_BZIP2), 45, 7, 9),
    "a zip with a damaged deflate file": lambda: damaged(zipped({"c.json": rows('"x": 1')}), 42, 0xFF, 9),
    "a zip of an unknown method": lambda: zipped({"c.json": b"[]"}, 0).replace(b"\x14\0\0\0\0\0", b"\x14\0\0\0c\0"),
    "a zip that is locked": lambda: zipped({"c.json": b"[]"}, 0).replace(
        b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0"
    ),
    "an end of a zip alone": lambda: b"PK\5\6" + bytes(18),
    "a zip without its end": lambda: zipped({"c.json": b"[]"})[:-10],
    "a zip that says it is huge": lambda: (
        zipped({"c.json": b"[]"}, 0)[:-22]
        + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    ),
    # --- tarballs, their checksums repaired
    "a tarball of 3000 pax headers": lambda: pax((b"comment", b"x")) * 3000 + GOOD + END,
    "a tarball of 3000 long names": lambda: member(b"././@LongLink", b"n" * 200, b"L") * 3000 + GOOD + END,
    "a tarball of 3000 long links": lambda: member(b"././@LongLink", b"n" * 200, b"K") * 3000 + GOOD + END,
    "a tarball of global headers": lambda: member(b"g", b"11 a=bcdef\n", b"g") * 5000 + GOOD + END,
    "a tarball with odd sparse keys": lambda: (
        pax((b"GNU.sparse.major", b"1"), (b"GNU.sparse.minor", b"0"), (b"GNU.sparse.realsize", b"x")) + GOOD + END
    ),
    "a tarball with a sparse map of words": lambda: (
        pax((b"GNU.sparse.map", b"1,x,3"), (b"GNU.sparse.size", b"-1"), (b"GNU.sparse.name", b"c.json")) + GOOD + END
    ),
    "a tarball with sparse sizes": lambda: pax((b"GNU.sparse.size", b"x" * 99), (b"size", b"1e9")) + GOOD + END,
    "a tarball with half a sparse map": lambda: (
        pax((b"GNU.sparse.offset", b"99"), (b"GNU.sparse.numbytes", b""), (b"GNU.sparse.size", b"1")) + GOOD + END
    ),
    "a tarball of sparse 1.0": lambda: (
        pax((b"GNU.sparse.major", b"1"), (b"GNU.sparse.minor", b"0"), (b"GNU.sparse.realsize", b"99999999999999"))
        + member(b"c.json", b"99999999\n" + b"1\n" * 250)
        + END
    ),
    "a tarball of old sparse": lambda: header(b"c.json", 512, b"S", rest=b"7" * 300) + bytes(512) + END,
    "a tarball of a huge size": lambda: header(b"c.json", b"\x80" + b"\xff" * 11) + END,
    "a tarball of a negative size": lambda: header(b"c.json", b"\xff" * 12) + GOOD + END,
    "a tarball of a pax size": lambda: pax((b"size", b"1" + b"0" * 30)) + GOOD + END,
    "a tarball of a negative pax size": lambda: pax((b"size", b"-512")) + GOOD + END,
    "a tarball of odd pax": lambda: member(b"p", b"999999 path=x\n", b"x") + GOOD + END,
    "a tarball of empty pax": lambda: member(b"p", b"5 =x\n0 a=\n", b"x") + GOOD + END,
    "a tarball of an odd time": lambda: (
        pax((b"mtime", b"nan"), (b"atime", b"1e999"), (b"uid", b"9" * 400)) + GOOD + END
    ),
    "a tarball of an odd mode": lambda: member(b"c.json", b"[]", mode=b"99999999") + END,
    "a tarball of a link": lambda: header(b"c.json", 0, b"2", link=b"/etc/passwd") + END,
    "a tarball of a device": lambda: header(b"c.json", 0, b"3") + END,
    "a tarball that climbs out": lambda: member(b"../../c.json", b"[]") + END,
    "a tarball of a bad name": lambda: member(b"\xff\xfe.json", b"[]") + END,
    "a tarball without an end": lambda: GOOD[:-200],
    "a tarball of many files": lambda: b"".join(header(b"%d.x" % n, 0) for n in range(20_000)) + END,
    "a packed tarball of blank lines": lambda: packed(member(b"c.jsonl", b"\n" * (32 << 20)) + END),
    "a packed tarball of gzip files": lambda: packed(
        b"".join(member(b"%d.json.gz" % n, inner) for inner in [packed(bytes(16 << 20))] for n in range(20)) + END
    ),
    "a tarball in bzip2": lambda: bz2.compress(GOOD + END),
    "a tarball in LZMA": lambda: lzma.compress(GOOD + END),
    **{
        f"a tarball of noise {n}": lambda n=n: repaired(flipped(pax((b"path", b"c.json")) + GOOD + END, n))
        for n in range(12)
    },
    **{f"a zip of noise {n}": lambda n=n: flipped(zipped({"c.jsonl": rows('"x": 1') * 9}), n) for n in range(6)},
    **{
        f"LZMA noise {n}": lambda n=n: flipped(zipped({"c.jsonl": rows('"x": 1') * 9}, zipfile.ZIP_LZMA), n, 3)
        for n in range(6)
    },
}
"""Functions that create the files, by description."""
