"""Show a player's strength over time."""
