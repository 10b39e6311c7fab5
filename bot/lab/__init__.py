"""Many games: simulations and the statistics of their results."""
