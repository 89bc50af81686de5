"""Play Pig: hold at 40 points."""

import sys

for line in sys.stdin:
    own, other, turn = map(int, line.split())
    print("HOLD" if turn >= 40 else "ROLL", flush=True)
