"""How things get in: hooks, what they are given, and what all plugins offer."""
