"""Follow a run that is played elsewhere."""
