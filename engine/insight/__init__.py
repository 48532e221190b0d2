"""Evaluation of games and decks: analysis, puzzles, ratings and lessons."""
