"""Let people play: the state of a game, and the conversation about it."""
