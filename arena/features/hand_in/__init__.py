"""Hand in to a contest that a server conducts."""
