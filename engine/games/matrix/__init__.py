"""The matrix game, 3x3 Number Matrix."""
