"""Prove what a player never does."""
