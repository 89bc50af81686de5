"""The smallest player: a file with a function ``choose``.

Play it with

    arena fight ./first_free.py monkey

``choose`` need not be named, nor need a file's only function, whatever it is called.
"""


def choose(position, rng):
    """The first legal move."""
    return position.legal_moves()[0]
