"""The store of results: one SQLite file that any number of runs write to, and nothing loses.

``schema`` says what is kept, ``sql`` opens the file and makes transactions, ``journal`` is what a
run writes to and goes on from, ``reading`` finds runs again.
"""
