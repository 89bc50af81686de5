"""The players that come with arena, one file each. ``monkey.py`` is the one to copy."""
