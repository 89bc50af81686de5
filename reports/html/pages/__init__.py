"""The pages of records, named as the modules of ``arena.records``."""
