"""Load plugins: the hooks, their arguments, and the things that plugins offer.

``arena.plugin.PlayerRegister`` and the like are what an author of plugins imports. docs/plugins.md
says what each is for.
"""

from arena import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
