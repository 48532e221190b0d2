"""Records of games and matches: files, one-line codes, and the decks that they name."""
