"""Measure by simulation how often what arena prints is true: intervals, tests and p-values."""
