"""Export runs with all their games."""
