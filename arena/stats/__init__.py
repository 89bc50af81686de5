"""Statistics over counts: numbers in, numbers out."""
