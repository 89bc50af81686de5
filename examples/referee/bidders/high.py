"""Bid the highest card for whatever comes."""

import sys

card = 13
for _ in sys.stdin:
    print(card, flush=True)
    card -= 1
