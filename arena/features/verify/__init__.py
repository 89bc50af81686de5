"""Check a store by the rules."""
