"""Go up at fathom 2."""

import sys

for line in sys.stdin:
    fathom, held, down = map(int, line.split())
    print("DOWN" if fathom < 2 else "UP", flush=True)
