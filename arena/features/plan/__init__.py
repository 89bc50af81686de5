"""Compute how many games a wanted confidence needs."""
