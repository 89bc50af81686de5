"""Play a run by machines that are not trusted: ``arena work URL``.

``arena serve STORE --workers FILE`` hands parts of a run out, and plays a random share of them
again.
"""
