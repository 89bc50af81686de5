"""Examine players on questions whose answers are known."""
