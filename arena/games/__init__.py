"""The families of games that come with arena, one file each."""

import sys

from arena.lazy import ListingPackage

sys.modules[__name__].__class__ = ListingPackage  # `arena.games()` lists what is installed
