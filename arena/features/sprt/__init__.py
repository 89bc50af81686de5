"""Run a sequential test on results from anywhere."""
