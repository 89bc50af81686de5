"""Lay out records of several features as pages and rows, one subject a file."""
