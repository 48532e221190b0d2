"""Ladder, a game for ccgrid: both players play one of five cards, and the higher score takes a point."""
