"""Go up at fathom 4."""

import sys

for line in sys.stdin:
    fathom, held, down = map(int, line.split())
    print("DOWN" if fathom < 4 else "UP", flush=True)
