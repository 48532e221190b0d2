"""Layouts: where a game prints its numbers, as data."""
