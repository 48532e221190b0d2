"""Records of games and matches: files, one-line codes, the decks they name."""
