"""Zones of a card, and their names."""

from typing import Final, Literal, TypedDict, get_args

Zone = Literal["top-left", "top", "top-right", "left", "right", "bottom-left", "bottom", "bottom-right"]
ZONES: Final[tuple[str, ...]] = get_args(Zone)
"""The eight zones on the rim of a card held upright, in the order in which the house rules name them."""

ZoneOrFace = Literal[Zone, "face"]
"""Where on a card a number is printed."""


ZoneNumbers = TypedDict(
    "ZoneNumbers",
    {
        "top-left": int,
        "top": int,
        "top-right": int,
        "left": int,
        "right": int,
        "bottom-left": int,
        "bottom": int,
        "bottom-right": int,
    },
    total=False,
)
"""A number, or a count, for each zone that has one."""


EveryZone = TypedDict(
    "EveryZone",
    {
        "top-left": int | None,
        "top": int | None,
        "top-right": int | None,
        "left": int | None,
        "right": int | None,
        "bottom-left": int | None,
        "bottom": int | None,
        "bottom-right": int | None,
    },
)
"""The number in each of the eight zones, null where there is none or more than one."""
