"""Bid the card of the prize's number."""

import sys

for line in sys.stdin:
    prize, *_ = line.split()
    print(prize, flush=True)
