"""The nightly check: players compared with a baseline that is kept in a file."""
