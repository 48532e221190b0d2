"""What games and decks are worth: analysis, puzzles, ratings, lessons."""
