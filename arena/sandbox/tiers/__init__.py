"""Isolate a player's process: one module per tier."""
