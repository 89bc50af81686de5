"""Play Pig: hold at 20 points."""

import sys

for line in sys.stdin:
    own, other, turn = map(int, line.split())
    print("HOLD" if turn >= 20 else "ROLL", flush=True)
