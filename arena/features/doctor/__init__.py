"""Show which tiers of isolation work on this machine."""
