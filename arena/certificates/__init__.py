"""Write, check and play certificates of format 2: one move at every position that can arise."""
