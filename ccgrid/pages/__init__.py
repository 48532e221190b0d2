"""Pages of one file: the table for a phone, the replay of a game, sheets to print; no network, no build step."""
