"""The players that come with arena, one file each. ``monkey.py`` is the one to copy."""

import sys

from arena.lazy import ListingPackage

sys.modules[__name__].__class__ = ListingPackage  # `arena.players()` lists what is installed
