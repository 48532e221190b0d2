"""Writers of other programs' deck codes, based on the published formats.

They share no code with the readers, so that the tests find a mistake in either.
"""

import base64
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence


def ydke(main: Sequence[int], extra: Sequence[int] = (), side: Sequence[int] = ()) -> str:
    """Return a deck link of Yu-Gi-Oh!: base64 of little-endian 4-byte passcodes, for each of three parts."""
    return "ydke://" + "".join(f"{_passcodes(part)}!" for part in (main, extra, side))


def _passcodes(codes: Iterable[int]) -> str:
    return base64.b64encode(b"".join(struct.pack("<I", code) for code in codes)).decode()


def omega(deck: Sequence[int], side: Sequence[int] = (), cover: int | None = None) -> str:
    """Return a deck code of YGO Omega: the sizes of the deck and the side deck, then the passcodes, deflated."""
    codes = [*deck, *side, *([] if cover is None else [cover])]
    data = struct.pack(f"<BB{len(codes)}I", len(deck), len(side), *codes)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(packer.compress(data) + packer.flush()).decode()


def deckstring(
    cards: Mapping[int, int],
    heroes: Sequence[int] = (7,),
    format_type: int = 2,
    sideboards: Sequence[tuple[int, int, int]] | None = None,
) -> str:
    """Return a deck code of Hearthstone; `sideboards` are triples of a card, its copies and the card that owns it."""
    numbers = [0, 1, format_type, len(heroes), *sorted(heroes)]
    for count in (1, 2):
        own = sorted(card for card, copies in cards.items() if copies == count)
        numbers += [len(own), *own]
    many = sorted((card, copies) for card, copies in cards.items() if copies > 2)
    numbers += [len(many), *(number for pair in many for number in pair)]
    if sideboards is not None:
        numbers.append(1)
        for count in (1, 2):
            few = [(card, owner) for card, copies, owner in sideboards if copies == count]
            numbers += [len(few), *(number for pair in few for number in pair)]
        rest = [one for one in sideboards if one[1] > 2]
        numbers += [len(rest), *(number for one in rest for number in one)]
    return base64.b64encode(b"".join(map(_varint, numbers))).decode()


def _varint(number: int) -> bytes:
    """Encode a number with seven bits in each byte, lowest first; the highest bit marks that more bytes follow."""
    digits = []
    while number > 0x7F:
        digits.append(0x80 | number & 0x7F)
        number >>= 7
    return bytes([*digits, number])


def pixelborn(cards: Iterable[tuple[str, int]]) -> str:
    """Return a deck code of Pixelborn for Lorcana: base64 of `Name_Version$2|…`."""
    return base64.b64encode("".join(f"{name}${copies}|" for name, copies in cards).encode()).decode()


_FACTIONS = {"DE": 0, "FR": 1, "IO": 2, "NX": 3, "PZ": 4, "SI": 5, "BW": 6, "SH": 7, "MT": 9, "BC": 10, "RU": 12}


def runeterra(cards: Mapping[str, int], version: int = 1) -> str:
    """Return a deck code of Legends of Runeterra.

    It is base32 of groups by set and region, for cards with three, two and one copies.
    """
    data = bytes([0x10 | version])
    for count in (3, 2, 1):
        groups: dict[tuple[int, int], list[int]] = {}
        for code in sorted(code for code, copies in cards.items() if copies == count):
            groups.setdefault((int(code[:2]), _FACTIONS[code[2:4]]), []).append(int(code[4:]))
        data += _varint(len(groups))
        for (set_number, faction), numbers in sorted(groups.items(), key=lambda one: (len(one[1]), one[0])):
            data += b"".join(map(_varint, (len(numbers), set_number, faction, *numbers)))
    for code, copies in sorted(cards.items()):
        if copies > 3:
            data += b"".join(map(_varint, (copies, int(code[:2]), _FACTIONS[code[2:4]], int(code[4:]))))
    return base64.b32encode(data).decode().rstrip("=")
