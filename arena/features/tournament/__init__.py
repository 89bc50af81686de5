"""Play several players against each other."""
