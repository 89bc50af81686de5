"""A program that learns to play, after Mitchell, Machine Learning (1997), chapter 1.

It has the four parts of the book's design. The experiment generator proposes a board, the
performance system plays the game out, the critic makes training examples of what happened, and the
generalizer refines the hypothesis by them. ``training`` goes round.
"""
