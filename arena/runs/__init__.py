"""Begin runs, and read them from a store."""
