"""Show what a player does in a position."""
