"""Decks: read from files as people write them, drawn, and checked."""
