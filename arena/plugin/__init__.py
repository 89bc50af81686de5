"""Load plugins: the hooks, their arguments, and the things that plugins offer."""
