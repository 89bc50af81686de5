"""Prove exactly what need not be sampled."""
