"""List the runs of a store."""
