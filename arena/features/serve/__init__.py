"""Show a store in the browser."""
