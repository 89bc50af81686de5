"""The walls: ways to keep a player's process apart."""
