"""On which frame a Magic set was usually printed, for data that tell the day of its release and not the frame."""

from typing import Final

_FRAMES: Final = (("2014-07-18", "2015"), ("2003-07-28", "2003"), ("1996-10-08", "1997"))
"""From which day on Magic sets were usually printed on which frame; before the last of these on that of 1993."""


def usual_frame(released: str | None) -> str | None:
    """The frame by its year, from a day written year first; None where no day is known."""
    if not released:
        return None
    return next((frame for day, frame in _FRAMES if released >= day), "1993")
