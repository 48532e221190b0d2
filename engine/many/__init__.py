"""Many games: simulations, comparisons and arenas, run in this process, in worker processes, or on a cluster."""
