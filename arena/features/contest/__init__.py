"""Conduct a contest: entrants hand in, what passes its check plays, and one run keeps the games.

``rules`` says what a hand-in may be, ``tokens`` who is who, ``packages`` turns the bytes of a
hand-in into files, ``folders`` lays these out, ``checking`` checks them, ``hosted`` is the contest
as pages see it, and ``runner`` has it checked and played.
"""
