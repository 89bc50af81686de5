"""Run the regression check: compare players with a baseline in a file."""
