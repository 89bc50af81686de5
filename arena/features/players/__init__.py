"""List the players."""
