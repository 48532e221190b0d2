"""Quads, a made-up game: five open cards per player on nine cells; a card turns weaker neighbours."""
