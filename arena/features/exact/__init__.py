"""Compute exact results."""
