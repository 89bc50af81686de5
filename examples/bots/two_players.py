"""Two players in one file, each named by its function.

Let them meet with

    arena fight ./two_players.py:lowest ./two_players.py:greedy

All chance comes from ``rng``, so that the same ``--seed`` gives the same games.
"""


def lowest(position, rng):
    """Take one of the two lowest legal moves."""
    return rng.choice(position.legal_moves()[:2])


def greedy(position, rng):
    """Win if possible, else take any legal move."""
    wins = position.winning_moves(position.to_move)
    return rng.choice(wins or position.legal_moves())
