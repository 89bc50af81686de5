"""List the games of a store."""
