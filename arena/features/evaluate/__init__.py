"""Evaluate the whole matrix of results, with intervals."""
