"""From two names to a result."""
