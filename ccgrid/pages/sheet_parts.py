"""The parts of a sheet, by their names."""

from typing import Final

PARTS: Final = ("list", "cards", "board", "scores", "rules")
"""What a sheet may have, in this order."""
