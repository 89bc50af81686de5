"""Find the value of a game, and prove it."""
