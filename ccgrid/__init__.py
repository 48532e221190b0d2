"""A use for the cards of games that nobody plays any more; programs use `ccgrid.catalog` and `ccgrid.engine`.

In a checkout `catalog`, `engine` and `data` are links in this folder; in an installation they are folders.
"""

from pathlib import Path

if __name__ != "ccgrid":  # by another name every class would be another class
    raise ModuleNotFoundError(f"No module named {__name__!r}", name=__name__)

# git on Windows without developer mode writes a link as a text file: the folders are then found next to this one.
if not Path(__path__[0], "engine").is_dir():
    __path__.append(str(Path(__path__[0]).parent))
