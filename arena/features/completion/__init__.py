"""Print the completion script of a shell."""
