"""Declare what records show: each column once, for the page, CSV, HTML, frames and ``--table``."""
