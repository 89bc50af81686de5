"""What the README says about speed: ``python -m benchmarks`` from the project's root.

It prints ratios of things measured side by side in one run. Machines are shared and noisy, so short
batches of the things compared alternate, the fastest batch of each counts, and the ratio of these
minima is what is reported: noise only ever adds time, and what slows the machine for a while slows
all of them. Absolute times are shown for orientation and claim nothing.

One group of measurements is one file with a function ``rows(quick)``; ``__main__`` lists them.
"""
