"""Train a player that learns."""
