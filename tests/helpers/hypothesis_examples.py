"""The number of examples for a property-based test."""

import os

EXAMPLES = int(os.environ.get("CCGRID_EXAMPLES", "6"))
"""The default for each property; `.ci/run` uses 20, and a weekly search 100."""
