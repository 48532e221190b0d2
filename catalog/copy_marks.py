"""Marks of owned copies."""

from typing import Final

MARKS: Final = ("signed", "altered", "proxy")
"""Properties of a copy, by their field of `Details`."""
