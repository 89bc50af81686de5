"""Go up with twelve pearls."""

import sys

for line in sys.stdin:
    fathom, held, down = map(int, line.split())
    print("DOWN" if held < 12 else "UP", flush=True)
