"""Lay out every kind of record as a page, one subject a file; see ``arena.reports.page``."""
