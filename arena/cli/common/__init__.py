"""Share the parts of the commands."""
