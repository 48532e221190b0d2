"""The tactics game, Play. Process. Draw."""
