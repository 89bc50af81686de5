"""What the commands do, as functions; the command line calls these and prints their records.

A player is named as on the command line (``monkey``, ``./bot.py:choose``), or given as a PlayerInfo
or as a function ``choose(position, rng)``. Every function takes a ``catalogue``, by default all
that is installed. A function that has players play takes an ``isolation``, which is how files and
programs are isolated: a tier by name, as ``--isolation`` takes it, or an Isolation with limits.
"""
