"""Games and decks as one line of text that survives any messenger: letters and digits, a version, a checksum."""
