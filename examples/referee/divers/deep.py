"""Go up at fathom 7."""

import sys

for line in sys.stdin:
    fathom, held, down = map(int, line.split())
    print("DOWN" if fathom < 7 else "UP", flush=True)
