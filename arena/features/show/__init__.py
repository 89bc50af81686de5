"""Show a stored run again."""
