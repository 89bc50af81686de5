"""What can be known exactly instead of sampled."""
