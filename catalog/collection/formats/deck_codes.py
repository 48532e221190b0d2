"""Reads decks that other programs pack into a code or a link: YDKE, YGO Omega, Hearthstone, Pixelborn, Runeterra, GEMP.

Other text next to a code, such as the sentences of a post, is skipped and listed.
"""

import base64
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from ccgrid.catalog.collection.formats.format import (
    LONGEST_RAW,
    NO_CARD,
    CollectionFile,
    FileRows,
    SkippedRow,
)
from ccgrid.catalog.copy_terms import NORMAL
from ccgrid.catalog.documents import wide_encoding
from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.holding import LONGEST_TEXT, MOST_COPIES
from ccgrid.catalog.letters import NumberReader, from_letters
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.readers.text_lines import survey, text_lines

_LONGEST: Final = 1 << 20
"""How large a file of codes may be, in bytes; a code has under a kilobyte."""
_MOST_CARDS: Final = 10_000
"""How many cards a code may hold."""
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_URL_SAFE: Final = str.maketrans("-_", "+/")

Rows = Iterator[Row | SkippedRow]
Line = tuple[int, str]
"""A line of the file: its number, and its text."""


def _lines(file: CollectionFile) -> Iterator[Line]:
    """Return the lines of a file that are not empty.

    Raises:
        CatalogError: If it is no text, or larger than codes are.
    """
    with open_data(file.path) as stream:
        found = survey(stream, file.name)
    with open_data(file.path) as stream:
        if len(stream.read(_LONGEST + 1)) > _LONGEST:
            raise FileFormatError("too large to be a deck code. Is it the right file?", file=file.name)
    with open_data(file.path) as stream:
        for number, text in enumerate(text_lines(stream, found, file.name), 1):
            if text := text.strip():
                yield number, text


def _start(file: CollectionFile) -> str:
    """Return the text at the beginning of a file, which is all of it if it is a single code."""
    data = file.beginning()
    return data.decode(wide_encoding(data) or "utf-8", "replace").removeprefix("\ufeff")


def _one_word(text: str) -> str:
    """Return a text without spaces and line ends, which a program may have put into a long code."""
    return "".join(text.split())


def sniff_code(decode: Callable[[str], object], file: CollectionFile) -> bool:
    """Return whether a file is a code that is decoded so."""
    text = _start(file)
    try:
        decode(text)
    except ValueError:
        return False
    return True


def read_code(decode: Callable[[str], Iterable[Row]], title: str, file: CollectionFile) -> FileRows:
    """Read the deck in a file that is a code.

    Raises:
        CatalogError: If it is none.
    """
    whole = " ".join(text for _, text in _lines(file))
    try:
        rows = decode(whole)
    except ValueError:
        raise FileFormatError(f"not {title}, or damaged. Copy it again.", file=file.name) from None
    return FileRows(iter(rows), "utf-8")


def _bytes_of(code: str) -> bytes:
    """Return what base64 stands for, with the signs for addresses as well.

    Raises:
        ValueError: If it is not base64.
    """
    plain = code.translate(_URL_SAFE).rstrip("=")
    if not plain.isascii() or len(plain) % 4 == 1:
        raise ValueError
    return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)


def _row(line: int, copies: int, kind: str, code: str, *, beside: bool = False, finish: str = NORMAL) -> Row:
    """Return the row of a card that is named by an id of another program."""
    return Row(line, f"{copies} {code}", ((finish, copies),), ids=((kind, code),), beside=beside)


def _counted(line: int, codes: Iterable[int], *, beside: bool = False) -> Iterator[Row]:
    """Return a row for each passcode of Yu-Gi-Oh!, with its copies."""
    for code, copies in Counter(codes).items():
        yield _row(line, copies, "konami", str(code), beside=beside)


# --- Yu-Gi-Oh! ---------------------------------------------------------------------------------------------------

_YDKE: Final = re.compile(r"ydke://([^!\s]*)!([^!\s]*)!([^!\s]*)!?", re.IGNORECASE)
_PASSCODE_BYTES: Final = 4


