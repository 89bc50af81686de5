"""Compute what holds in games with luck and secrets, exactly, over all their histories."""
