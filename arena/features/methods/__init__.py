"""Name the methods behind the numbers of a result."""
