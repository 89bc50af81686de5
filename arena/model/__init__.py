"""Declare what a record is once; its JSON follows from that."""
