"""The language in which arena and a player's process talk."""
