"""Create a project."""
