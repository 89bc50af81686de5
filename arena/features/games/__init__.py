"""List the games."""
