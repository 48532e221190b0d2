"""How many examples of a property are tried."""

import os

EXAMPLES = int(os.environ.get("CCGRID_EXAMPLES", "6"))
"""Of each property, where it does not say itself; continuous integration asks for a hundred."""
