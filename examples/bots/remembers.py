"""A player that remembers is a class: every game gets an instance of its own.

Play it with

    arena fight ./remembers.py monkey

A position does not tell which move was the last. ``Shadow`` is told, and follows its opponent.
"""


class Shadow:
    """The legal move nearest to the opponent's last one."""

    def start(self, game, side, rng):
        """The game begins; ``rng`` is all the chance there is, for the whole game."""
        self.rng = rng
        self.last = None

    def choose(self, position):
        """The move to make; asked for only when it is this player's turn."""
        legal = position.legal_moves()
        if self.last is None:
            return self.rng.choice(legal)
        return min(legal, key=lambda move: abs(move - self.last))

    def observe(self, move):
        """The opponent has moved."""
        self.last = move

    def finish(self, outcome):
        """The game is over; nothing to put away."""
