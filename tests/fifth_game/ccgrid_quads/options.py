"""The option of Quads."""

from typing import Final

from ccgrid.engine.options import YES_OR_NO, Option

OPTIONS: Final = (Option("same", YES_OR_NO, True, "two equal numbers beside a card turn these cards"),)
