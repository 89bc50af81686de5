"""Arena's own plugins, on the hooks that all plugins use."""

import sys

from arena.lazy import ListingPackage

sys.modules[__name__].__class__ = ListingPackage  # `arena.plugins()` lists what is installed
