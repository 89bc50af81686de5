"""A player that remembers is a class: every game gets an instance of its own.

Play it with

    arena fight ./remembers.py monkey

A position does not show the last move. ``Shadow`` observes it, and follows its opponent.
"""


class Shadow:
    """A player that makes the legal move nearest to the opponent's last one."""

    def start(self, game, side, rng):
        """Begin a game; ``rng`` is the only source of chance, for the whole game."""
        self.rng = rng
        self.last = None

    def choose(self, position):
        """Return a move; arena asks only on this player's turns."""
        legal = position.legal_moves()
        if self.last is None:
            return self.rng.choice(legal)
        return min(legal, key=lambda move: abs(move - self.last))

    def observe(self, move):
        """Note the opponent's move."""
        self.last = move

    def finish(self, outcome):
        """End the game; there is nothing to clean up."""