def _passcodes(data: bytes) -> list[int]:
    if len(data) % _PASSCODE_BYTES:
        raise ValueError
    starts = range(0, len(data), _PASSCODE_BYTES)
    return [int.from_bytes(data[start : start + _PASSCODE_BYTES], "little") for start in starts]


def sniff_ydke(file: CollectionFile) -> bool:
    """Return whether there is a deck link of Yu-Gi-Oh! in a file."""
    return "ydke://" in _start(file).casefold()


def read_ydke(file: CollectionFile) -> FileRows:
    """Read the deck links in a file.

    Raises:
        CatalogError: If one of them is damaged.
    """
    return FileRows(iter(list(_ydke_rows(file))), "utf-8")


def _ydke_rows(file: CollectionFile) -> Rows:
    for number, text in _lines(file):
        if "ydke://" not in text.casefold():
            yield SkippedRow(number, text[:LONGEST_RAW], NO_CARD)
            continue
        links = _YDKE.findall(text)
        try:
            parts = [[_passcodes(_bytes_of(part)) for part in link] for link in links]
        except ValueError:
            parts = []
        if not parts:
            raise FileFormatError(
                "a deck link of Yu-Gi-Oh! that is damaged. Copy it again.", file=file.name, line=number
            )
        for main, extra, side in parts:
            yield from _counted(number, main + extra)
            yield from _counted(number, side, beside=True)


def omega(text: str) -> list[Row]:
    """Return the cards in a deck code of YGO Omega.

    Raises:
        ValueError: If it is none.
    """
    packed = _bytes_of(_one_word(text))
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = unpacker.decompress(packed, _LONGEST)
    except zlib.error:
        raise ValueError from None
    if not unpacker.eof or len(data) < 2:
        raise ValueError
    deck, side = data[:2]
    codes = _passcodes(data[2:])
    # Newer codes end with the card on the cover, which is no copy.
    if not deck + side or len(codes) - deck - side not in (0, 1):
        raise ValueError
    return [*_counted(1, codes[:deck]), *_counted(1, codes[deck : deck + side], beside=True)]


# --- Hearthstone -------------------------------------------------------------------------------------------------

_DECKSTRING: Final = re.compile(r"AAE[A-D][A-Za-z0-9+/_-]{4,}={0,2}")
_LINK: Final = re.compile(r"\S*[?&]deckcode=([^&#\s]+)", re.IGNORECASE)
"""The link to a deck on Hearthstone's site."""
_NAMED: Final = re.compile(r"#(\s*)(\d{1,3})x\s+\(\d+\)\s+(\S.*)")
"""# 2x (1) Name, with more spaces if the card is in the sideboard of the one above."""
_TITLE: Final = re.compile(r"###\s*(\S.*)")


class _Card(NamedTuple):
    """A card in a deck code of Hearthstone: its definition, its copies, and whether it is outside the deck."""

    number: int
    copies: int
    is_beside: bool = False


def _deckstring(text: str) -> list[_Card]:
    """Return the cards in a deck code of Hearthstone.

    Raises:
        ValueError: If it is none.
    """
    if not _DECKSTRING.fullmatch(text):
        raise ValueError
    numbers = NumberReader(_bytes_of(text))
    reserved, version, _ = numbers.take(), numbers.take(), numbers.take()
    if (reserved, version) != (0, 1):
        raise ValueError
    for _ in range(numbers.take(_MOST_CARDS + 1)):
        numbers.take()  # a hero
    cards = [_Card(number, copies) for number, copies, _ in _counted_groups(numbers, with_owner=False)]
    if not numbers.is_at_end and numbers.take():
        cards += [_Card(number, copies, True) for number, copies, _ in _counted_groups(numbers, with_owner=True)]
    if not numbers.is_at_end or not cards:
        raise ValueError
    return cards


def _counted_groups(numbers: NumberReader, *, with_owner: bool) -> Iterator[tuple[int, int, int]]:
    """Read cards with one copy, with two, and with any number of copies; in a sideboard with the card that owns it."""
    for group in (1, 2, 0):
        for _ in range(numbers.take(_MOST_CARDS + 1)):
            number = numbers.take()
            copies = group or numbers.take()
            if not 0 < copies <= MOST_COPIES:
                raise ValueError
            yield number, copies, numbers.take() if with_owner else 0


