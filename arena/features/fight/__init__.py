"""Play two players against each other."""
