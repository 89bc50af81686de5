"""Store results: one SQLite file that any number of runs write to without loss.

``schema`` defines the tables, ``sql`` opens the file and makes transactions, ``journal`` writes and
resumes a run, ``reading`` finds runs again.
"""
