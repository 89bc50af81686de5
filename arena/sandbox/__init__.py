"""Players in processes of their own: what they may do, how they are talked to, how they are ended.

``protocol`` is the language, ``channel`` the conversation, ``remote`` the player that the arena
sees, ``shim`` the program that a Python player runs in, and the tiers are what it runs within.
"""
