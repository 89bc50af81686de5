"""Check that a player or a game keeps its contract, with a finding per promise."""
