"""Versions of what pages show."""

import secrets


def first_version() -> int:
    """Return a random version to count from, so that a page never takes the version of another process for its own."""
    return secrets.randbits(48)
