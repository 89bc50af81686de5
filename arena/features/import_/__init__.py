"""Import games that were played elsewhere."""
