"""Write results as one page for a browser."""
