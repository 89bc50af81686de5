"""Checks that a player or a game keeps its contract, each with a finding."""
