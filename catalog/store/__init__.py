"""The catalogue in one SQLite file; the only rooms that know SQL."""
