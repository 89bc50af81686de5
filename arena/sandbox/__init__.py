"""Players in processes of their own: what they may do, how they are talked to, how they are ended.

``remote`` is the player that arena sees, ``process`` its process, ``shim`` the program that a
Python player runs in, ``session`` what it does there. ``tiers`` has the walls, ``wire`` the
language, ``selftest`` what tries the walls.
"""
