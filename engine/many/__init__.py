"""Many games: simulated, compared, in arenas; in this process, in others, and on clusters."""
