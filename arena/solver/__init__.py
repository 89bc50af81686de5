"""Solve games: find the value of a position under perfect play, and moves that keep it."""
