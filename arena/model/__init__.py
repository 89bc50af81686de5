"""Declare each record once, so that its JSON follows from that."""
