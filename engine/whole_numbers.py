"""The whole numbers that counts are made of, as a file may hold them: 64 bits, and none below 0 that says how often."""

from typing import Annotated

import msgspec

Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A sum of points, or anything else that may be less than 0."""

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""How often something happened, or a sum of squares."""