def _unlinked(line: str) -> str:
    """Return the deck code in a link, or else the line."""
    found = _LINK.fullmatch(line)
    return line if found is None else found[1].replace("%3D", "=").replace("%2B", "+").replace("%2F", "/")


def sniff_hearthstone(file: CollectionFile) -> bool:
    """Return whether there is a deck code of Hearthstone in a file, or the lines that the game copies with it."""
    lines = (_unlinked(line.strip()) for line in _start(file).splitlines())
    return any(_DECKSTRING.fullmatch(line) or _NAMED.fullmatch(line) for line in lines)


def read_hearthstone(file: CollectionFile) -> FileRows:
    """Read the decks of a file: by the names in the lines that the game copies, or by the code.

    Raises:
        CatalogError: If a code without such lines is damaged.
    """
    lines = [(number, _unlinked(text)) for number, text in _lines(file)]
    titles = [found[1] for _, text in lines if (found := _TITLE.fullmatch(text))]
    title = titles[0][:LONGEST_TEXT] if len(titles) == 1 else ""
    return FileRows(iter(list(_hearthstone_rows(file, lines))), "utf-8", deck=title)


def _hearthstone_rows(file: CollectionFile, lines: Iterable[Line]) -> Rows:
    is_named = False
    for number, text in lines:
        if found := _NAMED.fullmatch(text):
            is_named = True
            copies = int(found[2])
            if copies:
                name = found[3][:LONGEST_TEXT]
                yield Row(number, text[:LONGEST_RAW], ((NORMAL, copies),), name, beside=len(found[1]) > 1)
        elif _DECKSTRING.fullmatch(text):
            # The lines before a code say the same, with names.
            yield from () if is_named else _deckstring_rows(file, number, text)
            is_named = False
        elif not text.startswith("#"):
            yield SkippedRow(number, text[:LONGEST_RAW], NO_CARD)


def _deckstring_rows(file: CollectionFile, line: int, text: str) -> Iterator[Row]:
    try:
        cards = _deckstring(text)
    except ValueError:
        raise FileFormatError(
            "a Hearthstone deck code that is damaged. Copy it again.", file=file.name, line=line
        ) from None
    for card in cards:
        yield _row(line, card.copies, "hearthstone", str(card.number), beside=card.is_beside)


# --- Lorcana, Riftbound, Legends of Runeterra --------------------------------------------------------------------

_PIXELBORN: Final = re.compile(r"(?:[^$|\n]+\$\d{1,3}(?:\||$))+")
_RIFTBOUND_CARD: Final = re.compile(r"([A-Z]{3})-(\d{3}[a-z*]?)-\d+")


def pixelborn(text: str) -> list[Row]:
    """Return the cards in a deck code of Pixelborn for Lorcana: base64 of `Name_Version$2|…`.

    Raises:
        ValueError: If it is none.
    """
    plain = _plain(_one_word(text))
    if not _PIXELBORN.fullmatch(plain):
        raise ValueError
    pairs = [one.rpartition("$") for one in plain.split("|") if one]
    cards = [(name.replace("_", " - ", 1), int(copies)) for name, _, copies in pairs if int(copies)]
    return [
        Row(1, f"{copies} {name}"[:LONGEST_RAW], ((NORMAL, copies),), name[:LONGEST_TEXT]) for name, copies in cards
    ]


def _plain(text: str) -> str:
    """Return the text in base64."""
    if not _BASE64.fullmatch(text):
        raise ValueError
    return _bytes_of(text).decode()


def riftbound(text: str) -> list[Row]:
    """Return the cards of a deck of Riftbound: `OGN-265-1 OGN-246-1`, or with `$` in base64.

    Tabletop Simulator and Pixelborn have such decks.

    Raises:
        ValueError: If it is none.
    """
    words = text.split() or [""]
    if len(words) == 1 and not _RIFTBOUND_CARD.fullmatch(words[0]):
        words = _plain(words[0]).split("$")
    found = [_RIFTBOUND_CARD.fullmatch(word) for word in words]
    if None in found:
        raise ValueError
    cards = Counter((one[1], one[2]) for one in found if one)
    return [
        Row(1, f"{copies} {set_code}-{number}", ((NORMAL, copies),), "", set_code, "", number)
        for (set_code, number), copies in cards.items()
    ]


