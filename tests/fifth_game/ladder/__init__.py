"""Ladder, a made-up game: everybody plays a card of five, and the higher score takes a point."""
