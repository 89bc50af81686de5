"""Test the isolation of this machine, and report the findings."""