_BASE32: Final = re.compile(r"C[A-Z2-7]{15,}")
_RUNETERRA_COPIES: Final = (3, 2, 1)
_RIFTBOUND_COPIES: Final = tuple(range(12, 0, -1))
_REGIONS: Final = {
    **{0: "DE", 1: "FR", 2: "IO", 3: "NX", 4: "PZ", 5: "SI", 6: "BW", 7: "SH", 9: "MT", 10: "BC", 12: "RU"},
}
_NEWEST_RUNETERRA: Final = 5


def _base32(text: str) -> tuple[int, NumberReader]:
    """Return the version of a deck code in base32, and its numbers; raises ValueError if it is none."""
    text = text.strip()
    if not _BASE32.fullmatch(text):
        raise ValueError
    data = from_letters(text)
    if data[0] >> 4 != 1:
        raise ValueError
    return data[0] & 15, NumberReader(data[1:])


def _groups(numbers: NumberReader, counts: Iterable[int]) -> Iterator[tuple[int, int, int, int]]:
    """Read copies, set, part of the set and number of the cards of groups, which have these copies."""
    for copies in counts:
        for _ in range(numbers.take(_MOST_CARDS + 1)):
            size, set_number, part = numbers.take(_MOST_CARDS + 1), numbers.take(), numbers.take()
            for _ in range(size):
                yield copies, set_number, part, numbers.take()


def runeterra(text: str) -> list[Row]:
    """Return the cards in a deck code of Legends of Runeterra.

    Raises:
        ValueError: If it is none.
    """
    version, numbers = _base32(text)
    cards = list(_groups(numbers, _RUNETERRA_COPIES))
    while not numbers.is_at_end:
        cards.append((numbers.take(), numbers.take(), numbers.take(), numbers.take()))
    if version > _NEWEST_RUNETERRA or not cards or any(region not in _REGIONS for _, _, region, _ in cards):
        raise ValueError
    return [
        _row(1, copies, "runeterra", f"{number:02}{_REGIONS[region]}{card:03}")
        for copies, number, region, card in cards
    ]


def piltover(text: str) -> None:
    """Check a deck code of Piltover Archive for Riftbound; raises ValueError if it is none."""
    _, numbers = _base32(text)
    cards = list(_groups(numbers, _RIFTBOUND_COPIES))
    if not cards:
        raise ValueError


def read_piltover(file: CollectionFile) -> FileRows:
    """Refuse a deck code of Piltover Archive, whose numbers of sets are not published.

    Raises:
        CatalogError: Always.
    """
    raise FileFormatError(
        "a deck code of Riftbound, which only Piltover Archive reads. Export the deck there as text.", file=file.name
    )


# --- GEMP --------------------------------------------------------------------------------------------------------

_GEMP_CARD: Final = r"\d{1,3}_\d{1,4}\*?"
_GEMP: Final = re.compile(rf"\s*{_GEMP_CARD}(?:[,|\s]|$)")
_GEMP_SIGNS: Final = frozenset("0123456789_*,| \t\r\n")
_OUTSIDE: Final = 2
"""A deck of two parts is Star Wars CCG's: what is behind the stroke is outside the deck."""


def sniff_gemp(file: CollectionFile) -> bool:
    """Return whether a file has the codes of GEMP's cards alone."""
    return bool(_GEMP.match(start := _start(file))) and not set(start) - _GEMP_SIGNS


def read_gemp(file: CollectionFile) -> FileRows:
    """Read the codes of GEMP's cards; a star after a code means foil."""
    lines = list(_lines(file))
    parts = max(text.count("|") for _, text in lines) + 1
    cards = Counter(
        (number, code, parts == _OUTSIDE and place > 0)
        for number, text in lines
        for place, part in enumerate(text.split("|"))
        for code in re.findall(_GEMP_CARD, part)
    )
    return FileRows(
        (
            _row(number, copies, "gemp", code.rstrip("*"), beside=beside, finish="foil" if "*" in code else NORMAL)
            for (number, code, beside), copies in cards.items()
        ),
        "utf-8",
    )
