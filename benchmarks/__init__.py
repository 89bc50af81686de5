"""Measure the speeds in docs/speed.md: ``python -m benchmarks`` from the project's root.

It prints ratios of things measured side by side in one run. Machines are shared and noisy. So short
batches of the compared things alternate, the fastest batch of each counts, and the reported ratio
is that of these minima: noise only ever adds time, and a slow spell of the machine slows all of
them. Absolute times are for orientation only.

One group of measurements is one file with a function ``rows(quick)``; ``__main__`` lists them.
"""

import os

# Before NumPy comes: else threads that wait for each other would be measured, and not the work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
