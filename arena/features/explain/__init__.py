"""Show what every move of a game was worth."""
