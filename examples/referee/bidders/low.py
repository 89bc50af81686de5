"""Bid the lowest card for whatever comes."""

import sys

for card, _ in enumerate(sys.stdin, start=1):
    print(card, flush=True)
