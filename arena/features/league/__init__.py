"""Hold a league in a repository: a pull request is an entry, and workflows play what is new.

``files`` reads the league of a folder, ``entry`` checks a pull request by ``git``, and ``playing``
plays what is new. ``accepting`` says whether a store may be published, ``comparing`` compares it
with the one before, ``site`` writes the pages, and ``season`` keeps the hidden seed of a season.
"""
