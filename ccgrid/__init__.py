"""A use for the cards of forgotten games; programs import `ccgrid.catalog` and `ccgrid.engine`.

In a checkout `catalog`, `engine` and `data` are links in this folder; in an installation they are folders.
"""

import os

if __name__ != "ccgrid":  # another name would load every class a second time
    raise ModuleNotFoundError(f"No module named {__name__!r}", name=__name__)

# git on Windows without developer mode writes a link as a text file: the folders are then found next to this one.
if not os.path.isdir(os.path.join(__path__[0], "engine")):
    __path__.append(os.path.dirname(__path__[0]))
