"""Hold results: frozen records with their JSON, one file per feature.

``arena.records.FightResult`` and the like are what functions of arena return.
"""

from arena import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
