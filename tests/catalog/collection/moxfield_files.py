"""A collection exported from Moxfield, and a helper that lists the owned copies."""

from pathlib import Path

from helpers.catalogues import Shell
from helpers.text_files import write

MOXFIELD = (
    "Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified,Collector Number,Alter,Proxy,"
    "Purchase Price\n"
    "3,0,Amber Archivist,dsk,Near Mint,English,,,,1,False,False,\n"
    "1,0,Amber Archivist,dsk,Near Mint,English,foil,,,1,False,False,\n"
    "2,0,Brass Belringer,dsk,Near Mint,English,,,,,False,False,\n"
    "4,0,Jade Gardener,xyz,Near Mint,English,,,,9,False,False,\n"
    "0,0,Isle,dsk,Near Mint,English,,,,11,False,False,\n"
    "3,0,Amber Archivist,dsk,Near Mint,English,,,,1,False,False,\n"
)


def moxfield(shell: Shell, text: str = MOXFIELD, name: str = "mine.csv") -> Path:
    return write(shell.folder / name, text)


def owned_copies(shell: Shell, query: str = "") -> list[tuple[str, int, str]]:
    return [(one["id"], one["copies"], one["finish"]) for one in shell.entries(query)]
