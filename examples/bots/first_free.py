"""The smallest player: a file with a function ``choose``.

Play it with

    arena fight ./first_free.py monkey

Without a name after the file, arena takes ``choose``, or else the file's only function.
"""


def choose(position, rng):
    """Take the first legal move."""
    return position.legal_moves()[0]
