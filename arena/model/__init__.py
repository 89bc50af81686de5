"""Declare what a record is once. Its JSON follows from that."""
