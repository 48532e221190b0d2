"""A use for the cards of games that nobody plays any more; programs use `ccgrid.catalog` and `ccgrid.engine`.

In a checkout the folders `catalog`, `engine` and `data` are beside this one; in what is installed they are in it.
"""

from pathlib import Path

if __name__ != "ccgrid":  # by another name every class would be another class
    raise ModuleNotFoundError(f"No module named {__name__!r}", name=__name__)

if not Path(__path__[0], "engine").exists():
    __path__.append(str(Path(__path__[0]).parent))
