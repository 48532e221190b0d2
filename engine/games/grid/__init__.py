"""The grid game, 3x3 CCG Battle."""
