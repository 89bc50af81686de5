"""Spread work over processes: the contract in ``base``, one executor per file."""
