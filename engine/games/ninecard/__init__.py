"""The ninecard game, 9 Card."""
