"""Games that people play: the state of one, and the conversation about it."""
