"""Quads, a made-up game: five open cards a player, put on nine cells; a card turns the weaker ones beside it."""
