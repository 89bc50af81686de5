"""Compute ratings."""
